#ifndef MIO_OS_STAGING_H
#define MIO_OS_STAGING_H

#include <stddef.h>

/*
 * A few aligned buffers, through which bytes go whose own memory direct I/O cannot use. Who holds one waits for nothing but its own
 * call. Twin of Staging.
 */
enum { MIO_OS_STAGING_BYTES = 256 << 10 };

/* Waits for one; NULL without memory. */
void *mio_os_staging_take(void);
void mio_os_staging_give(void *buffer);

/* In a forked child. */
void mio_os_staging_forked(void);

#endif

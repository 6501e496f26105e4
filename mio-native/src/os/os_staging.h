#ifndef MIO_OS_STAGING_H
#define MIO_OS_STAGING_H

#include <stddef.h>

/* A few aligned buffers, for bytes whose own memory direct I/O cannot use. A holder waits for nothing but its own call. Twin of Staging. */
enum { MIO_OS_STAGING_BYTES = 256 << 10 };

/* Waits for a free buffer; NULL without memory. */
void *mio_os_staging_take(void);
void mio_os_staging_give(void *buffer);

/* In a forked child: forgets all buffers. */
void mio_os_staging_forked(void);

#endif

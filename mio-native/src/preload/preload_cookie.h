#ifndef MIO_PRELOAD_COOKIE_H
#define MIO_PRELOAD_COOKIE_H

/* A stream of the C library's over a descriptor with layers: its functions go through MIO's wrappers. */

#include <stdio.h>

struct mio_preload_cookie;

/* Of _flags2 of a stream, as every version of the C library has it (its libio.h): it was opened with "e". */
#define MIO_PRELOAD_CLOSED_ON_EXEC 0x40

/* Open flags of the mode of a stream, or -1: not one of ours to understand. */
int mio_preload_mode_flags(const char *mode);

/* A stream over fd, which was opened with these flags; NULL: make one of the C library's instead, nothing has changed. */
FILE *mio_preload_stream_on(int fd, int flags);

/* What a stream of these has behind it; NULL for any other. */
struct mio_preload_cookie *mio_preload_cookie_of(FILE *stream);

/*
 * The C library's own crashes on a stream of cookies. The stream stays, its descriptor changes: the new file takes the number
 * of the old one, as programs expect of freopen.
 */
FILE *mio_preload_cookie_reopen(struct mio_preload_cookie *cookie, const char *name, const char *mode);

#endif

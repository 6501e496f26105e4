#ifndef MIO_PRELOAD_COOKIE_H
#define MIO_PRELOAD_COOKIE_H

/* A stream of the C library over a descriptor with layers (fopencookie): its functions go through MIO's wrappers. */

#include <stdio.h>

struct mio_preload_cookie;

/* Bit of a stream's _flags2, the same in every version of the C library (its libio.h): the stream was opened with "e". */
#define MIO_PRELOAD_CLOSED_ON_EXEC 0x40

/* Open flags of a stream's mode, or -1: a mode that only the C library understands. */
int mio_preload_mode_flags(const char *mode);

/* Makes a stream over fd, which was opened with these flags. NULL: make one of the C library's instead, nothing has changed. */
FILE *mio_preload_stream_on(int fd, int flags);

/* The cookie behind such a stream; NULL for any other stream. */
struct mio_preload_cookie *mio_preload_cookie_of(FILE *stream);

/*
 * freopen; the C library's own crashes on a stream of cookies. The stream stays and its descriptor changes: the new file takes the
 * number of the old one, as programs expect of freopen.
 */
FILE *mio_preload_cookie_reopen(struct mio_preload_cookie *cookie, const char *name, const char *mode);

#endif

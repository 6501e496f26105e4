#ifndef MIO_LAYER_ERROR_H
#define MIO_LAYER_ERROR_H

/* Errors by name and in words, independent of the locale, without allocating memory. Twin of ErrorName. error: errno or -errno. */

/* Name of the error, for example ENOSPC; "unknown" if it has none here. */
const char *mio_error_name(int error);
/* Message of the error, for example No space left on device; "unknown error" if it has none here. */
const char *mio_error_words(int error);

#endif

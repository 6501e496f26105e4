#ifndef MIO_LAYER_ERROR_H
#define MIO_LAYER_ERROR_H

/* Errors by name and in words, whatever the locale, without memory. Twin of ErrorName. error: errno, with or without its sign. */

/* For example ENOSPC; "unknown" where there is no name. */
const char *mio_error_name(int error);
/* For example No space left on device; "unknown error" where there are no words. */
const char *mio_error_words(int error);

#endif

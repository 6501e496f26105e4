#ifndef MIO_CONFIG_SIZE_H
#define MIO_CONFIG_SIZE_H

#include <stdint.h>

#include "config_text.h"

/* Results for a text that is no number, and for a number of 2^63 or more. */
#define MIO_SIZE_BAD ((int64_t)-1)
#define MIO_SIZE_TOO_LARGE ((int64_t)-2)

/*
 * Reads a number of the grammar: decimal, hexadecimal with 0x or octal with 0, then nothing or one of k, m, g, t (powers
 * of 1024), in upper or lower case. Twin of SizeText. Returns the number, MIO_SIZE_BAD or MIO_SIZE_TOO_LARGE.
 */
int64_t mio_size_parse(struct mio_slice text);

/* Reads octal digits, as permission bits are written; results as above. */
int64_t mio_size_parse_octal(struct mio_slice text);

#endif

#ifndef MIO_CONFIG_SIZE_H
#define MIO_CONFIG_SIZE_H

#include <stdint.h>

#include "config_text.h"

/* Not a number; one of 2^63 or more. */
#define MIO_SIZE_BAD ((int64_t)-1)
#define MIO_SIZE_TOO_LARGE ((int64_t)-2)

/*
 * Numbers as the grammar writes them: decimal, 0x hexadecimal or 0 octal, then nothing or one of k, m, g, t (powers
 * of 1024), in upper or lower case. Twin of SizeText. The number, MIO_SIZE_BAD or MIO_SIZE_TOO_LARGE.
 */
int64_t mio_size_parse(struct mio_slice text);

/* Octal digits, as permission bits are written. */
int64_t mio_size_parse_octal(struct mio_slice text);

#endif

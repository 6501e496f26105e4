#ifndef MIO_CONFIG_NEAREST_H
#define MIO_CONFIG_NEAREST_H

#include "config_text.h"

/*
 * The valid word that a mistyped word was probably meant to be; NULL if none is close enough. For messages only. Twin of
 * Nearest.
 */
const char *mio_nearest_find(struct mio_slice typed, const char *const *candidates, int count);

/* The parts of a message for that word: "; did you mean 'x'?", or nothing if word is NULL. */
#define MIO_NEAREST_HINT(word) (word) ? "; did you mean '" : "", (word) ? (word) : "", (word) ? "'?" : ""

#endif

#ifndef MIO_CONFIG_NEAREST_H
#define MIO_CONFIG_NEAREST_H

#include "config_text.h"

/*
 * The valid word a mistyped one was meant to be, or NULL if none is close enough. Used for messages only. Twin of
 * Nearest.
 */
const char *mio_nearest_find(struct mio_slice typed, const char *const *candidates, int count);

/* What to put into a message for it: "; did you mean 'x'?" or nothing. */
#define MIO_NEAREST_HINT(word) (word) ? "; did you mean '" : "", (word) ? (word) : "", (word) ? "'?" : ""

#endif

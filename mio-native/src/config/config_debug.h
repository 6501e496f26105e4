#ifndef MIO_CONFIG_DEBUG_H
#define MIO_CONFIG_DEBUG_H

#include "config_options.h"
#include "config_store.h"
#include "config_text.h"

/* The debug keywords that are on, each as the bit 1 << MIO_DEBUG_... Twin of DebugKeywords. */

/* Reads MIO_DEBUG: words in upper or lower case, with blanks between them. 0, or -EINVAL: a word is not known. */
int mio_debug_parse(const struct mio_config_source *source, struct mio_store *store, unsigned int *on,
		    struct mio_text *error);

/* 1 if text has the word ABORT, even if other words are not known. */
int mio_debug_has_abort(const char *text);

#endif

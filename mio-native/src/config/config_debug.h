#ifndef MIO_CONFIG_DEBUG_H
#define MIO_CONFIG_DEBUG_H

#include "config_options.h"
#include "config_store.h"
#include "config_text.h"

/* The debug keywords that are on: bit 1 << MIO_DEBUG_... each. Twin of DebugKeywords. */

/* Read MIO_DEBUG: words in any case, with blanks between them. 0, or -EINVAL: a word is not known. */
int mio_debug_parse(const struct mio_config_source *source, struct mio_store *store, unsigned int *on,
		    struct mio_text *error);

/* 1 if the word ABORT is there, whatever the others are. */
int mio_debug_has_abort(const char *text);

#endif

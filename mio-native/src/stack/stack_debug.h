#ifndef MIO_STACK_DEBUG_H
#define MIO_STACK_DEBUG_H

/*
 * The debug lines of an open, for the keywords that are on (reference 2.3 and 4.2). Twin of OpenDebug. They are
 * added to text.
 */

#include "../config/config.h"

/* 1 if matching of names is to be shown. */
int mio_stack_debug_is_matching(const struct mio_config *config);

/* 1 if an open that has layers is to be shown. */
int mio_stack_debug_is_opening(const struct mio_config *config);

/* 1 if every open is to be shown. */
int mio_stack_debug_is_naming(const struct mio_config *config);

/* What the last layer has to say of an open: line, without line end. The wording is ours. */
void mio_stack_debug_add_serving(struct mio_text *text, const char *layer, const char *name, const char *line);

/*
 * What the name matched, as mio_config_match_pattern tells it; spec NULL: nothing, and pattern is not looked at. The
 * original's wording is not known.
 */
void mio_stack_debug_add_matching(struct mio_text *text, const char *name, const struct mio_stack_spec *spec,
				  const char *pattern);

/* The lines of one open, word for word those of the original. */
void mio_stack_debug_add_opening(struct mio_text *text, const struct mio_config *config, const char *name,
				 const struct mio_stack_spec *spec);

/* Every option of every layer; the original's layout is not known. */
void mio_stack_debug_add_definitions(struct mio_text *text);

#endif

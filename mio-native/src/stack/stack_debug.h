#ifndef MIO_STACK_DEBUG_H
#define MIO_STACK_DEBUG_H

/*
 * The debug lines of an open, for the debug keywords that are on (reference 2.3 and 4.2). Twin of OpenDebug. The
 * functions named add append the lines to text.
 */

#include "../config/config.h"
#include "../layer/layer_open.h"

/* 1 if matching of names is to be shown (ENV). */
int mio_stack_debug_is_matching(const struct mio_config *config);

/* 1 if opens that have layers are to be shown (OPEN, MODULES or DEF). */
int mio_stack_debug_is_opening(const struct mio_config *config);

/* 1 if every open is to be shown (OPEN). */
int mio_stack_debug_is_naming(const struct mio_config *config);

/* The line of os/debug at an open: oflags as reports show them. And the line at its close. The wording is ours. Twin of OsDebugLayer. */
void mio_stack_debug_add_os_open(struct mio_text *text, const char *layer, const struct mio_open_request *request, int oflags);
void mio_stack_debug_add_os_close(struct mio_text *text, const char *layer, const char *name);

/* What a layer, mostly the last one, says of an open: line, without its line end. The wording is ours. */
void mio_stack_debug_add_serving(struct mio_text *text, const char *layer, const char *name, const char *line);

/*
 * What the name matched, as mio_config_match_pattern returns it. spec NULL: no rule matched, and pattern is not used. The
 * original's wording is not known.
 */
void mio_stack_debug_add_matching(struct mio_text *text, const char *name, const struct mio_stack_spec *spec,
				  const char *pattern);

/* The lines of one open, word for word those of the original. */
void mio_stack_debug_add_opening(struct mio_text *text, const struct mio_config *config, const char *name,
				 const struct mio_stack_spec *spec);

/* The definition of every option of every layer. The original's layout is not known. */
void mio_stack_debug_add_definitions(struct mio_text *text);

#endif

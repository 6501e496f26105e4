#ifndef MIO_CONFIG_MODULE_H
#define MIO_CONFIG_MODULE_H

/*
 * The grammar from the module list down, and the state of a parser. The rest of the grammar is in config_parser.c. See
 * config_parser.h.
 */

#include "config_parser.h"

struct mio_layer_node;

struct mio_parser {
	struct mio_config_text in;
	const struct mio_layer_defaults *defaults;
	struct mio_store *store;
	struct mio_text *error;
	const char *stops;		/* characters that end a word */
	const char *value_stops;	/* characters that end a value */
	struct mio_text text;		/* the module list or name list that is being read, without blanks */
	struct mio_layer_node *nodes;	/* the layers of the list that is being read; nodes after the first count are reused by the next rule */
	int count;			/* layers of that list */
};

/* Writes a message about a place, or about the present position. Returns -EINVAL. */
int mio_parser_fail(struct mio_parser *parser, struct mio_place place, const char *problem);
int mio_parser_fail_here(struct mio_parser *parser, const char *problem);

static inline struct mio_place mio_parser_place(const struct mio_parser *parser)
{
	return mio_config_text_place(&parser->in, parser->in.position);
}

/* Reads a module. short_form: a word that may be typed in place of a layer, for messages; or NULL. */
int mio_parser_layer(struct mio_parser *parser, const char *short_form, struct mio_layer_spec *layer);

/* Reads modules into parser->nodes and parser->count. */
int mio_parser_layers(struct mio_parser *parser);

/* Makes a stack of the layers that were read. open: position in the text that stands for the front and the last layer if they were not typed. */
int mio_parser_stack(struct mio_parser *parser, size_t open, struct mio_stack_spec *stack);

#endif

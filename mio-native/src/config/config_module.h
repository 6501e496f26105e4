#ifndef MIO_CONFIG_MODULE_H
#define MIO_CONFIG_MODULE_H

/*
 * The grammar from the module list down, and what a parser has in hand; config_parser.c is the rest. See
 * config_parser.h.
 */

#include "config_parser.h"

struct mio_layer_node;

struct mio_parser {
	struct mio_config_text in;
	const struct mio_layer_defaults *defaults;
	struct mio_store *store;
	struct mio_text *error;
	const char *stops;		/* what ends a word */
	const char *value_stops;	/* what ends a value */
	struct mio_text text;		/* the module list or name list in hand, without blanks */
	struct mio_layer_node *nodes;	/* the layers in hand; those behind count wait for the next rule */
	int count;
};

/* A message about a place. -EINVAL. */
int mio_parser_fail(struct mio_parser *parser, struct mio_place place, const char *problem);
int mio_parser_fail_here(struct mio_parser *parser, const char *problem);

static inline struct mio_place mio_parser_place(const struct mio_parser *parser)
{
	return mio_config_text_place(&parser->in, parser->in.position);
}

/* module; short_form: a word that can stand in its place as well, which messages name, or NULL */
int mio_parser_layer(struct mio_parser *parser, const char *short_form, struct mio_layer_spec *layer);

/* modules: they are then in hand. */
int mio_parser_layers(struct mio_parser *parser);

/* A stack of the layers in hand. open: where the front and the last layer stand if they were not typed. */
int mio_parser_stack(struct mio_parser *parser, size_t open, struct mio_stack_spec *stack);

#endif

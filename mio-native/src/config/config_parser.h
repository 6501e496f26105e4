#ifndef MIO_CONFIG_PARSER_H
#define MIO_CONFIG_PARSER_H

/*
 * The grammar of MIO_FILES, of a module list alone, and of MIO_DEFAULTS. Twin of ConfigParser.
 *
 * files    := { names "[" modules "]" }
 * names    := name { ":" name }                  name     := plain | "{" anything "}"
 * modules  := module { "|" module }              module   := layer { "/" option }
 * option   := word [ "=" value ]                 value    := plain | "{" anything "}"
 * defaults := [ module { "," module } ]
 *
 * Blanks may stand between any two of these. Braces quote a name or a value that begins with one; pairs of braces inside
 * are part of it. An option typed twice has its last value.
 *
 * Functions return 0, -EINVAL with a message, or -ENOMEM. Everything read is kept in store. It refers to source, which
 * has to live as long, and to nothing else of the text.
 */

#include "config.h"
#include "config_pattern.h"
#include "config_store.h"
#include "config_text.h"

/* The options that each layer begins with: the built-in ones, changed by MIO_DEFAULTS. Twin of LayerDefaults. */
struct mio_layer_defaults {
	struct mio_layer_spec rows[MIO_LAYER_KINDS];
};

/* One rule of MIO_FILES. Twin of FileRule. */
struct mio_file_rule {
	const char *names;	/* the name list as typed, without blanks around the names */
	struct mio_stack_spec stack;
	struct mio_file_rule *next;
};

/* One name of a rule. The names of all rules are one list, in the order in which they are tried. */
struct mio_rule_name {
	struct mio_pattern pattern;
	const struct mio_file_rule *rule;
	struct mio_rule_name *next;
};

struct mio_file_rules {
	struct mio_file_rule *first;
	struct mio_rule_name *names;
	size_t name_count;
};

/* Sets defaults to the built-in ones. */
void mio_layer_defaults_init(struct mio_layer_defaults *defaults);

/* Reads the whole text as MIO_FILES. */
int mio_config_parse_files(const struct mio_config_source *source, const struct mio_layer_defaults *defaults,
			   struct mio_store *store, struct mio_file_rules *rules, struct mio_text *error);

/* Reads the whole text as a module list without brackets. */
int mio_config_parse_modules(const struct mio_config_source *source, const struct mio_layer_defaults *defaults,
			     struct mio_store *store, struct mio_stack_spec *stack, struct mio_text *error);

/* Reads the whole text as MIO_DEFAULTS, into defaults. */
int mio_config_parse_defaults(const struct mio_config_source *source, struct mio_layer_defaults *defaults,
			      struct mio_store *store, struct mio_text *error);

#endif

#ifndef MIO_CONFIG_CONFIG_H
#define MIO_CONFIG_CONFIG_H

/*
 * What MIO_FILES and its fellows say: read once, then never changed. Twin of the Java package
 * io.mio.config, held together by the golden cases in twin/config. Grammar: docs/Configuration.md.
 */

#include <stdint.h>

#include "../common/text.h"
#include "config_options.h"

/* How an option stands. */
enum mio_setting { MIO_SETTING_UNSET, MIO_SETTING_ON, MIO_SETTING_OFF };

struct mio_option_value {
	enum mio_setting setting;
	int typed;		/* the rule or MIO_DEFAULTS name it */
	int64_t number;		/* of a size or integer, first of a range, in the option's unit; -1 where there is none */
	int64_t second;		/* of a range; -1 where there is none */
	const char *text;	/* as typed without braces, word of a choice; "" where there is none */
};

/* One layer of a rule with all its options: built-in defaults, MIO_DEFAULTS, then the rule. */
struct mio_layer_spec {
	enum mio_layer_kind kind;
	const char *typed_name;	/* for example aix; mio or os where it was implied */
	struct mio_option_value values[MIO_LAYER_OPTIONS_MAX];	/* by MIO_<LAYER>_OPTION_... */
};

/* From the program down; the first is mio and the last os, typed or not. */
struct mio_stack_spec {
	const char *text;	/* the module list as typed, without blanks */
	int count;
	struct mio_layer_spec *layers;
};

enum mio_config_key {
	MIO_CONFIG_FILES, MIO_CONFIG_STATS, MIO_CONFIG_DEBUG, MIO_CONFIG_DEFAULTS, MIO_CONFIG_ENABLED, MIO_CONFIG_KEYS
};

struct mio_config;

/*
 * Read all sources: /etc/mio/mio.conf, $XDG_CONFIG_HOME/mio/mio.conf, MIO_CONFIG, then MIO_*, of environment
 * (as environ). Returns 0, or -EINVAL with the message (its lines end with a line feed but the last) in error; -ENOMEM.
 * As in Java: a mistake where enabled says false is none. *config: on success.
 */
int mio_config_load(char *const *environment, struct mio_config **config, struct mio_text *error);

/* What is not carried out yet (options without since) is an error where a rule uses it: 0, or -EINVAL with the message. */
int mio_config_check_available(const struct mio_config *config, struct mio_text *error);

/* 0 if MIO is switched off. */
int mio_config_is_enabled(const struct mio_config *config);

/* 1 if there is a rule at all. */
int mio_config_has_rules(const struct mio_config *config);

/* The setting as typed, "" where there is none. */
const char *mio_config_text(const struct mio_config *config, enum mio_config_key key);

/* The layers for a file of this name, as the program gave it, or NULL: no rule, no layers. Takes no memory. Any thread. */
const struct mio_stack_spec *mio_config_match(const struct mio_config *config, const char *name);

/* The rule as MIO_DEBUG=ENV tells it: names and pattern of the match; NULL as the stack. */
const struct mio_stack_spec *mio_config_match_pattern(const struct mio_config *config, const char *name,
						      const char **pattern);

/* Read a module list without its brackets over the defaults of config. 0, or -EINVAL with message; the result lives as long as the process. */
int mio_config_parse_stack(const struct mio_config *config, const char *origin, const char *text,
			   const struct mio_stack_spec **stack, struct mio_text *error);

int mio_config_debug_is_on(const struct mio_config *config, enum mio_debug_keyword keyword);

void mio_config_free(struct mio_config *config);

/* Every option of the original, in its order, then the extensions that were set, as LayerSpec.echo in Java. */
void mio_layer_spec_echo(const struct mio_layer_spec *layer, struct mio_text *text);

static inline int mio_spec_is_on(const struct mio_layer_spec *layer, int option)
{
	return layer->values[option].setting == MIO_SETTING_ON;
}

static inline int mio_spec_is_set(const struct mio_layer_spec *layer, int option)
{
	return layer->values[option].setting != MIO_SETTING_UNSET;
}

#endif

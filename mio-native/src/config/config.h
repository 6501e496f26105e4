#ifndef MIO_CONFIG_CONFIG_H
#define MIO_CONFIG_CONFIG_H

/*
 * The settings of MIO, MIO_FILES and the others: read once, then never changed. Twin of the Java package
 * io.mio.config; the golden cases in twin/config and TwinTest keep both equal. Grammar: docs/Configuration.md.
 *
 * How it is read: config_sources.c finds, per key, the text that wins (config_properties.c reads files).
 * config_debug.c reads the keywords. config_parser.c reads the defaults and the rules, word by word (config_text.c):
 * option names with config_name.c, values with config_value.c, by the tables of config_options.h. config.c keeps the
 * result, and finds the rule for a name with config_pattern.c. All memory of a configuration is in one config_store.
 */

#include <stdint.h>

#include "../common/text.h"
#include "config_options.h"

struct mio_place;

struct mio_option_value {
	enum mio_setting setting;
	int typed;		/* 1: the rule or MIO_DEFAULTS names the option */
	int64_t number;		/* a size or integer, or the first number of a range, in the option's unit; -1: none */
	int64_t second;		/* the second number of a range; -1: none */
	const char *text;	/* text as typed, without braces, or the word of a choice; "": none */
	const struct mio_place *place;	/* where the value was typed, for messages; or NULL */
};

/* One layer of a rule with all its options: built-in defaults, MIO_DEFAULTS, then the rule. */
struct mio_layer_spec {
	enum mio_layer_kind kind;
	const char *typed_name;	/* for example aix; mio or os if the layer was not typed */
	struct mio_option_value values[MIO_LAYER_OPTIONS_MAX];	/* indexed by MIO_<LAYER>_OPTION_... */
	const struct mio_place *place;	/* where the layer was typed, or would have been */
};

/* The layers of a rule, from the program down. The first is mio and the last os, typed or not. */
struct mio_stack_spec {
	const char *text;	/* the module list as typed, without blanks */
	int count;
	struct mio_layer_spec *layers;
};

/*
 * X(NAME, id): the settings. Each has the same name in every source: id in files, MIO_NAME in the environment.
 * Twin of ConfigKey.
 */
#define MIO_CONFIG_KEY_LIST(X) \
	X(FILES, "files")	/* rules: which layers for which files */ \
	X(STATS, "stats")	/* where reports go */ \
	X(DEBUG, "debug")	/* debug keywords */ \
	X(DEFAULTS, "defaults")	/* defaults of layers */ \
	X(ENABLED, "enabled")	/* false switches all of MIO off */ \
	X(LIVE, "live")		/* directory of the live counter file, or off */ \
	X(BACKEND, "backend")	/* the best way of doing page requests that may be used */

#define MIO_CONFIG_KEY_ENUM(name, id) MIO_CONFIG_##name,
enum mio_config_key { MIO_CONFIG_KEY_LIST(MIO_CONFIG_KEY_ENUM) MIO_CONFIG_KEYS };

struct mio_config;

/*
 * Reads all sources: /etc/mio/mio.conf, $XDG_CONFIG_HOME/mio/mio.conf, MIO_CONFIG, then MIO_*; environment is an array
 * like environ. Returns 0 and *config; -EINVAL with a message in error, whose lines but the last end with a line feed;
 * or -ENOMEM. As in Java, mistakes do not count if enabled says false.
 */
int mio_config_load(char *const *environment, struct mio_config **config, struct mio_text *error);

/* The same for tests: root replaces / in the name /etc/mio/mio.conf. */
int mio_config_load_from(const char *root, char *const *environment, struct mio_config **config,
			 struct mio_text *error);

/*
 * Returns -EINVAL with a message if a rule uses an option that this version does not carry out (an option without since);
 * else 0.
 */
int mio_config_check_available(const struct mio_config *config, struct mio_text *error);

/* The same for one stack, for example one of mio_config_parse_stack. */
int mio_stack_spec_check_available(const struct mio_stack_spec *stack, struct mio_text *error);

/* 1 if the setting debug has the keyword ABORT, even if the rest of the configuration is wrong. Needs no struct mio_config. */
int mio_config_wants_abort(char *const *environment);

/* 0 if MIO is switched off. */
int mio_config_is_enabled(const struct mio_config *config);

/* The way of doing page requests that backend names: "uring", "threads", "sync", or "" for the best there is. */
const char *mio_config_backend(const struct mio_config *config);

/* 1 if there is a rule at all. */
int mio_config_has_rules(const struct mio_config *config);

/* The setting as typed; "" if nobody set it. */
const char *mio_config_text(const struct mio_config *config, enum mio_config_key key);

/* Where the setting came from: MIO_FILES, or file /etc/mio/mio.conf key files; the variable's name if nobody set it. */
const char *mio_config_origin(const struct mio_config *config, enum mio_config_key key);

/* The name of a setting in files, for example files, and that of its environment variable, for example MIO_FILES. */
const char *mio_config_key_id(enum mio_config_key key);
const char *mio_config_key_variable(enum mio_config_key key);

/*
 * The layers for a file of this name, as the program gave it; NULL if no rule matches. Allocates no memory. Any
 * thread.
 */
const struct mio_stack_spec *mio_config_match(const struct mio_config *config, const char *name);

/* The same for the line of MIO_DEBUG=ENV. *pattern: the name in the rule that matched; unchanged if the result is NULL. */
const struct mio_stack_spec *mio_config_match_pattern(const struct mio_config *config, const char *name,
						      const char **pattern);

/*
 * The rules in order, index from 0: returns the stack, and in *names the name list as typed, without blanks around the
 * names. NULL after the last rule.
 */
const struct mio_stack_spec *mio_config_rule(const struct mio_config *config, int index, const char **names);

/*
 * Reads a module list without brackets. Options not typed have the defaults of config, or the built-in ones if config is
 * NULL. Returns 0, -EINVAL with a message, or -ENOMEM. The result lives as long as the process: the same list over the
 * same configuration is read only once. Any thread.
 */
int mio_config_parse_stack(const struct mio_config *config, const char *origin, const char *text,
			   const struct mio_stack_spec **stack, struct mio_text *error);

/* 1 if the keyword was typed, or ALL was and stands for it. */
int mio_config_debug_is_on(const struct mio_config *config, enum mio_debug_keyword keyword);

/* 1 if the keyword gets a line like MIO_DEBUG OPEN =T in the header: if it is on, but never ALL and MATCH, as in the original. */
int mio_config_debug_is_shown(const struct mio_config *config, enum mio_debug_keyword keyword);

/* Frees config. Does nothing if stacks were parsed over it (mio_config_parse_stack): they may still be in use. */
void mio_config_free(struct mio_config *config);

/* Adds every option of the original, in its order, then the extensions that were typed, as LayerSpec.echo in Java. */
void mio_layer_spec_echo(const struct mio_layer_spec *layer, struct mio_text *text);

/* Adds what the echo shows for an option that nobody sets, for example stats={mioout}; may be nothing. */
void mio_option_default_echo(const struct mio_option *option, struct mio_text *text);

static inline int mio_spec_is_on(const struct mio_layer_spec *layer, int option)
{
	return layer->values[option].setting == MIO_SETTING_ON;
}

static inline int mio_spec_is_set(const struct mio_layer_spec *layer, int option)
{
	return layer->values[option].setting != MIO_SETTING_UNSET;
}

#endif

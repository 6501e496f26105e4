#ifndef MIO_CONFIG_CONFIG_H
#define MIO_CONFIG_CONFIG_H

/*
 * What MIO_FILES and its fellows say: read once, then never changed. Twin of the Java package
 * io.mio.config, held together by the golden cases in twin/config and by TwinTest. Grammar: docs/Configuration.md.
 *
 * How it is read: config_sources.c finds, per key, the text that wins (config_properties.c reads files);
 * config_debug.c reads the keywords; config_parser.c the defaults and the rules, word by word (config_text.c), option
 * names by config_name.c, values by config_value.c, over the tables of config_options.h. config.c keeps the result
 * and finds the rule of a name by config_pattern.c. Everything a configuration consists of is in one config_store.
 */

#include <stdint.h>

#include "../common/text.h"
#include "config_options.h"

struct mio_place;

struct mio_option_value {
	enum mio_setting setting;
	int typed;		/* the rule or MIO_DEFAULTS name it */
	int64_t number;		/* of a size or integer, first of a range, in the option's unit; -1: there is none */
	int64_t second;		/* of a range; -1 where there is none */
	const char *text;	/* as typed without braces, word of a choice; "" where there is none */
	const struct mio_place *place;	/* where it was typed, for messages; or NULL */
};

/* One layer of a rule with all its options: built-in defaults, MIO_DEFAULTS, then the rule. */
struct mio_layer_spec {
	enum mio_layer_kind kind;
	const char *typed_name;	/* for example aix; mio or os where it was implied */
	struct mio_option_value values[MIO_LAYER_OPTIONS_MAX];	/* by MIO_<LAYER>_OPTION_... */
	const struct mio_place *place;	/* where it was typed, or where it was implied */
};

/* From the program down; the first is mio and the last os, typed or not. */
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
 * Read all sources: /etc/mio/mio.conf, $XDG_CONFIG_HOME/mio/mio.conf, MIO_CONFIG, then MIO_*, of environment
 * (as environ). Returns 0, or -EINVAL with the message (its lines end with a line feed but the last) in error; -ENOMEM.
 * As in Java: a mistake where enabled says false is none. *config: on success.
 */
int mio_config_load(char *const *environment, struct mio_config **config, struct mio_text *error);

/* The same with a directory that stands for / when /etc/mio/mio.conf is looked for; for tests. */
int mio_config_load_from(const char *root, char *const *environment, struct mio_config **config,
			 struct mio_text *error);

/*
 * What is not carried out yet (options without since) is an error where a rule uses it: 0, or -EINVAL with the
 * message.
 */
int mio_config_check_available(const struct mio_config *config, struct mio_text *error);

/* The same of one stack, for example one that was parsed. */
int mio_stack_spec_check_available(const struct mio_stack_spec *stack, struct mio_text *error);

/* 1 if debug has the keyword ABORT, even in a configuration that is wrong otherwise. Needs no configuration. */
int mio_config_wants_abort(char *const *environment);

/* 0 if MIO is switched off. */
int mio_config_is_enabled(const struct mio_config *config);

/* The way of doing page requests that backend names: "uring", "threads", "sync", or "" for the best there is. */
const char *mio_config_backend(const struct mio_config *config);

/* 1 if there is a rule at all. */
int mio_config_has_rules(const struct mio_config *config);

/* The setting as typed, "" where there is none. */
const char *mio_config_text(const struct mio_config *config, enum mio_config_key key);

/* Where it came from: MIO_FILES, or file /etc/mio/mio.conf key files; the variable's name if nobody set it. */
const char *mio_config_origin(const struct mio_config *config, enum mio_config_key key);

/* Key in files, for example files; variable of the environment, for example MIO_FILES. */
const char *mio_config_key_id(enum mio_config_key key);
const char *mio_config_key_variable(enum mio_config_key key);

/*
 * The layers for a file of this name, as the program gave it, or NULL: no rule, no layers. Takes no memory. Any
 * thread.
 */
const struct mio_stack_spec *mio_config_match(const struct mio_config *config, const char *name);

/* The rule as MIO_DEBUG=ENV tells it: names and pattern of the match; NULL as the stack. */
const struct mio_stack_spec *mio_config_match_pattern(const struct mio_config *config, const char *name,
						      const char **pattern);

/*
 * The rules, in order, index 0-based: name list as typed without blanks round the names, and stack. NULL behind
 * the last.
 */
const struct mio_stack_spec *mio_config_rule(const struct mio_config *config, int index, const char **names);

/*
 * Read a module list without its brackets over the defaults of config, or the built-in ones if it is NULL. 0, or
 * -EINVAL with message, -ENOMEM; the result lives as long as the process. The same list over the same configuration
 * is read once. Any thread.
 */
int mio_config_parse_stack(const struct mio_config *config, const char *origin, const char *text,
			   const struct mio_stack_spec **stack, struct mio_text *error);

/* 1 if the keyword was typed, or ALL was and stands for it. */
int mio_config_debug_is_on(const struct mio_config *config, enum mio_debug_keyword keyword);

/* 1 if it gets a line MIO_DEBUG OPEN =T in the header: as is_on, but never ALL and MATCH, as in the original. */
int mio_config_debug_is_shown(const struct mio_config *config, enum mio_debug_keyword keyword);

/* Nothing where stacks were parsed over it: they may still be in use. */
void mio_config_free(struct mio_config *config);

/* Every option of the original, in its order, then the extensions that were set, as LayerSpec.echo in Java. */
void mio_layer_spec_echo(const struct mio_layer_spec *layer, struct mio_text *text);

/* What the echo shows of an option that nobody sets, for example stats={mioout}; may be nothing. */
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

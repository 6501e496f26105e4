#include "config.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>

#include "../common/memory.h"
#include "config_backend.h"
#include "config_debug.h"
#include "config_parser.h"
#include "config_sources.h"
#include "config_value.h"

#ifndef MIO_VERSION
#error "the Makefile gives the version"
#endif

/* A module list that mio_config_parse_stack has read. It is never freed. */
struct parsed_stack {
	struct parsed_stack *next;
	struct mio_config_source source;
	struct mio_stack_spec stack;
	struct mio_store store;
};

/* A list, newest first. Entries never change, so readers need no lock, and a fork at any moment does no harm. */
struct parsed_stacks {
	_Atomic(struct parsed_stack *) first;
};

/* A name of a rule and the layers of that rule, for the search. */
struct ruled_name {
	struct mio_pattern pattern;
	const struct mio_stack_spec *stack;
};

struct mio_config {
	struct mio_store store;
	struct mio_settings settings;
	int enabled;
	unsigned int debug;	/* debug keywords that are on, one bit each */
	const char *backend;
	struct mio_layer_defaults defaults;
	struct mio_file_rules rules;
	struct ruled_name *names;
	size_t name_count;
	struct parsed_stacks *parsed;
};

/* Module lists that were read over the built-in defaults. */
static struct parsed_stacks parsed_over_nothing;

#define SECOND(name, id) id,
static const char *const key_ids[] = {MIO_CONFIG_KEY_LIST(SECOND)};

#define VARIABLE(name, id) "MIO_" #name,
static const char *const key_variables[] = {MIO_CONFIG_KEY_LIST(VARIABLE)};

const char *mio_config_key_id(enum mio_config_key key)
{
	return key_ids[key];
}

const char *mio_config_key_variable(enum mio_config_key key)
{
	return key_variables[key];
}

const char *mio_config_text(const struct mio_config *config, enum mio_config_key key)
{
	const char *text = config->settings.sources[key].text;

	return text ? text : "";
}

const char *mio_config_origin(const struct mio_config *config, enum mio_config_key key)
{
	const char *origin = config->settings.sources[key].origin;

	return origin ? origin : key_variables[key];
}

/* The source of a key; its text is never NULL, even if nobody set the key. */
static const struct mio_config_source *source_of(struct mio_config *config, enum mio_config_key key)
{
	struct mio_config_source *source = &config->settings.sources[key];

	source->origin = mio_config_origin(config, key);
	source->text = mio_config_text(config, key);
	return source;
}

static int read_enabled(struct mio_config *config, struct mio_text *error)
{
	static const char *const on[] = {"", "true", "1", "yes"};
	const struct mio_config_source *source = source_of(config, MIO_CONFIG_ENABLED);
	struct mio_slice word = mio_slice_trim((struct mio_slice){source->text, strlen(source->text)});
	const char *shown;

	if (mio_config_is_off(source->text))
		return 0;
	config->enabled = 1;
	for (size_t i = 0; i < sizeof(on) / sizeof(on[0]); i++)
		if (mio_slice_is(word, on[i]))
			return 0;
	shown = mio_store_string(&config->store, word.bytes, word.length);
	return mio_place_error(error, (struct mio_place){source, 0}, "'", shown ? shown : "",
			       "' is neither true nor false; write true, 1, yes or false, 0, no", NULL);
}

/* Puts the names of all rules into one array, for the search. */
static int line_up_names(struct mio_config *config)
{
	const struct mio_rule_name *name = config->rules.names;
	size_t count = config->rules.name_count;

	config->names = mio_store_take(&config->store, count * sizeof(*config->names));
	if (!config->names)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++, name = name->next)
		config->names[i] = (struct ruled_name){name->pattern, &name->rule->stack};
	config->name_count = count;
	return 0;
}

static int read_settings(struct mio_config *config, struct mio_text *error)
{
	struct mio_store *store = &config->store;
	int rc = read_enabled(config, error);

	/* A user who switches MIO off, perhaps because of a mistake in the settings, wants no further errors. */
	if (rc < 0 || !config->enabled)
		return rc;
	rc = mio_debug_parse(source_of(config, MIO_CONFIG_DEBUG), store, &config->debug, error);
	if (rc == 0)
		rc = mio_backend_parse(source_of(config, MIO_CONFIG_BACKEND), store, &config->backend, error);
	if (rc == 0)
		rc = mio_config_parse_defaults(source_of(config, MIO_CONFIG_DEFAULTS), &config->defaults, store,
					       error);
	if (rc == 0)
		rc = mio_config_parse_files(source_of(config, MIO_CONFIG_FILES), &config->defaults, store,
					    &config->rules, error);
	return rc == 0 ? line_up_names(config) : rc;
}

int mio_config_load_from(const char *root, char *const *environment, struct mio_config **made, struct mio_text *error)
{
	struct mio_config *config = mio_memory_take(sizeof(*config));
	int rc;

	if (!config)
		return -ENOMEM;
	mio_layer_defaults_init(&config->defaults);
	config->parsed = mio_store_take(&config->store, sizeof(*config->parsed));
	rc = mio_config_collect(root, environment, &config->store, &config->settings, error);
	if (rc == 0)
		rc = read_settings(config, error);
	if (config->store.failed)
		rc = -ENOMEM;
	if (rc < 0)
		mio_config_free(config);
	else
		*made = config;
	return rc;
}

const char *mio_config_backend(const struct mio_config *config)
{
	return config->backend ? config->backend : "";
}

int mio_config_load(char *const *environment, struct mio_config **config, struct mio_text *error)
{
	return mio_config_load_from("", environment, config, error);
}

void mio_config_free(struct mio_config *config)
{
	struct mio_store store;

	if (!config || (config->parsed && atomic_load_explicit(&config->parsed->first, memory_order_acquire)))
		return;
	store = config->store;
	mio_memory_give(config, sizeof(*config));
	mio_store_clear(&store);
}

int mio_config_wants_abort(char *const *environment)
{
	struct mio_store store = {0};
	struct mio_settings settings;
	struct mio_text ignored = {0};
	const char *debug = mio_environment_value(environment, key_variables[MIO_CONFIG_DEBUG]);
	int wants;

	if (!debug) {
		mio_config_collect("", environment, &store, &settings, &ignored);
		debug = settings.sources[MIO_CONFIG_DEBUG].text;
	}
	wants = debug && mio_debug_has_abort(debug);
	mio_text_clear(&ignored);
	mio_store_clear(&store);
	return wants;
}

int mio_config_is_enabled(const struct mio_config *config)
{
	return config->enabled;
}

int mio_config_has_rules(const struct mio_config *config)
{
	return config->name_count > 0;
}

const struct mio_stack_spec *mio_config_match_pattern(const struct mio_config *config, const char *name,
						      const char **pattern)
{
	struct mio_pattern_name measured;

	if (config->name_count == 0)
		return NULL;
	mio_pattern_name_init(&measured, name);
	for (size_t i = 0; i < config->name_count; i++) {
		const struct ruled_name *ruled = &config->names[i];

		if (mio_pattern_matches(&ruled->pattern, &measured)) {
			*pattern = ruled->pattern.template;
			return ruled->stack;
		}
	}
	return NULL;
}

const struct mio_stack_spec *mio_config_match(const struct mio_config *config, const char *name)
{
	const char *pattern;

	return mio_config_match_pattern(config, name, &pattern);
}

const struct mio_stack_spec *mio_config_rule(const struct mio_config *config, int index, const char **names)
{
	const struct mio_file_rule *rule = config->rules.first;

	while (rule && index-- > 0)
		rule = rule->next;
	if (!rule)
		return NULL;
	*names = rule->names;
	return &rule->stack;
}

static int check_layer(const struct mio_layer_spec *layer, struct mio_text *error)
{
	for (int i = 0; i < mio_layer_option_count(layer->kind); i++) {
		const struct mio_option *option = mio_layer_option(layer->kind, i);
		const struct mio_option_value *value = &layer->values[i];

		if (value->typed && value->setting == MIO_SETTING_ON && !option->since)
			return mio_place_error(error, *value->place, "option ", option->id, " of layer ",
					       mio_layer_kind_id(layer->kind),
					       " is not in this version of MIO (" MIO_VERSION "); leave it out", NULL);
	}
	return 0;
}

int mio_stack_spec_check_available(const struct mio_stack_spec *stack, struct mio_text *error)
{
	int rc = 0;

	for (int i = 0; i < stack->count && rc == 0; i++)
		rc = check_layer(&stack->layers[i], error);
	return rc;
}

int mio_config_check_available(const struct mio_config *config, struct mio_text *error)
{
	int rc = 0;

	for (const struct mio_file_rule *rule = config->rules.first; rule && rc == 0; rule = rule->next)
		rc = mio_stack_spec_check_available(&rule->stack, error);
	return rc;
}

int mio_config_debug_is_on(const struct mio_config *config, enum mio_debug_keyword keyword)
{
	return (config->debug >> keyword) & 1;
}

int mio_config_debug_is_shown(const struct mio_config *config, enum mio_debug_keyword keyword)
{
	return keyword != MIO_DEBUG_ALL && keyword != MIO_DEBUG_MATCH && mio_config_debug_is_on(config, keyword);
}

static struct parsed_stack *find_parsed(struct parsed_stacks *all, const char *origin, const char *text)
{
	struct parsed_stack *parsed = atomic_load_explicit(&all->first, memory_order_acquire);

	while (parsed && (strcmp(parsed->source.text, text) != 0 || strcmp(parsed->source.origin, origin) != 0))
		parsed = parsed->next;
	return parsed;
}

/* The defaults of config; if config is NULL the built-in ones, in memory of store. */
static const struct mio_layer_defaults *defaults_of(const struct mio_config *config, struct mio_store *store)
{
	struct mio_layer_defaults *built_in;

	if (config)
		return &config->defaults;
	built_in = mio_store_take(store, sizeof(*built_in));
	if (built_in)
		mio_layer_defaults_init(built_in);
	return built_in;
}

static struct parsed_stack *make_parsed(const char *origin, const char *text)
{
	struct mio_store store = {0};
	struct parsed_stack *parsed = mio_store_take(&store, sizeof(*parsed));

	if (!parsed)
		return NULL;
	parsed->source.origin = mio_store_string(&store, origin, strlen(origin));
	parsed->source.text = mio_store_string(&store, text, strlen(text));
	parsed->store = store;
	return parsed;
}

int mio_config_parse_stack(const struct mio_config *config, const char *origin, const char *text,
			   const struct mio_stack_spec **stack, struct mio_text *error)
{
	struct parsed_stacks *all = config ? config->parsed : &parsed_over_nothing;
	struct parsed_stack *parsed = find_parsed(all, origin, text);
	const struct mio_layer_defaults *defaults;
	struct mio_store store;
	int rc = -ENOMEM;

	if (parsed) {
		*stack = &parsed->stack;
		return 0;
	}
	parsed = make_parsed(origin, text);
	if (!parsed)
		return -ENOMEM;
	defaults = defaults_of(config, &parsed->store);
	if (!parsed->store.failed)
		rc = mio_config_parse_modules(&parsed->source, defaults, &parsed->store, &parsed->stack, error);
	if (rc < 0) {
		store = parsed->store;
		mio_store_clear(&store);
		return rc;
	}
	parsed->next = atomic_load_explicit(&all->first, memory_order_relaxed);
	while (!atomic_compare_exchange_weak_explicit(&all->first, &parsed->next, parsed, memory_order_release,
						      memory_order_relaxed))
		;
	*stack = &parsed->stack;
	return 0;
}

void mio_layer_spec_echo(const struct mio_layer_spec *layer, struct mio_text *text)
{
	mio_text_add(text, layer->typed_name);
	for (int i = 0; i < mio_layer_option_count(layer->kind); i++) {
		const struct mio_option *option = mio_layer_option(layer->kind, i);
		size_t before = text->length;

		if (option->extension && !layer->values[i].typed)
			continue;
		mio_text_add_char(text, '/');
		mio_value_echo(option, &layer->values[i], text);
		if (text->length == before + 1)
			mio_text_cut(text, before);
	}
}

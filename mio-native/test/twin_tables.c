/*
 * The C side of TwinTest in Java: prints what both languages hold, and Java compares it with its own. No test by itself.
 *
 * twin_tables tables       prints the tables: a line each, with tabs between the fields
 * twin_tables config       reads cases, and prints what the configuration makes of each
 * twin_tables debug        reads the same cases, and prints the debug lines of opens
 * twin_tables properties   reads cases with a line contents, and prints the keys and values
 */
#include "../src/config/config.h"
#include "../src/config/config_properties.h"
#include "../src/os/os_file_system.h"
#include "../src/stack/stack_debug.h"
#include "twin_case.h"

/* ---- the tables */

#define NAME(name, ...) #name,
static const char *const layer_names[] = {MIO_LAYER_LIST(NAME)};
static const char *const mio_names[] = {MIO_MIO_OPTION_LIST(NAME)};
static const char *const trace_names[] = {MIO_TRACE_OPTION_LIST(NAME)};
static const char *const pf_names[] = {MIO_PF_OPTION_LIST(NAME)};
static const char *const recov_names[] = {MIO_RECOV_OPTION_LIST(NAME)};
static const char *const os_names[] = {MIO_OS_OPTION_LIST(NAME)};
static const char *const *const option_names[] = {mio_names, trace_names, pf_names, recov_names, os_names};

static void print_option(enum mio_layer_kind layer, int index)
{
	const struct mio_option *option = mio_layer_option(layer, index);
	struct mio_text preset = {0};
	const char *word;

	mio_option_default_echo(option, &preset);
	printf("option\t%s\t%s\t%s\t%s\t%s\t%lld\t%lld\t%s\t%s\t%s\t", mio_layer_kind_id(layer),
	       option_names[layer][index], option->id, mio_option_kind_word(option->kind), option->unit,
	       (long long)option->min, (long long)option->max, mio_text_string(&preset),
	       option->extension ? "extension" : "original", option->since ? option->since : "");
	for (int i = 0; (word = mio_option_word(option, i)); i++)
		printf("%s%s", i > 0 ? " " : "", word);
	printf("\t%s\n", option->description);
	mio_text_clear(&preset);
}

static void print_tables(void)
{
	enum mio_layer_kind kind;
	const char *name;

	printf("version\t%s\n", MIO_VERSION);
	for (int i = 0; i < MIO_LAYER_KINDS; i++)
		printf("layer\t%s\t%s\n", layer_names[i], mio_layer_kind_id((enum mio_layer_kind)i));
	for (int i = 0; (name = mio_layer_name(i, &kind)); i++)
		printf("name of a layer\t%s\t%s\n", name, mio_layer_kind_id(kind));
	for (int i = 0; i < MIO_LAYER_KINDS; i++)
		for (int k = 0; k < mio_layer_option_count((enum mio_layer_kind)i); k++)
			print_option((enum mio_layer_kind)i, k);
	for (int i = 0; i < MIO_DEBUG_KEYWORDS; i++)
		printf("debug keyword\t%s\n", mio_debug_keyword_name((enum mio_debug_keyword)i));
	for (int i = 0; i < MIO_CONFIG_KEYS; i++)
		printf("setting\t%s\t%s\n", mio_config_key_id((enum mio_config_key)i),
		       mio_config_key_variable((enum mio_config_key)i));
	for (int i = 0; mio_os_file_system(i); i++)
		printf("file system\t%s\t%d\n", mio_os_file_system(i)->type, mio_os_file_system(i)->place);
}

/* ---- the configuration */

static void print_layer(const struct mio_layer_spec *layer)
{
	static const char *const settings[] = {"unset", "on", "off"};
	struct mio_text text = {0};

	mio_layer_spec_echo(layer, &text);
	twin_print_text("echo", &text);
	for (int i = 0; i < mio_layer_option_count(layer->kind); i++) {
		const struct mio_option_value *value = &layer->values[i];

		mio_text_add(&text, settings[value->setting]);
		mio_text_add(&text, value->typed ? " typed " : " preset ");
		mio_text_add_number(&text, value->number);
		mio_text_add_char(&text, ' ');
		mio_text_add_number(&text, value->second);
		mio_text_add_char(&text, ' ');
		mio_text_add(&text, value->text);
		twin_print_text("value", &text);
	}
}

static void print_config(const struct mio_config *config, const struct twin_case *read)
{
	const struct mio_stack_spec *stack;
	struct mio_text text = {0};
	const char *name;

	printf("enabled\t%d\n", mio_config_is_enabled(config));
	twin_print_value("backend", mio_config_backend(config));
	for (int i = 0; i < MIO_DEBUG_KEYWORDS; i++)
		if (mio_config_debug_is_on(config, (enum mio_debug_keyword)i))
			twin_print_value(mio_config_debug_is_shown(config, (enum mio_debug_keyword)i) ? "shown" : "on",
				    mio_debug_keyword_name((enum mio_debug_keyword)i));
	for (int i = 0; (stack = mio_config_rule(config, i, &name)); i++) {
		twin_print_value("names", name);
		twin_print_value("text", stack->text);
		for (int k = 0; k < stack->count; k++)
			print_layer(&stack->layers[k]);
	}
	mio_config_check_available(config, &text);
	twin_print_text("available", &text);
	for (int i = 0; i < read->count; i++) {
		const char *pattern = "";

		if (strcmp(read->line[i], "name") != 0)
			continue;
		stack = mio_config_match_pattern(config, read->value[i], &pattern);
		twin_print_value("pattern", pattern);
		twin_print_value("stack", stack ? stack->text : "");
	}
}

static void print_debug(const struct mio_config *config, const struct twin_case *read)
{
	struct mio_text text = {0};

	for (int i = 0; i < read->count; i++) {
		const char *name = read->value[i], *pattern = NULL;
		const struct mio_stack_spec *stack;

		if (strcmp(read->line[i], "name") != 0)
			continue;
		stack = mio_config_match_pattern(config, name, &pattern);
		mio_stack_debug_add_matching(&text, name, stack, pattern);
		twin_print_text("matching", &text);
		if (!stack)
			continue;
		mio_stack_debug_add_opening(&text, config, name, stack);
		twin_print_text("opening", &text);
		mio_stack_debug_add_serving(&text, stack->layers[stack->count - 1].typed_name, name, pattern);
		twin_print_text("serving", &text);
	}
}

static char *variable(enum mio_config_key key, const char *value)
{
	char *made;

	if (asprintf(&made, "%s=%s", mio_config_key_variable(key), value) < 0)
		abort();
	return made;
}

static void with_config(const struct twin_case *read,
			void (*print)(const struct mio_config *config, const struct twin_case *read))
{
	char *environment[TWIN_VALUES_MAX + 1] = {NULL};
	struct mio_config *config = NULL;
	struct mio_text error = {0};
	int count = 0;

	for (int i = 0; i < read->count; i++)
		for (int key = 0; key < MIO_CONFIG_KEYS; key++)
			if (strcmp(read->line[i], mio_config_key_id((enum mio_config_key)key)) == 0)
				environment[count++] = variable((enum mio_config_key)key, read->value[i]);
	if (mio_config_load_from("/nowhere", environment, &config, &error) == 0)
		print(config, read);
	else
		twin_print_text("error", &error);
	mio_config_free(config);
	while (count > 0)
		free(environment[--count]);
}

static void answer_config(const struct twin_case *read)
{
	with_config(read, print_config);
}

static void answer_debug(const struct twin_case *read)
{
	with_config(read, print_debug);
}

/* ---- files of settings */

static void pass_over(void *context, const char *key, const char *value)
{
	(void)context;
	(void)key;
	(void)value;
}

static void print_pair(void *context, const char *key, const char *value)
{
	(void)context;
	twin_print_value("key", key);
	twin_print_value("value", value);
}

static void answer_properties(const struct twin_case *read)
{
	const char *contents = read->value[0];

	/* As in Java, nothing of a malformed file counts. */
	if (mio_properties_read(contents, strlen(contents), pass_over, NULL) < 0)
		twin_print_value("error", MIO_PROPERTIES_MALFORMED);
	else
		mio_properties_read(contents, strlen(contents), print_pair, NULL);
}

int main(int count, char **arguments)
{
	const char *what = count == 2 ? arguments[1] : "";

	if (strcmp(what, "tables") == 0)
		print_tables();
	else if (strcmp(what, "config") == 0)
		twin_answer_all(answer_config);
	else if (strcmp(what, "debug") == 0)
		twin_answer_all(answer_debug);
	else if (strcmp(what, "properties") == 0)
		twin_answer_all(answer_properties);
	else
		return 2;
	return fflush(stdout) == 0 ? 0 : 1;
}

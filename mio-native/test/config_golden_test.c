/* Reads every golden case of the configuration, as GoldenConfigTest does in Java. */
#include <errno.h>

#include "../src/config/config.h"
#include "../src/config/config_size.h"
#include "golden.h"

/* The settings of a case as an environment. */
struct environment {
	char *strings[MIO_CONFIG_KEYS + 1];
};

static struct environment environment_of(const struct golden_case *test)
{
	struct environment made = {0};
	int count = 0;

	for (int key = 0; key < MIO_CONFIG_KEYS; key++) {
		const char *value = golden_value(test, mio_config_key_id((enum mio_config_key)key));

		if (value && asprintf(&made.strings[count++], "%s=%s",
				      mio_config_key_variable((enum mio_config_key)key), value) < 0)
			exit(1);
	}
	return made;
}

static int load(const struct golden_case *test, struct mio_config **config, struct mio_text *error)
{
	struct environment environment = environment_of(test);
	int rc = mio_config_load_from("/nowhere", environment.strings, config, error);

	for (int i = 0; environment.strings[i]; i++)
		free(environment.strings[i]);
	return rc;
}

static struct mio_config *load_right(const struct golden_case *test)
{
	struct mio_config *config = NULL;
	struct mio_text error = {0};

	if (load(test, &config, &error) < 0) {
		fprintf(stderr, "%s: %s\n", test->title, mio_text_string(&error));
		exit(1);
	}
	return config;
}

static void check_each(const char *file, void (*check)(const struct golden_case *test))
{
	struct golden golden = golden_read(file);

	for (int i = 0; i < golden.count; i++)
		check(&golden.cases[i]);
	golden_free(&golden);
}

static void add_line(struct mio_text *text, const char *key, const char *value)
{
	mio_text_add(text, key);
	mio_text_add(text, ": ");
	mio_text_add(text, value);
	mio_text_add_char(text, '\n');
}

static void check_rules(const struct golden_case *test)
{
	struct mio_config *config = load_right(test);
	struct mio_text actual = {0}, expected = {0};
	const struct mio_stack_spec *stack;
	const char *names;

	for (int i = 0; (stack = mio_config_rule(config, i, &names)); i++) {
		add_line(&actual, "names", names);
		add_line(&actual, "text", stack->text);
		for (int k = 0; k < stack->count; k++) {
			struct mio_text echo = {0};

			mio_layer_spec_echo(&stack->layers[k], &echo);
			add_line(&actual, "echo", mio_text_string(&echo));
			mio_text_clear(&echo);
		}
	}
	for (int i = 0; i < test->count; i++)
		if (strcmp(test->lines[i].key, "files") != 0 && strcmp(test->lines[i].key, "defaults") != 0)
			add_line(&expected, test->lines[i].key, test->lines[i].value);
	ASSERT_STRING(mio_text_string(&expected), mio_text_string(&actual));
	mio_text_clear(&actual);
	mio_text_clear(&expected);
	mio_config_free(config);
}

static void check_message(const struct golden_case *test, const char *message)
{
	const char *error = golden_value(test, "error");
	const char *version = strstr(error, "VERSION");
	struct mio_text expected = {0};
	const char *lines[3];
	char *copy = strdup(message);
	char *rest = copy;

	ASSERT(copy);
	for (int i = 0; i < 3; i++) {
		lines[i] = strsep(&rest, "\n");
		ASSERT(lines[i]);
	}
	ASSERT(!rest);
	mio_text_add(&expected, golden_value(test, "origin"));
	mio_text_add(&expected, ", column ");
	mio_text_add(&expected, golden_value(test, "column"));
	mio_text_add(&expected, ": ");
	if (version) {
		mio_text_add_bytes(&expected, error, (size_t)(version - error));
		mio_text_add(&expected, MIO_VERSION);
		error = version + strlen("VERSION");
	}
	mio_text_add(&expected, error);
	ASSERT_STRING(mio_text_string(&expected), lines[0]);
	ASSERT_STRING("^", lines[2] + strspn(lines[2], " "));
	mio_text_clear(&expected);
	free(copy);
}

static void check_error(const struct golden_case *test)
{
	struct mio_config *config;
	struct mio_text error = {0};

	ASSERT_EQUAL(-EINVAL, load(test, &config, &error));
	check_message(test, mio_text_string(&error));
	mio_text_clear(&error);
}

static void check_available(const struct golden_case *test)
{
	struct mio_config *config = load_right(test);
	struct mio_text error = {0};
	int rc = mio_config_check_available(config, &error);

	if (golden_value(test, "available")) {
		ASSERT_STRING("", mio_text_string(&error));
		ASSERT_EQUAL(0, rc);
	} else {
		ASSERT_EQUAL(-EINVAL, rc);
		check_message(test, mio_text_string(&error));
	}
	mio_text_clear(&error);
	mio_config_free(config);
}

static void check_matching(const struct golden_case *test)
{
	struct mio_config *config = load_right(test);
	const char *name = NULL;
	int checked = 0;

	for (int i = 0; i < test->count; i++) {
		const struct mio_stack_spec *stack;

		if (strcmp(test->lines[i].key, "name") == 0) {
			name = test->lines[i].value;
		} else if (strcmp(test->lines[i].key, "stack") == 0) {
			stack = mio_config_match(config, name);
			ASSERT_STRING(test->lines[i].value, stack ? stack->text : "-");
			checked++;
		}
	}
	ASSERT(checked > 0);
	mio_config_free(config);
}

static void check_sizes(const struct golden_case *test)
{
	struct mio_slice size = {0};

	for (int i = 0; i < test->count; i++) {
		struct mio_text bytes = {0};
		int64_t number;

		if (strcmp(test->lines[i].key, "size") == 0) {
			size = (struct mio_slice){test->lines[i].value, strlen(test->lines[i].value)};
			continue;
		}
		number = mio_size_parse(size);
		if (number == MIO_SIZE_BAD)
			mio_text_add(&bytes, "bad");
		else if (number == MIO_SIZE_TOO_LARGE)
			mio_text_add(&bytes, "too large");
		else
			mio_text_add_number(&bytes, number);
		ASSERT_STRING(test->lines[i].value, mio_text_string(&bytes));
		mio_text_clear(&bytes);
	}
}

static void add_keyword(struct mio_text *text, enum mio_debug_keyword keyword)
{
	mio_text_add(text, text->length ? " " : "");
	mio_text_add(text, mio_debug_keyword_name(keyword));
}

static void check_debug(const struct golden_case *test)
{
	struct mio_config *config = load_right(test);
	struct mio_text shown = {0}, on = {0};

	for (int i = 0; i < MIO_DEBUG_KEYWORDS; i++) {
		enum mio_debug_keyword keyword = (enum mio_debug_keyword)i;

		if (mio_config_debug_is_shown(config, keyword))
			add_keyword(&shown, keyword);
		if (mio_config_debug_is_on(config, keyword))
			add_keyword(&on, keyword);
	}
	ASSERT_STRING(golden_value(test, "on"), mio_text_string(&shown));
	ASSERT_STRING(golden_value(test, "all"), mio_text_string(&on));
	mio_text_clear(&shown);
	mio_text_clear(&on);
	mio_config_free(config);
}

static void should_read_the_strings_of_the_papers_letter_for_letter(void)
{
	check_each("config/documents.txt", check_rules);
}

static void should_read_rules_and_echo_every_option(void)
{
	check_each("config/grammar.txt", check_rules);
}

static void should_put_defaults_under_rules(void)
{
	check_each("config/defaults.txt", check_rules);
}

static void should_name_the_mistake(void)
{
	check_each("config/errors.txt", check_error);
}

static void should_name_what_this_version_has_not_got(void)
{
	check_each("config/available.txt", check_available);
}

static void should_match_names(void)
{
	check_each("config/matching.txt", check_matching);
}

static void should_read_sizes(void)
{
	check_each("config/sizes.txt", check_sizes);
}

static void should_read_debug_keywords(void)
{
	check_each("config/debug.txt", check_debug);
}

int main(void)
{
	RUN(should_read_the_strings_of_the_papers_letter_for_letter);
	RUN(should_read_rules_and_echo_every_option);
	RUN(should_put_defaults_under_rules);
	RUN(should_name_the_mistake);
	RUN(should_name_what_this_version_has_not_got);
	RUN(should_match_names);
	RUN(should_read_sizes);
	RUN(should_read_debug_keywords);
	return TEST_RESULT();
}

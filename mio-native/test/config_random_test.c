/* Random settings: each is either read or refused with a message that names a place in its text; none does harm. ConfigRoundTripTest of Java. */
#include <errno.h>

#include "../src/config/config.h"
#include "assert_string.h"
#include "random.h"

#define CASES 20000

static const char *const parts[] = {
	"trace", "pf", "os", "mio", "recov", "aix", "[", "]", "|", "/", "=", "{", "}", ":", " ", "*", "?", "stats",
	"kbytes", "cache", "10m", "x", "0x", "no", ",", "auto", "replace", "pref", "2:16", "mode", "0640", "\xc3\xa9",
	"\xf0\x9d\x84\x9e", "\xff", "\t", "\n", "[trace", "]*[pf/",
};
#define PARTS (sizeof(parts) / sizeof(parts[0]))

/* The column in a message that begins with "ORIGIN, column N:". */
static size_t column_of(const char *message)
{
	const char *column = strstr(message, ", column ");

	ASSERT(column);
	return strtoul(column + strlen(", column "), NULL, 10);
}

static void use(const struct mio_config *config)
{
	const struct mio_stack_spec *stack;
	struct mio_text text = {0};
	const char *names;

	mio_config_match(config, "/some/file.dat");
	mio_config_match(config, "\xff\xc3");
	mio_config_check_available(config, &text);
	for (int i = 0; (stack = mio_config_rule(config, i, &names)); i++) {
		ASSERT(*names);
		ASSERT_EQUAL(MIO_LAYER_MIO, stack->layers[0].kind);
		ASSERT_EQUAL(MIO_LAYER_OS, stack->layers[stack->count - 1].kind);
		for (int k = 0; k < stack->count; k++)
			mio_layer_spec_echo(&stack->layers[k], &text);
	}
	mio_text_clear(&text);
}

static void should_never_fail_other_than_with_a_place_in_the_text(void)
{
	const char *const starts[] = {"", "*[trace", "*[pf/", "*[pf/cache=", "a:b[os]"};
	struct test_random random = test_random_begin(7);
	int mistakes = 0, read = 0;

	for (int i = 0; i < CASES; i++) {
		char variables[4][400] = {"MIO_FILES=", "MIO_DEFAULTS=", "MIO_DEBUG=", "MIO_ENABLED="};
		char *environment[] = {variables[0], variables[1], variables[2], variables[3], NULL};
		struct mio_config *config = NULL;
		struct mio_text error = {0};
		int rc;

		strcat(variables[0], starts[test_random_below(&random, 5)]);
		test_random_text(&random, variables[0] + strlen(variables[0]), parts, PARTS, 12);
		if (test_random_below(&random, 8) == 0)
			test_random_text(&random, variables[1] + strlen(variables[1]), parts, PARTS, 6);
		if (test_random_below(&random, 50) == 0)
			test_random_text(&random, variables[2] + strlen(variables[2]), parts, PARTS, 2);
		if (test_random_below(&random, 50) == 0)
			test_random_text(&random, variables[3] + strlen(variables[3]), parts, PARTS, 1);
		rc = mio_config_load_from("/nowhere", environment, &config, &error);
		if (rc == 0) {
			ASSERT_STRING("", mio_text_string(&error));
			read++;
			use(config);
			mio_config_free(config);
		} else {
			ASSERT_EQUAL(-EINVAL, rc);
			ASSERT(column_of(mio_text_string(&error)) >= 1);
			ASSERT(column_of(mio_text_string(&error)) <= 400);
			mistakes++;
		}
		mio_text_clear(&error);
	}
	ASSERT(mistakes > CASES / 4);
	ASSERT(read > CASES / 100);
}

/* Any bytes but zero. */
static void should_read_any_bytes(void)
{
	struct test_random random = test_random_begin(11);

	for (int i = 0; i < CASES; i++) {
		char files[80] = "MIO_FILES=*[trace/", *at = files + strlen(files);
		char *environment[] = {files, NULL};
		struct mio_config *config = NULL;
		struct mio_text error = {0};
		size_t length = test_random_below(&random, 40);

		for (size_t k = 0; k < length; k++)
			*at++ = (char)(1 + test_random_below(&random, 255));
		if (mio_config_load_from("/nowhere", environment, &config, &error) == 0)
			use(config);
		else
			ASSERT(column_of(mio_text_string(&error)) >= 1);
		mio_config_free(config);
		mio_text_clear(&error);
	}
}

static void should_tell_of_very_long_words(void)
{
	size_t length = 1 << 20;
	char *files = malloc(length + 100);
	char *environment[] = {files, NULL};
	struct mio_config *config = NULL;
	struct mio_text error = {0};

	ASSERT(files);
	strcpy(files, "MIO_FILES=*[");
	memset(files + strlen(files), 'x', length);
	strcpy(files + strlen("MIO_FILES=*[") + length, "]");
	ASSERT_EQUAL(-EINVAL, mio_config_load_from("/nowhere", environment, &config, &error));
	ASSERT_STARTS("MIO_FILES, column 3: there is no layer 'xxxx", mio_text_string(&error));
	ASSERT(strstr(mio_text_string(&error), "xxxx' (layers: "));
	mio_text_clear(&error);
	free(files);
}

int main(void)
{
	RUN(should_never_fail_other_than_with_a_place_in_the_text);
	RUN(should_read_any_bytes);
	RUN(should_tell_of_very_long_words);
	return TEST_RESULT();
}

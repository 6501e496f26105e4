/* The cases of twin/recov/opens.txt, which the Java side reads as well. */
#include "../src/stack/stack.h"
#include "golden.h"
#include "stats_place.h"

#include "../src/recov/recov_command.h"

#include <errno.h>

static const struct mio_stack_spec *rule_of(const char *text)
{
	struct mio_text rule = {0}, error = {0};
	const struct mio_stack_spec *spec;

	for (; *text; text++) {
		if (*text == '@')
			mio_text_add(&rule, in_place("log"));
		else
			mio_text_add_char(&rule, *text);
	}
	spec = mio_stacks_parse(mio_text_string(&rule), &error);
	ASSERT(spec);
	mio_text_clear(&rule);
	return spec;
}

static int number_of(const char *error)
{
	static const struct {
		const char *name;
		int number;
	} known[] = {{"refused", ECONNREFUSED}, {"space", ENOSPC}, {"missing", ENOENT}};

	for (int i = 0; i < 3; i++)
		if (strcmp(known[i].name, error) == 0)
			return known[i].number;
	ASSERT(!error);
	return 0;
}

/* Opens as the door does it: the open fails with each of these errors, and then the file exists. */
static const char *opens(const struct mio_stack_spec *spec, const char *failures)
{
	char *errors = kept(failures, strlen(failures));
	struct mio_stack_tries tries = {0};
	char *rest = NULL;
	static char text[32];
	int again = 1;
	int count = 1;

	for (char *error = strtok_r(errors, " ", &rest); error && again; error = strtok_r(NULL, " ", &rest)) {
		again = mio_stacks_open_failed(spec, "f", number_of(error), &tries);
		count += again;
	}
	snprintf(text, sizeof(text), "%d%s", count, again ? "" : " fails");
	return text;
}

/* What the commands have logged, on one line. */
static const char *log_line(void)
{
	char *text = is_in_place("log") ? text_in_place("log") : kept("", 0);
	size_t length = strlen(text);

	for (size_t i = 0; i < length; i++)
		if (text[i] == '\n')
			text[i] = i + 1 < length ? ' ' : 0;
	return text;
}

static void should_have_every_recov_layer_try_to_open_from_the_lowest_up(void)
{
	struct golden golden = golden_read("recov/opens.txt");

	ASSERT(golden.count > 0);
	for (int i = 0; i < golden.count; i++) {
		struct golden_case *test = &golden.cases[i];

		place_empty(place);
		ASSERT_TEXT(golden_value(test, "opens"), opens(rule_of(golden_value(test, "rule")), golden_value(test, "failures")));
		ASSERT_TEXT(golden_value(test, "log"), log_line());
	}
	golden_free(&golden);
}

int main(void)
{
	static const char *const none[] = {NULL};
	char files[] = "MIO_FILES=* [ trace ]", stats[] = "MIO_STATS=/dev/null", live[] = "MIO_LIVE=off";
	char *environment[] = {files, stats, live, NULL};
	struct mio_recov_commands commands = {0};
	struct mio_text error = {0};

	if (mio_recov_command_run(&commands, "true", none) == MIO_RECOV_NOT_RUN) {
		printf("skipped: no commands can be run here\n");
		return 77;
	}
	ASSERT_EQUAL(0, mio_stacks_begin(environment, 0, &error));
	place_make();
	RUN(should_have_every_recov_layer_try_to_open_from_the_lowest_up);
	place_remove();
	return TEST_RESULT();
}

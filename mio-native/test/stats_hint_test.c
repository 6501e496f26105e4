/* The hint that is printed when the program has ended. ReportHintTest tests it as well. */
#include "../src/stats/stats_hint.h"
#include "stats_twin.h"

#include <fcntl.h>
#include <unistd.h>

static void give(const char *expected, void (*add)(struct mio_text *text, const char *path))
{
	static const char *const parts[] = {"plain", "blanks", "control", "letters"};
	struct twin twin = twin_read("stats/hint.txt");
	struct mio_text lines = {0};

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		char *path = twin_value(&twin, parts[i], "path");
		char *escape = strstr(path, "\\033");

		if (escape) {
			*escape = '\033';
			memmove(escape + 1, escape + 4, strlen(escape + 4) + 1);
		}
		add(&lines, path);
		mio_text_add_char(&lines, '\n');
	}
	ASSERT_TEXT(twin_part(&twin, expected), mio_text_string(&lines));
	mio_text_clear(&lines);
}

static void should_name_the_report_and_the_command_that_reads_it(void)
{
	give("report", mio_stats_hint_add);
}

static void should_say_that_no_file_was_made(void)
{
	give("events", mio_stats_events_hint_add);
}

static int is_due(const char *process, const char *rest)
{
	struct mio_stats_events_hint hint = {0};
	char value[256];
	int due;

	ASSERT(snprintf(value, sizeof(value), "%s%s", process, rest) < (int)sizeof(value));
	mio_stats_events_hint_begin(&hint, value);
	ASSERT(!hint.path || mio_stats_events_hint_has_stderr(&hint));
	due = mio_stats_events_hint_is_due(&hint);
	ASSERT(!mio_stats_events_hint_is_due(&hint));
	return due;
}

static void should_say_that_in_the_process_and_by_the_door_that_are_meant_only(void)
{
	struct mio_stats_events_hint none = {0};
	char mine[16], other[16];

	snprintf(mine, sizeof(mine), "%d", (int)getpid());
	snprintf(other, sizeof(other), "%d", (int)getppid());
	ASSERT_EQUAL(1, is_due(mine, " native /nowhere/a native b"));
	ASSERT_EQUAL(0, is_due(mine, " native /"));
	ASSERT_EQUAL(0, is_due(mine, " jvm /nowhere/a"));
	ASSERT_EQUAL(0, is_due(other, " native /nowhere/a"));
	ASSERT_EQUAL(0, is_due("x", " native /nowhere/a"));
	ASSERT_EQUAL(0, is_due("11111111111111111111", " native /nowhere/a"));
	mio_stats_events_hint_begin(&none, NULL);
	ASSERT_EQUAL(0, mio_stats_events_hint_is_due(&none));
}

/* A file that the program has opened in place of standard error is not written to. */
static void should_not_say_it_where_standard_error_is_another_file(void)
{
	struct mio_stats_events_hint hint = {0};
	int kept = dup(2);
	int other = open("/dev/null", O_WRONLY);

	mio_stats_events_hint_begin(&hint, "1 native /nowhere/a");
	ASSERT_EQUAL(2, dup2(other, 2));
	other = mio_stats_events_hint_has_stderr(&hint);
	close(2);
	other += mio_stats_events_hint_has_stderr(&hint);
	ASSERT_EQUAL(2, dup2(kept, 2));
	ASSERT_EQUAL(0, other);
	ASSERT_EQUAL(1, mio_stats_events_hint_has_stderr(&hint));
}

static void should_speak_in_the_process_that_is_meant_only(void)
{
	ASSERT_EQUAL(4711, mio_stats_hint_process("4711"));
	ASSERT_EQUAL(0, mio_stats_hint_process(NULL));
	ASSERT_EQUAL(0, mio_stats_hint_process(""));
	ASSERT_EQUAL(0, mio_stats_hint_process("4711 "));
	ASSERT_EQUAL(0, mio_stats_hint_process("-1"));
	ASSERT_EQUAL(0, mio_stats_hint_process("99999999999999999999"));
}

int main(void)
{
	RUN(should_name_the_report_and_the_command_that_reads_it);
	RUN(should_speak_in_the_process_that_is_meant_only);
	RUN(should_say_that_no_file_was_made);
	RUN(should_say_that_in_the_process_and_by_the_door_that_are_meant_only);
	RUN(should_not_say_it_where_standard_error_is_another_file);
	return TEST_RESULT();
}

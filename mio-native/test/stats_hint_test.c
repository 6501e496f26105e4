/* What is said when the program has ended; also in ReportHintTest. */
#include "../src/stats/stats_hint.h"
#include "stats_twin.h"

static void should_name_the_report_and_the_command_that_reads_it(void)
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
		mio_stats_hint_add(&lines, path);
		mio_text_add_char(&lines, '\n');
	}
	ASSERT_TEXT(twin_part(&twin, "report"), mio_text_string(&lines));
	mio_text_clear(&lines);
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
	return TEST_RESULT();
}

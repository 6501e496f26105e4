/* Where reports go, and how their files begin. */
#include "../src/stats/stats_recov.h"
#include "stats_files.h"

#include <errno.h>

static void should_begin_with_the_header_once_and_end_each_file_with_a_separator(void)
{
	struct mio_stats_output *output = output_of(in_place("a.stats"), 0, NULL);

	report_to(output, "mioout", "one");
	report_to(output, "mioout", "two");
	assert_matches("^MIO statistics file : [A-Z][a-z]+ [A-Z][a-z]+ [ 0-9]+ [0-9:]+ 20[0-9]+\n"
		       "hostname=[^ ]+  : with sync\n"
		       "Program=stats_output_test\n"
		       "MIO library libmio [0-9.]+[^ ]*  Linux 64 bit addressing built [A-Z][a-z]+ [^\n]*\n"
		       "MIO_INSTALL_PATH=\n"
		       "MIO_STATS       =/[^\n]*/a.stats\n"
		       "MIO_DEBUG       =\n"
		       "MIO_FILES       =\\* \\[ trace \\]\n"
		       "MIO_DEFAULTS    =\n"
		       "\n" SEPARATOR "\nTrace close : one\n" SEPARATOR "\nTrace close : two\n" SEPARATOR "$",
		       text_in_place("a.stats"));
}

static void should_put_the_debug_lines_of_an_open_before_the_first_separator(void)
{
	struct mio_stats_output *output = output_of(in_place("debug"), 1, NULL);

	mio_stats_output_debug(output, "Opening file test.dat\n", 1);
	mio_stats_output_debug(output, "Matching\n", 0);
	report_to(output, "mioout", "test.dat");
	assert_matches("MIO_DEFAULTS    =\n\n\n"
		       "[0-9][0-9]:[0-9][0-9]:[0-9][0-9]\nOpening file test.dat\n" SEPARATOR "\n"
		       "[0-9][0-9]:[0-9][0-9]:[0-9][0-9]\nMatching\n\n"
		       "[0-9][0-9]:[0-9][0-9]:[0-9][0-9]\nTrace close : test.dat\n" SEPARATOR "$",
		       text_in_place("debug"));
}

static void should_create_files_for_the_owner_only(void)
{
	struct stat found;
	mode_t before = umask(0);

	report_to(output_of(in_place("mode"), 0, NULL), "mioout", "x");
	umask(before);
	ASSERT_EQUAL(0, stat(in_place("mode"), &found));
	ASSERT_EQUAL(0600, found.st_mode & 07777);
}

static void should_overwrite_unless_told_to_append(void)
{
	char plus[8192];

	write_in_place("fresh", "old text\n");
	write_in_place("kept", "old text\n");
	snprintf(plus, sizeof(plus), " +%s ", in_place("kept"));
	report_to(output_of(in_place("fresh"), 0, NULL), "mioout", "x");
	report_to(output_of(plus, 0, NULL), "mioout", "x");
	ASSERT_EQUAL(0, strncmp(text_in_place("fresh"), "MIO statistics file", 19));
	ASSERT_EQUAL(0, strncmp(text_in_place("kept"), "old text\nMIO statistics file", 28));
}

static void should_send_a_block_to_the_target_it_names(void)
{
	struct mio_stats_output *output = output_of(in_place("common"), 0, NULL);
	struct mio_file_report *report = mio_file_report_make(output);
	char by_another_name[8192];

	snprintf(by_another_name, sizeof(by_another_name), "%s/./x/..//own", place);
	mio_file_report_add(report, in_place("own"), 0, source_of("first"));
	mio_file_report_add(report, "mioout", 0, source_of("second"));
	mio_file_report_add(report, NULL, 0, source_of("nowhere"));
	mio_file_report_add(report, kept(by_another_name, strlen(by_another_name)), 0, source_of("third"));
	mio_file_report_open(report);
	mio_file_report_close(report);
	ASSERT_HAS("\n\nTrace close : second\n" SEPARATOR, strstr(text_in_place("common"), "=\n"));
	ASSERT_HAS_NOT("first", text_in_place("common"));
	ASSERT_HAS(SEPARATOR "\nTrace close : first\n\nTrace close : third\n" SEPARATOR, text_in_place("own"));
	ASSERT_HAS_NOT("nowhere", text_in_place("own"));
}

static void should_write_nothing_where_no_file_was_asked_for(void)
{
	struct mio_stats_output *output = output_of(" \t", 0, NULL);
	struct mio_recov_message message = {.file = "x", .call = "read", .command = "", .error = EIO, .attempt = 1};
	int before = place_count();

	mio_stats_output_debug(output, "lines\n", 1);
	report_to(output, "mioout", "x");
	mio_stats_output_recovered(output, "mioout", &message, 1);
	mio_stats_output_recovered(output, NULL, &message, 1);
	ASSERT_EQUAL(before, place_count());
}

static void should_create_nothing_before_there_is_something_to_report(void)
{
	struct mio_stats_output *output = output_of(in_place("silent"), 0, NULL);
	struct mio_file_report *report = mio_file_report_make(output);

	mio_file_report_open(report);
	mio_file_reports_exit();
	mio_file_report_close(report);
	ASSERT(!is_in_place("silent"));
	report_to(output, "mioout", "x");
	ASSERT(is_in_place("silent"));
}

static void should_fill_in_placeholders(void)
{
	char expected[512];
	char host[256];

	ASSERT_EQUAL(0, gethostname(host, sizeof(host)));
	snprintf(expected, sizeof(expected), "s-%d-stats_output_test-%s-%%-%%q%%", (int)getpid(), host);
	report_to(output_of(in_place("s-%p-%x-%h-%%-%q%"), 0, NULL), "mioout", "x");
	ASSERT(is_in_place(expected));
}

static void should_write_one_json_object_a_line(void)
{
	struct mio_stats_output *output = output_of(in_place("a.jsonl"), 1, NULL);
	struct mio_recov_message message = {
		.file = "x", .call = "read", .command = "", .error = EIO, .attempt = 1, .retry = 1};
	char *text;

	mio_stats_output_debug(output, "Opening file x\n", 1);
	report_to(output, "mioout", "x");
	mio_stats_output_recovered(output, "mioout", &message, 1);
	text = text_in_place("a.jsonl");
	assert_matches("^\\{\"type\":\"header\",\"format\":1,\"time\":\"[^\"]*Z\",\"pid\":[0-9]+,\"host\":[^\n]*"
		       "\"engine\":\"sync\"[^\n]*\"MIO_FILES\":\"\\* \\[ trace \\]\"[^\n]*\\}\n"
		       "\\{\"type\":\"debug\",[^\n]*,\"text\":\"Opening file x\\\\u000a\"\\}\n"
		       "\\{\"event\":\"close\",\"file\":\"x\"\\}\n"
		       "\\{\"type\":\"recov\",[^\n]*\"error\":\"EIO\"[^\n]*\\}\n$",
		       text);
}

static int report_through_links(void)
{
	char plus[8192];

	report_to(output_of(in_place("shared/stats"), 0, NULL), "mioout", "x");
	snprintf(plus, sizeof(plus), "+%s", in_place("shared/stats"));
	report_to(output_of(plus, 0, NULL), "mioout", "x");
	report_to(output_of(in_place("shared/dangling"), 0, NULL), "mioout", "x");
	return 0;
}

static void should_not_follow_a_symbolic_link_in_a_directory_others_may_write_to(void)
{
	ASSERT_EQUAL(0, mkdir(in_place("shared"), 0700));
	ASSERT_EQUAL(0, chmod(in_place("shared"), 0777));
	write_in_place("victim", "precious");
	ASSERT_EQUAL(0, symlink(in_place("victim"), in_place("shared/stats")));
	ASSERT_EQUAL(0, symlink(in_place("not there"), in_place("shared/dangling")));
	ASSERT_EQUAL(0, in_child(report_through_links));
	ASSERT_TEXT("precious", text_in_place("victim"));
	ASSERT(!is_in_place("not there"));
	ASSERT_EQUAL(3, count_of("mio: cannot write statistics to ", text_in_place("err")));
}

static int report_to_strangers(void)
{
	char plus[8192];

	report_to(output_of(in_place("open/stats"), 0, NULL), "mioout", "x");
	snprintf(plus, sizeof(plus), "+%s", in_place("open/stats"));
	report_to(output_of(plus, 0, NULL), "mioout", "x");
	return 0;
}

/* Someone may have put the file there in order to read the reports. */
static void should_not_write_to_a_file_of_another_user_where_everybody_may_put_one(void)
{
	ASSERT_EQUAL(0, mkdir(in_place("open"), 0700));
	ASSERT_EQUAL(0, chmod(in_place("open"), 0777));
	write_in_place("open/stats", "theirs");
	if (chown(in_place("open/stats"), 12345, 12345) < 0)
		SKIP("a file cannot be given to another user");
	ASSERT_EQUAL(0, in_child(report_to_strangers));
	ASSERT_TEXT("theirs", text_in_place("open/stats"));
	ASSERT_EQUAL(2, count_of("mio: cannot write statistics to ", text_in_place("err")));
}

static void should_follow_the_users_own_symbolic_link(void)
{
	write_in_place("target", "old");
	ASSERT_EQUAL(0, chmod(place, 0700));
	ASSERT_EQUAL(0, symlink(in_place("target"), in_place("link")));
	report_to(output_of(in_place("link"), 0, NULL), "mioout", "x");
	ASSERT_EQUAL(0, strncmp(text_in_place("target"), "MIO statistics file", 19));
}

static void should_not_destroy_what_is_no_regular_file(void)
{
	struct stat found;

	report_to(output_of("/dev/null", 0, NULL), "mioout", "x");
	ASSERT_EQUAL(0, stat("/dev/null", &found));
	ASSERT(S_ISCHR(found.st_mode));
}

static int go_elsewhere(void)
{
	struct mio_stats_output *output;

	if (chdir(place) < 0)
		return 98;
	output = output_of("relative", 0, NULL);
	if (chdir("/") < 0)
		return 97;
	report_to(output, "mioout", "x");
	return 0;
}

static void should_write_where_the_program_began(void)
{
	ASSERT_EQUAL(0, in_child(go_elsewhere));
	ASSERT(is_in_place("relative"));
}

int main(void)
{
	place_make();
	RUN(should_begin_with_the_header_once_and_end_each_file_with_a_separator);
	RUN(should_put_the_debug_lines_of_an_open_before_the_first_separator);
	RUN(should_create_files_for_the_owner_only);
	RUN(should_overwrite_unless_told_to_append);
	RUN(should_send_a_block_to_the_target_it_names);
	RUN(should_write_nothing_where_no_file_was_asked_for);
	RUN(should_create_nothing_before_there_is_something_to_report);
	RUN(should_fill_in_placeholders);
	RUN(should_write_one_json_object_a_line);
	RUN(should_not_follow_a_symbolic_link_in_a_directory_others_may_write_to);
	RUN(should_not_write_to_a_file_of_another_user_where_everybody_may_put_one);
	RUN(should_follow_the_users_own_symbolic_link);
	RUN(should_not_destroy_what_is_no_regular_file);
	RUN(should_write_where_the_program_began);
	place_remove();
	return TEST_RESULT();
}

/* Reports that cannot be written to their target: no space, no reader, no descriptors. */
#include "../src/stats/stats_recov.h"
#include "stats_files.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>

static int write_where_nothing_can_be(void)
{
	struct mio_stats_output *output = output_of(in_place("no/such/directory"), 0, NULL);

	errno = ERANGE;
	report_to(output, "mioout", "x");
	report_to(output, "mioout", "y");
	mio_stats_output_debug(output, "z\n", 1);
	return errno == ERANGE ? 0 : 1;
}

static void should_say_once_that_a_report_cannot_be_written(void)
{
	char expected[8192];

	ASSERT_EQUAL(0, in_child(write_where_nothing_can_be));
	snprintf(expected, sizeof(expected),
		 "mio: cannot write statistics to %s: No such file or directory; the program runs on without them "
		 "(set MIO_STATS to a file that can be written, or to stderr)\n",
		 in_place("no/such/directory"));
	ASSERT_TEXT(expected, text_in_place("err"));
}

static int write_to_a_broken_pipe(void)
{
	int ends[2];

	if (pipe(ends) < 0 || dup2(ends[1], 1) < 0)
		return 98;
	close(ends[0]);
	close(ends[1]);
	report_to(output_of("stdout", 0, NULL), "mioout", "x");
	return 0;
}

static void should_not_let_a_broken_pipe_end_the_program(void)
{
	ASSERT_EQUAL(0, in_child(write_to_a_broken_pipe));
	ASSERT_HAS("mio: cannot write statistics to stdout: Broken pipe; the program", text_in_place("err"));
}

/* Makes standard output a full pipe, on which a write does not wait. */
static int fill_standard_output(int ends[2])
{
	char bytes[4096];

	memset(bytes, '.', sizeof(bytes));
	if (pipe(ends) < 0 || dup2(ends[1], 1) < 0 || fcntl(1, F_SETFL, O_NONBLOCK) < 0)
		return -1;
	close(ends[1]);
	while (write(1, bytes, sizeof(bytes)) > 0)
		;
	return errno == EAGAIN ? 0 : -1;
}

static int report_to_a_slow_reader(void)
{
	static char seen[1 << 20];
	size_t length = 0;
	ssize_t got = 1;
	pid_t writer;
	int ends[2];

	if (fill_standard_output(ends) < 0)
		return 98;
	writer = fork();
	if (writer == 0) {
		struct mio_stats_output *output = output_of("stdout", 0, NULL);

		/* More than the pipe can hold. */
		for (int i = 0; i < 4000; i++)
			report_to(output, "mioout", "a file with a name");
		_exit(0);
	}
	close(1);
	while (got > 0 && length < sizeof(seen) - 1) {
		got = read(ends[0], seen + length, sizeof(seen) - 1 - length);
		length += got > 0 ? (size_t)got : 0;
	}
	return writer > 0 && count_of("Trace close : a file with a name\n", seen) == 4000 ? 0 : 1;
}

static void should_wait_for_a_reader_that_is_slow(void)
{
	ASSERT_EQUAL(0, in_child(report_to_a_slow_reader));
	ASSERT_TEXT("", text_in_place("err"));
}

static int report_to_nobody_who_reads(void)
{
	struct mio_stats_output *output;
	int ends[2];

	if (fill_standard_output(ends) < 0)
		return 98;
	alarm(300);
	output = output_of("stdout", 0, NULL);
	for (int i = 0; i < 1000; i++)
		report_to(output, "mioout", "x");
	return 0;
}

static void should_give_up_a_reader_that_reads_nothing(void)
{
	ASSERT_EQUAL(0, in_child(report_to_nobody_who_reads));
	ASSERT_HAS("mio: cannot write statistics to stdout: Resource temporarily unavailable; the program", text_in_place("err"));
}

static volatile sig_atomic_t signals;

static void count_signal(int number)
{
	(void)number;
	signals = signals + 1;
}

static int write_a_file_that_must_stay_small(void)
{
	struct rlimit limit = {600, 600};
	struct mio_stats_output *output = output_of(in_place("small"), 0, NULL);

	signal(SIGXFSZ, count_signal);
	if (setrlimit(RLIMIT_FSIZE, &limit) < 0)
		return 98;
	for (int i = 0; i < 20; i++)
		report_to(output, "mioout", "x");
	return signals;
}

static void should_raise_no_signal_at_a_limit_on_the_size_of_files(void)
{
	ASSERT_EQUAL(0, in_child(write_a_file_that_must_stay_small));
	ASSERT_HAS("File too large", text_in_place("err"));
	ASSERT_EQUAL(600, strlen(text_in_place("small")));
}

static int write_where_no_space_is(void)
{
	struct mio_stats_output *output;
	struct stat found;
	char bytes[4096] = {0};
	int fd, full = 0;

	if (unshare(CLONE_NEWNS) < 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
	    mount("none", in_place("disk"), "tmpfs", 0, "size=64k") < 0)
		return 77;
	fd = open(in_place("disk/filler"), O_WRONLY | O_CREAT, 0600);
	while (!full)
		full = write(fd, bytes, sizeof(bytes)) < 0;
	close(open(in_place("disk/empty"), O_WRONLY | O_CREAT, 0600));
	report_to(output_of(in_place("disk/stats"), 0, NULL), "mioout", "x");
	report_to(output_of(in_place("disk/empty"), 0, NULL), "mioout", "x");
	if (stat(in_place("disk/stats"), &found) == 0)
		return 1;
	/* The empty file is the user's own. */
	if (stat(in_place("disk/empty"), &found) < 0)
		return 2;
	/* An output that waits for space makes its file once there is some. */
	output = output_of(in_place("disk/later"), 0, NULL);
	mio_stats_output_recovered(output, "mioout", &(struct mio_recov_message){.file = "f", .call = "write", .command = ""}, 1);
	if (stat(in_place("disk/later"), &found) == 0 || ftruncate(fd, 0) < 0)
		return 3;
	report_to(output, "mioout", "x");
	return count_of("MIO statistics file", text_in_place("disk/later")) == 1 ? 0 : 4;
}

static void should_leave_no_empty_file_where_there_is_no_space(void)
{
	int status;

	ASSERT_EQUAL(0, mkdir(in_place("disk"), 0700));
	status = in_child(write_where_no_space_is);
	if (status == 77)
		SKIP("may not mount");
	ASSERT_EQUAL(0, status);
	ASSERT_EQUAL(2, count_of("No space left on device", text_in_place("err")));
}

static int leave_a_pending_signal(void)
{
	sigset_t set;
	int ends[2];

	sigemptyset(&set);
	sigaddset(&set, SIGPIPE);
	sigprocmask(SIG_BLOCK, &set, NULL);
	raise(SIGPIPE);
	if (pipe(ends) < 0 || dup2(ends[1], 1) < 0)
		return 98;
	close(ends[0]);
	close(ends[1]);
	report_to(output_of("stdout", 0, NULL), "mioout", "x");
	sigpending(&set);
	return sigismember(&set, SIGPIPE) ? 0 : 1;
}

static void should_take_no_signal_of_the_programs_away(void)
{
	ASSERT_EQUAL(0, in_child(leave_a_pending_signal));
}

static int report_without_descriptors(void)
{
	struct rlimit limit;
	struct mio_stats_output *output = output_of(in_place("full"), 0, NULL);

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
		return 98;
	limit.rlim_cur = 3;
	if (setrlimit(RLIMIT_NOFILE, &limit) < 0)
		return 97;
	report_to(output, "mioout", "first");
	limit.rlim_cur = 10;
	if (setrlimit(RLIMIT_NOFILE, &limit) < 0)
		return 96;
	report_to(output, "mioout", "second");
	return 0;
}

static void should_write_later_what_finds_no_descriptor(void)
{
	ASSERT_EQUAL(0, in_child(report_without_descriptors));
	ASSERT_TEXT("", text_in_place("err"));
	ASSERT_HAS(SEPARATOR "\nTrace close : first\n" SEPARATOR "\nTrace close : second\n", text_in_place("full"));
}

static int keep_messages(void)
{
	struct mio_recov_message message = {
		.file = "f", .call = "write", .command = "", .error = ENOSPC, .attempt = 1, .retry = 1};
	struct rlimit limit = {300, RLIM_INFINITY};
	struct mio_stats_output *output = output_of(in_place("later"), 0, NULL);

	if (setrlimit(RLIMIT_FSIZE, &limit) < 0)
		return 98;
	mio_stats_output_recovered(output, "mioout", &message, 1);
	message.result = -1;
	mio_stats_output_recovered(output, "mioout", &message, 1);
	limit.rlim_cur = RLIM_INFINITY;
	if (setrlimit(RLIMIT_FSIZE, &limit) < 0)
		return 97;
	report_to(output, "mioout", "x");
	return 0;
}

static void should_keep_messages_until_there_is_space_for_them(void)
{
	ASSERT_EQUAL(0, in_child(keep_messages));
	ASSERT_TEXT("", text_in_place("err"));
	assert_matches("MIO_DEFAULTS    =\n\n" SEPARATOR "\n[0-9:]{8}\n"
		       "recov : command= file=f errno=28 try=1\n\n[0-9:]{8}\n"
		       "recov : failure : new_ret=-1\n\nTrace close : x\n" SEPARATOR "$",
		       text_in_place("later"));
	ASSERT_EQUAL(1, count_of("MIO statistics file", text_in_place("later")));
}

static int end_with_messages_kept(const char *name, rlim_t at_the_end)
{
	struct mio_recov_message message = {
		.file = "f", .call = "write", .command = "", .error = ENOSPC, .attempt = 1, .retry = 1};
	struct rlimit limit = {300, RLIM_INFINITY};
	struct mio_stats_output *output = output_of(in_place(name), 0, NULL);

	if (setrlimit(RLIMIT_FSIZE, &limit) < 0)
		return 98;
	mio_stats_output_recovered(output, "mioout", &message, 1);
	limit.rlim_cur = at_the_end;
	if (setrlimit(RLIMIT_FSIZE, &limit) < 0)
		return 97;
	mio_stats_output_end(output);
	mio_stats_output_end(output);
	return 0;
}

static int end_with_space(void)
{
	return end_with_messages_kept("last", RLIM_INFINITY);
}

static int end_without_space(void)
{
	return end_with_messages_kept("lost", 300);
}

static void should_write_what_was_kept_at_the_end_or_say_that_it_is_lost(void)
{
	ASSERT_EQUAL(0, in_child(end_with_space));
	ASSERT_TEXT("", text_in_place("err"));
	ASSERT_HAS("recov : command= file=f errno=28 try=1\n", text_in_place("last"));
	ASSERT_EQUAL(1, count_of("MIO statistics file", text_in_place("last")));
	ASSERT_EQUAL(0, in_child(end_without_space));
	ASSERT_EQUAL(1, count_of("File too large", text_in_place("err")));
}

int main(void)
{
	place_make();
	RUN(should_say_once_that_a_report_cannot_be_written);
	RUN(should_not_let_a_broken_pipe_end_the_program);
	RUN(should_wait_for_a_reader_that_is_slow);
	RUN(should_give_up_a_reader_that_reads_nothing);
	RUN(should_raise_no_signal_at_a_limit_on_the_size_of_files);
	RUN(should_leave_no_empty_file_where_there_is_no_space);
	RUN(should_take_no_signal_of_the_programs_away);
	RUN(should_write_later_what_finds_no_descriptor);
	RUN(should_keep_messages_until_there_is_space_for_them);
	RUN(should_write_what_was_kept_at_the_end_or_say_that_it_is_lost);
	place_remove();
	return TEST_RESULT();
}

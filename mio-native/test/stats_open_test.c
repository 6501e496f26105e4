/* The reports of all open files, and those of processes that start others. */
#include "stats_place.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <time.h>

static struct mio_file_report *open_report(struct mio_stats_output *output, const char *name, int inter)
{
	struct mio_file_report *report = mio_file_report_make(output);

	ASSERT(report);
	mio_file_report_add(report, "mioout", inter, source_of(name));
	mio_file_report_open(report);
	return report;
}

/* The lines that begin with Trace, each ended by a line feed. */
static const char *blocks(const char *name)
{
	char *text = text_in_place(name);
	char *found = kept(text, strlen(text));
	char *end = found;
	char *line;

	while ((line = strsep(&text, "\n")) != NULL)
		if (strncmp(line, "Trace", 5) == 0)
			end = stpcpy(stpcpy(end, line), "\n");
	*end = 0;
	return found;
}

static void should_report_on_demand_what_is_open(void)
{
	struct mio_stats_output *output = output_of(in_place("demand"), 0, NULL);
	struct mio_file_report *silent = open_report(output, "silent", 0);
	struct mio_file_report *inter = open_report(output, "inter", 1);

	ASSERT(!mio_file_report_has_inter(silent));
	ASSERT(mio_file_report_has_inter(inter));
	mio_file_reports_inter();
	ASSERT_TEXT("Trace inter : inter\n", blocks("demand"));
	mio_file_reports_exit();
	mio_file_report_close(silent);
	mio_file_reports_exit();
	mio_file_report_close(inter);
	mio_file_reports_exit();
	ASSERT_TEXT("Trace inter : inter\nTrace exit : silent\nTrace exit : inter\nTrace close : silent\n"
		    "Trace exit : inter\nTrace close : inter\n",
		    blocks("demand"));
}

static void should_not_report_what_was_never_entered(void)
{
	struct mio_stats_output *output = output_of(in_place("never"), 0, NULL);
	struct mio_file_report *report = mio_file_report_make(output);

	mio_file_report_add(report, "mioout", 0, source_of("x"));
	mio_file_reports_exit();
	mio_file_report_close(report);
	ASSERT(!is_in_place("never"));
}

static int taken;

static void say_sometimes(void *context, enum mio_stats_event event, int json, struct mio_text *text)
{
	(void)json;
	taken++;
	if (context || event != MIO_STATS_CLOSE)
		mio_text_add(text, "Trace sometimes\n");
}

static void should_take_no_snapshot_that_is_written_nowhere(void)
{
	struct mio_stats_output *output = output_of("", 0, NULL);
	struct mio_file_report *report = mio_file_report_make(output);
	struct mio_stats_source source = {.block = say_sometimes, .context = NULL};

	mio_file_report_add(report, "mioout", 1, source);
	mio_file_report_add(report, NULL, 1, source);
	mio_file_report_open(report);
	mio_file_reports_inter();
	mio_file_report_close(report);
	ASSERT_EQUAL(0, taken);
}

static void should_leave_out_a_layer_that_has_nothing_to_say(void)
{
	struct mio_stats_output *output = output_of(in_place("sometimes"), 0, NULL);
	struct mio_file_report *report = mio_file_report_make(output);
	struct mio_stats_source source = {.block = say_sometimes, .context = NULL};

	mio_file_report_add(report, "mioout", 0, source);
	mio_file_report_open(report);
	mio_file_report_close(report);
	ASSERT(!is_in_place("sometimes"));
	report = mio_file_report_make(output);
	mio_file_report_add(report, "mioout", 0, source);
	mio_file_report_add(report, "mioout", 0, source_of("x"));
	mio_file_report_add(report, "mioout", 0, source);
	mio_file_report_open(report);
	mio_file_report_close(report);
	ASSERT_TEXT("Trace close : x\n", blocks("sometimes"));
	ASSERT_HAS("=\n\nTrace close : x\n=", text_in_place("sometimes"));
}

static struct mio_file_report *closing;
static pthread_t closer;
static atomic_int closer_runs;

static void *close_it(void *nothing)
{
	atomic_store(&closer_runs, 1);
	mio_file_report_close(closing);
	return nothing;
}

static void say_late(void *context, enum mio_stats_event event, int json, struct mio_text *text)
{
	if (event == MIO_STATS_EXIT) {
		ASSERT_EQUAL(0, pthread_create(&closer, NULL, close_it, NULL));
		while (!atomic_load(&closer_runs))
			sched_yield();
	}
	say_name(context, event, json, text);
}

static void should_never_write_an_older_report_after_that_of_the_close(void)
{
	struct mio_stats_output *output = output_of(in_place("late"), 0, NULL);
	struct mio_stats_source source = {.block = say_late, .context = kept("y", 1)};

	closing = mio_file_report_make(output);
	mio_file_report_add(closing, "mioout", 0, source_of("x"));
	mio_file_report_add(closing, "mioout", 0, source);
	mio_file_report_open(closing);
	mio_file_reports_exit();
	pthread_join(closer, NULL);
	mio_file_reports_exit();
	ASSERT_TEXT("Trace exit : x\nTrace exit : y\nTrace close : x\nTrace close : y\n", blocks("late"));
}

static pid_t ending;
static atomic_int is_closing, has_ended;

/* 1 if the thread that ends the process waits for something. */
static int ending_waits(void)
{
	char path[64], line[256] = "";
	FILE *stat;

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", ending);
	stat = fopen(path, "r");
	ASSERT(stat && fgets(line, sizeof(line), stat));
	fclose(stat);
	return strstr(line, ") S ") != NULL;
}

static void say_when_it_ends(void *context, enum mio_stats_event event, int json, struct mio_text *text)
{
	atomic_store(&is_closing, 1);
	while (!atomic_load(&has_ended) && !ending_waits())
		sched_yield();
	say_name(context, event, json, text);
}

static void should_end_when_what_is_being_closed_is_written(void)
{
	struct mio_stats_output *output = output_of(in_place("ending"), 0, NULL);
	struct mio_stats_source source = {.block = say_when_it_ends, .context = kept("x", 1)};

	ending = gettid();
	closing = mio_file_report_make(output);
	mio_file_report_add(closing, "mioout", 0, source);
	mio_file_report_open(closing);
	ASSERT_EQUAL(0, pthread_create(&closer, NULL, close_it, NULL));
	while (!atomic_load(&is_closing))
		sched_yield();
	mio_file_reports_exit();
	ASSERT_TEXT("Trace close : x\n", blocks("ending"));
	atomic_store(&has_ended, 1);
	pthread_join(closer, NULL);
	ASSERT_TEXT("Trace close : x\n", blocks("ending"));
}

enum { THREADS = 6, FILES = 60 };

static struct mio_stats_output *shared_output;

static void *open_and_close(void *nothing)
{
	for (int i = 0; i < FILES; i++)
		mio_file_report_close(open_report(shared_output, "shared", 1));
	return nothing;
}

static void should_report_every_file_of_many_threads(void)
{
	pthread_t threads[THREADS];

	shared_output = output_of(in_place("threads"), 1, NULL);
	for (int i = 0; i < THREADS; i++)
		ASSERT_EQUAL(0, pthread_create(&threads[i], NULL, open_and_close, NULL));
	for (int i = 0; i < FILES; i++)
		mio_file_reports_inter();
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	ASSERT_EQUAL(THREADS * FILES, count_of("Trace close : shared\n", text_in_place("threads")));
	ASSERT_EQUAL(1, count_of("MIO statistics file", text_in_place("threads")));
}

/* Runs work in a forked child, after telling the reports of the fork. */
static void fork_and(struct mio_stats_output *output, void (*work)(struct mio_stats_output *output))
{
	int status = 0;
	pid_t child = fork();

	ASSERT(child >= 0);
	if (child == 0) {
		mio_file_reports_forked();
		mio_stats_output_forked(output);
		work(output);
		_exit(0);
	}
	ASSERT_EQUAL(child, waitpid(child, &status, 0));
	ASSERT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void report_child(struct mio_stats_output *output)
{
	mio_file_reports_exit();
	report_to(output, "mioout", "child");
}

static void should_let_a_forked_child_add_its_own_reports_alone(void)
{
	struct mio_stats_output *output;
	struct mio_file_report *mine;

	write_in_place("forked", "old\n");
	output = output_of(in_place("forked"), 0, NULL);
	mine = open_report(output, "parent", 0);
	report_to(output, "mioout", "before");
	mio_stats_output_token(output);
	fork_and(output, report_child);
	mio_file_report_close(mine);
	ASSERT_TEXT("Trace close : before\nTrace close : child\nTrace close : parent\n", blocks("forked"));
	ASSERT_EQUAL(2, count_of("MIO statistics file", text_in_place("forked")));
	ASSERT_HAS_NOT("old", text_in_place("forked"));
}

static void should_not_begin_anew_what_a_forked_child_has_begun(void)
{
	struct mio_stats_output *output;

	write_in_place("first", "old\n");
	/* Twice: with an old file, and without one. */
	for (int i = 0; i < 2; i++) {
		output = output_of(in_place("first"), 0, NULL);
		fork_and(output, report_child);
		report_to(output, "mioout", "parent");
		ASSERT_TEXT("Trace close : child\nTrace close : parent\n", blocks("first"));
		ASSERT_HAS_NOT("old", text_in_place("first"));
		ASSERT_EQUAL(0, unlink(in_place("first")));
	}
}

static void close_parents(struct mio_stats_output *output)
{
	struct mio_file_report *own = open_report(output, "own", 0);

	mio_file_report_close(closing);
	mio_file_reports_exit();
	mio_file_report_close(own);
	mio_file_reports_exit();
}

static void should_not_report_in_a_child_what_its_parent_opened(void)
{
	struct mio_stats_output *output = output_of(in_place("parents"), 0, NULL);

	closing = open_report(output, "parent", 0);
	mio_stats_output_token(output);
	fork_and(output, close_parents);
	ASSERT_TEXT("Trace exit : own\nTrace close : own\n", blocks("parents"));
	mio_file_report_close(closing);
	ASSERT_TEXT("Trace exit : own\nTrace close : own\nTrace close : parent\n", blocks("parents"));
}

static void should_begin_a_file_anew_by_the_first_process_that_reports(void)
{
	struct mio_stats_output *shell;
	struct mio_stats_output *program;
	const char *token;

	/* A shell starts programs, and has nothing to report itself before its end. */
	write_in_place("tree", "of yesterday\n");
	shell = output_of(in_place("tree"), 0, NULL);
	token = kept(mio_stats_output_token(shell), strlen(mio_stats_output_token(shell)));
	program = output_of(in_place("tree"), 0, token);
	report_to(program, "mioout", "first");
	program = output_of(in_place("tree"), 0, token);
	report_to(program, "mioout", "second");
	report_to(shell, "mioout", "shell");
	ASSERT_TEXT("Trace close : first\nTrace close : second\nTrace close : shell\n", blocks("tree"));
	ASSERT_HAS_NOT("yesterday", text_in_place("tree"));
	/* The next run, at the same instant. */
	shell = output_of(in_place("tree"), 0, NULL);
	program = output_of(in_place("tree"), 0, mio_stats_output_token(shell));
	report_to(program, "mioout", "third");
	ASSERT_TEXT("Trace close : third\n", blocks("tree"));
	/* A process that starts no other. */
	report_to(output_of(in_place("tree"), 0, NULL), "mioout", "alone");
	ASSERT_TEXT("Trace close : alone\n", blocks("tree"));
}

static void should_tell_files_of_rules_by_their_time(void)
{
	struct timespec yesterday[2] = {{.tv_sec = 1000000000}, {.tv_sec = 1000000000}};
	struct mio_stats_output *shell;
	const char *token;
	char own[8192];

	write_in_place("rule", "of yesterday\n");
	ASSERT_EQUAL(0, utimensat(AT_FDCWD, in_place("rule"), yesterday, 0));
	shell = output_of(in_place("unused"), 0, NULL);
	token = mio_stats_output_token(shell);
	report_to(output_of("", 0, token), in_place("rule"), "first");
	report_to(output_of("", 0, token), in_place("rule"), "second");
	report_to(shell, in_place("rule"), "shell");
	ASSERT_TEXT("Trace close : first\nTrace close : second\nTrace close : shell\n", blocks("rule"));
	ASSERT_HAS_NOT("yesterday", text_in_place("rule"));
	snprintf(own, sizeof(own), "%s-%%p", in_place("own"));
	report_to(output_of(own, 0, token), "mioout", "first");
	report_to(output_of(own, 0, token), "mioout", "second");
	snprintf(own, sizeof(own), "own-%d", (int)getpid());
	ASSERT_TEXT("Trace close : first\nTrace close : second\n", blocks(own));
}

static void should_take_a_token_of_nonsense_for_none(void)
{
	static const char *const nonsense[] = {"", "1", "1:2:3:4", "1:2:3:4:", "a:b:c:d:e", "1:2:3:4:5:6", "1:2:3:4:5 "};

	for (size_t i = 0; i < sizeof(nonsense) / sizeof(nonsense[0]); i++) {
		write_in_place("nonsense", "old\n");
		report_to(output_of(in_place("nonsense"), 0, nonsense[i]), "mioout", "x");
		ASSERT_HAS_NOT("old", text_in_place("nonsense"));
	}
}

enum { PROCESSES = 8 };

static void should_lose_no_report_of_processes_that_begin_at_once(void)
{
	pid_t children[PROCESSES];
	const char *token;
	int ends[2];

	write_in_place("race", "old\n");
	token = mio_stats_output_token(output_of(in_place("race"), 0, NULL));
	ASSERT_EQUAL(0, pipe(ends));
	for (int i = 0; i < PROCESSES; i++) {
		children[i] = fork();
		ASSERT(children[i] >= 0);
		if (children[i] == 0) {
			char byte;

			mio_file_reports_forked();
			close(ends[1]);
			/* Waits until all processes are there. */
			if (read(ends[0], &byte, 1) != 0)
				_exit(1);
			report_to(output_of(in_place("race"), 0, token), "mioout", "racer");
			_exit(0);
		}
	}
	close(ends[0]);
	close(ends[1]);
	for (int i = 0; i < PROCESSES; i++) {
		int status = 0;

		ASSERT_EQUAL(children[i], waitpid(children[i], &status, 0));
		ASSERT_EQUAL(0, status);
	}
	ASSERT_EQUAL(PROCESSES, count_of("Trace close : racer\n", text_in_place("race")));
	ASSERT_EQUAL(PROCESSES, count_of("MIO statistics file", text_in_place("race")));
	ASSERT_HAS_NOT("old", text_in_place("race"));
}

int main(void)
{
	place_make();
	RUN(should_report_on_demand_what_is_open);
	RUN(should_not_report_what_was_never_entered);
	RUN(should_take_no_snapshot_that_is_written_nowhere);
	RUN(should_leave_out_a_layer_that_has_nothing_to_say);
	RUN(should_never_write_an_older_report_after_that_of_the_close);
	RUN(should_end_when_what_is_being_closed_is_written);
	RUN(should_report_every_file_of_many_threads);
	RUN(should_let_a_forked_child_add_its_own_reports_alone);
	RUN(should_not_begin_anew_what_a_forked_child_has_begun);
	RUN(should_not_report_in_a_child_what_its_parent_opened);
	RUN(should_begin_a_file_anew_by_the_first_process_that_reports);
	RUN(should_tell_files_of_rules_by_their_time);
	RUN(should_take_a_token_of_nonsense_for_none);
	RUN(should_lose_no_report_of_processes_that_begin_at_once);
	place_remove();
	return TEST_RESULT();
}

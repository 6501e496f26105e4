/* The live counter file: records, space, and what happens to it when the process forks, executes or ends. */
#include "live_alone.h"

#include <errno.h>
#include <pthread.h>
#include <sys/resource.h>

static void uses_records_again(void)
{
	struct mio_live_trace *first, *stripe;
	int64_t generation;

	begin();
	first = mio_live_take(MIO_LIVE_TRACE, NULL);
	ASSERT(is_record(first));
	first->opened_ns = 77;
	look(1, &seen);
	ASSERT_EQUAL(0, seen.record.head.generation & 1);
	mio_live_show(first);
	stripe = mio_live_take(MIO_LIVE_STRIPE, first);
	mio_live_show(stripe);
	look(1, &seen);
	generation = seen.record.head.generation;
	ASSERT_EQUAL(1, generation & 1);
	ASSERT_EQUAL(MIO_LIVE_TRACE, seen.record.head.kind);
	ASSERT_EQUAL(77, seen.record.trace.opened_ns);
	ASSERT_EQUAL(1, head_of(stripe)->owner);
	ASSERT_EQUAL(generation, head_of(stripe)->owner_generation);
	mio_live_give(first);
	look(1, &seen);
	ASSERT_EQUAL(0, seen.record.head.generation & 1);
	ASSERT_EQUAL(MIO_LIVE_FREE, seen.record.head.kind);
	ASSERT(mio_live_take(MIO_LIVE_PF_FILE, NULL) == first);
	ASSERT_EQUAL(0, first->opened_ns);
	mio_live_show(first);
	ASSERT_EQUAL(generation + 2, head_of(first)->generation);
	mio_live_end();
}

static void should_use_records_again_as_another_generation(void)
{
	alone(uses_records_again);
}

static void tells_what_auto_does(void)
{
	static const char *const states[] = {"looking", "hints", "kernel", "random", "cached", "pages"};
	char *memory = NULL;
	void *body, *again;

	begin();
	body = mio_live_take(MIO_LIVE_TRACE, NULL);
	ASSERT(is_record(body));
	mio_live_show(body);
	look(1, &seen);
	ASSERT_EQUAL(0, seen.record.head.auto_state);
	for (int i = 0; i < 6; i++) {
		mio_live_tell_auto(body, states[i]);
		look(1, &seen);
		ASSERT_EQUAL(i + 1, seen.record.head.auto_state);
	}
	/* The next user of the record begins anew. */
	mio_live_give(body);
	again = mio_live_take(MIO_LIVE_TRACE, NULL);
	ASSERT(again == body);
	look(1, &seen);
	ASSERT_EQUAL(0, seen.record.head.auto_state);
	mio_live_end();
	/* Memory that is no record stays as it is, because no one looks at it. */
	memory = calloc(1, 4096 + 4048);
	ASSERT(memory);
	mio_live_tell_auto(memory + 4096, "pages");
	for (int i = 0; i < 4096 + 4048; i++)
		ASSERT_EQUAL(0, memory[i]);
	free(memory);
}

static void should_tell_what_auto_does(void)
{
	alone(tells_what_auto_does);
}

static void shows_decisions(void)
{
	static _Atomic(struct mio_live_decisions *) decisions;
	char what[] = "decision 0";
	void *trace, *other;

	begin();
	trace = mio_live_take(MIO_LIVE_TRACE, NULL);
	mio_live_show(trace);
	for (int i = 0; i < 18; i++) {
		what[9] = (char)('a' + i);
		mio_live_decided(&decisions, trace, what, i == 17 ? "because of this" : "long ago");
	}
	ASSERT(is_record(decisions));
	look(2, &seen);
	ASSERT_EQUAL(MIO_LIVE_DECISIONS, seen.record.head.kind);
	ASSERT_EQUAL(1, seen.record.head.generation & 1);
	ASSERT_EQUAL(1, seen.record.head.owner);
	ASSERT_EQUAL(head_of(trace)->generation, seen.record.head.owner_generation);
	ASSERT_EQUAL(18, seen.decided.decisions.count);
	/* The last ones stay, in the places of the first ones. */
	for (int i = 0; i < 16; i++) {
		ASSERT_EQUAL(i < 2 ? 17 + i : 1 + i, seen.decided.decisions.last[i].number);
		ASSERT_EQUAL('a' + (i < 2 ? 16 + i : i), seen.decided.decisions.last[i].what[9]);
		ASSERT(seen.decided.decisions.last[i].ns > 0);
	}
	ASSERT(strcmp(seen.decided.decisions.last[1].reason, "because of this") == 0);
	mio_live_give(decisions);
	look(2, &seen);
	ASSERT_EQUAL(0, seen.record.head.generation & 1);
	mio_live_give(trace);
	/* A trace in memory of the process has no decisions that others could see, and none are counted as a layer that has no record. */
	decisions = NULL;
	other = calloc(1, 4048);
	ASSERT(other);
	mio_live_decided(&decisions, other, "hints", "why");
	ASSERT(!decisions);
	look(0, &seen);
	ASSERT_EQUAL(0, seen.header.unrecorded);
	free(other);
	mio_live_end();
}

static void should_show_the_last_decisions(void)
{
	alone(shows_decisions);
}

static void should_give_decisions_no_memory_without_a_record(void)
{
	static _Atomic(struct mio_live_decisions *) decisions;
	void *trace = NULL;

	/* Nothing was begun in this process: there is no file. */
	trace = mio_live_take(MIO_LIVE_TRACE, NULL);
	ASSERT(trace && !is_record(trace));
	mio_live_decided(&decisions, trace, "hints", "why");
	ASSERT(!decisions);
	mio_live_give(trace);
}

static void grows(void)
{
	static void *bodies[5000];
	int64_t records = 0;

	begin();
	for (int i = 0; i < 5000; i++) {
		mio_live_reserve(NULL);
		bodies[i] = mio_live_take(MIO_LIVE_TRACE, NULL);
		ASSERT(bodies[i]);
		memset(bodies[i], 1, 4048);
		records += is_record(bodies[i]);
	}
	ASSERT_EQUAL(MIO_LIVE_RECORDS_MAX - 1, records);
	look(0, &seen);
	ASSERT_EQUAL(MIO_LIVE_RECORDS_MAX, seen.header.records);
	ASSERT_EQUAL(5000 - records, seen.header.unrecorded);
	for (int i = 0; i < 5000; i++)
		mio_live_give(bodies[i]);
	ASSERT(is_record(mio_live_take(MIO_LIVE_TRACE, NULL)));
	mio_live_end();
}

static void should_grow_to_its_limit_and_count_in_memory_from_there_on(void)
{
	alone(grows);
}

static void has_a_limit(void)
{
	struct rlimit limit = {256 << 10, 256 << 10};
	int records = 0;

	ASSERT_EQUAL(0, setrlimit(RLIMIT_FSIZE, &limit));
	begin();
	for (int i = 0; i < 100; i++) {
		mio_live_reserve(NULL);
		records += is_record(mio_live_take(MIO_LIVE_TRACE, NULL));
	}
	ASSERT_EQUAL(63, records);
	mio_live_end();
}

static void has_no_space(void)
{
	struct rlimit limit = {4096, 4096};

	ASSERT_EQUAL(0, setrlimit(RLIMIT_FSIZE, &limit));
	expect_memory();
	ASSERT_EQUAL(0, rmdir(directory));
}

static void should_not_be_ended_by_the_limit_of_file_sizes(void)
{
	alone(has_a_limit);
	alone(has_no_space);
}

static void forks(void)
{
	struct mio_live_trace *trace;
	int status;
	char path[4096];
	pid_t child;

	begin();
	trace = mio_live_take(MIO_LIVE_TRACE, NULL);
	mio_live_show(trace);
	trace->sector_bytes = 5;
	snprintf(path, sizeof(path), "%s", mio_live_path());
	child = fork();
	if (child == 0) {
		struct mio_live_trace *mine;

		mio_live_forked();
		/* A call that a signal handler interrupted by the fork ends in the child. */
		trace->sector_bytes = 6;
		mio_live_reserve(NULL);
		mine = mio_live_take(MIO_LIVE_TRACE, NULL);
		ASSERT(is_record(mine) && mine != trace);
		ASSERT(strcmp(path, mio_live_path()) != 0);
		look(0, &seen);
		ASSERT_EQUAL(getpid(), seen.header.pid);
		mio_live_end();
		_exit(0);
	}
	ASSERT_EQUAL(child, waitpid(child, &status, 0));
	ASSERT_EQUAL(0, status);
	look(1, &seen);
	ASSERT_EQUAL(5, seen.record.trace.sector_bytes);
	/* A child that shares its parent's memory (vfork) does not remove the file when it executes or ends. */
	child = fork();
	if (child == 0) {
		mio_live_exec_coming();
		mio_live_end();
		_exit(0);
	}
	ASSERT_EQUAL(child, waitpid(child, &status, 0));
	ASSERT_EQUAL(0, access(path, F_OK));
	mio_live_end();
	ASSERT_EQUAL(-1, access(path, F_OK));
}

static void should_leave_the_file_of_the_parent_alone_in_a_child(void)
{
	alone(forks);
}

static void cannot_execute(void)
{
	struct mio_live_trace *trace;

	begin();
	trace = mio_live_take(MIO_LIVE_TRACE, NULL);
	mio_live_show(trace);
	trace->opened_ns = 8;
	mio_live_exec_coming();
	ASSERT_EQUAL(-1, access(mio_live_path(), F_OK));
	mio_live_exec_failed();
	trace->sector_bytes = 9;
	look(1, &seen);
	ASSERT_EQUAL(8, seen.record.trace.opened_ns);
	ASSERT_EQUAL(9, seen.record.trace.sector_bytes);
	for (int i = 0; i < 100; i++) {
		mio_live_reserve(NULL);
		ASSERT(is_record(mio_live_take(MIO_LIVE_TRACE, NULL)));
	}
	mio_live_end();
	ASSERT_EQUAL(0, rmdir(directory));
}

static void should_go_on_where_another_program_cannot_be_executed(void)
{
	alone(cannot_execute);
}

/* A call that may change the user, and does if other is set. */
static void becomes(int other)
{
	struct mio_live_trace *trace;
	char path[4096];

	begin();
	trace = mio_live_take(MIO_LIVE_TRACE, NULL);
	mio_live_show(trace);
	trace->opened_ns = 8;
	snprintf(path, sizeof(path), "%s", mio_live_path());
	mio_live_user_coming();
	mio_live_user_coming();
	ASSERT_EQUAL(-1, access(path, F_OK));
	if (other)
		ASSERT_EQUAL(0, seteuid(65534));
	mio_live_user_settled(1);
	ASSERT_EQUAL(-1, access(path, F_OK));
	mio_live_user_settled(1);
	trace->sector_bytes = 9;
	ASSERT_EQUAL(9, trace->sector_bytes);
	if (other) {
		mio_live_reserve(NULL);
		ASSERT_EQUAL(0, seteuid(0));
		ASSERT_EQUAL(-1, access(path, F_OK));
		ASSERT(strcmp(mio_live_path(), "") == 0);
	} else {
		look(1, &seen);
		ASSERT_EQUAL(8, seen.record.trace.opened_ns);
		ASSERT_EQUAL(9, seen.record.trace.sector_bytes);
	}
	mio_live_end();
	ASSERT_EQUAL(0, rmdir(directory));
}

static void stays_the_user(void)
{
	becomes(0);
}

static void becomes_another_user(void)
{
	becomes(1);
}

/* The process becomes another user for good. If of_all is set, the file goes to the place of that user. */
static void goes_over_to(int of_all)
{
	struct mio_live_trace *trace;
	struct stat found;
	char old[4096];

	mio_clock_begin_ns();
	mio_live_begin("on", "", "a program");
	mio_live_reserve("sync");
	trace = mio_live_take(MIO_LIVE_TRACE, NULL);
	mio_live_show(trace);
	trace->opened_ns = 8;
	snprintf(old, sizeof(old), "%s", mio_live_path());
	mio_live_user_coming();
	ASSERT_EQUAL(0, setresuid(65534, 65534, 65534));
	mio_live_user_settled(of_all);
	trace->sector_bytes = 9;
	ASSERT(!of_all == (strcmp(mio_live_path(), "") == 0));
	ASSERT(strcmp(old, mio_live_path()) != 0);
	if (of_all) {
		ASSERT_EQUAL(0, stat(mio_live_path(), &found));
		ASSERT_EQUAL(65534, found.st_uid);
		look(1, &seen);
		ASSERT_EQUAL(8, seen.record.trace.opened_ns);
		ASSERT_EQUAL(9, seen.record.trace.sector_bytes);
		for (int i = 0; i < 100; i++) {
			mio_live_reserve(NULL);
			ASSERT(is_record(mio_live_take(MIO_LIVE_TRACE, NULL)));
		}
		snprintf(old, sizeof(old), "%s", mio_live_path());
	}
	mio_live_end();
	ASSERT_EQUAL(-1, access(old, F_OK));
}

static void becomes_another_user_for_good(void)
{
	goes_over_to(1);
}

static void becomes_another_user_in_one_thread(void)
{
	goes_over_to(0);
}

static void should_go_over_to_the_user_that_the_process_becomes_for_good(void)
{
	if (geteuid() != 0)
		SKIP("only root becomes another user");
	alone(becomes_another_user_for_good);
	alone(becomes_another_user_in_one_thread);
}

static void should_come_back_where_the_user_stays(void)
{
	alone(stays_the_user);
}

static void should_be_gone_where_the_user_changes_for_now(void)
{
	if (geteuid() != 0)
		SKIP("only root becomes another user");
	alone(becomes_another_user);
}

static void keeps_the_end_of_names(void)
{
	char name[3000];
	struct mio_live_trace *trace;

	memset(name, 'a', sizeof(name));
	memcpy(name + sizeof(name) - 4, "end", 4);
	begin();
	trace = mio_live_take(MIO_LIVE_TRACE, NULL);
	mio_live_name(trace->name, &trace->name_length, name);
	ASSERT_EQUAL(2999, trace->name_length);
	ASSERT(memcmp(trace->name + MIO_LIVE_NAME_BYTES - 4, "aend", 4) == 0);
	mio_live_name(trace->name, &trace->name_length, "short");
	ASSERT_EQUAL(5, trace->name_length);
	ASSERT(strcmp(trace->name, "short") == 0 && trace->name[MIO_LIVE_NAME_BYTES - 1] == 0);
	mio_live_end();
}

static void should_keep_the_end_of_a_long_name(void)
{
	alone(keeps_the_end_of_names);
}

static void *takes_and_gives(void *seed)
{
	unsigned int random = *(unsigned int *)seed;
	struct mio_live_trace *mine[20] = {0};

	for (int i = 0; i < 20000; i++) {
		int at = rand_r(&random) % 20;

		if (mine[at]) {
			/* No other thread has this record. */
			ASSERT_EQUAL((intptr_t)seed, mine[at]->opened_ns);
			mio_live_give(mine[at]);
			mine[at] = NULL;
		} else {
			mio_live_reserve(NULL);
			mine[at] = mio_live_take(MIO_LIVE_TRACE, NULL);
			ASSERT_EQUAL(0, mine[at]->opened_ns);
			mine[at]->opened_ns = (intptr_t)seed;
			mio_live_show(mine[at]);
		}
	}
	for (int at = 0; at < 20; at++)
		if (mine[at])
			mio_live_give(mine[at]);
	return NULL;
}

static void threads_share(void)
{
	enum { THREADS = 8 };
	pthread_t threads[THREADS];
	static unsigned int seeds[THREADS];

	begin();
	for (int i = 0; i < THREADS; i++) {
		seeds[i] = (unsigned int)i;
		ASSERT_EQUAL(0, pthread_create(&threads[i], NULL, takes_and_gives, &seeds[i]));
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	look(0, &seen);
	ASSERT_EQUAL(0, seen.header.unrecorded);
	for (int64_t i = 1; i < seen.header.records; i++) {
		look(i, &seen);
		ASSERT_EQUAL(0, seen.record.head.generation & 1);
		look(0, &seen);
	}
	mio_live_end();
}

static void should_give_each_record_to_one_thread(void)
{
	alone(threads_share);
}

int main(void)
{
	RUN(should_use_records_again_as_another_generation);
	RUN(should_tell_what_auto_does);
	RUN(should_show_the_last_decisions);
	RUN(should_give_decisions_no_memory_without_a_record);
	RUN(should_grow_to_its_limit_and_count_in_memory_from_there_on);
	RUN(should_not_be_ended_by_the_limit_of_file_sizes);
	RUN(should_leave_the_file_of_the_parent_alone_in_a_child);
	RUN(should_go_on_where_another_program_cannot_be_executed);
	RUN(should_come_back_where_the_user_stays);
	RUN(should_be_gone_where_the_user_changes_for_now);
	RUN(should_go_over_to_the_user_that_the_process_becomes_for_good);
	RUN(should_keep_the_end_of_a_long_name);
	RUN(should_give_each_record_to_one_thread);
	return TEST_RESULT();
}

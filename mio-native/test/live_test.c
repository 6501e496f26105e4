/* The live counter file: place, records, space, and what becomes of it when the process forks, executes, ends. */
#include "../src/live/live.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

#include "../src/common/clock.h"
#include "../src/live/live_place.h"
#include "stats_place.h"

static char directory[8192];

/* Each sentence is a process of its own: a process has one file. */
static void alone(void (*sentence)(void))
{
	int status = -1;
	pid_t child;

	place_make();
	ASSERT(snprintf(directory, sizeof(directory), "%s/live", place) < (int)sizeof(directory));
	child = fork();
	if (child == 0) {
		sentence();
		_exit(0);
	}
	ASSERT_EQUAL(child, waitpid(child, &status, 0));
	place_remove();
	ASSERT_EQUAL(0, status);
}

static void begin(void)
{
	mio_clock_begin_ns();
	mio_live_begin(directory, "", "a program");
	mio_live_reserve("sync");
}

static int is_record(const void *body)
{
	return ((uintptr_t)body & 4095) == MIO_LIVE_BODY;
}

static struct mio_live_head *head_of(void *body)
{
	return (struct mio_live_head *)body - 1;
}

/* What others see. */
static void look(int64_t record, void *bytes)
{
	int fd = open(mio_live_path(), O_RDONLY);

	ASSERT(fd >= 0);
	ASSERT_EQUAL(4096, pread(fd, bytes, 4096, record * 4096));
	close(fd);
}

static union {
	char bytes[4096];
	struct mio_live_header header;
	struct {
		struct mio_live_head head;
		struct mio_live_trace trace;
	} record;
} seen;

static void makes_a_file(void)
{
	struct stat found;
	int64_t start, stack;

	begin();
	ASSERT_EQUAL(0, stat(directory, &found));
	ASSERT_EQUAL(S_IFDIR | 0700, found.st_mode);
	ASSERT_EQUAL(0, stat(mio_live_path(), &found));
	ASSERT_EQUAL(S_IFREG | 0600, found.st_mode);
	ASSERT_EQUAL(32 * 4096, found.st_size);
	ASSERT(found.st_blocks * 512 >= found.st_size);
	look(0, &seen);
	mio_live_process(&start, &stack);
	ASSERT(memcmp(seen.bytes, "MIOLIVE\n", 8) == 0);
	ASSERT_EQUAL(1, seen.header.version);
	ASSERT_EQUAL(4096, seen.header.record_bytes);
	ASSERT_EQUAL(32, seen.header.records);
	ASSERT_EQUAL(getpid(), seen.header.pid);
	ASSERT(start > 0);
	ASSERT_EQUAL(start, seen.header.start_time);
	ASSERT_EQUAL(stack, seen.header.stack_begin);
	ASSERT_EQUAL(mio_clock_begin_ns(), seen.header.began_ns);
	ASSERT_EQUAL(MIO_LIVE_RUNS, seen.header.state);
	ASSERT_EQUAL(MIO_LIVE_NATIVE, seen.header.door);
	ASSERT(strcmp(seen.header.program, "a program") == 0 && strcmp(seen.header.engine, "sync") == 0);
	mio_live_reserve("io_uring");
	look(0, &seen);
	ASSERT(strcmp(seen.header.engine, "io_uring") == 0);
	mio_live_end();
	ASSERT_EQUAL(0, place_count() - 1);
	ASSERT_EQUAL(0, rmdir(directory));
}

static void should_make_a_file_for_its_user_alone_and_remove_it_at_the_end(void)
{
	alone(makes_a_file);
}

static void expect_memory(void)
{
	void *body;

	begin();
	body = mio_live_take(MIO_LIVE_TRACE, NULL);
	ASSERT(body && !is_record(body));
	mio_live_show(body);
	mio_live_give(body);
	mio_live_end();
}

static void group_may_write(void)
{
	ASSERT_EQUAL(0, mkdir(directory, 0700));
	ASSERT_EQUAL(0, chmod(directory, 0770));
	expect_memory();
	ASSERT_EQUAL(0, rmdir(directory));
}

static void is_a_link(void)
{
	char target[8300];

	ASSERT(snprintf(target, sizeof(target), "%s.target", directory) < (int)sizeof(target));
	ASSERT_EQUAL(0, mkdir(target, 0700));
	ASSERT_EQUAL(0, symlink(target, directory));
	expect_memory();
	ASSERT_EQUAL(0, rmdir(target));
}

static void is_a_file(void)
{
	close(open(directory, O_CREAT | O_WRONLY, 0600));
	expect_memory();
}

static void belongs_to_another(void)
{
	if (geteuid() != 0)
		return;
	ASSERT_EQUAL(0, mkdir(directory, 0700));
	ASSERT_EQUAL(0, chown(directory, 12345, 0));
	expect_memory();
	ASSERT_EQUAL(0, rmdir(directory));
}

static void should_not_use_a_directory_that_is_not_the_users_alone(void)
{
	alone(group_may_write);
	alone(is_a_link);
	alone(is_a_file);
	alone(belongs_to_another);
}

static void is_off(void)
{
	static const char *const words[] = {"off", " false ", "0", "no"};

	for (int i = 0; i < 4; i++) {
		mio_live_begin(words[i], place, "x");
		mio_live_reserve(NULL);
		ASSERT_EQUAL(0, strlen(mio_live_path()));
	}
	ASSERT_EQUAL(2, mio_live_setting_kind(""));
	ASSERT_EQUAL(2, mio_live_setting_kind("yes"));
	ASSERT_EQUAL(0, mio_live_setting_kind("off off"));
	mio_live_begin("live", place, "x");
	mio_live_reserve(NULL);
	ASSERT(strncmp(mio_live_path(), directory, strlen(directory)) == 0);
}

static void should_take_the_setting_at_its_word(void)
{
	alone(is_off);
}

static void replaces_an_old_file(void)
{
	char path[8300], target[8300];
	struct stat found;

	ASSERT_EQUAL(0, mkdir(directory, 0700));
	ASSERT(snprintf(path, sizeof(path), "%s/%d.live", directory, (int)getpid()) < (int)sizeof(path));
	ASSERT(snprintf(target, sizeof(target), "%s.victim", directory) < (int)sizeof(target));
	close(open(target, O_CREAT | O_WRONLY, 0600));
	ASSERT_EQUAL(0, symlink(target, path));
	begin();
	ASSERT_EQUAL(0, lstat(path, &found));
	ASSERT(S_ISREG(found.st_mode));
	ASSERT_EQUAL(0, stat(target, &found));
	ASSERT_EQUAL(0, found.st_size);
	mio_live_end();
}

static void should_put_its_file_in_the_place_of_one_of_an_earlier_process(void)
{
	alone(replaces_an_old_file);
}

/* A file of that name, so many seconds old. */
static void make_aged(int at, const char *name, mode_t mode, int64_t seconds)
{
	struct timespec times[2];
	int fd = openat(at, name, O_CREAT | O_EXCL | O_WRONLY, mode);

	ASSERT(fd >= 0);
	clock_gettime(CLOCK_REALTIME, &times[0]);
	times[0].tv_sec -= seconds;
	times[1] = times[0];
	ASSERT_EQUAL(0, futimens(fd, times));
	close(fd);
}

static int is_there(int at, const char *name)
{
	struct stat found;

	return fstatat(at, name, &found, AT_SYMLINK_NOFOLLOW) == 0;
}

/* Numbers above 4194304 are those of no process. */
static void sweeps(void)
{
	char own[32];
	struct stat found;
	int at;

	ASSERT_EQUAL(0, mkdir(directory, 0700));
	at = open(directory, O_RDONLY | O_DIRECTORY);
	ASSERT(snprintf(own, sizeof(own), "%d.live", (int)getpid()) > 0);
	make_aged(at, "5000001.live", 0400, 4000);
	make_aged(at, "5000002.live", 0400, 3000);
	make_aged(at, "5000003.live", 0600, 4000);
	make_aged(at, own, 0400, 4000);
	make_aged(at, "5000004.jvm.live", 0400, 4000);
	make_aged(at, "x5000004.live", 0400, 4000);
	make_aged(at, "5000004.live2", 0400, 4000);
	ASSERT_EQUAL(0, symlinkat("5000002.live", at, "5000005.live"));
	errno = 77;
	mio_live_place_sweep(at);
	ASSERT_EQUAL(77, errno);
	ASSERT(!is_there(at, "5000001.live"));
	ASSERT(is_there(at, "5000002.live") && is_there(at, own) && is_there(at, "5000004.jvm.live"));
	ASSERT(is_there(at, "x5000004.live") && is_there(at, "5000004.live2") && is_there(at, "5000005.live"));
	/* Found for the first time: from now on. */
	ASSERT_EQUAL(0, fstatat(at, "5000003.live", &found, 0));
	ASSERT_EQUAL(S_IFREG | 0400, found.st_mode);
	ASSERT(found.st_mtime > time(NULL) - 3000);
	mio_live_place_sweep(at);
	ASSERT(is_there(at, "5000003.live"));
	close(at);
}

static void sweeps_no_chosen_place(void)
{
	int at;

	ASSERT_EQUAL(0, mkdir(directory, 0700));
	at = open(directory, O_RDONLY | O_DIRECTORY);
	make_aged(at, "5000001.live", 0400, 4000);
	begin();
	ASSERT(is_there(at, "5000001.live"));
	mio_live_end();
	close(at);
}

static void sweeps_its_own_place(void)
{
	char path[64];
	int at;

	snprintf(path, sizeof(path), "/dev/shm/mio-%d", (int)geteuid());
	mkdir(path, 0700);
	at = open(path, O_RDONLY | O_DIRECTORY);
	if (at < 0)
		return;
	snprintf(path, sizeof(path), "%d.live", 5000000 + (int)getpid());
	make_aged(at, path, 0400, 4000);
	mio_clock_begin_ns();
	mio_live_begin("on", "", "a program");
	mio_live_reserve("sync");
	ASSERT(strncmp(mio_live_path(), "/dev/shm/", 9) != 0 || !is_there(at, path));
	unlinkat(at, path, 0);
	mio_live_end();
	close(at);
}

static void should_remove_old_files_of_killed_processes_from_a_place_that_nobody_chose(void)
{
	alone(sweeps);
	alone(sweeps_no_chosen_place);
	alone(sweeps_its_own_place);
}

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
	/* The next one to have the record begins anew. */
	mio_live_give(body);
	again = mio_live_take(MIO_LIVE_TRACE, NULL);
	ASSERT(again == body);
	look(1, &seen);
	ASSERT_EQUAL(0, seen.record.head.auto_state);
	mio_live_end();
	/* What is no record has nobody who looks. */
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
		/* A call that a signal handler interrupted ends. */
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
	/* A child in the memory of its parent (vfork) that executes or ends takes no file away. */
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

/* A call that changes the user, or does not. */
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

/* For good, in the place of that user. */
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
			/* Nobody else has it. */
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
	RUN(should_make_a_file_for_its_user_alone_and_remove_it_at_the_end);
	RUN(should_not_use_a_directory_that_is_not_the_users_alone);
	RUN(should_take_the_setting_at_its_word);
	RUN(should_put_its_file_in_the_place_of_one_of_an_earlier_process);
	RUN(should_remove_old_files_of_killed_processes_from_a_place_that_nobody_chose);
	RUN(should_use_records_again_as_another_generation);
	RUN(should_tell_what_auto_does);
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

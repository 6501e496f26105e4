/* The writing of events files: who shares a file, and what happens without space. */
#include "events_see.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>

/* ---- the file */

static void should_make_the_file_for_its_owner_only(void)
{
	struct mio_trace_facts facts = facts_of(in_place("mode.events"));
	mode_t before = umask(0);
	struct stat found;

	writer_of(&facts);
	umask(before);
	ASSERT_EQUAL(0, stat(facts.path, &found));
	ASSERT_EQUAL(0600, found.st_mode & 07777);
}

static void should_replace_an_old_events_file_and_an_empty_one(void)
{
	struct mio_trace_facts facts = facts_of(in_place("old.events"));
	struct mio_trace_writer *writer = writer_of(&facts);
	struct mio_trace_facts other = facts;
	struct seen seen;

	put_read(writer, define_file(writer, "one"), 1);
	other.tree = 8;
	writer = writer_of(&other);
	put_read(writer, define_file(writer, "two"), 2);
	seen = see(facts.path);
	ASSERT_EQUAL(1, count_events(&seen, MIO_TRACE_RECORD_CALL, -1));
	ASSERT_EQUAL(8, seen.header->tree);
	see_no_more(&seen);

	write_in_place("empty.events", "");
	facts.path = in_place("empty.events");
	writer_of(&facts);
	seen = see(facts.path);
	see_no_more(&seen);
}

static void should_leave_other_files_and_links_alone(void)
{
	struct mio_trace_facts facts = facts_of(in_place("text"));
	struct mio_trace_writer *writer;
	int fd;

	write_in_place("text", "a letter to somebody, and much longer than what begins an events file; it has to be longer "
			       "than a hundred and twenty-eight bytes, and is");
	ASSERT_EQUAL(-EEXIST, mio_trace_writer_make(&facts, &writer));
	write_in_place("short", "short");
	facts.path = in_place("short");
	ASSERT_EQUAL(-EEXIST, mio_trace_writer_make(&facts, &writer));
	ASSERT(strcmp("short", text_in_place("short")) == 0);
	/* The beginning of a disk image. */
	write_in_place("image", "");
	ASSERT_EQUAL(0, truncate(in_place("image"), MIO_TRACE_HEADER_BYTES + 1));
	facts.path = in_place("image");
	ASSERT_EQUAL(-EEXIST, mio_trace_writer_make(&facts, &writer));
	fd = open(in_place("zeros"), O_RDWR | O_CREAT, 0600);
	ASSERT_EQUAL(1, pwrite(fd, "x", 1, MIO_TRACE_HEADER_BYTES - 1));
	close(fd);
	facts.path = in_place("zeros");
	ASSERT_EQUAL(-EEXIST, mio_trace_writer_make(&facts, &writer));
	ASSERT_EQUAL(0, symlink(in_place("nothing"), in_place("link")));
	facts.path = in_place("link");
	ASSERT_EQUAL(-ELOOP, mio_trace_writer_make(&facts, &writer));
	ASSERT(!is_in_place("nothing"));
	facts.path = place;
	ASSERT(mio_trace_writer_make(&facts, &writer) < 0);
	facts.path = in_place("no/such/directory");
	ASSERT_EQUAL(-ENOENT, mio_trace_writer_make(&facts, &writer));
}

static void should_share_the_file_with_processes_of_the_same_tree(void)
{
	struct mio_trace_facts facts = facts_of(in_place("tree.events"));
	struct mio_trace_writer *writer = writer_of(&facts);
	struct seen seen;
	uint32_t ids[2] = {0};

	put_read(writer, define_file(writer, "parent"), 1);
	for (int i = 0; i < 2; i++) {
		pid_t child = fork();
		int status;

		if (child == 0) {
			if (i == 0) {
				mio_trace_writer_forked(writer);
			} else {
				facts.process = (uint32_t)getpid();
				writer = writer_of(&facts);
			}
			put_read(writer, define_file(writer, "child"), 2);
			mio_trace_writer_end(writer);
			_exit(0);
		}
		ASSERT(waitpid(child, &status, 0) == child && status == 0);
	}
	put_read(writer, 1, 3);
	seen = see(facts.path);
	ASSERT_EQUAL(4, count_events(&seen, MIO_TRACE_RECORD_CALL, -1));
	ASSERT_EQUAL(3, count_events(&seen, MIO_TRACE_RECORD_PROCESS, -1));
	EACH_RECORD(&seen, record)
		if (record->event.type == MIO_TRACE_RECORD_CALL && record->event.start_ns == 2)
			ids[record->event.file - 2]++;
	ASSERT_EQUAL(1, ids[0]);
	ASSERT_EQUAL(1, ids[1]);
	ASSERT_EQUAL(3, seen.header->files);
	see_no_more(&seen);
}

static struct mio_trace_writer *forking;
static volatile sig_atomic_t is_child, forks, died;

/* A program may fork in a handler: the child goes on in the middle of the call, and may record at once. */
static void fork_in_handler(int number)
{
	pid_t child = is_child ? -1 : fork();
	int status = 0;

	(void)number;
	if (child == 0) {
		is_child = 1;
		mio_trace_writer_forked(forking);
		if (forks % 2)
			put_read(forking, 1, 2);
	} else if (child > 0) {
		waitpid(child, &status, 0);
		died += status != 0;
		forks++;
	}
}

static void should_go_on_in_a_child_that_a_signal_handler_forked_in_the_middle_of_a_call(void)
{
	struct mio_trace_facts facts = facts_of(in_place("handler.events"));
	struct itimerval once_soon = {{0, 0}, {0, 0}};
	struct seen seen;
	int64_t count = 0;

#ifdef __SANITIZE_THREAD__
	SKIP("the thread sanitizer takes memory in a handler's child, and calls that unsafe");
#endif
	facts.limit_bytes = INT64_C(1) << 28;
	forking = writer_of(&facts);
	define_file(forking, "parent");
	signal(SIGALRM, fork_in_handler);
	while (forks < 300) {
		int before = forks;

		once_soon.it_value.tv_usec = 20 + forks % 50;
		setitimer(ITIMER_REAL, &once_soon, NULL);
		while (forks == before && !is_child) {
			put_read(forking, 1, 1);
			count++;
		}
		if (is_child) {
			put_read(forking, define_file(forking, "child"), 3);
			mio_trace_writer_end(forking);
			_exit(0);
		}
	}
	signal(SIGALRM, SIG_DFL);
	ASSERT_EQUAL(0, died);
	mio_trace_writer_end(forking);
	seen = see(facts.path);
	EACH_RECORD(&seen, record)
		if (record->event.type == MIO_TRACE_RECORD_CALL) {
			/* A child that was forked before it had begun the call makes the call, too. */
			count -= record->event.start_ns == 1 && block_of(&seen, in_block)->process == facts.process;
			died += record->event.start_ns == 3;
		}
	/* No call of the parent is lost or there twice, and each child has its own call. */
	ASSERT_EQUAL(0, count);
	ASSERT_EQUAL(forks, died);
	see_no_more(&seen);
}

/* Four processes begin at once, with an old file there: one replaces it, and the others join. */
static void should_replace_an_old_file_once(void)
{
	struct mio_trace_facts facts = facts_of(in_place("race.events"));

	for (int round = 0; round < 20; round++) {
		struct seen seen;
		int begin[2];

		facts.tree = (uint64_t)round + 100;
		ASSERT_EQUAL(0, pipe(begin));
		for (int i = 0; i < 4; i++) {
			struct mio_trace_writer *writer;
			char byte;

			if (fork() != 0)
				continue;
			close(begin[1]);
			if (read(begin[0], &byte, 1) != 0)
				_exit(1);
			facts.process = (uint32_t)getpid();
			writer = writer_of(&facts);
			put_read(writer, define_file(writer, "x"), i);
			_exit(0);
		}
		close(begin[0]);
		close(begin[1]);
		for (int i = 0; i < 4; i++) {
			int status;

			ASSERT(wait(&status) > 0);
			ASSERT_EQUAL(0, status);
		}
		seen = see(facts.path);
		ASSERT_EQUAL(4, count_events(&seen, MIO_TRACE_RECORD_CALL, -1));
		see_no_more(&seen);
	}
}

static void should_give_back_what_it_has_claimed_and_not_begun(void)
{
	struct mio_trace_facts facts = facts_of(in_place("back.events"));
	struct mio_trace_writer *writer = writer_of(&facts);
	struct seen seen;

	for (int i = 0; i < 3000; i++)
		put_read(writer, 1, i);
	mio_trace_writer_end(writer);
	seen = see(facts.path);
	ASSERT_EQUAL(3, seen.header->claimed);
	ASSERT_EQUAL(3000, count_events(&seen, MIO_TRACE_RECORD_CALL, -1));
	see_no_more(&seen);
	put_read(writer, 1, 3000);
	for (int i = 0; i < 2000; i++)
		put_read(writer, 1, i);
	seen = see(facts.path);
	ASSERT_EQUAL(5001, count_events(&seen, MIO_TRACE_RECORD_CALL, -1));
	see_no_more(&seen);
}

/* ---- threads */

enum { THREADS = 8, EACH = 50000 };

static struct mio_trace_writer *shared;

static void *put_many(void *of)
{
	int64_t mine = (int64_t)(intptr_t)of;

	for (int64_t i = 0; i < EACH; i++) {
		struct mio_trace_event event = {.type = MIO_TRACE_RECORD_CALL,
						.operation = 3,
						.file = (uint32_t)mine,
						.start_ns = i,
						.duration_ns = mine,
						.offset = mine * EACH + i,
						.requested = mine * EACH + i,
						.delivered = mine * EACH + i,
						.error = (int32_t)i,
						.thread = (uint32_t)mine,
						.number = (uint64_t)(mine * EACH + i)};

		mio_trace_writer_put(shared, &event);
	}
	return NULL;
}

static void should_lose_and_tear_nothing_of_many_threads(void)
{
	struct mio_trace_facts facts = facts_of(in_place("threads.events"));
	pthread_t threads[THREADS];
	static unsigned char there[THREADS * EACH];
	struct seen seen;

	shared = writer_of(&facts);
	for (int i = 0; i < THREADS; i++)
		ASSERT_EQUAL(0, pthread_create(&threads[i], NULL, put_many, (void *)(intptr_t)i));
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	seen = see(facts.path);
	ASSERT_EQUAL(0, seen.header->dropped);
	EACH_RECORD(&seen, record) {
		const struct mio_trace_event *event = &record->event;

		ASSERT_EQUAL(event->offset, event->file * EACH + event->start_ns);
		ASSERT(event->offset == event->requested && event->offset == event->delivered &&
		       event->offset == (int64_t)event->number);
		ASSERT(event->thread == event->file && event->duration_ns == event->thread &&
		       event->error == event->start_ns);
		there[event->offset]++;
	}
	for (int i = 0; i < THREADS * EACH; i++)
		ASSERT_EQUAL(1, there[i]);
	see_no_more(&seen);
}

/* ---- without space */

static void should_drop_and_count_what_is_over_the_limit(void)
{
	struct mio_trace_facts facts = facts_of(in_place("limit.events"));
	struct mio_trace_writer *writer;
	struct seen seen;

	facts.limit_bytes = MIO_TRACE_HEADER_BYTES + 3 * MIO_TRACE_BLOCK_BYTES + 100;
	writer = writer_of(&facts);
	define_file(writer, "x");
	for (int i = 0; i < 5000; i++)
		put_read(writer, 1, i);
	seen = see(facts.path);
	ASSERT_EQUAL(MIO_TRACE_HEADER_BYTES + 3 * MIO_TRACE_BLOCK_BYTES, seen.length);
	ASSERT_EQUAL(2 * MIO_TRACE_BLOCK_RECORDS, count_events(&seen, MIO_TRACE_RECORD_CALL, -1));
	ASSERT_EQUAL(5000 - 2 * MIO_TRACE_BLOCK_RECORDS, seen.header->dropped);
	see_no_more(&seen);

	facts.path = in_place("none.events");
	facts.limit_bytes = 0;
	writer = writer_of(&facts);
	ASSERT_EQUAL(0, define_file(writer, "x"));
}

static int mounted(const char *directory)
{
	pid_t child = fork();
	int status;

	if (child == 0)
		_exit(mount("none", directory, "tmpfs", 0, "size=512k") == 0 ? 0 : 1);
	return waitpid(child, &status, 0) == child && status == 0;
}

static void should_go_on_when_the_disk_has_space_again(void)
{
	struct mio_trace_facts facts = facts_of(in_place("full/x.events"));
	struct mio_trace_writer *writer;
	const union mio_trace_record *told = NULL;
	static char zeros[4096];
	struct seen seen;
	int events, lost = 0;
	int fd;

	ASSERT_EQUAL(0, mkdir(in_place("full"), 0700));
	if (!mounted(in_place("full")))
		SKIP("no file system may be mounted here");
	writer = writer_of(&facts);
	ASSERT_EQUAL(1, define_file(writer, "x"));
	fd = open(in_place("full/filler"), O_WRONLY | O_CREAT, 0600);
	while (write(fd, zeros, sizeof(zeros)) > 0)
		;
	close(fd);
	for (events = 0; events < 20000; events++)
		put_read(writer, 1, events);
	ASSERT_EQUAL(0, unlink(in_place("full/filler")));
	for (; events < 22000; events++)
		put_read(writer, 1, events);
	seen = see(facts.path);
	EACH_RECORD(&seen, record)
		if (record->event.type == MIO_TRACE_RECORD_DROPPED) {
			told = record;
			lost += (int)record->dropped.count;
		}
	ASSERT(told && seen.header->dropped > 10000);
	ASSERT_EQUAL(seen.header->dropped, lost);
	ASSERT_EQUAL(22000, count_events(&seen, MIO_TRACE_RECORD_CALL, -1) + lost);
	see_no_more(&seen);
	ASSERT_EQUAL(0, umount2(in_place("full"), MNT_DETACH));
}

static void should_meet_no_signal_at_the_limit_for_files(void)
{
	struct mio_trace_facts facts = facts_of(in_place("small.events"));
	struct seen seen;
	pid_t child = fork();
	int status;

	if (child == 0) {
		struct rlimit limit = {MIO_TRACE_HEADER_BYTES + 2 * MIO_TRACE_BLOCK_BYTES, RLIM_INFINITY};
		struct mio_trace_writer *writer = NULL;

		if (setrlimit(RLIMIT_FSIZE, &limit) < 0 || mio_trace_writer_make(&facts, &writer) < 0)
			_exit(1);
		for (int i = 0; i < 5000; i++)
			put_read(writer, 1, i);
		limit.rlim_cur = 100;
		facts.path = in_place("smaller.events");
		_exit(setrlimit(RLIMIT_FSIZE, &limit) < 0 || mio_trace_writer_make(&facts, &writer) != -EFBIG);
	}
	ASSERT(waitpid(child, &status, 0) == child);
	ASSERT_EQUAL(0, status);
	ASSERT(!is_in_place("smaller.events"));
	seen = see(facts.path);
	ASSERT_EQUAL(2 * MIO_TRACE_BLOCK_RECORDS, count_events(&seen, MIO_TRACE_RECORD_CALL, -1));
	ASSERT_EQUAL(5000 - 2 * MIO_TRACE_BLOCK_RECORDS, seen.header->dropped);
	see_no_more(&seen);
}

static void should_drop_what_comes_after_the_file_was_moved_away(void)
{
	struct mio_trace_facts facts = facts_of(in_place("moved.events"));
	struct mio_trace_writer *writer = writer_of(&facts);
	struct seen seen;

	put_read(writer, define_file(writer, "x"), 0);
	ASSERT_EQUAL(0, rename(facts.path, in_place("elsewhere")));
	write_in_place("moved.events", "of somebody else");
	for (int i = 1; i < 3000; i++)
		put_read(writer, 1, i);
	ASSERT(strcmp("of somebody else", text_in_place("moved.events")) == 0);
	seen = see(in_place("elsewhere"));
	ASSERT_EQUAL(3000, count_events(&seen, MIO_TRACE_RECORD_CALL, -1) + (int)seen.header->dropped);
	see_no_more(&seen);
}

/* ---- a kill */

static void should_have_all_that_was_put_before_a_kill(void)
{
	struct mio_trace_facts facts = facts_of(in_place("killed.events"));
	uint64_t *done = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct seen seen;
	int64_t next = 0;
	pid_t child = fork();

	ASSERT(done != MAP_FAILED);
	if (child == 0) {
		struct mio_trace_writer *writer = writer_of(&facts);

		/* Far less than the limit of the file, however late the kill comes. */
		for (int64_t i = 0; i < 1000000; i++) {
			put_read(writer, 1, i);
			__atomic_store_n(done, (uint64_t)i + 1, __ATOMIC_RELEASE);
		}
		for (;;)
			pause();
	}
	while (__atomic_load_n(done, __ATOMIC_ACQUIRE) < 20000)
		sched_yield();
	ASSERT_EQUAL(0, kill(child, SIGKILL));
	ASSERT(waitpid(child, NULL, 0) == child);
	seen = see(facts.path);
	EACH_RECORD(&seen, record)
		ASSERT_EQUAL(next++, record->event.start_ns);
	ASSERT(next >= (int64_t)*done && next <= (int64_t)*done + 1);
	see_no_more(&seen);
	munmap(done, 4096);
}

int main(void)
{
	place_make();
	RUN(should_make_the_file_for_its_owner_only);
	RUN(should_replace_an_old_events_file_and_an_empty_one);
	RUN(should_leave_other_files_and_links_alone);
	RUN(should_share_the_file_with_processes_of_the_same_tree);
	RUN(should_go_on_in_a_child_that_a_signal_handler_forked_in_the_middle_of_a_call);
	RUN(should_replace_an_old_file_once);
	RUN(should_give_back_what_it_has_claimed_and_not_begun);
	RUN(should_lose_and_tear_nothing_of_many_threads);
	RUN(should_drop_and_count_what_is_over_the_limit);
	RUN(should_go_on_when_the_disk_has_space_again);
	RUN(should_meet_no_signal_at_the_limit_for_files);
	RUN(should_drop_what_comes_after_the_file_was_moved_away);
	RUN(should_have_all_that_was_put_before_a_kill);
	place_remove();
	return TEST_RESULT();
}

/*
 * Which opens under pf/auto take pages, by the blocks of their report, and what threads read and write while they do. What
 * processes share is tested by the programs of test/preload.
 */
#include "capi_pages.h"

#include "../src/door/door.h"

#include <pthread.h>
#include <stdatomic.h>

enum { ENOUGH = 70, THREADS = 4 };

/* ---- the number of pages grows */

enum { MANY_BYTES = 3 << 20, STEP = 1600 };

static void steps_again_and_again(void)
{
	int fd = opened(O_RDONLY);

	for (int pass = 0; pass < 20; pass++)
		for (int64_t at = 0; at + RECORD <= MANY_BYTES; at += STEP) {
			ASSERT_EQUAL(RECORD, MIO_pread(fd, record_of_main, RECORD, at));
			ASSERT(is_right(record_of_main, at, RECORD));
		}
	MIO_close(fd);
}

/* All pages but the one that the program is in when MIO looks. Twin of the real run in AutoEqualTest. */
static void should_have_more_pages_where_they_are_read_again(void)
{
	char *text = report_under("* [ pf/auto/stats ]", MANY_BYTES, steps_again_and_again);

	ASSERT(text);
	ASSERT(strstr(text, "47 of 64 KiB: the program came back to pages that had given way"));
	ASSERT(strstr(text, " 47 pages "));
	free(text);
}

/* ---- which opens take pages */

static void dense(void)
{
	int fd = opened(O_RDONLY);

	read_records(fd, 1000);
	MIO_close(fd);
}

static void dense_for_writing(void)
{
	int fd = opened(O_RDWR);

	read_records(fd, 1000);
	ASSERT_EQUAL(4, MIO_write(fd, "four", 4));
	ASSERT_EQUAL(4, MIO_pread(fd, record_of_main, 4, 1000 * RECORD));
	ASSERT(memcmp(record_of_main, "four", 4) == 0);
	MIO_close(fd);
}

static void one_too_few(void)
{
	int fd = opened(O_RDONLY);

	/* The 64th request decides; the next one takes pages. */
	read_records(fd, 64);
	MIO_close(fd);
}

static void large(void)
{
	char memory[8192];
	int fd = opened(O_RDONLY);

	for (int i = 0; i < 65; i++)
		ASSERT_EQUAL(8192, MIO_read(fd, memory, sizeof(memory)));
	ASSERT_EQUAL(0, MIO_lseek64(fd, 0, SEEK_SET));
	read_records(fd, 1000);
	MIO_close(fd);
}

static void appending(void)
{
	int fd = opened(O_RDWR | O_APPEND);

	read_records(fd, 1000);
	MIO_close(fd);
}

static void appending_later(void)
{
	int fd = opened(O_RDWR);

	read_records(fd, 30);
	ASSERT_EQUAL(0, MIO_fcntl(fd, F_SETFL, O_APPEND));
	read_records(fd, 1000);
	MIO_close(fd);
}

static void with_a_writer(void)
{
	int other = open(name, O_WRONLY | O_CLOEXEC);
	int fd = opened(O_RDONLY);

	read_records(fd, 1000);
	MIO_close(fd);
	close(other);
}

static void with_a_reader(void)
{
	int other = open(name, O_RDONLY | O_CLOEXEC);
	int fd = opened(O_RDWR);

	read_records(fd, 1000);
	ASSERT_EQUAL(4, MIO_pwrite(fd, "four", 4, 0));
	ASSERT_EQUAL(4, read(other, record_of_main, 4));
	ASSERT(memcmp(record_of_main, "four", 4) == 0);
	MIO_close(fd);
	close(other);
}

static void two_opens(void)
{
	int fd = opened(O_RDWR);
	int other = opened(O_RDWR);

	read_records(fd, 500);
	read_records(other, 500);
	ASSERT_EQUAL(4, MIO_pwrite(other, "four", 4, 60000));
	ASSERT_EQUAL(4, MIO_pread(fd, record_of_main, 4, 60000));
	ASSERT(memcmp(record_of_main, "four", 4) == 0);
	MIO_close(fd);
	MIO_close(other);
}

static void forked_before(void)
{
	int fd = opened(O_RDONLY);
	pid_t child;

	read_records(fd, 10);
	child = fork();
	if (child == 0) {
		read_records(fd, 10);
		_exit(0);
	}
	ASSERT_EQUAL(child, waitpid(child, NULL, 0));
	ASSERT_EQUAL(20 * RECORD, MIO_lseek64(fd, 0, SEEK_CUR));
	read_records(fd, 1000);
	MIO_close(fd);
	/* What is opened now belongs to this process alone. */
	dense();
}

static void many(void)
{
	int fds[20];
	char of[600];

	for (int i = 0; i < 20; i++) {
		snprintf(of, sizeof(of), "%s.%d", name, i);
		make_file(of, BYTES);
		test_until_old(of);
		fds[i] = MIO_open(of, O_RDONLY, 0, NULL);
		read_records(fds[i], 100);
	}
	for (int i = 0; i < 20; i++) {
		MIO_close(fds[i]);
		snprintf(of, sizeof(of), "%s.%d", name, i);
		unlink(of);
	}
	dense();
}

/* Reads anywhere later on: the pages are given up, and the position is where it was. */
static void at_random_later(void)
{
	int fd = opened(O_RDWR);
	uint64_t seed = 1;

	ASSERT_EQUAL(0, MIO_ftruncate(fd, 64 << 20));
	test_until_old(name);
	read_records(fd, 100);
	for (int i = 0; i < 10000; i++) {
		seed = seed * 6364136223846793005U + 1442695040888963407U;
		ASSERT_EQUAL(10, MIO_pread(fd, record_of_main, 10, (int64_t)((seed >> 33) % (63 << 20))));
	}
	/* Without pages the position is the kernel's own again. */
	ASSERT_EQUAL(100 * RECORD, lseek(fd, 0, SEEK_CUR));
	read_records(fd, 1000);
	ASSERT_EQUAL(1100 * RECORD, lseek(fd, 0, SEEK_CUR));
	MIO_close(fd);
}

static void should_take_pages_for_small_requests_near_each_other(void)
{
	ASSERT_EQUAL(1, pages_of(dense));
	ASSERT_EQUAL(1, pages_of(dense_for_writing));
	ASSERT_EQUAL(0, pages_of(one_too_few));
	ASSERT_EQUAL(0, pages_of(large));
	ASSERT_EQUAL(1, pages_under("* [ trace | pf/auto/stats | trace ]", dense));
	ASSERT_EQUAL(0, pages_under("* [ mio/cio | pf/auto/stats ]", dense));
}

static void should_leave_small_requests_to_a_kernel_that_is_as_quick(void)
{
	char *text;

	call_ns = 72;
	text = report_under("* [ pf/auto/stats ]", BYTES, dense);
	ASSERT_EQUAL(0, count_of("pf close for private cache", text));
	ASSERT_EQUAL(1, count_of("and near each other, but the kernel takes only 72 ns for a call", text));
	free(text);
	call_ns = 73;
	ASSERT_EQUAL(1, pages_of(dense));
	call_ns = -1;
}

static void should_leave_a_file_with_the_kernel_that_is_not_this_processs_alone(void)
{
	ASSERT_EQUAL(0, pages_of(appending));
	ASSERT_EQUAL(0, pages_of(appending_later));
	ASSERT_EQUAL(0, pages_of(with_a_writer));
	ASSERT_EQUAL(1, pages_of(with_a_reader));
	ASSERT_EQUAL(1, pages_of(two_opens));
	ASSERT_EQUAL(1, pages_of(forked_before));
	ASSERT_EQUAL(16 + 1, pages_of(many));
}

/* Another open that asked before there were pages, and cuts the file when there are some. */
static void cut_beside(void)
{
	int fd = opened(O_RDWR);
	int other;

	read_records(fd, ENOUGH);
	other = open(name, O_RDWR | O_TRUNC | O_CLOEXEC);
	ASSERT(other >= 0);
	mio_door_opened_beside(name, O_RDWR | O_TRUNC, other);
	ASSERT_EQUAL(0, MIO_pread(fd, record_of_main, RECORD, 0));
	/* What the other open writes is seen, too. */
	ASSERT_EQUAL(3, MIO_pwrite(other, "new", 3, 0));
	ASSERT_EQUAL(3, MIO_pread(fd, record_of_main, RECORD, 0));
	ASSERT(memcmp(record_of_main, "new", 3) == 0);
	ASSERT_EQUAL(0, MIO_close(other));
	ASSERT_EQUAL(0, MIO_close(fd));
}

static void should_see_what_an_open_does_that_came_before_the_pages(void)
{
	ASSERT_EQUAL(1, pages_of(cut_beside));
}

static void should_give_pages_up_that_are_not_worth_it(void)
{
	ASSERT_EQUAL(1, pages_of(at_random_later));
}

/* ---- threads */

static int shared;
static _Atomic int64_t records;
static _Atomic int done;

static void *read_on(void *unused)
{
	char memory[RECORD];
	int64_t bytes;

	(void)unused;
	while ((bytes = MIO_read(shared, memory, sizeof(memory))) > 0) {
		/* Each read returns a whole record. */
		ASSERT_EQUAL(RECORD, bytes);
		atomic_fetch_add(&records, 1);
	}
	ASSERT_EQUAL(0, bytes);
	return NULL;
}

static void start(pthread_t *threads, void *(*run)(void *))
{
	for (intptr_t i = 0; i < THREADS; i++)
		ASSERT_EQUAL(0, pthread_create(&threads[i], NULL, run, (void *)i));
}

static void join(pthread_t *threads)
{
	for (int i = 0; i < THREADS; i++)
		ASSERT_EQUAL(0, pthread_join(threads[i], NULL));
}

static void one_position(void)
{
	pthread_t threads[THREADS];

	for (int round = 0; round < 20; round++) {
		shared = opened(O_RDWR);
		atomic_store(&records, 0);
		start(threads, read_on);
		join(threads);
		ASSERT_EQUAL(BYTES / RECORD, atomic_load(&records));
		ASSERT_EQUAL(BYTES, MIO_lseek64(shared, 0, SEEK_CUR));
		ASSERT_EQUAL(0, MIO_close(shared));
	}
}

/* Each thread has a part of the file of its own, and reads what it has written. */
static void *keep(void *context)
{
	int64_t from = (intptr_t)context * (BYTES / THREADS);
	char mine[RECORD], back[RECORD];

	for (int i = 0; i < 1200; i++) {
		int64_t at = from + i % 1000 * RECORD;

		ASSERT_EQUAL(RECORD, MIO_pread(shared, back, sizeof(back), at));
		if (i % 5 == 0) {
			memset(mine, i, sizeof(mine));
			ASSERT_EQUAL(RECORD, MIO_pwrite(shared, mine, sizeof(mine), at));
			ASSERT_EQUAL(RECORD, MIO_pread(shared, back, sizeof(back), at));
			ASSERT(memcmp(back, mine, sizeof(mine)) == 0);
		}
	}
	return NULL;
}

static void own_parts(void)
{
	pthread_t threads[THREADS];

	for (int round = 0; round < 20; round++) {
		test_until_old(name);
		shared = opened(O_RDWR);
		/* In turns without pages and with pages from the beginning. */
		for (int i = 0; i < ENOUGH && round % 2; i++)
			ASSERT_EQUAL(RECORD, MIO_pread(shared, record_of_main, RECORD, i * RECORD));
		start(threads, keep);
		join(threads);
		ASSERT_EQUAL(0, MIO_lseek64(shared, 0, SEEK_CUR));
		ASSERT_EQUAL(0, MIO_close(shared));
	}
}

/* Some threads read anywhere, so that pages are given up while others read on at the position. */
static void *anywhere(void *context)
{
	uint64_t seed = (uint64_t)(intptr_t)context + 1;
	char memory[RECORD];

	while (!atomic_load(&done)) {
		int64_t at;

		seed = seed * 6364136223846793005U + 1442695040888963407U;
		at = (int64_t)((seed >> 33) % (40 << 20));
		ASSERT_EQUAL(RECORD, MIO_pread(shared, memory, sizeof(memory), at));
		ASSERT(at + RECORD > BYTES || is_right(memory, at, RECORD));
	}
	return NULL;
}

static void given_up(void)
{
	pthread_t threads[THREADS];

	shared = opened(O_RDWR);
	ASSERT_EQUAL(0, MIO_ftruncate(shared, 41 << 20));
	test_until_old(name);
	read_records(shared, ENOUGH);
	start(threads, anywhere);
	/* Until the kernel's position is the file's again. With pages it stays where they were taken, before the first record here. */
	while (lseek(shared, 0, SEEK_CUR) != MIO_lseek64(shared, 0, SEEK_CUR)) {
		if (MIO_lseek64(shared, 0, SEEK_CUR) == BYTES)
			ASSERT_EQUAL(ENOUGH * RECORD, MIO_lseek64(shared, ENOUGH * RECORD, SEEK_SET));
		read_records(shared, 1);
	}
	atomic_store(&done, 1);
	join(threads);
	read_records(shared, 1);
	ASSERT_EQUAL(0, MIO_close(shared));
}

static void should_serve_threads_while_pages_are_taken_and_given_up(void)
{
	ASSERT_EQUAL(20, pages_of(one_position));
	ASSERT(pages_of(own_parts) >= 10);
	ASSERT_EQUAL(1, pages_of(given_up));
}

int main(void)
{
	if (!test_auto_serves(test_directory())) {
		printf("skipped: pf/auto leaves files of this file system to the kernel\n");
		return 77;
	}
	RUN(should_take_pages_for_small_requests_near_each_other);
	RUN(should_leave_small_requests_to_a_kernel_that_is_as_quick);
	RUN(should_leave_a_file_with_the_kernel_that_is_not_this_processs_alone);
	RUN(should_see_what_an_open_does_that_came_before_the_pages);
	RUN(should_give_pages_up_that_are_not_worth_it);
	RUN(should_serve_threads_while_pages_are_taken_and_given_up);
	RUN(should_have_more_pages_where_they_are_read_again);
	return TEST_RESULT();
}

/* Which opens under pf/auto read a file past the kernel's cache, by their report, and what is read and written then. */
#include "capi_large.h"

#include <pthread.h>
#include <stdatomic.h>

#include "../src/door/door.h"

enum { THREADS = 3 };

/* Counts in the report of the last sentence. */
static int given_for_memory;
static int given_as_unseen;
static int given_as_it_fits;
static int refused_for_memory;
static int refused_as_not_known;

static void read_backward(int fd, int64_t from, int64_t to)
{
	for (int64_t at = to - PIECE; at >= from; at -= PIECE) {
		ASSERT_EQUAL(PIECE, MIO_pread(fd, piece, PIECE, at));
		ASSERT(is_right(piece, at, PIECE));
	}
}

/* Checks how many of the sentence's opens take such pages, and how many give them up. */
static void expect(int taken, int given, void (*sentence)(void))
{
	/* The rules take turns: reads rest (bypass the layers) only where pf/auto is alone. */
	static const char *const rules[] = {"* [ pf/auto/stats ]", "* [ trace | pf/auto/stats ]"};
	static int turn;
	char *text = report_of(rules[turn++ % 2], sentence);

	ASSERT_EQUAL(taken, count_of(text, "past the kernel's cache: the file (224 MiB)"));
	ASSERT_EQUAL(given, count_of(text, "no longer read at length"));
	given_as_unseen = count_of(text, "others write the file past MIO, or have it mapped");
	given_for_memory = count_of(text, "the memory is needed: ");
	given_as_it_fits = count_of(text, "the file (224 MiB) fits the memory that could keep it by now (224 MiB)");
	refused_as_not_known = count_of(text, "it is not known how much memory is left for them, though the file (224 MiB)");
	refused_for_memory = count_of(text, "too little memory is left for them, though the file (224 MiB)");
	free(text);
}

/* ---- which opens read past the kernel's cache */

static void forward(void)
{
	int fd = opened(O_RDONLY);

	read_forward(fd, 0, SIZE);
	ASSERT_EQUAL(0, MIO_close(fd));
}

static void backward(void)
{
	int fd = opened(O_RDONLY);

	read_backward(fd, 0, SIZE);
	ASSERT_EQUAL(0, MIO_close(fd));
}

static void in_large_requests(void)
{
	char *memory = malloc((size_t)MIB);
	int fd = opened(O_RDONLY);

	ASSERT(memory);
	for (int64_t at = 0; at < SIZE; at += MIB) {
		ASSERT_EQUAL(MIB, MIO_read(fd, memory, (size_t)MIB));
		ASSERT(is_right(memory, at, MIB));
	}
	ASSERT_EQUAL(0, MIO_read(fd, memory, 1));
	ASSERT_EQUAL(0, MIO_close(fd));
	free(memory);
}

/* As a program that makes a large file and then reads it. */
static void written_before(void)
{
	int fd = opened(O_RDWR);

	for (int64_t at = 0; at < SIZE; at += MIB)
		ASSERT_EQUAL(sizeof(int64_t), MIO_pwrite(fd, &(int64_t){stamp_of(at)}, sizeof(int64_t), at));
	ASSERT_EQUAL(0, MIO_fsync(fd));
	ASSERT_EQUAL(0, posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED));
	/* A quick machine may read all of it before the file is calm. */
	test_until_old(name);
	read_forward(fd, 0, SIZE);
	ASSERT_EQUAL(0, MIO_close(fd));
}

static void too_short(void)
{
	int fd = opened(O_RDONLY);

	read_forward(fd, 0, 60 * MIB);
	ASSERT_EQUAL(0, MIO_close(fd));
}

static void at_random(void)
{
	int fd = opened(O_RDONLY);
	uint64_t seed = 1;

	for (int i = 0; i < 2000; i++) {
		seed = seed * 6364136223846793005U + 1442695040888963407U;
		ASSERT_EQUAL(PIECE, MIO_pread(fd, piece, PIECE, (int64_t)((seed >> 33) % (SIZE - PIECE))));
	}
	ASSERT_EQUAL(0, MIO_close(fd));
}

static void appending(void)
{
	int fd = opened(O_RDWR | O_APPEND);

	read_forward(fd, 0, SIZE);
	ASSERT_EQUAL(0, MIO_close(fd));
}

static void two_opens(void)
{
	int one = opened(O_RDONLY);
	int other = opened(O_RDONLY);

	read_forward(one, 0, 128 * MIB);
	read_forward(other, 0, SIZE);
	read_forward(one, 128 * MIB / PIECE * PIECE, SIZE);
	ASSERT_EQUAL(0, MIO_close(one));
	ASSERT_EQUAL(0, MIO_close(other));
}

static void should_read_past_the_kernels_cache_what_does_not_fit_memory(void)
{
	expect(1, 0, forward);
	expect(1, 0, forward);
	expect(1, 0, backward);
	expect(1, 0, in_large_requests);
	expect(1, 0, written_before);
	expect(0, 0, too_short);
	expect(0, 0, at_random);
	expect(0, 0, appending);
	/* Another open of the file does not join the pages. */
	expect(1, 0, two_opens);
	room = 113 * MIB;
	expect(0, 0, forward);
	room = 63 * MIB;
	/* A quarter of this room is too little for pages. */
	expect(0, 0, forward);
	room = 64 * MIB;
}

static void again(void)
{
	int fd = opened(O_RDONLY);

	for (int i = 0; i < 3; i++)
		read_forward(fd, 0, SIZE);
	ASSERT_EQUAL(0, MIO_close(fd));
}

/* As expect, with another room after so many questions. */
static void expect_later(int count, int64_t other, int taken, void (*sentence)(void))
{
	questions = count;
	later_room = other;
	expect(taken, 0, sentence);
	questions = INT32_MAX;
}

/* The room is asked for at the first look at the file, before it is chosen, before pages are made, and for each 16 MiB read into them. */
static void should_go_by_the_memory_that_there_is_by_then(void)
{
	expect_later(1, 63 * MIB, 0, forward);
	ASSERT_EQUAL(1, refused_for_memory);
	expect_later(2, 63 * MIB, 0, forward);
	ASSERT_EQUAL(1, refused_for_memory);
	expect_later(1, 1024 * MIB, 0, again);
	/* The room shrinks before the pages have read 64 MiB. */
	expect_later(3, 15 * MIB, 1, forward);
	ASSERT_EQUAL(1, given_for_memory);
	expect_later(4, SIZE, 1, again);
	ASSERT_EQUAL(1, given_as_it_fits);
	expect_later(4, SIZE - 1, 1, again);
	ASSERT_EQUAL(0, given_as_it_fits);
}

/* -1: as where the program has taken all descriptors. */
static void should_decide_nothing_where_the_memory_that_there_is_is_not_known(void)
{
	room = -1;
	expect(0, 0, forward);
	room = 64 * MIB;
	expect_later(1, -1, 0, forward);
	expect_later(2, -1, 0, forward);
	ASSERT_EQUAL(1, refused_as_not_known);
	expect_later(4, -1, 1, again);
	ASSERT_EQUAL(0, given_as_it_fits + given_for_memory);
}

/* The pages have 128 MiB, so that more than 32 of the first 64 MiB that they read may be ahead of the program. */
static void much_ahead(void)
{
	int fd;

	ASSERT_EQUAL(0, truncate(name, 2200 * MIB));
	test_until_old(name);
	room = 1024 * MIB;
	fd = opened(O_RDONLY);
	for (int64_t at = 0; at < 600 * MIB; at += PIECE)
		ASSERT_EQUAL(PIECE, MIO_read(fd, piece, PIECE));
	ASSERT_EQUAL(0, MIO_close(fd));
}

static void should_keep_its_pages_however_much_is_ahead(void)
{
	char *text = report_of("* [ pf/auto/stats ]", much_ahead);

	ASSERT_EQUAL(1, count_of(text, "past the kernel's cache: the file (2200 MiB)"));
	ASSERT_EQUAL(0, count_of(text, "no longer read at length"));
	free(text);
}

/* ---- small pages of such a file */

/* For such a file a request of 2000 bytes is not small; the other requests are. */
static void few_larger(void)
{
	int fd = opened(O_RDONLY);

	for (int i = 0; i < 70; i++)
		ASSERT(MIO_read(fd, piece, i % 16 == 5 ? 2000 : 100) > 0);
	ASSERT_EQUAL(0, MIO_close(fd));
}

static void all_larger(void)
{
	int fd = opened(O_RDONLY);

	for (int i = 0; i < 70; i++)
		ASSERT_EQUAL(2000, MIO_read(fd, piece, 2000));
	ASSERT_EQUAL(0, MIO_close(fd));
}

static void should_take_small_pages_for_smaller_requests_where_the_file_does_not_fit_memory(void)
{
	char *text = report_of("* [ pf/auto/stats ]", few_larger);

	ASSERT(strstr(text, " of 64 requests were small (at most 100 bytes) and near each other"));
	free(text);
	text = report_of("* [ pf/auto/stats ]", all_larger);
	ASSERT(strstr(text, "only 0 of 64 requests were small and near each other"));
	free(text);
	room = 1024 * MIB;
	text = report_of("* [ pf/auto/stats ]", all_larger);
	ASSERT(strstr(text, "63 of 64 requests were small (at most 2000 bytes) and near each other"));
	free(text);
	room = 64 * MIB;
}

/* ---- locks */

static int may_have_pages(int fd)
{
	return mio_stack_may_have_pages(mio_door_file(fd)->stack);
}

/* Large requests for bytes that are in memory: nothing to tell the kernel, no pages to take. */
static void quiet_one(void)
{
	int fd = opened(O_RDWR);

	ASSERT(may_have_pages(fd));
	for (int i = 0; i < 20; i++)
		read_forward(fd, 0, 20 * PIECE);
	/* Requests need not pass the gate any more. */
	ASSERT(!may_have_pages(fd));
	ASSERT_EQUAL(0, MIO_close(fd));
}

/* A write of another thread does not wait for a sync, nor a sync for the write. */
static void synced_beside(void)
{
	int fd = opened(O_RDWR);
	struct mio_pf_file *file = mio_stack_file(mio_door_file(fd)->stack);

	ASSERT(may_have_pages(fd));
	mio_pf_file_alone(file);
	ASSERT_EQUAL(0, MIO_fsync(fd));
	mio_pf_file_unalone(file);
	ASSERT_EQUAL(0, MIO_close(fd));
}

static void should_keep_threads_apart_only_while_there_may_be_pages(void)
{
	room = 1024 * MIB;
	free(report_of("* [ pf/auto/stats ]", quiet_one));
	free(report_of("* [ trace | pf/auto/stats ]", quiet_one));
	free(report_of("* [ trace | pf/auto/stats ]", synced_beside));
	room = 64 * MIB;
}

/* ---- direct I/O by the rule */

static void should_tell_the_kernel_nothing_where_its_cache_is_not_used(void)
{
	char *text = report_of("* [ mio/direct | trace/stats | pf/auto/stats ]", backward);

	ASSERT(strstr(text, "program <-> os"));
	ASSERT(!strstr(text, "auto close"));
	free(text);
}

static void should_show_in_the_report_that_the_front_makes_a_file_direct(void)
{
	char *text = report_of("* [ mio/direct | trace/stats ]", backward);

	ASSERT(strstr(text, "  oflags =0x4000=RDONLY  DIRECT\n") || O_DIRECT != 0x4000);
	ASSERT(strstr(text, "  DIRECT\n"));
	ASSERT(strstr(text, "\n  ill form "));
	free(text);
}

/* ---- what is read and written */

static void written_over(void)
{
	int fd = opened(O_RDWR);
	int plain = open(name, O_RDONLY | O_CLOEXEC);
	int64_t mine = 0, found;

	read_forward(fd, 0, 150 * MIB);
	/* The pages here have been evicted by now, so that MIO notices that reads in steps begin. */
	for (int64_t at = 120 * MIB + 3; at < SIZE - MIB; at += 777777) {
		mine++;
		ASSERT_EQUAL(sizeof(mine), MIO_pwrite(fd, &mine, sizeof(mine), at));
		ASSERT_EQUAL(sizeof(found), MIO_pread(fd, &found, sizeof(found), at));
		ASSERT_EQUAL(mine, found);
		/* The kernel has the bytes at once. */
		ASSERT_EQUAL(sizeof(found), pread(plain, &found, sizeof(found), at));
		ASSERT_EQUAL(mine, found);
		ASSERT_EQUAL(PIECE, MIO_pread(fd, piece, PIECE, at - PIECE / 2));
		memcpy(&found, piece + PIECE / 2, sizeof(found));
		ASSERT_EQUAL(mine, found);
	}
	/* Like a write of the program itself, this one does not wait for a device. */
	memset(piece, 1, 4096);
	ASSERT_EQUAL(4096, MIO_pwrite(fd, piece, 4096, 10 * MIB + 8192));
	ASSERT_EQUAL(1, mio_os_kernel_cache_has(plain, 10 * MIB + 8192, 4096));
	ASSERT_EQUAL(4096, pread(plain, piece + 4096, 4096, 10 * MIB + 8192));
	ASSERT(memcmp(piece, piece + 4096, 4096) == 0);
	ASSERT_EQUAL(0, MIO_ftruncate(fd, 200 * MIB + 5));
	ASSERT_EQUAL(5, MIO_pread(fd, piece, PIECE, 200 * MIB));
	ASSERT_EQUAL(5, pread(plain, piece, PIECE, 200 * MIB));
	ASSERT_EQUAL(3, MIO_pwrite(fd, "end", 3, 220 * MIB));
	ASSERT_EQUAL(PIECE, MIO_pread(fd, piece, PIECE, 220 * MIB - PIECE + 3));
	ASSERT(memcmp(piece + PIECE - 3, "end", 3) == 0 && piece[0] == 0 && piece[PIECE - 4] == 0);
	ASSERT_EQUAL(0, MIO_close(fd));
	ASSERT_EQUAL(220 * MIB + 3, lseek(plain, 0, SEEK_END));
	close(plain);
}

/* Changes the file through another open of it, which has no pages. */
static void changed_by_another(void)
{
	int fd = opened(O_RDONLY);
	int other = opened(O_RDWR);
	int64_t mine = -1, found;

	read_forward(fd, 0, 100 * MIB);
	for (int64_t at = 100 * MIB - PIECE; at < 140 * MIB; at += 4000001) {
		mine--;
		ASSERT_EQUAL(sizeof(found), MIO_pread(fd, &found, sizeof(found), at));
		ASSERT_EQUAL(sizeof(mine), MIO_pwrite(other, &mine, sizeof(mine), at));
		ASSERT_EQUAL(sizeof(found), MIO_pread(fd, &found, sizeof(found), at));
		ASSERT_EQUAL(mine, found);
	}
	ASSERT_EQUAL(0, MIO_ftruncate(other, 130 * MIB));
	ASSERT_EQUAL(0, MIO_pread(fd, piece, PIECE, 130 * MIB));
	ASSERT_EQUAL(100, MIO_pread(fd, piece, PIECE, 130 * MIB - 100));
	ASSERT_EQUAL(0, MIO_close(other));
	ASSERT_EQUAL(0, MIO_close(fd));
}

/* Changes the file by a descriptor that MIO does not know, as another process does. */
static void changed_elsewhere(void)
{
	int fd = opened(O_RDWR);
	int64_t theirs = -1, found;

	read_forward(fd, 0, 100 * MIB);
	for (int64_t at = 100 * MIB - PIECE; at < 140 * MIB; at += 4000001) {
		int other = open(name, O_WRONLY | O_CLOEXEC);

		theirs--;
		ASSERT_EQUAL(sizeof(found), MIO_pread(fd, &found, sizeof(found), at));
		ASSERT_EQUAL(sizeof(theirs), pwrite(other, &theirs, sizeof(theirs), at));
		ASSERT_EQUAL(sizeof(found), MIO_pread(fd, &found, sizeof(found), at));
		ASSERT_EQUAL(theirs, found);
		close(other);
	}
	ASSERT_EQUAL(0, truncate(name, 130 * MIB));
	ASSERT_EQUAL(0, MIO_pread(fd, piece, PIECE, 130 * MIB));
	ASSERT_EQUAL(100, MIO_pread(fd, piece, PIECE, 130 * MIB - 100));
	ASSERT_EQUAL(0, MIO_close(fd));
}

/* Closes the file while pages are under way. */
static void closed_early(void)
{
	int fd = opened(O_RDONLY);

	read_forward(fd, 0, 101 * MIB);
	ASSERT_EQUAL(0, MIO_close(fd));
}

static void at_random_later(void)
{
	int fd = opened(O_RDONLY);
	uint64_t seed = 1;

	read_forward(fd, 0, 120 * MIB);
	/* Each read is much shorter than the smallest block of a file system. */
	for (int i = 0; i < 80000; i++) {
		int64_t at;

		seed = seed * 6364136223846793005U + 1442695040888963407U;
		at = (int64_t)((seed >> 33) % (uint64_t)(SIZE - 4096)) / 512 * 512;
		ASSERT_EQUAL(100, MIO_pread(fd, piece, 100, at));
		ASSERT(is_right(piece, at, 100));
	}
	read_forward(fd, 150 * MIB, SIZE);
	ASSERT_EQUAL(0, MIO_close(fd));
}

/* Somebody writes the file where MIO cannot see it. */
static void mapped_meanwhile(void)
{
	int fd = opened(O_RDONLY);
	struct stat found;

	read_forward(fd, 0, 120 * MIB);
	ASSERT_EQUAL(0, stat(name, &found));
	mio_door_unseen((uint64_t)found.st_dev, (uint64_t)found.st_ino);
	read_forward(fd, 120 * MIB / PIECE * PIECE, SIZE);
	ASSERT_EQUAL(0, MIO_close(fd));
	mio_pf_mapped_is_new((uint64_t)found.st_dev, (uint64_t)found.st_ino);
}

/* The process needs more memory meanwhile. */
static void while_memory_is_needed(void)
{
	int fd = opened(O_RDONLY);

	read_forward(fd, 0, 120 * MIB);
	room = 15 * MIB;
	for (int i = 0; i < 3; i++)
		read_forward(fd, 0, SIZE);
	ASSERT_EQUAL(0, MIO_close(fd));
}

static _Atomic int64_t pieces;
static int shared;

static void *read_on(void *context)
{
	char *memory = malloc(PIECE);

	(void)context;
	ASSERT(memory);
	while (MIO_read(shared, memory, PIECE) == PIECE)
		atomic_fetch_add(&pieces, 1);
	free(memory);
	return NULL;
}

/* Threads that share the position get every piece exactly once, while pages are taken. */
static void one_position(void)
{
	pthread_t threads[THREADS];

	shared = opened(O_RDONLY);
	for (int i = 0; i < THREADS; i++)
		ASSERT_EQUAL(0, pthread_create(&threads[i], NULL, read_on, NULL));
	for (int i = 0; i < THREADS; i++)
		ASSERT_EQUAL(0, pthread_join(threads[i], NULL));
	ASSERT_EQUAL(SIZE / PIECE, atomic_load(&pieces));
	ASSERT_EQUAL(SIZE, MIO_lseek64(shared, 0, SEEK_CUR));
	ASSERT_EQUAL(0, MIO_close(shared));
}

/* The child reads on through the kernel where its parent was, and so does the parent. */
static void forked(void)
{
	int fd = opened(O_RDONLY);
	int status;
	pid_t child;

	read_forward(fd, 0, 110 * MIB);
	child = fork();
	ASSERT(child >= 0);
	if (child == 0) {
		read_forward(fd, 110 * MIB, 200 * MIB);
		_exit(0);
	}
	ASSERT_EQUAL(child, waitpid(child, &status, 0));
	ASSERT_EQUAL(0, status);
	ASSERT_EQUAL(110 * MIB + 90 * MIB / PIECE * PIECE, MIO_lseek64(fd, 0, SEEK_CUR));
	read_forward(fd, 200 * MIB, SIZE);
	ASSERT_EQUAL(0, MIO_close(fd));
}

static void should_read_and_write_what_a_plain_file_would(void)
{
	expect(1, 0, written_over);
	expect(1, 0, changed_by_another);
	expect(1, 0, changed_elsewhere);
	expect(1, 0, closed_early);
	expect(1, 1, at_random_later);
	expect(1, 0, while_memory_is_needed);
	ASSERT_EQUAL(1, given_for_memory);
	room = 64 * MIB;
	expect(1, 0, mapped_meanwhile);
	ASSERT_EQUAL(1, given_as_unseen);
	expect(1, 0, one_position);
	expect(1, 0, forked);
}

int main(void)
{
	if (!is_served())
		return 77;
	RUN(should_read_past_the_kernels_cache_what_does_not_fit_memory);
	RUN(should_go_by_the_memory_that_there_is_by_then);
	RUN(should_keep_its_pages_however_much_is_ahead);
	RUN(should_decide_nothing_where_the_memory_that_there_is_is_not_known);
	RUN(should_take_small_pages_for_smaller_requests_where_the_file_does_not_fit_memory);
	RUN(should_keep_threads_apart_only_while_there_may_be_pages);
	RUN(should_tell_the_kernel_nothing_where_its_cache_is_not_used);
	RUN(should_show_in_the_report_that_the_front_makes_a_file_direct);
	RUN(should_read_and_write_what_a_plain_file_would);
	return TEST_RESULT();
}

/*
 * Other processes, and the program itself, write to a file of which an open under pf/auto has small pages. Tests when the pages
 * serve reads, by the blocks of the report, and that every read returns the bytes of the moment.
 */
#include "capi_pages.h"

#include "../src/common/clock.h"

#include <pthread.h>
#include <stdatomic.h>

/* Takes so long that the program may have waited for another process meanwhile. */
static void do_something_else(void)
{
	int64_t began = mio_clock_ns();

	while (mio_clock_ns() - began < 20000)
		;
}

/* Writes by a descriptor that MIO does not know, as another process does. */
static void write_elsewhere(const char *bytes, size_t count, int64_t offset)
{
	int other = open(name, O_WRONLY | O_CLOEXEC);

	ASSERT(other >= 0);
	ASSERT_EQUAL(count, pwrite(other, bytes, count, offset));
	close(other);
	do_something_else();
}

enum { ROUNDS = 20, LONG = 60000 };

/* A new open for each round, because an open leaves a file that others change to the kernel from then on. */
static int opened_old(int oflags)
{
	int fd;

	test_until_old(name);
	fd = opened(oflags);
	read_records(fd, 500);
	return fd;
}

/* Bytes that another process writes are read, also next to writes of the program. */
static void changed_elsewhere(void)
{
	for (int i = 0; i < ROUNDS; i++) {
		int fd = opened_old(O_RDWR);
		char mine[4] = {'a', (char)i, 1, 2};
		char theirs[4] = {'b', (char)i, 3, 4};
		char found[4];

		for (int j = 0; j < 3; j++) {
			theirs[3] = (char)j;
			write_elsewhere(theirs, 4, 50000 + 100 * i);
			ASSERT_EQUAL(4, MIO_pread(fd, found, 4, 50000 + 100 * i));
			ASSERT(memcmp(theirs, found, 4) == 0);
			ASSERT_EQUAL(4, MIO_pwrite(fd, mine, 4, 50000 + 100 * i + 50));
			ASSERT_EQUAL(4, MIO_pread(fd, found, 4, 50000 + 100 * i + 50));
			ASSERT(memcmp(mine, found, 4) == 0);
		}
		MIO_close(fd);
	}
}

/* The same right before a write of the program, which checks the file first. */
static void changed_before_a_write(void)
{
	for (int i = 0; i < ROUNDS; i++) {
		int fd = opened_old(O_RDWR);
		int other = open(name, O_WRONLY | O_CLOEXEC);
		char theirs[4] = {'c', (char)i, 3, 4};
		char found[4];

		ASSERT(other >= 0);
		for (int hits = 0; hits < 2000; hits++)
			ASSERT_EQUAL(4, MIO_pread(fd, found, 4, 50000 + 100 * i));
		ASSERT_EQUAL(4, pwrite(other, theirs, 4, 50000 + 100 * i));
		ASSERT_EQUAL(4, MIO_pwrite(fd, "mine", 4, 400000 + 4 * i));
		ASSERT_EQUAL(4, MIO_pread(fd, found, 4, 50000 + 100 * i));
		ASSERT(memcmp(theirs, found, 4) == 0);
		close(other);
		MIO_close(fd);
	}
}

static _Atomic int writing;
static int elsewhere;
static int64_t write_ns;		/* time that the last write of the other process took */

/* A single write may take up to 50 ms: a longer one may leave old bytes in pages (docs/Auto.md). On a busy machine its thread may be held up that long. */
#define WRITE_NS_MAX 45000000

static void *write_long(void *argument)
{
	static char bytes[LONG];

	int64_t began;

	memset(bytes, *(int *)argument, LONG);
	began = mio_clock_ns();
	ASSERT_EQUAL(LONG, pwrite(elsewhere, bytes, LONG, BYTES - LONG));
	write_ns = mio_clock_ns() - began;
	atomic_store(&writing, 0);
	return NULL;
}

/* Another process writes the end of the file while the program does something, and the program reads all of it afterwards. */
static void write_again_and_again(int oflags, void (*meanwhile)(int fd))
{
	for (int i = 0; i < ROUNDS; i++) {
		int fd = opened_old(oflags);
		char found;

		elsewhere = open(name, O_WRONLY | O_CLOEXEC);
		ASSERT(elsewhere >= 0);
		for (int j = 100; j < 150; j++) {
			pthread_t writer;

			ASSERT_EQUAL(1, MIO_pread(fd, &found, 1, BYTES - 1));
			atomic_store(&writing, 1);
			ASSERT_EQUAL(0, pthread_create(&writer, NULL, write_long, &j));
			while (atomic_load(&writing)) {
				meanwhile(fd);
				ASSERT_EQUAL(1, MIO_pread(fd, &found, 1, BYTES - 1));
			}
			pthread_join(writer, NULL);
			do_something_else();
			ASSERT_EQUAL(1, MIO_pread(fd, &found, 1, BYTES - 1));
			if (write_ns <= WRITE_NS_MAX)
				ASSERT_EQUAL((char)j, found);
		}
		close(elsewhere);
		MIO_close(fd);
	}
}

static void rest(int fd)
{
	(void)fd;
	do_something_else();
}

/* The kernel has set the file's time for a write that is still going on, but not all its bytes. */
static void changed_meanwhile(void)
{
	write_again_and_again(O_RDONLY, rest);
}

static void write_too(int fd)
{
	static char mine[LONG];

	ASSERT_EQUAL(LONG, MIO_pwrite(fd, mine, LONG, BYTES - 2 * LONG));
}

/* The kernel need not set a new time for a write that waits for a write of the program. */
static void changed_beside_a_write(void)
{
	write_again_and_again(O_RDWR, write_too);
}

/* An open gets no pages while that write may still be going on. */
static void read_while_young(int fd)
{
	write_elsewhere("new", 3, BYTES - 3);
	for (int i = 0; i < 1000 && test_age(name) < 40000000; i++)
		read_records(fd, 1);
}

static void young(void)
{
	int fd = opened(O_RDONLY);

	read_while_young(fd);
	MIO_close(fd);
}

static void older_then(void)
{
	int fd = opened(O_RDONLY);

	read_while_young(fd);
	test_until_old(name);
	read_records(fd, 100);
	ASSERT_EQUAL(3, MIO_pread(fd, record_of_main, 3, BYTES - 3));
	ASSERT(memcmp(record_of_main, "new", 3) == 0);
	MIO_close(fd);
}

/* Waits until no write can be going on any more: the thread may have been held up after the write had set the file's time. */
static void until_over(int64_t written_ns)
{
	test_until_old(name);
	while (mio_clock_ns() - written_ns < 60000000)
		usleep(1000);
}

/* After a write of the program the kernel serves for a while, and then the pages serve again. */
static void changed_here(void)
{
	int fd = opened_old(O_RDWR);

	for (int i = 0; i < 5; i++) {
		char mine[4] = {'a', (char)i, 1, 2};
		int64_t written;

		ASSERT_EQUAL(4, MIO_pwrite(fd, mine, 4, 60000 + i));
		written = mio_clock_ns();
		for (int j = 0; j < 100; j++)
			ASSERT_EQUAL(4, MIO_pread(fd, record_of_main, 4, 60000 + i));
		ASSERT(memcmp(record_of_main, mine, 4) == 0);
		until_over(written);
		for (int j = 0; j < 1000; j++) {
			ASSERT_EQUAL(RECORD, MIO_pread(fd, record_of_main, RECORD, j * 50));
			ASSERT(is_right(record_of_main, j * 50, RECORD));
		}
	}
	MIO_close(fd);
}

/* When another process has cut the file, there is nothing past the new end. */
static void cut_elsewhere(void)
{
	int fd = opened(O_RDONLY);
	char found[200];

	read_records(fd, 500);
	ASSERT_EQUAL(0, truncate(name, 30000));
	do_something_else();
	ASSERT_EQUAL(0, MIO_pread(fd, found, sizeof(found), 40000));
	ASSERT_EQUAL(100, MIO_pread(fd, found, sizeof(found), 29900));
	MIO_close(fd);
}

/* The same with pages of any rule, once the program has been told the new size. */
static void cut_and_told(void)
{
	int fd = opened(O_RDONLY);
	char found[200];
	struct stat told;

	read_records(fd, 500);
	ASSERT_EQUAL(0, truncate(name, 30000));
	ASSERT_EQUAL(0, MIO_fstat(fd, &told));
	ASSERT_EQUAL(30000, told.st_size);
	ASSERT_EQUAL(0, MIO_pread(fd, found, sizeof(found), 40000));
	ASSERT_EQUAL(100, MIO_pread(fd, found, sizeof(found), 29900));
	MIO_close(fd);
}

/*
 * Another open of the file, by another name, shares the pages and writes behind. While the file is not calm the kernel serves, and it has to have what
 * that open has written.
 */
static void written_behind(void)
{
	int64_t end = BYTES;
	int fd = opened(O_RDONLY), other;
	char behind[520], mine[4], found[4];
	struct iovec halves[] = {{found, 2}, {found + 2, 2}};

	snprintf(behind, sizeof(behind), "%s.behind", name);
	unlink(behind);
	ASSERT_EQUAL(0, link(name, behind));
	test_until_old(name);
	read_records(fd, 500);
	other = MIO_open(behind, O_RDWR, 0, NULL);
	ASSERT(other >= 0);
	for (int i = 0; i < 100; i++) {
		memset(mine, i, sizeof(mine));
		ASSERT_EQUAL(4, MIO_pwrite(other, mine, 4, 50000));
		ASSERT_EQUAL(4, MIO_pwrite(other, mine, 4, end));
		if (i % 10 == 0)
			ASSERT_EQUAL(0, MIO_fsync(other));
		do_something_else();
		ASSERT_EQUAL(4, MIO_pread(fd, found, 4, 50000));
		ASSERT(memcmp(mine, found, 4) == 0);
		ASSERT_EQUAL(end, MIO_lseek64(fd, end, SEEK_SET));
		ASSERT_EQUAL(4, MIO_readv(fd, halves, 2));
		ASSERT(memcmp(mine, found, 4) == 0);
		end += 4;
	}
	MIO_close(other);
	MIO_close(fd);
	unlink(behind);
}

static void should_read_what_another_open_has_written_behind(void)
{
	ASSERT_EQUAL(1, pages_under("*.behind [ pf/cache=1m/page=64k/private/stats ] * [ pf/auto/stats ]", written_behind));
}

static void should_read_what_another_process_has_made_of_the_file(void)
{
	ASSERT_EQUAL(ROUNDS, pages_of(changed_elsewhere));
	ASSERT_EQUAL(ROUNDS, pages_of(changed_before_a_write));
	ASSERT_EQUAL(ROUNDS, pages_of(changed_meanwhile));
	ASSERT_EQUAL(ROUNDS, pages_of(changed_beside_a_write));
	ASSERT_EQUAL(1, pages_of(cut_elsewhere));
	ASSERT_EQUAL(1, pages_of(cut_and_told));
	pages_under("* [ pf/cache=1m/page=64k/through ]", cut_and_told);
}

static void should_use_pages_while_the_file_is_calm(void)
{
	char *text = report_under("* [ pf/auto/stats ]", BYTES, changed_here);
	const char *served = strstr(text, "program <--");

	ASSERT_EQUAL(1, count_of("pf close for private cache", text));
	/* The pages served the reads before a write, and those after it was over. */
	ASSERT(served);
	ASSERT(strtoll(served + strlen("program <--"), NULL, 10) >= 5 * 900 * RECORD);
	ASSERT_EQUAL(0, count_of("no-pages", text));
	free(text);
	ASSERT_EQUAL(0, pages_of(young));
	ASSERT_EQUAL(1, pages_of(older_then));
}

int main(void)
{
	if (!test_auto_serves(test_directory())) {
		printf("skipped: pf/auto leaves files of this file system to the kernel\n");
		return 77;
	}
	RUN(should_use_pages_while_the_file_is_calm);
	RUN(should_read_what_another_process_has_made_of_the_file);
	RUN(should_read_what_another_open_has_written_behind);
	return TEST_RESULT();
}

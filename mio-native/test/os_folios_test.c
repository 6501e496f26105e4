/* Readahead in large folios, on a real file. The files are made in MIO_TEST_DIR, on the file system of the build. */
#include "../src/os/os_folios.h"
#include "../src/os/os_kernel_cache.h"
#include "../src/os/os_release.h"
#include "assert.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

#define MIB ((int64_t)1 << 20)
#define NO_FOLIOS "the kernel keeps no files of this file system in large folios, or does not tell what it keeps"

enum { SIZE = 32 << 20, PAGE = 4096, EXT4 = 0xEF53, XFS = 0x58465342, TMPFS = 0x01021994 };

static char file[4096];
static char memory[1 << 20];
static int fd, one, other;
static int64_t reach, longest;

/* Drops the file from the kernel's cache. Pages that the kernel is just moving stay, so this is repeated. */
static void drop(void)
{
	int64_t left = 1;

	for (int tries = 0; left > 0 && tries < 1000; tries++) {
		ASSERT_EQUAL(0, fsync(fd));
		ASSERT_EQUAL(0, posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED));
		left = mio_os_kernel_cache_pages(fd, 0, SIZE);
		sched_yield();
	}
	ASSERT_EQUAL(0, left);
}

/* Makes a file of which the kernel has no pages, and opens it twice for reading. Returns 0 if there is nothing to test here. */
static int make_file(void)
{
	const char *dir = getenv("MIO_TEST_DIR");
	struct stat found;

	ASSERT(snprintf(file, sizeof(file), "%s/os_folios_test.XXXXXX", dir ? dir : ".") < (int)sizeof(file));
	fd = mkstemp(file);
	ASSERT(fd >= 0);
	one = open(file, O_RDONLY | O_CLOEXEC);
	other = open(file, O_RDONLY | O_CLOEXEC);
	ASSERT(one >= 0 && other >= 0);
	unlink(file);
	ASSERT_EQUAL(0, fstat(fd, &found));
	reach = mio_os_kernel_cache_reach(found.st_dev);
	longest = mio_os_kernel_cache_longest(found.st_dev);
	if (!mio_os_folios_are_large(fd, reach) || mio_os_kernel_cache_pages(fd, 0, 1) < 0)
		return 0;
	for (int64_t at = 0; at < SIZE; at += MIB) {
		for (int64_t page = 0; page < MIB / PAGE; page++)
			*(int64_t *)(void *)(memory + page * PAGE) = at + page * PAGE;
		ASSERT_EQUAL(MIB, pwrite(fd, memory, MIB, at));
	}
	ASSERT_EQUAL(0, fsync(fd));
	drop();
	return 1;
}

static void end(void)
{
	close(other);
	close(one);
	close(fd);
}

static void read_and_compare(int64_t offset, int64_t length)
{
	for (int64_t at = offset; at < offset + length; at += PAGE) {
		int64_t part = offset + length - at < PAGE ? offset + length - at : PAGE;

		if (at % (64 * PAGE) == 0)
			ASSERT_EQUAL(part, pread(fd, memory, (size_t)part, at));
		else
			ASSERT_EQUAL(part, pread(other, memory, (size_t)part, at));
		if (at % PAGE == 0)
			ASSERT_EQUAL(at, *(int64_t *)(void *)memory);
	}
}

static int there(int64_t pages)
{
	return mio_os_kernel_cache_pages(fd, 0, SIZE) == pages;
}

/* Returns 0 if pages are missing or too many. The kernel may reclaim pages at any time, and reads ahead by itself when the program misses one. */
static int is_read_ahead(int64_t from, int64_t asked, int64_t length)
{
	int64_t pages = (from + length + PAGE - 1) / PAGE - from / PAGE;

	errno = ERANGE;
	ASSERT_EQUAL(0, mio_os_folios_read_ahead(one, other, from, asked, reach, longest));
	ASSERT_EQUAL(ERANGE, errno);
	if (!there(pages) || !mio_os_kernel_cache_has(fd, from, length))
		return 0;
	/* The program reads the whole range. */
	for (int64_t at = from; at < from + length; at += MIB)
		ASSERT(pread(fd, memory, (size_t)(from + length - at < MIB ? from + length - at : MIB), at) > 0);
	return there(pages);
}

/* All pages of the range are there afterwards and no others, also once the program has read them. */
static void should_read_what_it_is_told_and_no_more(void)
{
	/* No range begins a few pages after the one before: the kernel would take that for a stream if the file was dropped in between. */
	static const int64_t ranges[][2] = {
		{4 * MIB, MIB},		   {10 * MIB + 12345, MIB}, {5 * MIB, 256 << 10}, {0, 2 * MIB},	     {7 * MIB, 3 * MIB},
		{4 * MIB, 4 * MIB},	   {3 * MIB, 8 * MIB},	   {9 * MIB, 300000},	 {16 * MIB, 100000}, {11 * MIB, 257 << 10},
		{SIZE - MIB, MIB},	   {SIZE - MIB, 4 * MIB},  {20 * MIB, 11 * MIB},
	};

	if (!make_file()) {
		end();
		SKIP(NO_FOLIOS);
	}
	for (int round = 0; round < 6; round++) {
		for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++) {
			int64_t from = ranges[i][0];
			int64_t length = from + ranges[i][1] > SIZE ? SIZE - from : ranges[i][1];
			int tries = 10;

			while (!is_read_ahead(from, ranges[i][1], length) && --tries > 0)
				drop();
			ASSERT(tries > 0);
			if (from % PAGE == 0)
				read_and_compare(from, length);
			drop();
		}
	}
	end();
}

static void should_tell_of_what_is_partly_there(void)
{
	int tries = 10;

	if (!make_file()) {
		end();
		SKIP(NO_FOLIOS);
	}
	for (;;) {
		ASSERT_EQUAL(PAGE, pread(other, memory, PAGE, 4 * MIB + 100 * PAGE));
		ASSERT_EQUAL(0, mio_os_folios_read_ahead(one, other, 4 * MIB, MIB, reach, longest));
		if (there(MIB / PAGE) && mio_os_kernel_cache_has(fd, 4 * MIB, MIB))
			break;
		/* The kernel has reclaimed some pages. */
		ASSERT(--tries > 0);
		drop();
	}
	read_and_compare(4 * MIB, MIB);
	end();
}

static void should_refuse_what_is_no_file(void)
{
	int ends[2];

	ASSERT_EQUAL(0, pipe(ends));
	ASSERT_EQUAL(0, mio_os_folios_are_large(ends[0], MIB));
	ASSERT(mio_os_folios_read_ahead(ends[0], ends[0], 0, MIB, 128 << 10, MIB) < 0);
	ASSERT(mio_os_folios_read_ahead(-1, -1, 0, MIB, 128 << 10, MIB) < 0);
	close(ends[0]);
	close(ends[1]);
}

/* The pages that the kernel reads for a request at a mark: a summary of mm/readahead.c of Linux 6.18. */
static int64_t read_at_mark(int64_t request, int64_t reach_pages, int64_t device_pages)
{
	int64_t most = request > reach_pages && device_pages > reach_pages ? (request < device_pages ? request : device_pages) : reach_pages;
	int64_t size = 1 + request;

	return size < most / 16 ? 4 * size : size <= most / 2 ? 2 * size : most;
}

static void should_ask_for_as_much_as_is_wanted(void)
{
	static const int64_t reaches[] = {32, 64, 128, 1024, 2048, 4096};

	for (size_t i = 0; i < sizeof(reaches) / sizeof(reaches[0]); i++) {
		for (int64_t pages = 51; pages <= 1011; pages++) {
			int64_t request = mio_os_folios_request(pages, reaches[i]);

			ASSERT(request > 0);
			ASSERT(read_at_mark(request, reaches[i], 1280 / 4) <= pages);
			if (pages <= reaches[i] || pages <= 1280 / 4)
				ASSERT(read_at_mark(request, reaches[i], 1280 / 4) > pages - 4);
		}
	}
}

static void should_know_file_systems(void)
{
	ASSERT_EQUAL(0, mio_os_folios_are_known(EXT4, MIO_OS_RELEASE(6, 16)));
	ASSERT_EQUAL(1, mio_os_folios_are_known(EXT4, MIO_OS_RELEASE(6, 17)));
	ASSERT_EQUAL(1, mio_os_folios_are_known(EXT4, MIO_OS_RELEASE(7, 0)));
	ASSERT_EQUAL(0, mio_os_folios_are_known(XFS, MIO_OS_RELEASE(5, 18)));
	ASSERT_EQUAL(1, mio_os_folios_are_known(XFS, MIO_OS_RELEASE(6, 17)));
	ASSERT_EQUAL(0, mio_os_folios_are_known(EXT4, 0));
	ASSERT_EQUAL(0, mio_os_folios_are_known(TMPFS, MIO_OS_RELEASE(6, 18)));
}

int main(void)
{
	RUN(should_read_what_it_is_told_and_no_more);
	RUN(should_tell_of_what_is_partly_there);
	RUN(should_refuse_what_is_no_file);
	RUN(should_ask_for_as_much_as_is_wanted);
	RUN(should_know_file_systems);
	return TEST_RESULT();
}

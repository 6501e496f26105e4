/* The kernel's cache of a real file. The files are made in MIO_TEST_DIR, on the file system of the build. */
#include "../src/os/os_file.h"
#include "../src/os/os_kernel_cache.h"
#include "assert.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sched.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#define MIB ((int64_t)1 << 20)

enum { SIZE = 16 << 20, PIECE = 64 << 10, TRIES = 10 };

static char file[4096];
static char memory[1 << 20];

/* Drops the file from the kernel's cache. Pages that the kernel is just moving stay, so this is repeated. */
static void drop(int fd)
{
	int64_t left = 1;

	for (int tries = 0; left > 0 && tries < 1000; tries++) {
		ASSERT_EQUAL(0, fsync(fd));
		ASSERT_EQUAL(0, posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED));
		left = mio_os_kernel_cache_pages(fd, 0, SIZE);
		sched_yield();
	}
	ASSERT(left <= 0);
}

static int open_file(void)
{
	const char *dir = getenv("MIO_TEST_DIR");
	int fd;

	ASSERT(snprintf(file, sizeof(file), "%s/os_kernel_cache_test.XXXXXX", dir ? dir : ".") < (int)sizeof(file));
	fd = mkstemp(file);
	ASSERT(fd >= 0);
	unlink(file);
	return fd;
}

/* Makes a file of which the kernel has no pages. */
static int make_file(void)
{
	int fd = open_file();

	for (int64_t at = 0; at < SIZE; at += MIB) {
		memory[0] = (char)(at / MIB);
		ASSERT_EQUAL(MIB, pwrite(fd, memory, MIB, at));
	}
	drop(fd);
	return fd;
}

static int64_t reach_of(int fd)
{
	struct stat found;

	ASSERT_EQUAL(0, fstat(fd, &found));
	return mio_os_kernel_cache_reach(found.st_dev);
}

static void should_know_what_is_there(void)
{
	int fd = make_file();
	int tries = TRIES;

	errno = ERANGE;
	if (mio_os_kernel_cache_has(fd, 0, 1) < 0) {
		close(fd);
		SKIP("the kernel's cache cannot be looked into here");
	}
	ASSERT_EQUAL(0, mio_os_kernel_cache_has(fd, 8 * MIB, PIECE));
	/* The kernel may reclaim pages at any time. */
	do
		ASSERT_EQUAL(MIB, pread(fd, memory, MIB, 8 * MIB));
	while (mio_os_kernel_cache_has(fd, 8 * MIB, MIB) != 1 && --tries > 0);
	ASSERT(tries > 0);
	ASSERT_EQUAL(1, mio_os_kernel_cache_sees(fd, 9 * MIB - 1));
	ASSERT_EQUAL(0, mio_os_kernel_cache_sees(fd, 2 * MIB));
	/* 1 if it cannot be told. */
	ASSERT_EQUAL(1, mio_os_kernel_cache_sees(-1, 0));
	ASSERT_EQUAL(ERANGE, errno);
	close(fd);
}

/* Returns 0 if some of what the kernel has read ahead is missing: it may reclaim pages at any time. */
static int reads_on(int fd)
{
	int found;

	ASSERT_EQUAL(MIB, pread(fd, memory, MIB, 4 * MIB));
	/* From now on the kernel's readahead follows another place. */
	ASSERT_EQUAL(PIECE, pread(fd, memory, PIECE, 12 * MIB));
	ASSERT_EQUAL(0, mio_os_kernel_cache_has(fd, 5 * MIB, PIECE));
	errno = ERANGE;
	found = mio_os_kernel_cache_nudge(fd, 5 * MIB, PIECE) && mio_os_kernel_cache_has(fd, 5 * MIB, MIB) == 1;
	ASSERT_EQUAL(ERANGE, errno);
	return found;
}

static void should_have_the_kernel_read_on_behind_what_it_has(void)
{
	int fd = make_file();
	int tries = TRIES;

	if (mio_os_kernel_cache_has(fd, 0, 1) < 0 || reach_of(fd) < MIB) {
		close(fd);
		SKIP("the kernel reads less than 1 MB ahead here, or cannot be asked");
	}
	while (!reads_on(fd) && --tries > 0)
		drop(fd);
	ASSERT(tries > 0);
	/* The kernel reads on no further than as much as was cached before that place. */
	ASSERT_EQUAL(0, mio_os_kernel_cache_has(fd, 6 * MIB + PIECE, PIECE));
	close(fd);
}

static void should_say_that_the_kernel_does_not_read_on(void)
{
	int fd = make_file();

	if (mio_os_kernel_cache_has(fd, 0, 1) < 0) {
		close(fd);
		SKIP("the kernel's cache cannot be looked into here");
	}
	ASSERT_EQUAL(0, posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM));
	ASSERT_EQUAL(MIB, pread(fd, memory, MIB, 4 * MIB));
	ASSERT_EQUAL(1, pread(fd, memory, 1, 5 * MIB));
	if (mio_os_kernel_cache_has(fd, 5 * MIB, PIECE) == 1) {
		close(fd);
		SKIP("what is compressed comes as a whole here");
	}
	ASSERT_EQUAL(0, mio_os_kernel_cache_nudge(fd, 5 * MIB, PIECE));
	ASSERT_EQUAL(1, mio_os_kernel_cache_nudge(-1, 5 * MIB, PIECE));
	close(fd);
}

static void should_tell_what_a_call_takes(void)
{
	int fd = make_file();
	int64_t first;

	ASSERT_EQUAL(-EBADF, mio_os_kernel_cache_call_ns(-1, 0));
	ASSERT_EQUAL(-ENODATA, mio_os_kernel_cache_call_ns(fd, SIZE));
	first = mio_os_kernel_cache_call_ns(fd, 0);
	ASSERT(first > 0 && first < 1000000000);
	/* The time is measured only once, and returned even where it could not be measured. */
	ASSERT_EQUAL(first, mio_os_kernel_cache_call_ns(-1, 0));
	close(fd);
}

int main(void)
{
	int fd = open_file();
	int is_kept = mio_os_file_place(fd) == MIO_OS_PLACE_MEMORY;
	struct statfs found;

	ASSERT_EQUAL(0, fstatfs(fd, &found));
	close(fd);
	if (is_kept || found.f_type == OVERLAYFS_SUPER_MAGIC) {
		printf("skipped: files in memory cannot be dropped from it, and those of an overlay are not shown\n");
		return 77;
	}
	RUN(should_know_what_is_there);
	RUN(should_have_the_kernel_read_on_behind_what_it_has);
	RUN(should_say_that_the_kernel_does_not_read_on);
	RUN(should_tell_what_a_call_takes);
	return TEST_RESULT();
}

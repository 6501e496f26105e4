#ifndef MIO_TEST_CAPI_LARGE_H
#define MIO_TEST_CAPI_LARGE_H

/*
 * For tests of opens under pf/auto that read a large file past the kernel's cache: the file, which is mostly holes, and what the report says of its opens.
 * mio_os_room is the test's own and says how much memory could keep the file.
 */

#include "capi_api.h"

#include "../src/os/os_direct.h"
#include "../src/os/os_kernel_cache.h"
#include "../src/os/os_room.h"

#define MIB ((int64_t)1 << 20)
#define SIZE (224 * MIB)
#define PIECE (100 * 1024)

static char name[512];
static char stats[512];
static char piece[PIECE];
static int64_t room = 64 * MIB;
/* mio_os_room returns room this many times, and later_room from then on. */
static int questions = INT32_MAX;
static int64_t later_room;

int64_t mio_os_room(void)
{
	return questions-- > 0 ? room : later_room;
}

/* The stamp at the beginning of every MiB; 0 at other offsets. */
static int64_t stamp_of(int64_t offset)
{
	return offset % MIB == 0 ? offset * 31 + 7 : 0;
}

static void make_file_at(const char *path)
{
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	ASSERT(fd >= 0);
	ASSERT_EQUAL(0, ftruncate(fd, SIZE));
	for (int64_t at = 0; at < SIZE; at += MIB) {
		int64_t stamp = stamp_of(at);

		ASSERT_EQUAL(sizeof(stamp), pwrite(fd, &stamp, sizeof(stamp), at));
	}
	ASSERT_EQUAL(0, fsync(fd));
	ASSERT_EQUAL(0, posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED));
	ASSERT_EQUAL(0, close(fd));
}

static void make_file(void)
{
	make_file_at(test_name(name, sizeof(name), "direct"));
}

/* 1 if the test directory has direct I/O, and the kernel can be asked for its cache. */
static int is_possible(void)
{
	struct mio_os_direct_limits limits;
	int fd, asked, is_seen, is_direct;

	make_file();
	fd = open(name, O_RDONLY | O_DIRECT | O_CLOEXEC);
	if (fd >= 0)
		close(fd);
	/* Some file systems look for other pages than those that a read fills, and so never find any. */
	asked = open(name, O_RDONLY | O_CLOEXEC);
	ASSERT_EQUAL(1, pread(asked, piece, 1, 0));
	is_seen = mio_os_kernel_cache_has(asked, 0, 1) > 0;
	/* With journalled data such a file can be opened, but is read through the kernel's cache. */
	is_direct = fd >= 0 && (mio_os_direct_limits_of(asked, &limits) != MIO_OS_DIRECT_TOLD || limits.offset_align_bytes > 0);
	close(asked);
	unlink(name);
	return is_direct && is_seen;
}

/* 1 if files are read past the kernel's cache here; else says why not. */
static int is_served(void)
{
	if (!test_auto_serves(test_directory()))
		puts("skipped: pf/auto leaves files of this file system to the kernel");
	else if (!is_possible())
		puts("skipped: no direct I/O here, a kernel before 6.5, or a file system whose cache it does not see");
	else
		return 1;
	return 0;
}

static int is_right(const char *memory, int64_t offset, int64_t length)
{
	int64_t at = (offset + MIB - 1) / MIB * MIB;

	for (; at + (int64_t)sizeof(int64_t) <= offset + length; at += MIB) {
		int64_t found;

		memcpy(&found, memory + (at - offset), sizeof(found));
		if (found != stamp_of(at))
			return 0;
	}
	return 1;
}

static int opened(int oflags)
{
	int fd = MIO_open(name, oflags, 0600, NULL);

	ASSERT(fd >= 0);
	return fd;
}

static void read_forward(int fd, int64_t from, int64_t to)
{
	ASSERT_EQUAL(from, MIO_lseek64(fd, from, SEEK_SET));
	for (int64_t at = from; at + PIECE <= to; at += PIECE) {
		ASSERT_EQUAL(PIECE, MIO_read(fd, piece, PIECE));
		ASSERT(is_right(piece, at, PIECE));
	}
}

/* The report of the sentence's opens; the caller frees it. */
static char *report_of(const char *rule, void (*sentence)(void))
{
	char *text;

	make_file();
	test_until_old(name);
	unlink(test_name(stats, sizeof(stats), "direct.stats"));
	ASSERT_EQUAL(0, test_run_under(rule, stats, sentence));
	test_content(stats, &text);
	unlink(stats);
	unlink(name);
	return text;
}

static int count_of(const char *text, const char *part)
{
	int count = 0;

	for (; (text = strstr(text, part)) != NULL; text++)
		count++;
	return count;
}

#endif

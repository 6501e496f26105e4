#ifndef MIO_TEST_PLACE_H
#define MIO_TEST_PLACE_H

/* Properties of a file system that matter to MIO: whether pf/auto serves its files, and how fine its times are. */

#include "../src/os/os_file.h"

#include "assert.h"

#include <fcntl.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <time.h>
#include <unistd.h>

/* Whether pf/auto serves files in this directory. It leaves those in memory, on servers and on FUSE to the kernel. */
static inline int test_auto_serves(const char *directory)
{
	int fd = open(directory, O_PATH | O_CLOEXEC);
	int serves = fd >= 0 && mio_os_file_place(fd) == MIO_OS_PLACE_DISK;

	close(fd);
	return serves;
}

/* Whether two links are one file to the kernel. Some FUSE file systems cache each link by itself, so that a write by one is not seen by the other. */
static inline int test_links_agree(const char *directory)
{
	char name[4096], other[4096], byte = 0;
	int fd, agree;

	snprintf(name, sizeof(name), "%s/links.%ld.one", directory, (long)getpid());
	snprintf(other, sizeof(other), "%s/links.%ld.other", directory, (long)getpid());
	fd = open(name, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	ASSERT(fd >= 0 && write(fd, "a", 1) == 1 && pread(fd, &byte, 1, 0) == 1);
	ASSERT_EQUAL(0, link(name, other));
	agree = open(other, O_WRONLY | O_CLOEXEC);
	ASSERT(agree >= 0 && write(agree, "b", 1) == 1);
	close(agree);
	agree = pread(fd, &byte, 1, 0) == 1 && byte == 'b';
	close(fd);
	unlink(name);
	unlink(other);
	return agree;
}

/* Nanoseconds since the last change of the file (its ctime). */
static inline int64_t test_age(const char *path)
{
	struct timespec now;
	struct stat found;

	clock_gettime(CLOCK_REALTIME, &now);
	ASSERT_EQUAL(0, stat(path, &found));
	return (now.tv_sec - found.st_ctim.tv_sec) * INT64_C(1000000000) + now.tv_nsec - found.st_ctim.tv_nsec;
}

/*
 * Waits until the file is so old that no write of it can still be going on or have the same time. That takes two seconds where the
 * file system may keep no finer times.
 */
static inline void test_until_old(const char *path)
{
	static const long fine[] = {0xef53, 0x58465342, 0x9123683e, 0x01021994};
	int64_t least = INT64_C(2100000000);
	struct statfs found;

	ASSERT_EQUAL(0, statfs(path, &found));
	for (size_t i = 0; i < sizeof(fine) / sizeof(fine[0]); i++)
		if ((long)found.f_type == fine[i])
			least = 60000000;
	while (test_age(path) < least)
		usleep(1000);
}

#endif

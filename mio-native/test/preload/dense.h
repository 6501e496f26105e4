#ifndef MIO_TEST_PRELOAD_DENSE_H
#define MIO_TEST_PRELOAD_DENSE_H

/* Small requests close together: after 64 of them an open under pf/auto takes pages. */

#include "see.h"

/* MIO looks at a file that is only read if it is larger than 256 KiB. */
enum { DENSE_BYTES = 400000, DENSE_RECORD = 100, DENSE_ENOUGH = 70 };

/* Reads up to so many records at the position. Says how many bytes came, their digest, and the position afterwards. */
UNUSED static void dense_read(const char *what, int fd, int records)
{
	char record[DENSE_RECORD];
	uint64_t sum = DIGEST_BEGIN;
	long long bytes = 0;
	ssize_t got = 0;

	for (int i = 0; i < records; i++) {
		got = read(fd, record, sizeof(record));
		if (got <= 0)
			break;
		sum = digest_more(sum, record, (size_t)got);
		bytes += got;
	}
	say("%s: %lld bytes, the last read gave %zd, %016llx, at %lld", what, bytes, got, (unsigned long long)sum,
	    (long long)lseek(fd, 0, SEEK_CUR));
}

/* The same from an offset on, each record step bytes after the one before. The position does not change. */
UNUSED static void dense_pread(const char *what, int fd, int records, off_t from, off_t step)
{
	char record[DENSE_RECORD];
	uint64_t sum = DIGEST_BEGIN;
	long long bytes = 0;

	for (int i = 0; i < records; i++) {
		ssize_t got = pread(fd, record, sizeof(record), from + i * step);

		if (got <= 0)
			break;
		sum = digest_more(sum, record, (size_t)got);
		bytes += got;
	}
	say("%s: %lld bytes, %016llx, at %lld", what, bytes, (unsigned long long)sum, (long long)lseek(fd, 0, SEEK_CUR));
}

/* An open that MIO has looked at. One that only reads needs a call other than a read for that (door_waiting.c), here lseek. */
UNUSED static int dense_begin(const char *name, int flags)
{
	int fd;

	until_old(name);
	fd = open(name, flags, 0644);
	MUST(lseek(fd, 0, SEEK_CUR) == 0);
	return fd;
}

/* An open that has pages by now, where that is possible. Its position is 7000. */
UNUSED static int dense_open(const char *name, int flags)
{
	int fd = dense_begin(name, flags);

	dense_read(name, fd, DENSE_ENOUGH);
	return fd;
}

#endif

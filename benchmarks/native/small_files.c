/*
 * small_files.c: makes a directory of many small files, or opens, reads and closes each of them, in the order of their
 * numbers.
 *
 *   small_files make DIRECTORY FILES BYTES                 writes the files that are not there yet
 *   small_files drop DIRECTORY FILES BYTES                 drops the files from the kernel's cache
 *   small_files read DIRECTORY FILES BYTES RECORD ROUNDS   reads each file in requests of RECORD bytes
 *
 * "read" prints the calls of read, the bytes, and the nanoseconds of the best of ROUNDS rounds. The program knows nothing
 * of MIO.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char *directory;
static long files, bytes;

static void fail(const char *what, const char *name)
{
	fprintf(stderr, "small_files: %s %s: %s\n", what, name, strerror(errno));
	exit(1);
}

static int open_number(long number, int flags)
{
	char name[4096];
	int fd;

	snprintf(name, sizeof(name), "%s/%06ld", directory, number);
	fd = open(name, flags | O_CLOEXEC, 0600);
	if (fd < 0)
		fail("open", name);
	return fd;
}

static void make(long number, char *data)
{
	struct stat stat;
	int fd = open_number(number, O_WRONLY | O_CREAT);

	if (fstat(fd, &stat) != 0 || (stat.st_size != bytes && (ftruncate(fd, 0) != 0 || write(fd, data, (size_t)bytes) != bytes)))
		fail("write", directory);
	close(fd);
}

static void drop(long number)
{
	int fd = open_number(number, O_RDONLY);

	if (fdatasync(fd) != 0 || posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED) != 0)
		fail("drop", directory);
	close(fd);
}

static long read_all(long number, char *data, size_t record)
{
	int fd = open_number(number, O_RDONLY);
	long calls = 0, total = 0;
	ssize_t got;

	while ((got = read(fd, data, record)) > 0) {
		total += got;
		calls++;
	}
	if (got < 0 || total != bytes)
		fail("read", directory);
	close(fd);
	return calls;
}

static void rounds_of_reads(size_t record, long rounds)
{
	char *data = malloc(record);
	long long best = -1;
	long calls = 0;

	for (long round = 0; round < rounds; round++) {
		struct timespec began, ended;
		long long nanos;

		calls = 0;
		clock_gettime(CLOCK_MONOTONIC, &began);
		for (long i = 0; i < files; i++)
			calls += read_all(i, data, record);
		clock_gettime(CLOCK_MONOTONIC, &ended);
		nanos = (ended.tv_sec - began.tv_sec) * 1000000000LL + ended.tv_nsec - began.tv_nsec;
		best = best < 0 || nanos < best ? nanos : best;
	}
	printf("%ld %ld %lld\n", calls, files * bytes, best);
	free(data);
}

int main(int argc, char **argv)
{
	char *data;

	if (argc < 5) {
		fputs("usage: small_files make|drop|read DIRECTORY FILES BYTES [RECORD ROUNDS]\n", stderr);
		return 2;
	}
	directory = argv[2];
	files = atol(argv[3]);
	bytes = atol(argv[4]);
	if (strcmp(argv[1], "read") == 0) {
		if (argc < 7 || atol(argv[5]) <= 0)
			return 2;
		rounds_of_reads((size_t)atol(argv[5]), atol(argv[6]));
		return 0;
	}
	data = malloc((size_t)bytes);
	memset(data, 'x', (size_t)bytes);
	for (long i = 0; i < files; i++) {
		if (strcmp(argv[1], "make") == 0)
			make(i, data);
		else
			drop(i);
	}
	free(data);
	return 0;
}

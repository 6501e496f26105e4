/*
 * Makes requests whose bytes are in memory, to count what a call costs. instructions.sh runs this program.
 *
 *   requests FILE PATTERN CALLS
 *
 *   random    100 bytes
 *   mixed     100 bytes at random, of which every third is written
 *   strided   1 KB in steps of 16 KB
 *   nested    1 KB: eight steps of 4 KB in each 256 KB
 *
 * With "seek-" before its name a pattern uses lseek, read and write in place of pread and pwrite. FILE has 64 MiB.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FILE_BYTES = 64 << 20, SMALL = 100, KIB = 1024 };

static uint64_t state = 88172645463325252;

static uint64_t random_next(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static off_t offset_of(char pattern, long call)
{
	switch (pattern) {
	case 's':
		return call * 16 * KIB % FILE_BYTES;
	case 'n':
		return (call / 8 * 256 * KIB + call % 8 * 4 * KIB) % FILE_BYTES;
	default:
		return (off_t)(random_next() % (FILE_BYTES - SMALL));
	}
}

int main(int count, char **arguments)
{
	const char *pattern = count == 4 ? arguments[2] : "";
	int seeks = strncmp(pattern, "seek-", 5) == 0;
	long calls = count == 4 ? atol(arguments[3]) : 0;
	char first = pattern[seeks ? 5 : 0];
	size_t bytes = first == 's' || first == 'n' ? KIB : SMALL;
	char memory[KIB] = "";
	int fd;

	if (!first || !strchr("rmsn", first) || calls <= 0) {
		fprintf(stderr, "requests FILE [seek-]random|mixed|strided|nested CALLS\n");
		return 2;
	}
	fd = open(arguments[1], first == 'm' ? O_RDWR : O_RDONLY);
	for (long call = 0; call < calls; call++) {
		off_t offset = offset_of(first, call);
		int writes = first == 'm' && call % 3 == 0;
		ssize_t moved;

		if (!seeks)
			moved = writes ? pwrite(fd, memory, bytes, offset) : pread(fd, memory, bytes, offset);
		else if (lseek(fd, offset, SEEK_SET) != offset)
			moved = -1;
		else
			moved = writes ? write(fd, memory, bytes) : read(fd, memory, bytes);
		if (moved != (ssize_t)bytes) {
			perror("requests");
			return 1;
		}
	}
	return 0;
}

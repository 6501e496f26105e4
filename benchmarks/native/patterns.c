/*
 * Makes one pass over a file, and prints what it cost. patterns.sh runs this program with and without MIO.
 *
 *   patterns FILE PATTERN REQUEST_BYTES [cold|warm] [LIMIT_BYTES] [SEED]
 *
 * forward, backward, strided (every 16th request) and random read the file, at most LIMIT_BYTES. write makes the file
 * anew, of LIMIT_BYTES. hit reads the first MiB again and again; hit-at does so by pread, and hit-vector by readv into
 * two halves.
 *
 * cold: the file's pages are dropped from the kernel's cache first, and 128 MiB of memory are touched and given back.
 * Hosts take back memory that a virtual machine has not used for seconds, and give it again page by page; the next
 * program that uses it would be charged for that time.
 *
 * Prints: calls; bytes; nanoseconds from before the open to after the close; processor nanoseconds of all threads; and
 * for the hits the nanoseconds of a call in the quickest round.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static int64_t processor_ns(void)
{
	struct rusage used;

	getrusage(RUSAGE_SELF, &used);
	return ((int64_t)used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000000000 +
	       ((int64_t)used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1000;
}

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static void drop(const char *name)
{
	int fd = open(name, O_RDONLY);

	if (fd < 0)
		fail(name);
	fsync(fd);
	posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	close(fd);
}

static void have_memory_at_hand(void)
{
	size_t bytes = (size_t)128 << 20;
	char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		return;
	madvise(memory, bytes, MADV_HUGEPAGE);
	memset(memory, 1, bytes);
	munmap(memory, bytes);
}

/* Returns the offset of the call, or -1 after the last one. */
static int64_t offset_of(const char *pattern, int64_t call, int64_t calls, int64_t places, size_t bytes, uint64_t *seed)
{
	if (call >= calls)
		return -1;
	switch (pattern[0]) {
	case 'b':
		return (calls - 1 - call) * (int64_t)bytes;
	case 's':
		return call * 16 * (int64_t)bytes;
	case 'r':
		*seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
		return (int64_t)((*seed >> 20) % (uint64_t)places) * (int64_t)bytes;
	default:
		return call * (int64_t)bytes;
	}
}

static ssize_t hit(int fd, char *memory, size_t bytes, int64_t at, char way)
{
	struct iovec halves[] = {{memory, bytes / 2}, {memory + bytes / 2, bytes - bytes / 2}};

	return way == 'a' ? pread(fd, memory, bytes, at) : way == 'v' ? readv(fd, halves, 2) : read(fd, memory, bytes);
}

/* way is the first letter after the dash of hit-at and hit-vector, and 0 for hit. */
static int64_t hits(int fd, char *memory, size_t bytes, char way, int64_t *calls)
{
	int64_t round = (1 << 20) / (int64_t)bytes;
	int64_t best = INT64_MAX;

	for (int i = 0; i < 400; i++) {
		int64_t began = now_ns();
		int64_t took;

		lseek(fd, 0, SEEK_SET);
		for (int64_t call = 0; call < round; call++)
			if (hit(fd, memory, bytes, call * (int64_t)bytes, way) != (ssize_t)bytes)
				fail("read");
		took = (now_ns() - began) / round;
		best = took < best ? took : best;
		*calls += round;
	}
	return best;
}

int main(int count, char **arguments)
{
	const char *name = count > 3 ? arguments[1] : "";
	const char *pattern = count > 3 ? arguments[2] : "";
	size_t bytes = count > 3 ? (size_t)atoll(arguments[3]) : 0;
	int64_t limit = count > 5 ? atoll(arguments[5]) : INT64_MAX;
	int writes = pattern[0] == 'w';
	int64_t total = 0, calls = 0, each = 0, began, processor;
	uint64_t seed = count > 6 ? (uint64_t)atoll(arguments[6]) : 1;
	struct stat found;
	char *memory;
	int fd;

	if (bytes == 0) {
		fprintf(stderr, "usage: patterns FILE forward|backward|strided|random|write|hit|hit-at|hit-vector REQUEST_BYTES [cold|warm] [LIMIT_BYTES] [SEED]\n");
		return 2;
	}
	memory = aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
	if (!memory)
		fail("memory");
	memset(memory, 'm', bytes);
	if (!writes && count > 4 && strcmp(arguments[4], "cold") == 0) {
		drop(name);
		have_memory_at_hand();
	}
	if (stat(name, &found) < 0 && !writes)
		fail(name);
	if (writes)
		found.st_size = limit;
	processor = processor_ns();
	began = now_ns();
	fd = open(name, writes ? O_RDWR | O_CREAT | O_TRUNC : O_RDONLY, 0600);
	if (fd < 0)
		fail(name);
	if (pattern[0] == 'h') {
		each = hits(fd, memory, bytes, strlen(pattern) > 4 ? pattern[4] : 0, &calls);
		total = calls * (int64_t)bytes;
	} else {
		int64_t places = found.st_size / (int64_t)bytes;
		int64_t most = places;
		int64_t offset;

		if (pattern[0] == 's')
			most /= 16;
		if (limit / (int64_t)bytes < most)
			most = limit / (int64_t)bytes;
		for (; (offset = offset_of(pattern, calls, most, places, bytes, &seed)) >= 0; calls++) {
			ssize_t moved;

			if (pattern[0] != 'f' && !writes)
				lseek(fd, offset, SEEK_SET);
			moved = writes ? write(fd, memory, bytes) : read(fd, memory, bytes);
			if (moved != (ssize_t)bytes)
				fail(writes ? "write" : "read");
			total += moved;
		}
		if (writes && fdatasync(fd) < 0)
			fail("fdatasync");
	}
	if (close(fd) < 0)
		fail("close");
	printf("%lld %lld %lld %lld %lld\n", (long long)calls, (long long)total, (long long)(now_ns() - began),
	       (long long)(processor_ns() - processor), (long long)each);
	free(memory);
	return 0;
}

/*
 * Measures what a read costs whose bytes are in memory. events.sh runs this program with and without MIO.
 *
 *   calls FILE REQUEST_BYTES THREADS [CALLS]
 *
 * All threads share one descriptor. Each reads the first MiB again and again, from a start of its own, CALLS times
 * (default 1000000; only whole batches of 5000). Prints the nanoseconds of a call, as the median of the batches of all
 * threads, and the processor nanoseconds of a call, as the mean.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { BATCH = 5000, PLACES_BYTES = 1 << 20, THREADS_MOST = 64 };

static int fd;
static size_t bytes;
static int64_t batches;
static double *took; /* of each batch of each thread, ns per call */

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static double processor_ns(void)
{
	struct rusage used;

	getrusage(RUSAGE_SELF, &used);
	return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1e9 +
	       (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1e3;
}

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static void read_once(char *memory, off_t *at)
{
	*at = (*at + (off_t)bytes) % PLACES_BYTES;
	if (pread(fd, memory, bytes, *at) != (ssize_t)bytes)
		fail("pread");
}

static void *read_all(void *number)
{
	double *mine = took + (intptr_t)number * batches;
	off_t at = (off_t)((intptr_t)number * (PLACES_BYTES / 8 / (intptr_t)bytes * (intptr_t)bytes) % PLACES_BYTES);
	char *memory = aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);

	if (!memory)
		fail("memory");
	for (int64_t batch = 0; batch < batches; batch++) {
		int64_t began = now_ns();

		for (int call = 0; call < BATCH; call++)
			read_once(memory, &at);
		mine[batch] = (double)(now_ns() - began) / BATCH;
	}
	free(memory);
	return NULL;
}

static int compare(const void *one, const void *other)
{
	double a = *(const double *)one, b = *(const double *)other;

	return (a > b) - (a < b);
}

int main(int count, char **arguments)
{
	pthread_t running[THREADS_MOST];
	int64_t calls = count > 4 ? atoll(arguments[4]) : 1000000;
	int threads = count > 3 ? atoi(arguments[3]) : 0;
	double processor;
	size_t all;

	bytes = count > 2 ? (size_t)atoll(arguments[2]) : 0;
	batches = calls / BATCH;
	if (bytes == 0 || bytes > PLACES_BYTES || threads < 1 || threads > THREADS_MOST || batches < 1) {
		fprintf(stderr, "usage: calls FILE REQUEST_BYTES THREADS [CALLS]; calls are made in batches of %d\n", BATCH);
		return 2;
	}
	all = (size_t)threads * (size_t)batches;
	took = calloc(all, sizeof(*took));
	fd = open(arguments[1], O_RDONLY);
	if (!took || fd < 0)
		fail(arguments[1]);
	/* After this loop everything is in memory. */
	for (int at = 0; at < PLACES_BYTES; at += 65536) {
		static char some[65536];

		if (pread(fd, some, sizeof(some), at) != (ssize_t)sizeof(some))
			fail("pread");
	}
	processor = processor_ns();
	for (int i = 0; i < threads; i++)
		if (pthread_create(&running[i], NULL, read_all, (void *)(intptr_t)i) != 0)
			fail("pthread_create");
	for (int i = 0; i < threads; i++)
		pthread_join(running[i], NULL);
	processor = processor_ns() - processor;
	qsort(took, all, sizeof(*took), compare);
	printf("%.1f %.1f\n", took[all / 2], processor / ((double)all * BATCH));
	free(took);
	return close(fd) < 0;
}

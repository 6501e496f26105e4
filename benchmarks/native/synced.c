/*
 * synced.c: threads as of a database, on a file in memory. Two read pages at random, one writes some and rests, one syncs
 * all the time.
 *
 *   synced FILE SECONDS
 *
 * Prints reads and writes per second, and the longest read in microseconds. The program knows nothing of MIO.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { PAGE = 8192, PAGES = 8192, READERS = 2, BURST = 8 };

static int fd;
static _Atomic int stops;
static _Atomic long reads, writes, longest_ns;

static void fail(const char *what)
{
	fprintf(stderr, "synced: %s: %s\n", what, strerror(errno));
	exit(1);
}

static long now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000L + now.tv_nsec;
}

static off_t any_page(unsigned int *seed)
{
	return (off_t)(rand_r(seed) % PAGES) * PAGE;
}

static void *reader(void *number)
{
	unsigned int seed = (unsigned int)(long)number;
	char page[PAGE];
	long longest = 0;

	while (!stops) {
		long began = now_ns();
		long ns;

		if (pread(fd, page, PAGE, any_page(&seed)) != PAGE)
			fail("read");
		ns = now_ns() - began;
		longest = ns > longest ? ns : longest;
		atomic_fetch_add(&reads, 1);
	}
	for (long known = longest_ns; longest > known && !atomic_compare_exchange_weak(&longest_ns, &known, longest);)
		;
	return NULL;
}

static void *writer(void *unused)
{
	unsigned int seed = 7;
	char page[PAGE];

	(void)unused;
	memset(page, 1, PAGE);
	while (!stops) {
		for (int i = 0; i < BURST; i++) {
			if (pwrite(fd, page, PAGE, any_page(&seed)) != PAGE)
				fail("write");
			atomic_fetch_add(&writes, 1);
		}
		nanosleep(&(struct timespec){0, 200000}, NULL);
	}
	return NULL;
}

static void *syncer(void *unused)
{
	(void)unused;
	while (!stops)
		if (fsync(fd) < 0)
			fail("sync");
	return NULL;
}

int main(int argc, char **argv)
{
	static char page[PAGE];
	pthread_t threads[READERS + 2];
	double seconds = argc == 3 ? atof(argv[2]) : 0;

	if (seconds <= 0) {
		fprintf(stderr, "synced FILE SECONDS\n");
		return 2;
	}
	fd = open(argv[1], O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0)
		fail(argv[1]);
	for (off_t i = 0; i < PAGES; i++)
		if (pwrite(fd, page, PAGE, i * PAGE) != PAGE)
			fail("write");
	if (fsync(fd) < 0)
		fail("sync");
	for (long i = 0; i < READERS; i++)
		pthread_create(&threads[i], NULL, reader, (void *)(i + 1));
	pthread_create(&threads[READERS], NULL, writer, NULL);
	pthread_create(&threads[READERS + 1], NULL, syncer, NULL);
	usleep((useconds_t)(seconds * 1e6));
	stops = 1;
	for (int i = 0; i < READERS + 2; i++)
		pthread_join(threads[i], NULL);
	printf("%.0f %.0f %ld\n", (double)reads / seconds, (double)writes / seconds, longest_ns / 1000);
	return close(fd) < 0;
}

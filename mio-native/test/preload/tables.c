/* Threads that take a descriptor table of their own: what one does to a number there the others do not see. */
#include "see.h"

#include <linux/close_range.h>
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>

#ifndef CLOSE_RANGE_UNSHARE
#define CLOSE_RANGE_UNSHARE 2U
#endif
#ifndef SYS_close_range
#define SYS_close_range 436
#endif

enum { BLOCK = 65536, BLOCKS = 32 };

static int fd;
static pthread_barrier_t together;

static void *closes_by_unshare(void *unused)
{
	(void)unused;
	MUST(unshare(CLONE_FILES) == 0);
	MUST(close(fd) == 0);
	return NULL;
}

static void *closes_by_number(void *unused)
{
	(void)unused;
	MUST(syscall(SYS_unshare, CLONE_FILES) == 0);
	MUST(close(fd) == 0);
	return NULL;
}

static void *closes_by_range(void *unused)
{
	(void)unused;
	MUST(close_range((unsigned int)fd, (unsigned int)fd, CLOSE_RANGE_UNSHARE) == 0);
	return NULL;
}

static void one_closes(const char *what, void *(*closes)(void *))
{
	char text[5] = "";
	pthread_t thread;
	int new = open("file", O_RDWR | O_CREAT | O_TRUNC, 0600);

	MUST(write(new, "aaaabbbbcccc", 12) == 12 && close(new) == 0);
	fd = open("file", O_RDWR);
	MUST(read(fd, text, 4) == 4);
	MUST(pthread_create(&thread, NULL, closes, NULL) == 0 && pthread_join(thread, NULL) == 0);
	MUST(read(fd, text, 4) == 4);
	say("%s: then %s", what, text);
	SEE(write(fd, "dddd", 4));
	SEE(close(fd));
	look("file");
}

static void writes(const char *name, unsigned int seed)
{
	static __thread char block[BLOCK];
	int mine = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);

	MUST(mine >= 0);
	pthread_barrier_wait(&together);
	for (int i = 0; i < BLOCKS; i++) {
		fill(block, BLOCK, seed, (int64_t)i * BLOCK);
		MUST(write(mine, block, BLOCK) == BLOCK);
	}
	pthread_barrier_wait(&together);
	MUST(close(mine) == 0);
}

static void *writes_in_its_own(void *unused)
{
	(void)unused;
	MUST(unshare(CLONE_FILES) == 0);
	pthread_barrier_wait(&together);
	writes("x", 1);
	return NULL;
}

/* Both files have the same number. */
static void each_writes_a_file(void)
{
	pthread_t thread;

	MUST(pthread_barrier_init(&together, NULL, 2) == 0);
	MUST(pthread_create(&thread, NULL, writes_in_its_own, NULL) == 0);
	pthread_barrier_wait(&together);
	writes("y", 2);
	MUST(pthread_join(thread, NULL) == 0);
	look("x");
	look("y");
}

int main(int argc, char **argv)
{
	begin(argc, argv);
	one_closes("unshare", closes_by_unshare);
	one_closes("unshare by number", closes_by_number);
	one_closes("close_range", closes_by_range);
	each_writes_a_file();
	return 0;
}

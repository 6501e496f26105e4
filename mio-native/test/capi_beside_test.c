/* Two opens of a file at the same time: one by a rule with pages, one by a name without a rule. Both see the same bytes, whichever comes first. */
#include "capi_api.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { ROUNDS = 2000, LENGTH = 100 };

static char cached_name[512];
static char plain_name[512];
static _Atomic int met;
static int plain_fd;

/* Both threads continue at the same moment, which threads that sleep in a barrier do not. */
static void meet(void)
{
	int round = atomic_fetch_add(&met, 1) / 2;

	for (int turns = 0; atomic_load(&met) < 2 * round + 2; turns++)
		if (turns > 100000)
			sched_yield();
}

/* Keeps the thread to a processor of its own, if there are two. */
static void keep_to(int last)
{
	cpu_set_t allowed;
	cpu_set_t one;

	ASSERT_EQUAL(0, sched_getaffinity(0, sizeof(allowed), &allowed));
	CPU_ZERO(&one);
	for (size_t cpu = 0; cpu < CPU_SETSIZE && (last || CPU_COUNT(&one) == 0); cpu++)
		if (CPU_ISSET(cpu, &allowed)) {
			CPU_ZERO(&one);
			CPU_SET(cpu, &one);
		}
	ASSERT_EQUAL(0, sched_setaffinity(0, sizeof(one), &one));
}

static void *open_plainly(void *unused)
{
	(void)unused;
	keep_to(1);
	for (int i = 0; i < ROUNDS; i++) {
		meet();
		/* The delay varies, so that this open comes before, during or after the other one. */
		for (volatile int wait = 0; wait < i % 100 * 1000; wait++)
			;
		plain_fd = MIO_open(plain_name, O_RDONLY, 0, NULL);
		meet();
	}
	return NULL;
}

static int is_seen(int fd, int value)
{
	char seen[LENGTH];

	ASSERT_EQUAL(LENGTH, MIO_pread(fd, seen, LENGTH, 0));
	for (int i = 0; i < LENGTH; i++)
		if (seen[i] != (char)value)
			return 0;
	return 1;
}

static void open_both(void)
{
	pthread_t thread;
	int unseen = 0;

	ASSERT_EQUAL(0, pthread_create(&thread, NULL, open_plainly, NULL));
	keep_to(0);
	for (int i = 0; i < ROUNDS; i++) {
		char bytes[LENGTH];
		int fd;

		meet();
		fd = MIO_open(cached_name, O_RDWR, 0, NULL);
		meet();
		ASSERT(fd >= 0 && plain_fd >= 0);
		memset(bytes, i, LENGTH);
		ASSERT_EQUAL(LENGTH, MIO_pwrite(fd, bytes, LENGTH, 0));
		unseen += !is_seen(plain_fd, i);
		ASSERT_EQUAL(0, MIO_close(plain_fd));
		ASSERT_EQUAL(0, MIO_close(fd));
	}
	ASSERT_EQUAL(0, pthread_join(thread, NULL));
	ASSERT_EQUAL(0, unseen);
}

static void should_write_for_an_open_that_came_while_the_pages_were_made(void)
{
	int fd = open(test_name(cached_name, sizeof(cached_name), "cached"), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	ASSERT(fd >= 0 && ftruncate(fd, LENGTH) == 0);
	close(fd);
	test_name(plain_name, sizeof(plain_name), "plain");
	unlink(plain_name);
	ASSERT_EQUAL(0, link(cached_name, plain_name));
	ASSERT_EQUAL(0, test_run_under("*.cached [ pf ]", NULL, open_both));
	unlink(cached_name);
	unlink(plain_name);
}

int main(void)
{
	RUN(should_write_for_an_open_that_came_while_the_pages_were_made);
	return TEST_RESULT();
}

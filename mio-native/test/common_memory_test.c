#include "../src/common/memory.h"
#include "assert.h"

#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define LARGE ((size_t)100000)

static int is_all(const unsigned char *memory, size_t bytes, int value)
{
	for (size_t i = 0; i < bytes; i++)
		if (memory[i] != value)
			return 0;
	return 1;
}

static void should_give_memory_that_is_zero_and_aligned(void)
{
	static const size_t sizes[] = {0, 1, 15, 16, 17, 32, 33, 63, 64, 65, 100, 1000, 4096, 32767, 32768, 32769, LARGE};

	for (int turn = 0; turn < 3; turn++) {
		for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
			unsigned char *memory = mio_memory_take(sizes[i]);

			ASSERT(memory);
			ASSERT_EQUAL(0, (uintptr_t)memory % (sizes[i] >= 64 ? 64 : 16));
			ASSERT(is_all(memory, sizes[i], 0));
			memset(memory, 0xff, sizes[i]);
			mio_memory_give(memory, sizes[i]);
		}
	}
	mio_memory_give(NULL, 5);
}

static void should_use_a_piece_again_for_the_same_size(void)
{
	void *piece = mio_memory_take(1000);

	mio_memory_give(piece, 1000);
	ASSERT(mio_memory_take(600) == piece);
	mio_memory_give(piece, 600);
}

static void should_not_give_the_same_memory_twice(void)
{
	enum { COUNT = 3000 };
	static unsigned char *taken[COUNT];

	for (int i = 0; i < COUNT; i++) {
		size_t bytes = (size_t)(i * 37 % 3000 + 1);

		taken[i] = mio_memory_take(bytes);
		ASSERT(taken[i] && is_all(taken[i], bytes, 0));
		memset(taken[i], i % 251 + 1, bytes);
	}
	for (int i = 0; i < COUNT; i++) {
		size_t bytes = (size_t)(i * 37 % 3000 + 1);

		ASSERT(is_all(taken[i], bytes, i % 251 + 1));
		mio_memory_give(taken[i], bytes);
	}
}

static void should_say_that_there_is_not_so_much(void)
{
	errno = ERANGE;
	ASSERT(mio_memory_take(SIZE_MAX) == NULL);
	ASSERT(mio_memory_take(SIZE_MAX - 4096) == NULL);
	ASSERT(mio_memory_take((size_t)1 << 60) == NULL);
	ASSERT_EQUAL(ERANGE, errno);
}

static void *take_and_give(void *seed)
{
	enum { HELD = 50 };
	unsigned char *held[HELD] = {NULL};
	size_t bytes[HELD] = {0};
	unsigned int random = (unsigned int)(uintptr_t)seed;

	for (int i = 0; i < 20000; i++) {
		int at = (int)((random = random * 1103515245 + 12345) >> 16) % HELD;
		unsigned char own = (unsigned char)((uintptr_t)seed * 16 + (unsigned int)at % 16);

		if (held[at]) {
			ASSERT(is_all(held[at], bytes[at], own));
			mio_memory_give(held[at], bytes[at]);
			held[at] = NULL;
		} else {
			bytes[at] = (random >> 8) % 600 + (i % 500 == 0 ? LARGE : 0);
			held[at] = mio_memory_take(bytes[at]);
			ASSERT(held[at] && is_all(held[at], bytes[at], 0));
			memset(held[at], own, bytes[at]);
		}
	}
	for (int i = 0; i < HELD; i++)
		mio_memory_give(held[i], bytes[i]);
	return NULL;
}

static void should_serve_threads(void)
{
	pthread_t threads[4];

	for (uintptr_t i = 0; i < 4; i++)
		ASSERT_EQUAL(0, pthread_create(&threads[i], NULL, take_and_give, (void *)(i + 1)));
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
}

static void should_keep_what_the_parent_has_in_a_child(void)
{
	unsigned char *memory = mio_memory_take(500);
	int status = 0;
	pid_t child;

	memset(memory, 7, 500);
	child = fork();
	ASSERT(child >= 0);
	if (child == 0) {
		unsigned char *other;

		mio_memory_forked();
		other = mio_memory_take(500);
		_exit(other && other != memory && is_all(memory, 500, 7) && is_all(other, 500, 0) ? 0 : 1);
	}
	ASSERT_EQUAL(child, waitpid(child, &status, 0));
	ASSERT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	mio_memory_give(memory, 500);
}

int main(void)
{
	RUN(should_give_memory_that_is_zero_and_aligned);
	RUN(should_use_a_piece_again_for_the_same_size);
	RUN(should_not_give_the_same_memory_twice);
	RUN(should_say_that_there_is_not_so_much);
	RUN(should_serve_threads);
	RUN(should_keep_what_the_parent_has_in_a_child);
	return TEST_RESULT();
}

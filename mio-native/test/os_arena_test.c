#include "../src/jvm/jvm_file.h"
#include "../src/os/os_arena.h"
#include "assert.h"

#include <errno.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#define HUGE_BYTES ((size_t)2 << 20)

static void should_give_memory_that_is_aligned_and_zero(void)
{
	unsigned char *small = mio_os_arena_take(5000);
	unsigned char *large = mio_os_arena_take(3 * HUGE_BYTES + 1);

	ASSERT(small && large);
	ASSERT_EQUAL(0, (uintptr_t)small % 4096);
	ASSERT_EQUAL(0, (uintptr_t)large % HUGE_BYTES);
	ASSERT_EQUAL(0, small[4999]);
	small[4999] = 1;
	large[3 * HUGE_BYTES] = 1;
	mio_os_arena_give(small, 5000);
	mio_os_arena_give(large, 3 * HUGE_BYTES + 1);
	/* A late reader still finds readable memory: zeros. */
	ASSERT_EQUAL(0, small[4999]);
	ASSERT_EQUAL(0, large[3 * HUGE_BYTES]);
}

static void should_use_addresses_again_and_join_neighbours(void)
{
	char *whole = mio_os_arena_take(16 * 4096);
	char *again;
	int i;

	ASSERT(whole);
	for (i = 0; i < 16; i += 2)
		mio_os_arena_give(whole + i * 4096, 4096);
	for (i = 15; i > 0; i -= 2)
		mio_os_arena_give(whole + i * 4096, 4096);
	again = mio_os_arena_take(16 * 4096);
	ASSERT(again == whole);
	mio_os_arena_give(again, 16 * 4096);
}

static void should_not_give_the_same_memory_twice(void)
{
	enum { COUNT = 600 };
	static unsigned char *taken[COUNT];
	int i;

	for (i = 0; i < COUNT; i++) {
		taken[i] = mio_os_arena_take((size_t)(i % 7 + 1) * 4096);
		ASSERT(taken[i]);
		ASSERT_EQUAL(0, taken[i][0]);
		memset(taken[i], i % 251 + 1, (size_t)(i % 7 + 1) * 4096);
	}
	for (i = 0; i < COUNT; i += 3) {
		mio_os_arena_give(taken[i], (size_t)(i % 7 + 1) * 4096);
		taken[i] = NULL;
	}
	for (i = 0; i < COUNT; i += 3) {
		taken[i] = mio_os_arena_take((size_t)(i % 7 + 1) * 4096);
		ASSERT(taken[i]);
		ASSERT_EQUAL(0, taken[i][0]);
		memset(taken[i], i % 251 + 1, (size_t)(i % 7 + 1) * 4096);
	}
	for (i = 0; i < COUNT; i++) {
		size_t last = (size_t)(i % 7 + 1) * 4096 - 1;

		ASSERT_EQUAL(i % 251 + 1, taken[i][0]);
		ASSERT_EQUAL(i % 251 + 1, taken[i][last]);
		mio_os_arena_give(taken[i], last + 1);
	}
}

static void should_not_be_there_in_a_child(void)
{
	char *memory = mio_os_arena_take(4096);
	int ends[2];
	int status = 0;
	pid_t child;

#ifdef __SANITIZE_THREAD__
	SKIP("the sanitizer's thread puts its stack there");
#endif
	ASSERT(memory);
	memory[0] = 'x';
	ASSERT_EQUAL(0, pipe(ends));
	child = fork();
	ASSERT(child >= 0);
	if (child == 0)
		_exit(write(ends[1], memory, 1) == -1 && errno == EFAULT ? 0 : 1);
	ASSERT_EQUAL(child, waitpid(child, &status, 0));
	ASSERT(WIFEXITED(status));
	ASSERT_EQUAL(0, WEXITSTATUS(status));
	close(ends[0]);
	close(ends[1]);
	mio_os_arena_give(memory, 4096);
}

static void should_say_that_there_is_not_so_much(void)
{
	errno = ERANGE;
	ASSERT(mio_os_arena_take((size_t)1 << 60) == NULL);
	ASSERT(mio_os_arena_take(SIZE_MAX) == NULL);
	ASSERT(mio_os_arena_take(0) == NULL);
	ASSERT_EQUAL(ERANGE, errno);
	ASSERT_EQUAL(0, mio_jvm_arena_take(-1));
	mio_os_arena_give(NULL, 4096);
}

int main(void)
{
	RUN(should_give_memory_that_is_aligned_and_zero);
	RUN(should_use_addresses_again_and_join_neighbours);
	RUN(should_not_give_the_same_memory_twice);
	RUN(should_not_be_there_in_a_child);
	RUN(should_say_that_there_is_not_so_much);
	return TEST_RESULT();
}

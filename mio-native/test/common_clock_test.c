/* Compares the cheap clock with the kernel's. */
#include "../src/common/clock.h"
#include "../src/common/vdso.h"
#include "assert.h"

#include <sched.h>
#include <sys/auxv.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void should_go_forward_and_keep_its_begin(void)
{
	int64_t begin = mio_clock_begin_ns();
	int64_t before = mio_clock_ns();

	ASSERT(before >= begin);
	for (int i = 0; i < 100000; i++) {
		int64_t now = mio_clock_ns();

		ASSERT(now >= before);
		before = now;
	}
	ASSERT_EQUAL(begin, mio_clock_begin_ns());
}

/* If there is a vDSO, the search in its symbols also ends where they end. */
static void should_find_the_clock_of_the_vdso(void)
{
	struct timespec before, now, after;
	clockid_t clocks[] = {CLOCK_MONOTONIC, CLOCK_MONOTONIC_COARSE, CLOCK_BOOTTIME, CLOCK_THREAD_CPUTIME_ID};

	ASSERT(!mio_vdso_function("no_such_function"));
	if (getauxval(AT_SYSINFO_EHDR))
		ASSERT(mio_vdso_function("__vdso_clock_gettime") || mio_vdso_function("__kernel_clock_gettime"));
	for (size_t i = 0; i < sizeof(clocks) / sizeof(clocks[0]); i++) {
		ASSERT_EQUAL(0, clock_gettime(clocks[i], &before));
		mio_clock_read(clocks[i], &now);
		ASSERT_EQUAL(0, clock_gettime(clocks[i], &after));
		ASSERT(now.tv_sec > before.tv_sec || (now.tv_sec == before.tv_sec && now.tv_nsec >= before.tv_nsec));
		ASSERT(now.tv_sec < after.tv_sec || (now.tv_sec == after.tv_sec && now.tv_nsec <= after.tv_nsec));
	}
}

/* Measures the same time by both clocks: the ticks, and the kernel's clock inside and around them. */
static void compare(int64_t least_ns)
{
	int64_t outer_begin = mio_clock_ns();
	uint64_t began = mio_clock_ticks();
	int64_t inner_begin = mio_clock_ns();
	int64_t inner;
	int64_t since;
	int64_t outer;

	do {
		inner = mio_clock_ns() - inner_begin;
		since = mio_clock_since(began);
		outer = mio_clock_ns() - outer_begin;
	} while (inner < least_ns);
	/* To within one per cent, plus the cost of the readings. */
	ASSERT(since >= inner - inner / 100 - 200);
	ASSERT(since <= outer + outer / 100 + 200);
}

static void should_tell_times_as_the_kernel_does(void)
{
	mio_clock_ticks_begin();
	for (int64_t ns = 1000; ns <= 200000000; ns *= 3)
		compare(ns);
	for (int i = 0; i < 1000; i++)
		compare(20000);
	ASSERT(atomic_load(&mio_clock_state.rate) > 0);
}

static void should_take_a_time_below_zero_for_zero(void)
{
	ASSERT_EQUAL(0, mio_clock_since(mio_clock_ticks() + 1000000000));
}

/* The child did not run before the fork: its report must not count the parent's time. */
static void should_tell_times_in_a_forked_child(void)
{
	int status = 0;
	int64_t before = mio_clock_ns();
	pid_t child = fork();

	ASSERT(child >= 0);
	if (child == 0) {
		mio_clock_forked();
		ASSERT(mio_clock_begin_ns() >= before);
		compare(1000000);
		_exit(0);
	}
	ASSERT_EQUAL(child, waitpid(child, &status, 0));
	ASSERT_EQUAL(0, status);
}

int main(void)
{
	RUN(should_go_forward_and_keep_its_begin);
	RUN(should_find_the_clock_of_the_vdso);
	RUN(should_tell_times_as_the_kernel_does);
	RUN(should_take_a_time_below_zero_for_zero);
	RUN(should_tell_times_in_a_forked_child);
	return TEST_RESULT();
}

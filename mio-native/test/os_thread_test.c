/* Threads of MIO's own: first from the C library, then from the kernel alone. */
#include "../src/common/lock.h"
#include "../src/common/raw.h"
#include "../src/layer/layer_open.h"
#include "../src/os/os_thread.h"
#include "../src/os/os_thread_kernel.h"
#include "os_files.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TIMES = 200 };

static _Atomic uint32_t ran;
static struct seen {
	int number;
	int call_fd;
	int error;
	int errno_after;
	uintptr_t stack;
} seen[TIMES + 1];

/* Uses the thread's stack and variables, and what compiled code finds at the thread pointer (the stack protector's secret). */
static void look(void)
{
	volatile char deep[64 * 1024];
	uint32_t turn = ran;
	struct seen *mine = &seen[turn];

	memset((void *)(uintptr_t)deep, 7, sizeof(deep));
	mine->number = mio_os_thread_number();
	mine->call_fd = mio_open_call.fd;
	mine->error = errno;
	mio_open_call.fd = (int)turn;
	/* Calls the C library. */
	mine->errno_after = close(-1) < 0 ? errno : 0;
	mine->stack = (uintptr_t)deep;
	ran = turn + 1;
	mio_futex_wake_all(&ran);
}

static void await(uint32_t count)
{
	uint32_t now;

	while ((now = ran) < count)
		mio_futex_wait(&ran, now, -1);
}

static void should_run_each_in_a_thread_with_variables_of_its_own(void)
{
	ran = 0;
	memset(seen, 0, sizeof(seen));
	mio_open_call.fd = 12345;
	errno = EDOM;
	for (uint32_t i = 0; i < TIMES; i++) {
		ASSERT_EQUAL(0, mio_os_thread_start(look));
		await(i + 1);
		/* Thread numbers may be reused, so that only the number of this thread is certainly another. */
		ASSERT(seen[i].number > 0 && seen[i].number != (int)getpid());
		ASSERT_EQUAL(-1, seen[i].call_fd);
		ASSERT_EQUAL(0, seen[i].error);
		ASSERT_EQUAL(EBADF, seen[i].errno_after);
		mio_os_thread_gone(seen[i].number);
	}
	ASSERT_EQUAL(12345, mio_open_call.fd);
	ASSERT_EQUAL(EDOM, errno);
	mio_open_call.fd = -1;
}

static _Atomic uint32_t together, stacks_differ = 1;
static _Atomic uintptr_t stacks[8];

static void stay(void)
{
	char here = 0;
	uint32_t place = together++;

	stacks[place] = (uintptr_t)&here;
	mio_futex_wake_all(&together);
	while (together < 8)
		mio_raw0(SYS_sched_yield);
	for (uint32_t i = 0; i < 8; i++)
		if (i != place && stacks[i] && (stacks[i] > stacks[place] ? stacks[i] - stacks[place] : stacks[place] - stacks[i]) < 65536)
			stacks_differ = 0;
	ran++;
	mio_futex_wake_all(&ran);
}

static void should_run_some_at_a_time(void)
{
	ran = 0;
	together = 0;
	for (int i = 0; i < 8; i++)
		ASSERT_EQUAL(0, mio_os_thread_start(stay));
	await(8);
	ASSERT(stacks_differ);
}

static void should_begin_anew_in_a_forked_child(void)
{
	pid_t child;
	int status = 0;

	if (TEST_HAS_OWN_THREAD)
		SKIP("the sanitizer starts no threads in a forked child");
	child = fork();
	if (child == 0) {
		mio_os_thread_kernel_forked();
		ran = 0;
		if (mio_os_thread_start(look) < 0)
			_exit(2);
		await(1);
		_exit(seen[0].call_fd == -1 && seen[0].errno_after == EBADF ? 0 : 3);
	}
	ASSERT_EQUAL(child, waitpid(child, &status, 0));
	ASSERT_EQUAL(0, status);
}

/* The next thread gets the stack of a thread that has ended. */
static void should_use_memory_of_threads_that_have_ended_again(void)
{
	uintptr_t first;

	ran = 0;
	ASSERT_EQUAL(0, mio_os_thread_start(look));
	await(1);
	mio_os_thread_gone(seen[0].number);
	first = seen[0].stack;
	ASSERT_EQUAL(0, mio_os_thread_start(look));
	await(2);
	ASSERT_EQUAL(first, seen[1].stack);
	mio_os_thread_gone(seen[1].number);
}

static void should_begin_none_while_stopped(void)
{
	ran = 0;
	mio_os_thread_kernel_stop();
	mio_os_thread_kernel_stop();
	ASSERT_EQUAL(-EBUSY, mio_os_thread_start(look));
	mio_os_thread_kernel_go_on();
	ASSERT_EQUAL(-EBUSY, mio_os_thread_start(look));
	/* The brief thread is asked for twice; it runs once, and not before the stop is over. */
	ASSERT_EQUAL(0, mio_os_thread_start_brief(look));
	ASSERT_EQUAL(0, mio_os_thread_start_brief(look));
	ASSERT_EQUAL(1, mio_os_thread_kernel_await());
	ASSERT_EQUAL(0, ran);
	mio_os_thread_kernel_go_on();
	await(1);
	ASSERT_EQUAL(1, mio_os_thread_kernel_await());
	ASSERT_EQUAL(1, ran);
	ASSERT_EQUAL(0, mio_os_thread_start(look));
	await(2);
}

static _Atomic int may_end;

static void hold(void)
{
	ran++;
	mio_futex_wake_all(&ran);
	while (!may_end)
		mio_raw0(SYS_sched_yield);
}

static void *let_end(void *context)
{
	may_end = 1;
	return context;
}

/* Also for a thread that no one else waits for, but not for ever. */
static void should_wait_for_those_that_run(void)
{
	pthread_t helper;

	ran = 0;
	may_end = 0;
	ASSERT_EQUAL(0, mio_os_thread_start_brief(hold));
	await(1);
	mio_os_thread_kernel_stop();
	ASSERT_EQUAL(0, mio_os_thread_kernel_await());
	ASSERT_EQUAL(0, pthread_create(&helper, NULL, let_end, NULL));
	ASSERT_EQUAL(1, mio_os_thread_kernel_await());
	ASSERT_EQUAL(1, may_end);
	pthread_join(helper, NULL);
	mio_os_thread_kernel_go_on();
}

static void should_begin_only_brief_ones_when_stopped_for_good(void)
{
	pid_t child = fork();
	int status = 0;

	if (child == 0) {
		mio_os_thread_kernel_forked();
		ran = 0;
		mio_os_thread_kernel_stop_for_good();
		if (mio_os_thread_start(look) != -EBUSY)
			_exit(2);
		if (mio_os_thread_start_brief(look) != 0)
			_exit(3);
		await(1);
		mio_os_thread_kernel_forked();
		_exit(mio_os_thread_start(look) == 0 ? 0 : 4);
	}
	ASSERT_EQUAL(child, waitpid(child, &status, 0));
	ASSERT_EQUAL(0, status);
}

static void run_all(void)
{
	RUN(should_run_each_in_a_thread_with_variables_of_its_own);
	RUN(should_run_some_at_a_time);
	RUN(should_begin_anew_in_a_forked_child);
}

int main(void)
{
	ASSERT(!mio_os_thread_kernel_is_allowed());
	run_all();
	/* The thread sanitizer must know every thread. */
	if (TEST_HAS_OWN_THREAD)
		return TEST_RESULT();
	mio_os_thread_kernel_allow();
	if (mio_os_thread_kernel_is_allowed()) {
		run_all();
		RUN(should_use_memory_of_threads_that_have_ended_again);
		RUN(should_begin_none_while_stopped);
		RUN(should_wait_for_those_that_run);
		RUN(should_begin_only_brief_ones_when_stopped_for_good);
	}
	return TEST_RESULT();
}

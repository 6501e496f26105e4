#include "../src/common/lock.h"
#include "assert.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>

enum { THREADS = 4, TURNS = 50000 };

static struct mio_lock lock;
static struct mio_condition changed;
static int64_t number;
static int turn_of;

static void *count_up(void *none)
{
	(void)none;
	for (int i = 0; i < TURNS; i++) {
		if (i % 3 == 0) {
			while (!mio_lock_try(&lock))
				;
		} else {
			mio_lock_acquire(&lock);
		}
		number++;
		mio_lock_release(&lock);
	}
	return NULL;
}

static void run_threads(void *(*work)(void *))
{
	pthread_t threads[THREADS];

	for (uintptr_t i = 0; i < THREADS; i++)
		ASSERT_EQUAL(0, pthread_create(&threads[i], NULL, work, (void *)i));
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}

static void should_let_one_in_at_a_time(void)
{
	number = 0;
	run_threads(count_up);
	ASSERT_EQUAL(THREADS * TURNS, number);
}

static void should_say_that_it_is_held(void)
{
	mio_lock_acquire(&lock);
	ASSERT_EQUAL(0, mio_lock_try(&lock));
	mio_lock_release(&lock);
	ASSERT_EQUAL(1, mio_lock_try(&lock));
	mio_lock_release(&lock);
}

static void *take_turns(void *own)
{
	for (int i = 0; i < 2000; i++) {
		mio_lock_acquire(&lock);
		while (turn_of != (int)(uintptr_t)own)
			mio_condition_wait(&changed, &lock);
		turn_of = (turn_of + 1) % THREADS;
		number++;
		mio_condition_wake(&changed);
		mio_lock_release(&lock);
	}
	return NULL;
}

static void should_wake_all_that_wait(void)
{
	number = 0;
	turn_of = 0;
	run_threads(take_turns);
	ASSERT_EQUAL(THREADS * 2000, number);
}

/* Each thing that is put there is taken exactly once, by whichever thread is woken. */
static void *take_things(void *none)
{
	int taken = 0;

	(void)none;
	while (taken < 5000) {
		mio_lock_acquire(&lock);
		while (number == 0)
			mio_condition_wait(&changed, &lock);
		number--;
		taken++;
		mio_lock_release(&lock);
	}
	return NULL;
}

static void should_wake_one_for_each_thing(void)
{
	pthread_t threads[THREADS];

	number = 0;
	for (int i = 0; i < THREADS; i++)
		ASSERT_EQUAL(0, pthread_create(&threads[i], NULL, take_things, NULL));
	for (int i = 0; i < THREADS * 5000; i++) {
		mio_lock_acquire(&lock);
		number++;
		mio_condition_wake_one(&changed);
		mio_lock_release(&lock);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	ASSERT_EQUAL(0, number);
}

static void should_end_a_wait_whose_time_is_up(void)
{
	int rc = 0;

	errno = ERANGE;
	mio_lock_acquire(&lock);
	while (rc == 0)
		rc = mio_condition_wait_for(&changed, &lock, 1000000);
	ASSERT_EQUAL(-ETIMEDOUT, rc);
	ASSERT_EQUAL(0, mio_lock_try(&lock));
	mio_lock_release(&lock);
	ASSERT_EQUAL(ERANGE, errno);
}

static void should_not_wait_for_a_word_that_has_changed(void)
{
	_Atomic uint32_t word = 5;

	ASSERT_EQUAL(-EAGAIN, mio_futex_wait(&word, 4, -1));
	ASSERT_EQUAL(-ETIMEDOUT, mio_futex_wait(&word, 5, 1000));
	mio_futex_wake_all(&word);
}

static _Atomic int signals;

static void count_signal(int signal)
{
	(void)signal;
	signals++;
}

static void *acquire(void *none)
{
	(void)none;
	mio_lock_acquire(&lock);
	number++;
	mio_lock_release(&lock);
	return NULL;
}

static void should_go_on_waiting_after_a_signal(void)
{
	struct sigaction action = {.sa_handler = count_signal};
	pthread_t thread;

#ifdef __SANITIZE_THREAD__
	SKIP("the sanitizer holds signals back until a call of the C library");
#endif
	ASSERT_EQUAL(0, sigaction(SIGUSR1, &action, NULL));
	number = 0;
	mio_lock_acquire(&lock);
	ASSERT_EQUAL(0, pthread_create(&thread, NULL, acquire, NULL));
	/* Until the thread waits; the signals come after that. */
	while (atomic_load(&lock.state) != 2)
		;
	for (int i = 1; i <= 20; i++) {
		ASSERT_EQUAL(0, pthread_kill(thread, SIGUSR1));
		while (signals < i)
			;
		ASSERT_EQUAL(0, number);
	}
	mio_lock_release(&lock);
	pthread_join(thread, NULL);
	ASSERT_EQUAL(1, number);
}

int main(void)
{
	RUN(should_let_one_in_at_a_time);
	RUN(should_say_that_it_is_held);
	RUN(should_wake_all_that_wait);
	RUN(should_wake_one_for_each_thing);
	RUN(should_end_a_wait_whose_time_is_up);
	RUN(should_not_wait_for_a_word_that_has_changed);
	RUN(should_go_on_waiting_after_a_signal);
	return TEST_RESULT();
}

/* The lock of a file: shared by reads, exclusive for writes. No one overtakes a thread that waits for exclusive access. */
#include "../src/pf/pf_gate.h"
#include "assert.h"

#include <pthread.h>
#include <sched.h>
#include <unistd.h>

static struct mio_pf_gate gate;
static _Atomic int inside, entered;

static void *shares(void *context)
{
	(void)context;
	mio_pf_gate_share(&gate);
	atomic_fetch_add(&entered, 1);
	mio_pf_gate_unshare(&gate);
	return NULL;
}

static void *is_alone(void *context)
{
	(void)context;
	mio_pf_gate_alone(&gate);
	atomic_fetch_add(&entered, 100);
	mio_pf_gate_unalone(&gate);
	return NULL;
}

/* Waits until so many threads wait. */
static void until_waiting(uint32_t threads)
{
	while (atomic_load(&gate.entered.waiters) + atomic_load(&gate.left.waiters) < threads)
		sched_yield();
}

static void begin(void)
{
	memset(&gate, 0, sizeof(gate));
	atomic_store(&entered, 0);
}

static void should_let_many_share_without_waiting(void)
{
	begin();
	for (int i = 0; i < 1000; i++)
		mio_pf_gate_share(&gate);
	for (int i = 0; i < 1000; i++)
		mio_pf_gate_unshare(&gate);
	mio_pf_gate_alone(&gate);
	mio_pf_gate_unalone(&gate);
	ASSERT_EQUAL(0, gate.waits);
	ASSERT_EQUAL(0, gate.state);
}

static void should_let_nobody_in_beside_one_alone(void)
{
	pthread_t threads[3];

	begin();
	mio_pf_gate_alone(&gate);
	for (int i = 0; i < 3; i++)
		ASSERT_EQUAL(0, pthread_create(&threads[i], NULL, i == 0 ? is_alone : shares, NULL));
	until_waiting(3);
	ASSERT_EQUAL(0, entered);
	mio_pf_gate_unalone(&gate);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	ASSERT_EQUAL(102, entered);
	ASSERT_EQUAL(3, gate.waits);
	ASSERT(gate.wait_ns > 0);
	ASSERT_EQUAL(0, gate.state);
}

static void should_let_nobody_overtake_who_waits_to_be_alone(void)
{
	pthread_t alone, late;

	begin();
	mio_pf_gate_share(&gate);
	ASSERT_EQUAL(0, pthread_create(&alone, NULL, is_alone, NULL));
	until_waiting(1);
	ASSERT_EQUAL(0, pthread_create(&late, NULL, shares, NULL));
	until_waiting(2);
	ASSERT_EQUAL(0, entered);
	mio_pf_gate_unshare(&gate);
	pthread_join(alone, NULL);
	pthread_join(late, NULL);
	ASSERT_EQUAL(101, entered);
	ASSERT_EQUAL(0, gate.state);
}

enum { THREADS = 4, TURNS = 50000 };

static int64_t guarded[8];

/* A thread with exclusive access changes all the numbers; a thread with shared access finds them equal. */
static void *takes_turns(void *context)
{
	uint32_t random = (uint32_t)(uintptr_t)context;

	for (int i = 0; i < TURNS; i++) {
		random = random * 1664525 + 1013904223;
		if (random >> 28 < 4) {
			mio_pf_gate_alone(&gate);
			ASSERT_EQUAL(0, atomic_fetch_add(&inside, 1000));
			for (int j = 0; j < 8; j++)
				guarded[j]++;
			atomic_fetch_sub(&inside, 1000);
			mio_pf_gate_unalone(&gate);
		} else {
			mio_pf_gate_share(&gate);
			ASSERT(atomic_fetch_add(&inside, 1) < 1000);
			for (int j = 1; j < 8; j++)
				ASSERT_EQUAL(guarded[0], guarded[j]);
			atomic_fetch_sub(&inside, 1);
			mio_pf_gate_unshare(&gate);
		}
	}
	return NULL;
}

static void should_show_all_of_a_change_or_none(void)
{
	pthread_t threads[THREADS];

	begin();
	for (int i = 0; i < THREADS; i++)
		ASSERT_EQUAL(0, pthread_create(&threads[i], NULL, takes_turns, (void *)(uintptr_t)(i + 1)));
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	ASSERT(guarded[0] > TURNS / 2);
	ASSERT_EQUAL(0, gate.state);
	ASSERT_EQUAL(0, gate.waiting_alone);
	ASSERT_EQUAL(0, gate.waiting_to_share);
}

static _Atomic int ends;

static void *is_alone_again_and_again(void *context)
{
	(void)context;
	while (!atomic_load(&ends)) {
		mio_pf_gate_alone(&gate);
		mio_pf_gate_unalone(&gate);
	}
	return NULL;
}

static void should_let_readers_in_between_writers_without_end(void)
{
	pthread_t writers[2];

	begin();
	for (int i = 0; i < 2; i++)
		ASSERT_EQUAL(0, pthread_create(&writers[i], NULL, is_alone_again_and_again, NULL));
	for (int i = 0; i < 2000; i++) {
		mio_pf_gate_share(&gate);
		mio_pf_gate_unshare(&gate);
	}
	atomic_store(&ends, 1);
	for (int i = 0; i < 2; i++)
		pthread_join(writers[i], NULL);
	ASSERT_EQUAL(0, gate.state);
}

int main(void)
{
	alarm(300);
	RUN(should_let_many_share_without_waiting);
	RUN(should_let_nobody_in_beside_one_alone);
	RUN(should_let_nobody_overtake_who_waits_to_be_alone);
	RUN(should_show_all_of_a_change_or_none);
	RUN(should_let_readers_in_between_writers_without_end);
	return TEST_RESULT();
}

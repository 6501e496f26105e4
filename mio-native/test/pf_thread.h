#ifndef MIO_TEST_PF_THREAD_H
#define MIO_TEST_PF_THREAD_H

/* A second thread; the test can tell when it waits. */

#include "pf_fixture.h"

#include <sched.h>

static pthread_t thread;
static _Atomic int thread_ended;

static inline void *thread_run(void *work)
{
	((void (*)(void))work)();
	atomic_store(&thread_ended, 1);
	return NULL;
}

static inline void begin_thread(void (*work)(void))
{
	atomic_store(&thread_ended, 0);
	ASSERT_EQUAL(0, pthread_create(&thread, NULL, thread_run, (void *)work));
}

static inline void end_thread(void)
{
	ASSERT_EQUAL(0, pthread_join(thread, NULL));
}

/* Returns when that many threads wait for a change of the cache, or when the thread has ended. */
static inline void until_it_waits(struct mio_pf_cache *cache, uint32_t waiters)
{
	while (!atomic_load(&thread_ended) && atomic_load(&cache->changed.waiters) < waiters)
		sched_yield();
}

#endif

/*
 * A few threads that wait for the kernel in place of those that submit. They start as they are needed, and end after some idle
 * time. If this process gets no threads, the submitting thread does the requests.
 */
#include "os_backend.h"

#include <errno.h>
#include <string.h>

#include "../common/lock.h"
#include "os_thread.h"

#define THREADS 32
#define IDLE_NS (INT64_C(10) * 1000000000)

static struct pool {
	struct mio_lock lock;
	struct mio_condition work;	/* something is queued, or stopping is set */
	struct mio_condition ended;
	struct mio_os_transfer *first;
	struct mio_os_transfer *last;
	int queued;
	int threads;	/* running, or about to */
	int idle;
	int stopping;
	int gone[THREADS];	/* numbers of the threads that ended because of stopping */
	int gone_count;
} pool;

/* Takes the next transfer, and waits for one; NULL: the thread is to end. The caller holds pool.lock. */
static struct mio_os_transfer *take(void)
{
	struct mio_os_transfer *taken;
	int rc = 0;

	while (!pool.first) {
		if (pool.stopping || rc == -ETIMEDOUT)
			return NULL;
		pool.idle++;
		rc = mio_condition_wait_for(&pool.work, &pool.lock, IDLE_NS);
		pool.idle--;
	}
	taken = pool.first;
	pool.first = taken->next;
	pool.queued--;
	return taken;
}

static void run(void)
{
	struct mio_os_transfer *transfer;

	mio_lock_acquire(&pool.lock);
	while ((transfer = take()) != NULL) {
		mio_lock_release(&pool.lock);
		mio_os_transfer_finish(transfer);
		mio_lock_acquire(&pool.lock);
	}
	pool.threads--;
	if (pool.stopping && pool.gone_count < THREADS)
		pool.gone[pool.gone_count++] = mio_os_thread_number();
	mio_condition_wake(&pool.ended);
	mio_lock_release(&pool.lock);
}

/* Takes everything that is queued, if no thread is left that will. */
static struct mio_os_transfer *could_not_start(void)
{
	struct mio_os_transfer *left = NULL;

	mio_lock_acquire(&pool.lock);
	if (--pool.threads == 0) {
		left = pool.first;
		pool.first = NULL;
		pool.queued = 0;
		mio_condition_wake(&pool.ended);
	}
	mio_lock_release(&pool.lock);
	return left;
}

static void submit(struct mio_os_transfer *list)
{
	struct mio_os_transfer *last = list;
	int count = 1;
	int more = 0;

	for (; last->next; last = last->next)
		count++;
	mio_lock_acquire(&pool.lock);
	if (pool.first)
		pool.last->next = list;
	else
		pool.first = list;
	pool.last = last;
	pool.queued += count;
	if (pool.idle > 0) {
		if (count == 1)
			mio_condition_wake_one(&pool.work);
		else
			mio_condition_wake(&pool.work);
	}
	while (pool.threads < THREADS && pool.idle + more < pool.queued) {
		pool.threads++;
		more++;
	}
	mio_lock_release(&pool.lock);
	while (more-- > 0) {
		if (mio_os_thread_start(run) < 0) {
			list = could_not_start();
			if (list)
				mio_os_backend_sync.submit(list);
		}
	}
}

static void stop(void)
{
	mio_lock_acquire(&pool.lock);
	pool.stopping = 1;
	pool.gone_count = 0;
	mio_condition_wake(&pool.work);
	while (pool.threads > 0)
		mio_condition_wait(&pool.ended, &pool.lock);
	pool.stopping = 0;
	mio_lock_release(&pool.lock);
	for (int i = 0; i < pool.gone_count; i++)
		mio_os_thread_gone(pool.gone[i]);
}

static void forked(void)
{
	memset(&pool, 0, sizeof(pool));
}

const struct mio_os_backend mio_os_backend_threads = {
	.label = "threads", .submit = submit, .stop = stop, .forked = forked};

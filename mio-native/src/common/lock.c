#include "lock.h"

#include <limits.h>
#include <linux/futex.h>
#include <time.h>

#include "raw.h"

int mio_futex_wait(_Atomic uint32_t *word, uint32_t value, int64_t ns)
{
	struct timespec limit = {.tv_sec = (time_t)(ns / 1000000000), .tv_nsec = (long)(ns % 1000000000)};

	return (int)mio_raw4(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, ns < 0 ? NULL : &limit);
}

void mio_futex_wake_all(_Atomic uint32_t *word)
{
	mio_raw3(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT_MAX);
}

/* The mutex of Drepper, "Futexes Are Tricky", with a short spin first, as locks are held for a short time. */
void mio_lock_acquire_held(struct mio_lock *lock)
{
	for (int spin = 0; spin < 40; spin++) {
		if (mio_lock_try(lock))
			return;
		if (atomic_load_explicit(&lock->state, memory_order_relaxed) == 2)
			break;
	}
	while (atomic_exchange_explicit(&lock->state, 2, memory_order_acquire) != 0)
		mio_futex_wait(&lock->state, 2, -1);
}

void mio_lock_wake(struct mio_lock *lock)
{
	mio_raw3(SYS_futex, &lock->state, FUTEX_WAKE_PRIVATE, 1);
}

int mio_condition_wait_for(struct mio_condition *condition, struct mio_lock *lock, int64_t ns)
{
	uint32_t seen = atomic_load(&condition->sequence);
	int rc;

	atomic_fetch_add(&condition->waiters, 1);
	mio_lock_release(lock);
	rc = mio_futex_wait(&condition->sequence, seen, ns);
	atomic_fetch_sub(&condition->waiters, 1);
	mio_lock_acquire(lock);
	return rc == -ETIMEDOUT ? rc : 0;
}

void mio_condition_wait(struct mio_condition *condition, struct mio_lock *lock)
{
	mio_condition_wait_for(condition, lock, -1);
}

void mio_condition_wake(struct mio_condition *condition)
{
	atomic_fetch_add(&condition->sequence, 1);
	if (atomic_load(&condition->waiters) != 0)
		mio_futex_wake_all(&condition->sequence);
}

void mio_condition_wake_one(struct mio_condition *condition)
{
	atomic_fetch_add(&condition->sequence, 1);
	if (atomic_load(&condition->waiters) != 0)
		mio_raw3(SYS_futex, &condition->sequence, FUTEX_WAKE_PRIVATE, 1);
}

#ifndef MIO_COMMON_LOCK_H
#define MIO_COMMON_LOCK_H

#include <stdatomic.h>
#include <stdint.h>

/*
 * A lock and a condition variable over futexes. Unlike those of the C library they are no cancellation points, call nothing
 * that a library can wrap, and are ready when all zero. The lock is not recursive. Signals do not end a wait.
 */
struct mio_lock {
	_Atomic uint32_t state;	/* 0 free, 1 held, 2 held and waited for */
};

struct mio_condition {
	_Atomic uint32_t sequence;
	_Atomic uint32_t waiters;
};

/* 1 if the lock was free and the caller holds it now, else 0. Never waits. */
static inline int mio_lock_try(struct mio_lock *lock)
{
	uint32_t free = 0;

	return atomic_compare_exchange_strong_explicit(&lock->state, &free, 1, memory_order_acquire,
						       memory_order_relaxed);
}

/* The slow paths of mio_lock_acquire and mio_lock_release, for a lock that another thread holds or waits for. */
void mio_lock_acquire_held(struct mio_lock *lock);
void mio_lock_wake(struct mio_lock *lock);

static inline void mio_lock_acquire(struct mio_lock *lock)
{
	if (__builtin_expect(!mio_lock_try(lock), 0))
		mio_lock_acquire_held(lock);
}

static inline void mio_lock_release(struct mio_lock *lock)
{
	if (__builtin_expect(atomic_exchange_explicit(&lock->state, 0, memory_order_release) == 2, 0))
		mio_lock_wake(lock);
}

/* Releases the lock, waits, and takes the lock again. May return without a wake: the caller checks its condition again. */
void mio_condition_wait(struct mio_condition *condition, struct mio_lock *lock);
/* The same for at most ns nanoseconds; below 0: without a limit. Returns 0, or -ETIMEDOUT. */
int mio_condition_wait_for(struct mio_condition *condition, struct mio_lock *lock, int64_t ns);
/* Wakes all waiters. Makes no system call where there are none. Best called with the lock held. */
void mio_condition_wake(struct mio_condition *condition);
/* Wakes one waiter; for conditions whose waiters all wait for the same thing. */
void mio_condition_wake_one(struct mio_condition *condition);

/*
 * Waits while *word is value, at most ns nanoseconds (-1: without a limit). Returns at once if it has another value, and may
 * return without a reason.
 */
int mio_futex_wait(_Atomic uint32_t *word, uint32_t value, int64_t ns);
void mio_futex_wake_all(_Atomic uint32_t *word);

#endif

#ifndef MIO_COMMON_LOCK_H
#define MIO_COMMON_LOCK_H

#include <stdatomic.h>
#include <stdint.h>

/*
 * A lock and a condition over futexes. Unlike those of the C library they are no cancellation points,
 * call nothing that anybody can wrap, and are ready when all zero. Not recursive.
 * Signals do not end a wait.
 */
struct mio_lock {
	_Atomic uint32_t state;	/* 0 free, 1 held, 2 held and waited for */
};

struct mio_condition {
	_Atomic uint32_t sequence;
	_Atomic uint32_t waiters;
};

/* 1 if it was free and is held now, else 0. */
static inline int mio_lock_try(struct mio_lock *lock)
{
	uint32_t free = 0;

	return atomic_compare_exchange_strong_explicit(&lock->state, &free, 1, memory_order_acquire,
						       memory_order_relaxed);
}

/* The rest of the two below, where somebody else is in the way. */
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

/* Releases the lock, waits, takes the lock again. May return without a reason: look again. */
void mio_condition_wait(struct mio_condition *condition, struct mio_lock *lock);
/* The same, at most so long. Returns 0, or -ETIMEDOUT. */
int mio_condition_wait_for(struct mio_condition *condition, struct mio_lock *lock, int64_t ns);
/* Wakes all. No system call where nobody waits. Best called with the lock held. */
void mio_condition_wake(struct mio_condition *condition);
/* Wakes one of those that wait; for conditions of which all who wait, wait for the same. */
void mio_condition_wake_one(struct mio_condition *condition);

/* Waits while *word is value; returns at once if it is not, and perhaps without a reason. ns: at most so long, -1 for ever. */
int mio_futex_wait(_Atomic uint32_t *word, uint32_t value, int64_t ns);
void mio_futex_wake_all(_Atomic uint32_t *word);

#endif

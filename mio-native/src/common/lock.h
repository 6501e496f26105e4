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

void mio_lock_acquire(struct mio_lock *lock);
/* 1 if it was free and is held now, else 0. */
int mio_lock_try(struct mio_lock *lock);
void mio_lock_release(struct mio_lock *lock);

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

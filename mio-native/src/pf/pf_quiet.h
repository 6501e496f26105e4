#ifndef MIO_PF_QUIET_H
#define MIO_PF_QUIET_H

/*
 * Which reads of an open pf_hints need not look at: the next ones of a stream that has been seen to, a number of bytes because what was looked at was there
 * already, or a number of requests because they had no order. Pure; twin of QuietReads. mio_pf_quiet_is may be called by any thread: races between them make a
 * guess worse and do no other harm. The rest is for one thread at a time.
 */

#include <stdatomic.h>
#include <stdint.h>

#include "pf_options.h"

enum {
	MIO_PF_QUIET_TRUST_FIRST = 256 << 10,
	MIO_PF_QUIET_TRUST_MAX = 8 << 20,	/* the most that is not looked at at a time because what was before was there, bytes */
	MIO_PF_QUIET_NAP_FIRST = 64,
	MIO_PF_QUIET_NAP_MAX = 4096,
	MIO_PF_QUIET_DOZE = 8,			/* long requests that are not looked at after some that were there */
	MIO_PF_QUIET_REST_MAX = 256		/* reads that are not shown at all; one that touches the last is missed so long */
};

struct mio_pf_quiet {
	/* The last request of the open, looked at or not; offset negative: there is none. And where the next ones need not be looked at. */
	_Atomic int64_t last_offset, last_length;
	_Atomic int64_t from, to;
	_Atomic int64_t credit;		/* bytes that are not looked at, because what was looked at was there */
	_Atomic int asleep;		/* requests that are not looked at unless they touch the last one */
	int64_t trust;			/* the next credit, bytes */
	int nap;			/* how long the next sleep is */
	int64_t step;			/* guess of how far a request is from the next, bytes, if there was a rest since the last look; else 0 */
};

static inline void mio_pf_quiet_begin(struct mio_pf_quiet *quiet)
{
	*quiet = (struct mio_pf_quiet){.last_offset = -1, .trust = MIO_PF_QUIET_TRUST_FIRST, .nap = MIO_PF_QUIET_NAP_FIRST};
}

static inline int64_t mio_pf_quiet_get(_Atomic int64_t *value)
{
	return atomic_load_explicit(value, memory_order_relaxed);
}

static inline void mio_pf_quiet_set(_Atomic int64_t *value, int64_t now)
{
	atomic_store_explicit(value, now, memory_order_relaxed);
}

/* True if a request needs no look; then it has been noted. Without a lock. */
static inline int mio_pf_quiet_is(struct mio_pf_quiet *quiet, int64_t offset, int64_t length)
{
	int64_t credit = mio_pf_quiet_get(&quiet->credit);
	int64_t last = mio_pf_quiet_get(&quiet->last_offset);
	int64_t end = last + mio_pf_quiet_get(&quiet->last_length);

	if (credit > 0) {
		mio_pf_quiet_set(&quiet->credit, credit - length);
	} else if (offset < mio_pf_quiet_get(&quiet->from) || offset + length > mio_pf_quiet_get(&quiet->to)) {
		int asleep = atomic_load_explicit(&quiet->asleep, memory_order_relaxed);

		if (asleep <= 0 || offset == end || offset + length == last)
			return 0;
		atomic_store_explicit(&quiet->asleep, asleep - 1, memory_order_relaxed);
	}
	mio_pf_quiet_set(&quiet->last_offset, offset);
	mio_pf_quiet_set(&quiet->last_length, length);
	return 1;
}

/* True if the last request was where nothing new comes. */
static inline int mio_pf_quiet_is_last_inside(struct mio_pf_quiet *quiet)
{
	int64_t last = mio_pf_quiet_get(&quiet->last_offset);

	return last >= mio_pf_quiet_get(&quiet->from) &&
	       last + mio_pf_quiet_get(&quiet->last_length) <= mio_pf_quiet_get(&quiet->to);
}

/* From here to there nothing new comes, bytes of the file. */
static inline void mio_pf_quiet_between(struct mio_pf_quiet *quiet, int64_t from, int64_t to)
{
	mio_pf_quiet_set(&quiet->from, from);
	mio_pf_quiet_set(&quiet->to, to);
}

/* A request is looked at; so is the next one, unless something else is said. */
static inline void mio_pf_quiet_looked(struct mio_pf_quiet *quiet, int64_t offset, int64_t length)
{
	mio_pf_quiet_set(&quiet->last_offset, offset);
	mio_pf_quiet_set(&quiet->last_length, length);
	mio_pf_quiet_between(quiet, 0, 0);
	quiet->step = 0;
}

/* What was looked at was there: more and more bytes are not. */
static inline void mio_pf_quiet_credit(struct mio_pf_quiet *quiet)
{
	mio_pf_quiet_set(&quiet->credit, quiet->trust);
	quiet->trust = mio_pf_min(2 * quiet->trust, MIO_PF_QUIET_TRUST_MAX);
}

/* It was not there. */
static inline void mio_pf_quiet_distrust(struct mio_pf_quiet *quiet)
{
	quiet->trust = MIO_PF_QUIET_TRUST_FIRST;
}

/* Requests had no order: more and more of them are not looked at. */
static inline void mio_pf_quiet_sleep(struct mio_pf_quiet *quiet)
{
	atomic_store_explicit(&quiet->asleep, quiet->nap, memory_order_relaxed);
	quiet->nap = (int)mio_pf_min(2 * quiet->nap, MIO_PF_QUIET_NAP_MAX);
}

/* Long requests were there, of which each that is not is worth a look: a few are not looked at. */
static inline void mio_pf_quiet_doze(struct mio_pf_quiet *quiet)
{
	atomic_store_explicit(&quiet->asleep, MIO_PF_QUIET_DOZE, memory_order_relaxed);
}

/* There is something to see in them: it is looked at the next one, and the next sleep is a short one. */
static inline void mio_pf_quiet_wake(struct mio_pf_quiet *quiet)
{
	quiet->nap = MIO_PF_QUIET_NAP_FIRST;
	atomic_store_explicit(&quiet->asleep, 0, memory_order_relaxed);
}

/*
 * After a quiet request of about this length: how many more of the kind need no look, and need not be shown at all. forward: the stream they are of; step: from
 * the request that was looked at to this one, bytes. The first rest after a look knows by it how far a request is from the next; later ones remember.
 */
static inline int mio_pf_quiet_rest(struct mio_pf_quiet *quiet, int64_t length, int forward, int64_t step)
{
	int64_t credit = mio_pf_quiet_get(&quiet->credit);
	int64_t last = mio_pf_quiet_get(&quiet->last_offset);
	int asleep = atomic_load_explicit(&quiet->asleep, memory_order_relaxed);
	int64_t room, reads;

	if (quiet->step == 0 || step < quiet->step)
		quiet->step = step;
	if (credit > 0) {
		reads = mio_pf_min(credit / length, MIO_PF_QUIET_REST_MAX);
		mio_pf_quiet_set(&quiet->credit, credit - reads * length);
	} else if (mio_pf_quiet_is_last_inside(quiet)) {
		room = forward ? mio_pf_quiet_get(&quiet->to) - last - length : last - mio_pf_quiet_get(&quiet->from);
		/* The last one is shown: by it the stream is known again. */
		reads = mio_pf_max(0, mio_pf_min(room / mio_pf_max(length, quiet->step) - 1, MIO_PF_QUIET_REST_MAX));
	} else {
		reads = mio_pf_min(asleep, MIO_PF_QUIET_REST_MAX);
		atomic_store_explicit(&quiet->asleep, asleep - (int)reads, memory_order_relaxed);
	}
	return (int)reads;
}

#endif

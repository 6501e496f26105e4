#ifndef MIO_PF_QUIET_H
#define MIO_PF_QUIET_H

/*
 * Tells which reads of an open are quiet, so that pf_hints need not look at them: the next reads of a stream until its next hint is due; a number of bytes,
 * because the bytes of the last hint were in the kernel's page cache; or a number of requests, because the ones before had no order. Pure; twin of QuietReads.
 * mio_pf_quiet_is may be called by any thread: a race makes a guess worse and does no other harm. The rest is for one thread at a time.
 */

#include <stdatomic.h>
#include <stdint.h>

#include "pf_options.h"

enum {
	MIO_PF_QUIET_TRUST_FIRST = 256 << 10,	/* the first credit, bytes */
	MIO_PF_QUIET_TRUST_MAX = 8 << 20,	/* the largest credit, bytes */
	MIO_PF_QUIET_NAP_FIRST = 64,		/* the first sleep, requests */
	MIO_PF_QUIET_NAP_MAX = 4096,		/* the longest sleep, requests */
	MIO_PF_QUIET_DOZE = 8,			/* the sleep after some long requests that were in the cache, requests */
	MIO_PF_QUIET_REST_MAX = 256		/* reads that the caller does not show at all; among these, one that touches the last is missed */
};

struct mio_pf_quiet {
	_Atomic int64_t last_offset, last_length;	/* the last request of the open, quiet or not; a negative offset: there was none */
	_Atomic int64_t from, to;	/* requests between these bytes of the file are quiet */
	_Atomic int64_t credit;		/* so many bytes more are quiet, because the bytes of the last hint were in the kernel's page cache */
	_Atomic int asleep;		/* so many requests more are quiet, unless they touch the last one */
	int64_t trust;			/* the next credit, bytes */
	int nap;			/* the next sleep, requests */
	int64_t step;			/* guess of the distance from one request to the next, bytes, if there was a rest since the last look; else 0 */
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

/* True if a request is quiet; it is noted as the last one then. Any thread, without a lock. */
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

/* True if the last request was between the bytes where requests are quiet. */
static inline int mio_pf_quiet_is_last_inside(struct mio_pf_quiet *quiet)
{
	int64_t last = mio_pf_quiet_get(&quiet->last_offset);

	return last >= mio_pf_quiet_get(&quiet->from) &&
	       last + mio_pf_quiet_get(&quiet->last_length) <= mio_pf_quiet_get(&quiet->to);
}

/* Requests between these bytes of the file are quiet. */
static inline void mio_pf_quiet_between(struct mio_pf_quiet *quiet, int64_t from, int64_t to)
{
	mio_pf_quiet_set(&quiet->from, from);
	mio_pf_quiet_set(&quiet->to, to);
}

/* A request is looked at; the next one will be, too, unless a function below says otherwise. */
static inline void mio_pf_quiet_looked(struct mio_pf_quiet *quiet, int64_t offset, int64_t length)
{
	mio_pf_quiet_set(&quiet->last_offset, offset);
	mio_pf_quiet_set(&quiet->last_length, length);
	mio_pf_quiet_between(quiet, 0, 0);
	quiet->step = 0;
}

/* The bytes of the last hint were in the kernel's page cache: the next bytes are quiet, twice as many each time. */
static inline void mio_pf_quiet_credit(struct mio_pf_quiet *quiet)
{
	mio_pf_quiet_set(&quiet->credit, quiet->trust);
	quiet->trust = mio_pf_min(2 * quiet->trust, MIO_PF_QUIET_TRUST_MAX);
}

/* The bytes of the last hint were not in the kernel's page cache: the next credit is a short one. */
static inline void mio_pf_quiet_distrust(struct mio_pf_quiet *quiet)
{
	quiet->trust = MIO_PF_QUIET_TRUST_FIRST;
}

/* Requests had no order: the next ones are quiet, twice as many each time. */
static inline void mio_pf_quiet_sleep(struct mio_pf_quiet *quiet)
{
	atomic_store_explicit(&quiet->asleep, quiet->nap, memory_order_relaxed);
	quiet->nap = (int)mio_pf_min(2 * quiet->nap, MIO_PF_QUIET_NAP_MAX);
}

/* Long requests were in the kernel's page cache: only a few are quiet, because each one that is not there is worth a look. */
static inline void mio_pf_quiet_doze(struct mio_pf_quiet *quiet)
{
	atomic_store_explicit(&quiet->asleep, MIO_PF_QUIET_DOZE, memory_order_relaxed);
}

/* Requests have an order after all: the next one is looked at, and the next sleep is a short one. */
static inline void mio_pf_quiet_wake(struct mio_pf_quiet *quiet)
{
	quiet->nap = MIO_PF_QUIET_NAP_FIRST;
	atomic_store_explicit(&quiet->asleep, 0, memory_order_relaxed);
}

/*
 * After a quiet request: returns how many more requests of about this length are quiet, so that the caller need not show them at all. forward: of the stream
 * that they belong to. step: distance from the last request that was looked at to this one, bytes: at the first rest after a look it tells how far requests are
 * apart; later rests use the smallest one so far.
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
		/* The last quiet request is shown, so that the stream is recognised at its next one. */
		reads = mio_pf_max(0, mio_pf_min(room / mio_pf_max(length, quiet->step) - 1, MIO_PF_QUIET_REST_MAX));
	} else {
		reads = mio_pf_min(asleep, MIO_PF_QUIET_REST_MAX);
		atomic_store_explicit(&quiet->asleep, asleep - (int)reads, memory_order_relaxed);
	}
	return (int)reads;
}

#endif

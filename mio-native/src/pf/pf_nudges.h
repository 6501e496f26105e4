#ifndef MIO_PF_NUDGES_H
#define MIO_PF_NUDGES_H

/*
 * Decides for pf_hints before which requests one byte is read first (a nudge). The kernel follows only one stream of an open. It takes a long request elsewhere
 * for a random one, unless its cache has more bytes right before the request than the request is long. One byte always has more before it: the kernel then
 * reads on from there by itself, as far as it has bytes before it. This is of use where the kernel reads far ahead. Pure; twin of Nudges.
 * mio_pf_nudges_in_vain may be called by any thread, the rest by one thread at a time.
 */

#include <stdatomic.h>
#include <stdint.h>

#include "pf_hint_way.h"
#include "pf_options.h"

enum {
	MIO_PF_NUDGES_LEAST = 256 << 10,	/* shorter requests are not nudged, bytes */
	MIO_PF_NUDGES_FIRST = 64 << 10,		/* a request whose first bytes, so many, are in the kernel's page cache is taken to be there */
	MIO_PF_NUDGES_GUESSES = 64,		/* nudges of requests without a stream: these may be at random after all */
	MIO_PF_NUDGES_EARNED = 4,		/* guesses gained by each nudge of a stream: a short stream is recognised only by its last requests */
	MIO_PF_NUDGES_THERE = 8,		/* requests of streams in a row that were in the cache, before others go by without a look */
	MIO_PF_NUDGES_AHEAD = 256		/* the same after a nudge, since the kernel reads ahead then */
};

struct mio_pf_nudges {
	int64_t reach_bytes;	/* how far the kernel reads ahead by itself; 0: not known */
	int64_t size_bytes;	/* of the file; 0: not known */
	/* Of the last request: what it is part of; its length; how many bytes right before it the kernel must have, 0: no nudge. */
	enum { MIO_PF_NUDGE_GUESS, MIO_PF_NUDGE_STEPS, MIO_PF_NUDGE_FORWARD } of;
	int64_t length, before;
	/*
	 * How many bytes right before the last request the caller is to ask for; 0: none. If the kernel's page cache has these, and does not have the first
	 * MIO_PF_NUDGES_FIRST of the request, a byte of the request is to be read first.
	 */
	int64_t front;
	int guesses;		/* nudges that requests without a stream may still have */
	int there, patience;	/* requests of streams in a row that were in the cache, and how many there may be before others get no look */
	_Atomic int vain;	/* the kernel did not read on after a nudge: there are no more */
};

static inline void mio_pf_nudges_begin(struct mio_pf_nudges *nudges, int64_t reach_bytes, int64_t size_bytes)
{
	*nudges = (struct mio_pf_nudges){
		.reach_bytes = reach_bytes,
		.size_bytes = size_bytes,
		.guesses = MIO_PF_NUDGES_GUESSES,
		.patience = MIO_PF_NUDGES_THERE,
	};
}

/*
 * The bytes before the last request, or 0 where it is longer than the kernel reads ahead: after a nudge the kernel would read no more of it at a time than
 * that, while a hint can cover all of it.
 */
static inline int64_t mio_pf_nudges_within_reach(const struct mio_pf_nudges *nudges)
{
	return nudges->length <= nudges->reach_bytes ? nudges->before : 0;
}

/* The next request, taken to be of no stream until more is known. apart: it is not near the one before. */
static inline void mio_pf_nudges_next(struct mio_pf_nudges *nudges, int64_t offset, int64_t length, int apart)
{
	int64_t before = mio_pf_min(length, nudges->reach_bytes);
	int may = apart && !atomic_load_explicit(&nudges->vain, memory_order_relaxed) &&
		  nudges->reach_bytes >= MIO_PF_HINT_KERNEL_GOOD && length >= MIO_PF_NUDGES_LEAST &&
		  (nudges->size_bytes == 0 || offset + MIO_PF_NUDGES_LEAST <= nudges->size_bytes);

	nudges->of = MIO_PF_NUDGE_GUESS;
	nudges->length = length;
	nudges->before = may && offset >= before ? before : 0;
	nudges->front = nudges->guesses > 0 ? mio_pf_nudges_within_reach(nudges) : 0;
}

/* The last request is of a forward stream that reads without gaps. */
static inline void mio_pf_nudges_forward(struct mio_pf_nudges *nudges)
{
	nudges->of = MIO_PF_NUDGE_FORWARD;
	nudges->front = nudges->before;
}

/* The last request is a step of a strided stream. */
static inline void mio_pf_nudges_steps(struct mio_pf_nudges *nudges)
{
	nudges->of = MIO_PF_NUDGE_STEPS;
	nudges->front = mio_pf_nudges_within_reach(nudges);
}

/* A byte of the last request is read first. */
static inline void mio_pf_nudges_nudged(struct mio_pf_nudges *nudges)
{
	nudges->guesses = nudges->of == MIO_PF_NUDGE_GUESS ?
				  nudges->guesses - 1 :
				  (int)mio_pf_min(nudges->guesses + MIO_PF_NUDGES_EARNED, MIO_PF_NUDGES_GUESSES);
	nudges->there = 0;
	nudges->patience = MIO_PF_NUDGES_AHEAD;
}

/* The last request is in the kernel's page cache. 1 if the next ones need not be looked at for a while. */
static inline int mio_pf_nudges_is_enough(struct mio_pf_nudges *nudges)
{
	if (nudges->of != MIO_PF_NUDGE_FORWARD || ++nudges->there < nudges->patience)
		return 0;
	nudges->patience = MIO_PF_NUDGES_THERE;
	return 1;
}

/* 1 if the last request may be nudged, and there was a nudge not long ago: further ones are likely. */
static inline int mio_pf_nudges_is_usual(const struct mio_pf_nudges *nudges)
{
	return nudges->front > 0 && nudges->patience == MIO_PF_NUDGES_AHEAD;
}

/* The kernel did not read on after a nudge: there are no nudges from now on. */
static inline void mio_pf_nudges_in_vain(struct mio_pf_nudges *nudges)
{
	atomic_store_explicit(&nudges->vain, 1, memory_order_relaxed);
}

#endif

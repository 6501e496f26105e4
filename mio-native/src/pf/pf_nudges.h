#ifndef MIO_PF_NUDGES_H
#define MIO_PF_NUDGES_H

/*
 * Of which requests a byte is read first, for pf_hints. A kernel that reads far ahead follows one stream of an open; a long request among others it takes for a
 * random one, unless more lies in front of it in its cache than it is long. A byte has always more in front: the kernel reads on by itself then, as far as what
 * lies there. Pure; twin of Nudges. mio_pf_nudges_in_vain may be called by any thread. The rest is for one thread at a time.
 */

#include <stdatomic.h>
#include <stdint.h>

#include "pf_hint_way.h"
#include "pf_options.h"

enum {
	MIO_PF_NUDGES_LEAST = 256 << 10,	/* of shorter requests none is read first, bytes */
	MIO_PF_NUDGES_FIRST = 64 << 10,		/* a request that begins with so much of what is there is taken to be there, bytes */
	MIO_PF_NUDGES_GUESSES = 64,		/* requests without a stream of which one is read first: they may be at random after all */
	MIO_PF_NUDGES_EARNED = 4,		/* so many more after each nudge of a stream: short ones are known by their last requests */
	MIO_PF_NUDGES_THERE = 8,		/* requests of streams that were there, in a row, before others are not looked at */
	MIO_PF_NUDGES_AHEAD = 256		/* the same after a nudge: the kernel reads ahead */
};

struct mio_pf_nudges {
	int64_t reach_bytes;	/* how far the kernel reads ahead by itself; 0: not known */
	int64_t size_bytes;	/* of the file; 0: not known */
	/* Of the last request. */
	enum { MIO_PF_NUDGE_GUESS, MIO_PF_NUDGE_STEPS, MIO_PF_NUDGE_FORWARD } of;
	int64_t length, before;
	/*
	 * So many bytes in front of it are asked for: if the kernel's cache has them, and not the first MIO_PF_NUDGES_FIRST of the request, a byte of it
	 * is to be read first. 0: no.
	 */
	int64_t front;
	int guesses;
	int there, patience;	/* requests of streams that were there, in a row, and how many may be */
	_Atomic int vain;	/* the kernel did not read on */
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

/* Of a longer one the kernel would read no more at a time than it reads ahead: all of it can be told of in place of that. */
static inline int64_t mio_pf_nudges_within_reach(const struct mio_pf_nudges *nudges)
{
	return nudges->length <= nudges->reach_bytes ? nudges->before : 0;
}

/* The next request, of no stream as far as is known. apart: it is not near the one before. */
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

/* It is of a forward stream that reads without gaps. */
static inline void mio_pf_nudges_forward(struct mio_pf_nudges *nudges)
{
	nudges->of = MIO_PF_NUDGE_FORWARD;
	nudges->front = nudges->before;
}

/* It is a step. */
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

/* The last request is there. 1 if the next ones need not be looked at for a while. */
static inline int mio_pf_nudges_is_enough(struct mio_pf_nudges *nudges)
{
	if (nudges->of != MIO_PF_NUDGE_FORWARD || ++nudges->there < nudges->patience)
		return 0;
	nudges->patience = MIO_PF_NUDGES_THERE;
	return 1;
}

/* 1 if a byte was read not long ago, and so will be others. */
static inline int mio_pf_nudges_is_usual(const struct mio_pf_nudges *nudges)
{
	return nudges->front > 0 && nudges->patience == MIO_PF_NUDGES_AHEAD;
}

/* A byte has been read, and the kernel does not read on: none is from now on. */
static inline void mio_pf_nudges_in_vain(struct mio_pf_nudges *nudges)
{
	atomic_store_explicit(&nudges->vain, 1, memory_order_relaxed);
}

#endif

#ifndef MIO_PF_SCATTERED_H
#define MIO_PF_SCATTERED_H

/*
 * The requests of an open that have no dense order, for pf_hints: now and then its caller is asked whether one is in the kernel's cache; where
 * it is not, pf_blocks begin. Pure; twin of ScatteredReads. Not thread-safe.
 */

#include <stdint.h>

#include "pf_blocks.h"

enum {
	MIO_PF_SCATTERED_ASKED = 16,		/* requests until the caller is asked */
	MIO_PF_SCATTERED_ASKED_SELDOM = 256,	/* after as many of them more seldom, which is as often as this */
	MIO_PF_SCATTERED_STEADY = 3		/* gaps of one size in a row that are steps */
};

struct mio_pf_scattered {
	int64_t size_bytes;		/* of the file; 0: not known */
	struct mio_pf_blocks *blocks;	/* NULL until it is known that the file is not in the kernel's cache */
	int requests;			/* as long as that is not known */
	int asks;			/* the caller is to find out whether the last request is in the kernel's cache */
	int64_t gone;			/* from one request to the next over a gap, bytes */
	int steady;			/* how often it was so */
};

/* The next request, of whatever kind; now_ns: looked at only if mio_pf_scattered_is_timing; 0: not known. */
void mio_pf_scattered_next(struct mio_pf_scattered *scattered, int64_t now_ns);

/* 1 while times matter. */
static inline int mio_pf_scattered_is_timing(const struct mio_pf_scattered *scattered)
{
	return mio_pf_blocks_is_timing(scattered->blocks);
}

/* Looks at that request, if it is at random, over a gap or in steps; step: as for mio_pf_blocks_seen. 1 if the kernel is to be told of a block. */
int mio_pf_scattered_seen(struct mio_pf_scattered *scattered, int64_t offset, int64_t length, int64_t step);

/* A forward stream has gone so far over a gap: its steps, if they are of one size, else 0. */
int64_t mio_pf_scattered_steps(struct mio_pf_scattered *scattered, int64_t bytes);

/* 1 if the file is in the kernel's cache as far as is known, or blocks of it are not told of. */
static inline int mio_pf_scattered_is_there(const struct mio_pf_scattered *scattered)
{
	return !scattered->blocks &&
	       (scattered->requests > 2 * MIO_PF_SCATTERED_ASKED || !mio_pf_blocks_serves(scattered->size_bytes));
}

/* The file, or a part of it, is not in the kernel's cache. */
void mio_pf_scattered_cold(struct mio_pf_scattered *scattered);

#endif

#ifndef MIO_PF_SCATTERED_H
#define MIO_PF_SCATTERED_H

/*
 * The requests of an open that have no dense order, for pf_hints. Now and then its caller is asked whether one is in the kernel's page cache; if it is not,
 * pf_blocks begin to look for blocks. Pure; twin of ScatteredReads. Not thread-safe.
 */

#include <stdint.h>

#include "pf_blocks.h"

enum {
	MIO_PF_SCATTERED_ASKED = 16,		/* the caller is asked once in so many requests */
	MIO_PF_SCATTERED_ASKED_SELDOM = 256,	/* after this many requests, the caller is asked only once in this many */
	MIO_PF_SCATTERED_STEADY = 3		/* so many repetitions of one distance in a row are steps */
};

struct mio_pf_scattered {
	int64_t size_bytes;		/* of the file; 0: not known */
	struct mio_pf_blocks *blocks;	/* NULL until it is known that the file is not in the kernel's page cache */
	int requests;			/* without a dense order, as long as blocks is NULL */
	int asks;			/* the caller is to find out whether the last request is in the kernel's page cache */
	int64_t gone;			/* last distance that a forward stream moved over a gap, bytes */
	int steady;			/* how often in a row that distance was repeated */
};

/* The next request, of any kind. now_ns: used only if mio_pf_scattered_is_timing; 0: not known. */
void mio_pf_scattered_next(struct mio_pf_scattered *scattered, int64_t now_ns);

/* 1 while mio_pf_scattered_next needs the time. */
static inline int mio_pf_scattered_is_timing(const struct mio_pf_scattered *scattered)
{
	return mio_pf_blocks_is_timing(scattered->blocks);
}

/* Looks at that request, if it is at random, over a gap or in steps. step: as for mio_pf_blocks_seen. 1 if a hint for a block is to be given. */
int mio_pf_scattered_seen(struct mio_pf_scattered *scattered, int64_t offset, int64_t length, int64_t step);

/* A forward stream has moved by so many bytes over a gap. Returns these if its last moves were all of that size, so that they are steps; else 0. */
int64_t mio_pf_scattered_steps(struct mio_pf_scattered *scattered, int64_t bytes);

/* 1 if the file is in the kernel's page cache as far as is known, or is one that gets no hints for blocks. */
static inline int mio_pf_scattered_is_there(const struct mio_pf_scattered *scattered)
{
	return !scattered->blocks &&
	       (scattered->requests > 2 * MIO_PF_SCATTERED_ASKED || !mio_pf_blocks_serves(scattered->size_bytes));
}

/* The file, or a part of it, is not in the kernel's page cache. */
void mio_pf_scattered_cold(struct mio_pf_scattered *scattered);

#endif

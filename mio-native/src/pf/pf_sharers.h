#ifndef MIO_PF_SHARERS_H
#define MIO_PF_SHARERS_H

/*
 * Counts the streams that share the frames of a cache: those of all its files that were used lately. Reads and writes of a file count separately. Without this
 * each file would read ahead as if it had the cache alone, and files that are read in turns would push each other's pages out. Pure. Twin of Sharers; both are
 * tested by twin/stride. With the lock of the cache.
 */

#include <stdint.h>

/* The share of the reads, or of the writes, of a file. Ready when all zero. */
struct mio_pf_share {
	struct mio_pf_share *older, *younger;
	int64_t used_at;	/* by the clock of the sharers; 0: it is not among them */
	int streams;		/* streams that it counts for */
};

/* The shares that were used lately, by age. Ready when all zero. */
struct mio_pf_sharers {
	struct mio_pf_share *oldest, *youngest;
	int64_t clock;		/* uses so far */
	int64_t count;		/* shares */
	int streams;		/* of all shares together */
};

/* A stream of this share is about to read ahead; `active` streams of the share were used lately. Returns the streams of all shares together, at least 1. */
int mio_pf_sharers_used(struct mio_pf_sharers *sharers, struct mio_pf_share *share, int active);

/* The file of the share has no pages any more: removes the share. */
void mio_pf_sharers_left(struct mio_pf_sharers *sharers, struct mio_pf_share *share);

#endif

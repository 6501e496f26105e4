#ifndef MIO_PF_SHARERS_H
#define MIO_PF_SHARERS_H

/*
 * Whose streams share the frames of a cache: those of all its files that were used lately, each file's reads and writes by themselves.
 * Without it each file would read ahead as if the cache were its own, and files that are read in turns would push each other's pages
 * out. Pure. Twin of Sharers, held together by twin/stride. With the lock of the cache.
 */

#include <stdint.h>

/* The reads, or the writes, of a file; zeroed at first. */
struct mio_pf_share {
	struct mio_pf_share *older, *younger;
	int64_t used_at;	/* 0: it is not among those that share */
	int streams;
};

/* Zeroed at first. */
struct mio_pf_sharers {
	struct mio_pf_share *oldest, *youngest;
	int64_t clock;
	int64_t count;
	int streams;		/* of all */
};

/* Streams of a file look ahead, active ones of which were used lately: streams of all that share, at least 1. */
int mio_pf_sharers_used(struct mio_pf_sharers *sharers, struct mio_pf_share *share, int active);

/* The file has no pages any more. */
void mio_pf_sharers_left(struct mio_pf_sharers *sharers, struct mio_pf_share *share);

#endif

#ifndef MIO_PF_GROWTH_H
#define MIO_PF_GROWTH_H

/*
 * Decides how many frames an open under pf/auto should have: more, once reading pages again that had given way has cost as much as memory for all of them
 * would. Pure. Twin of PageGrowth; both are tested by twin/auto/growth.txt. One thread at a time.
 */

#include <stdint.h>

/* Memory that all caches of the process may have grown by, bytes. */
#define MIO_PF_GROWN_MOST ((int64_t)64 << 20)

/* Ready when all zero. */
struct mio_pf_growth {
	int64_t before;	/* came_back when the cache grew last */
	int over;	/* the cache grows no more: memory could not be had, or is being taken just now */
};

/*
 * Returns how many frames there should be. requests: of the program since the last call; page_reads: those that served them; came_back: pages so far that came
 * back a short while after they had given way; frames: that there are; working: pages that the program reads from, at most the frames there may be.
 */
int64_t mio_pf_growth_wanted(struct mio_pf_growth *growth, int64_t requests, int64_t page_reads, int64_t came_back, int64_t frames,
			     int64_t working);

/* 1 if a cache may grow by so many bytes. grown: bytes that all caches of the process have grown by; room: memory that could keep pages of files, bytes;
 * -1: not known. */
int mio_pf_growth_may(int64_t bytes, int64_t grown, int64_t room);

#endif

#ifndef MIO_PF_GROWTH_H
#define MIO_PF_GROWTH_H

/*
 * How many pages an open under pf/auto should have: more, once reading pages again that had given way has cost as much as memory for
 * all of them does. Pure; twin of PageGrowth, held together by twin/auto/growth.txt. One thread at a time.
 */

#include <stdint.h>

/* Memory that all caches of the process may have grown by, bytes. */
#define MIO_PF_GROWN_MOST ((int64_t)64 << 20)

/* Ready when all zero. */
struct mio_pf_growth {
	int64_t before;	/* what had come back when the cache grew last */
	int over;	/* memory could not be had: never again; or is being taken */
};

/*
 * Frames that there should be. requests: of the program since it was asked last; page_reads: that these took; came_back: pages that came back so far which had given way a short while before; frames: that there are;
 * working: pages that the program reads from, as far as there may be frames for them.
 */
int64_t mio_pf_growth_wanted(struct mio_pf_growth *growth, int64_t requests, int64_t page_reads, int64_t came_back, int64_t frames,
			     int64_t working);

/* 1 if a cache may grow by so many bytes. grown: what caches of the process have grown by; room: memory that could keep pages of files. */
int mio_pf_growth_may(int64_t bytes, int64_t grown, int64_t room);

#endif

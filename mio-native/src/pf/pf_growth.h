#ifndef MIO_PF_GROWTH_H
#define MIO_PF_GROWTH_H

/*
 * How many pages an open under pf/auto should have: more, once reading pages again that had given way has cost as much as memory for
 * all of them does. Pure; twin of PageGrowth, held together by twin/auto/growth.txt. One thread at a time.
 */

#include <stdint.h>

/* Ready when all zero. */
struct mio_pf_growth {
	int64_t requests, page_reads;
	int64_t before;	/* what had come back when the cache grew last */
	int over;	/* memory could not be had: never again; or is being taken */
};

/* Since it was asked last so many requests of the program have taken so many page reads. */
void mio_pf_growth_seen(struct mio_pf_growth *growth, int64_t requests, int64_t page_reads);

/*
 * Frames that there should be. came_back: pages that came back so far which had given way a short while before; frames: that there are;
 * working: pages that the program reads from, as far as there may be frames for them.
 */
int64_t mio_pf_growth_wanted(struct mio_pf_growth *growth, int64_t came_back, int64_t frames, int64_t working);

#endif

#ifndef MIO_PF_PLAN_H
#define MIO_PF_PLAN_H

/*
 * A plan: the pages of one file in the order in which an earlier run read them, and how far the present run has come in it. Pure: requests in, places of the
 * plan out. Under the lock of the cache. The work for each page of a request is constant. Twin of PagePlan; both are tested by twin/plan.
 *
 * A place is one visit of a page: the number of the page, and the part of it that was read. A run follows the plan as long as most of its requests are near the
 * run's place in the plan: a few places ahead of it, since threads overtake each other, or behind it. Otherwise the run has left the plan, until some requests
 * in a row follow one another as they do somewhere in the plan.
 */

#include <stddef.h>
#include <stdint.h>

enum {
	MIO_PF_PLAN_NONE = -1,			/* no place */
	MIO_PF_PLAN_PLACES_MAX = 4 << 20	/* places of a plan; each takes 10 bytes, and up to 12 more for finding pages */
};

/* One read of an earlier run. */
struct mio_pf_planned_read {
	int64_t offset;		/* bytes, 0 and more */
	uint32_t length;	/* bytes, at least 1 */
	uint32_t channel;	/* number of the open it was made through, from 0 */
	/* The order of reads goes by these, see pf_plan_events.c. */
	int64_t end_ns;
	uint32_t group, sequence;
};

struct mio_pf_plan {
	int64_t page_bytes;
	uint32_t *pages;	/* of each place: its page */
	uint8_t *first, *last;	/* of each place: the first and the last 256th of the page that was read */
	int32_t *next;		/* of each place: the next place of the same page, or NONE */
	int32_t *heads;		/* hash table by page: the first place of the page, or NONE */
	size_t head_count;	/* slots of heads, a power of two */
	int32_t room, count;	/* places that there is memory for, and places */
	int is_on;		/* the run follows the plan */
	int trust;		/* grows with requests that follow the plan; the run leaves the plan when it is used up */
	int32_t cursor;		/* the place behind the run's place in the plan */
	int32_t ahead;		/* the next place to be read ahead */
	/* While the run does not follow the plan: the place where it seems to go on, and how many requests in a row did so. */
	int32_t expected;
	int matched;
	uint32_t strangers;	/* requests since the run left the plan */
	/* For the report, see struct mio_stats_plan. */
	int64_t requests, followed, left, stray, stray_of;
};

/*
 * Makes a plan of reads, which come in order of time; reads beyond MIO_PF_PLAN_PLACES_MAX places are left out. channels: one more than the highest number of a
 * channel. 0 or -ENOMEM.
 */
int mio_pf_plan_begin(struct mio_pf_plan *plan, const struct mio_pf_planned_read *reads, size_t count, uint32_t channels,
		      int64_t page_bytes);
void mio_pf_plan_end(struct mio_pf_plan *plan);

/* The file is opened: its requests are counted from here on. */
void mio_pf_plan_count_anew(struct mio_pf_plan *plan);

/* Looks at a request of at least one byte. 1 if it follows the plan; 0 if it is for the detection of streams. */
int mio_pf_plan_follow(struct mio_pf_plan *plan, int64_t offset, int64_t length);

/* The next place to be read ahead, at most so many places ahead of the run; or NONE. mio_pf_plan_taken is to be called once it was read ahead. */
int32_t mio_pf_plan_ahead(struct mio_pf_plan *plan, int64_t places);
void mio_pf_plan_taken(struct mio_pf_plan *plan);
/* The pages that were read ahead have left the cache: readahead begins again at the run's place. */
void mio_pf_plan_rewind(struct mio_pf_plan *plan);

/* Of a place: its page; the offset in the file of the first byte that was read there; the offset behind the last one. */
int64_t mio_pf_plan_page(const struct mio_pf_plan *plan, int32_t place);
int64_t mio_pf_plan_from(const struct mio_pf_plan *plan, int32_t place);
int64_t mio_pf_plan_to(const struct mio_pf_plan *plan, int32_t place);

/* The offset in the file at which the part ends that the present visit of the page reads; 0 if the visit is not planned. */
int64_t mio_pf_plan_wanted_to(const struct mio_pf_plan *plan, int64_t page);
/* 1 if the page, used just now, is visited again within so many places. Also 1 if this visit is not planned, as nothing is known then. */
int mio_pf_plan_is_soon(const struct mio_pf_plan *plan, int64_t page, int64_t places);

#endif

#ifndef MIO_PF_PLAN_H
#define MIO_PF_PLAN_H

/*
 * The pages of one file in the order in which an earlier run read them, and how far this run has come in it. Pure:
 * requests in, places of the plan out. Under the lock of the cache. Constant work for each page of a request. Twin of
 * PagePlan; held together by twin/plan.
 *
 * A place is one visit of a page: its number and the part of it that was read. A run is by the plan as long as most of its
 * requests lie near the place where it is: a few places in front of it, since threads overtake each other, or behind.
 * Where they do not, it is elsewhere, until some requests follow one another as somewhere in the plan.
 */

#include <stddef.h>
#include <stdint.h>

enum {
	MIO_PF_PLAN_NONE = -1,			/* no place */
	MIO_PF_PLAN_PLACES_MAX = 4 << 20	/* each takes 10 bytes, and up to 12 for finding pages */
};

/* One read of an earlier run. */
struct mio_pf_planned_read {
	int64_t offset;		/* bytes, 0 and more */
	uint32_t length;	/* bytes, at least 1 */
	uint32_t channel;	/* number of the open it was made through, from 0 */
	/* What brings reads in order, see pf_plan_file.c. */
	int64_t end_ns;
	uint32_t group, sequence;
};

struct mio_pf_plan {
	int64_t page_bytes;
	uint32_t *pages;	/* of each place */
	uint8_t *first, *last;	/* of each place, in 256ths of a page: the part that was read */
	int32_t *next;		/* the next place of the same page, or none */
	int32_t *heads;		/* hash table by page: its first place */
	size_t head_count;
	int32_t room, count;
	int is_on;
	int trust;
	int32_t cursor;		/* the place behind the one where the run is */
	int32_t ahead;		/* what is read ahead begins here */
	/* Since the run is elsewhere: where it seems to go on, and requests that did. */
	int32_t expected;
	int matched;
	uint32_t strangers;	/* requests since it is known to be */
};

/*
 * Makes a plan of reads in order of time; what PLACES_MAX leaves no room for is left out. channels: one more than the highest
 * number. 0 or -ENOMEM.
 */
int mio_pf_plan_begin(struct mio_pf_plan *plan, const struct mio_pf_planned_read *reads, size_t count, uint32_t channels,
		      int64_t page_bytes);
void mio_pf_plan_end(struct mio_pf_plan *plan);

/* Looks at a request of at least one byte: 1 if it is by the plan; 0: it is for detection. */
int mio_pf_plan_follow(struct mio_pf_plan *plan, int64_t offset, int64_t length);

/* The next place to be read ahead, at most so many in front of the run; or NONE. Taken: when it is. */
int32_t mio_pf_plan_ahead(struct mio_pf_plan *plan, int64_t places);
void mio_pf_plan_taken(struct mio_pf_plan *plan);
/* The pages that were read ahead are gone. */
void mio_pf_plan_rewind(struct mio_pf_plan *plan);

/* The page of a place; the first byte of the file that was read there, and the one behind the last. */
int64_t mio_pf_plan_page(const struct mio_pf_plan *plan, int32_t place);
int64_t mio_pf_plan_from(const struct mio_pf_plan *plan, int32_t place);
int64_t mio_pf_plan_to(const struct mio_pf_plan *plan, int32_t place);

/* Where what this visit of the page reads of it ends in the file; 0 if it is not planned. */
int64_t mio_pf_plan_wanted_to(const struct mio_pf_plan *plan, int64_t page);
/* Whether the page, used just now, is visited again within so many places; 1 also if it is not planned, as then nobody knows. */
int mio_pf_plan_is_soon(const struct mio_pf_plan *plan, int64_t page, int64_t places);

#endif

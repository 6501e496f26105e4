#ifndef MIO_PF_REPLACE_H
#define MIO_PF_REPLACE_H

/* Which page gives way when a frame is needed. Orders pages, does no I/O. Under the lock of the cache. Twin of Replacement. */

#include <stddef.h>
#include <stdint.h>

#include "pf_list.h"

struct mio_pf_replace;
struct mio_pf_evicted;

struct mio_pf_replace_ops {
	/* A page came into the cache. */
	void (*added)(struct mio_pf_replace *replace, struct mio_pf_page *page);
	/* A page was used. by_program: 0 if it only lies in the window of a stream that comes near. */
	void (*touched)(struct mio_pf_replace *replace, struct mio_pf_page *page, int by_program);
	/* A page was used, or comes soon, by a plan. soon: 0 if it is wanted much later, or not at all. */
	void (*planned)(struct mio_pf_replace *replace, struct mio_pf_page *page, int soon);
	/* A page leaves the cache. */
	void (*removed)(struct mio_pf_replace *replace, struct mio_pf_page *page);
	/* The page that should give way first, and the one that should after that page; or NULL. */
	struct mio_pf_page *(*first)(struct mio_pf_replace *replace);
	struct mio_pf_page *(*after)(struct mio_pf_replace *replace, struct mio_pf_page *page);
};

/* What tells how many evicted pages auto remembers. */
struct mio_pf_replace_sizes {
	int64_t frames_most;	/* that there may be one day */
	int64_t page_bytes;
	int64_t loop_pages;	/* of a loop that part should be kept of, however large; 0: as usual */
};

struct mio_pf_replace {
	const struct mio_pf_replace_ops *ops;
	struct mio_pf_list trial;	/* of lru: all pages */
	/* Of auto from here on. */
	struct mio_pf_list kept;
	struct mio_pf_replace_sizes sizes;
	int64_t frames, kept_max, patience;
	int64_t added;			/* pages so far */
	int64_t came_back;		/* of them, which had given way a short while before */
	int64_t remembered;		/* pages that gave way a short while ago */
	/* Pages evicted a short while ago, and hash chains through them. */
	struct mio_pf_evicted *evicted;
	uint32_t *chains;
	size_t chain_count;
	int64_t memory;			/* evicted pages that there is memory for */
	uint32_t evicted_max, evicted_used;
	uint32_t eldest, youngest, unused;
};

/* The page used longest ago gives way: what the original does (reference 5.1). Twin of LruReplacement. */
void mio_pf_replace_lru_begin(struct mio_pf_replace *replace);

/* Twin of AutoReplacement, see pf_replace_auto.c. 0 or -ENOMEM. */
int mio_pf_replace_auto_begin(struct mio_pf_replace *replace, int64_t frames, const struct mio_pf_replace_sizes *sizes);
/* Evicted pages that it remembers where there are so many frames. */
int64_t mio_pf_replace_memory(const struct mio_pf_replace_sizes *sizes, int64_t frames);
/* There are so many frames from now on. */
void mio_pf_replace_grew(struct mio_pf_replace *replace, int64_t frames);

void mio_pf_replace_end(struct mio_pf_replace *replace);

#endif

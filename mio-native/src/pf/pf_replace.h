#ifndef MIO_PF_REPLACE_H
#define MIO_PF_REPLACE_H

/* Decides which page gives way when a frame is needed. A replacement orders pages and does no I/O. Under the lock of the cache. Twin of Replacement. */

#include <stddef.h>
#include <stdint.h>

#include "pf_list.h"

struct mio_pf_replace;
struct mio_pf_evicted;

struct mio_pf_replace_ops {
	/* A page came into the cache. */
	void (*added)(struct mio_pf_replace *replace, struct mio_pf_page *page);
	/* A page was used. by_program: 0 if it is only in the window ahead of a stream, or if a stream just reads on in it. */
	void (*touched)(struct mio_pf_replace *replace, struct mio_pf_page *page, int by_program);
	/* A page was used by a run that follows a plan, or read ahead for it. soon: 0 if the plan wants the page much later, or not at all. */
	void (*planned)(struct mio_pf_replace *replace, struct mio_pf_page *page, int soon);
	/* A page leaves the cache. */
	void (*removed)(struct mio_pf_replace *replace, struct mio_pf_page *page);
	/* first: the page that should give way first. after: the one that should give way after this page. NULL if there is none. */
	struct mio_pf_page *(*first)(struct mio_pf_replace *replace);
	struct mio_pf_page *(*after)(struct mio_pf_replace *replace, struct mio_pf_page *page);
};

/* The sizes by which `auto` decides how many evicted pages to remember. */
struct mio_pf_replace_sizes {
	int64_t frames_most;	/* number of frames to which the cache may grow */
	int64_t page_bytes;
	int64_t loop_pages;	/* pages of a loop of which a part is to be kept, however large it is; 0: as usual */
};

struct mio_pf_replace {
	const struct mio_pf_replace_ops *ops;
	struct mio_pf_list trial;	/* pages on trial, see pf_replace_auto.c; with lru: all pages */
	/* The members from here on are used by auto only. */
	struct mio_pf_list kept;
	struct mio_pf_replace_sizes sizes;
	int64_t frames, kept_max, patience;	/* of the cache; pages that may be kept; so many pages come in before an unused kept page is forgotten */
	int64_t added;			/* pages that came into the cache so far */
	int64_t came_back;		/* how many of these had given way a short while before */
	int64_t remembered;		/* pages in evicted now */
	/* Pages that gave way a short while ago, and hash chains through them. */
	struct mio_pf_evicted *evicted;
	uint32_t *chains;
	size_t chain_count;
	int64_t memory;			/* entries that evicted has memory for */
	uint32_t evicted_max, evicted_used;	/* entries that may be in use, and that were in use at some time */
	uint32_t eldest, youngest, unused;	/* indices in evicted: ends of the list by age, and the first free entry */
};

/* Begins `lru`: the page used longest ago gives way, as in the original (reference 5.1). Twin of LruReplacement. */
void mio_pf_replace_lru_begin(struct mio_pf_replace *replace);

/* Begins `auto`, see pf_replace_auto.c. Twin of AutoReplacement. 0 or -ENOMEM. */
int mio_pf_replace_auto_begin(struct mio_pf_replace *replace, int64_t frames, const struct mio_pf_replace_sizes *sizes);
/* How many evicted pages `auto` remembers with so many frames. */
int64_t mio_pf_replace_memory(const struct mio_pf_replace_sizes *sizes, int64_t frames);
/* The cache has so many frames from now on. */
void mio_pf_replace_grew(struct mio_pf_replace *replace, int64_t frames);

void mio_pf_replace_end(struct mio_pf_replace *replace);

#endif

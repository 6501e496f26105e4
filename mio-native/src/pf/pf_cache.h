#ifndef MIO_PF_CACHE_H
#define MIO_PF_CACHE_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "../common/lock.h"
#include "pf_counters.h"
#include "pf_list.h"
#include "pf_options.h"
#include "pf_page.h"
#include "pf_replace.h"
#include "pf_sharers.h"
#include "pf_table.h"

/* Memory of frames. */
struct mio_pf_range {
	unsigned char *memory;
	int64_t frames;
};

/* A cache grows by half at least (pf_growth.h), to sixteen times what it began with at most. */
enum { MIO_PF_RANGES_MAX = 8 };

/* Memory that a cache counts among what all caches of the process have grown by. */
struct mio_pf_grown {
	int64_t bytes;
	int forks;	/* that led to the process it counts in */
};

/* Where the memory of page frames comes from: aligned for direct I/O; NULL if there is not so much. Twin of FrameMemory. */
struct mio_pf_frame_memory {
	void *(*take)(size_t bytes);
	void (*give)(void *memory, size_t bytes);
};

/* The arena of the process; a test may put its own there before the first cache. */
extern const struct mio_pf_frame_memory *mio_pf_frame_memory;

/*
 * A set of frames and the pages in them, of one file or of many. Owns the lock that guards all pages, and hands out
 * frames; when none is free the replacement names a victim. The lock is never held over I/O. Twin of PageCache.
 * Functions that say they wait give the lock up meanwhile.
 */
struct mio_pf_cache {
	struct mio_lock lock;
	struct mio_condition changed;	/* a request ended, a writer left a page, a page was unpinned, a file thawed, an open let go, frames came */
	_Atomic uint32_t waited_for;	/* a thread waits for a page to be unpinned, or did until a moment ago */
	struct mio_live_counters *counters;	/* own, or those of live */
	struct mio_live_counters own;
	struct mio_live_pf *live;	/* of a shared one: what others see; or NULL */
	int64_t resident;		/* pages in frames */
	int number;
	uint32_t id;			/* unique in the process */
	int64_t page_bytes;
	int64_t frames;
	int64_t frames_most;		/* what there may be one day */
	struct mio_pf_grown grown;	/* memory beyond what it began with */
	struct mio_pf_range ranges[MIO_PF_RANGES_MAX];	/* of frames, in the order of their pages */
	int ranges_used;
	struct mio_pf_page *pages;	/* one for each frame; used ones come first */
	int64_t pages_used;
	uint64_t *bits;			/* valid and dirty sectors of each page */
	struct mio_pf_page *free;	/* linked by chained */
	struct mio_pf_table table;
	struct mio_pf_replace replace;
	int64_t moves;			/* how often a page came in, or became the last one to give way; from 1 */
	struct mio_pf_sharers sharers;	/* streams of its files */
	struct mio_pf_list dirty;	/* pages with dirty sectors or a write on its way, oldest first */
	uint64_t dirtied;		/* pages that became dirty so far */
	uint64_t ios_made;		/* page requests so far */
	struct mio_pf_page_io *ios_spare, *ios_ending;
	/* Files without an open whose pages stay here, those that were closed first foremost. */
	struct mio_pf_file *retained_first, *retained_last;
	int64_t retained_files;
	int64_t opens;			/* files that use it; guarded by pf_caches.c */
	struct mio_pf_cache *next_shared;
};

/* NULL if there is no memory for it. */
struct mio_pf_cache *mio_pf_cache_make(const struct mio_pf_options *options);
/* Gives the memory back; no page is in it any more. */
void mio_pf_cache_free(struct mio_pf_cache *cache);

static inline struct mio_pf_page *mio_pf_cache_find(struct mio_pf_cache *cache, const struct mio_pf_file *file,
						    int64_t index)
{
	return mio_pf_table_find(&cache->table, file, index);
}

static inline void mio_pf_cache_touched(struct mio_pf_cache *cache, struct mio_pf_page *page, int by_program)
{
	cache->moves++;
	cache->replace.ops->touched(&cache->replace, page, by_program);
}

static inline void mio_pf_cache_planned(struct mio_pf_cache *cache, struct mio_pf_page *page, int soon)
{
	cache->moves++;
	cache->replace.ops->planned(&cache->replace, page, soon);
}

/*
 * The page of the file, pinned: the one that is there, or a fresh one in a frame that was free or whose page gave way. Waits.
 * 0, or -errno if no page can give way, because none can be written.
 */
int mio_pf_cache_obtain(struct mio_pf_cache *cache, struct mio_pf_file *file, int64_t index, struct mio_pf_page **page);

/*
 * A frame for a page that is not there, pinned; or NULL: none can be had without waiting, or the page came meanwhile. A
 * dirty page that must give way is written first, in the caller's thread, for which the lock is given up.
 */
struct mio_pf_page *mio_pf_cache_take(struct mio_pf_cache *cache, struct mio_pf_file *file, int64_t index);

/* Memory for so many more frames, for one thread at a time, without the lock: 1, and it is there once it is added, with the lock. 0: there is none. */
int mio_pf_cache_more(struct mio_pf_cache *cache, int64_t frames, struct mio_pf_range *range);
void mio_pf_cache_add(struct mio_pf_cache *cache, const struct mio_pf_range *range);

/* Pages that the program reads from, as far as there may be frames for them: those that are here and those that gave way. With the lock. */
static inline int64_t mio_pf_cache_working(const struct mio_pf_cache *cache)
{
	return mio_pf_min(cache->replace.remembered + cache->resident, cache->frames_most);
}

/* Gives a clean page of a file up, as soon as nobody uses it. Waits, while somebody else may take its frame. */
void mio_pf_cache_drop_surely(struct mio_pf_cache *cache, struct mio_pf_file *file, struct mio_pf_page *page);
/* Gives a page up whose bytes are not wanted any more; 0 if somebody uses it. */
int mio_pf_cache_drop(struct mio_pf_cache *cache, struct mio_pf_page *page);

/* Wakes who waits for a change; _locked: with the lock. */
void mio_pf_cache_wake(struct mio_pf_cache *cache);
void mio_pf_cache_wake_locked(struct mio_pf_cache *cache);

/* Waits for a request. */
void mio_pf_cache_await(struct mio_pf_cache *cache, struct mio_pf_page_io *io);

static inline void mio_pf_cache_wait(struct mio_pf_cache *cache)
{
	mio_condition_wait(&cache->changed, &cache->lock);
}

/* The ends of asynchronous requests that nobody had to wait for are taken note of: all, or those of one open. */
void mio_pf_cache_collect(struct mio_pf_cache *cache, struct mio_pf_page *page, const struct mio_pf_open *of);

/* Sectors of a page became dirty: they are written through this open. */
void mio_pf_cache_dirtied(struct mio_pf_cache *cache, struct mio_pf_page *page, struct mio_pf_open *writer);
/* Takes a page out of the dirty ones if it is clean by now. */
void mio_pf_cache_cleaned(struct mio_pf_cache *cache, struct mio_pf_page *page);

/* True if half of the pages are dirty. */
int mio_pf_cache_is_dirty_full(const struct mio_pf_cache *cache);
/*
 * A step towards room for one more dirty page: the oldest one is written, asynchronously, or a page is waited for that is on
 * its way, being changed, or of a file that is being cut. 0 if nothing can be done, because all of them failed to be written.
 */
int mio_pf_cache_limit_dirty(struct mio_pf_cache *cache);

/* The caches of this process, the shared ones by number (reference 3.3, global). Twin of PageCaches. */

/* A cache for a file, to be left. A shared one has the sizes of the first who asked for it. NULL without memory. */
struct mio_pf_cache *mio_pf_caches_enter(const struct mio_pf_options *options);
/* The file needs it no longer: 1 if it was the last one and the cache is not to be kept; then it is the caller's to free. */
int mio_pf_caches_leave(struct mio_pf_cache *cache, int release);
void mio_pf_caches_forked(void);

/* So much more is counted for a cache if all caches together leave enough to others: 1. */
int mio_pf_caches_grow(struct mio_pf_grown *grown, int64_t bytes);
/* The cache is gone. */
void mio_pf_caches_shrink(struct mio_pf_grown *grown);

#endif

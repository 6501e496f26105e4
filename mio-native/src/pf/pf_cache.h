#ifndef MIO_PF_CACHE_H
#define MIO_PF_CACHE_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "../common/lock.h"
#include "pf_counters.h"
#include "pf_direct_memory.h"
#include "pf_list.h"
#include "pf_options.h"
#include "pf_page.h"
#include "pf_replace.h"
#include "pf_sharers.h"
#include "pf_table.h"

/* One range of memory, divided into frames. */
struct mio_pf_range {
	unsigned char *memory;
	int64_t frames;
};

/* Ranges of a cache. It grows by half at least each time (pf_growth.h), to 32 times its first size at most (pf_auto_pages.c): that is eight times. */
enum { MIO_PF_RANGES_MAX = 9 };

/* The memory by which a cache has grown, as it is counted in the sum of all caches of the process. */
struct mio_pf_grown {
	int64_t bytes;
	int forks;	/* number of forks before the process in whose sum it counts */
};

/* Where the memory of page frames comes from. take: aligned for direct I/O; NULL if there is not so much memory. Twin of FrameMemory. */
struct mio_pf_frame_memory {
	void *(*take)(size_t bytes);
	void (*give)(void *memory, size_t bytes);
};

/* The arena of the process; a test may set its own before the first cache is made. */
extern const struct mio_pf_frame_memory *mio_pf_frame_memory;

/*
 * A set of frames and the pages in them, of one file or of many. It owns the lock that guards all its pages, and hands out frames; when none is free, the
 * replacement names a victim. The lock is never held over I/O: functions that are said to wait release it meanwhile. Twin of PageCache.
 */
struct mio_pf_cache {
	struct mio_lock lock;
	/* A page request ended, a writer left a page, a page was unpinned, a file thawed, an open was let go, or frames were added. */
	struct mio_condition changed;
	_Atomic uint32_t waited_for;	/* a thread waits for a page to be unpinned, or did until a moment ago */
	struct mio_live_counters *counters;	/* own, or those of live */
	struct mio_live_counters own;
	struct mio_live_pf *live;	/* live record of a shared cache, or NULL */
	int64_t resident;		/* pages in frames */
	int number;			/* of the option global, or MIO_PF_PRIVATE */
	uint32_t id;			/* unique in the process */
	int64_t page_bytes;
	int64_t frames;
	int64_t frames_most;		/* number of frames to which it may grow */
	struct mio_pf_grown grown;	/* memory beyond what it began with */
	struct mio_pf_direct_memory direct;	/* its memory, if pf/auto has made it for direct I/O. With the lock */
	int grows;			/* a thread takes memory for more frames: mio_pf_layer_grow */
	struct mio_pf_range ranges[MIO_PF_RANGES_MAX];	/* of frames, in the order of their pages */
	int ranges_used;
	struct mio_pf_page *pages;	/* one for each frame; used ones come first */
	int64_t pages_used;
	uint64_t *bits;			/* valid and dirty sectors of each page */
	struct mio_pf_page *free;	/* free frames, linked by chained */
	struct mio_pf_table table;
	struct mio_pf_replace replace;
	int64_t moves;			/* how often a page came in, or became the last one to give way; counts from 1 */
	struct mio_pf_sharers sharers;	/* the streams of its files */
	struct mio_pf_list dirty;	/* pages with dirty sectors or a write on its way, oldest first */
	uint64_t dirtied;		/* pages that became dirty so far */
	uint64_t ios_made;		/* page requests so far */
	struct mio_pf_page_io *ios_spare, *ios_ending;	/* requests to be used again; complete ones that are not marked as done yet */
	/* Files without an open whose pages stay here, the one that was closed first foremost. */
	struct mio_pf_file *retained_first, *retained_last;
	int64_t retained_files;
	int64_t opens;			/* files that use it; under the lock of pf_caches.c */
	struct mio_pf_cache *next_shared;
};

/* Makes a cache; NULL if there is no memory for it. */
struct mio_pf_cache *mio_pf_cache_make(const struct mio_pf_options *options);
/* Gives the memory of a cache back; no page may be in it any more. */
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
 * Finds or makes the page of the file, pinned: the one that the cache has, or an empty one in a frame that was free or whose page gave way. Waits. 0, or -errno
 * if no page can give way because none can be written.
 */
int mio_pf_cache_obtain(struct mio_pf_cache *cache, struct mio_pf_file *file, int64_t index, struct mio_pf_page **page);

/*
 * Makes a page that the cache does not have, pinned. NULL if no frame can be had without waiting, or if the page came meanwhile. A dirty page that must give
 * way is written first, in the caller's thread; the lock is released for that.
 */
struct mio_pf_page *mio_pf_cache_take(struct mio_pf_cache *cache, struct mio_pf_file *file, int64_t index);

/*
 * more: takes memory for so many more frames, without the lock, one thread at a time; 1, or 0 if there is none. add: adds that memory to the cache, with the
 * lock.
 */
int mio_pf_cache_more(struct mio_pf_cache *cache, int64_t frames, struct mio_pf_range *range);
void mio_pf_cache_add(struct mio_pf_cache *cache, const struct mio_pf_range *range);

/* Number of pages that the program reads from, those in the cache and those that gave way, but at most frames_most. With the lock. */
static inline int64_t mio_pf_cache_working(const struct mio_pf_cache *cache)
{
	return mio_pf_min(cache->replace.remembered + cache->resident, cache->frames_most);
}

/* Drops a clean page of a file as soon as nobody uses it. Waits; meanwhile its frame may be taken for another page. */
void mio_pf_cache_drop_surely(struct mio_pf_cache *cache, struct mio_pf_file *file, struct mio_pf_page *page);
/* Drops a page whose bytes are not wanted any more. 1, or 0 if somebody uses it. */
int mio_pf_cache_drop(struct mio_pf_cache *cache, struct mio_pf_page *page);

/* Wakes the threads that wait for a change. _locked: with the lock. */
void mio_pf_cache_wake(struct mio_pf_cache *cache);
void mio_pf_cache_wake_locked(struct mio_pf_cache *cache);

/* Waits for a page request. */
void mio_pf_cache_await(struct mio_pf_cache *cache, struct mio_pf_page_io *io);

static inline void mio_pf_cache_wait(struct mio_pf_cache *cache)
{
	mio_condition_wait(&cache->changed, &cache->lock);
}

/* Collects the ends of the page's asynchronous requests that nobody had to wait for: of all, or of those through one open. */
void mio_pf_cache_collect(struct mio_pf_cache *cache, struct mio_pf_page *page, const struct mio_pf_open *of);

/* Sectors of a page became dirty; they are written through this open. */
void mio_pf_cache_dirtied(struct mio_pf_cache *cache, struct mio_pf_page *page, struct mio_pf_open *writer);
/* Removes a page from the dirty ones if it is clean by now. */
void mio_pf_cache_cleaned(struct mio_pf_cache *cache, struct mio_pf_page *page);

/* True if half of the pages are dirty. */
int mio_pf_cache_is_dirty_full(const struct mio_pf_cache *cache);
/*
 * Does one step towards room for one more dirty page: starts to write the oldest one that can be written, or else waits for a page that is being written or
 * changed, or whose file is being cut. 0 if nothing can be done, because writing has failed for all of them.
 */
int mio_pf_cache_limit_dirty(struct mio_pf_cache *cache);

/* The caches of this process, the shared ones by number (reference 3.3, global). Twin of PageCaches. */

/* Returns a cache for a file, to be left later. A shared cache has the sizes of the first file that asked for it. NULL without memory. */
struct mio_pf_cache *mio_pf_caches_enter(const struct mio_pf_options *options);
/* The file needs the cache no longer. Returns 1 if it was the last file and the cache is not to be kept; the caller then frees the cache. */
int mio_pf_caches_leave(struct mio_pf_cache *cache, int release);
void mio_pf_caches_forked(void);

/* Counts so many bytes more for a cache that grows. 1, or 0 if all caches of the process together would leave too little memory to others. */
int mio_pf_caches_grow(struct mio_pf_grown *grown, int64_t bytes);
/* The cache has ended: takes its bytes off the sum. */
void mio_pf_caches_shrink(struct mio_pf_grown *grown);

#endif

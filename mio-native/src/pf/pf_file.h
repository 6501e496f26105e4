#ifndef MIO_PF_FILE_H
#define MIO_PF_FILE_H

#include <stdatomic.h>
#include <stdint.h>

#include "../common/lock.h"
#include "../layer/layer_watch.h"
#include "pf_cache.h"
#include "pf_counters.h"
#include "pf_gate.h"
#include "pf_layer.h"
#include "pf_list.h"
#include "pf_reservation.h"
#include "pf_stream.h"

struct mio_pf_figures;
struct mio_pf_plan_run;

/*
 * One file and its pages, see pf_layer.h. Twin of CachedFile, FilePages, RetainedPages, Reservation and WriteErrors.
 *
 * The cache of a file ends with its last open with a cache. A caller without such an open must hold the cache (mio_pf_file_hold): its end waits for all
 * holders. Locks are taken in this order: gate, coming, lock of the cache. A holder must not take the gate.
 */
struct mio_pf_file {
	struct mio_pf_file_head head;	/* first */
	uint64_t device, inode;
	uint64_t number;		/* in the order in which files were first opened */
	struct mio_pf_gate gate;

	/* Used by pf_files.c, under the lock there. */
	int64_t opens;			/* of any kind */
	struct mio_pf_file *chained;	/* in the hash chain */
	struct mio_pf_file *before, *after;	/* by number */

	struct mio_lock coming;		/* guards the begin and end of opens with a cache, and with them head.cache */
	struct mio_condition let_go;	/* there is no holder any more, or the end of the cache is over */
	int64_t caching_opens, holders;	/* opens with a cache; callers of mio_pf_file_hold. Under coming */
	int ending;			/* the cache of the file ends just now. Under coming */
	_Atomic int ungated_writers;	/* opens that write without the gate while the file has no pages */
	_Atomic int writes_meet;	/* an open lets writes of other bytes run beside its own (mio/cio): only dirty sectors are written */
	_Atomic(struct mio_pf_cache *) retained_in;	/* the cache where its pages stay after the last open has ended (option retain), or NULL */
	int64_t retained_stamp;		/* time of the last change of the file, when its pages were retained */
	struct mio_pf_cache *cutting;	/* held by mio_pf_file_cutting_begin */

	struct mio_pf_reservation reservation;	/* of space on disk */

	/* Under the lock of the cache from here on; atomic members may be read without it. */
	int64_t sector_bytes, page_bytes;
	struct mio_page_watch *_Atomic watch;	/* is told of its pages while it has a cache; or NULL */
	struct mio_live_counters *counters;	/* own, or those of live */
	struct mio_live_counters own;
	struct mio_live_pf *live;	/* its live record while it has a cache; or NULL */
	struct mio_pf_open *layers;	/* its opens with a cache */
	struct mio_pf_stream_table reads, writes;
	struct mio_pf_plan_run *plan;	/* the plan that it follows, or NULL */
	const char *no_plan;		/* why it follows none, in words that stay; NULL: it follows one, or none was asked for */
	struct mio_pf_file *retained_before, *retained_after;	/* in the list of the files whose pages stay in the same cache */
	struct mio_pf_list pages, dirty;
	_Atomic int64_t size;		/* logical size, bytes */
	_Atomic uint64_t version;	/* grows with every change of bytes or size */
	_Atomic int64_t dirty_pages;
	int64_t on_their_way;		/* page requests that are not complete */
	int frozen;			/* the file is being cut: no page request may begin */
	_Atomic uint32_t past;		/* all requests bypass the pages: the file is mapped for writing */
	_Atomic uint32_t through;	/* 0, or MIO_PF_THROUGH, _EXEC or _BESIDE: writes go to the next layer at once */
	_Atomic uint64_t errors;	/* failed writes of pages so far */
	_Atomic int last_error;		/* -errno of the last one */
};

/* Holds the cache, for a caller that has no open with a cache; NULL if there is none. Else it is to be let go. */
struct mio_pf_cache *mio_pf_file_hold(struct mio_pf_file *file);
void mio_pf_file_let_go(struct mio_pf_file *file);

/* Adds the name of an open that caches the file, for messages. */
void mio_pf_file_add_name(struct mio_pf_file *file, struct mio_text *text);

/* The cache, for a caller that has an open with a cache or holds it. */
static inline struct mio_pf_cache *mio_pf_file_cache(const struct mio_pf_file *file)
{
	return atomic_load_explicit(&file->head.cache, memory_order_acquire);
}

/*
 * An open with a cache begins. size: as the kernel tells it; stamp: time of the file's last change, -1 if not known. 0 or -ENOMEM. The gate is held alone.
 */
int mio_pf_file_begin(struct mio_pf_file *file, const struct mio_pf_options *options, int64_t sector_bytes, int64_t size,
		      int64_t stamp);

/*
 * An open with a cache ends; its dirty pages were written, or cannot be. retain_stamp: time of the file's last change if the pages are to stay in the cache,
 * else -1. Returns the cache if this was the last such open, and sets *final to the figures of the file; else NULL.
 */
struct mio_pf_cache *mio_pf_file_end(struct mio_pf_file *file, int64_t retain_stamp, struct mio_pf_figures *final);

/* Bytes of the pages that were read ahead, or are being read ahead, and were not used yet. */
int64_t mio_pf_file_ahead_bytes(struct mio_pf_file *file);

/* The figures of the file as of now; with the lock of the cache. */
void mio_pf_file_figures(struct mio_pf_file *file, struct mio_pf_figures *figures);

/* Forgets the pages that stayed after the last open with a cache, as somebody changes the file. _in: only if they stay in this cache, which ends. */
void mio_pf_file_forget_retained(struct mio_pf_file *file);
void mio_pf_file_forget_retained_in(struct mio_pf_file *file, struct mio_pf_cache *given);

/*
 * To be called when pages of one more file stay in a cache: forgets those of the files that were closed first, so that there are no more such files than
 * frames. Pages of further files have given way by then.
 */
void mio_pf_file_limit_retained(struct mio_pf_cache *cache);

/* Sets the size of the file; the gate is held alone, the cache is held. next: the layer to cut the file by. 0 or -errno. */
int mio_pf_file_resize(struct mio_pf_file *file, struct mio_pf_cache *cache, int64_t size, struct mio_layer *next);
/* From freeze to thaw no page request is on its way. */
void mio_pf_file_freeze(struct mio_pf_file *file, struct mio_pf_cache *cache);
void mio_pf_file_thaw(struct mio_pf_file *file, struct mio_pf_cache *cache);

/* Takes over the size that others have given the file, if no page is dirty; without the lock. Returns the size, or -errno. */
int64_t mio_pf_file_refresh(struct mio_pf_file *file, struct mio_pf_cache *cache, struct mio_layer *next);

/* How many bytes of these sectors of a page lie before the end of the file. */
int64_t mio_pf_file_bytes(const struct mio_pf_file *file, const struct mio_pf_page *page, int from_sector, int to_sector);
/* How many sectors a page has up to the end of the file. */
int mio_pf_file_sectors(const struct mio_pf_file *file, int64_t page_start);

static inline int64_t mio_pf_file_size_now(const struct mio_pf_file *file)
{
	return atomic_load_explicit(&file->size, memory_order_acquire);
}

/* With the lock of the cache. sized: the size has changed. changed: bytes or the size have. dirtied: so many pages more, or fewer, are dirty. */
void mio_pf_file_sized(struct mio_pf_file *file, int64_t size);
void mio_pf_file_changed(struct mio_pf_file *file);
void mio_pf_file_dirtied(struct mio_pf_file *file, int pages);

/* The watch that is told of the file's pages, or NULL. */
static inline struct mio_page_watch *mio_pf_file_watch(struct mio_pf_file *file)
{
	return atomic_load_explicit(&file->watch, memory_order_acquire);
}

/* Tells the watch, for the two functions below. began_ns: 0 if the operation took no time. */
void mio_pf_file_told(struct mio_pf_file *file, const struct mio_pf_page *page, enum mio_page_operation operation,
		      int64_t offset, int64_t bytes, int64_t began_ns);

/* Tells the watch, if there is one, of an operation on these bytes of a page. */
static inline void mio_pf_file_tell(struct mio_pf_file *file, const struct mio_pf_page *page,
				    enum mio_page_operation operation, int64_t offset, int64_t bytes)
{
	if (__builtin_expect(mio_pf_file_watch(file) != NULL, 0))
		mio_pf_file_told(file, page, operation, offset, bytes, 0);
}

/* Tells the watch, if there is one, of an operation on a whole page. */
static inline void mio_pf_file_tell_page(const struct mio_pf_page *page, enum mio_page_operation operation)
{
	if (__builtin_expect(mio_pf_file_watch(page->file) != NULL, 0))
		mio_pf_file_told(page->file, page, operation, page->start, page->file->page_bytes, 0);
}

/* With the lock of the cache: a page that was read ahead gives way unused. */
void mio_pf_file_unused(struct mio_pf_file *file, struct mio_pf_page *page);

/* With the gate held alone: 1 if only one open with a cache has the file open. */
static inline int mio_pf_file_is_last(const struct mio_pf_file *file)
{
	return file->caching_opens == 1;
}

/* With the lock of the cache: a page could not be written. error: -errno. */
void mio_pf_file_failed(struct mio_pf_file *file, struct mio_pf_cache *cache, int error);

/* The error of the last write of a page that failed, for the program: -errno. */
static inline int mio_pf_file_failure(struct mio_pf_file *file)
{
	return atomic_load_explicit(&file->last_error, memory_order_acquire);
}

static inline int mio_pf_file_is_past(const struct mio_pf_file *file)
{
	return atomic_load_explicit(&file->past, memory_order_acquire) != 0;
}

/*
 * Why writes go to the next layer at once. THROUGH: for good; for example the file is mapped, a write failed, or space cannot be set aside. _EXEC: until an
 * exec has failed. _BESIDE: until the opens are closed that may write past the pages, because they were there when the file got these.
 */
enum { MIO_PF_THROUGH = 1, MIO_PF_THROUGH_EXEC = 2, MIO_PF_THROUGH_BESIDE = 3 };

static inline int mio_pf_file_is_through(const struct mio_pf_file *file)
{
	return atomic_load_explicit(&file->through, memory_order_acquire) != 0;
}

/* These are in pf_files.c. cached: a file got its pages (1), or has none any more (-1). is_through: 1 if no file of the process may keep writes in pages. */
void mio_pf_files_cached(int more);
int mio_pf_files_is_through(void);
/* A cache ends: forgets the pages of closed files that stayed in it. */
void mio_pf_files_forget_retained_in(struct mio_pf_cache *cache);
/* Counts one more open of a file that was found under the lock of its cache, so that the file stays when that lock is released. */
void mio_pf_files_enter_again(struct mio_pf_file *file);
/* Number of files that are known, including those that only have retained pages. */
int64_t mio_pf_files_count(void);

/* In pf_mapped.c, see pf_layer.h. */
void mio_pf_mapped_forked(void);

#endif

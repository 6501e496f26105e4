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
 * The cache of a file goes with its last open with a cache. Who has no such open must hold it (mio_pf_file_hold): its end
 * waits for that. Locks are taken in this order: gate, coming, lock of the cache; nobody takes the gate while holding.
 */
struct mio_pf_file {
	struct mio_pf_file_head head;	/* first */
	uint64_t device, inode;
	uint64_t number;		/* in the order files were first opened */
	struct mio_pf_gate gate;

	/* Of pf_files.c, under the lock there. */
	int64_t opens;			/* of any kind */
	struct mio_pf_file *chained;	/* in the hash chain */
	struct mio_pf_file *before, *after;	/* by number */

	/* Coming and going of opens with a cache, which set the one in head. */
	struct mio_lock coming;
	struct mio_condition let_go;
	int64_t caching_opens, holders;
	int ending;
	_Atomic int ungated_writers;	/* opens that write without the gate while the file has no pages */
	_Atomic int writes_meet;	/* an open lets writes of other bytes go on beside its own (mio/cio): no sector is written that is not dirty */
	_Atomic(struct mio_pf_cache *) retained_in;	/* where its pages stay after the last open is done (retain), or NULL */
	int64_t retained_stamp;
	struct mio_pf_cache *cutting;	/* held by mio_pf_file_cutting_begin */

	struct mio_pf_reservation reservation;	/* of space */

	/* Under the lock of the cache from here on; what is atomic may be read without. */
	int64_t sector_bytes, page_bytes;
	struct mio_page_watch *_Atomic watch;	/* is told of its pages, while it has a cache; or NULL */
	struct mio_live_counters *counters;	/* own, or those of live */
	struct mio_live_counters own;
	struct mio_live_pf *live;	/* what others see while it has a cache; or NULL */
	struct mio_pf_open *layers;	/* the opens that cache it */
	struct mio_pf_stream_table reads, writes;
	struct mio_pf_plan_run *plan;	/* what an earlier run read; or NULL */
	struct mio_pf_file *retained_before, *retained_after;	/* of those whose pages stay in the same cache */
	struct mio_pf_list pages, dirty;
	_Atomic int64_t size;
	_Atomic uint64_t version;	/* goes up with every change of bytes or size */
	_Atomic int64_t dirty_pages;
	int64_t on_their_way;		/* page requests */
	int frozen;			/* somebody cuts it */
	_Atomic uint32_t past;		/* all requests go past the pages: the file is mapped for writing */
	_Atomic uint32_t through;	/* 0, or one of MIO_PF_THROUGH: writes go down at once: it is mapped, a write failed, or space cannot be set aside */
	_Atomic uint64_t errors;	/* failed writes of pages */
	_Atomic int last_error;
};

/* The cache, for who has no open with one; NULL if there is none. To be let go. */
struct mio_pf_cache *mio_pf_file_hold(struct mio_pf_file *file);
void mio_pf_file_let_go(struct mio_pf_file *file);

/* The name of an open that caches it, for messages. */
void mio_pf_file_add_name(struct mio_pf_file *file, struct mio_text *text);

/* The cache, for an open with a cache or who holds it. */
static inline struct mio_pf_cache *mio_pf_file_cache(const struct mio_pf_file *file)
{
	return atomic_load_explicit(&file->head.cache, memory_order_acquire);
}

/*
 * An open with a cache begins. size: as the kernel tells; stamp: of the last change, -1 if not known. 0 or -ENOMEM. The gate is
 * held alone.
 */
int mio_pf_file_begin(struct mio_pf_file *file, const struct mio_pf_options *options, int64_t sector_bytes, int64_t size,
		      int64_t stamp);

/*
 * An open with a cache is done; what is dirty was written, or cannot be. retain_stamp: if the pages are to stay, else -1.
 * NULL, or if this was the last one the cache, and what there is to report of the file.
 */
struct mio_pf_cache *mio_pf_file_end(struct mio_pf_file *file, int64_t retain_stamp, struct mio_pf_figures *final);

/* What there is to report now; with the lock of the cache. */
void mio_pf_file_figures(struct mio_pf_file *file, struct mio_pf_figures *figures);

/* Somebody changes the file while it has no open with a cache; or only if its pages stay in this cache, which is given up. */
void mio_pf_file_forget_retained(struct mio_pf_file *file);
void mio_pf_file_forget_retained_in(struct mio_pf_file *file, struct mio_pf_cache *given);

/*
 * Pages of one more file stay in a cache: those of the files that were closed long ago have given way by now, and of more files
 * than there are frames none need be known.
 */
void mio_pf_file_limit_retained(struct mio_pf_cache *cache);

/* Makes the file so long; the gate is held alone, the cache held. 0 or -errno. next: the layer whose file it is. */
int mio_pf_file_resize(struct mio_pf_file *file, struct mio_pf_cache *cache, int64_t size, struct mio_layer *next);
/* No page request is on its way from freeze to thaw. */
void mio_pf_file_freeze(struct mio_pf_file *file, struct mio_pf_cache *cache);
void mio_pf_file_thaw(struct mio_pf_file *file, struct mio_pf_cache *cache);

/* Asks what others made of the size, if nothing of it is in pages; without the lock. The size, or -errno. */
int64_t mio_pf_file_refresh(struct mio_pf_file *file, struct mio_pf_cache *cache, struct mio_layer *next);

/* Bytes of some sectors of a page that lie before the end of the file. */
int64_t mio_pf_file_bytes(const struct mio_pf_file *file, const struct mio_pf_page *page, int from_sector, int to_sector);
/* Sectors of a page up to the end of the file. */
int mio_pf_file_sectors(const struct mio_pf_file *file, int64_t page_start);

static inline int64_t mio_pf_file_size_now(const struct mio_pf_file *file)
{
	return atomic_load_explicit(&file->size, memory_order_acquire);
}

/* With the lock of the cache: the size has changed; bytes or size have; pages became dirty or clean. */
void mio_pf_file_sized(struct mio_pf_file *file, int64_t size);
void mio_pf_file_changed(struct mio_pf_file *file);
void mio_pf_file_dirtied(struct mio_pf_file *file, int pages);

/* Whether anybody is told. */
static inline struct mio_page_watch *mio_pf_file_watch(struct mio_pf_file *file)
{
	return atomic_load_explicit(&file->watch, memory_order_acquire);
}

/* The rest of the two below. began_ns 0: it took no time. */
void mio_pf_file_told(struct mio_pf_file *file, const struct mio_pf_page *page, enum mio_page_operation operation,
		      int64_t offset, int64_t bytes, int64_t began_ns);

/* Something happened to these bytes of a page. */
static inline void mio_pf_file_tell(struct mio_pf_file *file, const struct mio_pf_page *page,
				    enum mio_page_operation operation, int64_t offset, int64_t bytes)
{
	if (__builtin_expect(mio_pf_file_watch(file) != NULL, 0))
		mio_pf_file_told(file, page, operation, offset, bytes, 0);
}

/* To all of a page of a file. */
static inline void mio_pf_file_tell_page(const struct mio_pf_page *page, enum mio_page_operation operation)
{
	if (__builtin_expect(mio_pf_file_watch(page->file) != NULL, 0))
		mio_pf_file_told(page->file, page, operation, page->start, page->file->page_bytes, 0);
}

/* With the lock of the cache: a page read ahead gave way before it was used. */
void mio_pf_file_unused(struct mio_pf_file *file, struct mio_pf_page *page);

/* Alone: 1 if one open with a cache has it open. */
static inline int mio_pf_file_is_last(const struct mio_pf_file *file)
{
	return file->caching_opens == 1;
}

/* With the lock of the cache: a page could not be written. error: -errno. */
void mio_pf_file_failed(struct mio_pf_file *file, struct mio_pf_cache *cache, int error);

/* What the program is told of the last one, -errno. */
static inline int mio_pf_file_failure(struct mio_pf_file *file)
{
	return atomic_load_explicit(&file->last_error, memory_order_acquire);
}

static inline int mio_pf_file_is_past(const struct mio_pf_file *file)
{
	return atomic_load_explicit(&file->past, memory_order_acquire) != 0;
}

/* For good, or until an exec has failed. */
/* For good; until an exec has failed; until the opens are closed that may write past pages which came when they were there. */
enum { MIO_PF_THROUGH = 1, MIO_PF_THROUGH_EXEC = 2, MIO_PF_THROUGH_BESIDE = 3 };

static inline int mio_pf_file_is_through(const struct mio_pf_file *file)
{
	return atomic_load_explicit(&file->through, memory_order_acquire) != 0;
}

/* Of pf_files.c. A file got its pages (1), or has none any more (-1). */
void mio_pf_files_cached(int more);
int mio_pf_files_is_through(void);
/* A cache is given up: pages of closed files that stayed in it go. */
void mio_pf_files_forget_retained_in(struct mio_pf_cache *cache);
/* Of a list of files under the lock of their cache: one more open, so that the file stays for who lets the lock go. */
void mio_pf_files_enter_again(struct mio_pf_file *file);
/* Files that are known, those of which only pages are left, too. */
int64_t mio_pf_files_count(void);

/* Of pf_mapped.c, see pf_layer.h. */
void mio_pf_mapped_forked(void);

#endif

#ifndef MIO_PF_PAGE_H
#define MIO_PF_PAGE_H

#include <limits.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "pf_bits.h"
#include "pf_list.h"

struct mio_pf_cache;
struct mio_pf_file;
struct mio_pf_open;
struct mio_pf_page_io;
struct mio_pf_stream;

enum { MIO_PF_EVICTED = -1 };

/* 1: a read pins a page before it copies from it, for the thread sanitizer, which cannot know that bytes copied from a frame in change are thrown away. */
#if defined(__SANITIZE_THREAD__)
#define MIO_PF_PINS_TO_COPY 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define MIO_PF_PINS_TO_COPY 1
#endif
#endif
#ifndef MIO_PF_PINS_TO_COPY
#define MIO_PF_PINS_TO_COPY 0
#endif

/*
 * One frame of memory and the page of a file that it holds. Twin of Page. Guarded by the lock of the cache, except for the pins and what a pin keeps unchanged:
 * a pinned frame goes on holding the same page.
 */
struct mio_pf_page {
	struct mio_pf_cache *cache;
	unsigned char *frame;
	_Atomic int32_t pins;	/* users that need the page to stay; MIO_PF_EVICTED while the frame holds no page */
	/* Grows when the frame gets another page: a reader without a pin compares it before and after its copy, see pf_places.c. */
	_Atomic uint32_t lives;
	/*
	 * Threads that copy into the page. Meanwhile no write of it is registered, as its bytes would change on their way; and no read, as it could bring
	 * old bytes over the new ones, whose sectors become valid only after the copy.
	 */
	int writers;
	struct mio_pf_file *file;	/* NULL while it holds no page */
	int64_t index;			/* number of the page in the file, from 0 */
	int64_t start;			/* offset of its first byte in the file */
	int sectors;			/* sectors of the page */
	uint64_t *valid;		/* bit set of the sectors whose bytes in the frame are right */
	uint64_t *dirty;		/* bit set of the sectors not yet with the kernel; a subset of the valid ones */
	_Atomic uint64_t stretch;	/* the first run of valid sectors: from and to in bytes of the page, 32 bits each */
	struct mio_pf_page_io *ios;	/* requests on their way; reads are of sectors that are not valid, no sector in two reads */
	struct mio_pf_page_io *done;	/* asynchronous requests that are complete, and whose end was not collected yet */
	struct mio_pf_open *writer;	/* open through which dirty sectors are written; NULL if none are dirty or on their way */
	struct mio_pf_stream *stream;	/* the stream that it was read ahead for, see mio_pf_stream_still; or NULL */
	uint64_t stream_number;
	_Atomic int ahead;		/* read or prepared ahead, and not used yet; without the lock it may be read as a guess */
	int left;			/* the last request on it was followed by one elsewhere */
	int leaving;			/* it was written because it was among those that give way next */
	int failed;			/* it could not be written; it stays until that works */
	int not_preread;		/* prepared for writing without having been read */
	struct mio_pf_page *chained;	/* in the hash chain of the table; of a free one, the next free one */
	struct mio_pf_page *before[MIO_PF_LIST_KINDS], *after[MIO_PF_LIST_KINDS];
	struct mio_pf_list *list;	/* the list of the replacement that it is in */
	int away;			/* by a plan it is not wanted soon: it gives way before all others */
	int64_t touched_at;		/* when it was last touched, in pages added since the cache was made */
	uint64_t dirtied_at;		/* its number among the pages that became dirty in the cache */
};

/* Pins the page, which keeps it from being evicted. 1, or 0 if it has been evicted. */
static inline int mio_pf_page_pin(struct mio_pf_page *page)
{
	int32_t count = atomic_load_explicit(&page->pins, memory_order_relaxed);

	while (count >= 0) {
		if (atomic_compare_exchange_weak_explicit(&page->pins, &count, count + 1, memory_order_acquire,
							  memory_order_relaxed))
			return 1;
	}
	return 0;
}

/* To be called without the lock of the cache. */
void mio_pf_page_unpin(struct mio_pf_page *page);
/* To be called with the lock of the cache. */
void mio_pf_page_unpin_locked(struct mio_pf_page *page);

static inline int mio_pf_page_is_pinned(struct mio_pf_page *page)
{
	return atomic_load(&page->pins) > 0;
}

/* Evicts the page, so that nobody can pin it any more. 1, or 0 if it is pinned. */
static inline int mio_pf_page_evict(struct mio_pf_page *page)
{
	int32_t none = 0;

	return atomic_compare_exchange_strong(&page->pins, &none, MIO_PF_EVICTED);
}

/* Makes the frame hold this page of a file: pinned once, with no valid sector. */
void mio_pf_page_become(struct mio_pf_page *page, struct mio_pf_file *file, int64_t index);

static inline int mio_pf_page_is_ahead(struct mio_pf_page *page)
{
	return atomic_load_explicit(&page->ahead, memory_order_relaxed);
}

static inline void mio_pf_page_set_ahead(struct mio_pf_page *page, int ahead)
{
	atomic_store_explicit(&page->ahead, ahead, memory_order_relaxed);
}

/* True if these bytes are in the first run of valid sectors of the page. Without the lock, for a caller that has it pinned. */
static inline int mio_pf_page_holds(struct mio_pf_page *page, int64_t from, int64_t to)
{
	uint64_t now = atomic_load_explicit(&page->stretch, memory_order_acquire);

	return from >= (int64_t)(now >> 32) && to <= (int64_t)(uint32_t)now;
}

/* To be called after every change of valid. */
void mio_pf_page_valid_changed(struct mio_pf_page *page);

/* The first request in the page among those on their way that touch these sectors, or NULL. writes: 1 for writes only. */
struct mio_pf_page_io *mio_pf_page_on_its_way(struct mio_pf_page *page, int from_sector, int to_sector, int writes);

static inline struct mio_pf_page_io *mio_pf_page_write_on_its_way(struct mio_pf_page *page)
{
	return page->ios ? mio_pf_page_on_its_way(page, 0, INT_MAX, 1) : NULL;
}

#endif

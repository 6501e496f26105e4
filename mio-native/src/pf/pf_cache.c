#include "pf_cache.h"

#include <string.h>

#include "../common/memory.h"
#include "../os/os_arena.h"
#include "pf_file.h"
#include "pf_live.h"
#include "pf_page_io.h"
#include "pf_writeout.h"

static const struct mio_pf_frame_memory arena = {mio_os_arena_take, mio_os_arena_give};

const struct mio_pf_frame_memory *mio_pf_frame_memory = &arena;

/* Words for the bits of the valid and the dirty sectors of one page, with the smallest sectors that a file may have. */
static size_t words_of_page(const struct mio_pf_cache *cache)
{
	return 2 * (size_t)mio_pf_bits_words((int)(cache->page_bytes / MIO_PF_SECTOR_BYTES_MIN));
}

static size_t bits_bytes(const struct mio_pf_cache *cache)
{
	return (size_t)cache->frames_most * words_of_page(cache) * sizeof(*cache->bits);
}

static size_t bytes_of(const struct mio_pf_cache *cache, int64_t frames)
{
	return (size_t)(frames * cache->page_bytes);
}

static int take_range(const struct mio_pf_cache *cache, int64_t frames, struct mio_pf_range *range)
{
	*range = (struct mio_pf_range){mio_pf_frame_memory->take(bytes_of(cache, frames)), frames};
	return range->memory != NULL;
}

/* All memory is zero, and the kernel provides it at the first touch: what is never used costs nothing. */
static int take_memory(struct mio_pf_cache *cache, const struct mio_pf_options *options)
{
	struct mio_pf_replace_sizes sizes = {cache->frames_most, cache->page_bytes, options->loop_bytes / cache->page_bytes};

	cache->pages = mio_memory_take((size_t)cache->frames_most * sizeof(*cache->pages));
	cache->bits = mio_memory_take(bits_bytes(cache));
	if (!cache->pages || !cache->bits || mio_pf_table_begin(&cache->table, cache->frames_most) < 0)
		return 0;
	if (options->lru)
		mio_pf_replace_lru_begin(&cache->replace);
	else if (mio_pf_replace_auto_begin(&cache->replace, cache->frames, &sizes) < 0)
		return 0;
	cache->ranges_used = take_range(cache, cache->frames, &cache->ranges[0]);
	return cache->ranges_used;
}

static _Atomic uint32_t made;

struct mio_pf_cache *mio_pf_cache_make(const struct mio_pf_options *options)
{
	struct mio_pf_cache *cache = mio_memory_take(sizeof(*cache));

	if (!cache)
		return NULL;
	cache->number = options->global;
	cache->id = atomic_fetch_add_explicit(&made, 1, memory_order_relaxed) + 1;
	cache->page_bytes = options->page_bytes;
	cache->frames = mio_pf_options_frames(options);
	cache->frames_most = mio_pf_options_frames_most(options);
	cache->dirty.kind = MIO_PF_LIST_DIRTY;
	if (!take_memory(cache, options)) {
		mio_pf_cache_free(cache);
		return NULL;
	}
	mio_pf_live_cache_begin(cache);
	return cache;
}

void mio_pf_cache_free(struct mio_pf_cache *cache)
{
	mio_pf_live_cache_end(cache);
	mio_pf_page_io_free_all(cache);
	for (int i = 0; i < cache->ranges_used; i++)
		mio_pf_frame_memory->give(cache->ranges[i].memory, bytes_of(cache, cache->ranges[i].frames));
	mio_pf_caches_shrink(&cache->grown);
	mio_pf_direct_memory_give(&cache->direct);
	mio_pf_replace_end(&cache->replace);
	mio_pf_table_end(&cache->table);
	mio_memory_give(cache->bits, bits_bytes(cache));
	mio_memory_give(cache->pages, (size_t)cache->frames_most * sizeof(*cache->pages));
	mio_memory_give(cache, sizeof(*cache));
}

static int has_free(const struct mio_pf_cache *cache)
{
	return cache->free || cache->pages_used < cache->frames;
}

static unsigned char *frame_at(const struct mio_pf_cache *cache, int64_t at)
{
	const struct mio_pf_range *range = cache->ranges;

	for (; at >= range->frames; range++)
		at -= range->frames;
	return range->memory + at * cache->page_bytes;
}

static struct mio_pf_page *fresh(struct mio_pf_cache *cache)
{
	int64_t at = cache->pages_used++;
	struct mio_pf_page *page = &cache->pages[at];

	page->cache = cache;
	page->frame = frame_at(cache, at);
	page->valid = cache->bits + (size_t)at * words_of_page(cache);
	page->dirty = page->valid + words_of_page(cache) / 2;
	atomic_store_explicit(&page->pins, MIO_PF_EVICTED, memory_order_relaxed);
	return page;
}

int mio_pf_cache_more(struct mio_pf_cache *cache, int64_t frames, struct mio_pf_range *range)
{
	if (cache->ranges_used == MIO_PF_RANGES_MAX ||
	    !mio_pf_caches_grow(&cache->grown, (int64_t)bytes_of(cache, frames)))
		return 0;
	/* If the memory cannot be had, it stays counted: no other cache would get it either. */
	return take_range(cache, frames, range);
}

void mio_pf_cache_add(struct mio_pf_cache *cache, const struct mio_pf_range *range)
{
	cache->ranges[cache->ranges_used++] = *range;
	cache->frames += range->frames;
	mio_pf_replace_grew(&cache->replace, cache->frames);
	mio_condition_wake(&cache->changed);
}

static struct mio_pf_page *poll_free(struct mio_pf_cache *cache)
{
	struct mio_pf_page *page = cache->free;

	if (page) {
		cache->free = page->chained;
		page->chained = NULL;
		return page;
	}
	return has_free(cache) ? fresh(cache) : NULL;
}

/* The victim: a page that is not in use and has no request on its way. NULL if there is none, or if a page is being written in order to give way. */
static struct mio_pf_page *victim(struct mio_pf_cache *cache)
{
	const struct mio_pf_replace_ops *ops = cache->replace.ops;
	struct mio_pf_page *page = ops->first(&cache->replace);

	while (page && (mio_pf_page_is_pinned(page) || page->ios || page->failed ||
			(page->writer && page->file->frozen))) {
		if (page->leaving && page->ios)
			return NULL;
		page = ops->after(&cache->replace, page);
	}
	return page;
}

/* Removes an evicted page from the lists and tables. */
static void forget(struct mio_pf_cache *cache, struct mio_pf_page *page)
{
	mio_pf_cache_collect(cache, page, NULL);
	mio_pf_list_remove(&page->file->pages, page);
	mio_pf_table_remove(&cache->table, page);
	cache->replace.ops->removed(&cache->replace, page);
	if (mio_pf_page_is_ahead(page))
		mio_pf_file_unused(page->file, page);
	cache->resident--;
	mio_pf_live_pages(page->file, cache);
	/* A thread that copies without a pin may read this. */
	__atomic_store_n(&page->file, NULL, __ATOMIC_RELAXED);
}

struct mio_pf_page *mio_pf_cache_take(struct mio_pf_cache *cache, struct mio_pf_file *file, int64_t index)
{
	while (!mio_pf_cache_find(cache, file, index)) {
		struct mio_pf_page *page = poll_free(cache);

		if (!page) {
			page = victim(cache);
			if (!page)
				return NULL;
			if (page->writer) {
				mio_pf_file_tell_page(page, MIO_PAGE_DIRTY_EVICT);
				cache->counters->dirty_evictions++;
				page->file->counters->dirty_evictions++;
				mio_pf_page_pin(page);
				mio_pf_writeout_leaving(page);
				mio_pf_page_unpin_locked(page);
				continue;
			}
			if (!mio_pf_page_evict(page))
				continue;
			mio_pf_file_tell_page(page, MIO_PAGE_EVICT);
			cache->counters->evictions++;
			page->file->counters->evictions++;
			forget(cache, page);
		}
		mio_pf_page_become(page, file, index);
		mio_pf_list_add_last(&file->pages, page);
		mio_pf_table_add(&cache->table, page);
		cache->resident++;
		mio_pf_live_pages(file, cache);
		cache->moves++;
		cache->replace.ops->added(&cache->replace, page);
		return page;
	}
	return NULL;
}

/* Tries again to write a page that could not be written: it may work by now, and nothing else may try for a long time. 0, or -errno if it fails again. */
static int try_again(struct mio_pf_page *failed)
{
	int error = 0;

	mio_pf_page_pin(failed);
	mio_pf_writeout_now(failed);
	if (failed->failed)
		error = mio_pf_file_failure(failed->file);
	mio_pf_page_unpin_locked(failed);
	return error;
}

/* Waits until a frame may be free; the caller tries again then. 0, or -errno if no frame can be had. */
static int make_room(struct mio_pf_cache *cache)
{
	const struct mio_pf_replace_ops *ops = cache->replace.ops;
	struct mio_pf_page *failed = NULL;
	int hope = 0;

	for (struct mio_pf_page *page = ops->first(&cache->replace); page; page = ops->after(&cache->replace, page)) {
		if (page->ios) {
			mio_pf_cache_await(cache, page->ios);
			return 0;
		}
		failed = page->failed ? page : failed;
		hope |= !page->failed || mio_pf_page_is_pinned(page);
	}
	if (failed && !hope && !failed->file->frozen)
		return try_again(failed);
	atomic_store(&cache->waited_for, 1);
	/* Looks again after the mark was set: a page that was unpinned just before would not wake this thread. */
	if (!victim(cache) && !has_free(cache))
		mio_pf_cache_wait(cache);
	return 0;
}

int mio_pf_cache_obtain(struct mio_pf_cache *cache, struct mio_pf_file *file, int64_t index, struct mio_pf_page **page)
{
	for (;;) {
		int rc;

		*page = mio_pf_cache_find(cache, file, index);
		if (*page) {
			mio_pf_page_pin(*page);
			return 0;
		}
		*page = mio_pf_cache_take(cache, file, index);
		if (*page)
			return 0;
		if (mio_pf_cache_find(cache, file, index))
			continue;
		rc = make_room(cache);
		if (rc < 0)
			return rc;
	}
}

int mio_pf_cache_drop(struct mio_pf_cache *cache, struct mio_pf_page *page)
{
	if (page->ios || page->writer || !mio_pf_page_evict(page))
		return 0;
	mio_pf_file_tell_page(page, MIO_PAGE_DROPPED);
	forget(cache, page);
	page->chained = cache->free;
	cache->free = page;
	mio_condition_wake(&cache->changed);
	return 1;
}

void mio_pf_cache_drop_surely(struct mio_pf_cache *cache, struct mio_pf_file *file, struct mio_pf_page *page)
{
	while (page->file == file && !mio_pf_cache_drop(cache, page)) {
		atomic_store(&cache->waited_for, 1);
		if (mio_pf_page_is_pinned(page))
			mio_pf_cache_wait(cache);
	}
}

void mio_pf_cache_wake_locked(struct mio_pf_cache *cache)
{
	atomic_store(&cache->waited_for, 0);
	mio_condition_wake(&cache->changed);
}

void mio_pf_cache_wake(struct mio_pf_cache *cache)
{
	mio_lock_acquire(&cache->lock);
	mio_pf_cache_wake_locked(cache);
	mio_lock_release(&cache->lock);
}

void mio_pf_cache_await(struct mio_pf_cache *cache, struct mio_pf_page_io *io)
{
	mio_pf_page_io_hold(io);
	io->awaited |= io->asynchronous;
	mio_lock_release(&cache->lock);
	mio_pf_page_io_wait(io);
	mio_lock_acquire(&cache->lock);
	mio_pf_page_io_let_go(io);
}

void mio_pf_cache_collect(struct mio_pf_cache *cache, struct mio_pf_page *page, const struct mio_pf_open *of)
{
	struct mio_pf_page_io **link = &page->done;

	(void)cache;
	while (*link) {
		struct mio_pf_page_io *io = *link;

		if (of && io->open != of) {
			link = &io->next;
			continue;
		}
		*link = io->next;
		io->next = NULL;
		mio_pf_page_io_collect(io);
		mio_pf_page_io_let_go(io);
	}
}

#include "pf_file.h"

#include <errno.h>
#include <string.h>

#include "../layer/layer.h"
#include "pf_invalidate.h"
#include "pf_live.h"
#include "pf_open.h"
#include "pf_plan_file.h"
#include "pf_writeout.h"

/* ---- begin and end of opens with a cache */

struct mio_pf_cache *mio_pf_file_hold(struct mio_pf_file *file)
{
	struct mio_pf_cache *cache;

	if (!mio_pf_file_cache(file))
		return NULL;
	mio_lock_acquire(&file->coming);
	cache = mio_pf_file_cache(file);
	file->holders += cache != NULL;
	mio_lock_release(&file->coming);
	return cache;
}

void mio_pf_file_let_go(struct mio_pf_file *file)
{
	mio_lock_acquire(&file->coming);
	if (--file->holders == 0)
		mio_condition_wake(&file->let_go);
	mio_lock_release(&file->coming);
}

/* With the lock of the cache: removes the file from the list of those whose pages stay there. */
static void unlink_retained(struct mio_pf_file *file, struct mio_pf_cache *cache)
{
	*(file->retained_before ? &file->retained_before->retained_after : &cache->retained_first) = file->retained_after;
	*(file->retained_after ? &file->retained_after->retained_before : &cache->retained_last) = file->retained_before;
	file->retained_before = NULL;
	file->retained_after = NULL;
	cache->retained_files--;
}

/* Uses pages that stayed in a cache, if nobody has changed the file since, the cache is the same, and so is the size of sectors; else forgets them. */
static void take_back(struct mio_pf_file *file, struct mio_pf_cache *cache, int64_t stamp, int64_t size, int64_t sector)
{
	struct mio_pf_cache *old = atomic_load(&file->retained_in);

	if (!old)
		return;
	mio_lock_acquire(&old->lock);
	unlink_retained(file, old);
	if (old == cache && stamp == file->retained_stamp && size == mio_pf_file_size_now(file) &&
	    sector == file->sector_bytes) {
		struct mio_pf_page *page = file->pages.first;

		for (; page; page = mio_pf_list_after(&file->pages, page)) {
			page->left = 1;
			file->counters->retained++;
			cache->counters->retained++;
		}
	} else {
		mio_pf_invalidate_all(file, old);
	}
	mio_lock_release(&old->lock);
	atomic_store(&file->retained_in, NULL);
}

static int begin_streams(struct mio_pf_file *file, const struct mio_pf_options *options, int64_t page_bytes)
{
	int rc = mio_pf_stream_table_begin(&file->reads, options->streams, page_bytes, options->stride_pages,
					   options->distance);

	if (rc < 0)
		return rc;
	rc = mio_pf_stream_table_begin(&file->writes, options->streams, page_bytes, options->stride_pages,
				       options->distance);
	if (rc < 0)
		mio_pf_stream_table_end(&file->reads);
	return rc;
}

static void begin_with(struct mio_pf_file *file, struct mio_pf_cache *cache, int64_t sector, int64_t size, int64_t stamp)
{
	int past = mio_pf_mapped_has(file->device, file->inode);
	uint32_t behind = 0;

	mio_lock_acquire(&cache->lock);
	mio_pf_live_begin(file);
	mio_lock_release(&cache->lock);
	take_back(file, cache, stamp, size, sector);
	file->sector_bytes = sector;
	file->page_bytes = cache->page_bytes;
	mio_pf_reservation_begin(&file->reservation, sector);
	atomic_store(&file->size, size);
	atomic_store(&file->past, past != 0);
	atomic_store(&file->through, mio_pf_mapped_has_any(file->device, file->inode) ? MIO_PF_THROUGH : 0);
	file->caching_opens = 1;
	file->no_plan = NULL;
	atomic_store(&file->head.cache, cache);
	/* Looked at after head.cache was set: from then on mio_pf_share_all and the like, which change all files, find this one. */
	if (mio_pf_files_is_through())
		atomic_store(&file->through, MIO_PF_THROUGH);
	/* An open that did not need the gate so far may have a write on its way past the pages. A dirty sector would overwrite its bytes later. */
	if (atomic_load(&file->ungated_writers) > 0)
		atomic_compare_exchange_strong(&file->through, &behind, MIO_PF_THROUGH_BESIDE);
	mio_pf_files_cached(1);
}

int mio_pf_file_begin(struct mio_pf_file *file, const struct mio_pf_options *options, int64_t sector_bytes, int64_t size,
		      int64_t stamp)
{
	struct mio_pf_cache *cache = NULL;
	int rc = 0;

	mio_lock_acquire(&file->coming);
	while (file->ending)
		mio_condition_wait(&file->let_go, &file->coming);
	if (file->caching_opens > 0) {
		file->caching_opens++;
	} else {
		cache = mio_pf_caches_enter(options);
		rc = cache ? begin_streams(file, options, cache->page_bytes) : -ENOMEM;
		if (rc == 0)
			begin_with(file, cache, mio_pf_min(sector_bytes, cache->page_bytes), size, stamp);
	}
	mio_lock_release(&file->coming);
	if (rc < 0 && cache && mio_pf_caches_leave(cache, 1)) {
		mio_pf_files_forget_retained_in(cache);
		mio_pf_cache_free(cache);
	}
	return rc;
}

void mio_pf_file_ungated_writer(struct mio_pf_file *file, int more)
{
	uint32_t through = MIO_PF_THROUGH_BESIDE;

	if (atomic_fetch_add(&file->ungated_writers, more) + more == 0)
		atomic_compare_exchange_strong(&file->through, &through, 0);
}

void mio_pf_file_writes_meet(struct mio_pf_file *file)
{
	atomic_store(&file->writes_meet, 1);
}

static void plan_figures(const struct mio_pf_file *file, struct mio_stats_plan *figures)
{
	const struct mio_pf_plan *plan = file->plan ? &file->plan->plan : NULL;

	*figures = (struct mio_stats_plan){.is_asked = plan || file->no_plan, .none = plan ? NULL : file->no_plan};
	if (!plan)
		return;
	figures->follows = plan->is_on;
	figures->pages = plan->count;
	figures->place = plan->cursor;
	figures->requests = plan->requests;
	figures->followed = plan->followed;
	figures->left = plan->left;
	figures->stray = plan->stray;
	figures->stray_of = plan->stray_of;
}

void mio_pf_file_figures(struct mio_pf_file *file, struct mio_pf_figures *figures)
{
	mio_pf_counters_copy(&figures->counters, file->counters);
	figures->distance = mio_pf_stream_table_distance_max(&file->reads);
	figures->streams = file->reads.recognised;
	figures->gate_waits = atomic_load(&file->gate.waits);
	figures->gate_wait_ns = atomic_load(&file->gate.wait_ns);
	plan_figures(file, &figures->plan);
}

int64_t mio_pf_file_ahead_bytes(struct mio_pf_file *file)
{
	struct mio_pf_cache *cache = mio_pf_file_hold(file);
	int64_t ahead = 0;

	if (!cache)
		return 0;
	mio_lock_acquire(&cache->lock);
	for (struct mio_pf_page *page = file->pages.first; page; page = mio_pf_list_after(&file->pages, page))
		ahead += mio_pf_page_is_ahead(page);
	ahead *= cache->page_bytes;
	mio_lock_release(&cache->lock);
	mio_pf_file_let_go(file);
	return ahead;
}

/* With the lock of the cache: lets the pages of the file stay there. The streams that they were read for end with this open. */
static void retain(struct mio_pf_file *file, struct mio_pf_cache *cache, int64_t stamp)
{
	struct mio_pf_page *page = file->pages.first;

	file->retained_before = cache->retained_last;
	*(cache->retained_last ? &cache->retained_last->retained_after : &cache->retained_first) = file;
	cache->retained_last = file;
	cache->retained_files++;

	for (; page; page = mio_pf_list_after(&file->pages, page)) {
		mio_pf_cache_collect(page->cache, page, NULL);
		page->stream = NULL;
	}
	file->retained_stamp = stamp;
}

struct mio_pf_cache *mio_pf_file_end(struct mio_pf_file *file, int64_t retain_stamp, struct mio_pf_figures *final)
{
	struct mio_pf_plan_run *plan;
	struct mio_page_watch *watch;
	struct mio_pf_cache *cache;

	mio_lock_acquire(&file->coming);
	if (--file->caching_opens > 0) {
		mio_lock_release(&file->coming);
		return NULL;
	}
	cache = mio_pf_file_cache(file);
	if (cache->number == MIO_PF_PRIVATE)
		retain_stamp = -1;
	/* Set before head.cache is cleared: a writer of an open without a cache looks at this when it finds no cache. */
	if (retain_stamp >= 0)
		atomic_store(&file->retained_in, cache);
	atomic_store(&file->head.cache, NULL);
	file->ending = 1;
	while (file->holders > 0)
		mio_condition_wait(&file->let_go, &file->coming);
	mio_lock_acquire(&cache->lock);
	while (file->on_their_way > 0)
		mio_pf_cache_wait(cache);
	if (retain_stamp >= 0 && atomic_load(&file->dirty_pages) == 0 && file->pages.first) {
		retain(file, cache, retain_stamp);
	} else {
		mio_pf_invalidate_all(file, cache);
		atomic_store(&file->retained_in, NULL);
	}
	watch = atomic_exchange(&file->watch, NULL);
	mio_pf_sharers_left(&cache->sharers, &file->reads.share);
	mio_pf_sharers_left(&cache->sharers, &file->writes.share);
	mio_pf_file_figures(file, final);
	plan = file->plan;
	file->plan = NULL;
	mio_pf_counters_add_program(cache->counters, file->counters);
	mio_pf_live_end(file);
	mio_lock_release(&cache->lock);
	mio_pf_stream_table_end(&file->reads);
	mio_pf_stream_table_end(&file->writes);
	mio_pf_reservation_end(&file->reservation);
	file->ending = 0;
	mio_pf_files_cached(-1);
	mio_condition_wake(&file->let_go);
	mio_lock_release(&file->coming);
	if (watch)
		watch->release(watch);
	mio_pf_plan_give_back(plan);
	return cache;
}

static void forget_retained(struct mio_pf_file *file, struct mio_pf_cache *given)
{
	struct mio_pf_cache *old;

	mio_lock_acquire(&file->coming);
	while (file->ending)
		mio_condition_wait(&file->let_go, &file->coming);
	old = atomic_load(&file->retained_in);
	if (old && (!given || old == given)) {
		mio_lock_acquire(&old->lock);
		unlink_retained(file, old);
		mio_pf_invalidate_all(file, old);
		mio_lock_release(&old->lock);
		atomic_store(&file->retained_in, NULL);
	}
	mio_lock_release(&file->coming);
}

void mio_pf_file_limit_retained(struct mio_pf_cache *cache)
{
	struct mio_pf_file *oldest;

	do {
		mio_lock_acquire(&cache->lock);
		oldest = cache->retained_files > cache->frames ? cache->retained_first : NULL;
		if (oldest)
			mio_pf_files_enter_again(oldest);
		mio_lock_release(&cache->lock);
		if (oldest) {
			forget_retained(oldest, cache);
			mio_pf_file_leave(oldest);
		}
	} while (oldest);
}

void mio_pf_file_forget_retained(struct mio_pf_file *file)
{
	if (atomic_load(&file->retained_in))
		forget_retained(file, NULL);
}

void mio_pf_file_forget_retained_in(struct mio_pf_file *file, struct mio_pf_cache *given)
{
	forget_retained(file, given);
}

/* ---- cutting */

void mio_pf_file_freeze(struct mio_pf_file *file, struct mio_pf_cache *cache)
{
	mio_lock_acquire(&cache->lock);
	while (file->frozen)
		mio_pf_cache_wait(cache);
	file->frozen = 1;
	while (file->on_their_way > 0)
		mio_pf_cache_wait(cache);
	mio_lock_release(&cache->lock);
}

void mio_pf_file_thaw(struct mio_pf_file *file, struct mio_pf_cache *cache)
{
	mio_lock_acquire(&cache->lock);
	file->frozen = 0;
	mio_condition_wake(&cache->changed);
	mio_lock_release(&cache->lock);
}

/* With the lock of the cache: the file has this size now. */
static void resized(struct mio_pf_file *file, struct mio_pf_cache *cache, int64_t size)
{
	/* The rest of the last sector behind the old end is zeros in its page, as in the file. */
	if (size > mio_pf_file_size_now(file))
		mio_pf_file_sized(file, size);
	else
		mio_pf_invalidate_cut(file, cache, size);
}

int mio_pf_file_resize(struct mio_pf_file *file, struct mio_pf_cache *cache, int64_t size, struct mio_layer *next)
{
	int64_t known = mio_pf_file_refresh(file, cache, next);
	int64_t below = known < 0 ? known : next->ops->size(next);
	int rc = 0;

	if (below < 0)
		return (int)below;
	/*
	 * The file below may be shorter than the new end, with only pages knowing the rest, as dirty bytes lie behind it. All is written first, so that the
	 * file below is long enough, and cut then.
	 */
	if (size >= known || below < size)
		rc = mio_pf_writeout_all(file, cache);
	if (rc < 0)
		return rc;
	mio_pf_file_freeze(file, cache);
	rc = next->ops->truncate(next, size);
	if (rc == 0) {
		mio_lock_acquire(&cache->lock);
		resized(file, cache, size);
		mio_lock_release(&cache->lock);
	}
	mio_pf_file_thaw(file, cache);
	return rc;
}

/* ---- size and content */

void mio_pf_file_changed(struct mio_pf_file *file)
{
	uint64_t version = atomic_load_explicit(&file->version, memory_order_relaxed);

	atomic_store_explicit(&file->version, version + 1, memory_order_release);
}

void mio_pf_file_sized(struct mio_pf_file *file, int64_t size)
{
	atomic_store_explicit(&file->size, size, memory_order_release);
	mio_pf_file_changed(file);
}

void mio_pf_file_dirtied(struct mio_pf_file *file, int pages)
{
	atomic_store(&file->dirty_pages, atomic_load(&file->dirty_pages) + pages);
	mio_pf_file_changed(file);
}

int64_t mio_pf_file_bytes(const struct mio_pf_file *file, const struct mio_pf_page *page, int from_sector, int to_sector)
{
	int64_t left = mio_pf_max(0, mio_pf_file_size_now(file) - page->start);
	int64_t to = mio_pf_min(to_sector * file->sector_bytes, left);

	return mio_pf_max(0, to - from_sector * file->sector_bytes);
}

int mio_pf_file_sectors(const struct mio_pf_file *file, int64_t page_start)
{
	int64_t left = mio_pf_max(0, mio_pf_file_size_now(file) - page_start);

	return (int)((mio_pf_min(file->page_bytes, left) + file->sector_bytes - 1) / file->sector_bytes);
}

int64_t mio_pf_file_refresh(struct mio_pf_file *file, struct mio_pf_cache *cache, struct mio_layer *next)
{
	uint64_t before = atomic_load_explicit(&file->version, memory_order_acquire);
	int64_t now;

	if (atomic_load(&file->dirty_pages) > 0)
		return mio_pf_file_size_now(file);
	now = next->ops->size(next);
	if (now < 0)
		return now;
	if (now != mio_pf_file_size_now(file)) {
		mio_lock_acquire(&cache->lock);
		if (atomic_load(&file->dirty_pages) == 0 && atomic_load(&file->version) == before && !file->frozen)
			mio_pf_invalidate_resized(file, cache, now);
		mio_lock_release(&cache->lock);
	}
	return mio_pf_file_size_now(file);
}

void mio_pf_file_told(struct mio_pf_file *file, const struct mio_pf_page *page, enum mio_page_operation operation,
		      int64_t offset, int64_t bytes, int64_t began_ns)
{
	struct mio_page_news news = {
		.operation = operation,
		.frame = page - page->cache->pages,
		.offset = offset,
		.bytes = bytes,
		.began_ns = began_ns,
	};
	struct mio_page_watch *watch = mio_pf_file_watch(file);

	if (watch)
		watch->page(watch, &news);
}

void mio_pf_file_unused(struct mio_pf_file *file, struct mio_pf_page *page)
{
	struct mio_pf_stream *stream = mio_pf_stream_still(page->stream, page->stream_number);

	mio_pf_file_tell_page(page, MIO_PAGE_PREFETCH_UNUSED);
	file->counters->unused++;
	page->cache->counters->unused++;
	if (stream)
		mio_pf_stream_unused(&file->reads, stream);
}

void mio_pf_file_failed(struct mio_pf_file *file, struct mio_pf_cache *cache, int error)
{
	atomic_store(&file->last_error, error);
	atomic_fetch_add(&file->errors, 1);
	atomic_store(&file->through, 1);
	cache->counters->write_errors++;
	file->counters->write_errors++;
}

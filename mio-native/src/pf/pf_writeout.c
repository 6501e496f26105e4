#include "pf_writeout.h"

#include <errno.h>

#include "pf_cache.h"
#include "pf_file.h"
#include "pf_open.h"
#include "pf_page_io.h"

/*
 * Registers the writes of a page. One request if all sectors between the first and the last dirty one are valid, and no write past the page may change them;
 * else one request for each run of dirty sectors. None if the page is clean, being written, or being changed. Without memory for a request, the page counts as
 * one that could not be written.
 */
static void take(struct mio_pf_page *page, int asynchronous, struct mio_pf_ios *list)
{
	struct mio_pf_file *file = page->file;
	int from, end, solid;

	if (!page->writer || page->writers > 0 || mio_pf_page_write_on_its_way(page))
		return;
	from = mio_pf_bits_next(page->dirty, 0, page->sectors);
	end = mio_pf_bits_previous(page->dirty, page->sectors - 1) + 1;
	solid = from >= 0 && !page->writer->options.exact && !atomic_load_explicit(&file->writes_meet, memory_order_relaxed) &&
		mio_pf_bits_next_clear(page->valid, from, page->sectors) >= end;
	while (from >= 0) {
		int to = solid ? end : mio_pf_bits_next_clear(page->dirty, from, page->sectors);
		int64_t bytes = mio_pf_file_bytes(file, page, from, to);

		if (bytes > 0 && mio_pf_page_io_make(page, page->writer, 1, asynchronous, from, to, bytes, list) < 0) {
			mio_pf_file_failed(file, page->cache, -ENOMEM);
			page->failed = 1;
			return;
		}
		mio_pf_bits_clear(page->dirty, from, to);
		from = mio_pf_bits_next(page->dirty, to, page->sectors);
	}
	mio_pf_cache_cleaned(page->cache, page);
}

static void start(struct mio_pf_cache *cache, struct mio_pf_ios *list)
{
	mio_lock_release(&cache->lock);
	mio_pf_ios_start(list->first);
	mio_lock_acquire(&cache->lock);
	mio_pf_ios_let_go(list);
}

void mio_pf_writeout_now(struct mio_pf_page *page)
{
	struct mio_pf_ios list = {0};

	take(page, 0, &list);
	start(page->cache, &list);
}

static void count(struct mio_pf_cache *cache, struct mio_pf_file *file, int64_t writes, int asynchronous)
{
	if (asynchronous) {
		cache->counters->write_behinds += writes;
		file->counters->write_behinds += writes;
	}
}

/* So many pages are looked at when a dirty one must give way. */
#define LEAVING_MAX 32

void mio_pf_writeout_leaving(struct mio_pf_page *page)
{
	struct mio_pf_cache *cache = page->cache;
	const struct mio_pf_replace_ops *ops = cache->replace.ops;
	struct mio_pf_page *next = ops->after(&cache->replace, page);
	struct mio_pf_ios list = {0};

	/* Pages of the other list of the replacement are better, and stay. */
	for (int i = 1; i < LEAVING_MAX && next && next->list == page->list;
	     i++, next = ops->after(&cache->replace, next)) {
		int64_t before = list.count;

		if (!next->writer || !next->writer->options.asynchronous || next->ios || next->failed ||
		    next->file->frozen || mio_pf_page_is_pinned(next))
			continue;
		take(next, 1, &list);
		next->leaving = 1;
		count(cache, next->file, list.count - before, 1);
	}
	take(page, 0, &list);
	start(cache, &list);
}

void mio_pf_writeout_behind(struct mio_pf_page *page)
{
	int asynchronous = page->writer->options.asynchronous;
	struct mio_pf_cache *cache = page->cache;
	struct mio_pf_ios list = {0};

	take(page, asynchronous, &list);
	count(cache, page->file, list.count, asynchronous);
	start(cache, &list);
}

/* How far one thread has come in writing all of a file. */
struct all {
	struct mio_pf_ios own;			/* the requests that this thread has made */
	struct mio_pf_page_io *handed_down;	/* the last one of these that was started */
	int foreign;				/* requests of other threads are on their way, too */
	uint64_t up_to;				/* these have numbers up to this one */
	uint64_t errors;			/* failed writes of the file before */
	int leaves_failed;			/* pages that could not be written before are left as they are */
};

/* Starts the requests that are registered and not started yet; with the lock, which is released meanwhile. 1 if there were any. */
static int start_rest(struct mio_pf_cache *cache, struct all *all)
{
	struct mio_pf_page_io *first = all->handed_down ? all->handed_down->listed : all->own.first;

	if (!first)
		return 0;
	all->handed_down = all->own.last;
	mio_lock_release(&cache->lock);
	mio_pf_ios_start(first);
	mio_lock_acquire(&cache->lock);
	return 1;
}

/* The first dirty page of a file, from this one on, whose dirtied_at is above `after`, if it is not above `up_to`; else NULL. */
static struct mio_pf_page *dirty_from(const struct mio_pf_file *file, struct mio_pf_page *page, uint64_t after, uint64_t up_to)
{
	while (page && page->dirtied_at <= after)
		page = mio_pf_list_after(&file->dirty, page);
	return page && page->dirtied_at <= up_to ? page : NULL;
}

static void take_all(struct mio_pf_file *file, struct mio_pf_cache *cache, struct all *all)
{
	uint64_t last = file->dirty.last ? file->dirty.last->dirtied_at : 0;
	uint64_t seen = 0;
	struct mio_pf_page *page, *next = file->dirty.first;

	/* After the lock was released, the walk begins with the first page of the list again. Otherwise it goes on from page to page, as there may be many. */
	while ((page = dirty_from(file, next, seen, last)) != NULL) {
		int asynchronous = page->dirtied_at < last && page->writer->options.asynchronous;
		int64_t before = all->own.count;

		if (page->writers > 0 || file->frozen) {
			/* A thread that cuts the file waits for the registered requests: these are started before this thread waits for it. */
			if (!start_rest(cache, all))
				mio_pf_cache_wait(cache);
			next = file->dirty.first;
			continue;
		}
		/* A part of the page is being written and another one is dirty, as after a failure: the page is looked at again later. */
		if (mio_pf_page_write_on_its_way(page) && mio_pf_bits_next(page->dirty, 0, page->sectors) >= 0) {
			if (!start_rest(cache, all))
				mio_pf_cache_await(cache, mio_pf_page_write_on_its_way(page));
			next = file->dirty.first;
			continue;
		}
		seen = page->dirtied_at;
		next = mio_pf_list_after(&file->dirty, page);
		if (mio_pf_page_write_on_its_way(page)) {
			all->foreign = 1;
			continue;
		}
		if (page->failed && all->leaves_failed)
			continue;
		take(page, asynchronous, &all->own);
		count(cache, file, all->own.count - before, asynchronous);
	}
	all->up_to = cache->ios_made;
}

static int wait_for_own(struct mio_pf_cache *cache, struct all *all)
{
	int error = 0;

	for (struct mio_pf_page_io *io = all->own.first; io; io = io->listed) {
		if (!mio_io_is_done(&io->io))
			mio_pf_cache_await(cache, io);
		error = error ? error : mio_pf_page_io_error(io);
	}
	mio_pf_ios_let_go(&all->own);
	return error;
}

static struct mio_pf_page_io *foreign_write(struct mio_pf_file *file, uint64_t up_to)
{
	struct mio_pf_page *page = file->pages.first;

	for (; page; page = mio_pf_list_after(&file->pages, page)) {
		for (struct mio_pf_page_io *io = page->ios; io; io = io->next) {
			if (io->write && io->number <= up_to)
				return io;
		}
	}
	return NULL;
}

static void wait_for_foreign(struct mio_pf_file *file, struct mio_pf_cache *cache, const struct all *all)
{
	struct mio_pf_page_io *io;

	while (all->foreign && (io = foreign_write(file, all->up_to)) != NULL)
		mio_pf_cache_await(cache, io);
}

static int write_all(struct mio_pf_file *file, struct mio_pf_cache *cache, int leaves_failed)
{
	struct all all = {.leaves_failed = leaves_failed};
	int error;

	if (atomic_load(&file->dirty_pages) == 0)
		return 0;
	mio_lock_acquire(&cache->lock);
	all.errors = atomic_load(&file->errors);
	take_all(file, cache, &all);
	start_rest(cache, &all);
	error = wait_for_own(cache, &all);
	wait_for_foreign(file, cache, &all);
	/* Failures of requests of other threads, or of requests for which there was no memory, show in the count only. */
	if (atomic_load(&file->errors) != all.errors)
		error = mio_pf_file_failure(file);
	mio_lock_release(&cache->lock);
	return error;
}

int mio_pf_writeout_all(struct mio_pf_file *file, struct mio_pf_cache *cache)
{
	return write_all(file, cache, 0);
}

int mio_pf_writeout_rest(struct mio_pf_file *file, struct mio_pf_cache *cache)
{
	return write_all(file, cache, 1);
}

int mio_pf_writeout_file(struct mio_pf_file *file)
{
	struct mio_pf_cache *cache;
	int rc;

	if (!mio_pf_file_cache(file) || atomic_load(&file->dirty_pages) == 0)
		return 0;
	cache = mio_pf_file_hold(file);
	if (!cache)
		return 0;
	rc = mio_pf_writeout_all(file, cache);
	mio_pf_file_let_go(file);
	return rc;
}

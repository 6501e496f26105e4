#include "pf_page_io.h"

#include "pf_live.h"
#include <errno.h>
#include <string.h>

#include "../common/clock.h"
#include "../common/memory.h"
#include "pf_cache.h"
#include "pf_file.h"
#include "pf_open.h"

static void add_to(struct mio_pf_ios *list, struct mio_pf_page_io *io)
{
	if (list->last)
		list->last->listed = io;
	else
		list->first = io;
	list->last = io;
	list->count++;
}

static void spare(struct mio_pf_cache *cache, struct mio_pf_page_io *io)
{
	io->next = cache->ios_spare;
	cache->ios_spare = io;
}

static void reap(struct mio_pf_cache *cache)
{
	struct mio_pf_page_io **link = &cache->ios_ending;

	while (*link) {
		struct mio_pf_page_io *io = *link;

		if (mio_io_is_done(&io->io)) {
			*link = io->next;
			spare(cache, io);
		} else {
			link = &io->next;
		}
	}
}

static struct mio_pf_page_io *take(struct mio_pf_cache *cache)
{
	struct mio_pf_page_io *io;

	if (!cache->ios_spare)
		reap(cache);
	io = cache->ios_spare;
	if (!io)
		return mio_memory_take(sizeof(*io));
	cache->ios_spare = io->next;
	return io;
}

static void completed(struct mio_io *request, void *context);

int mio_pf_page_io_make(struct mio_pf_page *page, struct mio_pf_open *open, int write, int asynchronous, int from_sector,
			int to_sector, int64_t bytes, struct mio_pf_ios *list)
{
	int64_t from = from_sector * page->file->sector_bytes;
	struct mio_pf_page_io *io = take(page->cache);

	if (!io)
		return -ENOMEM;
	/* A part of the page may lie beyond the largest offset. */
	bytes = mio_pf_min(bytes, INT64_MAX - page->start - from);
	mio_io_init(&io->io, write, page->frame + from, (size_t)bytes, page->start + from, completed, io);
	io->page = page;
	io->open = open;
	io->write = write;
	io->asynchronous = asynchronous;
	io->from_sector = from_sector;
	io->to_sector = to_sector;
	io->stale = 0;
	io->broken = 0;
	io->awaited = 0;
	io->holders = 2;
	io->began_ns = mio_pf_file_watch(page->file) ? mio_clock_ns() : 0;
	if (write && asynchronous)
		mio_pf_file_tell(page->file, page, MIO_PAGE_WRITE_BEHIND, page->start + from, bytes);
	io->number = ++page->cache->ios_made;
	io->listed = NULL;
	io->next = page->ios;
	page->ios = io;
	page->file->on_their_way++;
	mio_pf_live_request(page->file, page->cache, 1);
	open->held++;
	add_to(list, io);
	return 0;
}

void mio_pf_page_io_hold(struct mio_pf_page_io *io)
{
	io->holders++;
}

void mio_pf_page_io_let_go(struct mio_pf_page_io *io)
{
	struct mio_pf_cache *cache = io->page->cache;

	if (--io->holders > 0)
		return;
	mio_pf_open_let_go(io->open, cache);
	if (mio_io_is_done(&io->io)) {
		spare(cache, io);
	} else {
		/* The request is complete, but its thread has not marked it as done yet. */
		io->next = cache->ios_ending;
		cache->ios_ending = io;
	}
}

void mio_pf_ios_let_go(struct mio_pf_ios *list)
{
	while (list->first) {
		struct mio_pf_page_io *io = list->first;

		list->first = io->listed;
		mio_pf_page_io_let_go(io);
	}
	memset(list, 0, sizeof(*list));
}

int mio_pf_page_io_is_wider(const struct mio_pf_page_io *io, int from_sector, int to_sector)
{
	return io->from_sector < from_sector || io->to_sector > to_sector;
}

int mio_pf_page_io_error(const struct mio_pf_page_io *io)
{
	if (io->io.result < 0)
		return (int)io->io.result;
	return io->write && io->io.result < (int64_t)io->io.requested ? -EIO : 0;
}

/* Writes all bytes. After a short write, the next call returns the error that made it short. */
static int64_t write_all(struct mio_pf_page_io *io, struct mio_layer *below)
{
	const struct mio_io *request = &io->io;
	const unsigned char *memory = request->memory;
	int64_t bytes = 0;

	while (bytes < (int64_t)request->requested) {
		int64_t rc = below->ops->write(below, memory + bytes, request->requested - (size_t)bytes,
					       request->offset + bytes);

		if (rc <= 0)
			return rc < 0 ? rc : -EIO;
		bytes += rc;
	}
	return bytes;
}

/* Reads on after a short read that did not reach the end of the file. Whole sectors that came before an error are kept. */
static int64_t read_all(struct mio_pf_page_io *io, struct mio_layer *below)
{
	const struct mio_io *request = &io->io;
	const struct mio_pf_file *file = io->page->file;
	int64_t expected = mio_pf_file_bytes(file, io->page, io->from_sector, io->to_sector);
	unsigned char *memory = request->memory;
	int64_t bytes = 0;
	int64_t rc;

	do {
		rc = below->ops->read(below, memory + bytes, request->requested - (size_t)bytes,
				      request->offset + bytes);
		if (rc < 0 && bytes < file->sector_bytes)
			return rc;
		io->broken = rc < 0;
		bytes += rc > 0 ? rc : 0;
	} while (rc > 0 && bytes < expected);
	return bytes;
}

void mio_pf_page_io_perform(struct mio_pf_page_io *io)
{
	struct mio_layer *below = io->open->layer.next;

	below->ops->seek(below, io->io.offset);
	mio_io_complete(&io->io, io->write ? write_all(io, below) : read_all(io, below));
}

void mio_pf_page_io_submit(struct mio_pf_page_io *io)
{
	struct mio_layer *below = io->open->layer.next;
	int rc;

	below->ops->seek(below, io->io.offset);
	rc = below->ops->submit(below, &io->io);
	if (rc < 0)
		mio_io_complete(&io->io, rc);
}

void mio_pf_ios_start(struct mio_pf_page_io *first)
{
	for (struct mio_pf_page_io *io = first; io; io = io->listed) {
		if (io->asynchronous)
			mio_pf_page_io_submit(io);
		else
			mio_pf_page_io_perform(io);
	}
}

void mio_pf_page_io_wait(struct mio_pf_page_io *io)
{
	struct mio_layer *below = io->open->layer.next;

	while (!mio_io_is_done(&io->io)) {
		if (io->asynchronous)
			below->ops->await(below, &io->io, 1);
		else
			mio_io_wait(&io->io);
	}
}

void mio_pf_page_io_collect(struct mio_pf_page_io *io)
{
	struct mio_layer *below = io->open->layer.next;

	if (!io->awaited) {
		io->awaited = 1;
		below->ops->await(below, &io->io, 0);
	}
}

static void unlink_io(struct mio_pf_page_io *gone)
{
	struct mio_pf_page_io **link = &gone->page->ios;

	while (*link != gone)
		link = &(*link)->next;
	*link = gone->next;
	gone->next = NULL;
}

static void written(struct mio_pf_cache *cache, struct mio_pf_page_io *io)
{
	struct mio_pf_page *page = io->page;
	int error = mio_pf_page_io_error(io);

	if (error == 0) {
		mio_pf_counters_page_written(page->file->counters, io->io.result);
		mio_pf_counters_page_written(cache->counters, io->io.result);
	} else {
		mio_pf_file_failed(page->file, cache, error);
		mio_pf_bits_set(page->dirty, io->from_sector, io->to_sector);
		page->failed = 1;
	}
	mio_pf_cache_cleaned(cache, page);
}

static void read_in(struct mio_pf_cache *cache, struct mio_pf_page_io *io)
{
	struct mio_pf_page *page = io->page;
	struct mio_pf_file *file = page->file;
	int64_t bytes = io->io.result;
	int partial = io->from_sector > 0 || io->to_sector < mio_pf_file_sectors(file, page->start);
	int to = io->to_sector;

	mio_pf_counters_page_read(file->counters, bytes, partial);
	mio_pf_counters_page_read(cache->counters, bytes, partial);
	/*
	 * A short read met the end of the file, or something went wrong. The maker of a synchronous read finds out which. Of a read ahead, only the sectors
	 * that it brought become valid; the others are read when the program asks for them.
	 */
	if ((io->asynchronous || io->broken) && bytes < mio_pf_file_bytes(file, page, io->from_sector, to))
		to = io->from_sector + (int)(bytes / file->sector_bytes);
	if (!io->stale) {
		mio_pf_bits_set(page->valid, io->from_sector, to);
		mio_pf_page_valid_changed(page);
	}
}

/* Tells the watch, if there is one, of the end of a request. */
static void tell(const struct mio_pf_page_io *io)
{
	const struct mio_pf_page *page = io->page;
	struct mio_page_watch *watch = mio_pf_file_watch(page->file);
	int error = mio_pf_page_io_error(io);
	struct mio_page_news news = {
		.operation = io->write ? MIO_PAGE_WRITTEN : MIO_PAGE_ARRIVED,
		.asynchronous = io->asynchronous,
		.frame = page - page->cache->pages,
		.offset = io->io.offset,
		.bytes = (int64_t)io->io.requested,
		.result = error < 0 ? error : io->io.result,
		.began_ns = io->began_ns,
	};

	if (watch)
		watch->page(watch, &news);
}

static void completed(struct mio_io *request, void *context)
{
	struct mio_pf_page_io *io = context;
	struct mio_pf_page *page = io->page;
	struct mio_pf_cache *cache = page->cache;
	int64_t sector = page->file->sector_bytes;

	if (!io->write && request->result >= 0) {
		/* Bytes beyond a short read are zeros. No thread reads these sectors before they are valid. */
		int64_t from = io->from_sector * sector + request->result;
		int64_t to = mio_pf_min(io->to_sector * sector, cache->page_bytes);

		if (from < to)
			memset(page->frame + from, 0, (size_t)(to - from));
	}
	mio_lock_acquire(&cache->lock);
	tell(io);
	unlink_io(io);
	if (io->write)
		written(cache, io);
	else if (request->result >= 0)
		read_in(cache, io);
	page->file->on_their_way--;
	mio_pf_live_request(page->file, cache, -1);
	mio_condition_wake(&cache->changed);
	if (io->asynchronous) {
		io->next = page->done;
		page->done = io;
	} else {
		mio_pf_page_io_let_go(io);
	}
	mio_lock_release(&cache->lock);
}

void mio_pf_page_io_free_all(struct mio_pf_cache *cache)
{
	for (struct mio_pf_page_io *io = cache->ios_ending; io; io = io->next)
		mio_io_wait(&io->io);
	reap(cache);
	while (cache->ios_spare) {
		struct mio_pf_page_io *io = cache->ios_spare;

		cache->ios_spare = io->next;
		mio_memory_give(io, sizeof(*io));
	}
}

#include "pf_writer.h"

#include "pf_live.h"
#include <errno.h>
#include <string.h>

#include "../layer/layer_copy.h"
#include "pf_cache.h"
#include "pf_file.h"
#include "pf_open.h"
#include "pf_readahead.h"
#include "pf_writeout.h"

/* Space is set aside ahead of a stream in steps of this size where pages are smaller, bytes: each time holds the file up. */
#define RESERVED_BYTES (1 << 20)

void mio_pf_writer_begin(struct mio_pf_writer *writer, struct mio_pf_open *open)
{
	writer->open = open;
	atomic_store(&writer->last_offset, -1);
	atomic_store(&writer->last_index, -1);
}

/* One write of the program on its way through its pages, and the part of it that goes into the present page. */
struct write {
	struct mio_pf_open *open;
	struct mio_pf_file *file;
	struct mio_pf_cache *cache;
	struct mio_pf_stream *stream;
	uint64_t stream_number;
	int forward;		/* the stream goes forward */
	int64_t from, to;	/* the part in the present page, bytes of the page */
	int from_sector, to_sector;
};

/* Starts to write the page that a stream has left. */
static void leave(struct mio_pf_writer *writer, const struct write *write, int64_t index)
{
	int64_t last = atomic_load_explicit(&writer->last_index, memory_order_relaxed);
	struct mio_pf_page *left;

	if (last < 0 || last == index || !write->stream)
		return;
	left = mio_pf_cache_find(write->cache, write->file, last);
	if (left && left->writer == write->open && !left->failed)
		mio_pf_writeout_behind(left);
}

static void begin(struct mio_pf_writer *writer, struct write *write, int64_t offset, int64_t length)
{
	struct mio_pf_stream *stream;

	mio_lock_acquire(&write->cache->lock);
	stream = mio_pf_stream_table_seen(&write->file->writes, offset, length,
					  atomic_load_explicit(&writer->last_offset, memory_order_relaxed),
					  atomic_load_explicit(&writer->last_length, memory_order_relaxed));
	if (stream && stream->proven && mio_pf_stream_enters(stream))
		mio_pf_stream_stepped(&write->file->writes, stream);
	write->stream = stream;
	write->stream_number = stream ? stream->number : 0;
	write->forward = stream && stream->kind == MIO_PF_FORWARD;
	leave(writer, write, offset / write->file->page_bytes);
	mio_lock_release(&write->cache->lock);
	atomic_store_explicit(&writer->last_offset, offset, memory_order_relaxed);
	atomic_store_explicit(&writer->last_length, length, memory_order_relaxed);
}

/* Sets space aside. 1, or 0 if the write must go to the next layer at once, where it gets the error of the file system if there is one. */
static int reserve(const struct write *write, int64_t start, int64_t end)
{
	struct mio_layer *next = write->open->layer.next;
	struct mio_pf_file *file = write->file;
	int64_t ahead = end;
	int rc;

	/* Ahead of a stream as well: a page or RESERVED_BYTES, whichever is more; at most an eighth of the file, and no more than the stream has behind it. */
	if (write->forward)
		ahead = end + mio_pf_min(mio_pf_min(mio_pf_max(file->page_bytes, RESERVED_BYTES),
						    end / 8 / file->sector_bytes * file->sector_bytes),
					 end - start + mio_pf_reservation_before(&file->reservation, start));
	rc = next->ops->reserve(next, start, ahead - start);
	if (rc == 0) {
		atomic_store(&file->through, 1);
		return 0;
	}
	if (rc < 0) {
		ahead = end;
		rc = next->ops->reserve(next, start, end - start);
	}
	if (rc <= 0)
		return 0;
	mio_pf_reservation_add(&file->reservation, start, ahead);
	return 1;
}

/* 1 if space is set aside for the bytes, so that they can be written later; 0 if they are to go to the next layer at once. */
static int has_space(const struct write *write, int64_t from, int64_t length)
{
	struct mio_pf_reservation *reservation = &write->file->reservation;
	int64_t start = from - from % write->file->sector_bytes;
	int64_t end = mio_pf_round_up(from + length, write->file->sector_bytes);
	int has;

	mio_lock_acquire(&reservation->lock);
	has = mio_pf_reservation_has(reservation, start, end) || (mio_pf_reservation_is_worth(reservation, end) && reserve(write, start, end));
	mio_lock_release(&reservation->lock);
	return has;
}

static void zero(struct mio_pf_page *page, int64_t from, int64_t to)
{
	memset(page->frame + from, 0, (size_t)(to - from));
}

/* 1 if a sector must be read before the write. A sector behind the end of the file is filled with zeros instead. */
static int needs(const struct write *write, struct mio_pf_page *page, int at)
{
	int64_t sector = write->file->sector_bytes;

	if (mio_pf_bits_get(page->valid, at))
		return 0;
	if (page->start + at * sector < mio_pf_file_size_now(write->file))
		return 1;
	zero(page, at * sector, (at + 1) * sector);
	mio_pf_bits_set(page->valid, at, at + 1);
	mio_pf_page_valid_changed(page);
	return 0;
}

/* A sector that the write covers only in part and whose other bytes must be read first, or -1. */
static int edge_of(const struct write *write, struct mio_pf_page *page)
{
	int64_t sector = write->file->sector_bytes;
	int last = write->to_sector - 1;
	int cuts_last = write->to % sector != 0 && page->start + write->to < mio_pf_file_size_now(write->file);

	if (write->from % sector != 0 && needs(write, page, write->from_sector))
		return write->from_sector;
	if (cuts_last && needs(write, page, last))
		return last;
	if (write->to % sector != 0 && !mio_pf_bits_get(page->valid, last))
		zero(page, write->to, write->to_sector * sector);
	return -1;
}

/*
 * Reads the missing sectors around that sector, up to valid ones. *narrow: only the sector itself, as others could not be read; set here if that is found out.
 * 0 or -errno. Releases the lock meanwhile.
 */
static int complete(const struct write *write, struct mio_pf_page *page, int edge, int *narrow)
{
	struct mio_live_counters *of_file = write->file->counters, *of_cache = write->cache->counters;
	int first = *narrow ? edge : mio_pf_bits_previous(page->valid, edge) + 1;
	int gap = mio_pf_bits_next(page->valid, edge, page->sectors);
	int last = *narrow ? edge + 1 : mio_pf_file_sectors(write->file, page->start);
	struct mio_pf_ios list = {0};
	int forced = !mio_pf_bits_is_empty(page->dirty, page->sectors);
	int wider;
	int rc;

	of_file->read_after_all += page->not_preread;
	of_cache->read_after_all += page->not_preread;
	page->not_preread = 0;
	of_file->forced_syncs += forced;
	of_cache->forced_syncs += forced;
	of_file->demand_reads++;
	of_cache->demand_reads++;
	if (gap >= 0 && gap < last)
		last = gap;
	for (struct mio_pf_page_io *io = page->ios; io; io = io->next) {
		if (io->from_sector > edge)
			last = io->from_sector < last ? io->from_sector : last;
		else
			first = io->to_sector > first ? io->to_sector : first;
	}
	rc = mio_pf_page_io_make(page, write->open, 0, 0, first, last, (last - first) * write->file->sector_bytes, &list);
	if (rc < 0)
		return rc;
	mio_pf_file_tell(write->file, page, MIO_PAGE_DEMAND_READ, list.first->io.offset,
			 (int64_t)list.first->io.requested);
	mio_lock_release(&write->cache->lock);
	mio_pf_page_io_perform(list.first);
	rc = mio_pf_page_io_error(list.first);
	wider = mio_pf_page_io_is_wider(list.first, edge, edge + 1);
	mio_lock_acquire(&write->cache->lock);
	mio_pf_ios_let_go(&list);
	*narrow = rc < 0 && wider;
	return *narrow ? 0 : rc;
}

/* Prepares pages ahead of the writing stream, or reads them (pffw). May release the lock meanwhile. */
static void look_ahead(const struct write *write)
{
	struct mio_pf_stream *stream = mio_pf_stream_still(write->stream, write->stream_number);
	struct mio_pf_ios ahead = {0};

	if (!write->open->options.preread) {
		mio_pf_readahead_of_write(write->open, stream);
		return;
	}
	mio_pf_readahead_of_write_with_read(write->open, stream, &ahead);
	if (!ahead.first)
		return;
	mio_lock_release(&write->cache->lock);
	mio_pf_open_start(write->open, &ahead);
	mio_lock_acquire(&write->cache->lock);
	mio_pf_ios_let_go(&ahead);
}

/* Results of a step towards a page that is ready to be written into; or -errno. */
enum { LOOK_AGAIN, READY, FULL /* no page may become dirty */ };

static int step(const struct write *write, struct mio_pf_page *page, int *narrow)
{
	struct mio_pf_page_io *on_its_way = mio_pf_page_write_on_its_way(page);
	int edge;

	if (!on_its_way)
		on_its_way = mio_pf_page_on_its_way(page, write->from_sector, write->to_sector, 0);
	if (on_its_way) {
		mio_pf_live_waits(write->file, write->cache, 1);
		mio_pf_cache_await(write->cache, on_its_way);
		mio_pf_live_waits(write->file, write->cache, -1);
		return LOOK_AGAIN;
	}
	if (!page->writer && mio_pf_cache_is_dirty_full(write->cache))
		return mio_pf_cache_limit_dirty(write->cache) ? LOOK_AGAIN : FULL;
	edge = edge_of(write, page);
	if (edge < 0)
		return READY;
	if (page->writers == 0)
		return complete(write, page, edge, narrow);
	/* Threads copy into the page. Their bytes are not valid yet, so a read would overwrite them. */
	mio_pf_cache_wait(write->cache);
	return LOOK_AGAIN;
}

/*
 * Finds or makes the page, pinned, ready to be written into: no write of the page and no read of these sectors is on its way, and the sectors at the edges of
 * the write are valid where needed. READY, FULL or -errno. May release the lock meanwhile.
 */
static int ready(const struct write *write, int64_t index, int looks, struct mio_pf_page **found)
{
	struct mio_pf_page *page;
	int narrow = 0;
	int rc = mio_pf_cache_obtain(write->cache, write->file, index, &page);

	if (rc < 0)
		return rc;
	if (mio_pf_bits_is_empty(page->valid, page->sectors) && !page->ios && !page->not_preread &&
	    !write->open->options.preread)
		mio_pf_readahead_not_preread(page);
	if (looks)
		look_ahead(write);
	do {
		rc = step(write, page, &narrow);
	} while (rc == LOOK_AGAIN);
	if (rc != READY) {
		mio_pf_page_unpin_locked(page);
		return rc;
	}
	mio_pf_cache_collect(write->cache, page, NULL);
	if (mio_pf_page_is_ahead(page))
		mio_pf_file_tell_page(page, MIO_PAGE_PREFETCH_USED);
	mio_pf_page_set_ahead(page, 0);
	*found = page;
	return READY;
}

/* 1 if every sector of the page is dirty, and the write ended with a sector: small requests may still be filling the last one. */
static int is_full(const struct write *write, const struct mio_pf_page *page)
{
	int64_t sector = write->file->sector_bytes;

	return write->to % sector == 0 &&
	       mio_pf_bits_next_clear(page->dirty, 0, page->sectors) * sector >= write->cache->page_bytes;
}

/* The bytes were copied into the page: its sectors are valid and dirty now. */
static void copied(const struct write *write, struct mio_pf_page *page)
{
	struct mio_pf_cache *cache = write->cache;

	page->writers--;
	if (mio_pf_bits_next_clear(page->valid, write->from_sector, page->sectors) < write->to_sector) {
		mio_pf_bits_set(page->valid, write->from_sector, write->to_sector);
		mio_pf_page_valid_changed(page);
	}
	mio_pf_bits_set(page->dirty, write->from_sector, write->to_sector);
	page->failed = 0;
	mio_pf_cache_dirtied(cache, page, write->open);
	if (page->start + write->to > mio_pf_file_size_now(write->file))
		mio_pf_file_sized(write->file, page->start + write->to);
	mio_pf_cache_touched(cache, page, 1);
	page->left = 0;
	mio_pf_page_unpin_locked(page);
	mio_condition_wake(&cache->changed);
	if (is_full(write, page))
		mio_pf_writeout_behind(page);
}

/* Copies bytes into a page. READY, FULL or -errno. */
static int piece(const struct write *write, const void *memory, int64_t index, int looks)
{
	struct mio_pf_page *page = NULL;
	int rc;

	mio_lock_acquire(&write->cache->lock);
	rc = ready(write, index, looks, &page);
	if (rc == READY)
		page->writers++;
	mio_lock_release(&write->cache->lock);
	if (rc != READY)
		return rc;
	mio_open_call.copies_into = page;
	mio_layer_copy(page->frame + write->from, memory, (size_t)(write->to - write->from));
	if (!mio_open_call.copies_into)
		return -EFAULT;
	mio_open_call.copies_into = NULL;
	mio_lock_acquire(&write->cache->lock);
	copied(write, page);
	mio_lock_release(&write->cache->lock);
	return READY;
}

int64_t mio_pf_writer_write(struct mio_pf_writer *writer, const void *memory, int64_t length, int64_t offset)
{
	struct mio_pf_file *file = writer->open->file;
	struct write write = {.open = writer->open, .file = file, .cache = mio_pf_file_cache(file)};
	int64_t done = 0;

	begin(writer, &write, offset, length);
	while (done < length) {
		int64_t at = offset + done;
		int rc;

		write.from = at % file->page_bytes;
		write.to = write.from + mio_pf_min(file->page_bytes - write.from, length - done);
		write.from_sector = (int)(write.from / file->sector_bytes);
		write.to_sector = (int)((write.to + file->sector_bytes - 1) / file->sector_bytes);
		if (!has_space(&write, at, write.to - write.from))
			return done;
		rc = piece(&write, (const unsigned char *)memory + done, at / file->page_bytes, done == 0);
		if (rc != READY)
			return done > 0 || rc == FULL ? done : rc;
		done += write.to - write.from;
	}
	atomic_store_explicit(&writer->last_index, (offset + length - 1) / file->page_bytes, memory_order_relaxed);
	return done;
}

int mio_pf_copy_given_up(void)
{
	struct mio_pf_page *page = mio_open_call.copies_into;

	if (!mio_layer_copy_has_faulted())
		return 0;
	atomic_store(&mio_open_call.copies, 0);
	if (!page)
		return 1;
	mio_open_call.copies_into = NULL;
	mio_lock_acquire(&page->cache->lock);
	page->writers--;
	mio_pf_page_unpin_locked(page);
	mio_condition_wake(&page->cache->changed);
	mio_lock_release(&page->cache->lock);
	return 1;
}

#include "pf_reader.h"

#include <errno.h>
#include <string.h>

#include "../common/clock.h"
#include "../layer/layer_copy.h"
#include "pf_cache.h"
#include "pf_file.h"
#include "pf_live.h"
#include "pf_open.h"
#include "pf_plan_file.h"
#include "pf_readahead.h"

/* One read of the program on its way through its pages. */
struct read {
	struct mio_pf_reader *reader;
	struct mio_pf_place *place;
	struct mio_pf_open *open;
	struct mio_pf_file *file;
	struct mio_pf_cache *cache;
	struct mio_pf_stream *stream;
	uint64_t stream_number;
	int64_t goes_on;		/* the page that the stream was in already, where reading on is not reading the page again; or -1 */
	int64_t offset, length;
};

/*
 * Does the read in this thread. If it brings fewer bytes than expected, somebody has cut the file: takes over the size. *failed: 1 if the read itself failed. 0
 * or -errno. Releases the lock meanwhile.
 */
static int perform(const struct read *read, struct mio_pf_page *page, struct mio_pf_ios *list, int *failed)
{
	struct mio_pf_page_io *io = list->first;
	int64_t expected = mio_pf_file_bytes(read->file, page, io->from_sector, io->to_sector);
	int64_t rc;

	mio_lock_release(&read->cache->lock);
	mio_pf_page_io_perform(io);
	rc = mio_pf_page_io_error(io);
	*failed = rc < 0;
	if (rc == 0 && io->io.result < expected && !io->broken) {
		rc = mio_pf_file_refresh(read->file, read->cache, read->open->layer.next);
		rc = rc < 0 ? rc : 0;
	}
	mio_lock_acquire(&read->cache->lock);
	mio_pf_ios_let_go(list);
	return (int)rc;
}

/* Waits for a read that is on its way, and counts the wait. A page read ahead for a stream comes too late then, which the stream is told. Releases the lock. */
static void wait_for(const struct read *read, struct mio_pf_page *page, struct mio_pf_page_io *io)
{
	struct mio_pf_stream *stream = mio_pf_stream_still(page->stream, page->stream_number);
	/* Taken now, as the request may be used again after the wait. */
	int64_t from = io->from_sector * read->file->sector_bytes;
	int64_t bytes = (int64_t)io->io.requested;
	int64_t began, ns;

	if (stream && io->asynchronous)
		mio_pf_stream_late(&read->file->reads, stream,
				   mio_pf_readahead_most(read->cache, read->file, stream));
	began = mio_clock_ns();
	mio_pf_live_waits(read->file, read->cache, 1);
	mio_pf_cache_await(read->cache, io);
	mio_pf_live_waits(read->file, read->cache, -1);
	ns = mio_clock_ns() - began;
	if (mio_pf_file_watch(read->file))
		mio_pf_file_told(read->file, page, MIO_PAGE_WAIT, page->start + from, bytes, began);
	read->file->counters->waits++;
	read->file->counters->wait_ns += ns;
	read->cache->counters->waits++;
	read->cache->counters->wait_ns += ns;
}

/* Number of sectors, from the first one of the page, up to the end of what this visit of the page reads by the plan; 0 if that is not known. */
static int64_t planned_sectors(const struct mio_pf_file *file, const struct mio_pf_page *page)
{
	int64_t to = file->plan ? mio_pf_plan_wanted_to(&file->plan->plan, page->index) - page->start : 0;

	return to <= 0 ? 0 : (to + file->sector_bytes - 1) / file->sector_bytes;
}

/*
 * Registers a read of the missing sectors, or of the whole page if that is worth reading. narrow: only of what is missing, as a wider read has failed. 0 or
 * -ENOMEM.
 */
static int want(const struct read *read, struct mio_pf_page *page, int missing, int to_sector, int narrow,
		struct mio_pf_ios *list)
{
	struct mio_pf_stream *stream = mio_pf_stream_still(read->stream, read->stream_number);
	int dense = stream && mio_pf_stream_is_dense(stream);
	int whole = !narrow && (dense || read->file->page_bytes <= MIO_PF_SMALL_PAGE_BYTES);
	int end = mio_pf_file_sectors(read->file, page->start);
	int gap = mio_pf_bits_next(page->valid, missing, page->sectors);
	int first = whole ? mio_pf_bits_previous(page->valid, missing) + 1 : missing;
	int last;

	if (!narrow)
		to_sector = (int)mio_pf_max(to_sector, planned_sectors(read->file, page));
	last = whole || end < to_sector ? end : to_sector;
	if (gap >= 0 && gap < last)
		last = gap;
	for (struct mio_pf_page_io *io = page->ios; io; io = io->next) {
		if (!io->write && io->from_sector > missing)
			last = io->from_sector < last ? io->from_sector : last;
		else if (!io->write)
			first = io->to_sector > first ? io->to_sector : first;
	}
	return mio_pf_page_io_make(page, read->open, 0, 0, first, last, (last - first) * read->file->sector_bytes, list);
}

/* Reads ahead of the read. May release the lock meanwhile. */
static void look_ahead(const struct read *read)
{
	struct mio_pf_ios ahead = {0};

	mio_pf_readahead_of_read(read->open, mio_pf_stream_still(read->stream, read->stream_number), read->offset,
				 read->length, &ahead);
	if (!ahead.first)
		return;
	mio_lock_release(&read->cache->lock);
	mio_pf_open_start(read->open, &ahead);
	mio_lock_acquire(&read->cache->lock);
	mio_pf_ios_let_go(&ahead);
}

/* Makes these sectors of the page valid, up to the end of the file. 1 if they had to be read, 0 if not, or -errno. Releases the lock where it has to wait. */
static int fetch(const struct read *read, struct mio_pf_page *page, int from_sector, int to_sector)
{
	int missed = 0;
	int narrow = 0;
	int rc = 0;

	while (rc == 0) {
		int missing = mio_pf_bits_next_clear(page->valid, from_sector, page->sectors);
		struct mio_pf_page_io *on_its_way;
		struct mio_pf_ios list = {0};
		int wider, failed;

		if (missing >= to_sector || missing >= mio_pf_file_sectors(read->file, page->start))
			break;
		on_its_way = mio_pf_page_on_its_way(page, missing, missing + 1, 0);
		if (on_its_way) {
			wait_for(read, page, on_its_way);
			continue;
		}
		if (page->writers > 0) {
			/* Threads copy into the page. Their bytes are not valid yet, so a read would overwrite them. */
			mio_pf_cache_wait(read->cache);
			continue;
		}
		missed = 1;
		rc = want(read, page, missing, to_sector, narrow, &list);
		if (rc < 0)
			break;
		wider = mio_pf_page_io_is_wider(list.first, missing, to_sector);
		mio_pf_file_tell(read->file, page, MIO_PAGE_DEMAND_READ, list.first->io.offset,
				 (int64_t)list.first->io.requested);
		read->file->counters->demand_reads++;
		read->cache->counters->demand_reads++;
		rc = perform(read, page, &list, &failed);
		/* The read was for more than these sectors: a read of these alone may succeed. */
		narrow = failed && wider;
		rc = narrow ? 0 : rc;
	}
	if (missed && rc == 0) {
		struct mio_pf_stream *stream = mio_pf_stream_still(read->stream, read->stream_number);

		if (stream)
			mio_pf_stream_missed(stream);
		read->file->counters->misses++;
		read->cache->counters->misses++;
	}
	return rc < 0 ? rc : missed;
}

static void used(const struct read *read, struct mio_pf_page *page)
{
	const struct mio_pf_plan *plan = read->file->plan ? &read->file->plan->plan : NULL;

	if (plan && plan->is_on)
		mio_pf_cache_planned(read->cache, page, mio_pf_plan_is_soon(plan, page->index, read->cache->frames));
	else
		mio_pf_cache_touched(read->cache, page, page->index != read->goes_on);
}

/* Finds or reads the page, with these bytes valid, and pins it. looks: reads ahead as well. 0 or -errno. With the lock, released where it has to wait. */
static int demand(const struct read *read, int64_t index, int64_t from, int64_t to, int looks,
		  struct mio_pf_page **found)
{
	int64_t sector = read->file->sector_bytes;
	struct mio_pf_page *page;
	int rc = mio_pf_cache_obtain(read->cache, read->file, index, &page);

	if (rc < 0)
		return rc;
	if (looks)
		look_ahead(read);
	rc = fetch(read, page, (int)(from / sector), (int)((to + sector - 1) / sector));
	if (rc < 0) {
		mio_pf_page_unpin_locked(page);
		return rc;
	}
	mio_pf_file_tell(read->file, page, rc > 0 ? MIO_PAGE_MISS : MIO_PAGE_HIT, page->start + from, to - from);
	mio_pf_cache_collect(read->cache, page, NULL);
	if (mio_pf_page_is_ahead(page))
		mio_pf_file_tell_page(page, MIO_PAGE_PREFETCH_USED);
	mio_pf_page_set_ahead(page, 0);
	used(read, page);
	page->left = 0;
	*found = page;
	return 0;
}

/* With the lock: finds the stream that the read belongs to, and notes whether the program leaves the page that it read last. */
static void begin(struct read *read)
{
	struct mio_pf_reader *reader = read->reader;
	struct mio_pf_place *recent = atomic_load_explicit(&reader->recent, memory_order_acquire);
	struct mio_pf_page *before = atomic_load_explicit(&recent->page, memory_order_acquire);
	struct mio_pf_stream *stream;

	if (before && before->file == read->file)
		before->left = before->index < read->offset / read->file->page_bytes ||
			       before->index > (read->offset + read->length - 1) / read->file->page_bytes;
	read->place = mio_pf_places_find(reader, read->offset, read->length);
	stream = mio_pf_readahead_stream_of(read->file, read->offset, read->length, atomic_load(&read->place->offset),
					    atomic_load(&read->place->length));
	read->goes_on = stream && stream->proven && mio_pf_stream_is_dense(stream) ? stream->entered_at : -1;
	if (stream && stream->proven && mio_pf_stream_enters(stream))
		mio_pf_stream_stepped(&read->file->reads, stream);
	read->stream = stream;
	read->stream_number = stream ? stream->number : 0;
	mio_pf_place_read(read->place, read->offset, read->length);
	mio_pf_places_use(reader, read->place);
}

int64_t mio_pf_reader_read(struct mio_pf_reader *reader, void *memory, int64_t offset, int64_t length)
{
	struct mio_pf_file *file = reader->open->file;
	struct read read = {
		.reader = reader,
		.open = reader->open,
		.file = file,
		.cache = mio_pf_file_cache(file),
		.offset = offset,
		.length = length,
	};
	int64_t done = 0;

	while (done < length) {
		int64_t at = offset + done;
		int64_t from = at % file->page_bytes;
		int64_t to = from + mio_pf_min(file->page_bytes - from, length - done);
		struct mio_pf_page *page = NULL;
		int64_t bytes;
		int faulted;
		int rc;

		mio_lock_acquire(&read.cache->lock);
		if (done == 0)
			begin(&read);
		rc = demand(&read, at / file->page_bytes, from, to, done == 0, &page);
		mio_lock_release(&read.cache->lock);
		if (rc < 0)
			return done > 0 ? done : rc;
		bytes = mio_pf_max(0, mio_pf_min(to - from, mio_pf_file_size_now(file) - at));
		faulted = mio_layer_try_copy((unsigned char *)memory + done, page->frame + from, (size_t)bytes);
		mio_pf_page_unpin(page);
		if (faulted)
			return done > 0 ? done : -EFAULT;
		atomic_store_explicit(&read.place->page, page, memory_order_release);
		done += bytes;
		if (bytes < to - from)
			break;
	}
	return done;
}

#include "pf_readahead.h"

#include "pf_cache.h"
#include "pf_file.h"
#include "pf_open.h"
#include "pf_page_io.h"
#include "pf_plan_file.h"

/* The largest automatic distance of a plan, pages. */
#define PLANNED_MAX 64

/* What to read ahead for. `stream` is a copy, as the slot of the stream may be given to another one while a dirty page is written. */
struct ahead {
	struct mio_pf_open *open;
	struct mio_pf_file *file;
	struct mio_pf_cache *cache;
	struct mio_pf_stream *place;
	struct mio_pf_stream stream;
	struct mio_pf_ios *list;
};

static struct ahead ahead_of(struct mio_pf_open *open, struct mio_pf_stream *stream, struct mio_pf_ios *list)
{
	struct ahead ahead = {
		.open = open,
		.file = open->file,
		.cache = mio_pf_file_cache(open->file),
		.place = stream,
		.list = list,
	};

	if (stream)
		ahead.stream = *stream;
	return ahead;
}

/* How many steps ahead of each stream the cache has room for, where the streams of all its files share the frames. Marks these streams as used now. */
static int room_of(struct mio_pf_cache *cache, struct mio_pf_stream_table *streams)
{
	/* Kept pages do not give way to pages that are read ahead: these would give way themselves, unused. */
	int64_t frames = cache->frames - cache->replace.kept.size;
	int sharing = mio_pf_sharers_used(&cache->sharers, &streams->share, mio_pf_stream_table_active(streams));

	/* Each stream needs one frame for the page where it is. A single stream leaves that page when it goes on, so it may read one page ahead in any case. */
	return (int)mio_pf_max(sharing == 1, frames / sharing - 1);
}

/* How many pages a plan may read ahead: all frames except those of kept pages and one, as a plan is no guess and needs no other stream. */
static int planned_room(const struct mio_pf_cache *cache)
{
	return (int)mio_pf_max(1, cache->frames - cache->replace.kept.size - 1);
}

int mio_pf_readahead_most(struct mio_pf_cache *cache, struct mio_pf_file *file,
			  const struct mio_pf_stream *stream)
{
	int room;

	if (stream->kind == MIO_PF_PLANNED)
		return (int)mio_pf_min(PLANNED_MAX, planned_room(cache));
	room = room_of(cache, &file->reads);
	return (int)mio_pf_max(mio_pf_min(MIO_PF_AUTO_FIRST, room), room / 2);
}

struct mio_pf_stream *mio_pf_readahead_stream_of(struct mio_pf_file *file, int64_t offset, int64_t length,
						 int64_t last_offset, int64_t last_length)
{
	struct mio_pf_plan_run *run = file->plan;

	if (run && mio_pf_plan_follow(&run->plan, offset, length)) {
		mio_pf_stream_at(&file->reads, &run->stream, offset, length);
		return &run->stream;
	}
	return mio_pf_stream_table_seen(&file->reads, offset, length, last_offset, last_length);
}

/* Makes a page that the cache does not have, to be read ahead; NULL if there is no frame for it. */
static struct mio_pf_page *fresh(const struct ahead *ahead, int64_t index)
{
	struct mio_pf_page *page = mio_pf_cache_take(ahead->cache, ahead->file, index);

	if (page) {
		mio_pf_page_set_ahead(page, 1);
		page->stream = ahead->place;
		page->stream_number = ahead->stream.number;
		if (ahead->place && ahead->stream.kind == MIO_PF_PLANNED)
			mio_pf_cache_planned(ahead->cache, page, 1);
	}
	return page;
}

/* Registers reads of those of these sectors that are missing and not on their way. 0, or -ENOMEM. */
static int read_sectors(const struct ahead *ahead, struct mio_pf_page *page, int from, int end)
{
	struct mio_pf_file *file = ahead->file;
	int at = mio_pf_bits_next_clear(page->valid, from, page->sectors);

	while (at < end) {
		int gap = mio_pf_bits_next(page->valid, at, page->sectors);
		int run_end = gap < 0 ? end : (int)mio_pf_min(gap, end);
		struct mio_pf_page_io *io = mio_pf_page_on_its_way(page, at, run_end, 0);
		int rc;

		if (io && io->from_sector <= at) {
			at = io->to_sector;
		} else {
			run_end = io ? io->from_sector : run_end;
			rc = mio_pf_page_io_make(page, ahead->open, 0, ahead->open->options.asynchronous, at, run_end,
						 (run_end - at) * file->sector_bytes, ahead->list);
			if (rc < 0)
				return rc;
			mio_pf_file_tell(file, page, MIO_PAGE_PREFETCH_ISSUED, page->start + at * file->sector_bytes,
					 (run_end - at) * file->sector_bytes);
			file->counters->read_aheads++;
			ahead->cache->counters->read_aheads++;
			at = run_end;
		}
		at = mio_pf_bits_next_clear(page->valid, at, page->sectors);
	}
	return 0;
}

/* Registers the reads that a page needs to have the bytes of the file from `from` up to `to`. 1, or 0 if there is no frame for it, or no memory. */
static int read_page(const struct ahead *ahead, int64_t index, int64_t from, int64_t to)
{
	struct mio_pf_file *file = ahead->file;
	struct mio_pf_page *page = mio_pf_cache_find(ahead->cache, file, index);
	int64_t sector = file->sector_bytes;
	int end, rc;

	if (!page) {
		page = fresh(ahead, index);
		if (!page)
			return mio_pf_cache_find(ahead->cache, file, index) != NULL;
	} else {
		mio_pf_cache_touched(ahead->cache, page, 0);
		if (page->writers > 0)
			return 1;
		mio_pf_page_pin(page);
	}
	end = (int)((mio_pf_min(file->page_bytes, to - page->start) + sector - 1) / sector);
	end = (int)mio_pf_min(end, mio_pf_file_sectors(file, page->start));
	rc = read_sectors(ahead, page, (int)((from - page->start) / sector), end);
	mio_pf_page_unpin_locked(page);
	return rc == 0;
}

static int64_t step_of(const struct ahead *ahead, int64_t stride, int i)
{
	return ahead->stream.kind == MIO_PF_FORWARD ? ahead->stream.last_page + i * stride
						    : ahead->stream.first_page - i * stride;
}

/* The first step of the window to look at. */
static int first_of(const struct ahead *ahead, int steps, int64_t stride)
{
	struct mio_pf_stream *stream = mio_pf_stream_still(ahead->place, ahead->stream.number);
	int64_t frames = ahead->cache->frames - ahead->cache->replace.kept.size;

	return stream ? mio_pf_stream_begins_with(stream, steps, stride, frames, ahead->cache->moves) : 1;
}

/* Notes that this page of the window was looked at. */
static void looked(const struct ahead *ahead, int64_t page)
{
	struct mio_pf_stream *stream = mio_pf_stream_still(ahead->place, ahead->stream.number);

	if (stream)
		mio_pf_stream_looked_ahead(stream, page, ahead->cache->moves);
}

/* 1 if the file has bytes of that page. Written so that nothing overflows: the offset behind the last page may be too large for int64_t. */
static int has_page(const struct mio_pf_file *file, int64_t index)
{
	int64_t size = mio_pf_file_size_now(file);

	return index >= 0 && index < size / file->page_bytes + (size % file->page_bytes > 0);
}

static void dense(const struct ahead *ahead, int steps)
{
	for (int i = first_of(ahead, steps, ahead->file->reads.stride); i <= steps; i++) {
		int64_t index = step_of(ahead, ahead->file->reads.stride, i);

		if (!has_page(ahead->file, index) || !read_page(ahead, index, index * ahead->file->page_bytes, INT64_MAX))
			return;
		/* An incomplete last page is looked at again each time, as the file may grow. */
		if (index < mio_pf_file_size_now(ahead->file) / ahead->file->page_bytes)
			looked(ahead, index);
	}
}

static void planned(const struct ahead *ahead)
{
	struct mio_pf_plan *plan = &ahead->file->plan->plan;
	int64_t bytes = ahead->file->page_bytes;
	int64_t steps = mio_pf_min(ahead->stream.distance, planned_room(ahead->cache));
	int32_t place;

	while ((place = mio_pf_plan_ahead(plan, steps)) != MIO_PF_PLAN_NONE) {
		int64_t index = mio_pf_plan_page(plan, place);
		int whole = bytes <= MIO_PF_SMALL_PAGE_BYTES;
		int64_t from = whole ? index * bytes : mio_pf_plan_from(plan, place);
		int64_t to = whole ? INT64_MAX : mio_pf_plan_to(plan, place);

		if (from < mio_pf_file_size_now(ahead->file) && !read_page(ahead, index, from, to))
			return;
		mio_pf_plan_taken(plan);
	}
}

static void sparse(const struct ahead *ahead, int steps)
{
	int64_t page = ahead->file->page_bytes;

	for (int i = 1; i <= steps; i++) {
		int64_t from = ahead->stream.offset + i * ahead->stream.step;
		int64_t to = mio_pf_min(from + ahead->stream.length, mio_pf_file_size_now(ahead->file));

		if (from < 0 || from >= to)
			return;
		for (int64_t index = from / page; index <= (to - 1) / page; index++) {
			if (!read_page(ahead, index, mio_pf_max(from, index * page), to))
				return;
		}
	}
}

void mio_pf_readahead_of_read(struct mio_pf_open *open, struct mio_pf_stream *stream, int64_t offset, int64_t length,
			      struct mio_pf_ios *list)
{
	struct ahead ahead = ahead_of(open, stream, list);
	int is_dense = stream && mio_pf_stream_is_dense(stream);
	int64_t page = ahead.file->page_bytes;
	int64_t last = (offset + length - 1) / page;
	int steps;

	for (int64_t index = offset / page + 1; index <= last; index++) {
		if (!read_page(&ahead, index, index * page, is_dense ? INT64_MAX : offset + length))
			return;
	}
	if (!stream || !ahead.stream.proven)
		return;
	if (ahead.stream.kind == MIO_PF_PLANNED) {
		planned(&ahead);
		return;
	}
	steps = room_of(ahead.cache, &ahead.file->reads);
	steps = ahead.stream.distance < steps ? ahead.stream.distance : steps;
	if (is_dense)
		dense(&ahead, steps);
	else
		sparse(&ahead, steps);
}

void mio_pf_readahead_not_preread(struct mio_pf_page *page)
{
	page->not_preread = 1;
	mio_pf_file_tell_page(page, MIO_PAGE_PREPARED);
	page->file->counters->not_preread++;
	page->cache->counters->not_preread++;
}

/* How many steps to look ahead of a writing stream; 0 if there is none to look ahead of. */
static int write_steps(const struct ahead *ahead)
{
	int room;

	if (!ahead->place || !ahead->stream.proven || !mio_pf_stream_is_dense(&ahead->stream))
		return 0;
	room = room_of(ahead->cache, &ahead->file->writes);
	return ahead->stream.distance < room ? ahead->stream.distance : room;
}

void mio_pf_readahead_of_write(struct mio_pf_open *open, struct mio_pf_stream *stream)
{
	struct ahead ahead = ahead_of(open, stream, NULL);
	int steps = write_steps(&ahead);

	for (int i = first_of(&ahead, steps, ahead.file->writes.stride); i <= steps; i++) {
		int64_t index = step_of(&ahead, ahead.file->writes.stride, i);
		struct mio_pf_page *page = index < 0 ? NULL : mio_pf_cache_find(ahead.cache, ahead.file, index);

		if (index < 0)
			return;
		if (page) {
			mio_pf_cache_touched(ahead.cache, page, 0);
		} else {
			page = fresh(&ahead, index);
			if (!page)
				return;
			mio_pf_readahead_not_preread(page);
			mio_pf_page_unpin_locked(page);
		}
		looked(&ahead, index);
	}
}

void mio_pf_readahead_of_write_with_read(struct mio_pf_open *open, struct mio_pf_stream *stream,
					 struct mio_pf_ios *list)
{
	struct ahead ahead = ahead_of(open, stream, list);

	dense(&ahead, write_steps(&ahead));
}

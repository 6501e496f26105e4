/*
 * Remembers the places of a file at which the program reads in turns, and copies bytes from their pages without the lock of the cache. The places are guesses:
 * whether the page has the bytes is checked each time.
 */
#include "pf_places.h"

#include "../layer/layer_copy.h"
#include "pf_cache.h"
#include "pf_file.h"
#include "pf_open.h"
#include "pf_reader.h"

/* The largest gap between two requests of one stream, in lengths of a request. */
#define GAP_REQUESTS 4

void mio_pf_reader_begin(struct mio_pf_reader *reader, struct mio_pf_open *open)
{
	reader->open = open;
	for (int i = 0; i < MIO_PF_PLACES; i++)
		atomic_store(&reader->places[i].offset, -1);
	atomic_store(&reader->recent, reader->places);
}

static int64_t get(_Atomic int64_t *number)
{
	return atomic_load_explicit(number, memory_order_relaxed);
}

static void set(_Atomic int64_t *number, int64_t value)
{
	atomic_store_explicit(number, value, memory_order_relaxed);
}

void mio_pf_place_read(struct mio_pf_place *place, int64_t offset, int64_t length)
{
	set(&place->offset, offset);
	set(&place->length, length);
}

void mio_pf_places_use(struct mio_pf_reader *reader, struct mio_pf_place *place)
{
	int64_t now = get(&reader->clock) + 1;

	set(&reader->clock, now);
	set(&place->used_at, now);
	atomic_store_explicit(&reader->recent, place, memory_order_release);
}

/* 1 if the byte is in the page of the place, as a guess. A page read ahead does not count: its first use must be noticed, under the lock. */
static int has(const struct mio_pf_reader *reader, struct mio_pf_place *place, int64_t offset)
{
	struct mio_pf_page *page = atomic_load_explicit(&place->page, memory_order_acquire);
	int64_t in = page ? offset - __atomic_load_n(&page->start, __ATOMIC_RELAXED) : -1;

	return in >= 0 && in < reader->open->page_bytes && !mio_pf_page_is_ahead(page);
}

/* 1 if the page holds these bytes of the file now. */
static int holds(struct mio_pf_reader *reader, struct mio_pf_page *page, int64_t in, int64_t length)
{
	return __atomic_load_n(&page->file, __ATOMIC_RELAXED) == reader->open->file && in >= 0 &&
	       in <= reader->open->page_bytes - length && mio_pf_page_holds(page, in, in + length);
}

#if MIO_PF_PINS_TO_COPY

static int copy(struct mio_pf_reader *reader, struct mio_pf_page *page, void *memory, int64_t offset, int64_t length)
{
	int64_t in;
	int held;

	if (!mio_pf_page_pin(page))
		return 0;
	in = offset - page->start;
	held = holds(reader, page, in, length) && mio_layer_try_copy(memory, page->frame + in, (size_t)length) == 0;
	mio_pf_page_unpin(page);
	return held;
}

#else

/*
 * The common hit costs no atomic operation: the bytes are copied from a page that is not pinned, and are right if the frame has held the same page all the
 * time. Frames stay mapped for ever, so looking at one too late does no harm.
 */
static int copy(struct mio_pf_reader *reader, struct mio_pf_page *page, void *memory, int64_t offset, int64_t length)
{
	uint32_t life = atomic_load_explicit(&page->lives, memory_order_acquire);
	int64_t in;

	/* The pins are read before the fields that tell which page it is: a new page sets its pins last, so these fields belong to it then. */
	if (atomic_load_explicit(&page->pins, memory_order_acquire) < 0)
		return 0;
	in = offset - __atomic_load_n(&page->start, __ATOMIC_RELAXED);
	if (!holds(reader, page, in, length) || mio_layer_try_copy(memory, page->frame + in, (size_t)length) != 0)
		return 0;
	atomic_thread_fence(memory_order_acquire);
	return atomic_load_explicit(&page->lives, memory_order_relaxed) == life &&
	       atomic_load_explicit(&page->pins, memory_order_relaxed) >= 0;
}

#endif

static int serves(struct mio_pf_reader *reader, struct mio_pf_place *place, void *memory, int64_t offset, int64_t length)
{
	struct mio_pf_page *page = atomic_load_explicit(&place->page, memory_order_acquire);

	if (!page || !copy(reader, page, memory, offset, length))
		return 0;
	mio_pf_file_tell(reader->open->file, page, MIO_PAGE_HIT, offset, length);
	mio_pf_place_read(place, offset, length);
	return 1;
}

static int is_beside(struct mio_pf_place *place, int64_t offset, int64_t length)
{
	int64_t last = get(&place->offset);

	return offset == last + get(&place->length) || offset + length == last;
}

/* 1 if the program goes on from the last read at this place, perhaps over a gap that a dense stream may have. */
static int is_going_on(struct mio_pf_place *place, int64_t offset, int64_t length)
{
	int64_t last = get(&place->offset);
	int64_t gap = mio_pf_max(offset - last - get(&place->length), last - offset - length);

	return gap >= 0 && gap <= GAP_REQUESTS * length;
}

/*
 * Tells the replacement that the program came to the page of `place`, if its frame still holds that, from the page of `from`. again: the program came back to
 * the page. Leaves it out if the lock is not free at once.
 */
static void touch(struct mio_pf_reader *reader, struct mio_pf_place *place, struct mio_pf_place *from, int64_t offset, int again)
{
	struct mio_pf_page *page = atomic_load_explicit(&place->page, memory_order_acquire);
	struct mio_pf_page *before = atomic_load_explicit(&from->page, memory_order_acquire);
	struct mio_pf_file *file = reader->open->file;
	struct mio_pf_cache *cache = page->cache;

	if (!mio_lock_try(&cache->lock))
		return;
	if (before && before->file == file)
		before->left = before != page;
	if (page->file == file && page->index == offset / reader->open->page_bytes && atomic_load(&page->pins) >= 0) {
		mio_pf_cache_touched(cache, page, again);
		page->left = 0;
	}
	mio_lock_release(&cache->lock);
}

static __attribute__((noinline)) int serves_elsewhere(struct mio_pf_reader *reader, void *memory, int64_t offset,
						      int64_t length)
{
	struct mio_pf_place *recent = atomic_load_explicit(&reader->recent, memory_order_acquire);

	/* A plan must see every visit of a page, which happens under the lock. */
	if (__atomic_load_n(&reader->open->file->plan, __ATOMIC_RELAXED))
		return 0;
	for (struct mio_pf_place *place = reader->places; place < reader->places + MIO_PF_PLACES; place++) {
		int again = !is_going_on(place, offset, length);

		if (place == recent || !has(reader, place, offset) || !serves(reader, place, memory, offset, length))
			continue;
		mio_pf_places_use(reader, place);
		touch(reader, place, recent, offset, again);
		return 1;
	}
	return 0;
}

int mio_pf_reader_recent(struct mio_pf_reader *reader, void *memory, int64_t offset, int64_t length)
{
	struct mio_pf_place *recent = atomic_load_explicit(&reader->recent, memory_order_acquire);

	return serves(reader, recent, memory, offset, length) || serves_elsewhere(reader, memory, offset, length);
}

struct mio_pf_place *mio_pf_places_find(struct mio_pf_reader *reader, int64_t offset, int64_t length)
{
	struct mio_pf_place *oldest = atomic_load_explicit(&reader->recent, memory_order_acquire);

	for (struct mio_pf_place *place = reader->places; place < reader->places + MIO_PF_PLACES; place++) {
		if (is_beside(place, offset, length) || has(reader, place, offset))
			return place;
		if (get(&place->used_at) < get(&oldest->used_at))
			oldest = place;
	}
	return oldest;
}

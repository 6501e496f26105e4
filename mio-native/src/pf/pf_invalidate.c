#include "pf_invalidate.h"

#include <string.h>

#include "pf_cache.h"
#include "pf_file.h"
#include "pf_page_io.h"

static void drop_if_empty(struct mio_pf_cache *cache, struct mio_pf_page *page)
{
	if (!mio_pf_bits_is_empty(page->valid, page->sectors))
		return;
	/* The page does not give way for lack of frames, so it is not to be remembered as evicted. */
	page->left = 0;
	mio_pf_cache_drop(cache, page);
}

static void forget_in(struct mio_pf_file *file, struct mio_pf_cache *cache, struct mio_pf_page *page, int64_t from,
		      int64_t to)
{
	int64_t end = mio_pf_min(cache->page_bytes, to - page->start);
	int first = (int)(mio_pf_max(0, from - page->start) / file->sector_bytes);
	int last = (int)((end + file->sector_bytes - 1) / file->sector_bytes);

	for (struct mio_pf_page_io *io = page->ios; io; io = io->next)
		io->stale |= !io->write && io->from_sector < last && first < io->to_sector;
	for (int at = first; at < last; at++) {
		if (!mio_pf_bits_get(page->dirty, at) && !mio_pf_page_on_its_way(page, at, at + 1, 1))
			mio_pf_bits_clear(page->valid, at, at + 1);
	}
	mio_pf_page_valid_changed(page);
	drop_if_empty(cache, page);
}

void mio_pf_invalidate_forget(struct mio_pf_file *file, struct mio_pf_cache *cache, int64_t from, int64_t to)
{
	struct mio_pf_page *page = file->pages.first;

	mio_pf_file_changed(file);
	while (page) {
		struct mio_pf_page *next = mio_pf_list_after(&file->pages, page);

		if (from - page->start < cache->page_bytes && page->start < to)
			forget_in(file, cache, page, from, to);
		page = next;
	}
}

static void cut_in(struct mio_pf_file *file, struct mio_pf_cache *cache, struct mio_pf_page *page, int64_t size)
{
	int64_t kept = mio_pf_max(0, size - page->start);
	int first_gone = (int)((kept + file->sector_bytes - 1) / file->sector_bytes);

	mio_pf_bits_clear(page->dirty, first_gone, page->sectors);
	mio_pf_bits_clear(page->valid, first_gone, page->sectors);
	memset(page->frame + kept, 0, (size_t)(first_gone * file->sector_bytes - kept));
	mio_pf_page_valid_changed(page);
	mio_pf_cache_cleaned(cache, page);
	drop_if_empty(cache, page);
}

void mio_pf_invalidate_cut(struct mio_pf_file *file, struct mio_pf_cache *cache, int64_t size)
{
	struct mio_pf_page *page = file->pages.first;

	while (page) {
		struct mio_pf_page *next = mio_pf_list_after(&file->pages, page);

		if (size - page->start < cache->page_bytes)
			cut_in(file, cache, page, size);
		page = next;
	}
	mio_pf_reservation_cut(&file->reservation, mio_pf_file_size_now(file), size);
	mio_pf_file_sized(file, mio_pf_min(size, mio_pf_file_size_now(file)));
}

void mio_pf_invalidate_resized(struct mio_pf_file *file, struct mio_pf_cache *cache, int64_t size)
{
	int64_t known = mio_pf_file_size_now(file);
	int64_t end = mio_pf_min(known, size);

	/* The sector with the old end is forgotten, too: in its page the rest of it was filled with zeros. */
	mio_pf_invalidate_forget(file, cache, end, INT64_MAX);
	mio_pf_reservation_cut(&file->reservation, known, size);
	mio_pf_file_sized(file, size);
}

void mio_pf_invalidate_all(struct mio_pf_file *file, struct mio_pf_cache *cache)
{
	while (file->pages.first) {
		struct mio_pf_page *page = file->pages.first;

		mio_pf_bits_clear(page->dirty, 0, page->sectors);
		mio_pf_cache_cleaned(cache, page);
		mio_pf_cache_drop_surely(cache, file, page);
	}
}

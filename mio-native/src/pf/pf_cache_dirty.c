/* The dirty pages of a cache: keeps them in order of age, and limits their number. Twin of DirtyPages. */
#include "pf_cache.h"
#include "pf_file.h"
#include "pf_live.h"
#include "pf_writeout.h"

void mio_pf_cache_dirtied(struct mio_pf_cache *cache, struct mio_pf_page *page, struct mio_pf_open *writer)
{
	if (!page->writer) {
		mio_pf_list_add_last(&cache->dirty, page);
		mio_pf_list_add_last(&page->file->dirty, page);
		page->dirtied_at = ++cache->dirtied;
		mio_pf_file_dirtied(page->file, 1);
		mio_pf_live_pages(page->file, cache);
	}
	page->writer = writer;
}

void mio_pf_cache_cleaned(struct mio_pf_cache *cache, struct mio_pf_page *page)
{
	if (page->writer && mio_pf_bits_is_empty(page->dirty, page->sectors) && !mio_pf_page_write_on_its_way(page)) {
		page->writer = NULL;
		page->failed = 0;
		mio_pf_list_remove(&cache->dirty, page);
		mio_pf_list_remove(&page->file->dirty, page);
		mio_pf_file_dirtied(page->file, -1);
		mio_pf_live_pages(page->file, cache);
	}
}

int mio_pf_cache_is_dirty_full(const struct mio_pf_cache *cache)
{
	return cache->dirty.size >= mio_pf_max(1, cache->frames / 2);
}

int mio_pf_cache_limit_dirty(struct mio_pf_cache *cache)
{
	struct mio_pf_page_io *on_its_way = NULL;
	int busy = 0;

	for (struct mio_pf_page *page = cache->dirty.first; page; page = mio_pf_list_after(&cache->dirty, page)) {
		struct mio_pf_page_io *write = mio_pf_page_write_on_its_way(page);

		if (write) {
			on_its_way = on_its_way ? on_its_way : write;
		} else if (page->writers > 0 || page->file->frozen) {
			busy = 1;
		} else if (!page->failed) {
			mio_pf_writeout_behind(page);
			return 1;
		}
	}
	if (on_its_way)
		mio_pf_cache_await(cache, on_its_way);
	else if (busy)
		mio_pf_cache_wait(cache);
	return on_its_way || busy;
}

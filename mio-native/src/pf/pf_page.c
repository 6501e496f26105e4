#include "pf_page.h"

#include "pf_cache.h"
#include "pf_file.h"
#include "pf_page_io.h"

void mio_pf_page_unpin(struct mio_pf_page *page)
{
	struct mio_pf_cache *cache = page->cache;

	/* Sequentially consistent with waited_for: a thread that waits sets waited_for first, and looks at the pins then. */
	if (atomic_fetch_sub(&page->pins, 1) == 1 && atomic_load(&cache->waited_for))
		mio_pf_cache_wake(cache);
}

void mio_pf_page_unpin_locked(struct mio_pf_page *page)
{
	if (atomic_fetch_sub(&page->pins, 1) == 1 && atomic_load(&page->cache->waited_for))
		mio_pf_cache_wake_locked(page->cache);
}

void mio_pf_page_become(struct mio_pf_page *page, struct mio_pf_file *file, int64_t index)
{
	atomic_store_explicit(&page->lives, atomic_load_explicit(&page->lives, memory_order_relaxed) + 1,
			      memory_order_release);
#if !MIO_PF_PINS_TO_COPY
	/* A thread that copies without a pin, and sees anything that is stored into the frame from here on, must see the new `lives`, too. */
	atomic_thread_fence(memory_order_release);
#endif
	__atomic_store_n(&page->file, file, __ATOMIC_RELAXED);
	page->index = index;
	__atomic_store_n(&page->start, index * page->cache->page_bytes, __ATOMIC_RELAXED);
	page->sectors = (int)(page->cache->page_bytes / file->sector_bytes);
	mio_pf_bits_clear(page->valid, 0, page->sectors);
	mio_pf_bits_clear(page->dirty, 0, page->sectors);
	atomic_store_explicit(&page->stretch, 0, memory_order_relaxed);
	page->stream = NULL;
	mio_pf_page_set_ahead(page, 0);
	page->left = 0;
	page->leaving = 0;
	page->failed = 0;
	page->not_preread = 0;
	page->away = 0;
	atomic_store_explicit(&page->pins, 1, memory_order_release);
}

void mio_pf_page_valid_changed(struct mio_pf_page *page)
{
	uint64_t sector = (uint64_t)page->file->sector_bytes;
	int first = mio_pf_bits_next(page->valid, 0, page->sectors);
	uint64_t stretch = 0;

	if (first >= 0) {
		uint64_t to = (uint64_t)mio_pf_bits_next_clear(page->valid, first, page->sectors) * sector;

		stretch = (uint64_t)first * sector << 32 | to;
	}
	atomic_store_explicit(&page->stretch, stretch, memory_order_release);
}

struct mio_pf_page_io *mio_pf_page_on_its_way(struct mio_pf_page *page, int from_sector, int to_sector, int writes)
{
	struct mio_pf_page_io *first = NULL;

	for (struct mio_pf_page_io *io = page->ios; io; io = io->next) {
		if (io->from_sector < to_sector && from_sector < io->to_sector && (io->write || !writes) &&
		    (!first || io->from_sector < first->from_sector))
			first = io;
	}
	return first;
}

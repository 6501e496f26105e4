#include "pf_live.h"

#include <string.h>

#include "../common/clock.h"
#include "../live/live.h"
#include "../stats/stats_text.h"
#include "pf_open.h"

void mio_pf_live_begin(struct mio_pf_file *file)
{
	memset(&file->own, 0, sizeof(file->own));
	file->live = mio_live_take(MIO_LIVE_PF_FILE, NULL);
	file->counters = file->live ? &file->live->counters : &file->own;
}

void mio_pf_live_describe(struct mio_pf_file *file, const struct mio_pf_open *open)
{
	struct mio_live_pf *live = file->live;

	if (!live || live->begun_ns)
		return;
	live->cache_number = open->cache_number;
	live->frames = open->frames;
	live->page_bytes = open->page_bytes;
	live->sector_bytes = open->sector_bytes;
	live->unit_shift = mio_stats_unit_of(open->options.unit)->shift;
	live->direct = (open->request.oflags & O_DIRECT) != 0 || open->request.direct_pages;
	live->size = mio_pf_file_size_now(file);
	live->resident = file->pages.size;
	mio_live_text(live->engine, sizeof(live->engine), open->engine());
	mio_live_text(live->below, sizeof(live->below), open->below);
	mio_live_name(live->name, &live->name_length, open->request.name);
	live->begun_ns = mio_clock_ns();
	mio_live_show(live);
}

void mio_pf_live_end(struct mio_pf_file *file)
{
	if (!file->live)
		return;
	mio_pf_counters_copy(&file->own, file->counters);
	file->counters = &file->own;
	mio_live_give(file->live);
	file->live = NULL;
}

void mio_pf_live_cache_begin(struct mio_pf_cache *cache)
{
	struct mio_live_pf *live = NULL;

	if (cache->number != MIO_PF_PRIVATE)
		live = mio_live_take(MIO_LIVE_PF_CACHE, NULL);
	cache->live = live;
	cache->counters = live ? &live->counters : &cache->own;
	if (!live)
		return;
	live->begun_ns = mio_clock_ns();
	live->cache_number = cache->number;
	live->frames = cache->frames;
	live->page_bytes = cache->page_bytes;
	mio_live_show(live);
}

void mio_pf_live_cache_end(struct mio_pf_cache *cache)
{
	mio_live_give(cache->live);
	cache->live = NULL;
	cache->counters = &cache->own;
}

void mio_pf_live_pages(struct mio_pf_file *file, struct mio_pf_cache *cache)
{
	struct mio_live_pf *live = file->live;

	if (live) {
		live->resident = file->pages.size;
		live->dirty = atomic_load_explicit(&file->dirty_pages, memory_order_relaxed);
		live->size = mio_pf_file_size_now(file);
	}
	if (cache->live) {
		cache->live->resident = cache->resident;
		cache->live->dirty = cache->dirty.size;
	}
}

void mio_pf_live_request(struct mio_pf_file *file, struct mio_pf_cache *cache, int more)
{
	struct mio_live_pf *live = file->live;

	if (live) {
		live->in_flight += more;
		live->distance = mio_pf_stream_table_distance_max(&file->reads);
		live->streams = file->reads.recognised;
		live->gate_waits = atomic_load_explicit(&file->gate.waits, memory_order_relaxed);
		live->gate_wait_ns = atomic_load_explicit(&file->gate.wait_ns, memory_order_relaxed);
	}
	if (cache->live)
		cache->live->in_flight += more;
	mio_pf_live_pages(file, cache);
}

void mio_pf_live_waits(struct mio_pf_file *file, struct mio_pf_cache *cache, int more)
{
	if (file->live)
		atomic_fetch_add_explicit(&file->live->waiting, more, memory_order_relaxed);
	if (cache->live)
		atomic_fetch_add_explicit(&cache->live->waiting, more, memory_order_relaxed);
}

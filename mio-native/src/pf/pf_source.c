/*
 * The reports of a cache: of one open file, and of the cache itself when it ends with its last file (reference 4.5). If a file has several opens at once, the
 * last one reports for all, as they share its pages. Twin of PfSource.
 */
#include <fcntl.h>

#include "../common/memory.h"
#include "../stats/stats_pf.h"
#include "pf_cache.h"
#include "pf_file.h"
#include "pf_open.h"

static struct mio_stats_pf snapshot(const struct mio_pf_open *open, enum mio_stats_event event, const char *file,
				    struct mio_pf_figures *figures)
{
	struct mio_live_counters *of = &figures->counters;
	struct mio_pf_program_sum program = mio_pf_counters_program(of);

	return (struct mio_stats_pf){
		.event = event,
		.file = file,
		.cache = open->cache_number,
		.below = open->below,
		.tag = open->options.tag,
		.unit = open->options.unit,
		.pages = open->frames,
		.page_bytes = open->page_bytes,
		.sector_bytes = open->sector_bytes,
		.not_preread = of->not_preread - of->read_after_all,
		.not_preread_for_write = of->not_preread,
		.unused_prefetches = of->unused,
		.started_prefetches = of->not_preread + of->read_aheads,
		.distance = file ? figures->distance : 0,
		.write_behinds = of->write_behinds,
		.forced_syncs = of->forced_syncs,
		.retained_pages = of->retained,
		.program = {program.write_bytes, program.writes, program.read_bytes, program.reads},
		.child = {of->page_write_bytes, of->page_writes, of->page_read_bytes, of->page_reads},
		.hits = mio_pf_max(0, program.reads - of->misses),
		.misses = of->demand_reads,
		.partial_reads = of->partial_reads,
		.prefetch_waits = of->waits,
		.prefetch_wait_ns = of->wait_ns,
		.evictions = of->evictions,
		.dirty_evictions = of->dirty_evictions,
		.write_errors = of->write_errors,
		.streams = figures->streams,
		.gate_waits = figures->gate_waits,
		.gate_wait_ns = figures->gate_wait_ns,
		.backend = open->engine(),
		.direct = (open->request.oflags & O_DIRECT) != 0 || open->request.direct_pages,
		.plan = file ? figures->plan : (struct mio_stats_plan){0},
	};
}

static void add(const struct mio_stats_pf *pf, int json, struct mio_text *text)
{
	if (json)
		mio_stats_pf_json(pf, text);
	else
		mio_stats_pf_classic(pf, text);
}

/* The figures of the file: those of now while the open is open, else those at its end. 0 if it is closed and another open reports, or the file has no cache. */
static int figures_of_file(struct mio_pf_open *open, struct mio_pf_figures *figures)
{
	struct mio_pf_cache *cache;

	if (atomic_load(&open->closed)) {
		*figures = open->final;
		return atomic_load(&open->was_last) != 0;
	}
	cache = mio_pf_file_hold(open->file);
	if (!cache)
		return 0;
	mio_lock_acquire(&cache->lock);
	mio_pf_file_figures(open->file, figures);
	mio_lock_release(&cache->lock);
	mio_pf_file_let_go(open->file);
	return 1;
}

int mio_pf_open_snapshot(struct mio_pf_open *open, enum mio_stats_event event, int of_cache, struct mio_stats_pf *pf)
{
	struct mio_pf_figures *figures;
	int is_told;

	if (of_cache) {
		if (!atomic_load(&open->has_released))
			return 0;
		*pf = snapshot(open, event, NULL, &open->released);
		return 1;
	}
	/* The program's stack may be small. */
	figures = mio_memory_take(sizeof(*figures));
	is_told = figures && figures_of_file(open, figures);
	if (is_told)
		*pf = snapshot(open, event, open->request.name, figures);
	mio_memory_give(figures, sizeof(*figures));
	return is_told;
}

static void file_block(void *context, enum mio_stats_event event, int json, struct mio_text *text)
{
	struct mio_stats_pf pf;

	if (mio_pf_open_snapshot(context, event, 0, &pf))
		add(&pf, json, text);
}

static void cache_block(void *context, enum mio_stats_event event, int json, struct mio_text *text)
{
	struct mio_stats_pf pf;

	if (mio_pf_open_snapshot(context, event, 1, &pf))
		add(&pf, json, text);
}

static int has_moved(void *context)
{
	struct mio_stats_pf pf;

	return mio_pf_open_snapshot(context, MIO_STATS_EXIT, 0, &pf) && pf.program.reads + pf.program.writes > 0;
}

struct mio_stats_source mio_pf_layer_file_source(struct mio_layer *layer)
{
	return (struct mio_stats_source){file_block, layer, has_moved};
}

struct mio_stats_source mio_pf_layer_cache_source(struct mio_layer *layer)
{
	return (struct mio_stats_source){cache_block, layer, NULL};
}

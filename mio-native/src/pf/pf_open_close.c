/* How an open with a cache begins and ends. Twin of PfLayers. */
#include <errno.h>
#include <string.h>

#include "../common/memory.h"
#include "../layer/layer_file_system.h"
#include "pf_cache.h"
#include "pf_file.h"
#include "pf_growth.h"
#include "pf_live.h"
#include "pf_open.h"
#include "pf_plan_file.h"
#include "pf_stamp.h"
#include "pf_writeout.h"

/* The sector size: page requests are for whole sectors. As the open tells it, or else the size that every file system takes. */
static int64_t sector_of(const struct mio_open_request *request)
{
	int64_t told = request->sector_bytes;
	int usable = told >= MIO_PF_SECTOR_BYTES_MIN && told <= MIO_PF_PAGE_STEP && (told & (told - 1)) == 0;

	return usable ? told : MIO_PF_PAGE_STEP;
}

/* Asks for the size and begins with the gate held alone: otherwise opens without a cache might make the file longer in between. */
static int begin(struct mio_pf_open *open)
{
	struct mio_layer *next = open->layer.next;
	int64_t stamp = atomic_load(&open->file->retained_in) ? mio_pf_stamp_of(&open->request) : -1;
	int64_t size;

	mio_pf_gate_alone(&open->file->gate);
	size = next->ops->size(next);
	if (size >= 0)
		size = mio_pf_file_begin(open->file, &open->options, sector_of(&open->request), size, stamp);
	mio_pf_gate_unalone(&open->file->gate);
	return (int)mio_pf_min(size, 0);
}

static const char *last_name(const struct mio_layer *layer)
{
	while (layer->next)
		layer = layer->next;
	return layer->name;
}

static void enter(struct mio_pf_open *open)
{
	struct mio_pf_file *file = open->file;
	struct mio_pf_cache *cache = mio_pf_file_cache(file);

	mio_pf_reader_begin(&open->reader, open);
	mio_pf_writer_begin(&open->writer, open);
	open->cache_number = cache->number;
	open->frames = cache->frames;
	open->page_bytes = cache->page_bytes;
	open->sector_bytes = file->sector_bytes;
	open->told = &open->own_told;
	mio_pf_open_told(open);
	mio_lock_acquire(&cache->lock);
	open->next_of_file = file->layers;
	file->layers = open;
	mio_pf_live_describe(file, open);
	mio_lock_release(&cache->lock);
}

int mio_pf_layer_make(const struct mio_layer_spec *spec, struct mio_layer *next, struct mio_pf_file *file,
		      const struct mio_open_request *request, const char *(*engine)(void), struct mio_layer **layer)
{
	struct mio_pf_open *open = mio_memory_take(sizeof(*open));
	int rc;

	if (!open)
		return -ENOMEM;
	open->layer = (struct mio_layer){.ops = &mio_pf_open_ops, .next = next, .name = spec->typed_name};
	open->file = file;
	open->options = mio_pf_options_of(spec);
	open->request = *request;
	open->through_always = !open->options.behind || request->blind_pages || (request->oflags & (O_APPEND | O_DSYNC)) != 0;
	open->engine = engine;
	open->below = last_name(next);
	rc = begin(open);
	if (rc < 0) {
		mio_memory_give(open, sizeof(*open));
		return rc;
	}
	if (open->options.retain)
		mio_file_system_see(request);
	/* Entered once more, because the layer may be asked for a report after the door has left the file. */
	mio_pf_file_enter(file->device, file->inode);
	enter(open);
	/* A write without the gate may have ended after the size was asked for, and before it could see that the file has pages. */
	if (atomic_load(&file->ungated_writers) > 0)
		mio_pf_file_refresh(file, mio_pf_file_cache(file), next);
	*layer = &open->layer;
	return 0;
}

struct mio_pf_facts mio_pf_layer_facts(struct mio_layer *layer)
{
	const struct mio_pf_open *open = (const struct mio_pf_open *)layer;
	struct mio_pf_facts facts = {open->page_bytes, open->frames, mio_pf_file_cache(open->file)->id};

	return facts;
}

static void see_frames(struct mio_pf_open *open, const struct mio_pf_cache *cache)
{
	open->frames = cache->frames;
	if (open->file->live)
		open->file->live->frames = cache->frames;
}

int64_t mio_pf_layer_grow(struct mio_layer *layer, struct mio_pf_growth *growth, int64_t requests, int64_t page_reads)
{
	struct mio_pf_open *open = (struct mio_pf_open *)layer;
	struct mio_pf_cache *cache = mio_pf_file_cache(open->file);
	struct mio_pf_range range;
	int64_t more = 0;
	int has_more;

	mio_lock_acquire(&cache->lock);
	/* Another open of the file may be about to make it grow. */
	if (!cache->grows)
		more = mio_pf_growth_wanted(growth, requests, page_reads, cache->replace.came_back, cache->frames,
					    mio_pf_cache_working(cache)) - cache->frames;
	cache->grows |= more > 0;
	mio_lock_release(&cache->lock);
	if (more <= 0)
		return 0;
	has_more = mio_pf_cache_more(cache, more, &range);
	mio_lock_acquire(&cache->lock);
	cache->grows = 0;
	if (has_more) {
		mio_pf_cache_add(cache, &range);
		see_frames(open, cache);
	} else {
		growth->over = 1;
	}
	mio_lock_release(&cache->lock);
	return has_more ? open->frames : 0;
}

void mio_pf_layer_hand_direct(struct mio_layer *layer, struct mio_pf_direct_memory *memory)
{
	struct mio_pf_cache *cache = mio_pf_file_cache(((struct mio_pf_open *)layer)->file);

	mio_lock_acquire(&cache->lock);
	/* Another open may have been quicker; its cache has another size, or memory of its own. */
	if (cache->direct.bytes == 0 && cache->frames * cache->page_bytes == memory->bytes) {
		cache->direct = *memory;
		memory->bytes = 0;
	}
	mio_lock_release(&cache->lock);
}

/* Notes how the file goes on: by the plan of run, or, if that is NULL, by none, for this reason. 0 if it follows a plan already. */
static int set_plan(struct mio_pf_file *file, struct mio_pf_cache *cache, struct mio_pf_plan_run *run, const char *none)
{
	int is_first;

	mio_lock_acquire(&cache->lock);
	is_first = !file->plan;
	if (is_first && run) {
		mio_pf_stream_planned(&file->reads, &run->stream);
		mio_pf_plan_count_anew(&run->plan);
		file->plan = run;
	} else if (is_first) {
		file->no_plan = none;
	}
	mio_lock_release(&cache->lock);
	return is_first;
}

int mio_pf_layer_follow(struct mio_layer *layer, const char *path, struct mio_text *words)
{
	struct mio_pf_file *file = ((struct mio_pf_open *)layer)->file;
	struct mio_pf_cache *cache = mio_pf_file_cache(file);
	struct mio_pf_plan_run *run;
	const char *none;

	/* As long as this open is there, the plan of the file stays. */
	if (__atomic_load_n(&file->plan, __ATOMIC_RELAXED))
		return -1;
	run = mio_pf_plan_take(path, ((struct mio_pf_open *)layer)->request.name, cache->page_bytes, &none);
	if (!set_plan(file, cache, run, none)) {
		mio_pf_plan_give_back(run);
		return -1;
	}
	if (!run) {
		mio_text_add(words, none);
		return 0;
	}
	mio_text_add(words, "goes by a plan of ");
	mio_text_add_number(words, run->plan.count);
	mio_text_add(words, " pages");
	if (run->is_cut)
		mio_text_add(words, ", which does not have all reads of the events file");
	return 1;
}

int mio_pf_layer_is_watched(struct mio_layer *layer)
{
	return mio_pf_file_watch(((struct mio_pf_open *)layer)->file) != NULL;
}

int mio_pf_layer_watch(struct mio_layer *layer, struct mio_page_watch *watch)
{
	struct mio_page_watch *nobody = NULL;

	return atomic_compare_exchange_strong(&((struct mio_pf_open *)layer)->file->watch, &nobody, watch);
}

/* The cache ends with its last file: keeps its figures for the report, and gives its memory back. */
static void release_cache(struct mio_pf_open *open, struct mio_pf_cache *cache)
{
	mio_pf_files_forget_retained_in(cache);
	mio_lock_acquire(&cache->lock);
	open->released = open->final;
	mio_pf_counters_copy(&open->released.counters, cache->counters);
	mio_lock_release(&cache->lock);
	atomic_store(&open->has_released, 1);
	mio_pf_cache_free(cache);
}

void mio_pf_layer_tell_for(struct mio_layer *layer, struct mio_pf_told *told)
{
	((struct mio_pf_open *)layer)->told = told;
}

/* Writes dirty pages at the close, and returns the error that the program is to be told: -errno, or 0. */
static int write_and_tell(struct mio_pf_open *open)
{
	int rc = 0;

	/* Only these pages end, not the open of the program: the layer below will tell of errors. */
	if (open->told != &open->own_told) {
		mio_pf_writeout_all(open->file, mio_pf_file_cache(open->file));
		return 0;
	}
	/* A scratch file need not be written, unless other opens still read it. */
	if (!open->options.scratch || !mio_pf_file_is_last(open->file))
		rc = mio_pf_open_write_all(open);
	return rc < 0 ? rc : mio_pf_open_tell_errors(open);
}

/* Called with the gate held alone: no request on the file is running. */
int mio_pf_open_close(struct mio_layer *layer)
{
	struct mio_pf_open *open = (struct mio_pf_open *)layer;
	const struct mio_pf_options *options = &open->options;
	int rc = write_and_tell(open);
	struct mio_pf_cache *cache;
	int64_t stamp;
	int below, stays;

	cache = mio_pf_file_cache(open->file);
	mio_lock_acquire(&cache->lock);
	see_frames(open, cache);
	mio_lock_release(&cache->lock);
	mio_pf_open_leave(open);
	stamp = options->retain || options->scratch ? mio_pf_stamp_of(&open->request) : -1;
	stays = options->retain && rc == 0 && stamp != -1 && mio_pf_stamp_is_sure(open->request.device, stamp);
	cache = mio_pf_file_end(open->file, stays ? stamp : -1, &open->final);
	atomic_store(&open->was_last, cache != NULL);
	atomic_store(&open->closed, 1);
	if (cache)
		mio_pf_file_limit_retained(cache);
	if (cache && mio_pf_caches_leave(cache, options->release))
		release_cache(open, cache);
	below = layer->next->ops->close(layer->next);
	if (options->scratch && cache && stamp != -1)
		mio_pf_stamp_remove(&open->request);
	return rc < 0 ? rc : below;
}

void mio_pf_open_release(struct mio_layer *layer)
{
	mio_pf_file_leave(((struct mio_pf_open *)layer)->file);
	mio_memory_give(layer, sizeof(struct mio_pf_open));
}

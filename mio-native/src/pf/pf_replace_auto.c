/*
 * Keeps pages that are read again against one-time scans, and part of a loop that is larger than the cache.
 *
 * A page begins on trial. It becomes a kept page once the program comes back to it after it has read elsewhere, or if it was evicted a short while ago. Pages
 * on trial give way before kept ones, least recently used first, as long as they have enough frames to stream through. When all places for kept pages are
 * taken, a newcomer gets one only if the kept page used longest ago has not been used for several cachefuls. So in a loop the kept part is used once in each
 * round and stays, instead of every page giving way just before it is needed; when the program changes its ways, that part gives way.
 *
 * Where the program follows a plan, pages that the plan does not want soon give way first, the one used last before all others: in a loop that is the page
 * wanted last.
 */
#include "pf_replace.h"

#include <errno.h>
#include <string.h>

#include "../common/memory.h"
#include "pf_file.h"
#include "pf_page.h"
#include "pf_table.h"

/*
 * An unused kept page counts as forgotten after so many cachefuls of pages have come in; if the length of a loop is known and is larger, after as many pages as
 * the loop has, but not more than are remembered.
 */
#define PATIENCE 4

/*
 * How many evicted pages are remembered: MEMORY cachefuls, or MEMORY_OF_MOST cachefuls of the size to which the cache may grow, whichever is more (the
 * remembered pages tell whether more frames would serve). At most MEMORY_PAGES_CHEAP, or one for each MEMORY_SHARE_BYTES of the cache, whichever is more: an
 * entry takes 36 bytes, in a JVM some 90.
 */
#define MEMORY 8
#define MEMORY_OF_MOST 2
#define MEMORY_PAGES_CHEAP ((int64_t)1 << 15)
#define MEMORY_SHARE_BYTES 8192
/* The most evicted pages that are remembered, however large the cache is. */
#define MEMORY_PAGES_MAX ((int64_t)1 << 17)

/* Frames that are left to pages on trial: one in TRIAL_SHARE, and at least TRIAL_MIN. */
#define TRIAL_SHARE 5
#define TRIAL_MIN 2

/* Index of no entry. */
#define NONE UINT32_MAX

struct mio_pf_evicted {
	uint64_t file;	/* number of its file */
	int64_t index;
	uint32_t chained;	/* next entry in the hash chain */
	uint32_t before, after;	/* in order of eviction; of a free entry, after is the next free one */
};

static uint32_t *chain_of(struct mio_pf_replace *replace, uint64_t file, int64_t index)
{
	return &replace->chains[mio_pf_mixed(file, index) & (replace->chain_count - 1)];
}

static void unlink_entry(struct mio_pf_replace *replace, uint32_t at)
{
	struct mio_pf_evicted *entry = &replace->evicted[at];

	if (entry->before == NONE)
		replace->eldest = entry->after;
	else
		replace->evicted[entry->before].after = entry->after;
	if (entry->after == NONE)
		replace->youngest = entry->before;
	else
		replace->evicted[entry->after].before = entry->before;
	entry->after = replace->unused;
	replace->unused = at;
	replace->remembered--;
}

/* Forgets a page that is remembered as evicted. 1, or 0 if it was not remembered. */
static int forget(struct mio_pf_replace *replace, uint64_t file, int64_t index)
{
	uint32_t *link = chain_of(replace, file, index);

	while (*link != NONE) {
		struct mio_pf_evicted *entry = &replace->evicted[*link];

		if (entry->file == file && entry->index == index) {
			uint32_t at = *link;

			*link = entry->chained;
			unlink_entry(replace, at);
			return 1;
		}
		link = &entry->chained;
	}
	return 0;
}

static uint32_t fresh(struct mio_pf_replace *replace)
{
	uint32_t at = replace->unused;

	if (at == NONE && replace->evicted_used < replace->evicted_max)
		return replace->evicted_used++;
	if (at == NONE) {
		struct mio_pf_evicted *eldest = &replace->evicted[replace->eldest];

		forget(replace, eldest->file, eldest->index);
		at = replace->unused;
	}
	replace->unused = replace->evicted[at].after;
	return at;
}

static void remember(struct mio_pf_replace *replace, uint64_t file, int64_t index)
{
	uint32_t at, *chain;

	forget(replace, file, index);
	at = fresh(replace);
	chain = chain_of(replace, file, index);
	replace->evicted[at] = (struct mio_pf_evicted){file, index, *chain, replace->youngest, NONE};
	*chain = at;
	if (replace->youngest == NONE)
		replace->eldest = at;
	else
		replace->evicted[replace->youngest].after = at;
	replace->youngest = at;
	replace->remembered++;
}

static void put(struct mio_pf_list *list, struct mio_pf_page *page)
{
	mio_pf_list_add_last(list, page);
	page->list = list;
}

/* 1 if there is a place among the kept pages; if need be, the place of a forgotten page is freed. */
static int has_place(struct mio_pf_replace *replace)
{
	struct mio_pf_page *oldest = replace->kept.first;

	if (replace->kept.size < replace->kept_max)
		return 1;
	if (!oldest || replace->added - oldest->touched_at <= replace->patience)
		return 0;
	mio_pf_list_remove(&replace->kept, oldest);
	put(&replace->trial, oldest);
	return 1;
}

int64_t mio_pf_replace_memory(const struct mio_pf_replace_sizes *sizes, int64_t frames)
{
	int64_t usual = mio_pf_max(MEMORY * frames, MEMORY_OF_MOST * sizes->frames_most);
	int64_t share = frames * sizes->page_bytes / MEMORY_SHARE_BYTES;
	int64_t wanted = mio_pf_min(mio_pf_max(usual, sizes->loop_pages), share);

	/* At least as many as frames: with fewer, nothing is kept of a loop that is hardly larger than the cache. */
	return mio_pf_min(mio_pf_max(mio_pf_max(mio_pf_min(usual, MEMORY_PAGES_CHEAP), wanted), frames), MEMORY_PAGES_MAX);
}

void mio_pf_replace_grew(struct mio_pf_replace *replace, int64_t frames)
{
	replace->frames = frames;
	replace->kept_max = mio_pf_max(0, frames - mio_pf_max(TRIAL_MIN, frames / TRIAL_SHARE));
	replace->evicted_max = (uint32_t)mio_pf_replace_memory(&replace->sizes, frames);
	replace->patience = mio_pf_max(PATIENCE * frames, mio_pf_min(replace->sizes.loop_pages, replace->evicted_max));
}

static void added(struct mio_pf_replace *replace, struct mio_pf_page *page)
{
	int again = forget(replace, page->file->number, page->index);

	replace->came_back += again;
	page->touched_at = ++replace->added;
	put(again && has_place(replace) ? &replace->kept : &replace->trial, page);
}

static void touched(struct mio_pf_replace *replace, struct mio_pf_page *page, int by_program)
{
	page->touched_at = replace->added;
	page->away = 0;
	if (by_program && page->left && page->list == &replace->trial && has_place(replace)) {
		mio_pf_list_remove(&replace->trial, page);
		put(&replace->kept, page);
	} else {
		mio_pf_list_move_last(page->list, page);
	}
}

/* A plan is better than any guess: whether the page was read again before does not matter. */
static void planned(struct mio_pf_replace *replace, struct mio_pf_page *page, int soon)
{
	page->touched_at = replace->added;
	page->away = !soon;
	mio_pf_list_remove(page->list, page);
	page->list = &replace->trial;
	if (soon)
		mio_pf_list_add_last(&replace->trial, page);
	else
		mio_pf_list_add_first(&replace->trial, page);
}

static void removed(struct mio_pf_replace *replace, struct mio_pf_page *page)
{
	mio_pf_list_remove(page->list, page);
	page->list = NULL;
	/* A page that the program has not reached, or has not left, is not remembered: reading it later is no coming back. */
	if (!mio_pf_page_is_ahead(page) && page->left)
		remember(replace, page->file->number, page->index);
}

static struct mio_pf_list *begins_with(struct mio_pf_replace *replace)
{
	const struct mio_pf_page *first = replace->trial.first;
	int trial = replace->trial.size >= replace->frames - replace->kept_max || replace->kept.size == 0 ||
		    (first && first->away);

	return trial ? &replace->trial : &replace->kept;
}

static struct mio_pf_list *other(struct mio_pf_replace *replace, const struct mio_pf_list *list)
{
	return list == &replace->trial ? &replace->kept : &replace->trial;
}

static struct mio_pf_page *first(struct mio_pf_replace *replace)
{
	struct mio_pf_list *list = begins_with(replace);

	return list->first ? list->first : other(replace, list)->first;
}

static struct mio_pf_page *after(struct mio_pf_replace *replace, struct mio_pf_page *page)
{
	struct mio_pf_page *next = mio_pf_list_after(page->list, page);

	return next || page->list != begins_with(replace) ? next : other(replace, page->list)->first;
}

static const struct mio_pf_replace_ops ops = {added, touched, planned, removed, first, after};

int mio_pf_replace_auto_begin(struct mio_pf_replace *replace, int64_t frames, const struct mio_pf_replace_sizes *sizes)
{
	int64_t memory = mio_pf_replace_memory(sizes, sizes->frames_most);

	memset(replace, 0, sizeof(*replace));
	replace->ops = &ops;
	replace->trial.kind = MIO_PF_LIST_REPLACE;
	replace->kept.kind = MIO_PF_LIST_REPLACE;
	replace->sizes = *sizes;
	replace->memory = memory;
	mio_pf_replace_grew(replace, frames);
	replace->eldest = NONE;
	replace->youngest = NONE;
	replace->unused = NONE;
	replace->chain_count = 1;
	while (replace->chain_count < (size_t)memory)
		replace->chain_count *= 2;
	replace->evicted = mio_memory_take((size_t)memory * sizeof(*replace->evicted));
	replace->chains = mio_memory_take(replace->chain_count * sizeof(*replace->chains));
	if (!replace->evicted || !replace->chains) {
		mio_pf_replace_end(replace);
		return -ENOMEM;
	}
	memset(replace->chains, 0xFF, replace->chain_count * sizeof(*replace->chains));
	return 0;
}

void mio_pf_replace_end(struct mio_pf_replace *replace)
{
	mio_memory_give(replace->evicted, (size_t)replace->memory * sizeof(*replace->evicted));
	mio_memory_give(replace->chains, replace->chain_count * sizeof(*replace->chains));
	replace->evicted = NULL;
	replace->chains = NULL;
}

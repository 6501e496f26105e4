/*
 * The pf block, with exactly the labels and columns of the original (reference 4.5, document 000). Twin of PfReport
 * and PfJson.
 */
#include "stats_pf.h"

#include "stats_json.h"
#include "stats_text.h"

/* Widths of columns. */
#define WRITE_BEHINDS 13
#define PROGRAM_BYTES 13
#define REQUESTS 6

static void add_tag(struct mio_text *text, const struct mio_stats_pf *pf)
{
	mio_stats_add_name(text, pf->tag);
}

/* Begins a line with the tag and the label. */
static void begin_line(struct mio_text *text, const struct mio_stats_pf *pf, const char *label)
{
	add_tag(text, pf);
	mio_text_add(text, label);
}

static void add_subject(struct mio_text *text, const struct mio_stats_pf *pf)
{
	if (pf->file) {
		mio_stats_add_name(text, pf->file);
	} else if (pf->cache == MIO_STATS_PF_PRIVATE) {
		mio_text_add(text, "private cache");
	} else {
		mio_text_add(text, "global cache ");
		mio_text_add_number(text, pf->cache);
	}
}

static void add_count(struct mio_text *text, const struct mio_stats_pf *pf, int64_t count, const char *label)
{
	add_tag(text, pf);
	mio_stats_add_right(text, count, WRITE_BEHINDS);
	mio_text_add(text, label);
}

/* Adds a line on what passes between program and cache, and between cache and next layer. arrow: with its blanks. */
static void add_transfers(struct mio_text *text, const struct mio_stats_pf *pf, const char *arrow, int64_t bytes,
			  int64_t requests, int64_t child_bytes, int64_t child_requests)
{
	const struct mio_stats_unit *unit = mio_stats_unit_of(pf->unit);

	begin_line(text, pf, "   program");
	mio_text_add(text, arrow);
	mio_stats_add_right(text, mio_stats_unit_whole(unit, bytes), PROGRAM_BYTES);
	mio_text_add_char(text, '/');
	mio_stats_add_left(text, requests, REQUESTS);
	mio_text_add(text, arrow);
	mio_text_add(text, "pf");
	mio_text_add(text, arrow);
	mio_text_add_number(text, mio_stats_unit_whole(unit, child_bytes));
	mio_text_add_char(text, '/');
	mio_stats_add_left(text, child_requests, REQUESTS);
	mio_text_add(text, arrow);
	mio_text_add(text, pf->below);
	mio_text_add_char(text, '\n');
}

/* Adds why the plan is not followed. */
static void add_reason(struct mio_text *text, const struct mio_stats_plan *plan)
{
	if (plan->none) {
		mio_text_add(text, plan->none);
		return;
	}
	mio_text_add_number(text, plan->stray);
	mio_text_add(text, " of ");
	mio_text_add_number(text, plan->stray_of);
	mio_text_add(text, " requests were not near place ");
	mio_text_add_number(text, plan->place);
}

static void add_plan(struct mio_text *text, const struct mio_stats_pf *pf)
{
	const struct mio_stats_plan *plan = &pf->plan;
	struct mio_text reason = {0};

	if (!plan->is_asked)
		return;
	if (!plan->none) {
		begin_line(text, pf, "   ");
		mio_text_add_number(text, plan->followed);
		mio_text_add_char(text, '/');
		mio_text_add_number(text, plan->requests);
		mio_text_add(text, " requests by the plan : place=");
		mio_text_add_number(text, plan->place);
		mio_text_add_char(text, '/');
		mio_text_add_number(text, plan->pages);
		mio_text_add(text, " left=");
		mio_text_add_number(text, plan->left);
		mio_text_add_char(text, '\n');
	}
	if (plan->none || !plan->follows) {
		begin_line(text, pf, plan->none ? "   no plan : " : "   plan left : ");
		add_reason(&reason, plan);
		mio_stats_add_name(text, mio_text_string(&reason));
		mio_text_add_char(text, '\n');
		mio_text_clear(&reason);
	}
}

void mio_stats_pf_classic(const struct mio_stats_pf *pf, struct mio_text *text)
{
	begin_line(text, pf, "pf ");
	mio_text_add(text, mio_stats_event_label(pf->event));
	mio_text_add(text, " for ");
	add_subject(text, pf);
	mio_text_add_char(text, '\n');
	begin_line(text, pf, "   ");
	mio_text_add_number(text, pf->pages);
	mio_text_add(text, " pages of ");
	mio_text_add_number(text, pf->page_bytes);
	mio_text_add(text, " bytes   ");
	mio_text_add_number(text, pf->sector_bytes);
	mio_text_add(text, " bytes per sector\n");
	begin_line(text, pf, "   ");
	mio_text_add_number(text, pf->not_preread);
	mio_text_add_char(text, '/');
	mio_text_add_number(text, pf->not_preread_for_write);
	mio_text_add(text, " pages not preread for write\n");
	begin_line(text, pf, "   ");
	mio_text_add_number(text, pf->unused_prefetches);
	mio_text_add(text, " unused prefetches out of ");
	mio_text_add_number(text, pf->started_prefetches);
	mio_text_add(text, " : prefetch=");
	mio_text_add_number(text, pf->file ? pf->distance : 0);
	mio_text_add_char(text, '\n');
	add_plan(text, pf);
	add_count(text, pf, pf->write_behinds, " write behinds\n");
	if (pf->forced_syncs != 0)
		add_count(text, pf, pf->forced_syncs, " page syncs forced by ill formed writes\n");
	if (pf->retained_pages != 0)
		add_count(text, pf, pf->retained_pages, " pages retained over close\n");
	begin_line(text, pf, "   ");
	mio_text_add(text, mio_stats_unit_of(pf->unit)->label);
	mio_text_add(text, " transferred / Number of requests\n");
	add_transfers(text, pf, " --> ", pf->program.bytes_written, pf->program.writes, pf->child.bytes_written,
		      pf->child.writes);
	add_transfers(text, pf, " <-- ", pf->program.bytes_read, pf->program.reads, pf->child.bytes_read,
		      pf->child.reads);
}

static void add_json_transfers(struct mio_json *json, const char *key, const struct mio_stats_transfers *all)
{
	struct mio_json inner = mio_json_begin(json, key);

#define X(member, name) mio_json_add_number(&inner, name, all->member);
	MIO_STATS_PF_TRANSFERS(X)
#undef X
	mio_json_end(&inner);
}

static void add_json_plan(struct mio_json *json, const struct mio_stats_plan *plan)
{
	struct mio_json inner = mio_json_begin(json, "plan");
	struct mio_text reason = {0};
	int is_followed = !plan->none && plan->follows;

	add_reason(&reason, plan);
	mio_json_add_text(&inner, "state", plan->none ? "none" : plan->follows ? "followed" : "left");
	mio_json_add_text(&inner, "reason", is_followed ? NULL : mio_text_string(&reason));
#define X(member) mio_json_add_number(&inner, #member, plan->member);
	MIO_STATS_PF_PLAN(X)
#undef X
	mio_json_end(&inner);
	mio_text_clear(&reason);
}

void mio_stats_pf_json(const struct mio_stats_pf *pf, struct mio_text *text)
{
	struct mio_json json = mio_json_begin_block(text, "pf", pf->event);

	mio_json_add_text(&json, "of", pf->file ? "file" : "cache");
	mio_json_add_text(&json, "file", pf->file);
	mio_json_add_text(&json, "cache", pf->cache == MIO_STATS_PF_PRIVATE ? "private" : "global");
	if (pf->cache != MIO_STATS_PF_PRIVATE)
		mio_json_add_number(&json, "cache_number", pf->cache);
	mio_json_add_text(&json, "below", pf->below);
	mio_json_add_text(&json, "unit", mio_stats_unit_of(pf->unit)->label);
	mio_json_add_text(&json, "tag", pf->tag);
#define X(member, name) mio_json_add_number(&json, name, pf->member);
	MIO_STATS_PF_COUNTERS(X)
	add_json_transfers(&json, "program", &pf->program);
	add_json_transfers(&json, "child", &pf->child);
	MIO_STATS_PF_DETAILS(X)
#undef X
	mio_json_add_text(&json, "backend", pf->backend);
	mio_json_add_boolean(&json, "direct", pf->direct);
	if (pf->plan.is_asked)
		add_json_plan(&json, &pf->plan);
	mio_json_end_line(&json);
}

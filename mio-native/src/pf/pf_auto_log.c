#include "pf_auto_log.h"

#include <string.h>

#include "../common/clock.h"
#include "../common/memory.h"
#include "../live/live.h"
#include "../stats/stats_auto.h"

struct mio_pf_auto_decision {
	_Atomic int ready;
	const char *what;
	int64_t ns;
	char reason[192];
};

#define DECISIONS_BYTES (MIO_PF_AUTO_KEPT * sizeof(struct mio_pf_auto_decision))

void mio_pf_auto_log_begin(struct mio_pf_auto_log *log, const struct mio_layer_spec *spec,
			   const struct mio_open_request *request)
{
	log->file = request->name;
	log->tag = mio_spec_is_on(spec, MIO_PF_OPTION_TAG) ? spec->values[MIO_PF_OPTION_TAG].text : "";
	log->unit = spec->values[MIO_PF_OPTION_UNIT].text;
	log->opened_ns = request->opened_ns;
}

void mio_pf_auto_log_end(struct mio_pf_auto_log *log)
{
	mio_memory_give(atomic_load(&log->decisions), DECISIONS_BYTES);
}

static const char *state_of(struct mio_pf_auto_log *log)
{
	const char *kernel = atomic_load_explicit(&log->kernel, memory_order_relaxed);

	if (atomic_load_explicit(&log->pages, memory_order_relaxed))
		return "pages";
	return kernel ? kernel : "looking";
}

/* Shows the state in the live record, if it has changed. */
static void show(struct mio_pf_auto_log *log)
{
	void *seen = atomic_load_explicit(&log->seen, memory_order_relaxed);
	const char *state = state_of(log);

	if (!seen || atomic_load_explicit(&log->shown, memory_order_relaxed) == state)
		return;
	atomic_store_explicit(&log->shown, state, memory_order_relaxed);
	mio_live_tell_auto(seen, state);
}

void mio_pf_auto_log_show(struct mio_pf_auto_log *log, void *trace)
{
	atomic_store(&log->seen, trace);
	show(log);
}

/* For one thread at a time: no atomic addition is needed. */
static void add(_Atomic int64_t *counter, int64_t more)
{
	atomic_store_explicit(counter, atomic_load_explicit(counter, memory_order_relaxed) + more, memory_order_relaxed);
}

/* The memory for decisions, which is taken at the first one; NULL without memory. */
static struct mio_pf_auto_decision *decisions_of(struct mio_pf_auto_log *log)
{
	struct mio_pf_auto_decision *there = atomic_load(&log->decisions);
	struct mio_pf_auto_decision *made;

	if (there)
		return there;
	made = mio_memory_take(DECISIONS_BYTES);
	if (made && !atomic_compare_exchange_strong(&log->decisions, &there, made)) {
		mio_memory_give(made, DECISIONS_BYTES);
		return there;
	}
	return made;
}

static void decided(struct mio_pf_auto_log *log, const char *what, const char *reason)
{
	struct mio_pf_auto_decision *one = decisions_of(log);
	int64_t place = atomic_fetch_add(&log->decided, 1);

	if (log->tell)
		log->tell(log->context, what, reason);
	if (!one || place >= MIO_PF_AUTO_KEPT)
		return;
	one += place;
	one->what = what;
	one->ns = mio_clock_ns() - mio_clock_begin_ns();
	strncpy(one->reason, reason, sizeof(one->reason) - 1);
	atomic_store_explicit(&one->ready, 1, memory_order_release);
}

void mio_pf_auto_log_looked(struct mio_pf_auto_log *log, struct mio_pf_hint_decisions *of)
{
	struct mio_text reason = {0};

	add(&log->looks, 1);
	atomic_store_explicit(&log->kernel, mio_pf_decisions_now(of), memory_order_relaxed);
	show(log);
	if (!mio_pf_decisions_take(of))
		return;
	mio_pf_decisions_reason(of, &reason);
	decided(log, mio_pf_decisions_word(of), mio_text_string(&reason));
	mio_text_clear(&reason);
}

void mio_pf_auto_log_told(struct mio_pf_auto_log *log, int ranges, int64_t bytes_of_each)
{
	add(&log->hints, ranges);
	add(&log->hint_bytes, ranges * bytes_of_each);
}

void mio_pf_auto_log_cached(struct mio_pf_auto_log *log)
{
	add(&log->cached, 1);
}

void mio_pf_auto_log_pages(struct mio_pf_auto_log *log, int has, const char *reason)
{
	atomic_store(&log->pages, has);
	show(log);
	decided(log, has ? "pages" : "no-pages", reason);
}

void mio_pf_auto_log_unseen(struct mio_pf_auto_log *log)
{
	decided(log, "unseen", "what was just read is not in the kernel's cache as far as it tells: what is there shows by the time that hints take");
}

void mio_pf_auto_log_folios(struct mio_pf_auto_log *log)
{
	decided(log, "folios", "the kernel reads ranges of 256 KB and more ahead in large folios, for two descriptors of MIO's own");
}

/* Collects the decisions that are kept and complete; the others are only counted. */
static void find_decisions(struct mio_pf_auto_log *log, struct mio_stats_decision *found, struct mio_stats_auto *block)
{
	struct mio_pf_auto_decision *all = atomic_load(&log->decisions);

	for (int i = 0; all && i < MIO_PF_AUTO_KEPT; i++)
		if (atomic_load_explicit(&all[i].ready, memory_order_acquire))
			found[block->count++] = (struct mio_stats_decision){all[i].ns, all[i].what, all[i].reason};
	block->decisions = found;
	block->more = atomic_load(&log->decided) - block->count;
}

void mio_pf_auto_log_block(struct mio_pf_auto_log *log, enum mio_stats_event event, int json, struct mio_text *text)
{
	struct mio_stats_decision found[MIO_PF_AUTO_KEPT];
	struct mio_stats_auto block = {
		.event = event,
		.file = log->file,
		.tag = log->tag,
		.unit = log->unit,
		.opened_ns = log->opened_ns - mio_clock_begin_ns(),
		.now_ns = mio_clock_ns() - mio_clock_begin_ns(),
		.state = state_of(log),
		.looks = atomic_load(&log->looks),
		.hints = atomic_load(&log->hints),
		.hint_bytes = atomic_load(&log->hint_bytes),
		.cached = atomic_load(&log->cached),
	};

	find_decisions(log, found, &block);
	if (json)
		mio_stats_auto_json(&block, text);
	else
		mio_stats_auto_classic(&block, text);
}

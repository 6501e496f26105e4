/* What pf/auto has decided for a file, and why, for other processes to see. Twin of ShownDecisions. */
#include "live.h"

#include "../common/clock.h"

/* The record of decisions, made if there is none yet; NULL if there is none to be had. */
static struct mio_live_decisions *record_of(_Atomic(struct mio_live_decisions *) *decisions, const void *trace)
{
	struct mio_live_decisions *there = atomic_load_explicit(decisions, memory_order_acquire);
	struct mio_live_decisions *made;

	if (there)
		return there;
	made = mio_live_take(MIO_LIVE_DECISIONS, trace);
	if (made && !atomic_compare_exchange_strong(decisions, &there, made)) {
		mio_live_give(made);
		return there;
	}
	if (made)
		mio_live_show(made);
	return made;
}

void mio_live_decided(_Atomic(struct mio_live_decisions *) *decisions, const void *trace, const char *what, const char *reason)
{
	struct mio_live_decisions *record = record_of(decisions, trace);
	struct mio_live_decision *one;
	int64_t place;

	if (!record)
		return;
	place = atomic_fetch_add(&record->count, 1);
	one = &record->last[place % MIO_LIVE_DECISIONS_KEPT];
	/* A reader that finds the old text beside a number finds another number, or none, when it reads once more. */
	atomic_store_explicit(&one->number, 0, memory_order_relaxed);
	atomic_thread_fence(memory_order_release);
	one->ns = mio_clock_ns();
	mio_live_text(one->what, sizeof(one->what), what);
	mio_live_text(one->reason, sizeof(one->reason), reason);
	atomic_store_explicit(&one->number, place + 1, memory_order_release);
}

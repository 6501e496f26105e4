#ifndef MIO_PF_AUTO_LOG_H
#define MIO_PF_AUTO_LOG_H

/*
 * What pf/auto did for one open, for its report. Nothing is counted of requests that are not looked at. Twin of AutoLog. Without a lock, which
 * a forked child might find taken: a decision has its place before it is written, and is seen once it is.
 */

#include <stdatomic.h>
#include <stdint.h>

#include "../config/config.h"
#include "../layer/layer_open.h"
#include "../stats/stats.h"
#include "pf_hint_decisions.h"

enum { MIO_PF_AUTO_KEPT = 16 };		/* decisions, the first ones */

struct mio_pf_auto_decision;

struct mio_pf_auto_log {
	const char *file, *tag, *unit;
	int64_t opened_ns;
	_Atomic int64_t looks, hints, hint_bytes, cached;	/* written by one thread at a time */
	_Atomic(const char *) kernel;	/* what hints come to; NULL: nothing yet */
	_Atomic int pages;
	_Atomic(void *) seen;		/* record of the trace above, where others see what it does; or NULL */
	_Atomic(const char *) shown;	/* there */
	void (*tell)(void *context, const char *what, const char *reason);	/* somebody who records decisions, or NULL */
	void *context;
	_Atomic int64_t decided;
	_Atomic(struct mio_pf_auto_decision *) decisions;	/* NULL before the first */
};

/* Ready when all zero, but for this. */
void mio_pf_auto_log_begin(struct mio_pf_auto_log *log, const struct mio_layer_spec *spec,
			   const struct mio_open_request *request);
/* From now on others see there what it does: body of the record of a trace layer, which is released no sooner than no request is running. */
void mio_pf_auto_log_show(struct mio_pf_auto_log *log, void *trace);
void mio_pf_auto_log_end(struct mio_pf_auto_log *log);

/* One thread at a time: a request was looked at, and takes what is new. */
void mio_pf_auto_log_looked(struct mio_pf_auto_log *log, struct mio_pf_hint_decisions *of);
/* One thread at a time: the kernel was told of so many ranges; what was to be told was there. */
void mio_pf_auto_log_told(struct mio_pf_auto_log *log, int ranges, int64_t bytes_of_each);
void mio_pf_auto_log_cached(struct mio_pf_auto_log *log);
/* The open has pages, or has none (any more), and why. */
void mio_pf_auto_log_pages(struct mio_pf_auto_log *log, int has, const char *reason);
/* What the kernel has of the file cannot be seen. */
void mio_pf_auto_log_unseen(struct mio_pf_auto_log *log);
/* Long ranges are read ahead in large folios. */
void mio_pf_auto_log_folios(struct mio_pf_auto_log *log);

void mio_pf_auto_log_block(struct mio_pf_auto_log *log, enum mio_stats_event event, int json, struct mio_text *text);

#endif

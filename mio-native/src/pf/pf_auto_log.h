#ifndef MIO_PF_AUTO_LOG_H
#define MIO_PF_AUTO_LOG_H

/*
 * What pf/auto did for one open, for its report. Requests that are not looked at are not counted. Twin of AutoLog. There is no lock, as a forked child might
 * find it taken: a decision gets its place before it is written, and readers see it once it is written.
 */

#include <stdatomic.h>
#include <stdint.h>

#include "../config/config.h"
#include "../layer/layer_open.h"
#include "../stats/stats.h"
#include "pf_hint_decisions.h"

enum { MIO_PF_AUTO_KEPT = 16 };		/* so many decisions are kept, the first ones; later ones are only counted */

struct mio_pf_auto_decision;

struct mio_pf_auto_log {
	const char *file, *tag, *unit;
	int64_t opened_ns;
	_Atomic int64_t looks, hints, hint_bytes, cached;	/* written by one thread at a time */
	_Atomic(const char *) kernel;	/* what is done with hints, a word of pf_hint_decisions.h; NULL: nothing yet */
	_Atomic int pages;		/* 1 while the open has pages */
	_Atomic(void *) seen;		/* body of the live record of the trace layer above, or NULL */
	_Atomic(const char *) shown;	/* the state that the live record shows */
	void (*tell)(void *context, const char *what, const char *reason);	/* records decisions elsewhere, or NULL */
	void *context;			/* of tell */
	_Atomic int64_t decided;	/* decisions so far */
	_Atomic(struct mio_pf_auto_decision *) decisions;	/* MIO_PF_AUTO_KEPT of them; NULL before the first */
};

/* Prepares a log whose memory is all zero. */
void mio_pf_auto_log_begin(struct mio_pf_auto_log *log, const struct mio_layer_spec *spec,
			   const struct mio_open_request *request);
/* From now on the live record shows what pf/auto does. trace: body of the record of a trace layer; it must not be released while requests run. */
void mio_pf_auto_log_show(struct mio_pf_auto_log *log, void *trace);
void mio_pf_auto_log_end(struct mio_pf_auto_log *log);

/* A request was looked at; takes the decision of `of` if it is new. One thread at a time. */
void mio_pf_auto_log_looked(struct mio_pf_auto_log *log, struct mio_pf_hint_decisions *of);
/* A hint was given, of so many ranges; or no hint was needed, as the bytes were in the kernel's page cache. One thread at a time. */
void mio_pf_auto_log_told(struct mio_pf_auto_log *log, int ranges, int64_t bytes_of_each);
void mio_pf_auto_log_cached(struct mio_pf_auto_log *log);
/* The open has pages now (has: 1), or has none or no more (0), and why. */
void mio_pf_auto_log_pages(struct mio_pf_auto_log *log, int has, const char *reason);
/* Notes that cachestat does not show what the kernel has of the file. */
void mio_pf_auto_log_unseen(struct mio_pf_auto_log *log);
/* Notes that long ranges are read ahead in large folios. */
void mio_pf_auto_log_folios(struct mio_pf_auto_log *log);

/* Adds the block of the report. */
void mio_pf_auto_log_block(struct mio_pf_auto_log *log, enum mio_stats_event event, int json, struct mio_text *text);

#endif

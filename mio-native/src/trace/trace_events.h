#ifndef MIO_TRACE_EVENTS_H
#define MIO_TRACE_EVENTS_H

/* The events of layers: what an events file (trace_writer.h) gets for each call, and for pages. Twin of TraceEvents. */

#include "../config/config.h"
#include "../layer/layer_open.h"
#include "../layer/layer_watch.h"
#include "../stats/stats.h"
#include "../stats/stats_trace.h"
#include "trace_writer.h"

/* The events of one trace layer of an open file. */
struct mio_trace_events {
	struct mio_trace_writer *writer;	/* NULL: nothing is recorded */
	uint32_t file;				/* id of its definition */
	uint32_t sample;			/* one call in this many is recorded */
	_Atomic uint64_t calls;			/* number of calls that sampling may leave out */
};

/* The place of a layer in the stack, and its neighbours, for its definition. */
struct mio_trace_station {
	int place;				/* place in the stack; 1: first below the program */
	const char *name, *above, *below;
};

/*
 * The writer of the events file of a layer whose option events is on. The file is made or joined at its first use. NULL: that failed,
 * which a line on standard error says once. Any thread.
 */
struct mio_trace_writer *mio_trace_events_file(struct mio_stats_output *output, const struct mio_layer_spec *layer);

/*
 * The process is about to change its rights or its root: makes sure that events can still go where they went before. Makes the file now if it does not
 * exist, unless other users may make it in its directory.
 */
void mio_trace_events_stay(struct mio_stats_output *output, const struct mio_layer_spec *layer);

/* Begins to record: defines the file and records its open. writer may be NULL: then nothing is recorded. */
void mio_trace_events_begin(struct mio_trace_events *events, struct mio_trace_writer *writer, uint32_t sample,
			    const struct mio_trace_station *station, const struct mio_open_request *request);

/* A call that has ended. */
struct mio_trace_call {
	enum mio_trace_operation operation;
	int appends;
	int64_t offset, requested;
	int64_t result;		/* bytes moved, or 0; -errno, or INT64_MIN for a failure whose error is not known */
	uint64_t began;		/* when it began, in ticks */
	int64_t ns;		/* duration */
	uint64_t number;	/* number of an asynchronous request, else 0 */
};

/* The part of the two functions below that is not inline. type: MIO_TRACE_RECORD_CALL or _END. */
void mio_trace_events_record(struct mio_trace_events *events, const struct mio_trace_call *call, int type);

static inline void mio_trace_events_call(struct mio_trace_events *events, const struct mio_trace_call *call)
{
	if (__builtin_expect(events->writer != NULL, 0))
		mio_trace_events_record(events, call, MIO_TRACE_RECORD_CALL);
}

/* Records the end of an asynchronous request. call->began: when it was submitted. */
static inline void mio_trace_events_end(struct mio_trace_events *events, const struct mio_trace_call *call)
{
	if (__builtin_expect(events->writer != NULL, 0))
		mio_trace_events_record(events, call, MIO_TRACE_RECORD_END);
}

/* A new number for an asynchronous request, from 1. */
uint64_t mio_trace_events_number(void);

/* What a cache is, for the definition of a file's pages. */
struct mio_trace_pages {
	uint32_t page_bytes, frames, cache;
};

/* Makes a watcher that records what a cache tells of a file's pages; NULL if it cannot be made. writer may be NULL: then the result is NULL. */
struct mio_page_watch *mio_trace_watch_make(struct mio_trace_writer *writer, const struct mio_trace_station *station,
					    const struct mio_open_request *request, const struct mio_trace_pages *pages);

/* exit: the process ends. forked: for a forked child. */
void mio_trace_events_exit(void);
void mio_trace_events_forked(void);

#endif

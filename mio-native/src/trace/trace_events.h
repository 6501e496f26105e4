#ifndef MIO_TRACE_EVENTS_H
#define MIO_TRACE_EVENTS_H

/* The events of layers: what goes into an events file (trace_writer.h) for each call, and for pages. Twin of TraceEvents. */

#include "../config/config.h"
#include "../layer/layer_open.h"
#include "../layer/layer_watch.h"
#include "../stats/stats.h"
#include "../stats/stats_trace.h"
#include "trace_writer.h"

/* Of one trace layer of an open file. */
struct mio_trace_events {
	struct mio_trace_writer *writer;	/* NULL: nothing is recorded */
	uint32_t file;
	uint32_t sample;
	_Atomic uint64_t calls;			/* that may be left out */
};

/* Where a layer stands, for its definition. */
struct mio_trace_station {
	int place;				/* in the stack; 1: first below the program */
	const char *name, *above, *below;
};

/*
 * The file of the option events of that layer, which is on; made or joined at its first use. NULL: it cannot be had, which is told
 * once. Any thread.
 */
struct mio_trace_writer *mio_trace_events_file(struct mio_stats_output *output, const struct mio_layer_spec *layer);

/*
 * The process is about to change its rights or its root: events go where they went before, and the file is made now if it is not there, unless others may
 * make it in its directory.
 */
void mio_trace_events_stay(struct mio_stats_output *output, const struct mio_layer_spec *layer);

/* Begin to record: defines the file, and records its open. writer may be NULL. */
void mio_trace_events_begin(struct mio_trace_events *events, struct mio_trace_writer *writer, uint32_t sample,
			    const struct mio_trace_station *station, const struct mio_open_request *request);

/* A call that is over. */
struct mio_trace_call {
	enum mio_trace_operation operation;
	int appends;
	int64_t offset, requested;
	int64_t result;		/* bytes moved or 0; below: -errno, INT64_MIN: failed and nobody knows why */
	uint64_t began;		/* ticks */
	int64_t ns;
	uint64_t number;	/* of an asynchronous request, else 0 */
};

/* The rest of the two below. */
void mio_trace_events_record(struct mio_trace_events *events, const struct mio_trace_call *call, int type);

static inline void mio_trace_events_call(struct mio_trace_events *events, const struct mio_trace_call *call)
{
	if (__builtin_expect(events->writer != NULL, 0))
		mio_trace_events_record(events, call, MIO_TRACE_RECORD_CALL);
}

/* An asynchronous request came back; began: its submission. */
static inline void mio_trace_events_end(struct mio_trace_events *events, const struct mio_trace_call *call)
{
	if (__builtin_expect(events->writer != NULL, 0))
		mio_trace_events_record(events, call, MIO_TRACE_RECORD_END);
}

/* The number of one more asynchronous request. */
uint64_t mio_trace_events_number(void);

/* What a cache is, for the definition of a file's pages. */
struct mio_trace_pages {
	uint32_t page_bytes, frames, cache;
};

/* Who records what a cache tells of a file's pages, or NULL. writer may be NULL. */
struct mio_page_watch *mio_trace_watch_make(struct mio_trace_writer *writer, const struct mio_trace_station *station,
					    const struct mio_open_request *request, const struct mio_trace_pages *pages);

/* The process ends; in a forked child. */
void mio_trace_events_exit(void);
void mio_trace_events_forked(void);

#endif

#ifndef MIO_TRACE_OPEN_H
#define MIO_TRACE_OPEN_H

/* The inside of a trace layer: trace_layer.c passes calls on, trace_bypass.c counts calls past the layers, trace_source.c reports. */

#include "trace_counters.h"
#include "trace_events.h"
#include "trace_layer.h"

/* Most calls past the layers, at the same time, that are timed. The time of further ones is not known. */
enum { MIO_TRACE_BYPASSES_MAX = 8 };

struct mio_trace_bypass {
	_Atomic uintptr_t thread;	/* the thread that makes the call; 0: the entry is free */
	enum mio_bypass kind;
	int64_t wanted;			/* bytes asked for, or MIO_TRACE_NO_REQUEST */
	uint64_t began;			/* ticks */
};

struct mio_trace_open {
	/* What each call uses comes first, side by side. */
	struct mio_layer layer;
	struct mio_trace_events events;
	struct mio_trace_counters counters;
	struct mio_trace_bypass bypasses[MIO_TRACE_BYPASSES_MAX];
	const char *name, *above, *below;
	const struct mio_stats_unit *unit;
	int oflags, mode;
	int64_t opened_ns;
	uint64_t device;
	int64_t sector_bytes;
};

static inline struct mio_trace_open *mio_trace_open_of(struct mio_layer *layer)
{
	return (struct mio_trace_open *)layer;
}

int mio_trace_bypass_begin(struct mio_layer *layer, enum mio_bypass kind, int64_t offset, int64_t length);
void mio_trace_bypass_end(struct mio_layer *layer, enum mio_bypass kind, int64_t offset, int64_t length, int done);

#endif

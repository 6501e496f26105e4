#ifndef MIO_TRACE_LAYER_H
#define MIO_TRACE_LAYER_H

#include "../config/config.h"
#include "../layer/layer.h"
#include "../layer/layer_open.h"
#include "../stats/stats.h"
#include "trace_events.h"

/*
 * Counts and times every call that passes (reference 4). Twin of TraceLayer.
 *
 * In bypass_end offset and length of a transfer are where and what it has moved; length INT64_MAX: not known.
 *
 * above: name of the layer above as reports show it, program at the top. Returns NULL without memory.
 */
struct mio_layer *mio_trace_layer_make(const struct mio_layer_spec *spec, struct mio_layer *next, const char *above,
				       const struct mio_open_request *request);

/*
 * Record what passes from now on, the open first; before the layer is used. writer: see trace_events.h, may be NULL. sample: one call in so
 * many. place: of the layer in the stack, 1: first below the program.
 */
void mio_trace_layer_record(struct mio_layer *layer, struct mio_trace_writer *writer, uint32_t sample, int place,
			    const struct mio_open_request *request);

/* Record a decision of pf/auto in its events, if it has any; on any thread. context: the trace layer. */
void mio_trace_layer_decided(void *context, const char *what, const char *reason);

/* Where others see what it counts: body of its record, see live.h; until its release. */
void *mio_trace_layer_live(struct mio_layer *layer);

/* What the layer reports; valid until its release. */
struct mio_stats_source mio_trace_layer_source(struct mio_layer *layer);

#endif

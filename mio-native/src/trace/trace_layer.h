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
 * In bypass_end, offset and length of a transfer say which bytes it has moved; length INT64_MAX: not known.
 *
 * above: name of the layer above as reports show it; program for the topmost layer. Returns NULL without memory.
 */
struct mio_layer *mio_trace_layer_make(const struct mio_layer_spec *spec, struct mio_layer *next, const char *above,
				       const struct mio_open_request *request);

/*
 * Makes the layer record events from now on, the open first. Call it before the layer is used. writer: see trace_events.h; may be NULL. sample: one
 * call in this many is recorded. place: place of the layer in the stack; 1: first below the program.
 */
void mio_trace_layer_record(struct mio_layer *layer, struct mio_trace_writer *writer, uint32_t sample, int place,
			    const struct mio_open_request *request);

/* Records a decision of a cache layer in the events of a trace layer, if it records events. Any thread. */
void mio_trace_layer_decided(struct mio_layer *layer, const char *what, const char *reason);

/* Shows a decision of a cache layer to other processes. Any thread, until the layer is released. */
void mio_trace_layer_show_decision(struct mio_layer *layer, const char *what, const char *reason);

/* Where other processes see what the layer counts: the body of its record (live.h). Valid until the layer is released. */
void *mio_trace_layer_live(struct mio_layer *layer);

/* What the layer reports. Valid until the layer is released. */
struct mio_stats_source mio_trace_layer_source(struct mio_layer *layer);

#endif

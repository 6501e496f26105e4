#ifndef MIO_TEST_TRACE_OVER_H
#define MIO_TEST_TRACE_OVER_H

/* A trace layer over a last layer without a file. */

#include "../src/trace/trace_layer.h"
#include "../src/trace/trace_open.h"
#include "null_os.h"
#include "stats_twin.h"

static struct null_os os;
static struct mio_layer_spec spec;
static char memory[8] __attribute__((aligned(4096)));

static inline struct mio_layer *trace_over(int oflags)
{
	struct mio_open_request request = {
		.name = "test.dat",
		.oflags = oflags,
		.mode = 0640,
		.size_bytes = os.size,
		.opened_ns = mio_clock_begin_ns(),
		.sector_bytes = 4096,
		.fd = -1,
	};
	struct mio_layer *layer;

	spec.kind = MIO_LAYER_TRACE;
	spec.typed_name = "trace";
	spec.values[MIO_TRACE_OPTION_UNIT].text = "kbytes";
	layer = mio_trace_layer_make(&spec, &os.layer, "program", &request);
	ASSERT(layer);
	return layer;
}

static inline struct mio_layer *trace(int oflags)
{
	null_init(&os);
	return trace_over(oflags);
}

static struct mio_trace_stripe sum;

static inline const struct mio_trace_stripe *counted(struct mio_layer *layer)
{
	memset(&sum, 0, sizeof(sum));
	mio_trace_counters_sum(&mio_trace_open_of(layer)->counters, &sum);
	return &sum;
}

static inline const char *report(struct mio_layer *layer, enum mio_stats_event event, int json)
{
	struct mio_stats_source source = mio_trace_layer_source(layer);
	struct mio_text text = {0};
	char *copy;

	source.block(source.context, event, json, &text);
	copy = kept(mio_text_string(&text), text.length);
	mio_text_clear(&text);
	return copy;
}

static inline int64_t read_at(struct mio_layer *layer, size_t length, int64_t offset)
{
	return layer->ops->read(layer, memory, length, offset);
}

static inline int64_t write_at(struct mio_layer *layer, size_t length, int64_t offset)
{
	return layer->ops->write(layer, memory, length, offset);
}

static inline void end(struct mio_layer *layer)
{
	layer->ops->close(layer);
	layer->ops->release(layer);
}

static inline int64_t total(const int64_t *values, int count)
{
	int64_t all = 0;

	for (int i = 0; i < count; i++)
		all += values[i];
	return all;
}

#endif

/* What a trace layer says in reports. */
#include <string.h>

#include "../common/memory.h"
#include "../layer/layer_file_system.h"
#include "../layer/layer_flags.h"
#include "trace_open.h"

/* The data of a report: too large for the stack of a thread of the program. */
struct snapshot {
	struct mio_trace_stripe sum;
	struct mio_trace_row rows[MIO_TRACE_OPERATIONS];
	struct mio_trace_error errors[MIO_TRACE_ERRORS_MAX + 1];
	struct mio_stats_trace trace;
};

static void fill(struct mio_trace_open *trace, enum mio_stats_event event, struct snapshot *all)
{
	struct mio_stats_trace *stats = &all->trace;
	struct mio_trace_stripe *sum = &all->sum;
	int64_t closed_ns = trace->counters.whole->closed_ns;
	int64_t begin_ns = mio_clock_begin_ns();

	mio_trace_counters_sum(&trace->counters, sum);
	memcpy(all->rows, sum->rows, sizeof(all->rows));
	for (int i = 0; i < MIO_TRACE_OPERATIONS; i++)
		if (all->rows[i].smallest == INT64_MAX)
			all->rows[i].smallest = 0;
	stats->event = event;
	stats->above = trace->above;
	stats->below = trace->below;
	stats->file = trace->name;
	stats->unit = trace->unit;
	stats->rows = all->rows;
	stats->extensions = sum->extensions;
	stats->current_size = trace->counters.whole->current_size;
	stats->max_size = trace->counters.whole->max_size;
	stats->mode = trace->mode;
	stats->file_system_type = mio_file_system_type(trace->device);
	stats->sector_bytes = trace->sector_bytes;
	stats->oflags = (unsigned int)trace->oflags;
	stats->direct = trace->counters.direct;
	stats->ill_formed = sum->ill_formed;
	stats->misaligned = sum->misaligned;
	stats->seek_delta = sum->seek_delta;
	stats->opened_ns = trace->opened_ns - begin_ns;
	stats->now_ns = (closed_ns ? closed_ns : mio_clock_ns()) - begin_ns;
	stats->distributions.read_ns = sum->read_ns;
	stats->distributions.write_ns = sum->write_ns;
	stats->distributions.read_bytes = sum->read_bytes;
	stats->distributions.write_bytes = sum->write_bytes;
	stats->distributions.pattern_bytes = sum->pattern_bytes;
	stats->distributions.activity_bin_ns = (int64_t)1 << sum->bin_shift;
	stats->distributions.activity_read = sum->activity_read;
	stats->distributions.activity_written = sum->activity_written;
	stats->distributions.errors = all->errors;
	stats->distributions.error_count = mio_trace_counters_errors(&trace->counters, all->errors);
}

static void block(void *context, enum mio_stats_event event, int json, struct mio_text *text)
{
	struct snapshot *all = mio_memory_take(sizeof(*all));
	struct mio_text names = {0};

	if (!all)
		return;
	fill(context, event, all);
	mio_flags_names(((struct mio_trace_open *)context)->oflags, &names);
	all->trace.oflag_names = mio_text_string(&names);
	if (json)
		mio_stats_trace_json(&all->trace, text);
	else
		mio_stats_trace_classic(&all->trace, text);
	mio_text_clear(&names);
	mio_memory_give(all, sizeof(*all));
}

static int has_moved(void *context)
{
	struct mio_trace_stripe *sum = mio_memory_take(sizeof(*sum));
	int64_t calls = 0;

	if (!sum)
		return 1;
	mio_trace_counters_sum(&((struct mio_trace_open *)context)->counters, sum);
	calls = sum->rows[MIO_TRACE_READ].count + sum->rows[MIO_TRACE_WRITE].count + sum->rows[MIO_TRACE_AREAD].count +
		sum->rows[MIO_TRACE_AWRITE].count;
	mio_memory_give(sum, sizeof(*sum));
	return calls > 0;
}

struct mio_stats_source mio_trace_layer_source(struct mio_layer *layer)
{
	struct mio_stats_source source = {.block = block, .context = layer, .moved = has_moved};

	return source;
}

/*
 * The trace block, with exactly the labels and columns of the original (reference 4.3, document 000). As in the original, the
 * demand line has one closing bracket too many. Between columns there is always a blank, even if a number fills its
 * column.
 */
#include "stats_trace.h"

#include "stats_json.h"

/* Widths of columns. A blank comes before each column but the label and the count. */
#define LABEL 10
#define COUNT 9
#define SECONDS 8
#define BYTES 10

static const struct {
	const char *label;
	enum mio_trace_shape shape;
} operations[] = {
#define X(name, label, shape) {label, MIO_TRACE_##shape},
	MIO_TRACE_OPERATION_LIST(X)
#undef X
};

static const char *const patterns[] = {
#define X(name, label) label "_bytes",
	MIO_TRACE_PATTERN_LIST(X)
#undef X
};

const char *mio_trace_operation_label(enum mio_trace_operation operation)
{
	return operations[operation].label;
}

enum mio_trace_shape mio_trace_operation_shape(enum mio_trace_operation operation)
{
	return operations[operation].shape;
}

int64_t mio_stats_trace_total_bytes(const struct mio_stats_trace *trace)
{
	int64_t sum = 0;

	for (int i = 0; i < MIO_TRACE_OPERATIONS; i++)
		sum += trace->rows[i].delivered;
	return sum;
}

int64_t mio_stats_trace_transfer_ns(const struct mio_stats_trace *trace)
{
	int64_t sum = 0;

	for (int i = 0; i < MIO_TRACE_OPERATIONS; i++)
		if (operations[i].shape != MIO_TRACE_TIMED)
			sum += trace->rows[i].ns + trace->rows[i].suspend_ns;
	return sum;
}

int64_t mio_stats_trace_average_seek(const struct mio_stats_trace *trace)
{
	int64_t count = trace->rows[MIO_TRACE_SEEK].count;

	return count == 0 ? 0 : trace->seek_delta / count;
}

static void add_mode(struct mio_text *text, int mode)
{
	mio_text_add_char(text, '0');
	mio_text_add_octal(text, (unsigned int)mode);
}

static void add_per_second(struct mio_text *text, const struct mio_stats_trace *trace, int64_t bytes, int64_t ns,
			   size_t columns)
{
	mio_stats_add_rate(text, mio_stats_unit_rate(trace->unit, bytes, ns), columns);
	mio_text_add_char(text, ' ');
	mio_text_add(text, trace->unit->label);
	mio_text_add(text, "/s");
}

static void add_whole(struct mio_text *text, const struct mio_stats_trace *trace, int64_t bytes)
{
	mio_text_add_number(text, mio_stats_unit_whole(trace->unit, bytes));
}

static void add_head(struct mio_text *text, const struct mio_stats_trace *trace)
{
	int64_t total = mio_stats_trace_total_bytes(trace);
	int64_t ns = mio_stats_trace_transfer_ns(trace);

	mio_text_add(text, "Trace ");
	mio_text_add(text, mio_stats_event_label(trace->event));
	mio_text_add(text, " : ");
	mio_text_add(text, trace->above);
	mio_text_add(text, " <-> ");
	mio_text_add(text, trace->below);
	mio_text_add(text, " : ");
	mio_stats_add_name(text, trace->file);
	mio_text_add(text, " : (");
	add_whole(text, trace, total);
	mio_text_add_char(text, '/');
	mio_stats_add_seconds(text, ns, 0);
	mio_text_add(text, ")=");
	add_per_second(text, trace, total, ns, 0);
	mio_text_add(text, "\n     demand rate=");
	add_per_second(text, trace, total, trace->now_ns - trace->opened_ns, 0);
	mio_text_add_char(text, '=');
	add_whole(text, trace, total);
	mio_text_add(text, "/(");
	mio_stats_add_seconds(text, trace->now_ns, 0);
	mio_text_add_char(text, '-');
	mio_stats_add_seconds(text, trace->opened_ns, 0);
	mio_text_add(text, "))\n     current size=");
	add_whole(text, trace, trace->current_size);
	mio_text_add(text, "   max_size=");
	add_whole(text, trace, trace->max_size);
	mio_text_add(text, "\n  mode =");
	if (trace->mode < 0)
		mio_text_add(text, "unknown");
	else
		add_mode(text, trace->mode);
	mio_text_add(text, "  FileSystemType=");
	mio_text_add(text, trace->file_system_type);
	mio_text_add(text, " sector size=");
	mio_text_add_number(text, trace->sector_bytes);
	mio_text_add(text, "\n  oflags =0x");
	mio_text_add_hex(text, trace->oflags);
	mio_text_add_char(text, '=');
	mio_text_add(text, trace->oflag_names);
	mio_text_add_char(text, '\n');
}

static void add_row(struct mio_text *text, const struct mio_stats_trace *trace, int operation)
{
	const struct mio_trace_row *row = &trace->rows[operation];

	mio_text_add(text, "  ");
	mio_text_add_left(text, operations[operation].label, LABEL);
	mio_stats_add_right(text, row->count, COUNT);
	mio_text_add_char(text, ' ');
	mio_stats_add_seconds(text, row->ns, SECONDS);
	if (operation == MIO_TRACE_SEEK) {
		mio_text_add(text, " average seek delta=");
		mio_text_add_number(text, mio_stats_trace_average_seek(trace));
	}
	if (operations[operation].shape != MIO_TRACE_TIMED) {
		mio_text_add_char(text, ' ');
		mio_stats_add_right(text, mio_stats_unit_whole(trace->unit, row->requested), BYTES);
		mio_text_add_char(text, ' ');
		mio_stats_add_right(text, mio_stats_unit_whole(trace->unit, row->delivered), BYTES);
		mio_text_add_char(text, ' ');
		mio_stats_add_right(text, row->smallest, BYTES);
		mio_text_add_char(text, ' ');
		mio_stats_add_right(text, row->largest, BYTES);
	}
	mio_text_add_char(text, '\n');
	if (operations[operation].shape == MIO_TRACE_ASYNCHRONOUS) {
		mio_text_add(text, "   ");
		mio_text_add_left(text, "suspend", LABEL - 1);
		mio_stats_add_right(text, row->suspends, COUNT);
		mio_text_add_char(text, ' ');
		mio_stats_add_seconds(text, row->suspend_ns, SECONDS);
		mio_text_add_char(text, ' ');
		add_per_second(text, trace, row->delivered, row->ns + row->suspend_ns, BYTES + 1);
		mio_text_add_char(text, '\n');
	}
}

void mio_stats_trace_classic(const struct mio_stats_trace *trace, struct mio_text *text)
{
	add_head(text, trace);
	for (int i = 0; i < MIO_TRACE_OPERATIONS; i++) {
		if (trace->rows[i].count > 0)
			add_row(text, trace, i);
		if (i == MIO_TRACE_OPEN && trace->direct) {
			mio_text_add(text, "  ");
			mio_text_add_left(text, "ill form", LABEL);
			mio_stats_add_right(text, trace->ill_formed, COUNT);
			mio_text_add(text, "   mem misaligned ");
			mio_text_add_number(text, trace->misaligned);
			mio_text_add_char(text, '\n');
		}
	}
	if (trace->extensions > 0) {
		mio_text_add(text, "  ");
		mio_text_add_left(text, "size", LABEL);
		mio_stats_add_right(text, trace->extensions, COUNT);
		mio_text_add_char(text, '\n');
	}
}

static void add_json_row(struct mio_json *rows, const struct mio_stats_trace *trace, int operation)
{
	const struct mio_trace_row *row = &trace->rows[operation];
	struct mio_json json = mio_json_begin(rows, operations[operation].label);

	mio_json_add_number(&json, "count", row->count);
	mio_json_add_number(&json, "ns", row->ns);
	if (operations[operation].shape != MIO_TRACE_TIMED) {
		mio_json_add_number(&json, "requested_bytes", row->requested);
		mio_json_add_number(&json, "delivered_bytes", row->delivered);
		mio_json_add_number(&json, "smallest_bytes", row->smallest);
		mio_json_add_number(&json, "largest_bytes", row->largest);
	}
	if (operations[operation].shape == MIO_TRACE_ASYNCHRONOUS) {
		mio_json_add_number(&json, "suspends", row->suspends);
		mio_json_add_number(&json, "suspend_ns", row->suspend_ns);
	}
	if (operation == MIO_TRACE_SEEK) {
		mio_json_add_number(&json, "delta_bytes", trace->seek_delta);
		mio_json_add_number(&json, "average_delta_bytes", mio_stats_trace_average_seek(trace));
	}
	if (row->errors > 0)
		mio_json_add_number(&json, "errors", row->errors);
	mio_json_end(&json);
}

static void add_distributions(struct mio_json *json, const struct mio_trace_distributions *all)
{
	struct mio_json inner;

	mio_json_add_numbers(json, "read_ns_histogram", all->read_ns, MIO_TRACE_BUCKETS);
	mio_json_add_numbers(json, "write_ns_histogram", all->write_ns, MIO_TRACE_BUCKETS);
	mio_json_add_numbers(json, "read_bytes_histogram", all->read_bytes, MIO_TRACE_BUCKETS);
	mio_json_add_numbers(json, "write_bytes_histogram", all->write_bytes, MIO_TRACE_BUCKETS);
	inner = mio_json_begin(json, "patterns");
	for (int i = 0; i < MIO_TRACE_PATTERNS; i++)
		mio_json_add_number(&inner, patterns[i], all->pattern_bytes[i]);
	mio_json_end(&inner);
	mio_json_add_number(json, "activity_bin_ns", all->activity_bin_ns);
	mio_json_add_numbers(json, "activity_read_bytes", all->activity_read, MIO_TRACE_BINS);
	mio_json_add_numbers(json, "activity_written_bytes", all->activity_written, MIO_TRACE_BINS);
	inner = mio_json_begin(json, "errors");
	for (int i = 0; i < all->error_count; i++)
		mio_json_add_number(&inner, all->errors[i].name, all->errors[i].count);
	mio_json_end(&inner);
}

/* Adds a number in quotes, after its prefix. */
static void add_based(struct mio_json *json, const char *key, void (*add)(struct mio_text *, uint64_t),
		      const char *prefix, unsigned int number)
{
	struct mio_text value = {0};

	mio_text_add(&value, prefix);
	add(&value, number);
	mio_json_add_text(json, key, mio_text_string(&value));
	mio_text_clear(&value);
}

void mio_stats_trace_json(const struct mio_stats_trace *trace, struct mio_text *text)
{
	struct mio_json json = mio_json_begin_block(text, "trace", trace->event);
	struct mio_json rows;

	mio_json_add_text(&json, "file", trace->file);
	mio_json_add_text(&json, "above", trace->above);
	mio_json_add_text(&json, "below", trace->below);
	mio_json_add_text(&json, "unit", trace->unit->label);
	mio_json_add_number(&json, "opened_ns", trace->opened_ns);
	mio_json_add_number(&json, "now_ns", trace->now_ns);
	mio_json_add_number(&json, "total_bytes", mio_stats_trace_total_bytes(trace));
	mio_json_add_number(&json, "transfer_ns", mio_stats_trace_transfer_ns(trace));
	mio_json_add_number(&json, "current_size_bytes", trace->current_size);
	mio_json_add_number(&json, "max_size_bytes", trace->max_size);
	if (trace->mode < 0)
		mio_json_add_text(&json, "mode", NULL);
	else
		add_based(&json, "mode", mio_text_add_octal, "0", (unsigned int)trace->mode);
	mio_json_add_text(&json, "file_system_type", trace->file_system_type);
	mio_json_add_number(&json, "sector_bytes", trace->sector_bytes);
	add_based(&json, "oflags", mio_text_add_hex, "0x", trace->oflags);
	mio_json_add_text(&json, "oflag_names", trace->oflag_names);
	if (trace->direct) {
		mio_json_add_number(&json, "ill_formed", trace->ill_formed);
		mio_json_add_number(&json, "misaligned", trace->misaligned);
	}
	rows = mio_json_begin(&json, "operations");
	for (int i = 0; i < MIO_TRACE_OPERATIONS; i++)
		if (trace->rows[i].count > 0 || trace->rows[i].errors > 0)
			add_json_row(&rows, trace, i);
	mio_json_end(&rows);
	mio_json_add_number(&json, "size_extensions", trace->extensions);
	add_distributions(&json, &trace->distributions);
	mio_json_end_line(&json);
}

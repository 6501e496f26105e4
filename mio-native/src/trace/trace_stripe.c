#include "trace_stripe.h"

#include <string.h>

void mio_trace_stripe_init(struct mio_trace_stripe *stripe)
{
	stripe->bin_shift = MIO_TRACE_FIRST_BIN_SHIFT;
	for (int i = 0; i < MIO_TRACE_OPERATIONS; i++)
		stripe->rows[i].smallest = INT64_MAX;
}

/* Adds each two neighbouring bins into one. */
static void fold(int64_t *bins)
{
	for (int i = 0; i < MIO_TRACE_BINS / 2; i++)
		bins[i] = bins[2 * i] + bins[2 * i + 1];
	memset(bins + MIO_TRACE_BINS / 2, 0, MIO_TRACE_BINS / 2 * sizeof(*bins));
}

static void double_width(struct mio_trace_stripe *stripe)
{
	fold(stripe->activity_read);
	fold(stripe->activity_written);
	stripe->bin_shift++;
}

int mio_trace_stripe_widen(struct mio_trace_stripe *stripe, int64_t since_open_ns)
{
	while (since_open_ns >> stripe->bin_shift >= MIO_TRACE_BINS)
		double_width(stripe);
	return (int)(since_open_ns >> stripe->bin_shift);
}

static void add_row(const struct mio_trace_row *row, struct mio_trace_row *sum)
{
	sum->count += row->count;
	sum->ns += row->ns;
	sum->requested += row->requested;
	sum->delivered += row->delivered;
	sum->suspends += row->suspends;
	sum->suspend_ns += row->suspend_ns;
	sum->errors += row->errors;
	if (row->smallest < sum->smallest)
		sum->smallest = row->smallest;
	if (row->largest > sum->largest)
		sum->largest = row->largest;
}

static void add_all(const int64_t *from, int64_t *to, int count)
{
	for (int i = 0; i < count; i++)
		to[i] += from[i];
}

void mio_trace_stripe_add(const struct mio_trace_stripe *stripe, struct mio_trace_stripe *sum)
{
	int narrower;

	for (int i = 0; i < MIO_TRACE_OPERATIONS; i++)
		add_row(&stripe->rows[i], &sum->rows[i]);
	sum->seek_delta += stripe->seek_delta;
	sum->extensions += stripe->extensions;
	sum->ill_formed += stripe->ill_formed;
	sum->misaligned += stripe->misaligned;
	add_all(stripe->pattern_bytes, sum->pattern_bytes, MIO_TRACE_PATTERNS);
	add_all(stripe->read_ns, sum->read_ns, MIO_TRACE_BUCKETS);
	add_all(stripe->write_ns, sum->write_ns, MIO_TRACE_BUCKETS);
	add_all(stripe->read_bytes, sum->read_bytes, MIO_TRACE_BUCKETS);
	add_all(stripe->write_bytes, sum->write_bytes, MIO_TRACE_BUCKETS);
	while (sum->bin_shift < stripe->bin_shift)
		double_width(sum);
	narrower = sum->bin_shift - stripe->bin_shift;
	for (int i = 0; i < MIO_TRACE_BINS; i++) {
		sum->activity_read[i >> narrower] += stripe->activity_read[i];
		sum->activity_written[i >> narrower] += stripe->activity_written[i];
	}
}

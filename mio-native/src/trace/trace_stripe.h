#ifndef MIO_TRACE_STRIPE_H
#define MIO_TRACE_STRIPE_H

/*
 * One share of a file's counters. A thread owns it for the few stores of one call: it takes the flag with one compare-and-swap
 * and gives it back with one release store. A file has several stripes, so that threads seldom meet. All fields but the flag
 * are plain, and only the owner touches them. A stripe is the body of a record of the live counter file, or plain memory. Twin
 * of CounterStripe.
 */

#include <stdatomic.h>

#include "../live/live_format.h"
#include "../stats/stats_trace.h"

/* The first width of an activity bin, 2^20 ns, about a millisecond. When a call would fall after the last bin, the width doubles. */
enum { MIO_TRACE_FIRST_BIN_SHIFT = 20 };

struct mio_trace_stripe {
	_Atomic uint32_t owned;
	int bin_shift;						/* width of an activity bin: 2 to the power of this, nanoseconds */
	struct mio_trace_row rows[MIO_TRACE_OPERATIONS];	/* smallest: INT64_MAX without requests */
	int64_t seek_delta, extensions, ill_formed, misaligned;
	int64_t pattern_bytes[MIO_TRACE_PATTERNS];
	int64_t read_ns[MIO_TRACE_BUCKETS], write_ns[MIO_TRACE_BUCKETS];
	int64_t read_bytes[MIO_TRACE_BUCKETS], write_bytes[MIO_TRACE_BUCKETS];
	int64_t activity_read[MIO_TRACE_BINS], activity_written[MIO_TRACE_BINS];
	struct mio_trace_stripe *before;	/* the stripe that this one replaced because its owner did not release it; it counts, too */
};

MIO_LIVE_AT(mio_trace_stripe, bin_shift, 52);
MIO_LIVE_AT(mio_trace_stripe, rows, 56);
MIO_LIVE_AT(mio_trace_stripe, seek_delta, 920);
MIO_LIVE_AT(mio_trace_stripe, pattern_bytes, 952);
MIO_LIVE_AT(mio_trace_stripe, read_ns, 984);
MIO_LIVE_AT(mio_trace_stripe, read_bytes, 2024);
MIO_LIVE_AT(mio_trace_stripe, activity_read, 3064);
MIO_LIVE_AT(mio_trace_stripe, activity_written, 3576);
_Static_assert(MIO_LIVE_BODY + offsetof(struct mio_trace_stripe, before) + 8 == MIO_LIVE_RECORD_BYTES, "a stripe is a record");

/* stripe must be all zero. */
void mio_trace_stripe_init(struct mio_trace_stripe *stripe);

static inline int mio_trace_stripe_own(struct mio_trace_stripe *stripe)
{
	uint32_t free = 0;

	return atomic_compare_exchange_strong_explicit(&stripe->owned, &free, 1, memory_order_acquire,
						       memory_order_relaxed);
}

static inline void mio_trace_stripe_release(struct mio_trace_stripe *stripe)
{
	atomic_store_explicit(&stripe->owned, 0, memory_order_release);
}

/* The power-of-two bucket of a value: 0 for 0, i for 2^(i-1) to 2^i - 1. */
static inline int mio_trace_bucket(int64_t value)
{
	return 63 - __builtin_clzll(2 * (unsigned long long)value + 1);
}

static inline void mio_trace_stripe_call(struct mio_trace_stripe *stripe, enum mio_trace_operation operation, int64_t ns)
{
	stripe->rows[operation].count++;
	stripe->rows[operation].ns += ns;
}

/* Counts the size of a request, when the request is made. */
static inline void mio_trace_stripe_requested(struct mio_trace_stripe *stripe, enum mio_trace_operation operation,
					      int write, int64_t bytes)
{
	struct mio_trace_row *row = &stripe->rows[operation];

	row->requested += bytes;
	if (bytes < row->smallest)
		row->smallest = bytes;
	if (bytes > row->largest)
		row->largest = bytes;
	(write ? stripe->write_bytes : stripe->read_bytes)[mio_trace_bucket(bytes)]++;
}

/* Makes the bins wide enough for that time; returns the bin of it. */
int mio_trace_stripe_widen(struct mio_trace_stripe *stripe, int64_t since_open_ns);

/* Counts the bytes that a request moved, when it is done. */
static inline void mio_trace_stripe_delivered(struct mio_trace_stripe *stripe, enum mio_trace_operation operation,
					      int write, int64_t bytes, enum mio_trace_pattern pattern,
					      int64_t since_open_ns)
{
	int64_t at = since_open_ns < 0 ? 0 : since_open_ns;
	int64_t bin = at >> stripe->bin_shift;

	stripe->rows[operation].delivered += bytes;
	stripe->pattern_bytes[pattern] += bytes;
	if (bin >= MIO_TRACE_BINS)
		bin = mio_trace_stripe_widen(stripe, at);
	(write ? stripe->activity_written : stripe->activity_read)[bin] += bytes;
}

/* Adds this stripe to sum, which no other thread may see. */
void mio_trace_stripe_add(const struct mio_trace_stripe *stripe, struct mio_trace_stripe *sum);

#endif

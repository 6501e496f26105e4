#ifndef MIO_TRACE_TRANSFER_H
#define MIO_TRACE_TRANSFER_H

/*
 * Counts a request that has moved bytes. It is inline, because most of the cost of a traced call is here. Only for the trace layer;
 * see trace_counters.h.
 */

#include "trace_counters.h"

/* A synchronous read or write that succeeded. */
struct mio_trace_transfer {
	enum mio_trace_operation operation;
	int64_t offset, wanted, moved;	/* offset or MIO_LAYER_APPEND; bytes asked for, bytes moved */
	uint64_t began;			/* when it began, in ticks */
	int64_t ns;			/* duration */
	int aligned;			/* 1: the alignment of its memory suits direct I/O */
};

/* The less common parts, in trace_counters.c. This one counts a direct request that is ill formed or whose memory is misaligned. */
void mio_trace_counters_form(const struct mio_trace_counters *counters, struct mio_trace_stripe *mine, int64_t offset,
			     int64_t wanted, int aligned);
/* Counts a write of this thread that ended at end, at or after the end of the file so far. appended: it was written to the end of the file. */
void mio_trace_counters_wrote(struct mio_trace_counters *counters, struct mio_trace_stripe *mine, int64_t end,
			      int64_t bytes, int appended);

static inline int64_t mio_trace_get(_Atomic int64_t *field)
{
	return atomic_load_explicit(field, memory_order_relaxed);
}

static inline void mio_trace_set(_Atomic int64_t *field, int64_t value)
{
	atomic_store_explicit(field, value, memory_order_relaxed);
}

/* How a request lies relative to the last one. Then makes this request the last one. */
static inline enum mio_trace_pattern mio_trace_pattern_of(struct mio_live_trace *whole, int64_t offset, int64_t bytes)
{
	int64_t last_offset = mio_trace_get(&whole->last_offset);
	int64_t stride = offset - last_offset;
	enum mio_trace_pattern found = MIO_TRACE_RANDOM;

	if (offset == mio_trace_get(&whole->last_end) || last_offset < 0)
		found = MIO_TRACE_SEQUENTIAL;
	else if (offset + bytes == last_offset)
		found = MIO_TRACE_BACKWARD;
	else if (stride == mio_trace_get(&whole->last_stride) && stride != 0)
		found = MIO_TRACE_STRIDED;
	mio_trace_set(&whole->last_stride, stride);
	mio_trace_set(&whole->last_offset, offset);
	mio_trace_set(&whole->last_end, offset + bytes);
	return found;
}

static inline int64_t mio_trace_since_open(const struct mio_trace_counters *counters, uint64_t ticks)
{
	uint64_t rate = atomic_load_explicit(&mio_clock_state.rate, memory_order_relaxed);

	if (ticks < counters->seen_ticks)
		return counters->seen_since_open_ns;
	return counters->seen_since_open_ns +
	       (int64_t)((unsigned __int128)(ticks - counters->seen_ticks) * rate >> 32);
}

/* Counts the request. Returns its offset, as far as that is known. */
static inline __attribute__((always_inline)) int64_t
mio_trace_counters_transferred(struct mio_trace_counters *counters, const struct mio_trace_transfer *transfer)
{
	struct mio_live_trace *whole = counters->whole;
	enum mio_trace_operation row = transfer->operation;
	int write = row == MIO_TRACE_WRITE;
	int64_t bytes = transfer->moved;
	int appends = write && transfer->offset < 0;
	int64_t at = appends ? atomic_fetch_add_explicit(&whole->current_size, bytes, memory_order_relaxed)
			     : transfer->offset;
	enum mio_trace_pattern lies = mio_trace_pattern_of(whole, at, bytes);
	struct mio_trace_stripe *mine = mio_trace_counters_own(counters);

	if (__builtin_expect(!mine, 0))
		return at;
	mio_trace_stripe_call(mine, row, transfer->ns);
	mio_trace_stripe_requested(mine, row, write, transfer->wanted);
	mio_trace_stripe_delivered(mine, row, write, bytes, lies, mio_trace_since_open(counters, transfer->began));
	(write ? mine->write_ns : mine->read_ns)[mio_trace_bucket(transfer->ns)]++;
	if (__builtin_expect(counters->direct, 0))
		mio_trace_counters_form(counters, mine, at, transfer->wanted, transfer->aligned);
	if (write && (appends || at + bytes > mio_trace_get(&whole->current_size)))
		mio_trace_counters_wrote(counters, mine, at + bytes, bytes, appends);
	mio_trace_stripe_release(mine);
	mio_trace_set(&whole->position, at + bytes);
	return at;
}

#endif

#ifndef MIO_TRACE_COUNTERS_H
#define MIO_TRACE_COUNTERS_H

/*
 * What one trace layer counts for one open file. Twin of TraceCounters.
 *
 * A call costs two readings of the clock by the layer and, here, one compare-and-swap and plain stores: the sums live in
 * stripes, of which a thread takes one that is free. What belongs to the file as a whole (the position, the last
 * request) is a handful of relaxed fields: exact where requests follow one another, a good guess where threads overlap. Sums
 * are exact always. All of it lies in records of the live counter file, where that has room.
 *
 * Sum of seek deltas: the position moves by seeks and by data, so whatever the order the deltas add up to last position -
 * first position - bytes moved (reference 4.4 f).
 */

#include "../common/clock.h"
#include "../common/lock.h"
#include "../layer/layer_open.h"
#include "../live/live.h"
#include "trace_stripe.h"

enum { MIO_TRACE_STRIPES_MAX = 16, MIO_TRACE_ERRORS_MAX = MIO_LIVE_ERRORS_MAX - 1 };

/* Size of a request that nobody knows. */
enum { MIO_TRACE_NO_REQUEST = -1 };

struct mio_trace_counters {
	struct mio_live_trace *whole;		/* of the file as a whole; see above for what races between threads do to it */
	uint64_t seen_ticks;			/* a moment, and how long after the open it was */
	int64_t seen_since_open_ns;
	unsigned int last_slot;			/* of those for stripes that threads begin with: a power of two less one */
	int direct;
	struct mio_trace_stripe *_Atomic stripes[MIO_TRACE_STRIPES_MAX];
	int64_t sector_bytes;			/* of a direct file; else 1 */
	struct mio_lock error_lock;
	int error_numbers[MIO_LIVE_ERRORS_MAX];	/* errno, 0 for all others; as in whole->errors */
};

/* All zero before. 0 or -ENOMEM. The record is to be completed, and shown by mio_trace_counters_show. */
int mio_trace_counters_init(struct mio_trace_counters *counters, const struct mio_open_request *request);
void mio_trace_counters_show(struct mio_trace_counters *counters);
void mio_trace_counters_free(struct mio_trace_counters *counters);

/* A stripe for the calling thread, to be released at once; NULL: nothing can be counted any more. */
static inline struct mio_trace_stripe *mio_trace_counters_own(struct mio_trace_counters *counters);
/* The rest of it, where that of the thread is not free; slot: its place. */
struct mio_trace_stripe *mio_trace_counters_own_slowly(struct mio_trace_counters *counters, unsigned int slot);

/* A call that moves no data. */
void mio_trace_counters_timed(struct mio_trace_counters *counters, enum mio_trace_operation operation, int64_t ns);
/* The position was moved, or a request names its offset. */
void mio_trace_counters_seek(struct mio_trace_counters *counters, int64_t offset);

/*
 * An asynchronous request is about to be handed down; it was, which took so long; it came back; somebody waited for it. A
 * write counts as one that makes the file longer by where it lies among those submitted: completions come in any order.
 */
void mio_trace_counters_submitting(struct mio_trace_counters *counters, enum mio_trace_operation operation,
				   int64_t offset, int64_t wanted, int aligned);
void mio_trace_counters_submitted(struct mio_trace_counters *counters, enum mio_trace_operation operation, int64_t ns);
/* Returns how long it was on its way. */
int64_t mio_trace_counters_completed(struct mio_trace_counters *counters, enum mio_trace_operation operation,
				  int64_t offset, int64_t wanted, int64_t moved, uint64_t began);
void mio_trace_counters_suspended(struct mio_trace_counters *counters, enum mio_trace_operation operation, int64_t ns);

/* A call failed. It counts as a call; a transfer counts what it asked for, if known. error: errno, 0 if not known. */
void mio_trace_counters_failed(struct mio_trace_counters *counters, enum mio_trace_operation operation, int64_t wanted,
			       int64_t ns, int error);
/* An asynchronous request came back with an error; its submission is counted already. */
void mio_trace_counters_failed_later(struct mio_trace_counters *counters, enum mio_trace_operation operation,
				     int64_t wanted, int error);

/* The file was made so long. */
void mio_trace_counters_truncated(struct mio_trace_counters *counters, int64_t size);
/* The file was seen to be so long: somebody else may have changed it. */
void mio_trace_counters_sized(struct mio_trace_counters *counters, int64_t size);
/* Bytes from offset to the end, at most length. */
int64_t mio_trace_counters_within(struct mio_trace_counters *counters, int64_t offset, int64_t length);
/* The file is closed; the call is counted apart. */
void mio_trace_counters_closed(struct mio_trace_counters *counters);

/* All shares together; sum is all zero before. */
void mio_trace_counters_sum(struct mio_trace_counters *counters, struct mio_trace_stripe *sum);
/* Failures so far, in the order of their names; room for MIO_TRACE_ERRORS_MAX + 1. Returns how many. */
int mio_trace_counters_errors(struct mio_trace_counters *counters, struct mio_trace_error *errors);

static inline struct mio_trace_stripe *mio_trace_counters_own(struct mio_trace_counters *counters)
{
	/* Of the calling thread: another address for each that is alive. */
	uint64_t thread = (uint64_t)(uintptr_t)&mio_open_call;
	unsigned int slot = (unsigned int)(thread * 0x9e3779b97f4a7c15U >> 40) & counters->last_slot;
	struct mio_trace_stripe *stripe = atomic_load_explicit(&counters->stripes[slot], memory_order_acquire);

	if (__builtin_expect(stripe != NULL, 1) && __builtin_expect(mio_trace_stripe_own(stripe), 1))
		return stripe;
	return mio_trace_counters_own_slowly(counters, slot);
}

#endif

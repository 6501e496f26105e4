#ifndef MIO_TRACE_COUNTERS_H
#define MIO_TRACE_COUNTERS_H

/*
 * What one trace layer counts for one open file. Twin of TraceCounters.
 *
 * A call costs two readings of the clock by the layer and, here, one compare-and-swap and plain stores. The sums are in
 * stripes; a thread takes a free one for a call. What belongs to the file as a whole (the position, the last
 * request) is in a few relaxed fields: exact if requests follow one another, a good guess if threads overlap. The sums
 * are always exact. All counters lie in records of the live counter file, if it has room for them.
 *
 * Sum of seek deltas: the position moves by seeks and by data. So the deltas add up to last position - first position -
 * bytes moved, in whatever order they come (reference 4.4 f).
 */

#include "../common/clock.h"
#include "../common/lock.h"
#include "../layer/layer_open.h"
#include "../live/live.h"
#include "trace_stripe.h"

enum { MIO_TRACE_STRIPES_MAX = 16, MIO_TRACE_ERRORS_MAX = MIO_LIVE_ERRORS_MAX - 1 };

/* Stands for the size of a request whose size is not known. */
enum { MIO_TRACE_NO_REQUEST = -1 };

struct mio_trace_counters {
	struct mio_live_trace *whole;		/* counters of the file as a whole; the head comment says how exact they are */
	uint64_t seen_ticks;			/* a moment in ticks, */
	int64_t seen_since_open_ns;		/* and the same moment in nanoseconds since the open */
	unsigned int last_slot;			/* greatest index into stripes that a thread may begin with: a power of two less one */
	int direct;
	struct mio_trace_stripe *_Atomic stripes[MIO_TRACE_STRIPES_MAX];
	_Atomic(struct mio_live_decisions *) decisions;	/* record of decisions of pf/auto below; NULL before the first */
	int64_t sector_bytes;			/* size of a sector if the file is open for direct I/O; else 1 */
	struct mio_lock error_lock;
	int error_numbers[MIO_LIVE_ERRORS_MAX];	/* errno of each entry of whole->errors; 0 for the entry of all others */
};

/* counters must be all zero. 0 or -ENOMEM. The caller completes the record counters->whole, then calls mio_trace_counters_show. */
int mio_trace_counters_init(struct mio_trace_counters *counters, const struct mio_open_request *request);
void mio_trace_counters_show(struct mio_trace_counters *counters);
void mio_trace_counters_free(struct mio_trace_counters *counters);

/* A stripe that the calling thread then owns, and must release at once. NULL: nothing can be counted. */
static inline struct mio_trace_stripe *mio_trace_counters_own(struct mio_trace_counters *counters);
/* The slow part of mio_trace_counters_own, for a thread whose own stripe is not free or not made. slot: index of that stripe. */
struct mio_trace_stripe *mio_trace_counters_own_slowly(struct mio_trace_counters *counters, unsigned int slot);

/* Counts a call that moves no data. */
void mio_trace_counters_timed(struct mio_trace_counters *counters, enum mio_trace_operation operation, int64_t ns);
/* Counts that the program moved the position to offset, or that a request names its offset. */
void mio_trace_counters_seek(struct mio_trace_counters *counters, int64_t offset);

/*
 * An asynchronous request: submitting counts it before it goes down, submitted the time that took, completed its end, and
 * suspended a wait for it. Whether a write makes the file longer is decided in the order of submissions, because
 * completions come in any order.
 */
void mio_trace_counters_submitting(struct mio_trace_counters *counters, enum mio_trace_operation operation,
				   int64_t offset, int64_t wanted, int aligned);
void mio_trace_counters_submitted(struct mio_trace_counters *counters, enum mio_trace_operation operation, int64_t ns);
/* Returns the nanoseconds that the request was on its way. */
int64_t mio_trace_counters_completed(struct mio_trace_counters *counters, enum mio_trace_operation operation,
				  int64_t offset, int64_t wanted, int64_t moved, uint64_t began);
void mio_trace_counters_suspended(struct mio_trace_counters *counters, enum mio_trace_operation operation, int64_t ns);

/* Counts a call that failed. A transfer also counts the bytes it asked for, if known. error: errno or -errno; 0 if not known. */
void mio_trace_counters_failed(struct mio_trace_counters *counters, enum mio_trace_operation operation, int64_t wanted,
			       int64_t ns, int error);
/* Counts an asynchronous request that ended with an error, or was refused; its submission has been counted already. */
void mio_trace_counters_failed_later(struct mio_trace_counters *counters, enum mio_trace_operation operation,
				     int64_t wanted, int error);

/* Notes that the file was truncated or extended to size bytes. */
void mio_trace_counters_truncated(struct mio_trace_counters *counters, int64_t size);
/* Notes that the file was seen to have size bytes: somebody else may have changed it. */
void mio_trace_counters_sized(struct mio_trace_counters *counters, int64_t size);
/* Bytes from offset to the end of the file, at most length. */
int64_t mio_trace_counters_within(struct mio_trace_counters *counters, int64_t offset, int64_t length);
/* Notes the time of the close. The close call is counted separately. */
void mio_trace_counters_closed(struct mio_trace_counters *counters);

/* Adds up all stripes; sum must be all zero. */
void mio_trace_counters_sum(struct mio_trace_counters *counters, struct mio_trace_stripe *sum);
/* The failures so far, in the order of their names. errors has room for MIO_TRACE_ERRORS_MAX + 1 entries. Returns their number. */
int mio_trace_counters_errors(struct mio_trace_counters *counters, struct mio_trace_error *errors);

static inline struct mio_trace_stripe *mio_trace_counters_own(struct mio_trace_counters *counters)
{
	/* An address that identifies the calling thread: every living thread has a different one. */
	uint64_t thread = (uint64_t)(uintptr_t)&mio_open_call;
	unsigned int slot = (unsigned int)(thread * 0x9e3779b97f4a7c15U >> 40) & counters->last_slot;
	struct mio_trace_stripe *stripe = atomic_load_explicit(&counters->stripes[slot], memory_order_acquire);

	if (__builtin_expect(stripe != NULL, 1) && __builtin_expect(mio_trace_stripe_own(stripe), 1))
		return stripe;
	return mio_trace_counters_own_slowly(counters, slot);
}

#endif

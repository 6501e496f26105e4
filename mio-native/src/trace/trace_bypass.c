/*
 * Calls past the layers: each begins and ends on the same thread. Twin of around in TraceLayer, which sees begin, end and result
 * in one call. Here the length at the end of a transfer says how many bytes it moved. INT64_MAX means that this is not known; the
 * transfer then counts as a call that took time.
 */
#include "../os/os_file.h"
#include "trace_open.h"
#include "trace_transfer.h"

static enum mio_trace_operation operation_of(enum mio_bypass kind)
{
	switch (kind) {
	case MIO_BYPASS_LOCK:
	case MIO_BYPASS_UNLOCK:
		return MIO_TRACE_FCNTL;
	case MIO_BYPASS_TRANSFER_OUT:
		return MIO_TRACE_READ;
	case MIO_BYPASS_TRANSFER_IN:
		return MIO_TRACE_WRITE;
	case MIO_BYPASS_ALLOCATE:
		return MIO_TRACE_TRUNC;
	case MIO_BYPASS_MAP_READ:
	case MIO_BYPASS_MAP_WRITE:
	default:
		return MIO_TRACE_MMAP;
	}
}

static int is_transfer(enum mio_bypass kind)
{
	return kind == MIO_BYPASS_TRANSFER_OUT || kind == MIO_BYPASS_TRANSFER_IN;
}

/* A number that identifies the calling thread. */
static uintptr_t thread(void)
{
	return (uintptr_t)&mio_open_call;
}

static void enter(struct mio_trace_open *trace, enum mio_bypass kind, int64_t wanted, uint64_t began)
{
	for (int i = 0; i < MIO_TRACE_BYPASSES_MAX; i++) {
		struct mio_trace_bypass *bypass = &trace->bypasses[i];
		uintptr_t owner = atomic_load_explicit(&bypass->thread, memory_order_relaxed);
		uintptr_t free = 0;

		/* An entry of this thread, of the same kind, is left from a call that never ended because it was cancelled: use it again. */
		if (owner == thread() ? bypass->kind != kind
				      : owner != 0 || !atomic_compare_exchange_strong_explicit(&bypass->thread, &free, thread(),
											       memory_order_acquire,
											       memory_order_relaxed))
			continue;
		bypass->kind = kind;
		bypass->wanted = wanted;
		bypass->began = began;
		return;
	}
}

/* Ends the entry of this thread's call; 0 if the call was not entered. */
static int leave(struct mio_trace_open *trace, enum mio_bypass kind, int64_t *wanted, uint64_t *began)
{
	for (int i = 0; i < MIO_TRACE_BYPASSES_MAX; i++) {
		struct mio_trace_bypass *bypass = &trace->bypasses[i];

		if (atomic_load_explicit(&bypass->thread, memory_order_relaxed) != thread() || bypass->kind != kind)
			continue;
		*wanted = bypass->wanted;
		*began = bypass->began;
		atomic_store_explicit(&bypass->thread, 0, memory_order_release);
		return 1;
	}
	return 0;
}

static void record(struct mio_trace_open *trace, const struct mio_trace_transfer *transfer, int64_t result, int appends)
{
	struct mio_trace_call call = {
		.operation = transfer->operation,
		.offset = transfer->offset,
		.appends = appends,
		.requested = transfer->wanted,
		.result = result,
		.began = transfer->began,
		.ns = transfer->ns,
	};

	mio_trace_events_call(&trace->events, &call);
}

int mio_trace_bypass_begin(struct mio_layer *layer, enum mio_bypass kind, int64_t offset, int64_t length)
{
	struct mio_trace_open *trace = mio_trace_open_of(layer);
	struct mio_trace_transfer refused = {
		.operation = operation_of(kind),
		.offset = offset,
		.wanted = MIO_TRACE_NO_REQUEST,
		.began = mio_clock_ticks(),
	};
	int rc;

	/* How many bytes are to go out is known; how many will come in is not. */
	if (kind == MIO_BYPASS_TRANSFER_OUT)
		refused.wanted = mio_trace_counters_within(&trace->counters, offset, length);
	rc = layer->next->ops->bypass_begin(layer->next, kind, offset, length);
	if (rc < 0) {
		refused.ns = mio_clock_since(refused.began);
		mio_trace_counters_failed(&trace->counters, refused.operation, refused.wanted, refused.ns, rc);
		record(trace, &refused, rc, 0);
	} else {
		enter(trace, kind, refused.wanted, refused.began);
	}
	return rc;
}

/* The file may be longer, or shorter if a range was removed. All bytes are with the kernel, so its size is right; asking it is counted by no layer. */
static void allocated(struct mio_trace_counters *counters)
{
	int64_t size = mio_os_file_size(mio_open_call.fd);

	if (size > mio_trace_counters_within(counters, 0, INT64_MAX))
		mio_trace_counters_truncated(counters, size);
	else if (size >= 0)
		mio_trace_counters_sized(counters, size);
}

void mio_trace_bypass_end(struct mio_layer *layer, enum mio_bypass kind, int64_t offset, int64_t length, int done)
{
	struct mio_trace_open *trace = mio_trace_open_of(layer);
	struct mio_trace_transfer transfer = {
		.operation = operation_of(kind),
		.offset = offset,
		.wanted = MIO_TRACE_NO_REQUEST,
		.moved = length,
		.began = mio_clock_ticks(),
		.aligned = 1,
	};
	int entered;

	layer->next->ops->bypass_end(layer->next, kind, offset, length, done);
	entered = leave(trace, kind, &transfer.wanted, &transfer.began);
	transfer.ns = entered ? mio_clock_since(transfer.began) : 0;
	if (transfer.wanted < length)
		transfer.wanted = length;
	if (is_transfer(kind) && done > 0 && length < INT64_MAX) {
		int appends = offset == MIO_LAYER_APPEND;

		transfer.offset = mio_trace_counters_transferred(&trace->counters, &transfer);
		record(trace, &transfer, length, appends);
		return;
	}
	transfer.wanted = is_transfer(kind) || length == INT64_MAX ? MIO_TRACE_NO_REQUEST : length;
	if (done > 0 && kind == MIO_BYPASS_ALLOCATE)
		allocated(&trace->counters);
	if (done > 0 || (done == 0 && is_transfer(kind))) {
		/* A transfer that moved nothing is more likely to have reached the end of its source than to have failed. */
		mio_trace_counters_timed(&trace->counters, transfer.operation, transfer.ns);
		record(trace, &transfer, 0, 0);
	} else {
		mio_trace_counters_failed(&trace->counters, transfer.operation, MIO_TRACE_NO_REQUEST, transfer.ns, done);
		record(trace, &transfer, done < 0 ? done : INT64_MIN, 0);
	}
}

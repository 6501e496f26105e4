/*
 * Counts and times the calls that pass (design section 5). It shows the time spent in the layers below it: above a cache it shows
 * what the program sees, below a cache what the cache sees (reference 1.3). It changes nothing: every call goes down as it
 * came, and every result comes back as it is.
 */
#include "../common/clock.h"
#include "../common/hot.h"
#include "../common/memory.h"
#include "../common/raw.h"
#include "../layer/layer_file_system.h"
#include "../layer/layer_flags.h"
#include "trace_open.h"
#include "trace_transfer.h"

static int is_aligned(const struct mio_trace_counters *counters, const void *memory)
{
	return !counters->direct || (uint64_t)(uintptr_t)memory % (uint64_t)counters->sector_bytes == 0;
}

static int are_aligned(const struct mio_trace_counters *counters, const struct iovec *vector, int count)
{
	for (int i = 0; counters->direct && i < count; i++)
		if (!is_aligned(counters, vector[i].iov_base))
			return 0;
	return 1;
}

static int64_t length_of(const struct iovec *vector, int count)
{
	int64_t sum = 0;

	for (int i = 0; i < count; i++)
		sum += (int64_t)vector[i].iov_len;
	return sum;
}

/* Counts a synchronous read or write when it has ended. */
static inline __attribute__((always_inline)) void count(struct mio_trace_counters *counters,
							struct mio_trace_transfer *transfer)
{
	transfer->ns = mio_clock_since(transfer->began);
	if (__builtin_expect(transfer->moved >= 0, 1))
		transfer->offset = mio_trace_counters_transferred(counters, transfer);
	else
		mio_trace_counters_failed(counters, transfer->operation, transfer->wanted, transfer->ns,
					  (int)transfer->moved);
}

/* The same, and records an event. */
static __attribute__((noinline)) void count_and_record(struct mio_trace_open *trace, struct mio_trace_transfer transfer)
{
	struct mio_trace_call call = {
		.operation = transfer.operation,
		.appends = transfer.offset == MIO_LAYER_APPEND,
		.requested = transfer.wanted,
		.result = transfer.moved,
		.began = transfer.began,
	};

	count(&trace->counters, &transfer);
	call.offset = transfer.offset;
	call.ns = transfer.ns;
	mio_trace_events_call(&trace->events, &call);
}

/* Inline in each of the four transfer functions: without events the compiler then keeps the whole transfer in registers. */
static inline __attribute__((always_inline)) int64_t moved(struct mio_trace_open *trace, struct mio_trace_transfer transfer)
{
	if (__builtin_expect(trace->events.writer != NULL, 0))
		count_and_record(trace, transfer);
	else
		count(&trace->counters, &transfer);
	return transfer.moved;
}

static MIO_HOT int64_t trace_read(struct mio_layer *layer, void *memory, size_t length, int64_t offset)
{
	struct mio_trace_open *trace = mio_trace_open_of(layer);
	uint64_t began = mio_clock_ticks();
	int64_t result = layer->next->ops->read(layer->next, memory, length, offset);

	return moved(trace, (struct mio_trace_transfer){
				    .operation = MIO_TRACE_READ,
				    .offset = offset,
				    .wanted = (int64_t)length,
				    .moved = result,
				    .began = began,
				    .aligned = is_aligned(&trace->counters, memory),
			    });
}

static int64_t trace_readv(struct mio_layer *layer, const struct iovec *vector, int count, int64_t offset)
{
	struct mio_trace_open *trace = mio_trace_open_of(layer);
	uint64_t began = mio_clock_ticks();
	int64_t result = layer->next->ops->readv(layer->next, vector, count, offset);

	return moved(trace, (struct mio_trace_transfer){
				    .operation = MIO_TRACE_READ,
				    .offset = offset,
				    .wanted = length_of(vector, count),
				    .moved = result,
				    .began = began,
				    .aligned = are_aligned(&trace->counters, vector, count),
			    });
}

static MIO_HOT int64_t trace_write(struct mio_layer *layer, const void *memory, size_t length, int64_t offset)
{
	struct mio_trace_open *trace = mio_trace_open_of(layer);
	uint64_t began = mio_clock_ticks();
	int64_t result = layer->next->ops->write(layer->next, memory, length, offset);

	return moved(trace, (struct mio_trace_transfer){
				    .operation = MIO_TRACE_WRITE,
				    .offset = offset,
				    .wanted = (int64_t)length,
				    .moved = result,
				    .began = began,
				    .aligned = is_aligned(&trace->counters, memory),
			    });
}

static int64_t trace_writev(struct mio_layer *layer, const struct iovec *vector, int count, int64_t offset)
{
	struct mio_trace_open *trace = mio_trace_open_of(layer);
	uint64_t began = mio_clock_ticks();
	int64_t result = layer->next->ops->writev(layer->next, vector, count, offset);

	return moved(trace, (struct mio_trace_transfer){
				    .operation = MIO_TRACE_WRITE,
				    .offset = offset,
				    .wanted = length_of(vector, count),
				    .moved = result,
				    .began = began,
				    .aligned = are_aligned(&trace->counters, vector, count),
			    });
}

static MIO_HOT void trace_seek(struct mio_layer *layer, int64_t offset)
{
	mio_trace_counters_seek(&mio_trace_open_of(layer)->counters, offset);
	layer->next->ops->seek(layer->next, offset);
}

/* Counts and records a call that moves no data, when it has ended. */
static int64_t timed(struct mio_layer *layer, enum mio_trace_operation operation, int64_t offset, int64_t result,
		     uint64_t began)
{
	struct mio_trace_open *trace = mio_trace_open_of(layer);
	struct mio_trace_call call = {
		.operation = operation,
		.offset = offset,
		.result = result < 0 ? result : 0,
		.began = began,
		.ns = mio_clock_since(began),
	};

	if (result >= 0)
		mio_trace_counters_timed(&trace->counters, operation, call.ns);
	else
		mio_trace_counters_failed(&trace->counters, operation, 0, call.ns, (int)result);
	mio_trace_events_call(&trace->events, &call);
	return result;
}

static int64_t trace_size(struct mio_layer *layer)
{
	uint64_t began = mio_clock_ticks();
	int64_t size = timed(layer, MIO_TRACE_FSTAT, MIO_TRACE_NO_OFFSET, layer->next->ops->size(layer->next), began);

	if (size >= 0)
		mio_trace_counters_sized(&mio_trace_open_of(layer)->counters, size);
	return size;
}

static int trace_truncate(struct mio_layer *layer, int64_t size)
{
	uint64_t began = mio_clock_ticks();
	int64_t rc = timed(layer, MIO_TRACE_TRUNC, size, layer->next->ops->truncate(layer->next, size), began);

	if (rc == 0)
		mio_trace_counters_truncated(&mio_trace_open_of(layer)->counters, size);
	return (int)rc;
}

static int trace_flush(struct mio_layer *layer, int metadata)
{
	uint64_t began = mio_clock_ticks();

	return (int)timed(layer, MIO_TRACE_FSYNC, MIO_TRACE_NO_OFFSET,
			  layer->next->ops->flush(layer->next, metadata), began);
}

static enum mio_trace_operation operation_of_io(const struct mio_io *io)
{
	return io->write ? MIO_TRACE_AWRITE : MIO_TRACE_AREAD;
}

static struct mio_trace_call call_of(const struct mio_io *io, uint64_t began)
{
	struct mio_trace_call call = {
		.operation = operation_of_io(io),
		.offset = io->offset,
		.requested = (int64_t)io->requested,
		.began = began,
		.number = io->number,
	};

	return call;
}

static void completed(struct mio_io *io, void *context)
{
	struct mio_trace_open *trace = context;

	struct mio_trace_call call = call_of(io, (uint64_t)io->started_ns);

	call.result = io->result;
	if (io->result >= 0) {
		call.ns = mio_trace_counters_completed(&trace->counters, call.operation, io->offset, call.requested,
						       io->result, call.began);
	} else {
		mio_trace_counters_failed_later(&trace->counters, call.operation, call.requested, (int)io->result);
		call.ns = trace->events.writer ? mio_clock_since(call.began) : 0;
	}
	mio_trace_events_end(&trace->events, &call);
}

/* Counts a request before it goes down: when submit returns, the request may be complete, and the file closed and reported. */
static void submitting(struct mio_trace_open *trace, struct mio_io *io, uint64_t began)
{
	/* Ticks. All trace layers share this field; their times differ only by the cost of the layers between them. */
	io->started_ns = (int64_t)began;
	if (trace->events.writer && !io->number)
		io->number = mio_trace_events_number();
	mio_io_before(io, completed, trace);
	mio_trace_counters_submitting(&trace->counters, operation_of_io(io), io->offset, (int64_t)io->requested,
				      is_aligned(&trace->counters, io->memory));
}

static int trace_submit(struct mio_layer *layer, struct mio_io *io)
{
	struct mio_trace_counters *counters = &mio_trace_open_of(layer)->counters;
	enum mio_trace_operation operation = operation_of_io(io);
	int64_t wanted = (int64_t)io->requested;
	uint64_t began = mio_clock_ticks();
	struct mio_trace_call call;
	int rc;

	submitting(mio_trace_open_of(layer), io, began);
	call = call_of(io, began);
	rc = layer->next->ops->submit(layer->next, io);
	call.ns = mio_clock_since(began);
	mio_trace_counters_submitted(counters, operation, call.ns);
	if (rc < 0) {
		mio_io_forget(io, completed, mio_trace_open_of(layer));
		mio_trace_counters_failed_later(counters, operation, wanted, rc);
		call.result = rc;
	}
	mio_trace_events_call(&mio_trace_open_of(layer)->events, &call);
	return rc;
}

/* The time of the whole call counts for the first request. */
static void trace_submit_all(struct mio_layer *layer, struct mio_io **list, int count)
{
	struct mio_trace_open *trace = mio_trace_open_of(layer);
	uint64_t began = mio_clock_ticks();
	struct mio_trace_call first;

	if (count <= 0)
		return;
	for (int i = 0; i < count; i++)
		submitting(trace, list[i], began);
	/* The requests after the first are recorded now, because they may be gone when the call returns. */
	for (int i = 1; i < count; i++) {
		struct mio_trace_call call = call_of(list[i], began);

		mio_trace_events_call(&trace->events, &call);
	}
	first = call_of(list[0], began);
	layer->next->ops->submit_all(layer->next, list, count);
	first.ns = mio_clock_since(began);
	mio_trace_counters_submitted(&trace->counters, first.operation, first.ns);
	mio_trace_events_call(&trace->events, &first);
}

static void trace_await(struct mio_layer *layer, struct mio_io *io, int wait)
{
	enum mio_trace_operation operation = operation_of_io(io);
	uint64_t began = wait ? mio_clock_ticks() : 0;

	layer->next->ops->await(layer->next, io, wait);
	mio_trace_counters_suspended(&mio_trace_open_of(layer)->counters, operation, wait ? mio_clock_since(began) : 0);
}

static int trace_close(struct mio_layer *layer)
{
	uint64_t began = mio_clock_ticks();
	struct mio_trace_call call = {
		.operation = MIO_TRACE_CLOSE,
		.offset = MIO_TRACE_NO_OFFSET,
		.result = layer->next->ops->close(layer->next),
		.began = began,
	};

	call.ns = mio_clock_since(began);
	if (call.result < 0)
		mio_trace_counters_failed(&mio_trace_open_of(layer)->counters, MIO_TRACE_CLOSE, 0, call.ns, (int)call.result);
	else
		mio_trace_counters_timed(&mio_trace_open_of(layer)->counters, MIO_TRACE_CLOSE, call.ns);
	mio_trace_counters_closed(&mio_trace_open_of(layer)->counters);
	mio_trace_events_call(&mio_trace_open_of(layer)->events, &call);
	return (int)call.result;
}

static void trace_release(struct mio_layer *layer)
{
	mio_trace_counters_free(&mio_trace_open_of(layer)->counters);
	mio_memory_give(layer, sizeof(struct mio_trace_open));
}

static const struct mio_layer_ops trace_ops = {
	.read = trace_read,
	.readv = trace_readv,
	.write = trace_write,
	.writev = trace_writev,
	.seek = trace_seek,
	.size = trace_size,
	.truncate = trace_truncate,
	.flush = trace_flush,
	.publish = mio_forward_publish,
	.bypass_begin = mio_trace_bypass_begin,
	.bypass_end = mio_trace_bypass_end,
	.submit = trace_submit,
	.submit_all = trace_submit_all,
	.reserve = mio_forward_reserve,
	.await = trace_await,
	.close = trace_close,
	.release = trace_release,
};

void mio_trace_layer_record(struct mio_layer *layer, struct mio_trace_writer *writer, uint32_t sample, int place,
			    const struct mio_open_request *request)
{
	struct mio_trace_open *trace = mio_trace_open_of(layer);
	struct mio_trace_station station = {place, layer->name, trace->above, trace->below};

	mio_trace_events_begin(&trace->events, writer, sample, &station, request);
}

struct mio_layer *mio_trace_layer_make(const struct mio_layer_spec *spec, struct mio_layer *next, const char *above,
				       const struct mio_open_request *request)
{
	struct mio_trace_open *trace = mio_memory_take(sizeof(*trace));
	struct mio_live_trace *whole;

	if (!trace)
		return NULL;
	if (mio_trace_counters_init(&trace->counters, request) < 0) {
		mio_memory_give(trace, sizeof(*trace));
		return NULL;
	}
	trace->layer.ops = &trace_ops;
	trace->layer.next = next;
	trace->layer.name = spec->typed_name;
	trace->name = request->name;
	trace->above = above;
	trace->below = next->name;
	trace->unit = mio_stats_unit_of(spec->values[MIO_TRACE_OPTION_UNIT].text);
	trace->oflags = mio_flags_shown(request->oflags);
	trace->mode = request->mode;
	trace->opened_ns = request->opened_ns;
	trace->device = request->device;
	trace->sector_bytes = mio_open_sector_bytes(request);
	whole = trace->counters.whole;
	whole->oflags = trace->oflags;
	whole->unit_shift = trace->unit->shift;
	mio_live_text(whole->above, sizeof(whole->above), above);
	mio_live_text(whole->below, sizeof(whole->below), trace->below);
	mio_trace_counters_show(&trace->counters);
	mio_trace_counters_timed(&trace->counters, MIO_TRACE_OPEN, request->open_ns);
	return &trace->layer;
}

void *mio_trace_layer_live(struct mio_layer *layer)
{
	return mio_trace_open_of(layer)->counters.whole;
}

void mio_trace_layer_show_decision(struct mio_layer *layer, const char *what, const char *reason)
{
	struct mio_trace_counters *counters = &mio_trace_open_of(layer)->counters;

	mio_live_decided(&counters->decisions, counters->whole, what, reason);
}

void mio_trace_layer_decided(struct mio_layer *layer, const char *what, const char *reason)
{
	struct mio_trace_events *events = &mio_trace_open_of(layer)->events;
	struct mio_trace_words words[] = {
		{MIO_TRACE_TEXT_WHAT, what},
		{MIO_TRACE_TEXT_REASON, reason},
		{MIO_TRACE_TEXT_WHAT, NULL},
	};

	if (events->writer)
		mio_trace_writer_decide(events->writer, events->file, mio_trace_writer_ns(events->writer, mio_clock_ns()),
					(uint32_t)mio_raw0(SYS_gettid), words);
}

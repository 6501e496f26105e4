#include "trace_transfer.h"

#include <errno.h>
#include <fcntl.h>

#include "../common/hot.h"
#include "../common/memory.h"
#include "../common/raw.h"
#include "../layer/layer_file_system.h"

/* How long to wait for the owner of a stripe, nanoseconds. An owner needs its stripe only for a few stores. */
#define OWNER_NS_MAX 20000000

/* The number of stripes: a power of two, at least twice the processors that the thread may use, but at most MIO_TRACE_STRIPES_MAX. */
static unsigned int stripes(void)
{
	static _Atomic unsigned int known;
	unsigned int count = atomic_load_explicit(&known, memory_order_relaxed);
	enum { BYTES = 1024 };
	uint64_t *processors;
	long bytes;
	unsigned int usable = 0;

	if (count)
		return count;
	/* The program's stack may be small. */
	processors = mio_memory_take(BYTES);
	bytes = processors ? mio_raw3(SYS_sched_getaffinity, 0, BYTES, processors) : 0;
	for (long i = 0; i < bytes / 8; i++)
		usable += (unsigned int)__builtin_popcountll(processors[i]);
	mio_memory_give(processors, BYTES);
	for (count = 2; count < 2 * usable && count < MIO_TRACE_STRIPES_MAX; count *= 2)
		;
	atomic_store_explicit(&known, count, memory_order_relaxed);
	return count;
}

static struct mio_trace_stripe *make(struct mio_trace_counters *counters, struct mio_trace_stripe *before)
{
	struct mio_trace_stripe *stripe = mio_live_take(MIO_LIVE_STRIPE, counters->whole);

	if (stripe) {
		mio_trace_stripe_init(stripe);
		stripe->before = before;
		mio_trace_stripe_own(stripe);
	}
	return stripe;
}

int mio_trace_counters_init(struct mio_trace_counters *counters, const struct mio_open_request *request)
{
	struct mio_live_trace *whole = mio_live_take(MIO_LIVE_TRACE, NULL);
	int64_t sector;

	if (!whole)
		return -ENOMEM;
	counters->whole = whole;
	counters->last_slot = stripes() - 1;
	mio_file_system_see(request);
	sector = mio_open_sector_bytes(request);
	mio_clock_ticks_begin();
	counters->direct = (request->oflags & O_DIRECT) != 0;
	counters->sector_bytes = counters->direct && sector > 0 ? sector : 1;
	counters->seen_ticks = mio_clock_ticks();
	counters->seen_since_open_ns = mio_clock_ns() - request->opened_ns;
	whole->last_offset = -1;
	whole->last_end = -1;
	whole->current_size = request->size_bytes;
	whole->submitted_size = request->size_bytes;
	whole->max_size = request->size_bytes;
	whole->opened_ns = request->opened_ns;
	whole->mode = request->mode;
	whole->sector_bytes = sector;
	whole->direct = counters->direct;
	whole->device = request->device;
	mio_live_name(whole->name, &whole->name_length, request->name);
	return 0;
}

void mio_trace_counters_show(struct mio_trace_counters *counters)
{
	mio_live_show(counters->whole);
}

void mio_trace_counters_free(struct mio_trace_counters *counters)
{
	for (int i = 0; i < MIO_TRACE_STRIPES_MAX; i++) {
		struct mio_trace_stripe *stripe = counters->stripes[i];

		while (stripe) {
			struct mio_trace_stripe *before = stripe->before;

			mio_live_give(stripe);
			stripe = before;
		}
		counters->stripes[i] = NULL;
	}
	mio_live_give(atomic_load(&counters->decisions));
	mio_live_give(counters->whole);
}

/* The stripe at slot, made if there is none, owned by this thread; NULL if another thread owns it. */
static struct mio_trace_stripe *own_at(struct mio_trace_counters *counters, unsigned int slot)
{
	struct mio_trace_stripe *stripe = atomic_load_explicit(&counters->stripes[slot], memory_order_acquire);

	if (!stripe) {
		struct mio_trace_stripe *fresh = make(counters, NULL);

		if (fresh && atomic_compare_exchange_strong(&counters->stripes[slot], &stripe, fresh)) {
			mio_live_show(fresh);
			return fresh;
		}
		mio_live_give(fresh);
	}
	return stripe && mio_trace_stripe_own(stripe) ? stripe : NULL;
}

/* Replaces a stripe whose owner does not release it, maybe because its thread was ended. If the owner does come back, nothing is lost either. */
static struct mio_trace_stripe *replace(struct mio_trace_counters *counters, unsigned int slot)
{
	struct mio_trace_stripe *lost = atomic_load_explicit(&counters->stripes[slot], memory_order_acquire);
	struct mio_trace_stripe *fresh = make(counters, lost);

	if (fresh && atomic_compare_exchange_strong(&counters->stripes[slot], &lost, fresh)) {
		mio_live_show(fresh);
		return fresh;
	}
	mio_live_give(fresh);
	return NULL;
}

/* A free stripe that another thread has made, owned by this thread; else NULL. */
static struct mio_trace_stripe *own_other(struct mio_trace_counters *counters, unsigned int slot)
{
	unsigned int last = counters->last_slot;

	for (unsigned int i = 1; i <= last; i++) {
		struct mio_trace_stripe *stripe =
			atomic_load_explicit(&counters->stripes[(slot + i) & last], memory_order_acquire);

		if (stripe && mio_trace_stripe_own(stripe))
			return stripe;
	}
	return NULL;
}

struct mio_trace_stripe *mio_trace_counters_own_slowly(struct mio_trace_counters *counters, unsigned int slot)
{
	unsigned int last = counters->last_slot;
	int64_t since = 0;

	/* A thread gets a stripe of its own only when it meets another thread: a file that many use in turns then costs no more than one of one thread. */
	if (!atomic_load_explicit(&counters->stripes[slot], memory_order_acquire)) {
		struct mio_trace_stripe *stripe = own_other(counters, slot);

		if (stripe)
			return stripe;
	}
	for (unsigned int tries = 0;; tries++) {
		struct mio_trace_stripe *stripe = own_at(counters, (slot + tries) & last);

		if (stripe)
			return stripe;
		if ((tries & last) != last)
			continue;
		/* All stripes are taken, so an owner has probably lost its processor: let it run. */
		if (since == 0)
			since = mio_clock_ns();
		if (mio_clock_ns() - since > OWNER_NS_MAX)
			return replace(counters, slot);
		mio_raw0(SYS_sched_yield);
	}
}

void mio_trace_counters_timed(struct mio_trace_counters *counters, enum mio_trace_operation operation, int64_t ns)
{
	struct mio_trace_stripe *mine = mio_trace_counters_own(counters);

	if (!mine)
		return;
	mio_trace_stripe_call(mine, operation, ns);
	mio_trace_stripe_release(mine);
}

/* Raises field to value. Returns 1 if field was less; *before: the old value. */
static int raise_to(_Atomic int64_t *field, int64_t value, int64_t *before)
{
	*before = mio_trace_get(field);
	while (value > *before)
		if (atomic_compare_exchange_weak(field, before, value))
			return 1;
	return 0;
}

MIO_HOT void mio_trace_counters_seek(struct mio_trace_counters *counters, int64_t offset)
{
	struct mio_trace_stripe *mine = mio_trace_counters_own(counters);

	if (!mine)
		return;
	mio_trace_stripe_call(mine, MIO_TRACE_SEEK, 0);
	mine->seek_delta += offset - mio_trace_get(&counters->whole->position);
	mio_trace_set(&counters->whole->position, offset);
	mio_trace_stripe_release(mine);
}

void mio_trace_counters_form(const struct mio_trace_counters *counters, struct mio_trace_stripe *mine, int64_t offset,
			     int64_t wanted, int aligned)
{
	if (offset % counters->sector_bytes != 0 || wanted % counters->sector_bytes != 0)
		mine->ill_formed++;
	if (!aligned)
		mine->misaligned++;
}

static void raise_max(struct mio_trace_counters *counters, int64_t size)
{
	int64_t before;

	raise_to(&counters->whole->max_size, size, &before);
}

static int grow(struct mio_trace_counters *counters, int64_t end)
{
	int64_t before;

	if (!raise_to(&counters->whole->current_size, end, &before))
		return 0;
	raise_max(counters, end);
	return 1;
}

void mio_trace_counters_wrote(struct mio_trace_counters *counters, struct mio_trace_stripe *mine, int64_t end,
			      int64_t bytes, int appended)
{
	if (appended) {
		raise_max(counters, end);
		mine->extensions += bytes > 0;
	} else {
		mine->extensions += grow(counters, end);
	}
}

static int is_write(enum mio_trace_operation operation)
{
	return operation == MIO_TRACE_WRITE || operation == MIO_TRACE_AWRITE;
}

static int extends_file(struct mio_trace_counters *counters, int64_t end)
{
	int64_t before;

	return raise_to(&counters->whole->submitted_size, end, &before) && end > mio_trace_get(&counters->whole->current_size);
}

void mio_trace_counters_submitting(struct mio_trace_counters *counters, enum mio_trace_operation operation,
				   int64_t offset, int64_t wanted, int aligned)
{
	int lengthens = is_write(operation) && extends_file(counters, offset + wanted);
	struct mio_trace_stripe *mine = mio_trace_counters_own(counters);

	if (!mine)
		return;
	mio_trace_stripe_call(mine, operation, 0);
	mio_trace_stripe_requested(mine, operation, is_write(operation), wanted);
	mine->extensions += lengthens;
	mio_trace_set(&counters->whole->position, offset + wanted);
	if (counters->direct)
		mio_trace_counters_form(counters, mine, offset, wanted, aligned);
	mio_trace_stripe_release(mine);
}

void mio_trace_counters_submitted(struct mio_trace_counters *counters, enum mio_trace_operation operation, int64_t ns)
{
	struct mio_trace_stripe *mine = mio_trace_counters_own(counters);

	if (!mine)
		return;
	mine->rows[operation].ns += ns;
	mio_trace_stripe_release(mine);
}

int64_t mio_trace_counters_completed(struct mio_trace_counters *counters, enum mio_trace_operation operation,
				  int64_t offset, int64_t wanted, int64_t moved, uint64_t began)
{
	int write = is_write(operation);
	int64_t ns = mio_clock_since(began);
	enum mio_trace_pattern lies = mio_trace_pattern_of(counters->whole, offset, moved);
	struct mio_trace_stripe *mine = mio_trace_counters_own(counters);

	if (!mine)
		return ns;
	mio_trace_stripe_delivered(mine, operation, write, moved, lies, mio_trace_since_open(counters, began) + ns);
	(write ? mine->write_ns : mine->read_ns)[mio_trace_bucket(ns)]++;
	/* submitting moved the position by the bytes asked for, but the data moved it by fewer. */
	mine->seek_delta += wanted - moved;
	if (write)
		grow(counters, offset + moved);
	mio_trace_stripe_release(mine);
	return ns;
}

void mio_trace_counters_suspended(struct mio_trace_counters *counters, enum mio_trace_operation operation, int64_t ns)
{
	struct mio_trace_stripe *mine = mio_trace_counters_own(counters);

	if (!mine)
		return;
	mine->rows[operation].suspends++;
	mine->rows[operation].suspend_ns += ns;
	mio_trace_stripe_release(mine);
}

void mio_trace_counters_truncated(struct mio_trace_counters *counters, int64_t size)
{
	struct mio_trace_stripe *mine;
	int64_t before;

	if (grow(counters, size)) {
		raise_to(&counters->whole->submitted_size, size, &before);
		mine = mio_trace_counters_own(counters);
		if (!mine)
			return;
		mine->extensions++;
		mio_trace_stripe_release(mine);
		return;
	}
	mio_trace_set(&counters->whole->current_size, size);
	before = mio_trace_get(&counters->whole->submitted_size);
	while (size < before && !atomic_compare_exchange_weak(&counters->whole->submitted_size, &before, size))
		;
}

void mio_trace_counters_sized(struct mio_trace_counters *counters, int64_t size)
{
	mio_trace_set(&counters->whole->current_size, size);
	raise_max(counters, size);
}

int64_t mio_trace_counters_within(struct mio_trace_counters *counters, int64_t offset, int64_t length)
{
	int64_t rest = mio_trace_get(&counters->whole->current_size) - offset;

	if (rest < 0)
		rest = 0;
	return length < rest ? length : rest;
}

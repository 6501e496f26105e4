/* The part of the counters for failures, and for what a report asks for. */
#include <string.h>

#include "../common/memory.h"
#include "../common/raw.h"
#include "../layer/layer_error.h"
#include "trace_counters.h"

/* How long to wait for the owners of stripes, nanoseconds: threads that died while they owned one must not block a report. */
#define OWNERS_NS_MAX 200000000

static int find(const struct mio_trace_counters *counters, int number)
{
	int i = 0;

	while (i < counters->whole->error_count && counters->error_numbers[i] != number)
		i++;
	return i;
}

static const char *word_of(int number)
{
	return number == 0 ? "other" : mio_error_name(number);
}

static void name(struct mio_trace_counters *counters, int error)
{
	struct mio_live_trace *whole = counters->whole;
	int number = error < 0 ? -error : error;
	int i;

	mio_lock_acquire(&counters->error_lock);
	i = find(counters, number);
	if (i == whole->error_count && i >= MIO_TRACE_ERRORS_MAX) {
		number = 0;
		i = find(counters, number);
	}
	counters->error_numbers[i] = number;
	whole->errors[i].count++;
	if (i == whole->error_count) {
		mio_live_text(whole->errors[i].name, sizeof(whole->errors[i].name), word_of(number));
		whole->error_count++;
	}
	mio_lock_release(&counters->error_lock);
}

void mio_trace_counters_failed(struct mio_trace_counters *counters, enum mio_trace_operation operation, int64_t wanted,
			       int64_t ns, int error)
{
	struct mio_trace_stripe *mine = mio_trace_counters_own(counters);

	if (mine) {
		mio_trace_stripe_call(mine, operation, ns);
		mine->rows[operation].errors++;
		if (mio_trace_operation_shape(operation) != MIO_TRACE_TIMED && wanted != MIO_TRACE_NO_REQUEST)
			mio_trace_stripe_requested(mine, operation, operation == MIO_TRACE_WRITE, wanted);
		mio_trace_stripe_release(mine);
	}
	name(counters, error);
}

void mio_trace_counters_failed_later(struct mio_trace_counters *counters, enum mio_trace_operation operation,
				     int64_t wanted, int error)
{
	struct mio_trace_stripe *mine = mio_trace_counters_own(counters);

	if (mine) {
		mine->rows[operation].errors++;
		mine->seek_delta += wanted;
		mio_trace_stripe_release(mine);
	}
	name(counters, error);
}

void mio_trace_counters_closed(struct mio_trace_counters *counters)
{
	atomic_store_explicit(&counters->whole->closed_ns, mio_clock_ns(), memory_order_relaxed);
}

/* Copies a stripe that another thread owns: each word by one load, so that none is half old and half new. Nothing else here reads without owning. */
__attribute__((no_sanitize("thread"))) static void copy_beside(const struct mio_trace_stripe *from,
								struct mio_trace_stripe *to)
{
	const int64_t *words = (const int64_t *)(const void *)from;
	int64_t *copies = (int64_t *)(void *)to;

	for (size_t i = 0; i < sizeof(*from) / sizeof(*words); i++)
		copies[i] = __atomic_load_n(&words[i], __ATOMIC_RELAXED);
}

static void add_beside(const struct mio_trace_stripe *stripe, struct mio_trace_stripe *sum)
{
	struct mio_trace_stripe *copy = mio_memory_take(sizeof(*copy));

	if (copy) {
		copy_beside(stripe, copy);
		mio_trace_stripe_add(copy, sum);
	}
	mio_memory_give(copy, sizeof(*copy));
}

void mio_trace_counters_sum(struct mio_trace_counters *counters, struct mio_trace_stripe *sum)
{
	int64_t until = mio_clock_ns() + OWNERS_NS_MAX;

	mio_trace_stripe_init(sum);
	for (int i = 0; i < MIO_TRACE_STRIPES_MAX; i++) {
		struct mio_trace_stripe *stripe =
			atomic_load_explicit(&counters->stripes[i], memory_order_acquire);

		for (; stripe; stripe = stripe->before) {
			int owned = mio_trace_stripe_own(stripe);

			while (!owned && mio_clock_ns() < until) {
				mio_raw0(SYS_sched_yield);
				owned = mio_trace_stripe_own(stripe);
			}
			if (owned) {
				mio_trace_stripe_add(stripe, sum);
				mio_trace_stripe_release(stripe);
			} else {
				add_beside(stripe, sum);
			}
		}
	}
}

static void sort(struct mio_trace_error *errors, int count)
{
	for (int i = 1; i < count; i++) {
		struct mio_trace_error one = errors[i];
		int at = i;

		while (at > 0 && strcmp(errors[at - 1].name, one.name) > 0) {
			errors[at] = errors[at - 1];
			at--;
		}
		errors[at] = one;
	}
}

int mio_trace_counters_errors(struct mio_trace_counters *counters, struct mio_trace_error *errors)
{
	int count;

	mio_lock_acquire(&counters->error_lock);
	count = (int)counters->whole->error_count;
	for (int i = 0; i < count; i++) {
		errors[i].name = word_of(counters->error_numbers[i]);
		errors[i].count = counters->whole->errors[i].count;
	}
	mio_lock_release(&counters->error_lock);
	sort(errors, count);
	return count;
}

/* What a trace layer counts from several threads: no sum is lost. */
#include "trace_over.h"

#include <fcntl.h>
#include <pthread.h>

enum { THREADS = 4, APPENDS = 20000 };

static void should_count_on_after_threads_that_died_while_counting(void)
{
	struct mio_layer *layer = trace(O_RDWR);
	struct mio_trace_counters *counters = &mio_trace_open_of(layer)->counters;

	for (int i = 0; i < 40; i++) {
		/* A stripe that is never given back. */
		struct mio_trace_stripe *mine = mio_trace_counters_own(counters);

		ASSERT(mine);
		mio_trace_stripe_call(mine, MIO_TRACE_READ, 0);
	}
	mio_trace_counters_timed(counters, MIO_TRACE_FSYNC, 0);
	ASSERT_EQUAL(40, counted(layer)->rows[MIO_TRACE_READ].count);
	ASSERT_EQUAL(1, counted(layer)->rows[MIO_TRACE_FSYNC].count);
	layer->ops->release(layer);
}

static pthread_barrier_t barrier;

static void *append_all(void *layer)
{
	pthread_barrier_wait(&barrier);
	for (int i = 0; i < APPENDS; i++)
		ASSERT_EQUAL(10, write_at(layer, 10, MIO_LAYER_APPEND));
	return NULL;
}

static void in_threads(void *(*work)(void *layer), void *layer)
{
	pthread_t threads[THREADS];

	pthread_barrier_init(&barrier, NULL, THREADS);
	for (int i = 0; i < THREADS; i++)
		ASSERT_EQUAL(0, pthread_create(&threads[i], NULL, work, layer));
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	pthread_barrier_destroy(&barrier);
}

static void should_see_every_append_of_several_threads_lengthen_the_file(void)
{
	struct mio_layer *layer = trace(O_WRONLY | O_APPEND);

	in_threads(append_all, layer);
	ASSERT_EQUAL(THREADS * APPENDS, counted(layer)->extensions);
	ASSERT_EQUAL(THREADS * APPENDS * 10, mio_trace_open_of(layer)->counters.whole->current_size);
	ASSERT_EQUAL(THREADS * APPENDS * 10, mio_trace_open_of(layer)->counters.whole->max_size);
	end(layer);
}

static void *seek_in_turn(void *layer)
{
	static _Atomic int turn;
	int mine;

	pthread_barrier_wait(&barrier);
	mine = atomic_fetch_add(&turn, 1);
	for (int i = 0; i < THREADS; i++) {
		if (i == mine % THREADS)
			mio_trace_counters_seek(&mio_trace_open_of(layer)->counters, i);
		pthread_barrier_wait(&barrier);
	}
	return NULL;
}

static void should_make_no_more_shares_than_threads_that_meet(void)
{
	struct mio_layer *layer = trace(O_RDONLY);
	struct mio_trace_counters *counters = &mio_trace_open_of(layer)->counters;
	int shares = 0;

	in_threads(seek_in_turn, layer);
	ASSERT_EQUAL(THREADS, counted(layer)->rows[MIO_TRACE_SEEK].count);
	for (int i = 0; i < MIO_TRACE_STRIPES_MAX; i++)
		shares += counters->stripes[i] != NULL;
	ASSERT_EQUAL(1, shares);
	end(layer);
}

enum { CALLS = 20000 };

static void *seek_and_read(void *layer)
{
	pthread_barrier_wait(&barrier);
	for (int i = 0; i < CALLS; i++) {
		struct mio_layer *trace_layer = layer;

		trace_layer->ops->seek(layer, i);
		ASSERT_EQUAL(7, read_at(layer, 7, i));
		if (i % 1000 == 0) {
			struct mio_stats_source source = mio_trace_layer_source(layer);
			struct mio_text text = {0};

			source.block(source.context, MIO_STATS_INTER, 1, &text);
			ASSERT(text.length > 0);
			mio_text_clear(&text);
		}
	}
	return NULL;
}

static void should_lose_no_count_when_many_threads_share_a_file(void)
{
	struct mio_layer *layer = trace(O_RDONLY);
	const struct mio_trace_stripe *all;
	int64_t calls = (int64_t)THREADS * CALLS;

	os.size = INT64_MAX / 2;
	in_threads(seek_and_read, layer);
	all = counted(layer);
	ASSERT_EQUAL(calls, all->rows[MIO_TRACE_READ].count);
	ASSERT_EQUAL(7 * calls, all->rows[MIO_TRACE_READ].delivered);
	ASSERT_EQUAL(calls, all->rows[MIO_TRACE_SEEK].count);
	ASSERT_EQUAL(calls, total(all->read_ns, MIO_TRACE_BUCKETS));
	ASSERT_EQUAL(calls, total(all->read_bytes, MIO_TRACE_BUCKETS));
	ASSERT_EQUAL(7 * calls, total(all->activity_read, MIO_TRACE_BINS));
	ASSERT_EQUAL(7 * calls, total(all->pattern_bytes, MIO_TRACE_PATTERNS));
	end(layer);
}

int main(void)
{
	RUN(should_count_on_after_threads_that_died_while_counting);
	RUN(should_see_every_append_of_several_threads_lengthen_the_file);
	RUN(should_make_no_more_shares_than_threads_that_meet);
	RUN(should_lose_no_count_when_many_threads_share_a_file);
	return TEST_RESULT();
}

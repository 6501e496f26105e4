/* What a trace layer counts for calls that end in another way than asked for, and in many layers; and small sums. Twin of TraceEndTest. */
#include "../src/trace/trace_layer.h"
#include "../src/trace/trace_open.h"
#include "null_os.h"

#include <errno.h>
#include <fcntl.h>

enum { LAYERS = 9 };

static struct null_os os;
static struct mio_layer_spec spec;
static struct mio_trace_stripe sum;

static struct mio_layer *trace_over(struct mio_layer *below)
{
	struct mio_open_request request = {.name = "test.dat", .oflags = O_RDWR, .mode = 0640, .size_bytes = os.size, .sector_bytes = 4096, .fd = -1};
	struct mio_layer *layer;

	spec.kind = MIO_LAYER_TRACE;
	spec.typed_name = "trace";
	spec.values[MIO_TRACE_OPTION_UNIT].text = "kbytes";
	layer = mio_trace_layer_make(&spec, below, "program", &request);
	ASSERT(layer);
	return layer;
}

static const struct mio_trace_row *row(struct mio_layer *layer, enum mio_trace_operation operation)
{
	memset(&sum, 0, sizeof(sum));
	mio_trace_counters_sum(&mio_trace_open_of(layer)->counters, &sum);
	return &sum.rows[operation];
}

static void should_count_a_close_that_fails(void)
{
	struct mio_layer *layer;

	null_init(&os);
	layer = trace_over(&os.layer);
	os.failure = -ENOSPC;
	ASSERT_EQUAL(-ENOSPC, layer->ops->close(layer));
	ASSERT_EQUAL(1, row(layer, MIO_TRACE_CLOSE)->count);
	ASSERT_EQUAL(1, row(layer, MIO_TRACE_CLOSE)->errors);
	layer->ops->release(layer);
}

static int leaves_out(struct mio_layer *layer, int64_t size)
{
	(void)layer;
	(void)size;
	return MIO_LAYER_LEFT_OUT;
}

/* A write within the file that was to be cut must not count as making the file longer. */
static void should_not_take_the_file_for_cut_where_truncations_are_left_out(void)
{
	struct mio_layer_ops ops;
	struct mio_layer *layer;
	char memory[8];

	null_init(&os);
	os.size = 1000;
	ops = *os.layer.ops;
	ops.truncate = leaves_out;
	os.layer.ops = &ops;
	layer = trace_over(&os.layer);
	ASSERT_EQUAL(MIO_LAYER_LEFT_OUT, layer->ops->truncate(layer, 0));
	ASSERT_EQUAL(1, row(layer, MIO_TRACE_TRUNC)->count);
	ASSERT_EQUAL(8, layer->ops->write(layer, memory, 8, 100));
	ASSERT_EQUAL(0, row(layer, MIO_TRACE_WRITE)->errors);
	ASSERT_EQUAL(0, sum.extensions);
	layer->ops->close(layer);
	layer->ops->release(layer);
}

static void should_count_in_every_one_of_many_layers(void)
{
	struct mio_layer *layers[LAYERS];
	struct mio_layer *below;
	char memory[8];
	struct mio_io io;

	null_init(&os);
	below = &os.layer;
	for (int i = 0; i < LAYERS; i++)
		below = layers[i] = trace_over(below);
	mio_io_init(&io, 1, memory, sizeof(memory), 0, NULL, NULL);
	ASSERT_EQUAL(0, below->ops->submit(below, &io));
	mio_io_wait(&io);
	for (int i = 0; i < LAYERS; i++)
		ASSERT_EQUAL(8, row(layers[i], MIO_TRACE_AWRITE)->delivered);
	for (int i = LAYERS - 1; i >= 0; i--)
		layers[i]->ops->release(layers[i]);
}

static int ends;

static void ended(struct mio_io *io, void *context)
{
	(void)io;
	(void)context;
	ends++;
}

static void other(struct mio_io *io, void *context)
{
	(void)io;
	(void)context;
}

/* One more than there is room for, which is refused: the completion of the request's maker stays. */
static void should_forget_no_completion_of_another_layer(void)
{
	struct mio_io io;
	int contexts[MIO_IO_COMPLETIONS_MAX + 1];

	mio_io_init(&io, 1, NULL, 0, 0, ended, NULL);
	for (int i = 0; i <= MIO_IO_COMPLETIONS_MAX; i++)
		mio_io_before(&io, other, &contexts[i]);
	for (int i = MIO_IO_COMPLETIONS_MAX; i >= 0; i--)
		mio_io_forget(&io, other, &contexts[i]);
	mio_io_complete(&io, -EAGAIN);
	ASSERT_EQUAL(1, ends);
}

static void should_count_the_way_of_seeks_from_place_to_place(void)
{
	struct mio_layer *layer;

	null_init(&os);
	os.size = 1000;
	layer = trace_over(&os.layer);
	layer->ops->seek(layer, 100);
	layer->ops->seek(layer, 250);
	layer->ops->seek(layer, 50);
	ASSERT_EQUAL(3, row(layer, MIO_TRACE_SEEK)->count);
	ASSERT_EQUAL(100 + 150 - 200, sum.seek_delta);
	/* Only requests of direct files can be ill-formed. */
	ASSERT_EQUAL(3, layer->ops->read(layer, &sum, 3, 1));
	row(layer, MIO_TRACE_READ);
	ASSERT_EQUAL(0, sum.ill_formed + sum.misaligned);
	layer->ops->close(layer);
	layer->ops->release(layer);
}

static void should_count_the_time_that_submissions_took(void)
{
	struct mio_trace_counters *counters;
	struct mio_layer *layer;

	null_init(&os);
	layer = trace_over(&os.layer);
	counters = &mio_trace_open_of(layer)->counters;
	mio_trace_counters_submitted(counters, MIO_TRACE_AREAD, 5000);
	mio_trace_counters_submitted(counters, MIO_TRACE_AREAD, 70);
	ASSERT_EQUAL(5070, row(layer, MIO_TRACE_AREAD)->ns);
	layer->ops->close(layer);
	layer->ops->release(layer);
}

static void should_show_errors_by_name_to_others(void)
{
	struct mio_live_trace *whole;
	struct mio_layer *layer;

	null_init(&os);
	layer = trace_over(&os.layer);
	whole = mio_trace_open_of(layer)->counters.whole;
	os.failure = -ENOSPC;
	layer->ops->flush(layer, 0);
	layer->ops->flush(layer, 0);
	os.failure = 0;
	ASSERT_EQUAL(1, whole->error_count);
	ASSERT_EQUAL(2, whole->errors[0].count);
	ASSERT(strcmp("ENOSPC", whole->errors[0].name) == 0);
	layer->ops->close(layer);
	layer->ops->release(layer);
}

int main(void)
{
	RUN(should_count_a_close_that_fails);
	RUN(should_not_take_the_file_for_cut_where_truncations_are_left_out);
	RUN(should_count_in_every_one_of_many_layers);
	RUN(should_forget_no_completion_of_another_layer);
	RUN(should_count_the_way_of_seeks_from_place_to_place);
	RUN(should_count_the_time_that_submissions_took);
	RUN(should_show_errors_by_name_to_others);
	return TEST_RESULT();
}

/*
 * The cost of clocks and of a traced call, in nanoseconds: make target/obj/linux-x86-64/test/trace_bench, and run it. Not part of
 * the tests: it prints figures and asserts nothing. Arguments: a directory for live counters, or off; an events file, which becomes
 * large.
 */
#include "../src/trace/trace_layer.h"
#include "../src/trace/trace_open.h"
#include "null_os.h"

#include <fcntl.h>
#include <pthread.h>

enum { TIMES = 5000000, ROUNDS = 5 };

static int times = TIMES;
static struct null_os os;
static struct mio_layer *layer, *recording;
static char memory[4096];

static void by_kernel(void)
{
	for (int i = 0; i < times; i++)
		mio_clock_ns();
}

static void by_ticks(void)
{
	for (int i = 0; i < times; i++)
		mio_clock_ticks();
}

static void one_time(void)
{
	for (int i = 0; i < times; i++)
		mio_clock_since(mio_clock_ticks());
}

static void bare(void)
{
	struct mio_layer *volatile below = &os.layer;

	for (int i = 0; i < times; i++)
		below->ops->read(below, memory, 100, i);
}

static void traced(void)
{
	for (int i = 0; i < times; i++)
		layer->ops->read(layer, memory, 100, i);
}

static void seeks(void)
{
	for (int i = 0; i < times; i++)
		layer->ops->seek(layer, i);
}

/* The limit is far away, so that no event is dropped. */
static void recorded(void)
{
	for (int i = 0; i < times; i++)
		recording->ops->read(recording, memory, 100, i);
}

static void *recorded_thread(void *nothing)
{
	recorded();
	return nothing;
}

static void recorded_by_two_threads(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, recorded_thread, NULL);
	recorded();
	pthread_join(thread, NULL);
}

static void *traced_thread(void *nothing)
{
	traced();
	return nothing;
}

static void traced_by_two_threads(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, traced_thread, NULL);
	traced();
	pthread_join(thread, NULL);
}

static void measure(const char *what, void (*work)(void))
{
	int64_t best = INT64_MAX;

	for (int i = 0; i < ROUNDS; i++) {
		int64_t began = mio_clock_ns();
		int64_t took;

		work();
		took = mio_clock_ns() - began;
		if (took < best)
			best = took;
	}
	printf("%-28s %6.2f ns\n", what, (double)best / times);
}

static void clocks(void)
{
	measure("mio_clock_ns", by_kernel);
	measure("mio_clock_ticks", by_ticks);
	measure("ticks and since", one_time);
}

static void calls(void)
{
	measure("read of a layer below", bare);
	measure("traced read", traced);
	measure("traced seek", seeks);
	measure("traced read, two threads", traced_by_two_threads);
	/* Fewer calls, because each takes 64 bytes of the file; in turn, because the speed of the machine changes. */
	times = TIMES / 10;
	for (int i = 0; recording && i < 3; i++) {
		measure("read of a layer below", bare);
		measure("traced read", traced);
		measure("recorded read", recorded);
	}
	if (recording)
		measure("recorded read, two threads", recorded_by_two_threads);
}

/* Records the calls in an events file, path. */
static void record_in(const struct mio_layer_spec *spec, const struct mio_open_request *request, const char *path)
{
	struct mio_trace_facts facts = {.path = path, .limit_bytes = INT64_MAX, .program = "x", .host = "x", .library = "x"};
	struct mio_trace_writer *writer = NULL;

	ASSERT_EQUAL(0, mio_trace_writer_make(&facts, &writer));
	recording = mio_trace_layer_make(spec, &os.layer, "program", request);
	mio_trace_layer_record(recording, writer, 1, 1, request);
}

int main(int count, char **arguments)
{
	static struct mio_layer_spec spec = {.typed_name = "trace"};
	struct mio_open_request request = {.name = "x", .oflags = O_RDWR, .fd = -1, .opened_ns = mio_clock_ns()};

	if (count > 1) {
		mio_live_begin(arguments[1], "", "trace_bench");
		mio_live_reserve(NULL);
		printf("counters in %s\n", mio_live_path());
	}
	null_init(&os);
	os.size = 1LL << 40;
	spec.values[MIO_TRACE_OPTION_UNIT].text = "kbytes";
	layer = mio_trace_layer_make(&spec, &os.layer, "program", &request);
	if (count > 2)
		record_in(&spec, &request, arguments[2]);
	RUN(clocks);
	RUN(calls);
	mio_live_end();
	return TEST_RESULT();
}

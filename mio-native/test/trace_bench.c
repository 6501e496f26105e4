/*
 * What clocks and a traced call cost, in nanoseconds: make target/obj/linux-x86-64/test/trace_bench, and run it. Not
 * part of the tests: figures, no assertions.
 */
#include "../src/trace/trace_layer.h"
#include "../src/trace/trace_open.h"
#include "null_os.h"

#include <fcntl.h>
#include <pthread.h>

enum { TIMES = 5000000, ROUNDS = 5 };

static struct null_os os;
static struct mio_layer *layer;
static char memory[4096];

static void by_kernel(void)
{
	for (int i = 0; i < TIMES; i++)
		mio_clock_ns();
}

static void by_ticks(void)
{
	for (int i = 0; i < TIMES; i++)
		mio_clock_ticks();
}

static void one_time(void)
{
	for (int i = 0; i < TIMES; i++)
		mio_clock_since(mio_clock_ticks());
}

static void bare(void)
{
	struct mio_layer *volatile below = &os.layer;

	for (int i = 0; i < TIMES; i++)
		below->ops->read(below, memory, 100, i);
}

static void traced(void)
{
	for (int i = 0; i < TIMES; i++)
		layer->ops->read(layer, memory, 100, i);
}

static void seeks(void)
{
	for (int i = 0; i < TIMES; i++)
		layer->ops->seek(layer, i);
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
	printf("%-28s %6.2f ns\n", what, (double)best / TIMES);
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
}

/* An argument: the directory of a live counter file, for the counters to be there. */
int main(int count, char **arguments)
{
	static struct mio_layer_spec spec;
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
	RUN(clocks);
	RUN(calls);
	mio_live_end();
	return TEST_RESULT();
}

/*
 * The cost in pf of a request whose bytes are in pages: 100 bytes and 4 KB, in order and at random places, compared with memcpy of
 * the same bytes. Not a test: make target/obj/<machine>/test/pf_bench, then run it. Median of several rounds, ns per request.
 */
#include "pf_fixture.h"

#include <time.h>

enum { ROUNDS = 9, CALLS = 400000, BYTES = 32 << 20 };

static struct mio_layer *layer;
static struct mio_pf_file *file;
static unsigned char *memory, *plain;
static int64_t length, calls;

static int64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

static int64_t place_in_order(int64_t i)
{
	return i * length % (BYTES - length);
}

static int64_t place_at_random(int64_t i)
{
	return (int64_t)((uint64_t)i * UINT64_C(0x9E3779B97F4A7C15) >> 33) % (BYTES / length) * length;
}

static void copies_in_order(void)
{
	for (int64_t i = 0; i < calls; i++)
		memcpy(memory, plain + place_in_order(i), (size_t)length);
}

static void reads_in_order(void)
{
	for (int64_t i = 0; i < calls; i++)
		layer->ops->read(layer, memory, (size_t)length, place_in_order(i));
}

static void reads_in_order_with_the_gate(void)
{
	for (int64_t i = 0; i < calls; i++) {
		mio_pf_file_share(file);
		layer->ops->read(layer, memory, (size_t)length, place_in_order(i));
		mio_pf_file_unshare(file);
	}
}

static void copies_at_random(void)
{
	for (int64_t i = 0; i < calls; i++)
		memcpy(memory, plain + place_at_random(i), (size_t)length);
}

static void reads_at_random(void)
{
	for (int64_t i = 0; i < calls; i++)
		layer->ops->read(layer, memory, (size_t)length, place_at_random(i));
}

static void writes_in_order(void)
{
	for (int64_t i = 0; i < calls; i++)
		layer->ops->write(layer, memory, (size_t)length, place_in_order(i));
}

static void shares(void)
{
	for (int64_t i = 0; i < calls; i++) {
		mio_pf_file_share(file);
		mio_pf_file_unshare(file);
	}
}

static int compare(const void *a, const void *b)
{
	double difference = *(const double *)a - *(const double *)b;

	return difference < 0 ? -1 : difference > 0;
}

static void measure(const char *what, void (*work)(void), int64_t bytes)
{
	double rounds[ROUNDS];

	length = bytes ? bytes : 1;
	calls = bytes > 1000 ? CALLS / 10 : CALLS;
	work();
	for (int i = 0; i < ROUNDS; i++) {
		int64_t began = now();

		work();
		rounds[i] = (double)(now() - began) / (double)calls;
	}
	qsort(rounds, ROUNDS, sizeof(rounds[0]), compare);
	printf("%-36s %6lld bytes %8.1f ns (%.1f to %.1f)\n", what, (long long)bytes, rounds[ROUNDS / 2], rounds[0],
	       rounds[ROUNDS - 1]);
}

/* The layer below moves no bytes, so that only the cost of pf is measured. */
static int moves_nothing(struct mio_layer *below, struct mio_io *io)
{
	(void)below;
	mio_io_complete(io, (int64_t)io->requested);
	return 0;
}

static void should_tell_what_a_request_costs(void)
{
	struct memory_file *below = memory_file_make(NULL, 1, BYTES);
	struct mio_layer_ops ops = memory_file_ops;

	ops.submit = moves_nothing;
	below->layer.ops = &ops;
	below->logs = 0;
	memory = malloc(1 << 20);
	plain = malloc(BYTES);
	ASSERT(memory && plain);
	memset(plain, 1, BYTES);
	layer = pf_open("cache=64m/page=2m/private/pref=4", below, new_inode());
	file = pf_file(layer);
	measure("gate: share, unshare", shares, 0);
	measure("memcpy in order", copies_in_order, 100);
	measure("read in order", reads_in_order, 100);
	measure("read in order, with the gate", reads_in_order_with_the_gate, 100);
	measure("memcpy in order", copies_in_order, 4096);
	measure("read in order", reads_in_order, 4096);
	measure("memcpy at random", copies_at_random, 4096);
	measure("read at random", reads_at_random, 4096);
	measure("write in order", writes_in_order, 100);
	measure("write in order", writes_in_order, 4096);
	ASSERT_EQUAL(0, pf_close(layer));
}

int main(void)
{
	RUN(should_tell_what_a_request_costs);
	return TEST_RESULT();
}

/* What a trace layer records of the calls that pass through it. Twin of TraceEventsTest. */
#include "../src/common/clock.h"
#include "../src/trace/trace_layer.h"
#include "events_see.h"
#include "null_os.h"

#include <errno.h>
#include <fcntl.h>

static struct null_os os;
static char memory[1000];

static struct mio_layer *trace_over(struct mio_layer *next, struct mio_trace_writer *writer, uint32_t sample, int at)
{
	static struct mio_layer_spec spec = {.typed_name = "trace"};
	struct mio_open_request request = {
		.name = "data", .oflags = O_RDWR, .fd = -1, .opened_ns = mio_clock_ns(), .open_ns = 77};
	struct mio_layer *layer;

	spec.values[MIO_TRACE_OPTION_UNIT].text = "bytes";
	layer = mio_trace_layer_make(&spec, next, at == 1 ? "program" : "trace", &request);
	mio_trace_layer_record(layer, writer, sample, at, &request);
	return layer;
}

static struct mio_trace_writer *fresh(const char *name)
{
	struct mio_trace_facts facts = facts_of(in_place(name));

	facts.monotonic_ns = mio_clock_ns();
	null_init(&os);
	return writer_of(&facts);
}

static void words_of(const struct mio_trace_event *event, char *text)
{
	sprintf(text, "%d %d %lld %lld %lld %d %d", event->type, event->operation, (long long)event->offset,
		(long long)event->requested, (long long)event->delivered, event->flags, event->error);
}

static void should_record_each_call_with_its_place_and_sizes(void)
{
	struct mio_layer *trace = trace_over(&os.layer, fresh("calls.events"), 1, 1);
	struct iovec two[] = {{memory, 7}, {memory, 3}};
	static const char *const expected[] = {
		"1 0 -1 0 0 0 0",	"1 1 0 100 100 0 0", "1 3 90 30 10 0 0", "1 3 100 30 0 0 0",
		"1 1 50 10 10 0 0",	"1 1 100 5 5 2 0",   "1 7 -1 0 0 0 0",	 "1 8 -1 0 0 0 0",
		"1 10 10 0 0 0 0",	"1 9 8 4096 0 0 0",  "1 6 0 -1 0 0 0",	 "1 3 0 10 10 0 0",
		"1 1 4 8 0 1 28",	"1 11 -1 0 0 0 0",
	};
	struct seen seen;
	int64_t before = 0;
	int at = 0;

	trace->ops->write(trace, memory, 100, 0);
	trace->ops->seek(trace, 20);
	trace->ops->read(trace, memory, 30, 90);
	trace->ops->read(trace, memory, 30, 100);
	trace->ops->writev(trace, two, 2, 50);
	trace->ops->write(trace, memory, 5, MIO_LAYER_APPEND);
	trace->ops->size(trace);
	trace->ops->flush(trace, 1);
	trace->ops->truncate(trace, 10);
	trace->ops->bypass_begin(trace, MIO_BYPASS_MAP_READ, 8, 4096);
	trace->ops->bypass_end(trace, MIO_BYPASS_MAP_READ, 8, 4096, 1);
	trace->ops->bypass_begin(trace, MIO_BYPASS_LOCK, 0, INT64_MAX);
	trace->ops->bypass_end(trace, MIO_BYPASS_LOCK, 0, INT64_MAX, 1);
	trace->ops->bypass_begin(trace, MIO_BYPASS_TRANSFER_OUT, 0, 1000);
	trace->ops->bypass_end(trace, MIO_BYPASS_TRANSFER_OUT, 0, 10, 1);
	os.failure = -ENOSPC;
	trace->ops->write(trace, memory, 8, 4);
	os.failure = 0;
	trace->ops->close(trace);

	seen = see(in_place("calls.events"));
	EACH_RECORD(&seen, record) {
		char text[200];

		if (record->event.type > MIO_TRACE_RECORD_PAGE)
			continue;
		words_of(&record->event, text);
		if (at >= 14 || strcmp(expected[at], text) != 0)
			fprintf(stderr, "event %d: %s\n", at, text);
		ASSERT(at < 14 && strcmp(expected[at], text) == 0);
		/* The open's time is by the kernel's clock; in the first millisecond the ticks of later times do not agree exactly with it. */
		if (at > 1) {
			ASSERT(record->event.start_ns >= before);
		}
		before = record->event.start_ns;
		at++;
	}
	ASSERT_EQUAL(14, at);
	see_no_more(&seen);
}

static void should_pair_submissions_and_ends_by_numbers_in_all_layers(void)
{
	struct mio_trace_writer *writer = fresh("pairs.events");
	struct mio_layer *lower = trace_over(&os.layer, writer, 1, 2);
	struct mio_layer *upper = trace_over(lower, writer, 1, 1);
	int calls[4][3] = {{0}}, ends[4][3] = {{0}};
	struct mio_io io[3], *list[2] = {&io[1], &io[2]};
	struct seen seen;

	os.size = 1000;
	for (int i = 0; i < 3; i++)
		mio_io_init(&io[i], 0, memory, 400, 400 * i, NULL, NULL);
	ASSERT_EQUAL(0, upper->ops->submit(upper, &io[0]));
	upper->ops->submit_all(upper, list, 2);

	seen = see(in_place("pairs.events"));
	EACH_RECORD(&seen, record) {
		const struct mio_trace_event *event = &record->event;

		if (event->type > MIO_TRACE_RECORD_END || event->operation != MIO_TRACE_AREAD)
			continue;
		for (int i = 0; i < 3; i++) {
			if (event->number != io[i].number)
				continue;
			ASSERT_EQUAL(400 * i, event->offset);
			ASSERT_EQUAL(400, event->requested);
			if (event->type == MIO_TRACE_RECORD_END)
				ASSERT_EQUAL(i == 2 ? 200 : 400, event->delivered);
			(event->type == MIO_TRACE_RECORD_END ? ends : calls)[i][event->file]++;
		}
	}
	for (int i = 0; i < 3; i++)
		for (int file = 1; file <= 2; file++) {
			ASSERT_EQUAL(1, calls[i][file]);
			ASSERT_EQUAL(1, ends[i][file]);
		}
	ASSERT(io[0].number && io[0].number != io[1].number && io[1].number != io[2].number);
	see_no_more(&seen);
}

static void should_record_one_call_in_so_many_and_all_that_matters(void)
{
	struct mio_layer *trace = trace_over(&os.layer, fresh("sample.events"), 10, 1);
	int next = 10, failed = 0, submitted = 0, ended = 0, whole = 0;
	struct seen seen;

	os.size = 1 << 20;
	for (int i = 1; i <= 95; i++)
		trace->ops->read(trace, memory, 10, i);
	os.failure = -EIO;
	for (int i = 0; i < 3; i++)
		trace->ops->read(trace, memory, 10, 5);
	os.failure = 0;
	for (int i = 0; i < 40; i++) {
		struct mio_io io;

		mio_io_init(&io, 0, memory, 10, i, NULL, NULL);
		trace->ops->submit(trace, &io);
		whole += io.number % 10 == 0;
	}
	trace->ops->close(trace);

	seen = see(in_place("sample.events"));
	EACH_RECORD(&seen, record) {
		const struct mio_trace_event *event = &record->event;

		failed += event->type == MIO_TRACE_RECORD_CALL && (event->flags & MIO_TRACE_FLAG_FAILED);
		submitted += event->type == MIO_TRACE_RECORD_CALL && event->operation == MIO_TRACE_AREAD;
		ended += event->type == MIO_TRACE_RECORD_END;
		if (event->type != MIO_TRACE_RECORD_CALL || event->operation != MIO_TRACE_READ || event->flags)
			continue;
		ASSERT_EQUAL(next, event->offset);
		next += 10;
	}
	ASSERT_EQUAL(100, next);
	ASSERT_EQUAL(3, failed);
	ASSERT_EQUAL(4, whole);
	ASSERT_EQUAL(whole, submitted);
	ASSERT_EQUAL(whole, ended);
	ASSERT_EQUAL(1, count_events(&seen, MIO_TRACE_RECORD_CALL, MIO_TRACE_OPEN));
	ASSERT_EQUAL(1, count_events(&seen, MIO_TRACE_RECORD_CALL, MIO_TRACE_CLOSE));
	see_no_more(&seen);
}

int main(void)
{
	place_make();
	RUN(should_record_each_call_with_its_place_and_sizes);
	RUN(should_pair_submissions_and_ends_by_numbers_in_all_layers);
	RUN(should_record_one_call_in_so_many_and_all_that_matters);
	place_remove();
	return TEST_RESULT();
}

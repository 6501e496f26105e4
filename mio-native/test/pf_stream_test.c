/* The cases of twin/stride, which the Java side reads as well, and the distances. */
#include "../src/pf/pf_stream.h"
#include "assert.h"
#include "twin_open.h"

enum { CHANNELS = 256, NUMBERED = 1024, LINE = 512 };

static struct mio_pf_distance distance_of(const char *text)
{
	struct mio_pf_distance distance = {0, 0};

	if (strncmp(text, "auto", 4) != 0 && sscanf(text, "%d:%d", &distance.min, &distance.max) == 1)
		distance.max = distance.min;
	return distance;
}

/* The state of a case, by which see() tells what a request finds. */
struct run {
	struct mio_pf_stream_table table;
	int64_t last_offset[CHANNELS], last_length[CHANNELS];
	uint64_t numbered[NUMBERED];
	int count;
};

static void begin(struct run *run, const char *text)
{
	int slots;
	long page, stride;
	char pref[LINE];

	memset(run, 0, sizeof(*run));
	ASSERT_EQUAL(4, sscanf(text, "slots=%d page=%ld stride=%ld pref=%s", &slots, &page, &stride, pref));
	ASSERT_EQUAL(0, mio_pf_stream_table_begin(&run->table, slots, page, stride, distance_of(pref)));
	for (int i = 0; i < CHANNELS; i++)
		run->last_offset[i] = -1;
}

static int number_of(struct run *run, uint64_t stream)
{
	for (int i = 0; i < run->count; i++) {
		if (run->numbered[i] == stream)
			return i + 1;
	}
	ASSERT(run->count < NUMBERED);
	run->numbered[run->count++] = stream;
	return run->count;
}

static void see(struct run *run, const char *text, char *found)
{
	static const char *const kinds[] = {"forward", "backward", "strided"};
	struct mio_pf_stream *stream;
	char step[32] = "";
	long offset, length;
	char name;
	int channel;

	ASSERT_EQUAL(3, sscanf(text, "%c %ld %ld", &name, &offset, &length));
	channel = (unsigned char)name;
	stream = mio_pf_stream_table_seen(&run->table, offset, length, run->last_offset[channel],
					  run->last_length[channel]);
	run->last_offset[channel] = offset;
	run->last_length[channel] = length;
	if (!stream) {
		snprintf(found, LINE, "none");
		return;
	}
	if (stream->proven && mio_pf_stream_enters(stream))
		mio_pf_stream_stepped(&run->table, stream);
	if (!mio_pf_stream_is_dense(stream))
		snprintf(step, sizeof(step), "%+lld", (long long)stream->step);
	snprintf(found, LINE, "%d %s%s %s %d", number_of(run, stream->number), kinds[stream->kind], step,
		 stream->proven ? "proven" : "guess", stream->distance);
}

static struct mio_pf_stream *numbered(struct run *run, int number)
{
	for (int i = 0; i < run->table.slots; i++) {
		if (run->table.streams[i].number == run->numbered[number - 1])
			return &run->table.streams[i];
	}
	return NULL;
}

static void window(struct run *run, const char *text)
{
	int number, steps, first, expected;
	long stride, frames, moves;
	struct mio_pf_stream *stream;
	int64_t last;

	ASSERT_EQUAL(6, sscanf(text, "%d %d %ld %ld %ld %d", &number, &steps, &stride, &frames, &moves, &expected));
	stream = numbered(run, number);
	ASSERT(stream);
	first = mio_pf_stream_begins_with(stream, steps, stride, frames, moves);
	ASSERT_EQUAL(expected, first);
	last = stream->kind == MIO_PF_FORWARD ? stream->last_page + steps : stream->first_page - steps;
	if (first <= steps)
		mio_pf_stream_looked_ahead(stream, last, moves + steps);
}

static void give_up(struct run *run, int number)
{
	struct mio_pf_stream *stream = numbered(run, number);

	if (stream)
		mio_pf_stream_unused(&run->table, stream);
}

static void should_recognise_the_streams_of_the_golden_cases(void)
{
	FILE *file = open_twin("stride/streams.txt");
	char line[LINE], title[LINE] = "", found[LINE] = "";
	int update = getenv("MIO_GOLDEN_SHOW") != NULL;
	struct run run = {0};
	int cases = 0, requests = 0;

	ASSERT(file);
	while (fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = 0;
		if (strncmp(line, "== ", 3) == 0) {
			snprintf(title, sizeof(title), "%s", line);
			mio_pf_stream_table_end(&run.table);
			cases++;
		} else if (strncmp(line, "table: ", 7) == 0) {
			begin(&run, line + 7);
		} else if (strncmp(line, "request: ", 9) == 0) {
			see(&run, line + 9, found);
			requests++;
		} else if (strncmp(line, "active: ", 8) == 0) {
			ASSERT_EQUAL(atoi(line + 8), mio_pf_stream_table_active(&run.table));
		} else if (strncmp(line, "unused: ", 8) == 0) {
			give_up(&run, atoi(line + 8));
		} else if (strncmp(line, "missed: ", 8) == 0) {
			mio_pf_stream_missed(numbered(&run, atoi(line + 8)));
		} else if (strncmp(line, "window: ", 8) == 0) {
			window(&run, line + 8);
		} else if (strncmp(line, "stream: ", 8) == 0) {
			twin_answer(line, sizeof(line), found, title, requests);
		}
		if (update)
			puts(line);
	}
	fclose(file);
	mio_pf_stream_table_end(&run.table);
	ASSERT(cases > 20 && requests > 100);
}

static void should_keep_a_fixed_distance_whatever_happens(void)
{
	struct mio_pf_distance fixed = {4, 4};

	ASSERT_EQUAL(4, mio_pf_distance_first(fixed));
	ASSERT_EQUAL(4, mio_pf_distance_stepped(fixed, 4));
	ASSERT_EQUAL(4, mio_pf_distance_late(fixed, 4, 100));
	ASSERT_EQUAL(4, mio_pf_distance_unused(fixed, 4));
}

static void should_double_from_the_smallest_to_the_largest_with_each_step(void)
{
	struct mio_pf_distance doubling = {3, 20};

	ASSERT_EQUAL(3, mio_pf_distance_first(doubling));
	ASSERT_EQUAL(6, mio_pf_distance_stepped(doubling, 3));
	ASSERT_EQUAL(20, mio_pf_distance_stepped(doubling, 12));
	ASSERT_EQUAL(20, mio_pf_distance_stepped(doubling, 20));
	ASSERT_EQUAL(6, mio_pf_distance_late(doubling, 6, 100));
	ASSERT_EQUAL(6, mio_pf_distance_unused(doubling, 6));
}

static void should_grow_an_automatic_distance_when_pages_are_late_and_shrink_it_when_unused(void)
{
	struct mio_pf_distance automatic = {0, 0};

	ASSERT_EQUAL(2, mio_pf_distance_first(automatic));
	ASSERT_EQUAL(2, mio_pf_distance_stepped(automatic, 2));
	ASSERT_EQUAL(4, mio_pf_distance_late(automatic, 2, 100));
	ASSERT_EQUAL(2, mio_pf_distance_unused(automatic, 4));
}

static void should_keep_an_automatic_distance_between_one_and_what_there_is_room_for(void)
{
	struct mio_pf_distance automatic = {0, 0};

	ASSERT_EQUAL(100, mio_pf_distance_late(automatic, 64, 100));
	ASSERT_EQUAL(1, mio_pf_distance_late(automatic, 4, 0));
	ASSERT_EQUAL(1, mio_pf_distance_unused(automatic, 1));
}

int main(void)
{
	RUN(should_recognise_the_streams_of_the_golden_cases);
	RUN(should_keep_a_fixed_distance_whatever_happens);
	RUN(should_double_from_the_smallest_to_the_largest_with_each_step);
	RUN(should_grow_an_automatic_distance_when_pages_are_late_and_shrink_it_when_unused);
	RUN(should_keep_an_automatic_distance_between_one_and_what_there_is_room_for);
	return TEST_RESULT();
}

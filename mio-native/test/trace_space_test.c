/* What is lost when space is refused, and when it is asked for again: the golden case that EventWriterTest reads as well. */
#include "events_see.h"

/* Checks the events dropped, those that the file tells of as dropped, and the blocks claimed. All other events must be there. */
static void check(const char *line, const char *path, long put)
{
	struct seen seen = see(path);
	long count = 0, dropped = 0, told = 0, claimed = 0, tells = 0;

	ASSERT_EQUAL(4, sscanf(line, "put %ld %ld %ld %ld", &count, &dropped, &told, &claimed));
	EACH_RECORD(&seen, record)
		if (record->event.type == MIO_TRACE_RECORD_DROPPED)
			tells += (long)record->dropped.count;
	ASSERT_EQUAL(dropped, (long)seen.header->dropped);
	ASSERT_EQUAL(told, tells);
	ASSERT_EQUAL(claimed, (long)seen.header->claimed);
	ASSERT_EQUAL(put, count_events(&seen, MIO_TRACE_RECORD_CALL, -1) + dropped);
	see_no_more(&seen);
}

static void should_lose_what_the_golden_case_tells_where_space_is_refused(void)
{
	struct twin space = twin_read("events/space.txt");
	struct mio_trace_facts facts = facts_of(in_place("space.events"));
	struct mio_trace_writer *writer = NULL;
	int away = 0;
	long put = 0;

	for (const char *line = space.text; *line; line = strchr(line, '\n') + 1) {
		long count = 0;

		if (sscanf(line, "limit %ld", &count) == 1) {
			facts.limit_bytes = count;
			writer = writer_of(&facts);
			ASSERT_EQUAL(1, define_file(writer, "x"));
		} else if (sscanf(line, "put %ld", &count) == 1) {
			for (long end = put + count; put < end; put++)
				put_read(writer, 1, put);
			check(line, away ? in_place("away") : facts.path, put);
		} else {
			away = strncmp(line, "refuse", 6) == 0;
			ASSERT(away || strncmp(line, "allow", 5) == 0);
			ASSERT_EQUAL(0, rename(away ? facts.path : in_place("away"), away ? in_place("away") : facts.path));
		}
	}
	ASSERT(put > 0);
}

int main(void)
{
	place_make();
	RUN(should_lose_what_the_golden_case_tells_where_space_is_refused);
	place_remove();
	return TEST_RESULT();
}

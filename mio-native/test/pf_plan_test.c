/* The cases of twin/plan, which the Java side reads as well. */
#include "../src/pf/pf_plan.h"
#include "assert.h"
#include "../src/pf/pf_plan_events.h"
#include "plan_events.h"
#include "twin_open.h"

enum { LINE = 512, CHANNELS = 8, READS = 4096, PAGES = 4096 };

static struct mio_pf_planned_read reads[READS];
static size_t read_count;
static struct mio_pf_plan plan;
static long page, ahead, soon;
static int made;

static void read_by(int channel, long long offset, long long length)
{
	ASSERT(read_count < READS);
	/* Leaves out reads past the largest possible file, as the reader of events files does. */
	if (offset <= INT64_MAX - INT32_MAX)
		reads[read_count++] = (struct mio_pf_planned_read){
			.offset = offset, .length = (uint32_t)length, .channel = (uint32_t)channel};
}

static void make(void)
{
	if (!made)
		ASSERT_EQUAL(0, mio_pf_plan_begin(&plan, reads, read_count, CHANNELS, page));
	made = 1;
}

static void end(void)
{
	if (made)
		mio_pf_plan_end(&plan);
	made = 0;
	read_count = 0;
}

/* Pages in the order that a seed gives (see the README of the cases). Returns how many. */
static int pages_of(const char *text, int order[PAGES])
{
	int pages[PAGES];
	int count, skip = 0, swap = 1;
	uint64_t seed;
	unsigned long first;

	ASSERT(sscanf(text, "pages=%d seed=%lu skip=%d swap=%d", &count, &first, &skip, &swap) >= 2 && count <= PAGES);
	seed = first;
	for (int i = 0; i < count; i++)
		pages[i] = i;
	for (int i = count - 1; i > 0; i--) {
		int j, other = pages[i];

		seed = seed * 6364136223846793005U + 1442695040888963407U;
		j = (int)((seed >> 33) % (uint64_t)(i + 1));
		pages[i] = pages[j];
		pages[j] = other;
	}
	for (int i = 0; i < count - skip; i++) {
		int turn = i / swap * swap;
		int last = (turn + swap < count - skip ? turn + swap : count - skip) - 1;

		order[i] = pages[skip + turn + last - i];
	}
	return count - skip;
}

static void request(const char *text, char *found)
{
	long long offset, length;
	int at;

	ASSERT_EQUAL(2, sscanf(text, "%lld %lld", &offset, &length));
	make();
	if (!mio_pf_plan_follow(&plan, offset, length)) {
		snprintf(found, LINE, "detection");
		return;
	}
	at = snprintf(found, LINE, "plan %s", mio_pf_plan_is_soon(&plan, offset / page, soon) ? "soon" : "late");
	for (int32_t place = mio_pf_plan_ahead(&plan, ahead); place >= 0; place = mio_pf_plan_ahead(&plan, ahead)) {
		int64_t start = mio_pf_plan_page(&plan, place) * page;
		long long from = mio_pf_plan_from(&plan, place) - start;
		long long to = mio_pf_plan_to(&plan, place) - start;

		at += snprintf(found + at, (size_t)(LINE - at), " %lld", (long long)mio_pf_plan_page(&plan, place));
		if (to - from < page)
			at += snprintf(found + at, (size_t)(LINE - at), ":%lld-%lld", from, to);
		mio_pf_plan_taken(&plan);
	}
}

static void requests(const char *text, char *found)
{
	char is_ahead[PAGES] = {0};
	int order[PAGES];
	int count = pages_of(text, order);
	int by = 0, taken = 0, used = 0;

	make();
	for (int i = 0; i < count; i++) {
		used += is_ahead[order[i]];
		is_ahead[order[i]] = 0;
		if (!mio_pf_plan_follow(&plan, order[i] * page, page))
			continue;
		by++;
		for (int32_t place = mio_pf_plan_ahead(&plan, ahead); place >= 0;
		     place = mio_pf_plan_ahead(&plan, ahead)) {
			is_ahead[mio_pf_plan_page(&plan, place)] = 1;
			mio_pf_plan_taken(&plan);
			taken++;
		}
	}
	snprintf(found, LINE, "plan %d, ahead %d, of use %d", by, taken, used);
}

static void counts(char *found)
{
	make();
	snprintf(found, LINE, "%s, %ld of %ld by the plan, place %d of %d, left %ld, %ld of %ld not near",
		 plan.is_on ? "followed" : "left", plan.followed, plan.requests, plan.cursor, plan.count, plan.left,
		 plan.stray, plan.stray_of);
}

static void read_pages(const char *text)
{
	int order[PAGES];
	int count = pages_of(text, order);

	for (int i = 0; i < count; i++)
		read_by(0, order[i] * page, page);
}

static void should_follow_the_plans_of_the_golden_cases(void)
{
	FILE *file = open_twin("plan/plan.txt");
	char line[LINE], title[LINE] = "", found[LINE] = "";
	int update = getenv("MIO_GOLDEN_SHOW") != NULL;
	long long offset, length;
	int channel, cases = 0, answers = 0;

	ASSERT(file);
	while (fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = 0;
		if (strncmp(line, "== ", 3) == 0) {
			snprintf(title, sizeof(title), "%s", line);
			end();
			cases++;
		} else if (strncmp(line, "plan: ", 6) == 0) {
			ASSERT_EQUAL(3, sscanf(line + 6, "page=%ld ahead=%ld soon=%ld", &page, &ahead, &soon));
		} else if (strncmp(line, "read: ", 6) == 0) {
			ASSERT_EQUAL(3, sscanf(line + 6, "%d %lld %lld", &channel, &offset, &length));
			read_by(channel, offset, length);
		} else if (strncmp(line, "reads: ", 7) == 0) {
			read_pages(line + 7);
		} else if (strncmp(line, "request: ", 9) == 0) {
			request(line + 9, found);
		} else if (strncmp(line, "requests: ", 10) == 0) {
			requests(line + 10, found);
		} else if (strncmp(line, "counts: ", 8) == 0) {
			counts(found);
		} else if (strncmp(line, "found: ", 7) == 0) {
			answers++;
			twin_answer(line, sizeof(line), found, title, answers);
		}
		if (update)
			puts(line);
	}
	fclose(file);
	end();
	ASSERT(cases > 10 && answers > 25);
}

static void should_leave_out_what_there_is_no_room_for(void)
{
	enum { LARGE = 1 << 30 };
	struct mio_pf_planned_read many[8];

	for (int i = 0; i < 8; i++)
		many[i] = (struct mio_pf_planned_read){.offset = (int64_t)i * 2 * LARGE, .length = LARGE};
	ASSERT_EQUAL(0, mio_pf_plan_begin(&plan, many, 8, 1, 512));
	ASSERT_EQUAL(MIO_PF_PLAN_PLACES_MAX, plan.count);
	ASSERT_EQUAL(1, mio_pf_plan_follow(&plan, 0, 512));
	mio_pf_plan_end(&plan);
}

/* The number of read calls of this process so far; -1: not known. */
static long reading_calls(void)
{
	FILE *file = fopen("/proc/self/io", "re");
	char line[64];
	long calls = -1;

	while (file && fgets(line, sizeof(line), file))
		sscanf(line, "syscr: %ld", &calls);
	if (file)
		fclose(file);
	return calls;
}

static void claim(const char *path, int64_t limit, int64_t blocks)
{
	FILE *file = fopen(path, "r+e");

	ASSERT(file && fseek(file, offsetof(struct mio_trace_header, limit_bytes), SEEK_SET) == 0);
	ASSERT_EQUAL(1, fwrite(&limit, sizeof(limit), 1, file));
	ASSERT(fseek(file, offsetof(struct mio_trace_header, claimed), SEEK_SET) == 0);
	ASSERT_EQUAL(1, fwrite(&blocks, sizeof(blocks), 1, file));
	ASSERT_EQUAL(0, fclose(file));
}

static void should_read_no_more_than_was_claimed(void)
{
	struct mio_pf_plan_events read;
	struct mio_text words = {0};
	struct plan_events events;
	long before;

	plan_events_begin(&events, 1);
	plan_events_read(&events, 1, 0, 4096);
	plan_events_end(&events);
	before = reading_calls();
	if (before < 0 || truncate(events.path, (off_t)1 << 38) < 0) {
		unlink(events.path);
		SKIP("no sparse files, or calls are not counted");
	}
	ASSERT_EQUAL(0, mio_pf_plan_events_read(&read, events.path, &words));
	ASSERT_EQUAL(1, read.read_count);
	ASSERT(reading_calls() - before < 100);
	mio_pf_plan_events_end(&read);
	claim(events.path, 1 << 20, INT64_C(1) << 50);
	before = reading_calls();
	ASSERT_EQUAL(0, mio_pf_plan_events_read(&read, events.path, &words));
	ASSERT_EQUAL(1, read.read_count);
	ASSERT(reading_calls() - before < 100);
	mio_pf_plan_events_end(&read);
	mio_text_clear(&words);
	unlink(events.path);
}

/* The same damage as in EventReaderTest: one record without a type, and impossible numbers. */
static void should_read_what_is_good_of_a_damaged_file(void)
{
	enum { GOOD = 3 };
	struct mio_pf_plan_events read;
	struct mio_text words = {0};
	struct plan_events events;

	plan_events_begin(&events, 1);
	for (int i = 0; i < GOOD + 5; i++)
		plan_events_read(&events, 1, (int64_t)i * 4096, 4096);
	for (int i = 0; i < 5; i++) {
		struct mio_trace_event *event = &events.block.records[events.records - GOOD - 5 + i].event;

		event->type = i == 0 ? 0 : event->type;
		event->start_ns = i == 1 ? (INT64_C(1) << 60) + 1 : event->start_ns;
		event->duration_ns = i == 2 ? INT64_C(1) << 61 : event->duration_ns;
		event->offset = i == 3 ? (INT64_C(1) << 60) + 1 : event->offset;
		event->delivered = i == 4 ? event->requested + 1 : event->delivered;
	}
	plan_events_end(&events);
	ASSERT_EQUAL(0, mio_pf_plan_events_read(&read, events.path, &words));
	ASSERT_EQUAL(GOOD, read.read_count);
	for (int i = 0; i < GOOD; i++)
		ASSERT_EQUAL((5 + i) * 4096, read.reads[i].offset);
	mio_pf_plan_events_end(&read);
	mio_text_clear(&words);
	unlink(events.path);
}

int main(void)
{
	RUN(should_follow_the_plans_of_the_golden_cases);
	RUN(should_leave_out_what_there_is_no_room_for);
	RUN(should_read_no_more_than_was_claimed);
	RUN(should_read_what_is_good_of_a_damaged_file);
	return TEST_RESULT();
}

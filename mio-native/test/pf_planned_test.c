/* What a cache reads for a program with and without a plan. Twin of PfPlanTest, and of PlanTest for the contents of events files. */
#include "assert_string.h"
#include "pf_fixture.h"
#include "pf_random.h"
#include "plan_events.h"

#include "../src/pf/pf_plan_file.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>

enum { PAGE = 4096, PAGES = 400 };

#define OPTIONS "cache=64k/page=4k/private/pref=4"

static unsigned char content[PAGES * PAGE];
static struct memory_file *below;
static struct mio_layer *layer;
static uint64_t inode;
static struct plan_events events;
static struct mio_text words;
static int follows;

static void begin(struct pool *pool)
{
	struct random random = random_of(1);

	for (size_t i = 0; i < sizeof(content); i++)
		content[i] = (unsigned char)random_next(&random);
	below = memory_file_make(pool, 0, 0);
	below->logs = 0;
	ASSERT_EQUAL((int64_t)sizeof(content), memory_file_do_write(below, content, sizeof(content), 0));
	inode = new_inode();
}

static void end(void)
{
	memory_file_free(below);
	mio_text_clear(&words);
	unlink(events.path);
}

static void shuffle(uint64_t seed, int pages[PAGES])
{
	struct random random = random_of(seed);

	for (int i = 0; i < PAGES; i++)
		pages[i] = i;
	for (int i = PAGES - 1; i > 0; i--) {
		int j = (int)random_below(&random, i + 1);
		int other = pages[i];

		pages[i] = pages[j];
		pages[j] = other;
	}
}

/* Records a run that read so many bytes of each page, in the order of each of these seeds; a seed of 0 ends the list. */
static void record(int64_t length, const uint64_t *seeds)
{
	int pages[PAGES];

	plan_events_begin(&events, 1);
	for (; *seeds; seeds++) {
		shuffle(*seeds, pages);
		for (int i = 0; i < PAGES; i++) {
			plan_events_read(&events, 1, (int64_t)pages[i] * PAGE, length);
			plan_events_read(&events, EVENTS_OPENS + 1, 0, PAGE);
			plan_events_read(&events, EVENTS_OPENS + 2, 0, PAGE);
		}
	}
	plan_events_end(&events);
}

static void open_with(const char *options)
{
	layer = pf_open(options, below, inode);
	mio_text_clear(&words);
	follows = mio_pf_layer_follow(layer, events.path, &words);
	ASSERT(follows >= 0);
}

static void read_page(int page, int64_t length)
{
	unsigned char bytes[PAGE];
	int64_t there = mio_pf_min(length, below->size - (int64_t)page * PAGE);

	ASSERT_EQUAL(there, layer->ops->read(layer, bytes, (size_t)length, (int64_t)page * PAGE));
	ASSERT(memcmp(bytes, content + (int64_t)page * PAGE, (size_t)there) == 0);
}

static void read_shuffled(uint64_t seed, int64_t length)
{
	int pages[PAGES];

	shuffle(seed, pages);
	for (int i = 0; i < PAGES; i++)
		if ((int64_t)pages[i] * PAGE < below->size)
			read_page(pages[i], length);
}

static struct mio_stats_pf run(const char *options, const uint64_t *seeds)
{
	struct mio_stats_pf counted;

	open_with(options);
	for (; *seeds; seeds++)
		read_shuffled(*seeds, PAGE);
	counted = pf_counters(layer);
	ASSERT_EQUAL(0, pf_close(layer));
	return counted;
}

#define SEEDS(...) (const uint64_t[]){__VA_ARGS__, 0}
#define NO_SEEDS (const uint64_t[]){0}

static void should_read_pages_in_random_order_ahead(void)
{
	struct mio_stats_pf counted;

	begin(NULL);
	record(PAGE, SEEDS(3));
	counted = run(OPTIONS, SEEDS(3));
	ASSERT_STRING("goes by a plan of 400 pages", mio_text_string(&words));
	ASSERT_EQUAL(1, counted.misses);
	ASSERT_EQUAL(PAGES - 1, counted.started_prefetches);
	ASSERT_EQUAL(0, counted.unused_prefetches);
	ASSERT_EQUAL(PAGES, counted.child.reads);
	ASSERT_EQUAL(PAGES * PAGE, counted.child.bytes_read);
	end();
}

static void should_read_as_many_ahead_as_there_is_room_for_where_the_program_waits(void)
{
	struct mio_stats_pf counted;
	struct pool pool;

	pool_begin(&pool, 2);
	begin(&pool);
	record(PAGE, SEEDS(3, 4));
	counted = run("cache=512k/page=4k/private", SEEDS(3, 4));
	ASSERT(counted.distance >= 2 && counted.distance <= 64);
	ASSERT(counted.misses < PAGES / 8 && counted.unused_prefetches < PAGES / 8);
	end();
	pool_end(&pool);
}

static void should_read_what_detection_reads_where_the_plan_is_of_another_order(void)
{
	struct mio_stats_pf alone, wrong;

	begin(NULL);
	record(PAGE, NO_SEEDS);
	alone = run(OPTIONS, SEEDS(8));
	ASSERT_STRING("the events file has no read of it", mio_text_string(&words));
	unlink(events.path);
	record(PAGE, SEEDS(7));
	wrong = run(OPTIONS, SEEDS(8));
	ASSERT_STRING("goes by a plan of 400 pages", mio_text_string(&words));
	ASSERT_EQUAL(alone.child.reads, wrong.child.reads);
	ASSERT_EQUAL(alone.child.bytes_read, wrong.child.bytes_read);
	ASSERT_EQUAL(alone.started_prefetches, wrong.started_prefetches);
	ASSERT_EQUAL(alone.misses, wrong.misses);
	end();
}

static void should_leave_a_stream_to_detection_that_is_not_in_the_plan(void)
{
	struct mio_stats_pf counted;

	begin(NULL);
	record(PAGE, SEEDS(7));
	open_with(OPTIONS);
	for (int page = 0; page < PAGES; page++)
		read_page(page, PAGE);
	counted = pf_counters(layer);
	ASSERT(counted.misses < 10 && counted.started_prefetches > PAGES - 20);
	ASSERT_EQUAL(0, pf_close(layer));
	end();
}

static void should_keep_what_is_read_again_in_a_pass_that_is_larger_than_the_cache(void)
{
	struct mio_stats_pf counted;

	begin(NULL);
	record(PAGE, SEEDS(5, 5, 5));
	counted = run("cache=400k/page=4k/private/pref=4", SEEDS(5, 5, 5));
	/* Of the 100 frames some are needed for the pages that come next. */
	ASSERT(counted.child.reads < 3 * PAGES - 2 * 85);
	ASSERT_EQUAL(0, counted.unused_prefetches);
	end();
}

static void should_read_only_the_part_of_large_pages_that_is_wanted(void)
{
	begin(NULL);
	record(1024, SEEDS(5));
	open_with("cache=2m/page=64k/private/pref=8");
	read_shuffled(5, 1024);
	/* Neighbouring places that are read one after the other are read together. */
	ASSERT(pf_counters(layer).child.bytes_read < PAGES * 1024 * 5 / 4);
	ASSERT_EQUAL(0, pf_close(layer));
	end();
}

static void should_read_a_page_at_once_that_the_program_reads_piece_by_piece(void)
{
	unsigned char bytes[1000];

	begin(NULL);
	plan_events_begin(&events, 1);
	for (int64_t at = 0; at < 4 * 65536; at += 1000)
		plan_events_read(&events, 2, 7 * 65536 + at, 1000);
	plan_events_end(&events);
	open_with("cache=2m/page=64k/private/pref=2");
	below->logs = 1;
	memory_file_calls(below);
	for (int64_t at = 0; at < 4 * 65536; at += 1000)
		ASSERT_EQUAL(1000, layer->ops->read(layer, bytes, sizeof(bytes), 7 * 65536 + at));
	ASSERT_EQUAL(1, pf_counters(layer).misses);
	ASSERT(strstr(memory_file_calls(below), "read 458752+65536"));
	ASSERT_EQUAL(0, pf_close(layer));
	end();
}

static void should_go_on_where_it_was_when_the_file_is_opened_again(void)
{
	begin(NULL);
	record(PAGE, SEEDS(5, 6));
	run(OPTIONS, SEEDS(5));
	ASSERT_EQUAL(1, run(OPTIONS, SEEDS(6)).misses);
	end();
}

static void should_let_only_one_file_go_by_a_plan_at_a_time(void)
{
	struct mio_layer *other;

	begin(NULL);
	record(PAGE, SEEDS(5));
	open_with(OPTIONS);
	ASSERT_STRING("goes by a plan of 400 pages", mio_text_string(&words));
	mio_text_clear(&words);
	ASSERT_EQUAL(-1, mio_pf_layer_follow(layer, events.path, &words));
	ASSERT_EQUAL(0, words.length);
	other = pf_open(OPTIONS, below, new_inode());
	ASSERT_EQUAL(0, mio_pf_layer_follow(other, events.path, &words));
	ASSERT_STRING("another file of that name goes by it", mio_text_string(&words));
	ASSERT_EQUAL(0, pf_close(layer));
	mio_text_clear(&words);
	ASSERT_EQUAL(1, mio_pf_layer_follow(other, events.path, &words));
	ASSERT_STRING("goes by a plan of 400 pages", mio_text_string(&words));
	ASSERT_EQUAL(0, pf_close(other));
	end();
}

/* ---- the report */

static void counts(const struct mio_stats_plan *plan, int is_followed, int64_t place, int64_t requests, int64_t followed,
		   int64_t left, int64_t stray)
{
	ASSERT_EQUAL(1, plan->is_asked);
	ASSERT(!plan->none);
	ASSERT_EQUAL(is_followed, plan->follows);
	ASSERT_EQUAL(PAGES, plan->pages);
	ASSERT_EQUAL(place, plan->place);
	ASSERT_EQUAL(requests, plan->requests);
	ASSERT_EQUAL(followed, plan->followed);
	ASSERT_EQUAL(left, plan->left);
	ASSERT_EQUAL(stray, plan->stray);
	ASSERT_EQUAL(stray, plan->stray_of);
}

static void should_report_that_the_run_was_where_the_plan_said(void)
{
	struct mio_pf_open *open;
	struct mio_stats_pf counted;

	begin(NULL);
	record(PAGE, SEEDS(5));
	open_with(OPTIONS);
	counted = pf_counters(layer);
	counts(&counted.plan, 1, 0, 0, 0, 0, 0);
	read_shuffled(5, PAGE);
	counted = pf_counters(layer);
	counts(&counted.plan, 1, PAGES, PAGES, PAGES, 0, 0);
	open = (struct mio_pf_open *)layer;
	mio_pf_file_alone(open->file);
	ASSERT_EQUAL(0, layer->ops->close(layer));
	mio_pf_file_unalone(open->file);
	ASSERT_EQUAL(1, mio_pf_open_snapshot(open, MIO_STATS_CLOSE, 0, &counted));
	counts(&counted.plan, 1, PAGES, PAGES, PAGES, 0, 0);
	ASSERT_EQUAL(1, mio_pf_open_snapshot(open, MIO_STATS_CLOSE, 1, &counted));
	ASSERT_EQUAL(0, counted.plan.is_asked);
	mio_pf_file_leave(open->file);
	layer->ops->release(layer);
	end();
}

static void should_report_that_the_run_left_the_plan(void)
{
	struct mio_stats_pf counted;
	int pages[PAGES];

	begin(NULL);
	record(PAGE, SEEDS(7));
	counted = run(OPTIONS, SEEDS(8));
	counts(&counted.plan, 0, 0, PAGES, 0, 1, 2);
	unlink(events.path);
	record(PAGE, SEEDS(5));
	open_with(OPTIONS);
	read_shuffled(5, PAGE);
	/* The first pages of the plan, the other way round. */
	shuffle(5, pages);
	for (int i = 49; i >= 0; i--)
		read_page(pages[i], PAGE);
	counted = pf_counters(layer);
	counts(&counted.plan, 0, PAGES, PAGES + 50, PAGES, 1, 8);
	ASSERT_EQUAL(0, pf_close(layer));
	end();
}

static void should_count_anew_when_the_file_is_opened_again(void)
{
	struct mio_stats_pf counted;

	begin(NULL);
	record(PAGE, SEEDS(7));
	run(OPTIONS, SEEDS(8));
	counted = run(OPTIONS, NO_SEEDS);
	counts(&counted.plan, 0, 0, 0, 0, 0, 2);
	counted = run(OPTIONS, SEEDS(7, 7));
	ASSERT_EQUAL(1, counted.plan.follows);
	ASSERT_EQUAL(2 * PAGES, counted.plan.requests);
	end();
}

static void should_report_why_there_is_no_plan(void)
{
	struct mio_stats_pf counted;
	struct mio_pf_file *file;

	begin(NULL);
	record(PAGE, NO_SEEDS);
	layer = pf_open(OPTIONS, below, inode);
	ASSERT_EQUAL(0, pf_counters(layer).plan.is_asked);
	ASSERT_EQUAL(0, mio_pf_layer_follow(layer, NULL, &words));
	ASSERT_STRING("no memory for it", pf_counters(layer).plan.none);
	ASSERT_EQUAL(0, mio_pf_layer_follow(layer, events.path, &words));
	counted = pf_counters(layer);
	ASSERT_EQUAL(1, counted.plan.is_asked);
	ASSERT_STRING("the events file has no read of it", counted.plan.none);
	unlink(events.path);
	record(PAGE, SEEDS(5));
	ASSERT_EQUAL(1, mio_pf_layer_follow(layer, events.path, &words));
	ASSERT_EQUAL(-1, mio_pf_layer_follow(layer, "/nowhere", &words));
	counted = pf_counters(layer);
	counts(&counted.plan, 1, 0, 0, 0, 0, 0);
	/* The file stays known, and its next open with a cache begins without the reason of this one. */
	file = pf_file(layer);
	mio_pf_files_enter_again(file);
	ASSERT_EQUAL(0, pf_close(layer));
	layer = pf_open(OPTIONS, below, inode);
	ASSERT(pf_file(layer) == file);
	ASSERT_EQUAL(0, pf_counters(layer).plan.is_asked);
	ASSERT_EQUAL(0, pf_close(layer));
	mio_pf_file_leave(file);
	end();
}

static void should_go_on_in_a_file_that_is_shorter_than_it_was(void)
{
	struct mio_stats_pf counted;

	begin(NULL);
	record(PAGE, SEEDS(5));
	below->size = 100 * PAGE + 5;
	counted = run("cache=256k/page=4k/private/pref=32", SEEDS(5));
	ASSERT(counted.child.bytes_read <= 100 * PAGE + 512);
	ASSERT(counted.misses < 20);
	end();
}

/* ---- events files */

static void should_read_the_file_anew_in_a_forked_child(void)
{
	const char *none;

	begin(NULL);
	record(PAGE, SEEDS(5));
	open_with(OPTIONS);
	mio_pf_plans_forked();
	ASSERT(mio_pf_plan_take(events.path, "test", PAGE, &none) != NULL);
	/* The plan belongs to the parent; the child leaves it alone. */
	pf_file(layer)->plan = NULL;
	ASSERT_EQUAL(0, pf_close(layer));
	end();
}

static void takes(const char *name, int64_t pages)
{
	const char *none;
	struct mio_pf_plan_run *run = mio_pf_plan_take(events.path, name, PAGE, &none);

	if (pages)
		ASSERT_EQUAL(pages, run ? run->plan.count : -1);
	else
		ASSERT_STRING("the events file has no read of it", run ? "there is a plan" : none);
	mio_pf_plan_give_back(run);
}

/* An events file may name very many files, in any order. */
static void should_find_a_file_by_its_name_or_the_only_one_that_ends_alike(void)
{
	static const char *const names[] = {"/b/x", "/a/x", "y", "/c/z", "/c/zz", "/a/n", "/d/", "/a/not"};
	enum { COUNT = sizeof(names) / sizeof(names[0]) };

	plan_events_begin(&events, 1);
	plan_events_block(&events, MIO_TRACE_BLOCK_DEFINITIONS);
	for (uint32_t i = 0; i < COUNT; i++)
		plan_events_define(&events, 10 + i, 1, 1, names[i]);
	plan_events_write(&events);
	plan_events_block(&events, MIO_TRACE_BLOCK_EVENTS);
	for (uint32_t i = 0; i + 1 < COUNT; i++)
		for (uint32_t page = 0; page <= i; page++)
			plan_events_read(&events, 10 + i, 2 * page * PAGE, PAGE);
	/* The last file has no reads that make sense. */
	plan_events_read(&events, 10 + COUNT - 1, -1, PAGE);
	plan_events_read(&events, 10 + COUNT - 1, 0, -PAGE);
	plan_events_read(&events, 10 + COUNT - 1, INT64_MAX, PAGE);
	plan_events_end(&events);

	for (uint32_t i = 0; i + 1 < COUNT; i++)
		takes(names[i], i + 1);
	takes("/a/not", 0);
	takes("/c/x", 0);
	takes("x", 0);
	takes("/else/y", 3);
	takes("z", 4);
	takes("/zz", 5);
	takes("a", 0);
	takes("/e/", 7);
	takes("", 7);
	mio_text_clear(&words);
	unlink(events.path);
}

static void tells(const char *expected)
{
	open_with(OPTIONS);
	ASSERT_STARTS(expected, mio_text_string(&words));
	if (!follows)
		ASSERT_STARTS(expected, pf_counters(layer).plan.none);
	read_shuffled(5, PAGE);
	ASSERT_EQUAL(0, pf_close(layer));
}

static void should_go_on_by_detection_where_there_is_no_plan(void)
{
	char expected[160];

	begin(NULL);
	record(PAGE, SEEDS(5));
	unlink(events.path);
	snprintf(expected, sizeof(expected), "there is no file %s", events.path);
	tells(expected);

	plan_events_begin(&events, 10);
	plan_events_read(&events, 1, 0, PAGE);
	plan_events_end(&events);
	tells("events_sample left reads of it out");
	unlink(events.path);

	strcpy(events.path, "/tmp/mio-plan.XXXXXX");
	ASSERT(mkdtemp(events.path));
	snprintf(expected, sizeof(expected), "%s is no events file", events.path);
	tells(expected);
	rmdir(events.path);

	ASSERT_EQUAL(0, mkfifo(events.path, 0600));
	mio_pf_plans_forked();
	tells(expected);
	end();
}

/* Another descriptor holds a lease on the file, so that an open that does not wait is told to try again. */
static void should_go_on_where_the_file_cannot_be_opened_for_any_reason(void)
{
	char expected[160];
	int fd;

	begin(NULL);
	record(PAGE, SEEDS(5));
	signal(SIGIO, SIG_IGN);
	fd = open(events.path, O_RDWR | O_CLOEXEC);
	ASSERT(fd >= 0);
	if (fcntl(fd, F_SETLEASE, F_WRLCK) == 0) {
		snprintf(expected, sizeof(expected), "%s: Resource temporarily unavailable", events.path);
		tells(expected);
	}
	close(fd);
	end();
}

static void should_go_on_with_what_a_file_has_that_was_cut(void)
{
	begin(NULL);
	for (int64_t size = 0; size < 3 * 65536; size += 9973) {
		record(PAGE, SEEDS(5));
		ASSERT_EQUAL(0, truncate(events.path, size));
		tells(size < 4096 ? "/tmp/mio-plan" : size < 2 * 65536 + 128 ? "the events" : "goes by");
		unlink(events.path);
	}
	end();
}

static void should_take_no_harm_from_any_bytes(void)
{
	struct random random = random_of(9);

	begin(NULL);
	for (int round = 0; round < 60; round++) {
		FILE *file;

		record(PAGE, SEEDS(5));
		file = fopen(events.path, "r+");
		ASSERT(file);
		for (int i = 0; i < 400; i++) {
			int64_t at = round % 2 ? 65536 + random_below(&random, 4096) : 4096 + random_below(&random, 3 * 65536);

			ASSERT_EQUAL(0, fseek(file, (long)at, SEEK_SET));
			fputc((int)random_below(&random, 256), file);
		}
		ASSERT_EQUAL(0, fclose(file));
		run(OPTIONS, SEEDS(5));
		unlink(events.path);
	}
	end();
}

int main(void)
{
	alarm(300);
	RUN(should_read_pages_in_random_order_ahead);
	RUN(should_read_as_many_ahead_as_there_is_room_for_where_the_program_waits);
	RUN(should_read_what_detection_reads_where_the_plan_is_of_another_order);
	RUN(should_leave_a_stream_to_detection_that_is_not_in_the_plan);
	RUN(should_keep_what_is_read_again_in_a_pass_that_is_larger_than_the_cache);
	RUN(should_read_only_the_part_of_large_pages_that_is_wanted);
	RUN(should_read_a_page_at_once_that_the_program_reads_piece_by_piece);
	RUN(should_go_on_where_it_was_when_the_file_is_opened_again);
	RUN(should_let_only_one_file_go_by_a_plan_at_a_time);
	RUN(should_report_that_the_run_was_where_the_plan_said);
	RUN(should_report_that_the_run_left_the_plan);
	RUN(should_count_anew_when_the_file_is_opened_again);
	RUN(should_report_why_there_is_no_plan);
	RUN(should_go_on_in_a_file_that_is_shorter_than_it_was);
	RUN(should_read_the_file_anew_in_a_forked_child);
	RUN(should_find_a_file_by_its_name_or_the_only_one_that_ends_alike);
	RUN(should_go_on_by_detection_where_there_is_no_plan);
	RUN(should_go_on_where_the_file_cannot_be_opened_for_any_reason);
	RUN(should_go_on_with_what_a_file_has_that_was_cut);
	RUN(should_take_no_harm_from_any_bytes);
	return TEST_RESULT();
}

/* Which page gives way. Twins of LruReplacementTest and AutoReplacementTest. */
#include "pf_fixture.h"

#define PAGE (16 << 10)

/* Reads pages of a file through a cache of so many frames, and tells what had to be fetched. */
struct run {
	struct memory_file *below;
	struct mio_layer *layer;
	int64_t fetched;
};

static struct run run_with(const char *replace, int frames, int file_pages)
{
	char options[128];
	struct run run = {.below = memory_file_make(NULL, 0, (int64_t)file_pages * PAGE)};

	run.below->logs = 0;
	snprintf(options, sizeof(options), "cache=%d/page=16k/private/pref=1/replace=%s", frames * PAGE, replace);
	run.layer = pf_open(options, run.below, new_inode());
	return run;
}

static void end(struct run *run)
{
	ASSERT_EQUAL(0, pf_close(run->layer));
	memory_file_free(run->below);
}

static void read_pages(struct run *run, int first, int last)
{
	for (int i = first; i <= last; i++)
		READS(run->layer, 0, (int64_t)i * PAGE, PAGE);
}

/* Pages that make no stream: no two are neighbours and no three equally far from each other. */
static void read_scattered(struct run *run, int first, int count)
{
	for (int i = 0; i < count; i++)
		READS(run->layer, 0, (first + 2 * scattered(i)) * PAGE, PAGE);
}

/* Pages fetched since this was asked last. */
static int64_t fetched(struct run *run)
{
	int64_t before = run->fetched;

	run->fetched = pf_counters(run->layer).child.reads;
	return run->fetched - before;
}

static void keeps_a_loop_that_fits(const char *replace)
{
	struct run run = run_with(replace, 20, 16);

	read_pages(&run, 0, 15);
	ASSERT_EQUAL(16, fetched(&run));
	read_pages(&run, 0, 15);
	read_pages(&run, 0, 15);
	ASSERT_EQUAL(0, fetched(&run));
	end(&run);
}

static void should_keep_a_loop_that_fits(void)
{
	keeps_a_loop_that_fits("lru");
	keeps_a_loop_that_fits("auto");
}

static void should_keep_nothing_of_a_loop_of_twice_the_cache_with_lru(void)
{
	struct run run = run_with("lru", 20, 40);

	read_pages(&run, 0, 39);
	fetched(&run);
	read_pages(&run, 0, 39);
	ASSERT_EQUAL(40, fetched(&run));
	end(&run);
}

static void has_one_cache_less_to_fetch_after_turning_round(const char *replace)
{
	struct run run = run_with(replace, 20, 100);

	read_pages(&run, 0, 99);
	fetched(&run);
	for (int i = 99; i >= 0; i--)
		read_pages(&run, i, i);
	ASSERT_EQUAL(80, fetched(&run));
	end(&run);
}

static void should_have_one_cache_less_to_fetch_after_turning_round(void)
{
	has_one_cache_less_to_fetch_after_turning_round("lru");
	has_one_cache_less_to_fetch_after_turning_round("auto");
}

static void should_lose_what_is_read_again_to_a_scan_with_lru(void)
{
	struct run run = run_with("lru", 20, 400);

	read_scattered(&run, 300, 8);
	read_scattered(&run, 300, 8);
	read_pages(&run, 0, 99);
	fetched(&run);
	read_scattered(&run, 300, 8);
	ASSERT_EQUAL(8, fetched(&run));
	end(&run);
}

static void should_work_with_one_frame(void)
{
	struct run run = run_with("lru", 1, 10);

	read_scattered(&run, 0, 3);
	ASSERT_EQUAL(3, fetched(&run));
	read_scattered(&run, 6, 1);
	ASSERT_EQUAL(0, fetched(&run));
	read_scattered(&run, 0, 1);
	ASSERT_EQUAL(1, fetched(&run));
	end(&run);
}

static void should_keep_what_is_read_again_against_a_scan(void)
{
	struct run run = run_with("auto", 20, 400);

	read_scattered(&run, 300, 8);
	read_scattered(&run, 300, 8);
	fetched(&run);
	read_pages(&run, 0, 99);
	/* One more is read ahead. */
	ASSERT_EQUAL(101, fetched(&run));
	read_scattered(&run, 300, 8);
	ASSERT_EQUAL(0, fetched(&run));
	end(&run);
}

static void should_keep_a_good_part_of_a_loop_of_twice_the_cache(void)
{
	struct run run = run_with("auto", 20, 40);

	for (int i = 0; i < 3; i++)
		read_pages(&run, 0, 39);
	fetched(&run);
	/* At best 20 of 40 could stay. */
	for (int i = 0; i < 2; i++) {
		read_pages(&run, 0, 39);
		ASSERT(fetched(&run) <= 40 - 12);
	}
	end(&run);
}

static void should_follow_the_program_to_another_working_set(void)
{
	struct run run = run_with("auto", 20, 400);

	for (int round = 0; round < 10; round++)
		read_scattered(&run, 0, 14);
	for (int round = 0; round < 20; round++)
		read_scattered(&run, 200, 14);
	fetched(&run);
	read_scattered(&run, 200, 14);
	ASSERT_EQUAL(0, fetched(&run));
	end(&run);
}

static void should_work_with_very_few_frames(void)
{
	for (int frames = 1; frames <= 4; frames++) {
		struct run run = run_with("auto", frames, 50);
		int64_t count;

		read_scattered(&run, 0, 7);
		ASSERT_EQUAL(7, fetched(&run));
		read_scattered(&run, 24, 1);
		ASSERT_EQUAL(0, fetched(&run));
		read_pages(&run, 0, 49);
		read_pages(&run, 0, 49);
		count = fetched(&run);
		ASSERT(count >= 98 - 2 * frames && count <= 100);
		end(&run);
	}
}

/* What the same reads come to there: a working set larger than the cache, with leaps. */
static void should_fetch_as_often_as_the_java_side(void)
{
	struct run run = run_with("auto", 10, 400);
	uint32_t random = 1;

	for (int i = 0; i < 5000; i++) {
		int page;

		random = random * 1664525 + 1013904223;
		page = (int)(random >> 16) % (i % 7 == 0 ? 400 : 30);
		read_pages(&run, page, page);
	}
	ASSERT_EQUAL(5703, fetched(&run));
	end(&run);
}

int main(void)
{
	RUN(should_keep_a_loop_that_fits);
	RUN(should_keep_nothing_of_a_loop_of_twice_the_cache_with_lru);
	RUN(should_have_one_cache_less_to_fetch_after_turning_round);
	RUN(should_lose_what_is_read_again_to_a_scan_with_lru);
	RUN(should_work_with_one_frame);
	RUN(should_keep_what_is_read_again_against_a_scan);
	RUN(should_keep_a_good_part_of_a_loop_of_twice_the_cache);
	RUN(should_follow_the_program_to_another_working_set);
	RUN(should_work_with_very_few_frames);
	RUN(should_fetch_as_often_as_the_java_side);
	return TEST_RESULT();
}

/* Which page is evicted, and when a cache should get more frames. Twins of LruReplacementTest, AutoReplacementTest and GrowingPagesTest. */
#include "../src/os/os_room.h"
#include "../src/pf/pf_auto.h"
#include "../src/pf/pf_growth.h"
#include "pf_fixture.h"

#define PAGE (16 << 10)

/* Reads pages of a file through a cache of so many frames, and counts the pages that were fetched. */
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

/* Pages that form no stream: no two are neighbours and no three are equally spaced. */
static void read_scattered(struct run *run, int first, int count)
{
	for (int i = 0; i < count; i++)
		READS(run->layer, 0, (first + 2 * scattered(i)) * PAGE, PAGE);
}

/* The number of pages fetched since the last call. */
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
	/* One page is read ahead. */
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
	/* At best, 20 of the 40 pages could stay. */
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

/* The same reads cost as many fetches on the Java side: a working set larger than the cache, with random jumps. */
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
	ASSERT_EQUAL(3608, fetched(&run));
	end(&run);
}

static int64_t memory_of(int64_t frames, int64_t most, int64_t page_bytes, int64_t loop_pages)
{
	return mio_pf_replace_memory(&(struct mio_pf_replace_sizes){most, page_bytes, loop_pages}, frames);
}

static void should_remember_as_many_pages_as_the_java_side(void)
{
	const int64_t mib = 1 << 20;

	ASSERT_EQUAL(160, memory_of(20, 20, 16 << 10, 0));
	ASSERT_EQUAL(1024, memory_of(32, 512, 64 << 10, 0));
	ASSERT_EQUAL(4096, memory_of(512, 512, 64 << 10, 0));
	ASSERT_EQUAL(32768, memory_of(8192, 8192, 4096, 0));
	/* Never fewer than the frames. */
	ASSERT_EQUAL(65536, memory_of(65536, 65536, 4096, 0));
	ASSERT_EQUAL(131072, memory_of(65536, 65536, 16 << 10, 0));
	/* Never more than 131072. */
	ASSERT_EQUAL(131072, memory_of(65536, 65536, 64 << 10, 0));
	ASSERT_EQUAL(131072, memory_of(65536, 65536, mib, 0));
	ASSERT_EQUAL(131072, memory_of(1 << 29, 1 << 29, mib, 0));
	/* As many as the file has pages, up to a multiple of the frames. */
	ASSERT_EQUAL(8192, memory_of(256, 256, mib, 8192));
	ASSERT_EQUAL(32768, memory_of(256, 256, mib, 40000));
	ASSERT_EQUAL(2048, memory_of(16, 16, mib, 40000));
	ASSERT_EQUAL(128, memory_of(16, 16, mib, 100));
}

enum { LOOP_PAGE = 128 << 10 };

/* The pages fetched in the last of four rounds through a file of 100 pages with eight frames. */
static int64_t fetched_in_a_long_loop(int64_t file_bytes)
{
	struct mio_layer_spec rule = pf_spec("cache=64k/page=64k"), spec;
	struct mio_open_request request = pf_request(new_inode(), O_RDONLY, 512);
	struct run run = {.below = memory_file_make(NULL, 0, (int64_t)100 * LOOP_PAGE)};
	int64_t count;

	run.below->logs = 0;
	mio_pf_auto_pages_spec(&rule, (int64_t)8 * LOOP_PAGE, file_bytes, &spec);
	spec.values[MIO_PF_OPTION_PAGE_SIZE].number = LOOP_PAGE;
	ASSERT_EQUAL(0, mio_pf_layer_make(&spec, &run.below->layer, mio_pf_file_enter(request.device, request.inode), &request,
					  pf_engine, &run.layer));
	for (int round = 0; round < 4; round++) {
		fetched(&run);
		for (int i = 0; i < 100; i++)
			READS(run.layer, 0, (int64_t)i * LOOP_PAGE, LOOP_PAGE);
	}
	count = fetched(&run);
	end(&run);
	return count;
}

static void should_keep_part_of_a_file_that_is_far_larger_than_the_cache(void)
{
	ASSERT_EQUAL(100, fetched_in_a_long_loop(0));
	ASSERT(fetched_in_a_long_loop((int64_t)100 * LOOP_PAGE) <= 96);
}

/* ---- the small pages of pf/auto: 16 at first, more if they are read again */

enum { SMALL_PAGE = 64 << 10 };

static struct mio_pf_growth growth;

static struct run run_growing_in(int file_pages, const struct mio_pf_frame_memory *memory)
{
	struct mio_layer_spec rule = pf_spec("cache=64k/page=64k"), spec;
	struct mio_open_request request = pf_request(new_inode(), O_RDONLY, 512);
	struct run run = {.below = memory_file_make(NULL, 0, (int64_t)file_pages * SMALL_PAGE)};

	run.below->logs = 0;
	growth = (struct mio_pf_growth){0};
	mio_pf_frame_memory = memory;
	mio_pf_auto_pages_spec(&rule, 0, 0, &spec);
	ASSERT_EQUAL(0, mio_pf_layer_make(&spec, &run.below->layer, mio_pf_file_enter(request.device, request.inode), &request,
					  pf_engine, &run.layer));
	return run;
}

static struct run run_growing(int file_pages)
{
	return run_growing_in(file_pages, &frames_of_test);
}

/* Does what the layer does after so many small requests. Returns the number of frames afterwards. */
static int64_t look(struct run *run)
{
	mio_pf_layer_grow(run->layer, &growth, 4096, 300);
	return mio_pf_layer_facts(run->layer).frames;
}

/* Reads all pages once. Returns how many had to be fetched. */
static int64_t pass(struct run *run, int pages)
{
	for (int i = 0; i < pages; i++)
		READS(run->layer, 0, (int64_t)i * SMALL_PAGE, SMALL_PAGE);
	return fetched(run);
}

static void should_keep_all_of_a_file_that_is_read_again_and_again(void)
{
	struct run run = run_growing(100);

	for (int i = 0; i < 3; i++) {
		pass(&run, 100);
		ASSERT_EQUAL(16, look(&run));
	}
	pass(&run, 100);
	ASSERT_EQUAL(100, look(&run));
	ASSERT_EQUAL(84, pass(&run, 100));
	ASSERT_EQUAL(0, pass(&run, 100));
	end(&run);
	ASSERT_EQUAL(frames_taken, frames_given);
}

static void should_keep_part_of_one_that_is_larger_than_may_be_kept(void)
{
	struct run run = run_growing(600);

	for (int i = 0; i < 5; i++) {
		pass(&run, 600);
		look(&run);
	}
	ASSERT_EQUAL(512, look(&run));
	pass(&run, 600);
	ASSERT_EQUAL(190, pass(&run, 600));
	ASSERT_EQUAL(190, pass(&run, 600));
	end(&run);
}

static void should_grow_in_small_steps_too(void)
{
	struct run run = run_growing(600);
	int64_t frames = 16;

	/* By half at least each time, to 512 at most. */
	while (frames + frames / 2 <= 512) {
		int64_t more = frames + frames / 2;

		for (int i = 0; i < 8; i++)
			pass(&run, (int)more);
		frames = look(&run);
		/* It may find a page or two more in use. */
		ASSERT(frames >= more);
	}
	end(&run);
	ASSERT_EQUAL(frames_taken, frames_given);
}

static void should_stay_small_where_nothing_is_read_again(void)
{
	struct run run = run_growing(500);

	ASSERT_EQUAL(500, pass(&run, 500));
	ASSERT_EQUAL(16, look(&run));
	end(&run);
}

static void should_go_on_as_it_is_where_there_is_no_memory(void)
{
	struct run run = run_growing(100);
	struct mio_pf_grown others = {0};

	while (mio_pf_caches_grow(&others, 1 << 20))
		;
	for (int i = 0; i < 10; i++)
		pass(&run, 100);
	ASSERT_EQUAL(16, look(&run));
	/* It does not ask for memory again. */
	mio_pf_caches_shrink(&others);
	ASSERT(pass(&run, 100) > 0);
	ASSERT_EQUAL(16, look(&run));
	end(&run);
}

static struct mio_layer *beside; /* the open that looks next, or NULL */
static struct mio_pf_growth growth_beside;

/* Another open of the file looks, too, while memory is taken for this one. */
static void *take_beside(size_t bytes)
{
	struct mio_layer *layer = beside;

	beside = NULL;
	if (layer)
		ASSERT_EQUAL(0, mio_pf_layer_grow(layer, &growth_beside, 4096, 300));
	return frames_of_test.take(bytes);
}

static void should_grow_once_where_two_opens_want_it(void)
{
	static const struct mio_pf_frame_memory both = {take_beside, frames_give};
	struct run run = run_growing_in(600, &both);
	int64_t frames;

	growth_beside = (struct mio_pf_growth){0};
	for (int i = 0; i < 4; i++)
		pass(&run, 400);
	beside = run.layer;
	frames = look(&run);
	ASSERT(frames >= 400 && frames <= 402);
	ASSERT(!beside);
	end(&run);
	ASSERT_EQUAL(frames_taken, frames_given);
}

static void *take_little(size_t bytes)
{
	return bytes > (size_t)16 * SMALL_PAGE ? NULL : frames_of_test.take(bytes);
}

static void should_begin_where_addresses_are_scarce(void)
{
	static const struct mio_pf_frame_memory scarce = {take_little, frames_give};
	struct run run = run_growing_in(100, &scarce);

	for (int i = 0; i < 10; i++)
		ASSERT(pass(&run, 100) > 0);
	ASSERT_EQUAL(16, look(&run));
	end(&run);
	ASSERT_EQUAL(frames_taken, frames_given);
	mio_pf_frame_memory = &frames_of_test;
}

static void should_count_what_all_caches_have_grown_by(void)
{
	struct mio_pf_grown one = {0}, other = {0};

	if (!mio_pf_growth_may(MIO_PF_GROWN_MOST, 0, mio_os_room()))
		SKIP("too little memory for caches to grow as far as they may");
	ASSERT(mio_pf_caches_grow(&one, MIO_PF_GROWN_MOST));
	ASSERT(!mio_pf_caches_grow(&other, 1));
	mio_pf_caches_shrink(&one);
	ASSERT(mio_pf_caches_grow(&other, MIO_PF_GROWN_MOST));
	/* A child does not count what the caches of its parent have. */
	mio_pf_caches_forked();
	ASSERT(mio_pf_caches_grow(&one, MIO_PF_GROWN_MOST));
	mio_pf_caches_shrink(&other);
	ASSERT(!mio_pf_caches_grow(&other, 1));
	mio_pf_caches_shrink(&one);
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
	RUN(should_remember_as_many_pages_as_the_java_side);
	RUN(should_keep_part_of_a_file_that_is_far_larger_than_the_cache);
	RUN(should_keep_all_of_a_file_that_is_read_again_and_again);
	RUN(should_keep_part_of_one_that_is_larger_than_may_be_kept);
	RUN(should_grow_in_small_steps_too);
	RUN(should_stay_small_where_nothing_is_read_again);
	RUN(should_grow_once_where_two_opens_want_it);
	RUN(should_go_on_as_it_is_where_there_is_no_memory);
	RUN(should_begin_where_addresses_are_scarce);
	RUN(should_count_what_all_caches_have_grown_by);
	return TEST_RESULT();
}

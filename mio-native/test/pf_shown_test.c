/* What others see of the pages while the program runs: the records of the live counter file. */
#include "pf_fixture.h"

#include <limits.h>
#include <stdlib.h>

#include "../src/common/clock.h"
#include "../src/live/live.h"
#include "../src/pf/pf_bypass.h"

enum { PAGE = 4096, SECTOR = 512, SIZE = 40 * PAGE };

static struct memory_file *below;
static struct mio_layer *layer;

static struct mio_live_pf *of_file(void)
{
	return pf_file(layer)->live;
}

static struct mio_live_pf *of_cache(void)
{
	return mio_pf_file_cache(pf_file(layer))->live;
}

static void begin(const char *options, int oflags, int direct_pages)
{
	struct mio_open_request request = pf_request(new_inode(), oflags, SECTOR);

	request.direct_pages = direct_pages;
	below = memory_file_make(NULL, 'o', SIZE);
	layer = pf_open_as(options, &below->layer, request);
	ASSERT(of_file());
}

static void end(void)
{
	ASSERT_EQUAL(0, pf_close(layer));
	memory_file_free(below);
}

static void should_show_what_the_file_and_its_cache_are(void)
{
	int64_t before = mio_clock_ns();

	begin("cache=64k/page=4k/global=120", O_RDWR, 0);
	ASSERT_EQUAL(120, of_file()->cache_number);
	ASSERT_EQUAL(16, of_file()->frames);
	ASSERT_EQUAL(PAGE, of_file()->page_bytes);
	ASSERT_EQUAL(SECTOR, of_file()->sector_bytes);
	ASSERT_EQUAL(0, of_file()->unit_shift);
	ASSERT_EQUAL(0, of_file()->direct);
	ASSERT_EQUAL(SIZE, of_file()->size);
	ASSERT_TEXT("memory", of_file()->engine);
	ASSERT_TEXT("os", of_file()->below);
	ASSERT_TEXT("test", of_file()->name);
	ASSERT_EQUAL(4, of_file()->name_length);
	ASSERT(of_file()->begun_ns >= before);
	ASSERT_EQUAL(120, of_cache()->cache_number);
	ASSERT_EQUAL(16, of_cache()->frames);
	ASSERT_EQUAL(PAGE, of_cache()->page_bytes);
	ASSERT(of_cache()->begun_ns >= before);
	end();
	/* A private cache has no record of its own; the record of its file shows it. */
	begin("cache=64k/page=4k/private", O_RDWR | O_DIRECT, 0);
	ASSERT(!of_cache());
	ASSERT_EQUAL(1, of_file()->direct);
	end();
	begin("cache=64k/page=4k/private", O_RDWR, 1);
	ASSERT_EQUAL(1, of_file()->direct);
	end();
}

static void shows_pages(int64_t resident, int64_t dirty)
{
	ASSERT_EQUAL(resident, of_file()->resident);
	ASSERT_EQUAL(dirty, of_file()->dirty);
	ASSERT_EQUAL(resident, of_cache()->resident);
	ASSERT_EQUAL(dirty, of_cache()->dirty);
}

static void should_show_the_pages_of_now(void)
{
	begin("cache=64k/page=4k/global=121", O_RDWR, 0);
	shows_pages(0, 0);
	WRITES(layer, 'n', 0, SECTOR);
	shows_pages(1, 1);
	WRITES(layer, 'n', SIZE, SECTOR);
	shows_pages(2, 2);
	ASSERT_EQUAL(0, layer->ops->flush(layer, 0));
	shows_pages(2, 0);
	ASSERT_EQUAL(SIZE + SECTOR, of_file()->size);
	ASSERT_EQUAL(0, mio_pf_file_forget(pf_file(layer)));
	shows_pages(0, 0);
	end();
}

static int64_t waiting_of_file, waiting_of_cache;

static void await(struct mio_layer *asked, struct mio_io *io, int wait)
{
	if (wait) {
		waiting_of_file = of_file()->waiting;
		waiting_of_cache = of_cache()->waiting;
	}
	memory_file_await(asked, io, wait);
}

static void should_show_what_is_on_its_way_and_who_waits_for_it(void)
{
	struct mio_layer_ops ops = memory_file_ops;

	ops.await = await;
	begin("cache=64k/page=4k/global=122/pref=2", O_RDWR, 0);
	below->layer.ops = &ops;
	below->holds = 1;
	READS(layer, 'o', 0, PAGE);
	READS(layer, 'o', PAGE, PAGE);
	ASSERT_EQUAL(2, below->held_count);
	ASSERT_EQUAL(2, of_file()->in_flight);
	ASSERT_EQUAL(2, of_cache()->in_flight);
	ASSERT_EQUAL(2, of_file()->distance);
	ASSERT_EQUAL(1, of_file()->streams);
	ASSERT_EQUAL(0, of_file()->waiting);
	READS(layer, 'o', 2 * PAGE, PAGE);
	ASSERT_EQUAL(1, waiting_of_file);
	ASSERT_EQUAL(1, waiting_of_cache);
	waiting_of_file = waiting_of_cache = 0;
	/* A write of part of a sector waits, too, if its page is still being read. */
	WRITES(layer, 'n', 3 * PAGE + 10, 10);
	ASSERT_EQUAL(1, waiting_of_file);
	ASSERT_EQUAL(1, waiting_of_cache);
	ASSERT_EQUAL(0, of_file()->waiting);
	ASSERT_EQUAL(0, of_cache()->waiting);
	below->holds = 0;
	while (below->held_count > 0)
		memory_file_run_held(below, 0);
	ASSERT_EQUAL(0, of_file()->in_flight);
	ASSERT_EQUAL(0, of_cache()->in_flight);
	below->layer.ops = &memory_file_ops;
	end();
}

int main(void)
{
	const char *place = getenv("MIO_TEST_DIR");
	char root[PATH_MAX];
	char directory[PATH_MAX + 32];

	ASSERT(realpath(place ? place : ".", root));
	snprintf(directory, sizeof(directory), "%s/pf_shown.%d", root, (int)getpid());
	mio_clock_begin_ns();
	mio_live_begin(directory, "", "a program");
	mio_live_reserve("memory");
	RUN(should_show_what_the_file_and_its_cache_are);
	RUN(should_show_the_pages_of_now);
	RUN(should_show_what_is_on_its_way_and_who_waits_for_it);
	mio_live_end();
	ASSERT_EQUAL(0, rmdir(directory));
	return TEST_RESULT();
}

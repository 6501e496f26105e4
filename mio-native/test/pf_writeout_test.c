/* What is written when a whole file or a page is written out. Twin of WriteOutTest. */
#include "pf_fixture.h"

#include "../src/pf/pf_page_io.h"
#include "../src/pf/pf_writeout.h"

enum { PAGE = 4096, SECTOR = 512 };

static struct memory_file *below;
static struct mio_layer *layer;

static void begin(void)
{
	below = memory_file_make(NULL, 'o', 8 * PAGE);
	layer = pf_open("cache=64k/page=4k/private/pref=2", below, new_inode());
}

static void end(void)
{
	ASSERT_EQUAL(0, pf_close(layer));
	memory_file_free(below);
}

static struct mio_pf_page *first_page(struct mio_pf_cache *cache)
{
	struct mio_pf_page *page = mio_pf_cache_find(cache, pf_file(layer), 0);

	ASSERT(page);
	return page;
}

static int64_t fails_first_sector(struct memory_file *file, int write, int64_t offset, int64_t length)
{
	(void)file;
	(void)length;
	return write && offset == 0 ? -EIO : 0;
}

/* Two parts of a page are written behind; the first fails while the second is under way. */
static void should_write_what_failed_while_another_part_is_on_its_way(void)
{
	struct mio_pf_cache *cache;
	struct mio_pf_page_io *io;

	begin();
	cache = mio_pf_file_cache(pf_file(layer));
	WRITES(layer, 'n', 0, SECTOR);
	WRITES(layer, 'n', 4 * SECTOR, SECTOR);
	below->holds = 1;
	below->fault = fails_first_sector;
	mio_lock_acquire(&cache->lock);
	mio_pf_writeout_behind(first_page(cache));
	for (io = first_page(cache)->ios; io && io->from_sector != 0; io = io->next)
		;
	ASSERT(io);
	mio_pf_cache_await(cache, io);
	ASSERT(mio_pf_page_write_on_its_way(first_page(cache)));
	mio_lock_release(&cache->lock);
	below->fault = NULL;
	ASSERT_EQUAL(-EIO, pf_write(layer, 'x', 20 * PAGE, 10));

	ASSERT_EQUAL(0, layer->ops->flush(layer, 0));
	ASSERT_EQUAL('n', below->bytes[0]);
	ASSERT_EQUAL('n', below->bytes[4 * SECTOR]);
	below->holds = 0;
	end();
}

/* One request is cheaper than two, and the bytes between are the same as in the file. */
static void should_write_what_is_dirty_and_valid_between_in_one_request(void)
{
	begin();
	ASSERT_EQUAL(0, layer->ops->truncate(layer, 5 * SECTOR));
	ASSERT_EQUAL(5 * SECTOR, pf_read(layer, 'o', 0, PAGE));
	WRITES(layer, 'n', 0, SECTOR);
	WRITES(layer, 'n', 4 * SECTOR, SECTOR);
	memory_file_calls(below);
	ASSERT_EQUAL(0, layer->ops->flush(layer, 0));
	ASSERT_TEXT("write 0+2560, flush", memory_file_calls(below));
	end();
}

/* A sector in between that was never read does not have the file's bytes. */
static void should_write_what_is_dirty_in_parts_where_a_sector_between_is_not_there(void)
{
	begin();
	WRITES(layer, 'n', 0, SECTOR);
	WRITES(layer, 'n', 4 * SECTOR, SECTOR);
	memory_file_calls(below);
	ASSERT_EQUAL(0, layer->ops->flush(layer, 0));
	ASSERT_TEXT("write 0+512, write 2048+512, flush", memory_file_calls(below));
	ASSERT(holds(below, 'o', SECTOR, 3 * SECTOR));
	end();
}

static int64_t spares(const struct mio_pf_cache *cache)
{
	int64_t count = 0;

	for (const struct mio_pf_page_io *io = cache->ios_spare; io; io = io->next)
		count++;
	for (const struct mio_pf_page_io *io = cache->ios_ending; io; io = io->next)
		count++;
	return count;
}

static void should_make_a_page_request_of_one_that_ended(void)
{
	begin();
	for (int i = 0; i < 100; i++) {
		WRITES(layer, 'n', 0, SECTOR);
		ASSERT_EQUAL(0, layer->ops->flush(layer, 0));
	}
	ASSERT_EQUAL(1, spares(mio_pf_file_cache(pf_file(layer))));
	end();
}

/* Another open may be writing the sectors in between just now, past the pages. */
static void should_write_no_clean_sector_where_writes_may_meet(void)
{
	begin();
	ASSERT_EQUAL(PAGE, pf_read(layer, 'o', 0, PAGE));
	mio_pf_file_writes_meet(pf_file(layer));
	WRITES(layer, 'n', 0, SECTOR);
	WRITES(layer, 'n', 5 * SECTOR, SECTOR);
	memset(below->bytes + 2 * SECTOR, 'p', SECTOR);

	ASSERT_EQUAL(0, layer->ops->flush(layer, 0));
	ASSERT_EQUAL('n', below->bytes[0]);
	ASSERT_EQUAL('p', below->bytes[2 * SECTOR]);
	ASSERT_EQUAL('n', below->bytes[5 * SECTOR]);
	end();
}

/* Other files may have very many dirty pages, and a file is often closed with only a page or two of its own. */
static void should_not_look_at_pages_of_others_that_became_dirty_before(void)
{
	const char *shared = "cache=256k/page=4k/global=105";
	struct memory_file *other_file;
	struct mio_pf_cache *cache;
	struct mio_pf_page *oldest;
	struct mio_layer *other;

	other_file = memory_file_make(NULL, 'o', 16 * PAGE);
	other = pf_open(shared, other_file, new_inode());
	below = memory_file_make(NULL, 'o', 16 * PAGE);
	layer = pf_open(shared, below, new_inode());
	cache = mio_pf_file_cache(pf_file(layer));
	for (int page = 0; page < 8; page++)
		WRITES(other, 'x', page * PAGE, SECTOR);
	for (int page = 8; page > 0; page--) {
		WRITES(layer, 'n', page * PAGE, SECTOR);
		WRITES(other, 'x', (7 + page) * PAGE, SECTOR);
	}
	oldest = cache->dirty.first;
	ASSERT(oldest && oldest->file == pf_file(other));
	cache->dirty.first = NULL;
	ASSERT_EQUAL(0, mio_pf_writeout_file(pf_file(layer)));
	cache->dirty.first = oldest;
	for (int page = 1; page <= 8; page++)
		ASSERT_EQUAL('n', below->bytes[page * PAGE]);
	ASSERT(!mio_pf_file_is_dirty(pf_file(layer)));
	ASSERT_EQUAL(0, pf_close(other));
	memory_file_free(other_file);
	end();
}

int main(void)
{
	RUN(should_write_what_failed_while_another_part_is_on_its_way);
	RUN(should_write_what_is_dirty_and_valid_between_in_one_request);
	RUN(should_write_what_is_dirty_in_parts_where_a_sector_between_is_not_there);
	RUN(should_make_a_page_request_of_one_that_ended);
	RUN(should_write_no_clean_sector_where_writes_may_meet);
	RUN(should_not_look_at_pages_of_others_that_became_dirty_before);
	return TEST_RESULT();
}

/* Pages over storage that has bad sectors, or moves fewer bytes than it is asked for. Twin of PfFaultTest. */
#include "pf_below.h"

static int64_t bad_from, bad_to;

static int64_t bad_sectors(struct memory_file *file, int write, int64_t offset, int64_t length)
{
	(void)file;
	(void)write;
	if (offset >= bad_to || offset + length <= bad_from)
		return 0;
	return offset < bad_from ? bad_from - offset : -EIO;
}

/* A bad sector is reported once, and does not prevent writes elsewhere. */
static void should_write_elsewhere_while_a_page_cannot_be_written(void)
{
	struct mio_layer *layer;

	begin();
	layer = pf_open(OPTIONS, below, inode);
	bad_from = 2 * PAGE;
	bad_to = 3 * PAGE;
	below->fault = bad_sectors;
	WRITES(layer, 'n', 2 * PAGE, PAGE);
	ASSERT_EQUAL(-EIO, pf_write(layer, 'x', 20 * PAGE, 10));
	for (int i = 20; i < 23; i++)
		WRITES(layer, 'x', i * PAGE, 10);
	ASSERT(holds(below, 'x', 20 * PAGE, 10));
	ASSERT(holds(below, 'x', 22 * PAGE, 10));
	ASSERT_EQUAL(-EIO, pf_write(layer, 'm', 2 * PAGE + 100, 10));
	READS(layer, 'n', 2 * PAGE, PAGE);
	ASSERT_EQUAL(-EIO, layer->ops->flush(layer, 0));
	below->fault = NULL;
	ASSERT_EQUAL(0, layer->ops->flush(layer, 0));
	ASSERT(holds(below, 'n', 2 * PAGE, PAGE));
	ASSERT_EQUAL(0, pf_close(layer));
	end();
}

static void should_say_nothing_of_an_error_in_what_nobody_asked_for(void)
{
	struct mio_layer *layer;

	begin();
	layer = pf_open(OPTIONS, below, inode);
	bad_from = 6 * PAGE;
	bad_to = 7 * PAGE;
	below->fault = bad_sectors;
	for (int i = 0; i < 6; i++)
		READS(layer, 'o', i * PAGE, PAGE);
	ASSERT(strstr(memory_file_calls(below), "aread 24576+4096"));
	ASSERT_EQUAL(-EIO, pf_read(layer, 'o', 6 * PAGE, PAGE));
	below->fault = NULL;
	READS(layer, 'o', 6 * PAGE, PAGE);
	ASSERT_EQUAL(0, layer->ops->flush(layer, 0));
	ASSERT_EQUAL(0, pf_close(layer));
	end();
}

static void should_deliver_what_lies_before_a_bad_page(void)
{
	struct mio_layer *layer;

	begin();
	layer = pf_open(OPTIONS, below, inode);
	bad_from = 2 * PAGE;
	bad_to = INT64_MAX;
	below->fault = bad_sectors;
	ASSERT_EQUAL(2 * PAGE - 100, pf_read(layer, 'o', 100, 4 * PAGE));
	below->fault = NULL;
	ASSERT_EQUAL(0, pf_close(layer));
	end();
}

static void should_never_take_a_bad_sector_for_zeros(void)
{
	struct mio_layer *layer;

	begin();
	layer = pf_open("cache=256k/page=64k/private/pref=2", below, inode);
	bad_from = 5 * PAGE + 1024;
	bad_to = bad_from + 512;
	below->fault = bad_sectors;
	/* The page is read up to the bad sector, and past it. */
	READS(layer, 'o', 0, 100);
	READS(layer, 'o', 100, 5 * PAGE);
	ASSERT_EQUAL(-EIO, pf_read(layer, 'o', bad_from, 10));
	READS(layer, 'o', bad_to, 4 * PAGE);
	ASSERT_EQUAL(-EIO, pf_read(layer, 'o', bad_from + 500, 512));
	below->fault = NULL;
	READS(layer, 'o', 0, 16 * PAGE);
	ASSERT_EQUAL(0, pf_close(layer));
	/* The same if the page was read ahead. */
	layer = pf_open("cache=256k/page=64k/private/pref=2", below, inode);
	bad_from = 40 * PAGE;
	bad_to = bad_from + 512;
	below->fault = bad_sectors;
	for (int i = 0; i < 40; i++)
		READS(layer, 'o', i * PAGE, PAGE);
	ASSERT_EQUAL(-EIO, pf_read(layer, 'o', bad_from, PAGE));
	below->fault = NULL;
	READS(layer, 'o', bad_from, PAGE);
	ASSERT_EQUAL(0, pf_close(layer));
	end();
}

static void should_read_behind_a_bad_sector_of_a_page_that_is_read_whole(void)
{
	struct mio_layer *layer;

	begin();
	layer = pf_open("cache=64k/page=16k/private/pref=2", below, inode);
	bad_from = 1024;
	bad_to = 1536;
	below->fault = bad_sectors;
	READS(layer, 'o', 3 * PAGE, 100);
	READS(layer, 'o', 1536, 2 * PAGE);
	READS(layer, 'o', 0, 1024);
	ASSERT_EQUAL(-EIO, pf_read(layer, 'o', 1024, 10));
	ASSERT_EQUAL(0, pf_close(layer));
	end();
}

static void should_write_into_a_sector_behind_a_bad_one(void)
{
	struct mio_layer *layer;

	begin();
	layer = pf_open("cache=64k/page=16k/private/pref=2", below, inode);
	bad_from = 1024;
	bad_to = 1536;
	below->fault = bad_sectors;
	WRITES(layer, 'n', 2 * PAGE + 100, 300);
	ASSERT_EQUAL(0, layer->ops->flush(layer, 0));
	ASSERT(holds(below, 'n', 2 * PAGE + 100, 300));
	ASSERT(holds(below, 'o', 2 * PAGE, 100));
	ASSERT(holds(below, 'o', 2 * PAGE + 400, 112));
	ASSERT_EQUAL(-EIO, pf_write(layer, 'n', 1100, 10));
	ASSERT_EQUAL(0, pf_close(layer));
	ASSERT(holds(below, 'o', 0, 2 * PAGE));
	end();
}

static int64_t bit_by_bit(struct memory_file *file, int write, int64_t offset, int64_t length)
{
	(void)file;
	(void)write;
	(void)offset;
	return length > 700 ? 700 : 0;
}

static void should_go_on_after_short_counts(void)
{
	struct mio_layer *layer;

	begin();
	layer = pf_open(OPTIONS, below, inode);
	below->fault = bit_by_bit;
	for (int i = 0; i < PAGES; i++)
		READS(layer, 'o', i * PAGE, PAGE);
	WRITES(layer, 'n', 10 * PAGE + 100, 3000);
	ASSERT_EQUAL(0, layer->ops->flush(layer, 0));
	ASSERT(holds(below, 'n', 10 * PAGE + 100, 3000));
	/* When the cache writes behind the program's back, a short write counts as failed and is made again. */
	WRITES(layer, 'm', 20 * PAGE, PAGE);
	ASSERT_EQUAL(-EIO, layer->ops->flush(layer, 0));
	ASSERT_EQUAL(0, layer->ops->flush(layer, 0));
	ASSERT(holds(below, 'm', 20 * PAGE, PAGE));
	ASSERT_EQUAL(0, pf_close(layer));
	end();
}

static void should_tell_of_bytes_that_were_taken_before_a_write_failed(void)
{
	struct mio_layer *layer;

	begin();
	memory_file_cut(below, 0);
	below->reserve_error = ENOSPC;
	below->reserve_max = 8192;
	bad_from = 8192;
	bad_to = INT64_MAX;
	below->fault = bad_sectors;
	layer = pf_open("cache=64k/page=8k/private", below, inode);
	ASSERT_EQUAL(8192, pf_write(layer, 1, 0, 10000));
	ASSERT_EQUAL(-EIO, pf_write(layer, 1, 8192, 1808));
	below->fault = NULL;
	ASSERT_EQUAL(0, pf_close(layer));
	ASSERT_EQUAL(8192, below->size);
	ASSERT(holds(below, 1, 0, 8192));
	end();
}

int main(void)
{
	RUN(should_write_elsewhere_while_a_page_cannot_be_written);
	RUN(should_say_nothing_of_an_error_in_what_nobody_asked_for);
	RUN(should_deliver_what_lies_before_a_bad_page);
	RUN(should_never_take_a_bad_sector_for_zeros);
	RUN(should_read_behind_a_bad_sector_of_a_page_that_is_read_whole);
	RUN(should_write_into_a_sector_behind_a_bad_one);
	RUN(should_go_on_after_short_counts);
	RUN(should_tell_of_bytes_that_were_taken_before_a_write_failed);
	return TEST_RESULT();
}

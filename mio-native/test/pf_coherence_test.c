/* Pages and file agree when requests go past the cache and when others change the file. Twin of PfCoherenceTest. */
#include "pf_coherence.h"

/* ---- requests past the cache */

static void should_honour_pages_in_large_requests_that_go_past_them(void)
{
	unsigned char *large = malloc(16 << 10);
	struct mio_layer *layer;

	begin();
	layer = pf_open(OPTIONS "/discovered_direct=16k", below, inode);
	WRITES(layer, 'n', 10 * PAGE + 100, 50);
	memory_file_calls(below);
	ASSERT_EQUAL(16 << 10, layer->ops->read(layer, large, 16 << 10, 9 * PAGE));
	ASSERT(large[PAGE + 99] == 'o' && large[PAGE + 100] == 'n' && large[PAGE + 150] == 'o');
	ASSERT(strstr(memory_file_calls(below), "read 36864+16384"));
	WRITES(layer, 'L', 9 * PAGE, 16 << 10);
	ASSERT_TEXT("write 36864+16384", memory_file_calls(below));
	READS(layer, 'L', 10 * PAGE, PAGE);
	ASSERT_TEXT("", memory_file_calls(below));
	ASSERT_EQUAL(0, pf_close(layer));
	free(large);
	end();
}

static void should_count_what_goes_past_them_as_requests_to_the_next_layer(void)
{
	static unsigned char large[20 << 10];
	struct mio_layer *layer;
	struct mio_stats_pf counted;

	begin();
	layer = pf_open(OPTIONS "/discovered_direct=16k", below, inode);
	WRITES(layer, 'L', 0, 16 << 10);
	READS(layer, 'L', 0, 16 << 10);
	ASSERT_EQUAL(20 << 10, layer->ops->read(layer, large, 20 << 10, 0));
	counted = pf_counters(layer);
	ASSERT_EQUAL(1, counted.child.writes);
	ASSERT_EQUAL(16 << 10, counted.child.bytes_written);
	ASSERT_EQUAL(2, counted.child.reads);
	ASSERT_EQUAL(36 << 10, counted.child.bytes_read);
	ASSERT_EQUAL(0, counted.hits);
	ASSERT_EQUAL(0, pf_close(layer));
	layer = pf_open(OPTIONS "/through", below, new_inode());
	WRITES(layer, 't', 0, 100);
	ASSERT_EQUAL(1, pf_counters(layer).child.writes);
	ASSERT_EQUAL(0, pf_close(layer));
	end();
}

/* The layer below may do direct I/O, which writes zeros to the program's memory for bytes past the end of the file. */
static void should_read_past_the_pages_no_further_than_to_the_end(void)
{
	unsigned char bytes[8192];
	struct mio_layer *layer;

	begin();
	layer = pf_open(OPTIONS "/discovered_direct=4k", below, inode);
	WRITES(layer, 'n', SIZE, 100);
	memory_file_calls(below);
	ASSERT_EQUAL(1124, layer->ops->read(layer, bytes, sizeof(bytes), SIZE - 1024));
	ASSERT(strstr(memory_file_calls(below), "read 162816+1124"));
	ASSERT_EQUAL(0, pf_read(layer, 'x', SIZE + 100, 8192));
	others_write('o', SIZE + 100, 50);
	ASSERT_EQUAL(50, pf_read(layer, 'o', SIZE + 100, 8192));
	ASSERT_EQUAL(0, pf_close(layer));
	end();
}

static void should_never_keep_a_part_that_is_not_to_be_cached(void)
{
	struct mio_layer *layer;

	begin();
	layer = pf_open(OPTIONS "/passthru={5000:6000}", below, inode);
	WRITES(layer, 'n', 5200, 100);
	ASSERT_TEXT("write 5200+100", memory_file_calls(below));
	READS(layer, 'n', 5200, 100);
	others_write('x', 5200, 100);
	READS(layer, 'x', 5200, 100);
	WRITES(layer, 'w', 4000, 4000);
	READS(layer, 'w', 4000, 4000);
	ASSERT(holds(below, 'w', 5000, 1000));
	ASSERT_EQUAL(0, pf_close(layer));
	ASSERT(holds(below, 'w', 4000, 4000));
	end();
}

static void should_agree_with_an_open_without_a_cache(void)
{
	struct mio_layer *layer, *plain;
	struct mio_pf_file *file;

	begin();
	layer = pf_open(OPTIONS, below, inode);
	file = mio_pf_file_enter(TEST_DEVICE, inode);
	plain = mio_pf_attached_make(&below->layer, file);
	WRITES(layer, 'n', 100, 50);
	WRITES(layer, 'e', SIZE, 10);
	ASSERT_EQUAL(SIZE + 10, plain->ops->size(plain));
	READS(plain, 'n', 100, 50);
	WRITES(plain, 'p', 120, 10);
	READS(layer, 'p', 120, 10);
	ASSERT_EQUAL(0, plain->ops->truncate(plain, SIZE + 1000));
	ASSERT_EQUAL(SIZE + 1000, layer->ops->size(layer));
	READS(layer, 0, SIZE + 10, 990);
	ASSERT_EQUAL(0, plain->ops->truncate(plain, 125));
	ASSERT_EQUAL(125, layer->ops->size(layer));
	ASSERT_EQUAL(0, pf_close(layer));
	ASSERT_EQUAL(0, plain->ops->close(plain));
	plain->ops->release(plain);
	mio_pf_file_leave(file);
	ASSERT_EQUAL(125, below->size);
	end();
}

static struct mio_layer *opened_meanwhile;

static void opens_and_reads(struct memory_file *file)
{
	file->during_write = NULL;
	opened_meanwhile = pf_open("cache=64k/page=8k/private", file, inode);
	READS(opened_meanwhile, file->bytes[0], 0, 512);
}

static void should_see_a_write_that_was_on_its_way_when_the_file_got_its_pages(void)
{
	struct mio_pf_file *file;
	struct mio_layer *plain;
	struct mio_io io;
	char bytes[512];

	begin();
	file = mio_pf_file_enter(TEST_DEVICE, inode);
	plain = mio_pf_attached_make(&below->layer, file);
	below->during_write = opens_and_reads;
	WRITES(plain, 2, 0, 512);
	READS(opened_meanwhile, 2, 0, 512);
	ASSERT_EQUAL(0, pf_close(opened_meanwhile));
	below->during_write = opens_and_reads;
	memset(bytes, 3, sizeof(bytes));
	mio_io_init(&io, 1, bytes, sizeof(bytes), 0, NULL, NULL);
	ASSERT_EQUAL(0, plain->ops->submit(plain, &io));
	mio_io_wait(&io);
	READS(opened_meanwhile, 3, 0, 512);
	ASSERT_EQUAL(0, pf_close(opened_meanwhile));
	plain->ops->release(plain);
	mio_pf_file_leave(file);
	end();
}

static void cut_meanwhile(struct memory_file *file)
{
	file->during_truncate = NULL;
	opened_meanwhile = pf_open("cache=64k/page=8k/private", file, inode);
}

/* Writes into the sector in which the file ends according to the pages. The bytes that are already there must not be lost. */
static void writes_behind_the_old_end(struct mio_layer *plain)
{
	WRITES(opened_meanwhile, 3, 1500, 10);
	ASSERT_EQUAL(0, pf_close(opened_meanwhile));
	READS(plain, 2, 1024, 476);
	READS(plain, 3, 1500, 10);
	READS(plain, 2, 1510, 538);
}

static void should_know_the_end_that_a_change_on_its_way_gave_the_file(void)
{
	struct mio_pf_file *file;
	struct mio_layer *plain;
	struct mio_io io;
	char bytes[1048];

	begin();
	file = mio_pf_file_enter(TEST_DEVICE, inode);
	plain = mio_pf_attached_make(&below->layer, file);
	memory_file_cut(below, 1000);
	below->during_write = opens_and_reads;
	WRITES(plain, 2, 1000, 1048);
	writes_behind_the_old_end(plain);
	memory_file_cut(below, 1000);
	below->during_write = opens_and_reads;
	memset(bytes, 2, sizeof(bytes));
	mio_io_init(&io, 1, bytes, sizeof(bytes), 1000, NULL, NULL);
	ASSERT_EQUAL(0, plain->ops->submit(plain, &io));
	mio_io_wait(&io);
	writes_behind_the_old_end(plain);
	memory_file_cut(below, 1000);
	below->during_truncate = cut_meanwhile;
	ASSERT_EQUAL(0, plain->ops->truncate(plain, 2048));
	others_write(2, 1000, 1048);
	writes_behind_the_old_end(plain);
	plain->ops->release(plain);
	mio_pf_file_leave(file);
	end();
}

static void should_take_the_completion_back_where_a_request_is_refused(void)
{
	struct mio_pf_file *file;
	struct mio_layer *plain;
	struct mio_io io;

	begin();
	file = mio_pf_file_enter(TEST_DEVICE, inode);
	plain = mio_pf_attached_make(&below->layer, file);
	below->refuses = EAGAIN;
	mio_io_init(&io, 1, NULL, 0, 0, NULL, NULL);
	ASSERT_EQUAL(-EAGAIN, plain->ops->submit(plain, &io));
	ASSERT_EQUAL(0, io.completions);
	plain->ops->release(plain);
	mio_pf_file_leave(file);
	end();
}

/* ---- others change the file */

static void should_see_that_others_made_the_file_longer(void)
{
	struct mio_layer *layer;

	begin();
	memory_file_cut(below, PAGE + 300);
	layer = pf_open(OPTIONS, below, inode);
	READS(layer, 'o', PAGE, 300);
	others_write('x', PAGE + 300, 1000);
	ASSERT_EQUAL(PAGE + 1300, layer->ops->size(layer));
	READS(layer, 'x', PAGE + 300, 1000);
	ASSERT_EQUAL(0, pf_close(layer));
	end();
}

static void should_see_that_others_made_the_file_longer_when_it_reads_there(void)
{
	struct mio_layer *layer;

	begin();
	memory_file_cut(below, PAGE + 300);
	layer = pf_open(OPTIONS, below, inode);
	READS(layer, 'o', PAGE, 300);
	ASSERT_EQUAL(0, pf_read(layer, 'o', PAGE + 300, 10));
	others_write('x', PAGE + 300, 1000);
	READS(layer, 'x', PAGE + 300, 1000);
	ASSERT_EQUAL(0, pf_close(layer));
	end();
}

static void should_see_what_others_added_once_nothing_of_its_own_is_left(void)
{
	struct mio_layer *layer;

	begin();
	layer = pf_open(OPTIONS, below, inode);
	WRITES(layer, 'n', 100, 50);
	ASSERT_EQUAL(0, layer->ops->truncate(layer, 0));
	others_write('x', 0, 1000);
	ASSERT_EQUAL(1000, layer->ops->size(layer));
	READS(layer, 'x', 0, 1000);
	ASSERT_EQUAL(0, pf_close(layer));
	end();
}

static void should_see_that_others_cut_the_file(void)
{
	struct mio_layer *layer;

	begin();
	layer = pf_open(OPTIONS, below, inode);
	READS(layer, 'o', 10 * PAGE, PAGE);
	memory_file_cut(below, 10 * PAGE + 100);
	ASSERT_EQUAL(10 * PAGE + 100, layer->ops->size(layer));
	ASSERT_EQUAL(100, pf_read(layer, 'o', 10 * PAGE, PAGE));
	ASSERT_EQUAL(0, pf_read(layer, 'o', 11 * PAGE, PAGE));
	ASSERT_EQUAL(0, pf_close(layer));
	end();
}

static void should_see_that_others_cut_the_file_when_it_reads_there(void)
{
	struct mio_layer *layer;

	begin();
	layer = pf_open(OPTIONS, below, inode);
	memory_file_cut(below, 10 * PAGE + 100);
	ASSERT_EQUAL(100, pf_read(layer, 'o', 10 * PAGE, PAGE));
	ASSERT_EQUAL(0, pf_read(layer, 'o', 12 * PAGE, PAGE));
	ASSERT_EQUAL(0, pf_close(layer));
	end();
	/* The same in a readahead, whose bytes no one has waited for. */
	begin();
	layer = pf_open(OPTIONS, below, inode);
	memory_file_cut(below, 12 * PAGE);
	READS(layer, 'o', 10 * PAGE, 100);
	READS(layer, 'o', 10 * PAGE + 100, PAGE);
	ASSERT_EQUAL(PAGE - 100, pf_read(layer, 'o', 11 * PAGE + 100, PAGE));
	ASSERT_EQUAL(0, pf_read(layer, 'o', 12 * PAGE, PAGE));
	ASSERT_EQUAL(0, pf_close(layer));
	end();
}

static struct mio_layer *overtaking;

/* While the kernel is asked for the size, another thread writes at the end of the file. */
static int64_t is_overtaken(struct mio_layer *asked)
{
	int64_t size = memory_file_size(asked);

	if (overtaking) {
		WRITES(overtaking, 'n', size, PAGE);
		ASSERT_EQUAL(0, overtaking->ops->flush(overtaking, 0));
		overtaking = NULL;
	}
	return size;
}

static void should_not_take_a_size_that_a_write_has_overtaken(void)
{
	struct mio_layer_ops ops = memory_file_ops;
	struct mio_layer *layer;

	begin();
	ops.size = is_overtaken;
	below->layer.ops = &ops;
	layer = pf_open(OPTIONS, below, inode);
	READS(layer, 'o', 0, PAGE);
	overtaking = layer;
	ASSERT_EQUAL(SIZE + PAGE, layer->ops->size(layer));
	READS(layer, 'n', SIZE, PAGE);
	ASSERT_EQUAL(0, pf_close(layer));
	end();
}

static void should_ask_for_space_again_where_others_cut_the_file(void)
{
	struct mio_layer *layer;
	int calls;

	begin();
	layer = pf_open(OPTIONS, below, inode);
	WRITES(layer, 'n', 10 * PAGE, 2 * PAGE);
	ASSERT_EQUAL(0, layer->ops->flush(layer, 0));
	memory_file_cut(below, 11 * PAGE);
	ASSERT_EQUAL(11 * PAGE, layer->ops->size(layer));
	calls = below->reserve_calls;
	WRITES(layer, 'n', 11 * PAGE, PAGE);
	ASSERT_EQUAL(calls + 1, below->reserve_calls);
	ASSERT_EQUAL(0, pf_close(layer));
	end();
}

/* Bytes that are cut off come back as zeros, from pages and from the file, whatever is written past them later. */
static void should_have_zeros_where_the_file_was_cut(void)
{
	for (int reads = 0; reads < 2; reads++) {
		struct mio_layer *layer;

		begin();
		layer = pf_open(OPTIONS, below, inode);
		READS(layer, 'o', 9 * PAGE, 100);
		READS(layer, 'o', 10 * PAGE, 100);
		READS(layer, 'o', 9 * PAGE, 100);
		WRITES(layer, 'n', 10 * PAGE, 3 * 512);
		READS(layer, 'n', 10 * PAGE, 3 * 512);
		ASSERT_EQUAL(0, layer->ops->truncate(layer, 10 * PAGE + 300));
		if (reads) {
			ASSERT_EQUAL(0, layer->ops->truncate(layer, 11 * PAGE));
			READS(layer, 0, 10 * PAGE + 300, PAGE - 300);
		}
		WRITES(layer, 'm', 10 * PAGE + 3 * 512, 512);
		ASSERT_EQUAL(0, layer->ops->flush(layer, 0));
		READS(layer, 'n', 10 * PAGE, 300);
		READS(layer, 0, 10 * PAGE + 300, 3 * 512 - 300);
		READS(layer, 'm', 10 * PAGE + 3 * 512, 512);
		ASSERT(holds(below, 'o', 9 * PAGE, PAGE));
		ASSERT(holds(below, 'n', 10 * PAGE, 300));
		ASSERT(holds(below, 0, 10 * PAGE + 300, 3 * 512 - 300));
		ASSERT(holds(below, 'm', 10 * PAGE + 3 * 512, 512));
		ASSERT_EQUAL(0, pf_close(layer));
		end();
	}
}

static void should_cut_what_another_process_added_through_an_open_without_cache(void)
{
	struct mio_layer *layer, *plain;

	begin();
	memory_file_cut(below, 100);
	layer = pf_open("cache=64k/page=8k/private", below, inode);
	plain = mio_pf_attached_make(&below->layer, pf_file(layer));
	others_write('x', 100, 100);
	ASSERT_EQUAL(0, plain->ops->truncate(plain, 150));
	ASSERT_EQUAL(150, below->size);
	plain->ops->release(plain);
	ASSERT_EQUAL(0, pf_close(layer));
	end();
}

/* ---- others write between two sectors of ours */

static void should_write_no_sector_that_may_have_been_written_past_its_page(void)
{
	static const char *const options[] = {"discovered_direct=1m", "passthru={512:1k}"};

	for (int i = 0; i < 2; i++) {
		char text[128];
		struct mio_layer *layer;

		begin();
		snprintf(text, sizeof(text), "%s/cache=64k/page=16k/private/pref=0", options[i]);
		layer = pf_open(text, below, inode);
		READS(layer, 'o', 0, 16 << 10);
		WRITES(layer, 'n', 0, 512);
		WRITES(layer, 'n', 1024, 512);
		others_write('x', 512, 512);
		ASSERT_EQUAL(0, layer->ops->flush(layer, 0));
		ASSERT(holds(below, 'n', 0, 512));
		ASSERT(holds(below, 'x', 512, 512));
		ASSERT(holds(below, 'n', 1024, 512));
		ASSERT_EQUAL(0, pf_close(layer));
		end();
	}
}

static void lock(struct mio_layer *layer, int64_t length)
{
	ASSERT_EQUAL(0, layer->ops->bypass_begin(layer, MIO_BYPASS_LOCK, 0, length));
	layer->ops->bypass_end(layer, MIO_BYPASS_LOCK, 0, length, 1);
}

static void should_write_at_once_from_the_first_lock_of_a_part_on(void)
{
	struct mio_layer *layer;

	begin();
	layer = pf_open(OPTIONS, below, inode);
	WRITES(layer, 'b', 200, 10);
	lock(layer, INT64_MAX);
	WRITES(layer, 'w', 300, 10);
	/* The lock was for the whole file, so no one else writes. */
	ASSERT(!holds(below, 'w', 300, 10));
	lock(layer, 1);
	ASSERT(holds(below, 'w', 300, 10));
	READS(layer, 'o', 100, 10);
	/* Another process has locked and written the next bytes. */
	others_write('x', 110, 10);
	WRITES(layer, 'n', 100, 10);
	ASSERT(holds(below, 'n', 100, 10));
	ASSERT(holds(below, 'x', 110, 10));
	ASSERT_EQUAL(0, pf_close(layer));
	ASSERT(holds(below, 'x', 110, 10));
	end();
}

static void should_write_at_once_where_pages_cannot_be_read(void)
{
	struct mio_open_request request;
	struct mio_layer *layer;

	begin();
	request = pf_request(inode, O_WRONLY, 512);
	request.blind_pages = 1;
	layer = pf_open_as(OPTIONS, &below->layer, request);
	below->fail_reads = EBADF;
	WRITES(layer, 'n', 100, 50);
	ASSERT(holds(below, 'n', 100, 50));
	below->fail_reads = 0;
	ASSERT_EQUAL(0, pf_close(layer));
	end();
}

static void should_ask_for_space_again_once_it_was_given_back(void)
{
	struct mio_layer *layer;

	begin();
	layer = pf_open(OPTIONS, below, inode);
	WRITES(layer, 'n', 0, PAGE);
	ASSERT_EQUAL(0, layer->ops->bypass_begin(layer, MIO_BYPASS_ALLOCATE, 0, PAGE));
	layer->ops->bypass_end(layer, MIO_BYPASS_ALLOCATE, 0, PAGE, 1);
	below->reserve_error = ENOSPC;
	below->reserve_max = 0;
	below->fail_writes = ENOSPC;
	/* The write gets the error, not the close. */
	ASSERT_EQUAL(-ENOSPC, pf_write(layer, 'm', 0, PAGE));
	below->fail_writes = 0;
	below->reserve_error = 0;
	ASSERT_EQUAL(0, pf_close(layer));
	end();
}

int main(void)
{
	RUN(should_honour_pages_in_large_requests_that_go_past_them);
	RUN(should_count_what_goes_past_them_as_requests_to_the_next_layer);
	RUN(should_read_past_the_pages_no_further_than_to_the_end);
	RUN(should_never_keep_a_part_that_is_not_to_be_cached);
	RUN(should_agree_with_an_open_without_a_cache);
	RUN(should_see_a_write_that_was_on_its_way_when_the_file_got_its_pages);
	RUN(should_know_the_end_that_a_change_on_its_way_gave_the_file);
	RUN(should_take_the_completion_back_where_a_request_is_refused);
	RUN(should_see_that_others_made_the_file_longer);
	RUN(should_see_that_others_made_the_file_longer_when_it_reads_there);
	RUN(should_see_what_others_added_once_nothing_of_its_own_is_left);
	RUN(should_see_that_others_cut_the_file);
	RUN(should_see_that_others_cut_the_file_when_it_reads_there);
	RUN(should_not_take_a_size_that_a_write_has_overtaken);
	RUN(should_ask_for_space_again_where_others_cut_the_file);
	RUN(should_have_zeros_where_the_file_was_cut);
	RUN(should_cut_what_another_process_added_through_an_open_without_cache);
	RUN(should_write_no_sector_that_may_have_been_written_past_its_page);
	RUN(should_write_at_once_from_the_first_lock_of_a_part_on);
	RUN(should_write_at_once_where_pages_cannot_be_read);
	RUN(should_ask_for_space_again_once_it_was_given_back);
	return TEST_RESULT();
}

/* Pages when the layer below fails: errors are reported, bytes are kept, nothing hangs. Twin of PfFaultTest. */
#include "pf_below.h"

static int calls(const char *what, struct mio_layer *layer)
{
	if (strcmp(what, "write") == 0)
		return (int)pf_write(layer, 'x', 20 * PAGE, 10);
	if (strcmp(what, "flush") == 0)
		return layer->ops->flush(layer, 0);
	if (strcmp(what, "truncate") == 0)
		return layer->ops->truncate(layer, 50 * PAGE);
	return pf_close(layer);
}

static void tells_each_open_once(const char *next)
{
	struct mio_layer *told[2];

	begin();
	for (int i = 0; i < 2; i++)
		told[i] = pf_open(OPTIONS, below, inode);
	below->fail_writes = ENOSPC;
	WRITES(told[0], 'n', 0, PAGE);
	below->fail_writes = 0;
	for (int i = 0; i < 2; i++)
		ASSERT_EQUAL(-ENOSPC, calls(next, told[i]));
	for (int i = 0; i < 2 && strcmp(next, "close") != 0; i++) {
		ASSERT(calls(next, told[i]) >= 0);
		ASSERT_EQUAL(0, pf_close(told[i]));
	}
	ASSERT(holds(below, 'n', 0, PAGE));
	end();
}

static void should_tell_each_open_once_of_a_write_that_failed_behind_its_back(void)
{
	tells_each_open_once("write");
	tells_each_open_once("flush");
	tells_each_open_once("truncate");
	tells_each_open_once("close");
}

static void should_keep_what_could_not_be_written_until_it_can(void)
{
	struct mio_layer *layer;

	begin();
	layer = pf_open(OPTIONS, below, inode);
	below->fail_writes = ENOSPC;
	WRITES(layer, 'n', 0, PAGE);
	ASSERT_EQUAL(-ENOSPC, layer->ops->flush(layer, 0));
	READS(layer, 'n', 0, PAGE);
	ASSERT_EQUAL(-ENOSPC, layer->ops->flush(layer, 0));
	ASSERT(holds(below, 'o', 0, PAGE));
	below->fail_writes = 0;
	ASSERT_EQUAL(0, layer->ops->flush(layer, 0));
	ASSERT(holds(below, 'n', 0, PAGE));
	ASSERT_EQUAL(3, pf_counters(layer).write_errors);
	ASSERT_EQUAL(0, pf_close(layer));
	end();
}

static void should_close_the_file_even_if_it_cannot_be_written(void)
{
	struct mio_layer *layer;

	begin();
	layer = pf_open(OPTIONS, below, inode);
	below->fail_writes = ENOSPC;
	WRITES(layer, 'n', 0, 100);
	memory_file_calls(below);
	ASSERT_EQUAL(-ENOSPC, pf_close(layer));
	ASSERT_TEXT("write 0+512, close", memory_file_calls(below));
	ASSERT(!mio_pf_file_find(TEST_DEVICE, inode));
	layer = pf_open(OPTIONS, below, inode);
	READS(layer, 'o', 0, PAGE);
	ASSERT_EQUAL(0, pf_close(layer));
	end();
}

static int locks_told;

static int notes_begin(struct mio_layer *layer, enum mio_bypass kind, int64_t offset, int64_t length)
{
	(void)layer, (void)offset, (void)length;
	locks_told += kind == MIO_BYPASS_UNLOCK;
	return 0;
}

static void notes_end(struct mio_layer *layer, enum mio_bypass kind, int64_t offset, int64_t length, int done)
{
	(void)layer, (void)offset, (void)length;
	locks_told += kind == MIO_BYPASS_UNLOCK && done ? 10 : 0;
}

/* The door unlocks all the same and does not call bypass_end, but the layers below have been told of the unlock. */
static void should_tell_those_below_of_a_lock_given_back_even_if_the_pages_cannot_be_written(void)
{
	struct mio_layer_ops ops;
	struct mio_layer *layer;

	begin();
	ops = *below->layer.ops;
	ops.bypass_begin = notes_begin;
	ops.bypass_end = notes_end;
	below->layer.ops = &ops;
	locks_told = 0;
	layer = pf_open(OPTIONS, below, inode);
	below->fail_writes = ENOSPC;
	WRITES(layer, 'n', 0, 100);
	ASSERT_EQUAL(-ENOSPC, layer->ops->bypass_begin(layer, MIO_BYPASS_UNLOCK, 0, PAGE));
	ASSERT_EQUAL(11, locks_told);
	below->fail_writes = 0;
	ASSERT_EQUAL(0, layer->ops->bypass_begin(layer, MIO_BYPASS_UNLOCK, 0, PAGE));
	ASSERT_EQUAL(12, locks_told);
	layer->ops->bypass_end(layer, MIO_BYPASS_UNLOCK, 0, PAGE, 1);
	ASSERT_EQUAL(22, locks_told);
	ASSERT(holds(below, 'n', 0, 100));
	ASSERT_EQUAL(-ENOSPC, pf_close(layer));
	end();
}

static void should_tell_an_error_of_a_page_that_the_program_wants(void)
{
	struct mio_layer *layer;

	begin();
	layer = pf_open(OPTIONS, below, inode);
	below->fail_reads = EIO;
	ASSERT_EQUAL(-EIO, pf_read(layer, 'o', 5 * PAGE, 10));
	below->fail_reads = 0;
	READS(layer, 'o', 5 * PAGE, 10);
	ASSERT_EQUAL(0, pf_close(layer));
	end();
}

static void should_take_what_a_vector_could_write_and_tell_the_error_with_the_next_write(void)
{
	static char memory[2][PAGE];
	struct iovec vector[2] = {{memory[0], 10}, {memory[1], PAGE}};
	struct mio_layer *layer;

	begin();
	layer = pf_open("cache=4k/page=4k/private/pref=0", below, inode);
	memset(memory, 'v', sizeof(memory));
	below->fail_writes = ENOSPC;
	/* The only frame holds the first ten bytes. They cannot be written, so there is no room for the rest. */
	ASSERT_EQUAL(10, layer->ops->writev(layer, vector, 2, 21 * PAGE - 10));
	below->fail_writes = 0;
	ASSERT_EQUAL(-ENOSPC, pf_write(layer, 'w', 20 * PAGE, 10));
	WRITES(layer, 'w', 20 * PAGE, 10);
	ASSERT_EQUAL(0, layer->ops->flush(layer, 0));
	ASSERT(holds(below, 'v', 21 * PAGE - 10, 10));
	ASSERT_EQUAL(0, pf_close(layer));
	end();
}

static void should_fail_a_request_that_no_page_can_make_room_for(void)
{
	struct mio_layer *layer;

	begin();
	layer = pf_open("cache=16k/page=16k/private", below, inode);
	below->fail_writes = ENOSPC;
	WRITES(layer, 'n', 0, 16 << 10);
	ASSERT_EQUAL(-ENOSPC, pf_read(layer, 'o', 10 * PAGE, 10));
	ASSERT_EQUAL(-ENOSPC, pf_write(layer, 0, 10 * PAGE, 10));
	below->fail_writes = 0;
	WRITES(layer, 'x', 10 * PAGE, 10);
	READS(layer, 'x', 10 * PAGE, 10);
	ASSERT_EQUAL(0, pf_close(layer));
	ASSERT(holds(below, 'n', 0, 16 << 10));
	end();
}

static void should_read_again_when_the_page_in_the_way_can_be_written(void)
{
	struct mio_layer *layer;

	begin();
	layer = pf_open("cache=16k/page=16k/private", below, inode);
	below->fail_writes = ENOSPC;
	WRITES(layer, 'n', 0, 16 << 10);
	below->fail_writes = 0;
	READS(layer, 'o', 10 * PAGE, 10);
	ASSERT(holds(below, 'n', 0, 16 << 10));
	ASSERT_EQUAL(-ENOSPC, pf_close(layer));
	end();
}

static void should_write_at_once_where_space_cannot_be_set_aside(void)
{
	struct mio_layer *layer;

	begin();
	below->reserves = 0;
	layer = pf_open(OPTIONS, below, inode);
	WRITES(layer, 'n', 100, 10);
	ASSERT(strstr(memory_file_calls(below), "write 100+10"));
	ASSERT(holds(below, 'n', 100, 10));
	below->fail_writes = ENOSPC;
	ASSERT_EQUAL(-ENOSPC, pf_write(layer, 0, 200, 10));
	below->fail_writes = 0;
	ASSERT_EQUAL(0, layer->ops->flush(layer, 0));
	ASSERT_EQUAL(0, pf_close(layer));
	end();
}

static void should_let_the_write_itself_tell_that_space_is_out(void)
{
	struct mio_layer *layer;

	begin();
	below->reserve_error = EDQUOT;
	layer = pf_open(OPTIONS, below, inode);
	below->fail_writes = ENOSPC;
	ASSERT_EQUAL(-ENOSPC, pf_write(layer, 0, 100, 10));
	below->fail_writes = 0;
	WRITES(layer, 'n', 100, 10);
	ASSERT(holds(below, 'n', 100, 10));
	ASSERT_EQUAL(0, pf_close(layer));
	end();
}

static void should_keep_a_page_that_cannot_be_written_when_it_should_give_way(void)
{
	struct mio_layer *layer;

	begin();
	layer = pf_open(OPTIONS, below, inode);
	WRITES(layer, 'n', 0, 100);
	below->fail_writes = ENOSPC;
	for (int i = PAGES - 1; i > 0; i--)
		READS(layer, 'o', i * PAGE, PAGE);
	ASSERT_EQUAL(1, pf_counters(layer).dirty_evictions);
	READS(layer, 'n', 0, 100);
	ASSERT_EQUAL(-ENOSPC, layer->ops->flush(layer, 0));
	below->fail_writes = 0;
	ASSERT_EQUAL(0, layer->ops->flush(layer, 0));
	ASSERT(holds(below, 'n', 0, 100));
	ASSERT_EQUAL(0, pf_close(layer));
	end();
}

static int uncut(struct mio_layer *layer, int64_t size)
{
	(void)layer;
	(void)size;
	return -EPERM;
}

static void should_have_its_pages_as_before_when_the_file_cannot_be_cut(void)
{
	struct mio_layer_ops ops = memory_file_ops;
	struct mio_layer *layer;

	begin();
	ops.truncate = uncut;
	below->layer.ops = &ops;
	layer = pf_open(OPTIONS, below, inode);
	READS(layer, 'o', 2 * PAGE, PAGE);
	WRITES(layer, 'n', PAGE, 100);
	WRITES(layer, 'e', PAGES * PAGE, 100);
	ASSERT_EQUAL(-EPERM, layer->ops->truncate(layer, 50));
	ASSERT_EQUAL(PAGES * PAGE + 100, layer->ops->size(layer));
	READS(layer, 'n', PAGE, 100);
	ASSERT_EQUAL(-EPERM, layer->ops->truncate(layer, 100 * PAGE));
	ASSERT_EQUAL(PAGES * PAGE + 100, layer->ops->size(layer));
	ASSERT_EQUAL(0, pf_close(layer));
	ASSERT_EQUAL(PAGES * PAGE + 100, below->size);
	ASSERT(holds(below, 'n', PAGE, 100));
	ASSERT(holds(below, 'e', PAGES * PAGE, 100));
	end();
}

static void should_tell_a_write_once_that_a_cut_could_not_make(void)
{
	struct mio_layer *layer;

	begin();
	layer = pf_open(OPTIONS, below, inode);
	below->fail_writes = ENOSPC;
	WRITES(layer, 'n', (PAGES + 5) * PAGE, 100);
	/* Between the end below and the one in pages: all is written before. */
	ASSERT_EQUAL(-ENOSPC, layer->ops->truncate(layer, (PAGES + 2) * PAGE));
	below->fail_writes = 0;
	WRITES(layer, 'w', 0, 10);
	ASSERT_EQUAL(0, layer->ops->flush(layer, 0));
	ASSERT_EQUAL(0, pf_close(layer));
	ASSERT(holds(below, 'n', (PAGES + 5) * PAGE, 100));
	end();
}

static void should_leave_its_pages_to_another_open_that_can_write(void)
{
	struct mio_layer *leaving, *staying;

	begin();
	leaving = pf_open(OPTIONS, below, inode);
	staying = pf_open(OPTIONS, below, inode);
	below->fail_writes = ENOSPC;
	WRITES(leaving, 'n', 0, PAGE);
	ASSERT_EQUAL(-ENOSPC, pf_close(leaving));
	READS(staying, 'n', 0, PAGE);
	below->fail_writes = 0;
	ASSERT_EQUAL(-ENOSPC, staying->ops->flush(staying, 0));
	ASSERT_EQUAL(0, staying->ops->flush(staying, 0));
	ASSERT(holds(below, 'n', 0, PAGE));
	ASSERT_EQUAL(0, pf_close(staying));
	end();
}

static void should_give_up_pages_that_no_other_open_can_write(void)
{
	struct mio_layer *leaving, *reader;

	begin();
	leaving = pf_open(OPTIONS, below, inode);
	reader = pf_open_as(OPTIONS, &below->layer, pf_request(inode, O_RDONLY, 512));
	below->fail_writes = ENOSPC;
	WRITES(leaving, 'n', 0, PAGE);
	ASSERT_EQUAL(-ENOSPC, pf_close(leaving));
	ASSERT(!mio_pf_file_is_dirty(pf_file(reader)));
	READS(reader, 'o', 0, PAGE);
	below->fail_writes = 0;
	ASSERT_EQUAL(-ENOSPC, pf_close(reader));
	ASSERT(holds(below, 'o', 0, PAGE));
	end();
}

static void should_take_a_write_though_another_file_of_the_cache_cannot_be_written(void)
{
	const char *shared = "cache=16k/page=8k/global=71";
	struct memory_file *sound = memory_file_make(NULL, 'o', 8 * PAGE);
	struct mio_layer *failing, *layer;

	begin();
	failing = pf_open(shared, below, inode);
	layer = pf_open(shared, sound, new_inode());
	below->fail_writes = ENOSPC;
	WRITES(failing, 'n', 0, 2 * PAGE);
	WRITES(layer, 'x', 100, 3 * PAGE);
	READS(layer, 'x', 100, 3 * PAGE);
	ASSERT_EQUAL(0, pf_close(layer));
	ASSERT(holds(sound, 'x', 100, 3 * PAGE));
	READS(failing, 'n', 0, 2 * PAGE);
	ASSERT_EQUAL(-ENOSPC, pf_close(failing));
	memory_file_free(sound);
	end();
}

static void should_let_other_files_write_while_pages_of_one_cannot_be_written(void)
{
	const char *shared = "cache=16k/page=8k/global=72";
	struct memory_file *bad = memory_file_make(NULL, 0, 0), *good = memory_file_make(NULL, 0, 0);
	struct mio_layer *failing = pf_open(shared, bad, new_inode());
	struct mio_layer *working = pf_open(shared, good, new_inode());

	WRITES(failing, 1, 0, 512);
	bad->fail_writes = ENOSPC;
	ASSERT_EQUAL(-ENOSPC, failing->ops->flush(failing, 0));
	WRITES(working, 2, 0, 512);
	ASSERT_EQUAL(0, working->ops->flush(working, 0));
	ASSERT(holds(good, 2, 0, 512));
	bad->fail_writes = 0;
	ASSERT_EQUAL(0, failing->ops->flush(failing, 0));
	ASSERT(holds(bad, 1, 0, 512));
	ASSERT_EQUAL(0, pf_close(failing));
	ASSERT_EQUAL(0, pf_close(working));
	memory_file_free(bad);
	memory_file_free(good);
}

static void should_go_on_where_a_page_request_is_refused(void)
{
	struct mio_layer *layer;

	begin();
	layer = pf_open("cache=64k/page=4k/private/pref=4", below, inode);
	below->refuses = EAGAIN;
	for (int at = 0; at < 65536; at += 2048)
		READS(layer, 'o', at, 2048);
	ASSERT_EQUAL(0, pf_close(layer));
	end();
}

static void should_tell_a_failed_write_behind_once(void)
{
	struct mio_layer *layer;

	begin();
	memory_file_cut(below, 0);
	layer = pf_open("cache=64k/page=4k/private", below, inode);
	below->fail_writes = ENOSPC;
	WRITES(layer, 1, 0, 4096);
	ASSERT_EQUAL(-ENOSPC, pf_write(layer, 1, 4096, 512));
	ASSERT_EQUAL(-ENOSPC, pf_write(layer, 1, 4096, 512));
	below->fail_writes = 0;
	WRITES(layer, 1, 4096, 512);
	ASSERT_EQUAL(0, pf_close(layer));
	ASSERT(holds(below, 1, 0, 4608));
	end();
}

static void *no_memory(size_t bytes)
{
	(void)bytes;
	return NULL;
}

static void should_do_without_a_cache_where_there_is_no_memory(void)
{
	static const struct mio_pf_frame_memory none = {no_memory, frames_give};
	struct mio_layer *layer;

	begin();
	mio_pf_frame_memory = &none;
	ASSERT_EQUAL(-ENOMEM, pf_try_open_as(OPTIONS, &below->layer, pf_request(inode, O_RDWR, 512), &layer));
	ASSERT(!mio_pf_file_any());
	mio_pf_frame_memory = &frames_of_test;
	layer = pf_open(OPTIONS, below, inode);
	READS(layer, 'o', 0, 100);
	ASSERT_EQUAL(0, pf_close(layer));
	end();
}

int main(void)
{
	RUN(should_tell_each_open_once_of_a_write_that_failed_behind_its_back);
	RUN(should_keep_what_could_not_be_written_until_it_can);
	RUN(should_close_the_file_even_if_it_cannot_be_written);
	RUN(should_tell_those_below_of_a_lock_given_back_even_if_the_pages_cannot_be_written);
	RUN(should_tell_an_error_of_a_page_that_the_program_wants);
	RUN(should_take_what_a_vector_could_write_and_tell_the_error_with_the_next_write);
	RUN(should_fail_a_request_that_no_page_can_make_room_for);
	RUN(should_read_again_when_the_page_in_the_way_can_be_written);
	RUN(should_write_at_once_where_space_cannot_be_set_aside);
	RUN(should_let_the_write_itself_tell_that_space_is_out);
	RUN(should_keep_a_page_that_cannot_be_written_when_it_should_give_way);
	RUN(should_have_its_pages_as_before_when_the_file_cannot_be_cut);
	RUN(should_tell_a_write_once_that_a_cut_could_not_make);
	RUN(should_leave_its_pages_to_another_open_that_can_write);
	RUN(should_give_up_pages_that_no_other_open_can_write);
	RUN(should_take_a_write_though_another_file_of_the_cache_cannot_be_written);
	RUN(should_let_other_files_write_while_pages_of_one_cannot_be_written);
	RUN(should_go_on_where_a_page_request_is_refused);
	RUN(should_tell_a_failed_write_behind_once);
	RUN(should_do_without_a_cache_where_there_is_no_memory);
	return TEST_RESULT();
}

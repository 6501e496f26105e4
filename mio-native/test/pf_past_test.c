/* Requests that go past the pages, or that can no longer be made: what they see, and what the program is told when they fail. */
#include "pf_coherence.h"

#define PAST OPTIONS "/discovered_direct=4k"

static struct mio_layer_ops ops;

static struct mio_layer *open_with(const char *options)
{
	begin();
	ops = memory_file_ops;
	below->layer.ops = &ops;
	return pf_open(options, below, inode);
}

static void close_it(struct mio_layer *layer)
{
	ops = memory_file_ops;
	ASSERT_EQUAL(0, pf_close(layer));
	end();
}

static int64_t writes_half(struct mio_layer *asked, const void *memory, size_t length, int64_t offset)
{
	ASSERT_EQUAL(length / 2, memory_file_do_write(memory_file_of(asked), memory, (int64_t)length / 2, offset));
	return -EIO;
}

static void should_forget_what_a_failed_write_may_have_changed(void)
{
	struct mio_layer *layer = open_with(PAST);

	for (int i = 9; i < 14; i++)
		READS(layer, 'o', i * PAGE, 100);
	memory_file_calls(below);
	ops.write = writes_half;
	ASSERT_EQUAL(-EIO, pf_write(layer, 'x', 10 * PAGE, 2 * PAGE));
	READS(layer, 'o', 9 * PAGE, 100);
	READS(layer, 'o', 13 * PAGE, 100);
	ASSERT_TEXT("", memory_file_calls(below));
	READS(layer, 'x', 10 * PAGE, 100);
	READS(layer, 'o', 11 * PAGE, 100);
	close_it(layer);
}

static void should_know_how_long_a_failed_write_has_made_the_file(void)
{
	struct mio_layer *layer = open_with(PAST);

	ops.write = writes_half;
	ASSERT_EQUAL(-EIO, pf_write(layer, 'x', SIZE, 2 * PAGE));
	ASSERT_EQUAL(SIZE + PAGE, mio_pf_file_size(pf_file(layer)));
	ASSERT_EQUAL(-EIO, pf_write(layer, 'y', MIO_LAYER_APPEND, 2 * PAGE));
	ASSERT_EQUAL(SIZE + 2 * PAGE, mio_pf_file_size(pf_file(layer)));
	READS(layer, 'x', SIZE, 100);
	READS(layer, 'y', SIZE + PAGE, 100);
	close_it(layer);
}

static void should_see_past_the_pages_that_others_made_the_file_longer(void)
{
	unsigned char seen[3 * PAGE];
	struct mio_layer *layer;

	begin();
	memory_file_cut(below, 10 * PAGE);
	layer = pf_open(PAST, below, inode);
	READS(layer, 'o', 4 * PAGE, 2 * PAGE);
	others_write('x', 10 * PAGE, 4 * PAGE);
	ASSERT_EQUAL(3 * PAGE, layer->ops->read(layer, seen, 3 * PAGE, 9 * PAGE));
	ASSERT(seen[0] == 'o' && seen[PAGE - 1] == 'o' && seen[PAGE] == 'x' && seen[3 * PAGE - 1] == 'x');
	ASSERT_EQUAL(0, pf_close(layer));
	end();
}

static void should_tell_that_a_read_past_the_pages_failed(void)
{
	struct mio_layer *layer = open_with(PAST);
	int64_t reads = pf_counters(layer).child.reads;

	below->fail_reads = EIO;
	ASSERT_EQUAL(-EIO, pf_read(layer, 'o', 0, 2 * PAGE));
	ASSERT_EQUAL(reads, pf_counters(layer).child.reads);
	below->fail_reads = 0;
	close_it(layer);
}

static int64_t bad_from;

static int64_t fails_from(struct memory_file *file, int write, int64_t offset, int64_t length)
{
	(void)file;
	if (write || offset + length <= bad_from)
		return 0;
	return offset < bad_from ? bad_from - offset : -EIO;
}

/* A read returns the bytes before an error, and the next one the error, whichever of its parts goes past the pages. */
static void should_tell_of_a_part_that_is_not_cached_what_could_be_read(void)
{
	struct mio_layer *layer = open_with(OPTIONS "/passthru={8k:16k}");

	below->fault = fails_from;
	bad_from = 8 << 10;
	ASSERT_EQUAL(4 << 10, pf_read(layer, 'o', 4 << 10, 8 << 10));
	ASSERT_EQUAL(-EIO, pf_read(layer, 'o', 8 << 10, 4 << 10));
	ASSERT_EQUAL(-EIO, pf_read(layer, 'o', 12 << 10, 8 << 10));
	bad_from = 16 << 10;
	ASSERT_EQUAL(4 << 10, pf_read(layer, 'o', 12 << 10, 8 << 10));
	ASSERT_EQUAL(-EIO, pf_read(layer, 'o', 16 << 10, 4 << 10));
	below->fault = NULL;
	close_it(layer);
}

static void should_keep_nothing_of_a_part_that_is_not_cached_where_a_request_begins_before_it(void)
{
	struct mio_layer *layer = open_with(OPTIONS "/passthru={8k:16k}");
	unsigned char seen[8 << 10];

	READS(layer, 'o', 4 << 10, 8 << 10);
	others_write('x', 8 << 10, 4 << 10);
	ASSERT_EQUAL(8 << 10, layer->ops->read(layer, seen, 8 << 10, 4 << 10));
	ASSERT(seen[0] == 'o' && seen[(4 << 10) - 1] == 'o' && seen[4 << 10] == 'x' && seen[(8 << 10) - 1] == 'x');
	close_it(layer);
}

static void should_tell_of_a_vector_that_its_first_part_failed(void)
{
	struct mio_layer *layer = open_with(PAST);
	char memory[2 * PAGE] = {0};
	struct iovec vector[] = {{memory, 2 * PAGE}, {memory, 10}};

	below->fail_writes = ENOSPC;
	ASSERT_EQUAL(-ENOSPC, layer->ops->writev(layer, vector, 2, 0));
	below->fail_writes = 0;
	close_it(layer);
}

static int64_t has_no_size(struct mio_layer *asked)
{
	(void)asked;
	return -ESTALE;
}

static void should_tell_that_the_size_is_not_to_be_had(void)
{
	struct mio_layer *layer = open_with(OPTIONS);

	READS(layer, 'o', SIZE - 100, 100);
	ops.size = has_no_size;
	ASSERT_EQUAL(-ESTALE, pf_read(layer, 'o', SIZE, 10));
	ASSERT_EQUAL(-ESTALE, layer->ops->size(layer));
	ASSERT_EQUAL(-ESTALE, layer->ops->truncate(layer, 10));
	READS(layer, 'o', SIZE - 100, 100);
	close_it(layer);
}

static void should_refuse_what_comes_when_it_is_closed(void)
{
	struct mio_layer *layer = open_with(OPTIONS);
	struct mio_pf_file *file = pf_file(layer);
	char memory[10];
	struct iovec one = {memory, 10};

	READS(layer, 'o', 0, 10);
	ASSERT_EQUAL(0, layer->ops->close(layer));
	ASSERT_EQUAL(-EBADF, layer->ops->read(layer, memory, 10, 0));
	ASSERT_EQUAL(-EBADF, layer->ops->readv(layer, &one, 1, 0));
	ASSERT_EQUAL(-EBADF, layer->ops->write(layer, memory, 10, 0));
	ASSERT_EQUAL(-EBADF, layer->ops->writev(layer, &one, 1, 0));
	ASSERT_EQUAL(-EBADF, layer->ops->size(layer));
	ASSERT_EQUAL(-EBADF, layer->ops->truncate(layer, 0));
	ASSERT_EQUAL(-EBADF, layer->ops->flush(layer, 0));
	ASSERT_EQUAL(-EBADF, layer->ops->publish(layer));
	ASSERT_EQUAL(SIZE, below->size);
	mio_pf_file_leave(file);
	layer->ops->release(layer);
	end();
}

int main(void)
{
	RUN(should_forget_what_a_failed_write_may_have_changed);
	RUN(should_know_how_long_a_failed_write_has_made_the_file);
	RUN(should_see_past_the_pages_that_others_made_the_file_longer);
	RUN(should_tell_that_a_read_past_the_pages_failed);
	RUN(should_tell_of_a_part_that_is_not_cached_what_could_be_read);
	RUN(should_keep_nothing_of_a_part_that_is_not_cached_where_a_request_begins_before_it);
	RUN(should_tell_of_a_vector_that_its_first_part_failed);
	RUN(should_tell_that_the_size_is_not_to_be_had);
	RUN(should_refuse_what_comes_when_it_is_closed);
	return TEST_RESULT();
}

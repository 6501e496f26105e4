/* The largest offsets, sizes and requests. Twin of PfLimitsTest. */
#include "pf_fixture.h"

static struct memory_file *first_file;
static struct mio_layer *first;

/* The size of an empty file that claims to be of any size. */
static int64_t huge_size;

static int64_t huge_size_of(struct mio_layer *layer)
{
	(void)layer;
	return huge_size;
}

static int64_t huge_read(struct mio_layer *layer, void *memory, size_t length, int64_t offset)
{
	(void)layer, (void)memory, (void)length;
	return offset >= huge_size ? 0 : -EIO;
}

static int64_t huge_write(struct mio_layer *layer, const void *memory, size_t length, int64_t offset)
{
	(void)layer, (void)memory, (void)length, (void)offset;
	return -EFBIG;
}

static struct mio_layer_ops huge_ops;

static void begin_huge(int64_t size)
{
	huge_ops = memory_file_ops;
	huge_ops.size = huge_size_of;
	huge_ops.read = huge_read;
	huge_ops.write = huge_write;
	huge_size = size;
	first_file = memory_file_make(NULL, 0, 0);
	first_file->layer.ops = &huge_ops;
	first = pf_open("cache=64k/page=8k/private/synchronous", first_file, new_inode());
}

static void should_end_reads_and_refuse_writes_near_the_largest_offset(void)
{
	int64_t last = INT64_MAX - 10;

	begin_huge(1000);
	ASSERT_EQUAL(0, pf_read(first, 0, last, 100));
	ASSERT_EQUAL(-EFBIG, pf_write(first, 1, last, 100));
	ASSERT_EQUAL(0, pf_close(first));
	memory_file_free(first_file);
}

/* A file of zeros except for the bytes written last, which may be anywhere. */
static int64_t written_from;
static unsigned char written[100];

static int64_t endless_read(struct mio_layer *layer, void *memory, size_t length, int64_t offset)
{
	int64_t bytes = offset >= huge_size ? 0 : mio_pf_min((int64_t)length, huge_size - offset);

	(void)layer;
	ASSERT(offset >= 0 && offset <= INT64_MAX - (int64_t)length);
	for (int64_t i = 0; i < bytes; i++) {
		int64_t place = offset + i - written_from;

		((unsigned char *)memory)[i] = place >= 0 && place < (int64_t)sizeof(written) ? written[place] : 0;
	}
	return bytes;
}

static int64_t endless_write(struct mio_layer *layer, const void *memory, size_t length, int64_t offset)
{
	(void)layer;
	ASSERT(offset >= 0 && offset <= INT64_MAX - (int64_t)length && length == sizeof(written));
	memcpy(written, memory, length);
	written_from = offset;
	huge_size = mio_pf_max(huge_size, offset + (int64_t)length);
	return (int64_t)length;
}

static void should_read_and_write_up_to_the_largest_offset(void)
{
	unsigned char bytes[1000];

	begin_huge(INT64_MAX - 3000);
	huge_ops.read = endless_read;
	huge_ops.write = endless_write;
	for (int64_t offset = INT64_MAX - 50000; offset < huge_size; offset += 1000)
		ASSERT(pf_read(first, 0, offset, 1000) > 0);
	WRITES(first, 0, INT64_MAX - 100, 100);
	ASSERT_EQUAL(INT64_MAX, first->ops->size(first));
	READS(first, 0, INT64_MAX - 1000, 1000);
	WRITES(first, 7, INT64_MAX - 100, 100);
	ASSERT_EQUAL(150, first->ops->read(first, bytes, sizeof(bytes), INT64_MAX - 150));
	ASSERT_EQUAL(0, bytes[49]);
	ASSERT_EQUAL(7, bytes[50]);
	ASSERT_EQUAL(7, bytes[149]);
	ASSERT_EQUAL(0, mio_pf_file_forget(pf_file(first)));
	READS(first, 7, INT64_MAX - 100, 100);
	ASSERT_EQUAL(0, pf_close(first));
	memory_file_free(first_file);
}

static void should_read_nothing_where_the_file_was_cut_far_before(void)
{
	begin_huge((int64_t)6 << 30);
	huge_size = 0;
	ASSERT_EQUAL(0, pf_read(first, 0, (int64_t)3 << 30, 100));
	ASSERT_EQUAL(0, pf_close(first));
	memory_file_free(first_file);
}

static void should_take_requests_of_almost_two_gigabytes(void)
{
	char some[100];

	begin_huge((int64_t)6 << 30);
	ASSERT_EQUAL(-EIO, first->ops->read(first, some, 0x7fffffff, 4096));
	ASSERT_EQUAL(0, pf_close(first));
	memory_file_free(first_file);
}

static void should_not_take_a_page_for_more_than_it_holds(void)
{
	struct mio_pf_reader *reader;
	char some[100];

	first_file = memory_file_make(NULL, 1, 8192);
	first = pf_open("cache=64k/page=8k/private", first_file, new_inode());
	READS(first, 1, 4096, 100);
	reader = &((struct mio_pf_open *)first)->reader;
	ASSERT_EQUAL(1, mio_pf_reader_recent(reader, some, 4096, 100));
	ASSERT_EQUAL(0, mio_pf_reader_recent(reader, some, 4096, 0x7fffffff));
	ASSERT_EQUAL(0, mio_pf_reader_recent(reader, some, 8150, 100));
	ASSERT_EQUAL(0, pf_close(first));
	memory_file_free(first_file);
}

int main(void)
{
	RUN(should_end_reads_and_refuse_writes_near_the_largest_offset);
	RUN(should_read_and_write_up_to_the_largest_offset);
	RUN(should_read_nothing_where_the_file_was_cut_far_before);
	RUN(should_take_requests_of_almost_two_gigabytes);
	RUN(should_not_take_a_page_for_more_than_it_holds);
	return TEST_RESULT();
}

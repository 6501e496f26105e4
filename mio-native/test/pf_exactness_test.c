/*
 * The figures of the original's example (reference 4.5), with its workload and its options, over a file that moves no bytes: at a
 * tenth of its size, and at full size with MIO_TEST_FULL=1. Twin of ExactnessTest, which explains the two figures that are not the
 * original's.
 */
#include "pf_fixture.h"

#define RECORD 102400
#define PAGE ((int64_t)2 << 20)
#define FRAMES 50
#define AHEAD 4
#define OPTIONS "cache=100m/page=2m/pref=4/stats/direct/private"

/* Requests of one kind to the layer below. */
struct row {
	int64_t count, bytes, largest, smallest;
};

struct null_file {
	struct memory_file file;
	struct row read, write, aread, awrite;
	int64_t awaited;
};

static struct null_file *null_of(struct mio_layer *layer)
{
	return (struct null_file *)layer;
}

static void count(struct row *row, int64_t bytes)
{
	row->count++;
	row->bytes += bytes;
	row->largest = bytes > row->largest ? bytes : row->largest;
	row->smallest = row->smallest == 0 || bytes < row->smallest ? bytes : row->smallest;
}

static int64_t moved_read(struct null_file *null, struct row *row, int64_t length, int64_t offset)
{
	int64_t bytes;

	pthread_mutex_lock(&null->file.lock);
	bytes = offset >= null->file.size ? 0 : null->file.size - offset;
	bytes = bytes < length ? bytes : length;
	count(row, bytes);
	pthread_mutex_unlock(&null->file.lock);
	return bytes;
}

static int64_t moved_write(struct null_file *null, struct row *row, int64_t length, int64_t offset)
{
	pthread_mutex_lock(&null->file.lock);
	null->file.size = offset + length > null->file.size ? offset + length : null->file.size;
	count(row, length);
	pthread_mutex_unlock(&null->file.lock);
	return length;
}

static int64_t null_read(struct mio_layer *layer, void *memory, size_t length, int64_t offset)
{
	(void)memory;
	return moved_read(null_of(layer), &null_of(layer)->read, (int64_t)length, offset);
}

static int64_t null_write(struct mio_layer *layer, const void *memory, size_t length, int64_t offset)
{
	(void)memory;
	return moved_write(null_of(layer), &null_of(layer)->write, (int64_t)length, offset);
}

static void run(struct null_file *null, struct mio_io *io)
{
	int64_t length = (int64_t)io->requested;

	mio_io_complete(io, io->write ? moved_write(null, &null->awrite, length, io->offset)
				      : moved_read(null, &null->aread, length, io->offset));
}

static pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t queue_more = PTHREAD_COND_INITIALIZER;
static struct mio_io *queue_first, *queue_last;
static int queue_ends, threads_complete;
static struct null_file *queue_file;

static void *works(void *context)
{
	(void)context;
	for (;;) {
		struct mio_io *io;

		pthread_mutex_lock(&queue_lock);
		while (!queue_first && !queue_ends)
			pthread_cond_wait(&queue_more, &queue_lock);
		io = queue_first;
		if (io) {
			queue_first = io->next;
			if (!queue_first)
				queue_last = NULL;
		}
		pthread_mutex_unlock(&queue_lock);
		if (!io)
			return NULL;
		run(queue_file, io);
	}
}

static int null_submit(struct mio_layer *layer, struct mio_io *io)
{
	if (!threads_complete) {
		run(null_of(layer), io);
		return 0;
	}
	pthread_mutex_lock(&queue_lock);
	io->next = NULL;
	if (queue_last)
		queue_last->next = io;
	else
		queue_first = io;
	queue_last = io;
	pthread_cond_signal(&queue_more);
	pthread_mutex_unlock(&queue_lock);
	return 0;
}

static void null_await(struct mio_layer *layer, struct mio_io *io, int wait)
{
	__atomic_fetch_add(&null_of(layer)->awaited, 1, __ATOMIC_RELAXED);
	if (wait)
		mio_io_wait(io);
}

static int64_t expected_bytes(int64_t records)
{
	return records * RECORD;
}

static int64_t expected_pages(int64_t records)
{
	return (expected_bytes(records) + PAGE - 1) / PAGE;
}

static struct mio_layer_ops null_ops;

static struct null_file *null_make(void)
{
	struct null_file *null = calloc(1, sizeof(*null));

	ASSERT(null);
	null_ops = memory_file_ops;
	null_ops.read = null_read;
	null_ops.write = null_write;
	null_ops.submit = null_submit;
	null_ops.await = null_await;
	pthread_mutex_init(&null->file.lock, NULL);
	null->file.layer = (struct mio_layer){&null_ops, NULL, "os"};
	null->file.reserves = 1;
	return null;
}

static char record[RECORD];

static void write_all(struct mio_layer *layer, int64_t records)
{
	for (int64_t i = 0; i < records; i++)
		ASSERT_EQUAL(RECORD, layer->ops->write(layer, record, RECORD, i * RECORD));
}

static void read_forward(struct mio_layer *layer, int64_t records)
{
	for (int64_t i = 0; i < records; i++)
		ASSERT_EQUAL(RECORD, layer->ops->read(layer, record, RECORD, i * RECORD));
}

static void read_backward(struct mio_layer *layer, int64_t records)
{
	for (int64_t i = records - 1; i >= 0; i--)
		ASSERT_EQUAL(RECORD, layer->ops->read(layer, record, RECORD, i * RECORD));
}

/* The frames are not filled, because their bytes do not matter here. */
static void *plain_take(size_t bytes)
{
	void *memory = NULL;

	ASSERT_EQUAL(0, posix_memalign(&memory, 4096, bytes));
	return memory;
}

static void plain_give(void *memory, size_t bytes)
{
	(void)bytes;
	free(memory);
}

static const struct mio_pf_frame_memory plain = {plain_take, plain_give};

static struct mio_layer *open_exact(const char *options, struct null_file *null)
{
	struct mio_layer *layer;

	mio_pf_frame_memory = &plain;
	ASSERT_EQUAL(0, pf_try_open_as(options, &null->file.layer, pf_request(new_inode(), O_RDWR | O_DIRECT, 4096), &layer));
	return layer;
}

static void is_row(int64_t number, int64_t bytes, int64_t smallest, int64_t largest, const struct row *row)
{
	ASSERT_EQUAL(number, row->count);
	ASSERT_EQUAL(bytes, row->bytes);
	ASSERT_EQUAL(smallest, row->smallest);
	ASSERT_EQUAL(largest, row->largest);
}

static void gives_the_figures(const char *options, int64_t records)
{
	struct null_file *null = null_make();
	struct mio_layer *layer = open_exact(options, null);
	int64_t bytes = expected_bytes(records), pages = expected_pages(records);
	int64_t rest = bytes - (pages - 1) * PAGE, read_bytes = 2 * bytes - (FRAMES - 1) * PAGE - rest;
	struct mio_stats_pf counted;

	write_all(layer, records);
	ASSERT_EQUAL(0, pf_counters(layer).unused_prefetches);
	read_forward(layer, records);
	ASSERT_EQUAL(AHEAD, pf_counters(layer).unused_prefetches);
	read_backward(layer, records);
	mio_pf_file_alone(pf_file(layer));
	ASSERT_EQUAL(0, layer->ops->close(layer));
	mio_pf_file_unalone(pf_file(layer));
	ASSERT(mio_pf_open_snapshot((struct mio_pf_open *)layer, MIO_STATS_CLOSE, 0, &counted));
	ASSERT_EQUAL(FRAMES, counted.pages);
	ASSERT_EQUAL(PAGE, counted.page_bytes);
	ASSERT_EQUAL(4096, counted.sector_bytes);
	ASSERT_EQUAL(pages + AHEAD, counted.not_preread);
	ASSERT_EQUAL(pages + AHEAD, counted.not_preread_for_write);
	ASSERT_EQUAL(AHEAD, counted.unused_prefetches);
	/* All page reads were started ahead except one, which was a demand read. */
	ASSERT_EQUAL(pages + AHEAD + 2 * pages - FRAMES - 1, counted.started_prefetches);
	ASSERT_EQUAL(4, counted.distance);
	ASSERT_EQUAL(pages - 1, counted.write_behinds);
	ASSERT_EQUAL(records, counted.program.writes);
	ASSERT_EQUAL(bytes, counted.program.bytes_written);
	ASSERT_EQUAL(2 * records, counted.program.reads);
	ASSERT_EQUAL(2 * bytes, counted.program.bytes_read);
	ASSERT_EQUAL(pages, counted.child.writes);
	ASSERT_EQUAL(bytes, counted.child.bytes_written);
	ASSERT_EQUAL(2 * pages - FRAMES, counted.child.reads);
	ASSERT_EQUAL(read_bytes, counted.child.bytes_read);
	ASSERT_EQUAL(1, counted.direct);
	is_row(1, rest, rest, rest, &null->write);
	is_row(pages - 1, (pages - 1) * PAGE, PAGE, PAGE, &null->awrite);
	is_row(1, PAGE, PAGE, PAGE, &null->read);
	is_row(2 * pages - FRAMES - 1, read_bytes - PAGE, rest, PAGE, &null->aread);
	/* Each asynchronous request was awaited once, even if it had completed by then. */
	ASSERT_EQUAL(null->aread.count + null->awrite.count, null->awaited);
	mio_pf_file_leave(pf_file(layer));
	layer->ops->release(layer);
	free(null);
}

static void should_give_the_figures_of_the_original(void)
{
	gives_the_figures(OPTIONS "/replace=lru", 14000);
	gives_the_figures(OPTIONS, 14000);
}

static void should_give_the_figures_of_the_original_at_full_size(void)
{
	if (!getenv("MIO_TEST_FULL"))
		SKIP("takes several seconds: MIO_TEST_FULL is not set");
	/* The figures that the original's report shows. */
	ASSERT_EQUAL(6836, expected_pages(140000));
	ASSERT_EQUAL(28567273472, 2 * expected_bytes(140000) - 49 * PAGE - 1966080);
	gives_the_figures(OPTIONS "/replace=lru", 140000);
	gives_the_figures(OPTIONS, 140000);
}

static void should_make_the_same_requests_when_they_complete_on_other_threads(void)
{
	int64_t records = 7000, bytes = expected_bytes(records), pages = expected_pages(records);
	struct null_file *null = null_make();
	struct mio_stats_pf counted;
	struct mio_layer *layer;
	pthread_t threads[3];

	queue_file = null;
	queue_ends = 0;
	threads_complete = 1;
	for (int i = 0; i < 3; i++)
		ASSERT_EQUAL(0, pthread_create(&threads[i], NULL, works, NULL));
	layer = open_exact(OPTIONS "/replace=lru", null);
	write_all(layer, records);
	read_forward(layer, records);
	read_backward(layer, records);
	mio_pf_file_alone(pf_file(layer));
	ASSERT_EQUAL(0, layer->ops->close(layer));
	mio_pf_file_unalone(pf_file(layer));
	ASSERT(mio_pf_open_snapshot((struct mio_pf_open *)layer, MIO_STATS_CLOSE, 0, &counted));
	ASSERT_EQUAL(records, counted.program.writes);
	ASSERT_EQUAL(2 * bytes, counted.program.bytes_read);
	ASSERT_EQUAL(pages, counted.child.writes);
	ASSERT_EQUAL(bytes, counted.child.bytes_written);
	ASSERT_EQUAL(pages - 1, counted.write_behinds);
	ASSERT_EQUAL(pages + AHEAD, counted.not_preread_for_write);
	ASSERT_EQUAL(2 * pages - FRAMES, counted.child.reads);
	ASSERT(null->read.count >= 1 && null->read.count <= 3);
	mio_pf_file_leave(pf_file(layer));
	layer->ops->release(layer);
	pthread_mutex_lock(&queue_lock);
	queue_ends = 1;
	pthread_cond_broadcast(&queue_more);
	pthread_mutex_unlock(&queue_lock);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	threads_complete = 0;
	free(null);
}

int main(void)
{
	RUN(should_give_the_figures_of_the_original);
	RUN(should_give_the_figures_of_the_original_at_full_size);
	RUN(should_make_the_same_requests_when_they_complete_on_other_threads);
	return TEST_RESULT();
}

/* Which requests a cache makes of the layer below: sectors, write-behind, readahead, requests that go past the cache. Twin of PfBehaviourTest. */
#include "pf_fixture.h"

#define PAGE 4096
#define SECTOR 512
#define SIZE (40 * PAGE)
#define OPTIONS "cache=64k/page=4k/private/pref=2"

static struct memory_file *below;
static struct mio_layer *layer;

static void open_with(const char *options, int oflags)
{
	below = memory_file_make(NULL, 'o', SIZE);
	layer = pf_open_as(options, &below->layer, pf_request(new_inode(), oflags, SECTOR));
	memory_file_calls(below);
}

static void end(void)
{
	ASSERT_EQUAL(0, pf_close(layer));
	memory_file_free(below);
}

__attribute__((format(printf, 1, 2)))
static const char *text(const char *format, ...)
{
	static char line[CALLS_BYTES];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(line, sizeof(line), format, arguments);
	va_end(arguments);
	return line;
}

static void should_need_nothing_from_the_file_for_a_write_of_whole_sectors(void)
{
	struct mio_stats_pf counted;

	open_with(OPTIONS, O_RDWR);
	WRITES(layer, 'n', 10 * PAGE + SECTOR, 2 * SECTOR);
	READS(layer, 'n', 10 * PAGE + SECTOR, 2 * SECTOR);
	ASSERT_TEXT("", memory_file_calls(below));
	READS(layer, 'o', 10 * PAGE + 6 * SECTOR, SECTOR);
	ASSERT_EQUAL(0, layer->ops->flush(layer, 0));
	ASSERT_TEXT(text("read %d+%d, write %d+%d, flush", 10 * PAGE + 3 * SECTOR, 5 * SECTOR, 10 * PAGE + SECTOR,
			 2 * SECTOR),
		    memory_file_calls(below));
	counted = pf_counters(layer);
	ASSERT_EQUAL(1, counted.not_preread);
	ASSERT_EQUAL(1, counted.not_preread_for_write);
	ASSERT_EQUAL(0, counted.forced_syncs);
	ASSERT_EQUAL(1, counted.partial_reads);
	end();
}

static void should_read_the_page_for_a_write_of_part_of_a_sector(void)
{
	struct mio_stats_pf counted;

	open_with(OPTIONS, O_RDWR);
	WRITES(layer, 'n', 10 * PAGE + 700, 10);
	ASSERT_TEXT(text("read %d+%d", 10 * PAGE, PAGE), memory_file_calls(below));
	READS(layer, 'o', 10 * PAGE, 700);
	READS(layer, 'n', 10 * PAGE + 700, 10);
	READS(layer, 'o', 10 * PAGE + 710, PAGE - 710);
	counted = pf_counters(layer);
	ASSERT_EQUAL(0, counted.not_preread);
	ASSERT_EQUAL(1, counted.not_preread_for_write);
	ASSERT_EQUAL(0, counted.forced_syncs);
	end();
}

static void should_count_an_ill_formed_write_into_a_dirty_page(void)
{
	open_with(OPTIONS, O_RDWR);
	WRITES(layer, 'n', 10 * PAGE, SECTOR);
	WRITES(layer, 'm', 10 * PAGE + 2000, 10);
	ASSERT_EQUAL(1, pf_counters(layer).forced_syncs);
	ASSERT_EQUAL(0, layer->ops->flush(layer, 0));
	ASSERT(holds(below, 'n', 10 * PAGE, SECTOR));
	ASSERT(holds(below, 'o', 10 * PAGE + SECTOR, 2000 - SECTOR));
	ASSERT(holds(below, 'm', 10 * PAGE + 2000, 10));
	end();
}

static void should_take_what_lies_behind_the_end_for_zeros(void)
{
	open_with(OPTIONS, O_RDWR);
	WRITES(layer, 'n', SIZE + 700, 10);
	ASSERT_TEXT("", memory_file_calls(below));
	READS(layer, 0, SIZE, 700);
	ASSERT_EQUAL(SIZE + 710, layer->ops->size(layer));
	ASSERT_EQUAL(0, layer->ops->flush(layer, 0));
	ASSERT_EQUAL(SIZE + 710, below->size);
	ASSERT(holds(below, 0, SIZE, 700));
	end();
}

static void should_preread_for_a_write_if_asked_to(void)
{
	open_with(OPTIONS "/pffw", O_RDWR);
	WRITES(layer, 'n', 10 * PAGE, SECTOR);
	WRITES(layer, 'n', 10 * PAGE + SECTOR, SECTOR);
	ASSERT_TEXT(text("aread %d+%d, aread %d+%d", 11 * PAGE, PAGE, 12 * PAGE, PAGE), memory_file_calls(below));
	ASSERT_EQUAL(0, pf_counters(layer).not_preread_for_write);
	end();
}

static void should_write_a_full_page_behind_the_programs_back(void)
{
	open_with(OPTIONS, O_RDWR);
	WRITES(layer, 'n', 10 * PAGE, PAGE - SECTOR);
	ASSERT_TEXT("", memory_file_calls(below));
	WRITES(layer, 'n', 11 * PAGE - SECTOR, SECTOR);
	ASSERT_TEXT(text("awrite %d+%d", 10 * PAGE, PAGE), memory_file_calls(below));
	ASSERT_EQUAL(1, pf_counters(layer).write_behinds);
	end();
}

/* Several requests may each write a part of a sector, even of the last one. */
static void should_write_a_full_page_once_whatever_the_requests(void)
{
	open_with(OPTIONS, O_RDWR);
	for (int at = 0; at < 2 * PAGE; at += 100)
		WRITES(layer, 'n', 50 * PAGE + at, at + 100 < 2 * PAGE ? 100 : 2 * PAGE - at);
	ASSERT_TEXT(text("awrite %d+%d, awrite %d+%d", 50 * PAGE, PAGE, 51 * PAGE, PAGE), memory_file_calls(below));
	ASSERT_EQUAL(2, pf_counters(layer).write_behinds);
	end();
}

static void should_write_a_page_that_the_stream_has_left(void)
{
	open_with(OPTIONS, O_RDWR);
	WRITES(layer, 'n', 10 * PAGE + SECTOR, SECTOR);
	WRITES(layer, 'n', 10 * PAGE + 2 * SECTOR, 6 * SECTOR);
	ASSERT_TEXT("", memory_file_calls(below));
	WRITES(layer, 'n', 11 * PAGE, SECTOR);
	ASSERT_TEXT(text("awrite %d+%d", 10 * PAGE + SECTOR, 7 * SECTOR), memory_file_calls(below));
	ASSERT_EQUAL(1, pf_counters(layer).write_behinds);
	end();
}

/* Space is reserved an eighth of the file at a time, at most one megabyte, so that the file system gets few calls. */
static void should_ask_for_space_ahead_of_a_stream(void)
{
	open_with(OPTIONS, O_RDWR);
	for (int64_t end = SIZE + PAGE; end <= 16 << 20; end += PAGE) {
		WRITES(layer, 'n', end - PAGE, PAGE);
		memory_file_calls(below);
		ASSERT(below->reserved >= end);
		ASSERT(below->reserved <= end + (end / 8 < 1 << 20 ? end / 8 : 1 << 20));
	}
	ASSERT(below->reserve_calls < 50);
	end();
}

/* Reserves no more space ahead than the stream has written, so that a file with holes keeps them. */
static void should_ask_for_little_space_behind_a_short_stream(void)
{
	int64_t start = 16 << 20;

	open_with(OPTIONS, O_RDWR);
	for (int64_t end = start + PAGE; end <= start + 5 * PAGE; end += PAGE) {
		WRITES(layer, 'n', end - PAGE, PAGE);
		memory_file_calls(below);
		ASSERT(below->reserved >= end);
		ASSERT(below->reserved <= end + end - start);
	}
	ASSERT(below->reserve_calls < 5);
	end();
}

static void lock_all(void)
{
	ASSERT_EQUAL(0, layer->ops->bypass_begin(layer, MIO_BYPASS_LOCK, 0, INT64_MAX));
	layer->ops->bypass_end(layer, MIO_BYPASS_LOCK, 0, INT64_MAX, 1);
}

/* Writes by columns, with fewer frames than a column has pages. */
static void should_ask_for_the_space_of_a_sector_once(void)
{
	int calls;

	open_with(OPTIONS, O_RDWR);
	for (int64_t column = 0; column < SECTOR; column += 16) {
		for (int64_t row = 0; row < 40; row++)
			WRITES(layer, 'c', row * row * PAGE + column, 16);
		memory_file_calls(below);
	}
	ASSERT(below->reserve_calls <= 40);

	/* Space that was cut off is reserved again; space that was not cut off is still reserved. */
	ASSERT_EQUAL(0, layer->ops->truncate(layer, 4 * PAGE + SECTOR / 2));
	calls = below->reserve_calls;
	WRITES(layer, 'k', PAGE, 16);
	ASSERT_EQUAL(calls, below->reserve_calls);
	WRITES(layer, 'k', 4 * PAGE, 16);
	WRITES(layer, 'k', 9 * PAGE, 16);
	ASSERT_EQUAL(calls + 2, below->reserve_calls);

	/* Others may have made holes in the file. */
	lock_all();
	WRITES(layer, 'l', PAGE, 16);
	WRITES(layer, 'l', 4 * PAGE, 16);
	ASSERT_EQUAL(calls + 4, below->reserve_calls);

	/* Reserving space also checks the process's limit on file sizes. */
	mio_pf_reservations_limited();
	WRITES(layer, 'm', PAGE, 16);
	ASSERT_EQUAL(calls + 5, below->reserve_calls);
	end();
}

/* Reserved space is slow to give back. */
static void should_set_no_space_aside_where_a_file_is_cut_time_and_again(void)
{
	int64_t start = 100 * PAGE;
	int calls;

	open_with(OPTIONS, O_RDWR);
	ASSERT_EQUAL(0, layer->ops->truncate(layer, start));
	for (int cut = 1; cut <= 4; cut++) {
		calls = below->reserve_calls;
		WRITES(layer, 'c', start, PAGE);
		ASSERT_EQUAL(calls + 1, below->reserve_calls);
		ASSERT_EQUAL(0, layer->ops->truncate(layer, start));
	}

	calls = below->reserve_calls;
	memory_file_calls(below);
	WRITES(layer, 'd', start, PAGE);
	ASSERT_TEXT(text("write %d+%d", (int)start, PAGE), memory_file_calls(below));
	ASSERT_EQUAL(calls, below->reserve_calls);

	/* Far past the cut, and before it, space is reserved as usual. */
	WRITES(layer, 'e', start + (1 << 20), PAGE);
	WRITES(layer, 'f', 0, PAGE);
	ASSERT_EQUAL(calls + 2, below->reserve_calls);

	/* One large cut does not suggest that more will follow. */
	ASSERT_EQUAL(0, layer->ops->truncate(layer, start));
	WRITES(layer, 'g', start, PAGE);
	ASSERT_EQUAL(calls + 3, below->reserve_calls);
	end();
}

static void should_write_at_once_where_requests_are_synchronous(void)
{
	open_with(OPTIONS "/synchronous", O_RDWR);
	WRITES(layer, 'n', 10 * PAGE, PAGE);
	ASSERT_TEXT(text("write %d+%d", 10 * PAGE, PAGE), memory_file_calls(below));
	ASSERT_EQUAL(0, pf_counters(layer).write_behinds);
	end();
}

static void should_never_have_more_than_half_of_the_frames_dirty(void)
{
	open_with(OPTIONS, O_RDWR);
	for (int i = 0; i < 20; i++) {
		int64_t dirty;

		WRITES(layer, 'n', 2 * scattered(i) * PAGE, SECTOR);
		dirty = i + 1 - pf_counters(layer).child.writes;
		ASSERT(dirty >= 1 && dirty <= 8);
	}
	ASSERT_EQUAL(12, pf_counters(layer).child.writes);
	end();
}

static void should_write_what_gives_way_next_beside_what_gives_way(void)
{
	open_with("cache=32k/page=4k/private/pref=1", O_RDWR);
	for (int i = 0; i < 3; i++)
		WRITES(layer, 'n', (2 + 2 * scattered(i)) * PAGE, SECTOR);
	for (int i = 0; i < 5; i++)
		READS(layer, 'o', (12 + 2 * scattered(i)) * PAGE, SECTOR);
	memory_file_calls(below);
	READS(layer, 'o', 39 * PAGE, SECTOR);
	ASSERT_TEXT(text("awrite %d+512, awrite %d+512, write %d+512, read %d+%d", 4 * PAGE, 8 * PAGE, 2 * PAGE,
			 39 * PAGE, PAGE),
		    memory_file_calls(below));
	end();
}

static void should_hand_down_lists_if_asked_to(void)
{
	open_with(OPTIONS "/listio", O_RDWR);
	READS(layer, 'o', 0, PAGE);
	READS(layer, 'o', PAGE, PAGE);
	ASSERT_TEXT(text("read 0+%d, list of 2, aread %d+%d, aread %d+%d, read %d+%d", PAGE, 2 * PAGE, PAGE, 3 * PAGE,
			 PAGE, PAGE, PAGE),
		    memory_file_calls(below));
	end();
}

static void hands_a_write_down_at_once(const char *options, int oflags)
{
	open_with(options, oflags);
	READS(layer, 'o', 10 * PAGE, PAGE);
	memory_file_calls(below);
	WRITES(layer, 'n', 10 * PAGE + 700, 100);
	ASSERT_TEXT(text("write %d+100", 10 * PAGE + 700), memory_file_calls(below));
	READS(layer, 'o', 10 * PAGE, 700);
	READS(layer, 'n', 10 * PAGE + 700, 100);
	ASSERT_TEXT("", memory_file_calls(below));
	end();
}

static void should_hand_a_write_down_at_once_and_keep_the_page_right(void)
{
	hands_a_write_down_at_once(OPTIONS "/through", O_RDWR);
	hands_a_write_down_at_once(OPTIONS, O_RDWR | O_APPEND);
	hands_a_write_down_at_once(OPTIONS, O_RDWR | O_DSYNC);
	hands_a_write_down_at_once(OPTIONS, O_RDWR | O_SYNC);
}

static void should_append_behind_what_only_pages_know(void)
{
	open_with(OPTIONS, O_RDWR);
	WRITES(layer, 'n', SIZE, 100);
	WRITES(layer, 'a', MIO_LAYER_APPEND, 50);
	ASSERT_EQUAL(SIZE + 150, layer->ops->size(layer));
	READS(layer, 'n', SIZE, 100);
	READS(layer, 'a', SIZE + 100, 50);
	ASSERT(holds(below, 'a', SIZE + 100, 50));
	end();
}

static void should_append_a_vector_in_one_piece(void)
{
	char first[] = "12", second[] = "345";
	struct iovec vector[] = {{first, 2}, {second, 3}};
	char seen[5];

	open_with(OPTIONS, O_RDWR);
	ASSERT_EQUAL(5, layer->ops->writev(layer, vector, 2, MIO_LAYER_APPEND));
	ASSERT_TEXT("writev -1 of 2", memory_file_calls(below));
	ASSERT_EQUAL(5, layer->ops->read(layer, seen, 5, SIZE));
	ASSERT(memcmp(seen, "12345", 5) == 0);
	end();
}

static void should_bring_pages_up_to_date_from_a_vector(void)
{
	char first[700], second[1], third[3000];
	struct iovec vector[] = {{first, sizeof(first)}, {second, 0}, {second, 1}, {third, sizeof(third)}};
	int64_t misses;

	memset(first, '1', sizeof(first));
	memset(second, '2', sizeof(second));
	memset(third, '3', sizeof(third));
	open_with(OPTIONS "/through", O_RDWR);
	READS(layer, 'o', 10 * PAGE, 2 * PAGE);
	misses = pf_counters(layer).misses;
	memory_file_calls(below);
	ASSERT_EQUAL(3701, layer->ops->writev(layer, vector, 4, 11 * PAGE - 900));
	ASSERT_TEXT(text("writev %d of 4", 11 * PAGE - 900), memory_file_calls(below));
	READS(layer, 'o', 10 * PAGE, PAGE - 900);
	READS(layer, '1', 11 * PAGE - 900, 700);
	READS(layer, '2', 11 * PAGE - 200, 1);
	READS(layer, '3', 11 * PAGE - 199, 3000);
	READS(layer, 'o', 11 * PAGE + 2801, 100);
	ASSERT_EQUAL(misses, pf_counters(layer).misses);
	end();
}

static void should_write_and_read_vectors_through_pages(void)
{
	char first[700], second[5000];
	struct iovec vector[] = {{first, sizeof(first)}, {second, sizeof(second)}};

	memset(first, '1', sizeof(first));
	memset(second, '2', sizeof(second));
	open_with(OPTIONS, O_RDWR);
	ASSERT_EQUAL(5700, layer->ops->writev(layer, vector, 2, SIZE - 100));
	memset(first, 0, sizeof(first));
	memset(second, 0, sizeof(second));
	ASSERT_EQUAL(5700, layer->ops->readv(layer, vector, 2, SIZE - 100));
	ASSERT(first[0] == '1' && first[699] == '1' && second[0] == '2' && second[4999] == '2');
	ASSERT_EQUAL(600, layer->ops->readv(layer, vector, 2, SIZE + 5000));
	ASSERT_EQUAL(0, layer->ops->readv(layer, vector, 2, SIZE + 5600));
	end();
}

static void should_read_ahead_to_the_end_of_the_file_and_not_past_it(void)
{
	char *rest = malloc(SIZE);

	open_with("cache=64k/page=4k/private/pref=8", O_RDWR);
	memory_file_cut(below, 6 * PAGE - 3 * SECTOR);
	ASSERT_EQUAL(6 * PAGE - 3 * SECTOR, layer->ops->size(layer));
	READS(layer, 'o', 0, PAGE);
	READS(layer, 'o', PAGE, PAGE);
	ASSERT_TEXT(text("read 0+%d, aread %d+%d, aread %d+%d, aread %d+%d, aread %d+%d, read %d+%d", PAGE, 2 * PAGE,
			 PAGE, 3 * PAGE, PAGE, 4 * PAGE, PAGE, 5 * PAGE, PAGE - 3 * SECTOR, PAGE, PAGE),
		    memory_file_calls(below));
	ASSERT_EQUAL(5 * PAGE - 3 * SECTOR, layer->ops->read(layer, rest, SIZE, PAGE));
	ASSERT_EQUAL(0, layer->ops->read(layer, rest, SIZE, 6 * PAGE));
	ASSERT_TEXT("", memory_file_calls(below));
	free(rest);
	end();
}

static void should_read_ahead_backward_to_the_first_page_and_not_past_it(void)
{
	open_with("cache=64k/page=4k/private/pref=8", O_RDWR);
	READS(layer, 'o', 3 * PAGE, PAGE);
	READS(layer, 'o', 2 * PAGE, PAGE);
	ASSERT_TEXT(text("read %d+%d, aread %d+%d, aread 0+%d, read %d+%d", 3 * PAGE, PAGE, PAGE, PAGE, PAGE, 2 * PAGE,
			 PAGE),
		    memory_file_calls(below));
	end();
}

/* Of the ten frames replace=auto may keep eight for pages that are read again: pages that are read ahead must not evict each other. */
static void should_use_all_that_it_reads_ahead_of_requests_across_pages(void)
{
	const int length = 700;

	open_with("cache=40k/page=4k/private/pref=8", O_RDWR);
	for (int64_t at = SIZE - length; at >= 0; at -= length)
		READS(layer, 'o', at, length);
	ASSERT_EQUAL(0, pf_counters(layer).unused_prefetches);
	ASSERT_EQUAL(SIZE / PAGE, pf_counters(layer).child.reads);
	end();
}

/* A stream that reads on in its page has not read the page again just because other streams came in between. */
static void should_use_all_that_streams_in_turns_read_ahead(void)
{
	const int64_t part = SIZE / 4;

	open_with("cache=64k/page=4k/private/pref=2", O_RDWR);
	for (int64_t at = 0; at < part; at += SECTOR)
		for (int i = 0; i < 4; i++)
			READS(layer, 'o', i * part + at, SECTOR);
	ASSERT_EQUAL(0, pf_counters(layer).unused_prefetches);
	/* Until the reads are known to be a stream, single sectors are read. */
	ASSERT(pf_counters(layer).child.reads <= SIZE / PAGE + 4 * 3);
	end();
}

static void should_read_ahead_into_no_more_frames_than_kept_pages_leave(void)
{
	open_with("cache=40k/page=4k/private/pref=8", O_RDWR);
	for (int times = 0; times < 2; times++)
		for (int i = 0; i < 8; i++)
			READS(layer, 'o', (12 + 2 * scattered(i)) * PAGE, SECTOR);
	for (int i = 11; i >= 0; i--)
		READS(layer, 'o', i * PAGE, PAGE);
	ASSERT_EQUAL(0, pf_counters(layer).unused_prefetches);
	memory_file_calls(below);
	for (int i = 0; i < 8; i++)
		READS(layer, 'o', (12 + 2 * scattered(i)) * PAGE, SECTOR);
	ASSERT_TEXT("", memory_file_calls(below));
	end();
}

/* Pages that a program reads in turns are found at once; they must count as used all the same. */
static void should_know_that_pages_read_in_turns_were_used(void)
{
	open_with("cache=16k/page=4k/private/pref=1/replace=lru", O_RDWR);
	READS(layer, 'o', 3 * PAGE, 100);
	READS(layer, 'o', 10 * PAGE, 100);
	READS(layer, 'o', 3 * PAGE + 1000, 100);
	READS(layer, 'o', 20 * PAGE, 100);
	READS(layer, 'o', 33 * PAGE, 100);
	/* The page at 10 was used longest ago, although it came in after the page at 3. */
	READS(layer, 'o', 39 * PAGE, 100);
	memory_file_calls(below);
	READS(layer, 'o', 3 * PAGE + 2000, 100);
	ASSERT_TEXT("", memory_file_calls(below));
	READS(layer, 'o', 10 * PAGE + 2000, 100);
	ASSERT(memory_file_calls(below)[0] != 0);
	end();
}

static void should_read_only_the_sectors_that_a_strided_reader_wants(void)
{
	int step = 96 << 10;

	below = memory_file_make(NULL, 'o', 10 * (64 << 10));
	layer = pf_open("cache=512k/page=64k/private/pref=2", below, new_inode());
	for (int i = 0; i < 4; i++)
		READS(layer, 'o', PAGE + i * step, SECTOR);
	ASSERT_TEXT(text("read %d+512, read %d+512, aread %d+512, aread %d+512, read %d+512, aread %d+512", PAGE,
			 PAGE + step, PAGE + 3 * step, PAGE + 4 * step, PAGE + 2 * step, PAGE + 5 * step),
		    memory_file_calls(below));
	end();
}

static void should_tell_the_largest_distance_of_a_file_in_its_report(void)
{
	struct mio_stats_pf counted;

	below = memory_file_make(NULL, 'o', 64 * PAGE);
	layer = pf_open("cache=128k/page=4k/private/pref=2:8", below, new_inode());
	ASSERT_EQUAL(2, pf_counters(layer).distance);
	for (int i = 0; i < 10; i++)
		READS(layer, 'o', i * PAGE, PAGE);
	counted = pf_counters(layer);
	ASSERT_EQUAL(8, counted.distance);
	/* Ten pages and eight ahead of them; all but the first two were read ahead. */
	ASSERT_EQUAL(18, counted.child.reads);
	ASSERT_EQUAL(16, counted.started_prefetches);
	end();
}

static void should_lengthen_a_file_with_zeros(void)
{
	open_with(OPTIONS, O_RDWR);
	WRITES(layer, 'n', SIZE - 100, 50);
	ASSERT_EQUAL(0, layer->ops->truncate(layer, SIZE + 10 * PAGE + 7));
	ASSERT(holds(below, 'n', SIZE - 100, 50));
	ASSERT_EQUAL(SIZE + 10 * PAGE + 7, below->size);
	ASSERT_EQUAL(SIZE + 10 * PAGE + 7, layer->ops->size(layer));
	READS(layer, 'o', SIZE - 50, 50);
	READS(layer, 0, SIZE, 10 * PAGE + 7);
	/* Bytes that were cut off come back as zeros, in pages too. */
	WRITES(layer, 'm', SIZE, 3 * PAGE);
	ASSERT_EQUAL(0, layer->ops->truncate(layer, SIZE + 100));
	ASSERT_EQUAL(0, layer->ops->truncate(layer, SIZE + 2 * PAGE));
	READS(layer, 'm', SIZE, 100);
	READS(layer, 0, SIZE + 100, 2 * PAGE - 100);
	end();
}

static void should_do_asynchronous_requests_in_the_callers_thread(void)
{
	struct mio_io io;
	struct mio_io *list[] = {&io};
	char bytes[100];

	open_with(OPTIONS, O_RDWR);
	memset(bytes, 'n', sizeof(bytes));
	mio_io_init(&io, 1, bytes, sizeof(bytes), 100, NULL, NULL);
	ASSERT_EQUAL(0, layer->ops->submit(layer, &io));
	layer->ops->await(layer, &io, 1);
	ASSERT(mio_io_is_done(&io));
	ASSERT_EQUAL(100, io.result);
	mio_io_init(&io, 0, bytes, sizeof(bytes), 150, NULL, NULL);
	layer->ops->submit_all(layer, list, 1);
	ASSERT(mio_io_is_done(&io));
	ASSERT_EQUAL(100, io.result);
	ASSERT(bytes[0] == 'n' && bytes[49] == 'n' && bytes[50] == 'o');
	end();
}

int main(void)
{
	RUN(should_need_nothing_from_the_file_for_a_write_of_whole_sectors);
	RUN(should_read_the_page_for_a_write_of_part_of_a_sector);
	RUN(should_count_an_ill_formed_write_into_a_dirty_page);
	RUN(should_take_what_lies_behind_the_end_for_zeros);
	RUN(should_preread_for_a_write_if_asked_to);
	RUN(should_write_a_full_page_behind_the_programs_back);
	RUN(should_write_a_full_page_once_whatever_the_requests);
	RUN(should_write_a_page_that_the_stream_has_left);
	RUN(should_ask_for_space_ahead_of_a_stream);
	RUN(should_ask_for_little_space_behind_a_short_stream);
	RUN(should_ask_for_the_space_of_a_sector_once);
	RUN(should_set_no_space_aside_where_a_file_is_cut_time_and_again);
	RUN(should_write_at_once_where_requests_are_synchronous);
	RUN(should_never_have_more_than_half_of_the_frames_dirty);
	RUN(should_write_what_gives_way_next_beside_what_gives_way);
	RUN(should_hand_down_lists_if_asked_to);
	RUN(should_hand_a_write_down_at_once_and_keep_the_page_right);
	RUN(should_append_behind_what_only_pages_know);
	RUN(should_append_a_vector_in_one_piece);
	RUN(should_bring_pages_up_to_date_from_a_vector);
	RUN(should_write_and_read_vectors_through_pages);
	RUN(should_read_ahead_to_the_end_of_the_file_and_not_past_it);
	RUN(should_read_ahead_backward_to_the_first_page_and_not_past_it);
	RUN(should_use_all_that_it_reads_ahead_of_requests_across_pages);
	RUN(should_use_all_that_streams_in_turns_read_ahead);
	RUN(should_read_ahead_into_no_more_frames_than_kept_pages_leave);
	RUN(should_know_that_pages_read_in_turns_were_used);
	RUN(should_read_only_the_sectors_that_a_strided_reader_wants);
	RUN(should_tell_the_largest_distance_of_a_file_in_its_report);
	RUN(should_lengthen_a_file_with_zeros);
	RUN(should_do_asynchronous_requests_in_the_callers_thread);
	return TEST_RESULT();
}

/* What a trace layer counts over a layer without a file; the arithmetic is that of reference 4.4. */
#include "../src/layer/layer_file_system.h"
#include "trace_over.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define RECORD 102400
#define RECORDS 140000
#define PAGE (2 * 1024 * 1024)

static void should_count_the_originals_workload_as_the_original_did(void)
{
	struct mio_layer *layer = trace(O_RDWR);
	const struct mio_trace_stripe *all;
	const char *text;

	layer->ops->seek(layer, 0);
	for (int64_t i = 0; i < RECORDS; i++)
		ASSERT_EQUAL(RECORD, write_at(layer, RECORD, i * RECORD));
	layer->ops->seek(layer, 0);
	for (int64_t i = 0; i < RECORDS; i++)
		ASSERT_EQUAL(RECORD, read_at(layer, RECORD, i * RECORD));
	layer->ops->seek(layer, (int64_t)RECORDS * RECORD);
	for (int64_t i = RECORDS - 1; i >= 0; i--) {
		layer->ops->seek(layer, i * RECORD);
		ASSERT_EQUAL(RECORD, read_at(layer, RECORD, i * RECORD));
	}
	text = report(layer, MIO_STATS_CLOSE, 0);
	ASSERT_HAS("Trace close : program <-> os : test.dat : (42000000/", text);
	ASSERT_HAS("  write        140000 ", text);
	ASSERT_HAS("   14000000   14000000     102400     102400\n  read         280000 ", text);
	ASSERT_HAS("   28000000   28000000     102400     102400\n  seek         140003 ", text);
	ASSERT_HAS(" average seek delta=-307192\n  size         140000\n", text);
	ASSERT_HAS("current size=14000000   max_size=14000000\n  mode =0640  FileSystemType=", text);
	ASSERT_HAS(" sector size=4096\n  oflags =0x2=RDWR\n  open              1 ", text);
	all = counted(layer);
	/* The return to the start and the change of direction at the end are jumps. */
	ASSERT_EQUAL((2LL * RECORDS - 1) * RECORD, all->pattern_bytes[MIO_TRACE_SEQUENTIAL]);
	ASSERT_EQUAL((RECORDS - 1LL) * RECORD, all->pattern_bytes[MIO_TRACE_BACKWARD]);
	ASSERT_EQUAL(0, all->pattern_bytes[MIO_TRACE_STRIDED]);
	ASSERT_EQUAL(2LL * RECORD, all->pattern_bytes[MIO_TRACE_RANDOM]);
	end(layer);
}

static void through_request(struct mio_layer *layer, int write, int64_t bytes, int64_t offset)
{
	struct mio_io io;

	mio_io_init(&io, write, memory, (size_t)bytes, offset, NULL, NULL);
	layer->ops->seek(layer, offset);
	ASSERT_EQUAL(0, layer->ops->submit(layer, &io));
	layer->ops->await(layer, &io, 1);
	ASSERT_EQUAL(bytes, io.result);
}

static void should_count_a_seek_for_every_request_of_the_layer_above_itself(void)
{
	struct mio_layer *layer = trace(O_RDWR);
	const int64_t pages = 6836;
	const int64_t tail = 1966080;
	int64_t n = 0;
	const char *text;

	for (int64_t i = 0; i < pages - 1; i++)
		through_request(layer, 1, PAGE, i * PAGE);
	layer->ops->seek(layer, (pages - 1) * PAGE);
	ASSERT_EQUAL(tail, write_at(layer, (size_t)tail, (pages - 1) * PAGE));
	/* All pages forward, then all backward but the 50 that are still cached; 3 of the reads are synchronous. */
	for (int64_t step = 0; step < 2 * pages - 50; step++, n++) {
		int64_t page = step < pages ? step : 2 * pages - 51 - step;
		int64_t bytes = page == pages - 1 ? tail : PAGE;

		if (n < 2 || n == pages) {
			layer->ops->seek(layer, page * PAGE);
			ASSERT_EQUAL(bytes, read_at(layer, (size_t)bytes, page * PAGE));
		} else {
			through_request(layer, 0, bytes, page * PAGE);
		}
	}
	text = report(layer, MIO_STATS_CLOSE, 0);
	ASSERT_EQUAL(20458, counted(layer)->rows[MIO_TRACE_SEEK].count);
	ASSERT_HAS(" average seek delta=-2097036\n", text);
	ASSERT_HAS("  size           6836\n", text);
	ASSERT_HAS("  awrite         6835 ", text);
	ASSERT_HAS("   13998080   13998080    2097152    2097152\n   suspend       6835 ", text);
	ASSERT_HAS("  read              3 ", text);
	ASSERT_HAS("       6144       6144    2097152    2097152\n  aread         13619 ", text);
	ASSERT_HAS("   27891584   27891584    1966080    2097152\n   suspend      13619 ", text);
	end(layer);
}

static int64_t seen_count;
static int64_t seen_delivered;

static void look_at_counters(struct mio_io *io, void *context)
{
	const struct mio_trace_stripe *all = counted(context);

	(void)io;
	seen_count = all->rows[MIO_TRACE_AWRITE].count;
	seen_delivered = all->rows[MIO_TRACE_AWRITE].delivered;
}

static void should_have_counted_the_submission_when_the_completion_reports_the_file(void)
{
	struct mio_layer *layer = trace(O_RDWR);
	struct mio_io io;

	mio_io_init(&io, 1, memory, 100, 0, look_at_counters, layer);
	ASSERT_EQUAL(0, layer->ops->submit(layer, &io));
	ASSERT_EQUAL(1, seen_count);
	ASSERT_EQUAL(100, seen_delivered);
	ASSERT_EQUAL(1, counted(layer)->rows[MIO_TRACE_AWRITE].count);
	end(layer);
}

static void should_count_requested_and_delivered_apart(void)
{
	struct iovec vector[2] = {{memory, 30}, {memory, 40}};
	struct mio_layer *layer = trace(O_RDONLY);
	const struct mio_trace_row *reads;

	os.size = 150;
	ASSERT_EQUAL(100, read_at(layer, 100, 0));
	ASSERT_EQUAL(50, read_at(layer, 100, 100));
	ASSERT_EQUAL(0, read_at(layer, 100, 150));
	ASSERT_EQUAL(0, read_at(layer, 0, 150));
	ASSERT_EQUAL(50, layer->ops->readv(layer, vector, 2, 100));
	reads = &counted(layer)->rows[MIO_TRACE_READ];
	ASSERT_EQUAL(5, reads->count);
	ASSERT_EQUAL(370, reads->requested);
	ASSERT_EQUAL(200, reads->delivered);
	ASSERT_EQUAL(0, reads->smallest);
	ASSERT_EQUAL(100, reads->largest);
	ASSERT_EQUAL(70, layer->ops->writev(layer, vector, 2, 100));
	ASSERT_EQUAL(70, counted(layer)->rows[MIO_TRACE_WRITE].delivered);
	end(layer);
}

static void should_tell_patterns_apart(void)
{
	static const int64_t offsets[] = {0, 10, 20, 10, 0, 500, 700, 900, 1100, 3, 77777};
	struct mio_layer *layer = trace(O_RDONLY);
	const struct mio_trace_stripe *all;

	os.size = 1 << 20;
	for (size_t i = 0; i < sizeof(offsets) / sizeof(offsets[0]); i++)
		ASSERT_EQUAL(10, read_at(layer, 10, offsets[i]));
	all = counted(layer);
	ASSERT_EQUAL(30, all->pattern_bytes[MIO_TRACE_SEQUENTIAL]);
	ASSERT_EQUAL(20, all->pattern_bytes[MIO_TRACE_BACKWARD]);
	ASSERT_EQUAL(20, all->pattern_bytes[MIO_TRACE_STRIDED]);
	ASSERT_EQUAL(40, all->pattern_bytes[MIO_TRACE_RANDOM]);
	end(layer);
}

static void should_count_errors_by_name_and_pass_them_on_unchanged(void)
{
	struct mio_layer *layer = trace(O_RDWR);
	const struct mio_trace_row *writes;

	os.failure = -ENOSPC;
	ASSERT_EQUAL(-ENOSPC, write_at(layer, 10, 0));
	ASSERT_EQUAL(-ENOSPC, layer->ops->flush(layer, 1));
	os.failure = -EIO;
	ASSERT_EQUAL(-EIO, read_at(layer, 10, 0));
	ASSERT_EQUAL(-EIO, layer->ops->size(layer));
	ASSERT_EQUAL(-EIO, layer->ops->close(layer));
	writes = &counted(layer)->rows[MIO_TRACE_WRITE];
	ASSERT_EQUAL(1, writes->errors);
	ASSERT_EQUAL(1, writes->count);
	ASSERT_EQUAL(10, writes->requested);
	ASSERT_EQUAL(0, writes->delivered);
	ASSERT_HAS("\"errors\":{\"EIO\":3,\"ENOSPC\":2}}\n", report(layer, MIO_STATS_CLOSE, 1));
	for (int error = 1; error < 60; error++) {
		os.failure = -error;
		read_at(layer, 1, 0);
	}
	ASSERT_HAS(",\"other\":27}", report(layer, MIO_STATS_CLOSE, 1));
	layer->ops->release(layer);
}

static void should_count_transfers_as_reads_and_writes_of_what_they_moved(void)
{
	struct mio_layer *layer = trace(O_RDWR);
	const struct mio_trace_stripe *all;

	os.size = 1000;
	layer->ops->release(layer);
	layer = trace_over(O_RDWR);
	ASSERT_EQUAL(0, layer->ops->bypass_begin(layer, MIO_BYPASS_TRANSFER_OUT, 200, INT64_MAX));
	layer->ops->bypass_end(layer, MIO_BYPASS_TRANSFER_OUT, 200, 700, 1);
	ASSERT_EQUAL(0, layer->ops->bypass_begin(layer, MIO_BYPASS_TRANSFER_IN, 1000, INT64_MAX));
	layer->ops->bypass_end(layer, MIO_BYPASS_TRANSFER_IN, 1000, 24, 1);
	ASSERT_EQUAL(0, layer->ops->bypass_begin(layer, MIO_BYPASS_LOCK, 0, INT64_MAX));
	layer->ops->bypass_end(layer, MIO_BYPASS_LOCK, 0, INT64_MAX, 1);
	ASSERT_EQUAL(0, layer->ops->bypass_begin(layer, MIO_BYPASS_MAP_READ, 0, 10));
	layer->ops->bypass_end(layer, MIO_BYPASS_MAP_READ, 0, 10, 1);
	/* Allocating space is no write, because no bytes are moved. */
	ASSERT_EQUAL(0, layer->ops->bypass_begin(layer, MIO_BYPASS_ALLOCATE, 0, INT64_MAX));
	layer->ops->bypass_end(layer, MIO_BYPASS_ALLOCATE, 0, INT64_MAX, 1);
	all = counted(layer);
	ASSERT_EQUAL(1, all->rows[MIO_TRACE_WRITE].count);
	ASSERT_EQUAL(1, all->rows[MIO_TRACE_TRUNC].count);
	ASSERT_EQUAL(800, all->rows[MIO_TRACE_READ].requested);
	ASSERT_EQUAL(700, all->rows[MIO_TRACE_READ].delivered);
	ASSERT_EQUAL(24, all->rows[MIO_TRACE_WRITE].requested);
	ASSERT_EQUAL(24, all->rows[MIO_TRACE_WRITE].delivered);
	ASSERT_EQUAL(1024, mio_trace_open_of(layer)->counters.whole->current_size);
	ASSERT_EQUAL(1, all->rows[MIO_TRACE_FCNTL].count);
	ASSERT_EQUAL(1, all->rows[MIO_TRACE_MMAP].count);
	end(layer);
}

static void should_not_take_a_transfer_that_failed_for_a_request_of_nothing(void)
{
	struct mio_layer *layer = trace(O_RDWR);
	const struct mio_trace_stripe *all;

	os.size = 1000;
	layer->ops->release(layer);
	layer = trace_over(O_RDWR);
	os.failure = -EIO;
	ASSERT_EQUAL(-EIO, layer->ops->bypass_begin(layer, MIO_BYPASS_TRANSFER_IN, 0, 500));
	ASSERT_EQUAL(-EIO, layer->ops->bypass_begin(layer, MIO_BYPASS_TRANSFER_OUT, 0, 500));
	os.failure = 0;
	for (enum mio_bypass kind = MIO_BYPASS_TRANSFER_OUT; kind <= MIO_BYPASS_TRANSFER_IN; kind++) {
		ASSERT_EQUAL(0, layer->ops->bypass_begin(layer, kind, 0, 500));
		layer->ops->bypass_end(layer, kind, 0, 500, 1);
		/* Nothing was moved, or it is unknown how much. */
		ASSERT_EQUAL(0, layer->ops->bypass_begin(layer, kind, 0, INT64_MAX));
		layer->ops->bypass_end(layer, kind, 0, INT64_MAX, 0);
		ASSERT_EQUAL(0, layer->ops->bypass_begin(layer, kind, 0, INT64_MAX));
		layer->ops->bypass_end(layer, kind, 0, INT64_MAX, 1);
	}
	ASSERT_EQUAL(0, layer->ops->bypass_begin(layer, MIO_BYPASS_LOCK, 0, 500));
	layer->ops->bypass_end(layer, MIO_BYPASS_LOCK, 0, 500, 0);
	all = counted(layer);
	ASSERT_EQUAL(4, all->rows[MIO_TRACE_READ].count);
	ASSERT_EQUAL(4, all->rows[MIO_TRACE_WRITE].count);
	ASSERT_EQUAL(500, all->rows[MIO_TRACE_READ].smallest);
	ASSERT_EQUAL(500, all->rows[MIO_TRACE_WRITE].smallest);
	ASSERT_EQUAL(1000, all->rows[MIO_TRACE_READ].requested);
	ASSERT_EQUAL(500, all->rows[MIO_TRACE_WRITE].requested);
	ASSERT_EQUAL(500, all->rows[MIO_TRACE_READ].delivered);
	ASSERT_EQUAL(1, all->rows[MIO_TRACE_READ].errors);
	ASSERT_EQUAL(1, all->rows[MIO_TRACE_WRITE].errors);
	ASSERT_EQUAL(1, all->rows[MIO_TRACE_FCNTL].errors);
	end(layer);
}

static void should_time_calls_past_the_layers_also_inside_each_other(void)
{
	struct mio_layer *layer = trace(O_RDWR);

	/* As when a file is copied into itself, under locks: more calls inside each other than can be timed. */
	for (int i = 0; i < 2 * MIO_TRACE_BYPASSES_MAX; i++)
		ASSERT_EQUAL(0, layer->ops->bypass_begin(layer, MIO_BYPASS_TRANSFER_OUT, 0, 8));
	null_of(&os.layer)->last_bypass = MIO_BYPASS_TRANSFER_OUT;
	for (int i = 0; i < 2 * MIO_TRACE_BYPASSES_MAX; i++)
		layer->ops->bypass_end(layer, MIO_BYPASS_TRANSFER_OUT, 0, 8, 1);
	ASSERT_EQUAL(2 * MIO_TRACE_BYPASSES_MAX, counted(layer)->rows[MIO_TRACE_READ].count);
	for (int i = 0; i < MIO_TRACE_BYPASSES_MAX; i++)
		ASSERT_EQUAL(0, mio_trace_open_of(layer)->bypasses[i].thread);
	end(layer);
}

static void should_know_the_largest_size_after_truncation(void)
{
	struct mio_layer *layer = trace(O_RDWR);
	struct mio_trace_counters *counters = &mio_trace_open_of(layer)->counters;

	ASSERT_EQUAL(5000, write_at(layer, 5000, 0));
	ASSERT_EQUAL(0, layer->ops->truncate(layer, 1000));
	ASSERT_EQUAL(10, write_at(layer, 10, MIO_LAYER_APPEND));
	ASSERT_EQUAL(1010, counters->whole->current_size);
	ASSERT_EQUAL(5000, counters->whole->max_size);
	ASSERT_EQUAL(2, counted(layer)->extensions);
	/* Unlike a JVM's, this truncation may also lengthen the file. */
	ASSERT_EQUAL(0, layer->ops->truncate(layer, 7000));
	ASSERT_EQUAL(7000, counters->whole->current_size);
	ASSERT_EQUAL(7000, counters->whole->max_size);
	ASSERT_EQUAL(3, counted(layer)->extensions);
	ASSERT_EQUAL(2, counted(layer)->rows[MIO_TRACE_TRUNC].count);
	os.size = 9000;
	ASSERT_EQUAL(9000, layer->ops->size(layer));
	ASSERT_EQUAL(9000, counters->whole->max_size);
	end(layer);
}

static void should_count_ill_formed_and_misaligned_requests_of_direct_files(void)
{
	struct iovec vector[2] = {{memory, 4096}, {memory + 8, 4096}};
	struct mio_layer *layer = trace(O_RDWR | O_DIRECT);

	os.size = 1 << 20;
	read_at(layer, 4096, 0);
	read_at(layer, 4096, 100);
	read_at(layer, 100, 4096);
	layer->ops->read(layer, memory + 8, 4096, 8192);
	ASSERT_HAS("  ill form          2   mem misaligned 1\n", report(layer, MIO_STATS_CLOSE, 0));
	layer->ops->readv(layer, vector, 2, 0);
	through_request(layer, 0, 100, 4096);
	ASSERT_HAS("  ill form          3   mem misaligned 2\n", report(layer, MIO_STATS_CLOSE, 0));
	ASSERT_HAS("\"ill_formed\":3,\"misaligned\":2,", report(layer, MIO_STATS_CLOSE, 1));
	ASSERT_HAS("=RDWR  DIRECT\n", report(layer, MIO_STATS_CLOSE, 0));
	end(layer);
}

static void should_keep_activity_over_any_time(void)
{
	static struct mio_trace_stripe stripe, other, both;
	const int64_t millisecond = 1 << 20;

	mio_trace_stripe_init(&stripe);
	mio_trace_stripe_init(&other);
	mio_trace_stripe_init(&both);
	mio_trace_stripe_delivered(&stripe, MIO_TRACE_READ, 0, 1, MIO_TRACE_RANDOM, 0);
	mio_trace_stripe_delivered(&stripe, MIO_TRACE_READ, 0, 2, MIO_TRACE_RANDOM, 63 * millisecond);
	mio_trace_stripe_delivered(&stripe, MIO_TRACE_READ, 0, 4, MIO_TRACE_RANDOM, 64 * millisecond);
	mio_trace_stripe_delivered(&stripe, MIO_TRACE_WRITE, 1, 8, MIO_TRACE_RANDOM, 1000 * millisecond);
	mio_trace_stripe_delivered(&other, MIO_TRACE_READ, 0, 16, MIO_TRACE_RANDOM, 3 * millisecond);
	mio_trace_stripe_add(&other, &both);
	mio_trace_stripe_add(&stripe, &both);
	ASSERT_EQUAL(MIO_TRACE_FIRST_BIN_SHIFT + 4, both.bin_shift);
	ASSERT_EQUAL(23, total(both.activity_read, MIO_TRACE_BINS));
	ASSERT_EQUAL(17, both.activity_read[0]);
	ASSERT_EQUAL(2, both.activity_read[3]);
	ASSERT_EQUAL(4, both.activity_read[4]);
	ASSERT_EQUAL(8, both.activity_written[62]);
	/* Also the narrower bins into the wider ones. */
	memset(&both, 0, sizeof(both));
	mio_trace_stripe_init(&both);
	mio_trace_stripe_add(&stripe, &both);
	mio_trace_stripe_add(&other, &both);
	ASSERT_EQUAL(17, both.activity_read[0]);
}

static void should_put_values_into_buckets_by_powers_of_two(void)
{
	ASSERT_EQUAL(0, mio_trace_bucket(0));
	ASSERT_EQUAL(1, mio_trace_bucket(1));
	ASSERT_EQUAL(2, mio_trace_bucket(2));
	ASSERT_EQUAL(2, mio_trace_bucket(3));
	ASSERT_EQUAL(13, mio_trace_bucket(4096));
	ASSERT_EQUAL(63, mio_trace_bucket(INT64_MAX));
}

static void should_count_requests_that_come_back_late_in_error_or_never_go(void)
{
	struct mio_layer *layer = trace(O_RDWR);
	const struct mio_trace_stripe *all;
	struct mio_io *list[2];
	struct mio_io io[2];

	os.holds = 1;
	mio_io_init(&io[0], 1, memory, 100, 0, NULL, NULL);
	ASSERT_EQUAL(0, layer->ops->submit(layer, &io[0]));
	ASSERT(!mio_io_is_done(&io[0]));
	ASSERT_EQUAL(0, counted(layer)->rows[MIO_TRACE_AWRITE].delivered);
	os.failure = -EIO;
	null_complete(&os.layer, os.held);
	layer->ops->await(layer, &io[0], 0);
	os.holds = 0;
	mio_io_init(&io[0], 0, memory, 100, 0, NULL, NULL);
	ASSERT_EQUAL(-EIO, layer->ops->submit(layer, &io[0]));
	ASSERT_EQUAL(0, io[0].completions);
	os.failure = 0;
	/* Half of the second request is past the end of the file. */
	os.size = 150;
	mio_io_init(&io[0], 0, memory, 100, 0, NULL, NULL);
	mio_io_init(&io[1], 0, memory, 100, 100, NULL, NULL);
	list[0] = &io[0];
	list[1] = &io[1];
	layer->ops->submit_all(layer, list, 2);
	layer->ops->submit_all(layer, list, 0);
	all = counted(layer);
	ASSERT_EQUAL(1, all->rows[MIO_TRACE_AWRITE].errors);
	ASSERT_EQUAL(1, all->rows[MIO_TRACE_AWRITE].suspends);
	ASSERT_EQUAL(0, all->rows[MIO_TRACE_AWRITE].suspend_ns);
	ASSERT_EQUAL(3, all->rows[MIO_TRACE_AREAD].count);
	ASSERT_EQUAL(1, all->rows[MIO_TRACE_AREAD].errors);
	ASSERT_EQUAL(300, all->rows[MIO_TRACE_AREAD].requested);
	ASSERT_EQUAL(150, all->rows[MIO_TRACE_AREAD].delivered);
	ASSERT_EQUAL(1, os.awaits);
	ASSERT_EQUAL(0, os.waits);
	/* As far as could be known, the first write had lengthened the file. */
	ASSERT_EQUAL(1, all->extensions);
	ASSERT_EQUAL(100 + 100 + 50, all->seek_delta);
	end(layer);
}

static void should_report_times_from_the_begin_of_the_library_to_the_close(void)
{
	struct mio_layer *layer = trace(O_RDONLY);
	char *before;
	char *after;

	layer->ops->close(layer);
	before = strdup(strstr(report(layer, MIO_STATS_CLOSE, 1), "\"now_ns\":"));
	*strchr(before, ',') = 0;
	after = strdup(strstr(report(layer, MIO_STATS_CLOSE, 1), "\"now_ns\":"));
	*strchr(after, ',') = 0;
	ASSERT_TEXT(before, after);
	ASSERT_HAS("\"opened_ns\":0,", report(layer, MIO_STATS_CLOSE, 1));
	ASSERT_EQUAL(1, counted(layer)->rows[MIO_TRACE_CLOSE].count);
	free(before);
	free(after);
	layer->ops->release(layer);
}

static void should_name_the_file_system_as_the_table_of_mounts_does(void)
{
	static const char *const paths[] = {"/proc/self/status", "/dev/null", "."};
	static const char *const types[] = {"proc", "devtmpfs", NULL};

	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		struct mio_open_request request = {.fd = open(paths[i], O_RDONLY)};
		struct stat found;

		ASSERT(request.fd >= 0);
		ASSERT_EQUAL(0, fstat(request.fd, &found));
		request.device = found.st_dev;
		ASSERT(mio_open_sector_bytes(&request) >= 512);
		request.sector_bytes = 77;
		ASSERT_EQUAL(77, mio_open_sector_bytes(&request));
		close(request.fd);
		ASSERT(strcmp(mio_file_system_type(found.st_dev), "unknown") != 0);
		if (types[i] && strcmp(types[i], mio_file_system_type(found.st_dev)) != 0)
			ASSERT_TEXT("tmpfs", mio_file_system_type(found.st_dev));
	}
	ASSERT_TEXT("unknown", mio_file_system_type(1234567));
}

int main(void)
{
	RUN(should_count_the_originals_workload_as_the_original_did);
	RUN(should_count_a_seek_for_every_request_of_the_layer_above_itself);
	RUN(should_have_counted_the_submission_when_the_completion_reports_the_file);
	RUN(should_count_requested_and_delivered_apart);
	RUN(should_tell_patterns_apart);
	RUN(should_count_errors_by_name_and_pass_them_on_unchanged);
	RUN(should_count_transfers_as_reads_and_writes_of_what_they_moved);
	RUN(should_not_take_a_transfer_that_failed_for_a_request_of_nothing);
	RUN(should_time_calls_past_the_layers_also_inside_each_other);
	RUN(should_know_the_largest_size_after_truncation);
	RUN(should_count_ill_formed_and_misaligned_requests_of_direct_files);
	RUN(should_keep_activity_over_any_time);
	RUN(should_put_values_into_buckets_by_powers_of_two);
	RUN(should_count_requests_that_come_back_late_in_error_or_never_go);
	RUN(should_report_times_from_the_begin_of_the_library_to_the_close);
	RUN(should_name_the_file_system_as_the_table_of_mounts_does);
	return TEST_RESULT();
}

/* The counters of a file and of its cache agree with the requests that the layer below got, and with each other. */
#include "pf_fixture.h"
#include "random.h"

#include <stddef.h>

enum { PAGE = 4096, SECTOR = 512, SIZE = 64 * PAGE };

static struct memory_file *below;
static struct mio_layer *layer;

static void begin(const char *options)
{
	below = memory_file_make(NULL, 'o', SIZE);
	layer = pf_open(options, below, new_inode());
}

static void end(void)
{
	ASSERT_EQUAL(0, pf_close(layer));
	memory_file_free(below);
}

/* The requests that a layer got. */
struct asked {
	int64_t reads, read_bytes, writes, write_bytes, reads_ahead, writes_behind, partial_reads;
};

static void add_calls(struct asked *asked, int64_t page_bytes)
{
	const char *call = memory_file_calls(below);

	for (; *call; call += strcspn(call, ","), call += strspn(call, ", ")) {
		int asynchronous = *call == 'a';
		long long offset, bytes;

		call += asynchronous;
		if (sscanf(call, "read %lld+%lld", &offset, &bytes) == 2) {
			asked->reads++;
			asked->read_bytes += offset + bytes < below->size ? bytes : below->size - offset;
			asked->reads_ahead += asynchronous;
			asked->partial_reads += bytes < page_bytes;
		} else if (sscanf(call, "write %lld+%lld", &offset, &bytes) == 2) {
			asked->writes++;
			asked->write_bytes += bytes;
			asked->writes_behind += asynchronous;
		}
	}
}

static void ask_something(struct test_random *random)
{
	int64_t offset = (int64_t)test_random_below(random, SIZE - 3 * PAGE);
	int64_t length = 1 + (int64_t)test_random_below(random, 2 * PAGE);
	unsigned char bytes[2 * PAGE];

	switch (test_random_below(random, 8)) {
	case 0:
		ASSERT_EQUAL(0, layer->ops->flush(layer, 0));
		break;
	case 1:
	case 2:
		WRITES(layer, 'n', offset, length);
		break;
	case 3:
		WRITES(layer, 'n', offset - offset % SECTOR, SECTOR);
		break;
	case 4:
		for (int i = 0; i < 6; i++)
			ASSERT_EQUAL(PAGE / 2, layer->ops->read(layer, bytes, PAGE / 2, offset / 2 + i * PAGE / 2));
		break;
	case 5:
		for (int i = 0; i < 6; i++)
			WRITES(layer, 'n', offset / 2 + i * PAGE / 2, PAGE / 2);
		break;
	default:
		ASSERT_EQUAL(length, layer->ops->read(layer, bytes, (size_t)length, offset));
	}
}

static void should_count_the_page_requests_that_were_made(void)
{
	static const char *const options[] = {"cache=32k/page=4k/private/pref=2", "cache=64k/page=8k/private/pref=1/replace=lru",
					      "cache=32k/page=4k/private/pref=2/pffw", "cache=32k/page=4k/private/synchronous"};

	for (int i = 0; i < 4; i++) {
		struct test_random random = test_random_begin(17);
		struct asked asked = {0};
		struct mio_stats_pf counted;

		begin(options[i]);
		for (int calls = 0; calls < 1000; calls++) {
			ask_something(&random);
			add_calls(&asked, mio_pf_layer_facts(layer).page_bytes);
		}
		counted = pf_counters(layer);
		ASSERT_EQUAL(asked.reads, counted.child.reads);
		ASSERT_EQUAL(asked.read_bytes, counted.child.bytes_read);
		ASSERT_EQUAL(asked.partial_reads, counted.partial_reads);
		ASSERT_EQUAL(asked.writes, counted.child.writes);
		ASSERT_EQUAL(asked.write_bytes, counted.child.bytes_written);
		ASSERT_EQUAL(asked.writes_behind, counted.write_behinds);
		/* Pages that were prepared without being read count as started, too. The last options read ahead in the caller's thread. */
		if (i < 3)
			ASSERT_EQUAL(asked.reads_ahead, counted.started_prefetches - counted.not_preread_for_write);
		ASSERT(counted.child.writes > 100 && counted.child.reads > 100);
		end();
	}
}

/* Makes every kind of request at least once, so that every counter moves. */
static void make_every_counter_move(void)
{
	unsigned char bytes[PAGE];

	for (int i = 0; i < 8; i++)
		READS(layer, 'o', i * PAGE, PAGE);
	below->holds = 1;
	for (int i = 8; i < 12; i++)
		READS(layer, 'o', i * PAGE, PAGE);
	ASSERT_EQUAL(0, layer->ops->flush(layer, 0));
	for (int i = 0; i < below->held_count;)
		memory_file_run_held(below, i);
	below->holds = 0;
	for (int i = 0; i < 20; i++)
		WRITES(layer, 'n', (63 - 3 * i) * PAGE, SECTOR);
	WRITES(layer, 'n', 40 * PAGE, SECTOR);
	WRITES(layer, 'n', 40 * PAGE + SECTOR + 10, 20);
	READS(layer, 'o', 40 * PAGE + 3 * SECTOR, SECTOR);
	for (int i = 20; i < 40; i += 5)
		ASSERT_EQUAL(PAGE, layer->ops->read(layer, bytes, PAGE, i * PAGE));
	/* Requests that go past the pages. */
	READS(layer, 'o', 0, 4 * PAGE);
	WRITES(layer, 'p', 0, 4 * PAGE);
	below->fail_writes = EIO;
	WRITES(layer, 'n', 50 * PAGE, SECTOR);
	ASSERT_EQUAL(-EIO, layer->ops->flush(layer, 0));
	below->fail_writes = 0;
	ASSERT_EQUAL(0, layer->ops->flush(layer, 0));
}

static void should_count_of_a_cache_what_its_only_file_counts(void)
{
	const struct mio_live_counters *of_file, *of_cache;

	begin("cache=32k/page=4k/private/pref=2/replace=lru/discovered_direct=16k");
	make_every_counter_move();
	of_file = pf_file(layer)->counters;
	of_cache = mio_pf_file_cache(pf_file(layer))->counters;
	ASSERT(of_file->page_reads && of_file->page_read_bytes && of_file->page_writes && of_file->page_write_bytes);
	ASSERT(of_file->not_preread && of_file->read_after_all && of_file->read_aheads && of_file->unused);
	ASSERT(of_file->write_behinds && of_file->forced_syncs && of_file->misses && of_file->demand_reads);
	ASSERT(of_file->partial_reads && of_file->waits && of_file->wait_ns && of_file->evictions);
	ASSERT(of_file->dirty_evictions && of_file->write_errors);
	for (size_t at = 0; at < offsetof(struct mio_live_counters, thread); at += sizeof(int64_t)) {
		int64_t one, other;

		memcpy(&one, (const char *)of_file + at, sizeof(one));
		memcpy(&other, (const char *)of_cache + at, sizeof(other));
		ASSERT_EQUAL(one, other);
		ASSERT(one >= 0);
	}
	end();
}

static void should_count_a_page_once_that_had_to_be_read_after_all(void)
{
	struct mio_stats_pf counted;

	begin("cache=32k/page=4k/private");
	WRITES(layer, 'n', 4 * SECTOR, SECTOR);
	counted = pf_counters(layer);
	ASSERT_EQUAL(1, counted.not_preread);
	/* After the first write in the page, and before it. */
	WRITES(layer, 'n', 6 * SECTOR + 10, 20);
	WRITES(layer, 'n', 2 * SECTOR + 10, 20);
	counted = pf_counters(layer);
	ASSERT_EQUAL(1, counted.not_preread_for_write);
	ASSERT_EQUAL(0, counted.not_preread);
	ASSERT_EQUAL(2, counted.forced_syncs);
	end();
}

int main(void)
{
	RUN(should_count_the_page_requests_that_were_made);
	RUN(should_count_a_page_once_that_had_to_be_read_after_all);
	RUN(should_count_of_a_cache_what_its_only_file_counts);
	return TEST_RESULT();
}

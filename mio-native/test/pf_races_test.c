/*
 * Rare orders of events, one at a time. A test that needs another thread to wait does not go on until that thread waits; an alarm
 * ends a test that hangs. Twin of PfRacesTest.
 */
#include "../src/pf/pf_page.h"
#include "pf_fixture.h"
#include "pf_thread.h"

/* Does what a writer does before it copies into a page. */
static struct mio_pf_page *begins_to_copy(struct mio_pf_cache *cache, struct mio_pf_file *file, int64_t index)
{
	struct mio_pf_page *page;

	mio_lock_acquire(&cache->lock);
	ASSERT_EQUAL(0, mio_pf_cache_obtain(cache, file, index, &page));
	page->writers++;
	mio_lock_release(&cache->lock);
	return page;
}

static void ends_copying(struct mio_pf_cache *cache, struct mio_pf_page *page, int sectors)
{
	mio_lock_acquire(&cache->lock);
	page->writers--;
	mio_pf_bits_set(page->valid, 0, sectors);
	mio_pf_page_valid_changed(page);
	mio_pf_page_unpin_locked(page);
	mio_condition_wake(&cache->changed);
	mio_lock_release(&cache->lock);
}

static struct memory_file *first_file, *second_file;
static struct mio_layer *first, *second;

static void begin(const char *options, int64_t bytes)
{
	first_file = memory_file_make(NULL, 1, bytes);
	second_file = memory_file_make(NULL, 0, 0);
	first = pf_open(options, first_file, new_inode());
}

static void end(void)
{
	memory_file_free(first_file);
	memory_file_free(second_file);
}

static void writes_second(void)
{
	WRITES(second, 2, 0, 512);
}

static void should_let_a_write_end_while_another_file_waits_for_its_page(void)
{
	struct mio_pf_cache *cache;
	struct mio_pf_page *page;

	begin("cache=16k/page=8k/global=101", 0);
	second = pf_open("cache=16k/page=8k/global=101", second_file, new_inode());
	WRITES(first, 1, 0, 512);
	cache = mio_pf_file_cache(pf_file(first));
	page = begins_to_copy(cache, pf_file(first), 0);
	begin_thread(writes_second);
	until_it_waits(cache, 1);
	ends_copying(cache, page, 1);
	end_thread();
	ASSERT_EQUAL(0, pf_close(second));
	ASSERT_EQUAL(0, pf_close(first));
	ASSERT_EQUAL(512, first_file->size);
	ASSERT(holds(first_file, 1, 0, 512));
	end();
}

static void closes_first(void)
{
	ASSERT_EQUAL(0, pf_close(first));
}

static void should_not_touch_frames_that_other_files_took_while_a_file_closes(void)
{
	struct mio_pf_cache *cache;
	struct mio_pf_page *page;

	begin("cache=32k/page=8k/replace=lru/global=102", 16384);
	second = pf_open("cache=32k/page=8k/replace=lru/global=102", second_file, new_inode());
	READS(first, 1, 0, 100);
	READS(first, 1, 8192, 100);
	cache = mio_pf_file_cache(pf_file(first));
	/* Stands for another thread that has just written the page to make room. */
	page = begins_to_copy(cache, pf_file(first), 0);
	begin_thread(closes_first);
	until_it_waits(cache, 1);
	for (int i = 0; i < 3; i++)
		WRITES(second, 2, i * 8192, 512);
	ends_copying(cache, page, 1);
	end_thread();
	ASSERT_EQUAL(0, second->ops->flush(second, 0));
	for (int i = 0; i < 3; i++)
		ASSERT(holds(second_file, 2, i * 8192, 512));
	ASSERT_EQUAL(0, pf_close(second));
	end();
}

static void should_wait_for_every_write_of_a_page_that_is_on_its_way(void)
{
	begin("cache=64k/page=8k/private", 16384);
	first_file->holds = 1;
	/* Two parts of the first page with a gap between them, and then the next page, so that the first is written behind. */
	WRITES(first, 2, 0, 512);
	WRITES(first, 2, 4096, 4096);
	WRITES(first, 2, 8192, 512);
	ASSERT(first_file->held_count > 0);
	ASSERT_EQUAL(0, first->ops->flush(first, 0));
	ASSERT_EQUAL(0, first_file->held_count);
	ASSERT(holds(first_file, 2, 0, 512));
	ASSERT(holds(first_file, 2, 4096, 4608));
	ASSERT_EQUAL(0, pf_close(first));
	end();
}

static void publishes_first(void)
{
	ASSERT_EQUAL(0, mio_pf_file_publish(pf_file(first)));
}

static struct mio_pf_page *copied_into;

static void ends_copying_during_cut(struct memory_file *file)
{
	struct mio_pf_cache *cache = mio_pf_file_cache(pf_file(first));

	file->during_truncate = NULL;
	ends_copying(cache, copied_into, 1);
	until_it_waits(cache, 1);
}

static void should_write_nothing_while_the_file_is_being_cut(void)
{
	struct mio_pf_cache *cache;

	begin("cache=64k/page=8k/private", 16384);
	WRITES(first, 2, 0, 512);
	cache = mio_pf_file_cache(pf_file(first));
	copied_into = begins_to_copy(cache, pf_file(first), 0);
	begin_thread(publishes_first);
	until_it_waits(cache, 1);
	first_file->during_truncate = ends_copying_during_cut;
	ASSERT_EQUAL(0, first->ops->truncate(first, 0));
	end_thread();
	ASSERT_EQUAL(0, pf_close(first));
	ASSERT_EQUAL(0, first_file->size);
	end();
}

static void should_hand_down_no_write_between_freeze_and_thaw(void)
{
	struct mio_pf_cache *cache;

	begin("cache=64k/page=8k/private", 16384);
	WRITES(first, 2, 0, 512);
	cache = mio_pf_file_cache(pf_file(first));
	mio_pf_file_freeze(pf_file(first), cache);
	begin_thread(publishes_first);
	until_it_waits(cache, 1);
	ASSERT_EQUAL(0, first_file->counted_writes);
	mio_pf_file_thaw(pf_file(first), cache);
	end_thread();
	ASSERT(holds(first_file, 2, 0, 512));
	ASSERT_EQUAL(0, pf_close(first));
	end();
}

/* The dirty bytes may be older than the sync, which must write them. */
static void should_wait_for_a_dirty_page_that_somebody_copies_into(void)
{
	struct mio_pf_cache *cache;
	struct mio_pf_page *page;

	begin("cache=64k/page=8k/private", 16384);
	WRITES(first, 2, 0, 512);
	cache = mio_pf_file_cache(pf_file(first));
	page = begins_to_copy(cache, pf_file(first), 0);
	begin_thread(publishes_first);
	until_it_waits(cache, 1);
	ASSERT(!atomic_load(&thread_ended));
	ends_copying(cache, page, 1);
	end_thread();
	ASSERT(holds(first_file, 2, 0, 512));
	ASSERT_EQUAL(0, pf_close(first));
	end();
}

static unsigned char seen[8192];
static int64_t seen_from, seen_bytes;

static void reads_first(void)
{
	ASSERT_EQUAL(seen_bytes, first->ops->read(first, seen, (size_t)seen_bytes, seen_from));
}

static void should_not_read_a_page_while_somebody_copies_into_it(void)
{
	struct mio_pf_cache *cache;
	struct mio_pf_page *page;

	begin("cache=64k/page=4k/private/pref=2", 65536);
	cache = mio_pf_file_cache(pf_file(first));
	page = begins_to_copy(cache, pf_file(first), 10);
	seen_from = 40960;
	seen_bytes = 4096;
	begin_thread(reads_first);
	until_it_waits(cache, 1);
	memset(page->frame, 2, 512);
	ends_copying(cache, page, 1);
	end_thread();
	for (int i = 0; i < 4096; i++)
		ASSERT_EQUAL(i < 512 ? 2 : 1, seen[i]);
	ASSERT_EQUAL(0, pf_close(first));
	end();
}

static pthread_t other_thread;

static void *writes_beside(void *context)
{
	(void)context;
	WRITES(first, 3, 1000, 100);
	return NULL;
}

static void should_not_read_over_bytes_that_are_being_copied(void)
{
	struct mio_pf_cache *cache;
	struct mio_pf_page *page;

	begin("cache=64k/page=8k/private/pref=1", 8192);
	cache = mio_pf_file_cache(pf_file(first));
	/* With mio/cio a write of the first sector shares the file with the other requests. */
	page = begins_to_copy(cache, pf_file(first), 0);
	memset(page->frame, 2, 512);
	seen_from = 4096;
	seen_bytes = 4096;
	begin_thread(reads_first);
	until_it_waits(cache, 1);
	ASSERT_EQUAL(0, pthread_create(&other_thread, NULL, writes_beside, NULL));
	until_it_waits(cache, 2);
	ASSERT_EQUAL(2, page->frame[0]);
	ends_copying(cache, page, 1);
	end_thread();
	pthread_join(other_thread, NULL);
	ASSERT_EQUAL(0, pf_close(first));
	ASSERT(holds(first_file, 3, 1000, 100));
	end();
}

/* Another file takes every frame while a thread remembers its recent page. */
static void should_not_find_another_file_in_the_recent_page(void)
{
	begin("cache=16k/page=16k/global=103", 65536);
	second = pf_open("cache=16k/page=16k/global=103", second_file, new_inode());
	READS(first, 1, 0, 100);
	WRITES(second, 2, 0, 16384);
	READS(first, 1, 100, 100);
	READS(second, 2, 0, 100);
	READS(first, 1, 200, 100);
	ASSERT_EQUAL(0, pf_close(first));
	ASSERT_EQUAL(0, pf_close(second));
	end();
}

/* Waits for a request of the first file, which is being closed: the close must wait until this thread has let go. */
static void waits_for_room(void)
{
	WRITES(second, 2, 0, 512);
}

static void should_not_close_while_another_thread_waits_for_its_request(void)
{
	struct mio_pf_cache *cache;
	struct pool pool;

	pool_begin(&pool, 1);
	for (int i = 0; i < 200; i++) {
		begin("cache=16k/page=16k/global=104", 65536);
		first_file->pool = &pool;
		second = pf_open("cache=16k/page=16k/global=104", second_file, new_inode());
		cache = mio_pf_file_cache(pf_file(first));
		WRITES(first, 3, 0, 16384);
		begin_thread(waits_for_room);
		ASSERT_EQUAL(0, pf_close(first));
		end_thread();
		ASSERT(mio_pf_file_cache(pf_file(second)) == cache);
		ASSERT_EQUAL(0, pf_close(second));
		ASSERT(holds(first_file, 3, 0, 16384));
		ASSERT(holds(second_file, 2, 0, 512));
		end();
	}
	pool_end(&pool);
}

/* 1 while another thread publishes the file, whose last open with a cache is being closed. */
static _Atomic int publishing;

static void publishes_all(void)
{
	while (atomic_load(&publishing)) {
		struct mio_pf_file *file = mio_pf_file_find(TEST_DEVICE, 1000000);

		mio_pf_publish_all(TEST_DEVICE);
		if (file) {
			mio_pf_file_forget(file);
			mio_pf_file_leave(file);
		}
	}
}

static void should_let_the_cache_go_only_when_nobody_publishes(void)
{
	begin("cache=16k/page=4k/private", 65536);
	ASSERT_EQUAL(0, pf_close(first));
	atomic_store(&publishing, 1);
	begin_thread(publishes_all);
	for (int i = 0; i < 500; i++) {
		struct mio_layer *layer = pf_open("cache=16k/page=4k/private", first_file, 1000000);

		for (int page = 0; page < 4; page++)
			WRITES(layer, i, page * 4096, 100);
		ASSERT_EQUAL(0, pf_close(layer));
		ASSERT(holds(first_file, i, 0, 100));
		ASSERT(holds(first_file, i, 3 * 4096, 100));
		first_file->calls_length = 0;
	}
	atomic_store(&publishing, 0);
	end_thread();
	end();
}

/* Bytes that were read before a change but arrive after it are dropped. */
static void should_not_take_what_was_read_before_a_change(void)
{
	static const char *const options[] = {"cache=64k/page=4k/private/pref=2", "cache=64k/page=4k/private/pref=2/through"};

	for (int i = 0; i < 3; i++) {
		begin(options[i == 2], 65536);
		first_file->holds = 2;
		READS(first, 1, 0, 4096);
		READS(first, 1, 4096, 4096);
		ASSERT_EQUAL(2, first_file->held_count);
		if (i == 2) {
			/* A write past the pages. */
			WRITES(first, 7, 8192, 100);
		} else {
			/* A write by others, which only a lock tells of, and a transfer into the file. */
			enum mio_bypass kind = i == 0 ? MIO_BYPASS_LOCK : MIO_BYPASS_TRANSFER_IN;

			ASSERT_EQUAL(0, first->ops->bypass_begin(first, kind, 0, 100));
			memset(first_file->bytes + 8192, 7, 100);
			first->ops->bypass_end(first, kind, 0, 100, 1);
		}
		while (first_file->held_count > 0)
			memory_file_run_held(first_file, 0);
		first_file->holds = 0;
		READS(first, 7, 8192, 100);
		READS(first, 1, 8292, 4096);
		ASSERT_EQUAL(0, pf_close(first));
		end();
	}
}

/* Bytes that could not be written stay, although others may have changed the file anywhere. */
static void should_keep_what_was_being_written_when_the_file_was_locked(void)
{
	begin("cache=64k/page=8k/private", 65536);
	first_file->holds = 1;
	WRITES(first, 7, 8192, 8192);
	ASSERT_EQUAL(1, first_file->held_count);
	first_file->fail_writes = ENOSPC;
	ASSERT_EQUAL(0, first->ops->bypass_begin(first, MIO_BYPASS_LOCK, 0, INT64_MAX));
	first->ops->bypass_end(first, MIO_BYPASS_LOCK, 0, INT64_MAX, 1);
	first_file->fail_writes = 0;
	READS(first, 7, 8192, 8192);
	ASSERT_EQUAL(-ENOSPC, first->ops->flush(first, 0));
	ASSERT_EQUAL(0, pf_close(first));
	ASSERT(holds(first_file, 7, 8192, 8192));
	end();
}

static void should_not_write_a_page_that_a_stream_leaves_while_another_thread_copies_into_it(void)
{
	struct mio_pf_cache *cache;
	struct mio_pf_page *page;

	begin("cache=64k/page=4k/private/pref=2", 65536);
	WRITES(first, 2, 0, 512);
	WRITES(first, 2, 512, 512);
	cache = mio_pf_file_cache(pf_file(first));
	page = begins_to_copy(cache, pf_file(first), 0);
	WRITES(first, 2, 1024, 4096);
	ASSERT_TEXT("", memory_file_calls(first_file));
	ends_copying(cache, page, 1);
	WRITES(first, 2, 5120, 4096);
	ASSERT_TEXT("awrite 4096+4096", memory_file_calls(first_file));
	ASSERT_EQUAL(0, pf_close(first));
	ASSERT(holds(first_file, 2, 0, 9216));
	end();
}

static void should_not_read_ahead_into_a_page_that_somebody_copies_into(void)
{
	struct mio_pf_cache *cache;
	struct mio_pf_page *page;

	begin("cache=64k/page=4k/private/pref=2", 65536);
	cache = mio_pf_file_cache(pf_file(first));
	page = begins_to_copy(cache, pf_file(first), 2);
	READS(first, 1, 0, 4096);
	READS(first, 1, 4096, 4096);
	ASSERT_TEXT("read 0+4096, aread 12288+4096, read 4096+4096", memory_file_calls(first_file));
	memset(page->frame, 5, 512);
	ends_copying(cache, page, 1);
	READS(first, 5, 8192, 512);
	ASSERT_EQUAL(0, pf_close(first));
	end();
}

static void should_keep_the_cache_while_somebody_holds_it(void)
{
	struct mio_pf_file *file;

	begin("cache=64k/page=4k/private", 65536);
	file = mio_pf_file_find(TEST_DEVICE, pf_file(first)->inode);
	frames_given = 0;
	ASSERT(mio_pf_file_hold(file));
	begin_thread(closes_first);
	while (!atomic_load(&thread_ended) && atomic_load(&file->let_go.waiters) == 0)
		sched_yield();
	ASSERT(!atomic_load(&thread_ended));
	ASSERT_EQUAL(0, frames_given);
	ASSERT(!mio_pf_file_hold(file));
	mio_pf_file_let_go(file);
	end_thread();
	ASSERT_EQUAL(65536, frames_given);
	mio_pf_file_leave(file);
	end();
}

static void should_keep_the_layers_of_an_open_while_somebody_asks_them(void)
{
	struct mio_pf_open *open;
	struct mio_pf_cache *cache;

	begin("cache=64k/page=4k/private", 65536);
	open = (struct mio_pf_open *)first;
	cache = mio_pf_file_cache(pf_file(first));
	mio_lock_acquire(&cache->lock);
	open->held++;
	mio_lock_release(&cache->lock);
	begin_thread(closes_first);
	until_it_waits(cache, 1);
	ASSERT(!atomic_load(&thread_ended));
	mio_lock_acquire(&cache->lock);
	mio_pf_open_let_go(open, cache);
	mio_lock_release(&cache->lock);
	end_thread();
	end();
}

int main(void)
{
	alarm(300);
	RUN(should_not_take_what_was_read_before_a_change);
	RUN(should_keep_what_was_being_written_when_the_file_was_locked);
	RUN(should_not_write_a_page_that_a_stream_leaves_while_another_thread_copies_into_it);
	RUN(should_not_read_ahead_into_a_page_that_somebody_copies_into);
	RUN(should_keep_the_cache_while_somebody_holds_it);
	RUN(should_keep_the_layers_of_an_open_while_somebody_asks_them);
	RUN(should_let_a_write_end_while_another_file_waits_for_its_page);
	RUN(should_not_touch_frames_that_other_files_took_while_a_file_closes);
	RUN(should_wait_for_every_write_of_a_page_that_is_on_its_way);
	RUN(should_write_nothing_while_the_file_is_being_cut);
	RUN(should_hand_down_no_write_between_freeze_and_thaw);
	RUN(should_wait_for_a_dirty_page_that_somebody_copies_into);
	RUN(should_not_read_a_page_while_somebody_copies_into_it);
	RUN(should_not_read_over_bytes_that_are_being_copied);
	RUN(should_not_find_another_file_in_the_recent_page);
	RUN(should_not_close_while_another_thread_waits_for_its_request);
	RUN(should_let_the_cache_go_only_when_nobody_publishes);
	return TEST_RESULT();
}

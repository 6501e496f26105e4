/* A thread that waits for a page is woken when no one uses the page any more. An alarm ends a test that hangs. */
#include "pf_thread.h"

#include "../src/pf/pf_page.h"

#include <signal.h>
#include <sys/mman.h>

enum { PAGE = 4096 };

static struct memory_file *first_file, *second_file;
static struct mio_layer *first, *second;

static void begin(const char *options)
{
	first_file = memory_file_make(NULL, 1, 4 * PAGE);
	second_file = memory_file_make(NULL, 2, 4 * PAGE);
	first = pf_open(options, first_file, new_inode());
	second = pf_open(options, second_file, new_inode());
}

static void end(void)
{
	memory_file_free(first_file);
	memory_file_free(second_file);
}

static struct mio_pf_page *pinned(struct mio_layer *layer)
{
	struct mio_pf_cache *cache = mio_pf_file_cache(pf_file(layer));
	struct mio_pf_page *page;

	mio_lock_acquire(&cache->lock);
	page = mio_pf_cache_find(cache, pf_file(layer), 0);
	ASSERT(page && mio_pf_page_pin(page));
	mio_lock_release(&cache->lock);
	return page;
}

static void reads_second(void)
{
	READS(second, 2, 0, PAGE);
}

static void unpin_locked(struct mio_pf_page *page)
{
	struct mio_pf_cache *cache = page->cache;

	mio_lock_acquire(&cache->lock);
	mio_pf_page_unpin_locked(page);
	mio_lock_release(&cache->lock);
}

static void should_wake_who_needs_the_frame_of_a_page(void)
{
	static void (*const unpins[])(struct mio_pf_page *) = {mio_pf_page_unpin, unpin_locked};

	for (int i = 0; i < 2; i++) {
		struct mio_pf_page *page;

		begin("cache=4k/page=4k/global=106");
		READS(first, 1, 0, PAGE);
		page = pinned(first);
		begin_thread(reads_second);
		until_it_waits(page->cache, 1);
		unpins[i](page);
		end_thread();
		ASSERT_EQUAL(0, pf_close(first));
		ASSERT_EQUAL(0, pf_close(second));
		end();
	}
}

static void closes_first(void)
{
	ASSERT_EQUAL(0, pf_close(first));
}

static void should_wake_who_closes_the_file_of_a_page(void)
{
	struct mio_pf_page *page;

	begin("cache=16k/page=4k/global=107");
	READS(first, 1, 0, PAGE);
	page = pinned(first);
	begin_thread(closes_first);
	until_it_waits(page->cache, 1);
	mio_pf_page_unpin(page);
	end_thread();
	ASSERT_EQUAL(0, pf_close(second));
	end();
}

static unsigned char *memory;

static void publishes_first(void)
{
	ASSERT_EQUAL(0, mio_pf_file_publish(pf_file(first)));
}

/* Runs in the middle of the copy: makes the memory readable once another thread waits for the page. */
static void comes(int signal)
{
	struct mio_pf_cache *cache = mio_pf_file_cache(pf_file(first));

	(void)signal;
	begin_thread(publishes_first);
	until_it_waits(cache, 1);
	ASSERT_EQUAL(0, mprotect(memory, PAGE, PROT_READ));
}

static void should_wake_who_waits_for_a_write_into_a_page(void)
{
	struct sigaction action = {.sa_handler = comes}, before;

	begin("cache=16k/page=4k/global=108");
	WRITES(first, 3, 0, 512);
	memory = mmap(NULL, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT(memory != MAP_FAILED);
	ASSERT_EQUAL(0, sigaction(SIGSEGV, &action, &before));
	ASSERT_EQUAL(512, first->ops->write(first, memory, 512, 1024));
	end_thread();
	ASSERT_EQUAL(0, sigaction(SIGSEGV, &before, NULL));
	ASSERT(holds(first_file, 3, 0, 512));
	ASSERT(holds(first_file, 0, 1024, 512));
	ASSERT_EQUAL(0, munmap(memory, PAGE));
	ASSERT_EQUAL(0, pf_close(first));
	ASSERT_EQUAL(0, pf_close(second));
	end();
}

int main(void)
{
	alarm(60);
	RUN(should_wake_who_needs_the_frame_of_a_page);
	RUN(should_wake_who_closes_the_file_of_a_page);
	RUN(should_wake_who_waits_for_a_write_into_a_page);
	return TEST_RESULT();
}

/* Readahead that meets other reads of the same page under way, and long windows. Twin of ReadaheadTest. */
#include "pf_fixture.h"

enum { PAGE = 512 << 10, STEP = 80 << 10 };

static struct memory_file *below;
static struct mio_layer *layer;

/* A strided reader is in the second page, and the reads of its next two places are under way. */
static void begin(const char *options)
{
	below = memory_file_make(NULL, 1, 4 * PAGE);
	layer = pf_open(options, below, new_inode());
	below->holds = 1;
	for (int i = 0; i < 3; i++)
		READS(layer, 1, PAGE + i * STEP, 512);
	ASSERT_EQUAL(2, below->held_count);
	ASSERT_EQUAL(PAGE + 3 * STEP, below->held[0]->offset);
	ASSERT_EQUAL(PAGE + 4 * STEP, below->held[1]->offset);
	memory_file_calls(below);
}

static void end(void)
{
	ASSERT_EQUAL(0, pf_close(layer));
	memory_file_free(below);
}

static void should_not_read_what_is_on_its_way(void)
{
	begin("cache=2m/page=512k/private/pref=2");
	READS(layer, 1, PAGE - 512, PAGE + 512);
	ASSERT_TEXT("aread 524800+81408, aread 606720+81408, aread 688640+81408, aread 770560+81408, "
		    "aread 852480+196096, read 523776+512",
		    memory_file_calls(below));
	end();
}

static void should_read_what_was_written_through_while_reads_were_on_their_way(void)
{
	begin("cache=2m/page=512k/private/pref=2/through");
	READS(layer, 1, PAGE - 512, PAGE + 512);
	WRITES(layer, 2, PAGE + 3 * STEP, 512);
	READS(layer, 2, PAGE + 3 * STEP, 512);
	end();
}

/* In a long window each page is used seldom. No page may be evicted before it is used, and after a change of direction the pages in the cache are not read again. */
static void should_keep_a_long_window_until_it_is_used(void)
{
	static const char *const options[] = {"pref=200/replace=lru", "pref=290/replace=lru", "pref=1000/replace=lru",
					      "pref=200/replace=auto", "pref=1000/replace=auto", "pref=2:150/replace=lru"};
	enum { FRAMES = 300, PAGES = 2000, SMALL = 4096 };

	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		char all[100];

		snprintf(all, sizeof(all), "cache=1200k/page=4k/private/%s", options[i]);
		below = memory_file_make(NULL, 1, PAGES * SMALL);
		layer = pf_open(all, below, new_inode());
		for (int64_t page = 0; page < PAGES; page++) {
			READS(layer, 1, page * SMALL, SMALL);
			memory_file_calls(below);
		}
		ASSERT_EQUAL(PAGES, pf_counters(layer).child.reads);
		for (int64_t page = PAGES - 1; page >= 0; page--) {
			READS(layer, 1, page * SMALL, SMALL);
			memory_file_calls(below);
		}
		ASSERT_EQUAL(0, pf_counters(layer).unused_prefetches);
		ASSERT_EQUAL(2 * PAGES - FRAMES, pf_counters(layer).child.reads);
		end();
	}
}

/* Files that share a cache are read in turns. Each reads ahead as far as its share allows, and a page that was read ahead stays until it is used. */
static void should_share_the_cache_among_files_that_are_read_in_turns(void)
{
	static const char *const options[] = {"cache=128k/pref=1:32/replace=lru", "cache=128k/pref=1:32/replace=auto",
					      "cache=48k/pref=8/replace=lru", "cache=48k/pref=8/replace=auto"};
	enum { FILES = 4, PAGES = 200, SMALL = 4096 };

	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		struct memory_file *files[FILES];
		struct mio_layer *layers[FILES];
		int64_t reads = 0, unused = 0;
		char all[100];

		snprintf(all, sizeof(all), "%s/page=4k/global=77", options[i]);
		for (int file = 0; file < FILES; file++) {
			files[file] = memory_file_make(NULL, 1, PAGES * SMALL);
			layers[file] = pf_open(all, files[file], new_inode());
		}
		for (int64_t page = 0; page < PAGES; page++) {
			for (int file = 0; file < FILES; file++) {
				READS(layers[file], 1, page * SMALL, SMALL);
				memory_file_calls(files[file]);
			}
		}
		for (int file = 0; file < FILES; file++) {
			ASSERT(pf_counters(layers[file]).started_prefetches > PAGES / 2);
			reads += pf_counters(layers[file]).child.reads;
			unused += pf_counters(layers[file]).unused_prefetches;
		}
		/* At most two cachefuls of the small cache, in the first steps, when the first files did not know of the others. */
		ASSERT(unused <= 24);
		ASSERT(reads <= FILES * PAGES + unused);
		for (int file = 0; file < FILES; file++) {
			ASSERT_EQUAL(0, pf_close(layers[file]));
			memory_file_free(files[file]);
		}
	}
}

int main(void)
{
	RUN(should_share_the_cache_among_files_that_are_read_in_turns);
	alarm(60);
	RUN(should_keep_a_long_window_until_it_is_used);
	RUN(should_not_read_what_is_on_its_way);
	RUN(should_read_what_was_written_through_while_reads_were_on_their_way);
	return TEST_RESULT();
}

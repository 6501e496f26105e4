/* Pages and file agree: past the cache, with others who change the file, over closes. Twin of PfCoherenceTest. */
#include "pf_fixture.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>

#define PAGE 4096
#define SIZE (40 * PAGE)
#define OPTIONS "cache=64k/page=4k/private/pref=2"

static struct memory_file *below;
static uint64_t inode;

static void begin(void)
{
	below = memory_file_make(NULL, 'o', SIZE);
	inode = new_inode();
	frames_taken = 0;
	frames_given = 0;
}

static void end(void)
{
	ASSERT_EQUAL(frames_taken, frames_given);
	memory_file_free(below);
}

/* As another process. */
static void others_write(int with, int64_t offset, int64_t length)
{
	char *bytes = malloc((size_t)length);

	ASSERT(bytes);
	memset(bytes, with, (size_t)length);
	ASSERT_EQUAL(length, memory_file_do_write(below, bytes, length, offset));
	free(bytes);
}

/* ---- past the cache */

static void should_honour_pages_in_large_requests_that_go_past_them(void)
{
	unsigned char *large = malloc(16 << 10);
	struct mio_layer *layer;

	begin();
	layer = pf_open(OPTIONS "/discovered_direct=16k", below, inode);
	WRITES(layer, 'n', 10 * PAGE + 100, 50);
	memory_file_calls(below);
	ASSERT_EQUAL(16 << 10, layer->ops->read(layer, large, 16 << 10, 9 * PAGE));
	ASSERT(large[PAGE + 99] == 'o' && large[PAGE + 100] == 'n' && large[PAGE + 150] == 'o');
	ASSERT(strstr(memory_file_calls(below), "read 36864+16384"));
	WRITES(layer, 'L', 9 * PAGE, 16 << 10);
	ASSERT_TEXT("write 36864+16384", memory_file_calls(below));
	READS(layer, 'L', 10 * PAGE, PAGE);
	ASSERT_TEXT("", memory_file_calls(below));
	ASSERT_EQUAL(0, pf_close(layer));
	free(large);
	end();
}

/* Below there may be direct I/O, which writes zeros to the program's memory for what lies behind the end. */
static void should_read_past_the_pages_no_further_than_to_the_end(void)
{
	unsigned char bytes[8192];
	struct mio_layer *layer;

	begin();
	layer = pf_open(OPTIONS "/discovered_direct=4k", below, inode);
	WRITES(layer, 'n', SIZE, 100);
	memory_file_calls(below);
	ASSERT_EQUAL(1124, layer->ops->read(layer, bytes, sizeof(bytes), SIZE - 1024));
	ASSERT(strstr(memory_file_calls(below), "read 162816+1124"));
	ASSERT_EQUAL(0, pf_read(layer, 'x', SIZE + 100, 8192));
	others_write('o', SIZE + 100, 50);
	ASSERT_EQUAL(50, pf_read(layer, 'o', SIZE + 100, 8192));
	ASSERT_EQUAL(0, pf_close(layer));
	end();
}

static void should_never_keep_a_part_that_is_not_to_be_cached(void)
{
	struct mio_layer *layer;

	begin();
	layer = pf_open(OPTIONS "/passthru={5000:6000}", below, inode);
	WRITES(layer, 'n', 5200, 100);
	ASSERT_TEXT("write 5200+100", memory_file_calls(below));
	READS(layer, 'n', 5200, 100);
	others_write('x', 5200, 100);
	READS(layer, 'x', 5200, 100);
	WRITES(layer, 'w', 4000, 4000);
	READS(layer, 'w', 4000, 4000);
	ASSERT(holds(below, 'w', 5000, 1000));
	ASSERT_EQUAL(0, pf_close(layer));
	ASSERT(holds(below, 'w', 4000, 4000));
	end();
}

static void should_agree_with_an_open_without_a_cache(void)
{
	struct mio_layer *layer, *plain;
	struct mio_pf_file *file;

	begin();
	layer = pf_open(OPTIONS, below, inode);
	file = mio_pf_file_enter(TEST_DEVICE, inode);
	plain = mio_pf_attached_make(&below->layer, file);
	WRITES(layer, 'n', 100, 50);
	WRITES(layer, 'e', SIZE, 10);
	ASSERT_EQUAL(SIZE + 10, plain->ops->size(plain));
	READS(plain, 'n', 100, 50);
	WRITES(plain, 'p', 120, 10);
	READS(layer, 'p', 120, 10);
	ASSERT_EQUAL(0, plain->ops->truncate(plain, SIZE + 1000));
	ASSERT_EQUAL(SIZE + 1000, layer->ops->size(layer));
	READS(layer, 0, SIZE + 10, 990);
	ASSERT_EQUAL(0, plain->ops->truncate(plain, 125));
	ASSERT_EQUAL(125, layer->ops->size(layer));
	ASSERT_EQUAL(0, pf_close(layer));
	ASSERT_EQUAL(0, plain->ops->close(plain));
	plain->ops->release(plain);
	mio_pf_file_leave(file);
	ASSERT_EQUAL(125, below->size);
	end();
}

static struct mio_layer *opened_meanwhile;

static void opens_and_reads(struct memory_file *file)
{
	file->during_write = NULL;
	opened_meanwhile = pf_open("cache=64k/page=8k/private", file, inode);
	READS(opened_meanwhile, file->bytes[0], 0, 512);
}

static void should_see_a_write_that_was_on_its_way_when_the_file_got_its_pages(void)
{
	struct mio_pf_file *file;
	struct mio_layer *plain;
	struct mio_io io;
	char bytes[512];

	begin();
	file = mio_pf_file_enter(TEST_DEVICE, inode);
	plain = mio_pf_attached_make(&below->layer, file);
	below->during_write = opens_and_reads;
	WRITES(plain, 2, 0, 512);
	READS(opened_meanwhile, 2, 0, 512);
	ASSERT_EQUAL(0, pf_close(opened_meanwhile));
	below->during_write = opens_and_reads;
	memset(bytes, 3, sizeof(bytes));
	mio_io_init(&io, 1, bytes, sizeof(bytes), 0, NULL, NULL);
	ASSERT_EQUAL(0, plain->ops->submit(plain, &io));
	mio_io_wait(&io);
	READS(opened_meanwhile, 3, 0, 512);
	ASSERT_EQUAL(0, pf_close(opened_meanwhile));
	plain->ops->release(plain);
	mio_pf_file_leave(file);
	end();
}

static void should_take_the_completion_back_where_a_request_is_refused(void)
{
	struct mio_pf_file *file;
	struct mio_layer *plain;
	struct mio_io io;

	begin();
	file = mio_pf_file_enter(TEST_DEVICE, inode);
	plain = mio_pf_attached_make(&below->layer, file);
	below->refuses = EAGAIN;
	mio_io_init(&io, 1, NULL, 0, 0, NULL, NULL);
	ASSERT_EQUAL(-EAGAIN, plain->ops->submit(plain, &io));
	ASSERT_EQUAL(0, io.completions);
	plain->ops->release(plain);
	mio_pf_file_leave(file);
	end();
}

/* ---- others change the file */

static void should_see_that_others_made_the_file_longer(void)
{
	struct mio_layer *layer;

	begin();
	memory_file_cut(below, PAGE + 100);
	layer = pf_open(OPTIONS, below, inode);
	READS(layer, 'o', PAGE, 100);
	others_write('x', PAGE + 100, 1000);
	ASSERT_EQUAL(PAGE + 1100, layer->ops->size(layer));
	READS(layer, 'x', PAGE + 100, 1000);
	ASSERT_EQUAL(0, pf_close(layer));
	end();
}

static void should_see_that_others_made_the_file_longer_when_it_reads_there(void)
{
	struct mio_layer *layer;

	begin();
	memory_file_cut(below, PAGE + 100);
	layer = pf_open(OPTIONS, below, inode);
	READS(layer, 'o', PAGE, 100);
	ASSERT_EQUAL(0, pf_read(layer, 'o', PAGE + 100, 10));
	others_write('x', PAGE + 100, 1000);
	READS(layer, 'x', PAGE + 100, 1000);
	ASSERT_EQUAL(0, pf_close(layer));
	end();
}

static void should_see_that_others_cut_the_file(void)
{
	struct mio_layer *layer;

	begin();
	layer = pf_open(OPTIONS, below, inode);
	READS(layer, 'o', 10 * PAGE, PAGE);
	memory_file_cut(below, 10 * PAGE + 100);
	ASSERT_EQUAL(10 * PAGE + 100, layer->ops->size(layer));
	ASSERT_EQUAL(100, pf_read(layer, 'o', 10 * PAGE, PAGE));
	ASSERT_EQUAL(0, pf_read(layer, 'o', 11 * PAGE, PAGE));
	ASSERT_EQUAL(0, pf_close(layer));
	end();
}

static void should_see_that_others_cut_the_file_when_it_reads_there(void)
{
	struct mio_layer *layer;

	begin();
	layer = pf_open(OPTIONS, below, inode);
	memory_file_cut(below, 10 * PAGE + 100);
	ASSERT_EQUAL(100, pf_read(layer, 'o', 10 * PAGE, PAGE));
	ASSERT_EQUAL(0, pf_read(layer, 'o', 12 * PAGE, PAGE));
	ASSERT_EQUAL(0, pf_close(layer));
	end();
	/* And ahead of a stream, where nobody has waited for what came. */
	begin();
	layer = pf_open(OPTIONS, below, inode);
	memory_file_cut(below, 12 * PAGE);
	READS(layer, 'o', 10 * PAGE, 100);
	READS(layer, 'o', 10 * PAGE + 100, PAGE);
	ASSERT_EQUAL(PAGE - 100, pf_read(layer, 'o', 11 * PAGE + 100, PAGE));
	ASSERT_EQUAL(0, pf_read(layer, 'o', 12 * PAGE, PAGE));
	ASSERT_EQUAL(0, pf_close(layer));
	end();
}

static void should_cut_what_another_process_added_through_an_open_without_cache(void)
{
	struct mio_layer *layer, *plain;

	begin();
	memory_file_cut(below, 100);
	layer = pf_open("cache=64k/page=8k/private", below, inode);
	plain = mio_pf_attached_make(&below->layer, pf_file(layer));
	others_write('x', 100, 100);
	ASSERT_EQUAL(0, plain->ops->truncate(plain, 150));
	ASSERT_EQUAL(150, below->size);
	plain->ops->release(plain);
	ASSERT_EQUAL(0, pf_close(layer));
	end();
}

/* ---- calls on the file itself */

static void should_bring_the_file_up_to_date_before_a_call_on_itself(void)
{
	static const enum mio_bypass kinds[] = {MIO_BYPASS_UNLOCK, MIO_BYPASS_TRANSFER_OUT, MIO_BYPASS_TRANSFER_IN,
						MIO_BYPASS_MAP_READ, MIO_BYPASS_MAP_WRITE};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		struct mio_layer *layer;

		begin();
		layer = pf_open(OPTIONS, below, inode);
		WRITES(layer, 'n', 100, 50);
		ASSERT_EQUAL(0, layer->ops->bypass_begin(layer, kinds[i], 0, SIZE));
		ASSERT(holds(below, 'n', 100, 50));
		layer->ops->bypass_end(layer, kinds[i], 0, SIZE, 1);
		ASSERT_EQUAL(0, pf_close(layer));
		end();
	}
}

static void should_see_what_changed_during_a_call_on_the_file_itself(void)
{
	static const enum mio_bypass kinds[] = {MIO_BYPASS_LOCK, MIO_BYPASS_TRANSFER_IN, MIO_BYPASS_MAP_WRITE};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		struct mio_layer *layer;

		begin();
		layer = pf_open(OPTIONS, below, inode);
		READS(layer, 'o', 2 * PAGE, PAGE);
		WRITES(layer, 'n', 100, 50);
		ASSERT_EQUAL(0, layer->ops->bypass_begin(layer, kinds[i], 0, SIZE));
		others_write('x', 2 * PAGE, PAGE);
		layer->ops->bypass_end(layer, kinds[i], 0, SIZE, 1);
		READS(layer, 'x', 2 * PAGE, PAGE);
		READS(layer, 'n', 100, 50);
		ASSERT_EQUAL(0, pf_close(layer));
		ASSERT(holds(below, 'n', 100, 50));
		end();
	}
}

static void should_know_the_size_after_bytes_came_in_inside_the_kernel(void)
{
	struct mio_layer *layer;

	begin();
	layer = pf_open(OPTIONS, below, inode);
	READS(layer, 'o', SIZE - 100, 100);
	ASSERT_EQUAL(0, layer->ops->bypass_begin(layer, MIO_BYPASS_TRANSFER_IN, SIZE, 1000));
	others_write('x', SIZE, 1000);
	layer->ops->bypass_end(layer, MIO_BYPASS_TRANSFER_IN, SIZE, 1000, 1);
	ASSERT_EQUAL(SIZE + 1000, mio_pf_file_size(pf_file(layer)));
	READS(layer, 'x', SIZE, 1000);
	ASSERT_EQUAL(0, pf_close(layer));
	end();
}

static void should_forget_what_a_transfer_changed_before_it_failed(void)
{
	struct mio_layer *layer;

	begin();
	layer = pf_open(OPTIONS, below, inode);
	READS(layer, 'o', 0, 512);
	ASSERT_EQUAL(0, layer->ops->bypass_begin(layer, MIO_BYPASS_TRANSFER_IN, 0, 1024));
	others_write('x', 0, 512);
	layer->ops->bypass_end(layer, MIO_BYPASS_TRANSFER_IN, 0, 1024, 0);
	READS(layer, 'x', 0, 512);
	ASSERT_EQUAL(0, pf_close(layer));
	end();
}

static void should_keep_its_pages_where_a_lock_was_not_given(void)
{
	struct mio_layer *layer;

	begin();
	layer = pf_open(OPTIONS, below, inode);
	READS(layer, 'o', 2 * PAGE, PAGE);
	memory_file_calls(below);
	ASSERT_EQUAL(0, layer->ops->bypass_begin(layer, MIO_BYPASS_LOCK, 0, 10));
	layer->ops->bypass_end(layer, MIO_BYPASS_LOCK, 0, 10, 0);
	READS(layer, 'o', 2 * PAGE, PAGE);
	ASSERT_TEXT("", memory_file_calls(below));
	ASSERT_EQUAL(0, pf_close(layer));
	end();
}

static void should_not_begin_a_call_before_which_the_file_cannot_be_written(void)
{
	struct mio_layer *layer;

	begin();
	layer = pf_open(OPTIONS, below, inode);
	WRITES(layer, 'n', 100, 50);
	below->fail_writes = ENOSPC;
	ASSERT_EQUAL(-ENOSPC, layer->ops->bypass_begin(layer, MIO_BYPASS_TRANSFER_OUT, 0, SIZE));
	ASSERT_EQUAL(-ENOSPC, layer->ops->bypass_begin(layer, MIO_BYPASS_MAP_WRITE, 0, SIZE));
	below->fail_writes = 0;
	ASSERT_EQUAL(-ENOSPC, pf_close(layer));
	ASSERT(holds(below, 'n', 100, 50));
	end();
}

static void should_keep_nothing_once_the_file_is_mapped_for_writing(void)
{
	struct mio_layer *layer;

	begin();
	layer = pf_open(OPTIONS, below, inode);
	ASSERT_EQUAL(0, layer->ops->bypass_begin(layer, MIO_BYPASS_MAP_WRITE, 0, SIZE));
	layer->ops->bypass_end(layer, MIO_BYPASS_MAP_WRITE, 0, SIZE, 1);
	for (int with = '1'; with <= '2'; with++) {
		others_write(with, 100, 10);
		READS(layer, with, 100, 10);
	}
	WRITES(layer, 'n', 100, 10);
	ASSERT(holds(below, 'n', 100, 10));
	ASSERT_EQUAL(0, pf_close(layer));
	layer = pf_open(OPTIONS, below, inode);
	READS(layer, 'n', 100, 10);
	others_write('x', 100, 10);
	READS(layer, 'x', 100, 10);
	ASSERT_EQUAL(0, pf_close(layer));
	end();
}

static void should_hand_writes_down_at_once_of_a_file_that_got_its_pages_while_it_was_mapped_for_reading(void)
{
	struct mio_layer *layer, *plain;
	struct mio_pf_file *file;

	begin();
	file = mio_pf_file_enter(TEST_DEVICE, inode);
	plain = mio_pf_attached_make(&below->layer, file);
	ASSERT_EQUAL(0, plain->ops->bypass_begin(plain, MIO_BYPASS_MAP_READ, 0, SIZE));
	layer = pf_open(OPTIONS, below, inode);
	WRITES(layer, 'a', 200, 10);
	plain->ops->bypass_end(plain, MIO_BYPASS_MAP_READ, 0, SIZE, 1);
	ASSERT(holds(below, 'a', 200, 10));
	WRITES(layer, 'n', 300, 10);
	ASSERT(holds(below, 'n', 300, 10));
	ASSERT_EQUAL(0, pf_close(layer));
	plain->ops->release(plain);
	mio_pf_file_leave(file);
	end();
}

static void should_keep_nothing_of_a_file_that_got_its_pages_while_it_was_mapped(void)
{
	struct mio_layer *layer, *plain;
	struct mio_pf_file *file;

	begin();
	file = mio_pf_file_enter(TEST_DEVICE, inode);
	plain = mio_pf_attached_make(&below->layer, file);
	ASSERT_EQUAL(0, plain->ops->bypass_begin(plain, MIO_BYPASS_MAP_WRITE, 0, SIZE));
	layer = pf_open(OPTIONS, below, inode);
	READS(layer, 'o', 100, 10);
	plain->ops->bypass_end(plain, MIO_BYPASS_MAP_WRITE, 0, SIZE, 1);
	others_write('x', 100, 10);
	READS(layer, 'x', 100, 10);
	ASSERT_EQUAL(0, pf_close(layer));
	plain->ops->release(plain);
	mio_pf_file_leave(file);
	end();
}

static void should_hand_writes_down_at_once_once_the_file_is_mapped_for_reading(void)
{
	struct mio_layer *layer;

	begin();
	layer = pf_open(OPTIONS, below, inode);
	ASSERT_EQUAL(0, layer->ops->bypass_begin(layer, MIO_BYPASS_MAP_READ, 0, SIZE));
	layer->ops->bypass_end(layer, MIO_BYPASS_MAP_READ, 0, SIZE, 1);
	WRITES(layer, 'n', 100, 10);
	ASSERT(holds(below, 'n', 100, 10));
	ASSERT_EQUAL(0, pf_close(layer));
	end();
}

static void should_hand_writes_down_at_once_of_a_file_that_stays_mapped(void)
{
	struct mio_layer *layer;

	begin();
	layer = pf_open(OPTIONS, below, inode);
	ASSERT_EQUAL(0, layer->ops->bypass_begin(layer, MIO_BYPASS_MAP_READ, 0, SIZE));
	layer->ops->bypass_end(layer, MIO_BYPASS_MAP_READ, 0, SIZE, 1);
	ASSERT_EQUAL(0, pf_close(layer));
	layer = pf_open(OPTIONS, below, inode);
	WRITES(layer, 'n', 100, 10);
	ASSERT(holds(below, 'n', 100, 10));
	ASSERT_EQUAL(0, pf_close(layer));
	/* Its pages may be kept; another file of that number knows nothing of it. */
	ASSERT(!mio_pf_mapped_has(TEST_DEVICE, inode));
	mio_pf_mapped_is_new(TEST_DEVICE, inode);
	layer = pf_open(OPTIONS, below, inode);
	WRITES(layer, 'b', 200, 10);
	ASSERT(!holds(below, 'b', 200, 10));
	ASSERT_EQUAL(0, pf_close(layer));
	end();
}

static void should_remember_every_file_that_was_mapped(void)
{
	struct memory_file *other;
	struct mio_layer *layer;

	begin();
	for (uint64_t i = 0; i < 1000; i++)
		ASSERT_EQUAL(0, mio_pf_mapped_add(TEST_DEVICE + 1, i * 7));
	for (uint64_t i = 0; i < 7000; i++)
		ASSERT_EQUAL(i % 7 == 0, mio_pf_mapped_has(TEST_DEVICE + 1, i));
	/* Files that were made since have the inodes of some. */
	for (uint64_t i = 0; i < 7000; i += 2)
		mio_pf_mapped_is_new(TEST_DEVICE + 1, i);
	for (uint64_t i = 0; i < 7000; i++)
		ASSERT_EQUAL(i % 14 == 7, mio_pf_mapped_has(TEST_DEVICE + 1, i));
	ASSERT_EQUAL(0, mio_pf_mapped_add(TEST_DEVICE + 1, 14));
	ASSERT(mio_pf_mapped_has(TEST_DEVICE + 1, 14));
	other = memory_file_make(NULL, 'q', SIZE);
	layer = pf_open(OPTIONS, other, new_inode());
	WRITES(layer, 'n', 0, 512);
	ASSERT_EQUAL(1, mio_pf_file_is_dirty(pf_file(layer)));
	ASSERT_EQUAL(0, pf_close(layer));
	memory_file_free(other);
	end();
}

/* ---- what the door asks of a file */

static void should_find_a_file_only_while_it_has_pages(void)
{
	struct mio_pf_file *file, *found;
	struct mio_layer *layer;

	begin();
	ASSERT(!mio_pf_file_any());
	file = mio_pf_file_enter(TEST_DEVICE, inode);
	ASSERT(!mio_pf_file_find(TEST_DEVICE, inode));
	layer = pf_open(OPTIONS, below, inode);
	ASSERT(mio_pf_file_any());
	found = mio_pf_file_find(TEST_DEVICE, inode);
	ASSERT(found == file && found == pf_file(layer));
	mio_pf_file_leave(found);
	ASSERT(!mio_pf_file_find(TEST_DEVICE, inode + 1));
	ASSERT_EQUAL(1, mio_pf_file_is_cached(file));
	ASSERT_EQUAL(0, pf_close(layer));
	ASSERT_EQUAL(0, mio_pf_file_is_cached(file));
	ASSERT(!mio_pf_file_any());
	mio_pf_file_leave(file);
	end();
}

static void should_publish_and_forget_when_the_door_asks(void)
{
	struct mio_layer *layer;

	begin();
	layer = pf_open(OPTIONS, below, inode);
	WRITES(layer, 'n', 100, 50);
	ASSERT_EQUAL(1, mio_pf_file_is_dirty(pf_file(layer)));
	ASSERT_EQUAL(0, mio_pf_file_publish(pf_file(layer)));
	ASSERT_EQUAL(0, mio_pf_file_is_dirty(pf_file(layer)));
	ASSERT(holds(below, 'n', 100, 50));
	WRITES(layer, 'm', 10 * PAGE, 50);
	ASSERT_EQUAL(0, mio_pf_publish_all());
	ASSERT(holds(below, 'm', 10 * PAGE, 50));
	others_write('x', 100, 50);
	others_write('x', SIZE, 50);
	READS(layer, 'n', 100, 50);
	ASSERT_EQUAL(0, mio_pf_file_forget(pf_file(layer)));
	READS(layer, 'x', 100, 50);
	ASSERT_EQUAL(SIZE + 50, mio_pf_file_size(pf_file(layer)));
	WRITES(layer, 'w', 200, 10);
	ASSERT_EQUAL(0, layer->ops->publish(layer));
	ASSERT(holds(below, 'w', 200, 10));
	ASSERT_EQUAL(0, mio_pf_file_go_through(pf_file(layer)));
	WRITES(layer, 'v', 200, 10);
	ASSERT(holds(below, 'v', 200, 10));
	ASSERT_EQUAL(0, mio_pf_file_go_past(pf_file(layer)));
	others_write('u', 200, 10);
	READS(layer, 'u', 200, 10);
	ASSERT_EQUAL(0, pf_close(layer));
	end();
}

static void should_forget_all_pages_when_an_open_cuts_the_file(void)
{
	struct mio_layer *layer;

	begin();
	layer = pf_open(OPTIONS, below, inode);
	READS(layer, 'o', 0, 512);
	WRITES(layer, 'n', 10 * PAGE, 50);
	mio_pf_file_cutting_begin(pf_file(layer));
	mio_pf_file_cutting_end(pf_file(layer), 0);
	READS(layer, 'n', 10 * PAGE, 50);
	mio_pf_file_cutting_begin(pf_file(layer));
	memory_file_cut(below, 0);
	mio_pf_file_cutting_end(pf_file(layer), 1);
	ASSERT_EQUAL(0, layer->ops->size(layer));
	ASSERT_EQUAL(0, pf_read(layer, 'o', 0, 512));
	ASSERT_EQUAL(0, pf_close(layer));
	ASSERT_EQUAL(0, below->size);
	end();
}

/* ---- over closes */

static char path[512];

/* A file with a name, so that its change time is known. */
static struct mio_open_request named(void)
{
	const char *directory = getenv("MIO_TEST_DIR");
	struct mio_open_request request = pf_request(0, O_RDWR, 512);
	struct stat found;
	int fd;

	snprintf(path, sizeof(path), "%s/pf_coherence_XXXXXX", directory ? directory : "/tmp");
	fd = mkstemp(path);
	ASSERT(fd >= 0);
	ASSERT_EQUAL(0, fstat(fd, &found));
	close(fd);
	request.name = path;
	request.device = found.st_dev;
	request.inode = found.st_ino;
	return request;
}

static void give_up(const char *global)
{
	struct memory_file *empty = memory_file_make(NULL, 0, 0);

	ASSERT_EQUAL(0, pf_close(pf_open(global, empty, new_inode())));
	memory_file_free(empty);
	ASSERT_EQUAL(frames_taken, frames_given);
	ASSERT_EQUAL(64 << 10, frames_taken);
}

static void should_find_its_pages_again_if_nobody_changed_the_file(void)
{
	const char *options = "cache=64k/page=4k/global=91/norelease/retain";
	struct mio_open_request request = named();
	struct mio_layer *layer;

	begin();
	layer = pf_open_as(options, &below->layer, request);
	READS(layer, 'o', 10 * PAGE, PAGE);
	WRITES(layer, 'n', 10 * PAGE, 100);
	ASSERT_EQUAL(0, pf_close(layer));
	memory_file_calls(below);
	layer = pf_open_as(options, &below->layer, request);
	READS(layer, 'n', 10 * PAGE, 100);
	READS(layer, 'o', 10 * PAGE + 100, PAGE - 100);
	ASSERT_TEXT("", memory_file_calls(below));
	ASSERT_EQUAL(1, pf_counters(layer).retained_pages);
	ASSERT_EQUAL(0, pf_close(layer));
	give_up("global=91");
	unlink(path);
	end();
}

/* As many as a cache has frames have pages there, one each. */
static void should_forget_files_that_are_closed_longest_of_more_than_there_are_frames(void)
{
	const char *options = "cache=64k/page=4k/global=96/norelease/retain";
	static char paths[40][sizeof(path)];
	int64_t before = mio_pf_files_count();
	struct mio_open_request request;
	struct mio_layer *layer;

	begin();
	for (int i = 0; i < 40; i++) {
		request = named();
		memcpy(paths[i], path, sizeof(path));
		layer = pf_open_as(options, &below->layer, request);
		READS(layer, 'o', 0, PAGE);
		ASSERT_EQUAL(0, pf_close(layer));
	}
	ASSERT_EQUAL(before + 16, mio_pf_files_count());
	layer = pf_open_as(options, &below->layer, request);
	ASSERT_EQUAL(1, pf_counters(layer).retained_pages);
	ASSERT_EQUAL(0, pf_close(layer));
	give_up("global=96");
	ASSERT_EQUAL(before, mio_pf_files_count());
	for (int i = 0; i < 40; i++)
		unlink(paths[i]);
	end();
}

/* Nor one that has no page left there. */
static void should_forget_a_file_without_pages(void)
{
	const char *options = "cache=64k/page=4k/global=97/norelease/retain";
	struct mio_open_request request = named();
	int64_t before = mio_pf_files_count();

	begin();
	ASSERT_EQUAL(0, pf_close(pf_open_as(options, &below->layer, request)));
	ASSERT_EQUAL(before, mio_pf_files_count());
	give_up("global=97");
	unlink(path);
	end();
}

static void should_forget_retained_pages_if_the_file_was_changed(void)
{
	const char *options = "cache=64k/page=4k/global=92/norelease/retain";
	struct mio_open_request request = named();
	struct timespec times[2] = {{1, 0}, {1, 0}};
	struct stat before, after;
	struct mio_layer *layer;

	begin();
	layer = pf_open_as(options, &below->layer, request);
	READS(layer, 'o', 10 * PAGE, PAGE);
	ASSERT_EQUAL(0, pf_close(layer));
	others_write('x', 10 * PAGE, PAGE);
	ASSERT_EQUAL(0, stat(path, &before));
	do {
		ASSERT_EQUAL(0, utimensat(AT_FDCWD, path, times, 0));
		ASSERT_EQUAL(0, stat(path, &after));
	} while (before.st_ctim.tv_nsec == after.st_ctim.tv_nsec);
	layer = pf_open_as(options, &below->layer, request);
	ASSERT_EQUAL(0, pf_counters(layer).retained_pages);
	READS(layer, 'x', 10 * PAGE, PAGE);
	ASSERT_EQUAL(0, pf_close(layer));
	give_up("global=92");
	unlink(path);
	end();
}

static void should_not_take_pages_back_whose_sectors_had_another_size(void)
{
	const char *options = "cache=64k/page=32k/pref=1/global=93/norelease/retain";
	struct mio_open_request request = named();
	struct mio_layer *layer;

	begin();
	layer = pf_open_as(options, &below->layer, request);
	READS(layer, 'o', 4096, 8192);
	ASSERT_EQUAL(0, pf_close(layer));
	request.sector_bytes = 4096;
	layer = pf_open_as(options, &below->layer, request);
	ASSERT_EQUAL(0, pf_counters(layer).retained_pages);
	READS(layer, 'o', 16384, 4096);
	ASSERT_EQUAL(0, pf_close(layer));
	give_up("global=93");
	unlink(path);
	end();
}

static void should_not_take_pages_back_that_an_open_without_cache_changed(void)
{
	const char *options = "cache=64k/page=8k/global=94/norelease/retain";
	struct mio_open_request request = named();
	struct mio_layer *layer, *plain;
	struct mio_pf_file *file;

	begin();
	layer = pf_open_as(options, &below->layer, request);
	READS(layer, 'o', 0, 512);
	ASSERT_EQUAL(0, pf_close(layer));
	file = mio_pf_file_enter(request.device, request.inode);
	plain = mio_pf_attached_make(&below->layer, file);
	WRITES(plain, 2, 0, 512);
	plain->ops->release(plain);
	mio_pf_file_leave(file);
	layer = pf_open_as(options, &below->layer, request);
	READS(layer, 2, 0, 512);
	ASSERT_EQUAL(0, pf_close(layer));
	give_up("global=94");
	unlink(path);
	end();
}

static void should_not_write_a_scratch_file_when_it_closes(void)
{
	for (int is_named = 0; is_named <= 1; is_named++) {
		struct mio_open_request request = named();
		struct mio_layer *layer;

		begin();
		request.inode += !is_named;
		layer = pf_open_as("scratch/" OPTIONS, &below->layer, request);
		WRITES(layer, 'n', 100, 50);
		ASSERT_EQUAL(0, pf_close(layer));
		ASSERT(holds(below, 'o', 100, 50));
		/* Where another file has the name it stays. */
		ASSERT_EQUAL(is_named ? -1 : 0, access(path, F_OK));
		unlink(path);
		end();
	}
}

static void should_write_a_scratch_file_that_others_still_read(void)
{
	struct mio_layer *writer, *reader;

	begin();
	reader = pf_open_as("scratch/" OPTIONS, &below->layer, pf_request(inode, O_RDONLY, 512));
	writer = pf_open_as("scratch/" OPTIONS, &below->layer, pf_request(inode, O_WRONLY, 512));
	WRITES(writer, 'n', 0, SIZE);
	WRITES(writer, 'l', SIZE, 3 * PAGE);
	ASSERT_EQUAL(0, pf_close(writer));
	READS(reader, 'n', 0, SIZE);
	READS(reader, 'l', SIZE, 3 * PAGE);
	ASSERT_EQUAL(0, pf_close(reader));
	end();
}

/* ---- others who write between two sectors of ours */

static void should_write_no_sector_that_may_have_been_written_past_its_page(void)
{
	static const char *const options[] = {"discovered_direct=1m", "passthru={512:1k}"};

	for (int i = 0; i < 2; i++) {
		char text[128];
		struct mio_layer *layer;

		begin();
		snprintf(text, sizeof(text), "%s/cache=64k/page=16k/private/pref=0", options[i]);
		layer = pf_open(text, below, inode);
		READS(layer, 'o', 0, 16 << 10);
		WRITES(layer, 'n', 0, 512);
		WRITES(layer, 'n', 1024, 512);
		others_write('x', 512, 512);
		ASSERT_EQUAL(0, layer->ops->flush(layer, 0));
		ASSERT(holds(below, 'n', 0, 512));
		ASSERT(holds(below, 'x', 512, 512));
		ASSERT(holds(below, 'n', 1024, 512));
		ASSERT_EQUAL(0, pf_close(layer));
		end();
	}
}

static void lock(struct mio_layer *layer, int64_t length)
{
	ASSERT_EQUAL(0, layer->ops->bypass_begin(layer, MIO_BYPASS_LOCK, 0, length));
	layer->ops->bypass_end(layer, MIO_BYPASS_LOCK, 0, length, 1);
}

static void should_write_at_once_from_the_first_lock_of_a_part_on(void)
{
	struct mio_layer *layer;

	begin();
	layer = pf_open(OPTIONS, below, inode);
	WRITES(layer, 'b', 200, 10);
	lock(layer, INT64_MAX);
	WRITES(layer, 'w', 300, 10);
	/* Of the whole file: nobody else writes. */
	ASSERT(!holds(below, 'w', 300, 10));
	lock(layer, 1);
	ASSERT(holds(below, 'w', 300, 10));
	READS(layer, 'o', 100, 10);
	/* Another process has locked the next bytes. */
	others_write('x', 110, 10);
	WRITES(layer, 'n', 100, 10);
	ASSERT(holds(below, 'n', 100, 10));
	ASSERT(holds(below, 'x', 110, 10));
	ASSERT_EQUAL(0, pf_close(layer));
	ASSERT(holds(below, 'x', 110, 10));
	end();
}

static void should_write_at_once_where_pages_cannot_be_read(void)
{
	struct mio_open_request request;
	struct mio_layer *layer;

	begin();
	request = pf_request(inode, O_WRONLY, 512);
	request.blind_pages = 1;
	layer = pf_open_as(OPTIONS, &below->layer, request);
	below->fail_reads = EBADF;
	WRITES(layer, 'n', 100, 50);
	ASSERT(holds(below, 'n', 100, 50));
	below->fail_reads = 0;
	ASSERT_EQUAL(0, pf_close(layer));
	end();
}

static void should_ask_for_space_again_once_it_was_given_back(void)
{
	struct mio_layer *layer;

	begin();
	layer = pf_open(OPTIONS, below, inode);
	WRITES(layer, 'n', 0, PAGE);
	ASSERT_EQUAL(0, layer->ops->bypass_begin(layer, MIO_BYPASS_ALLOCATE, 0, PAGE));
	layer->ops->bypass_end(layer, MIO_BYPASS_ALLOCATE, 0, PAGE, 1);
	below->reserve_error = ENOSPC;
	below->reserve_max = 0;
	below->fail_writes = ENOSPC;
	/* The write meets it, not the close. */
	ASSERT_EQUAL(-ENOSPC, pf_write(layer, 'm', 0, PAGE));
	below->fail_writes = 0;
	below->reserve_error = 0;
	ASSERT_EQUAL(0, pf_close(layer));
	end();
}

/* ---- memory */

static void should_take_and_give_the_frames_of_a_private_cache_once(void)
{
	struct mio_layer *first, *second;

	begin();
	first = pf_open(OPTIONS, below, inode);
	second = pf_open(OPTIONS, below, inode);
	ASSERT_EQUAL(64 << 10, frames_taken);
	ASSERT_EQUAL(0, pf_close(first));
	ASSERT_EQUAL(0, frames_given);
	ASSERT_EQUAL(0, pf_close(second));
	ASSERT_EQUAL(64 << 10, frames_given);
	ASSERT_EQUAL(64 << 10, frames_taken);
	end();
}

static void should_share_a_global_cache_between_files(void)
{
	struct memory_file *other_file = memory_file_make(NULL, 'q', SIZE);
	struct mio_pf_file *held;
	struct mio_layer *layer, *other;
	struct mio_stats_pf cache;

	begin();
	layer = pf_open("cache=64k/page=4k/global=95", below, inode);
	other = pf_open("cache=1m/page=8k/global=95", other_file, new_inode());
	ASSERT_EQUAL(64 << 10, frames_taken);
	READS(layer, 'o', 10 * PAGE, PAGE);
	READS(other, 'q', 10 * PAGE, PAGE);
	READS(layer, 'o', 10 * PAGE, PAGE);
	ASSERT_EQUAL(0, layer->ops->close(layer));
	ASSERT_EQUAL(0, frames_given);
	ASSERT(!mio_pf_open_snapshot((struct mio_pf_open *)layer, MIO_STATS_CLOSE, 1, &cache));
	mio_pf_file_leave(pf_file(layer));
	layer->ops->release(layer);
	READS(other, 'q', 10 * PAGE, PAGE);
	held = pf_file(other);
	ASSERT_EQUAL(0, other->ops->close(other));
	ASSERT_EQUAL(64 << 10, frames_given);
	ASSERT(mio_pf_open_snapshot((struct mio_pf_open *)other, MIO_STATS_CLOSE, 1, &cache));
	ASSERT_EQUAL(4, cache.program.reads);
	ASSERT_EQUAL(2, cache.child.reads);
	ASSERT_EQUAL(PAGE, cache.page_bytes);
	ASSERT(!cache.file);
	mio_pf_file_leave(held);
	other->ops->release(other);
	memory_file_free(other_file);
	end();
}

static void should_let_the_last_of_several_opens_report(void)
{
	struct mio_layer *first, *second;
	struct mio_stats_pf pf;

	begin();
	first = pf_open(OPTIONS, below, inode);
	second = pf_open(OPTIONS, below, inode);
	READS(first, 'o', 0, 100);
	READS(second, 'o', 0, 100);
	ASSERT_EQUAL(0, first->ops->close(first));
	ASSERT(!mio_pf_open_snapshot((struct mio_pf_open *)first, MIO_STATS_CLOSE, 0, &pf));
	ASSERT_EQUAL(2, pf_counters(second).program.reads);
	ASSERT_EQUAL(0, second->ops->close(second));
	ASSERT(mio_pf_open_snapshot((struct mio_pf_open *)second, MIO_STATS_CLOSE, 0, &pf));
	ASSERT_EQUAL(2, pf.program.reads);
	ASSERT_TEXT("test", pf.file);
	ASSERT_TEXT("os", pf.below);
	ASSERT_TEXT("memory", pf.backend);
	mio_pf_file_leave(pf_file(first));
	mio_pf_file_leave(pf_file(second));
	first->ops->release(first);
	second->ops->release(second);
	end();
}

/* ---- the process */

/* In a child, whose state may be spoiled: 0 if it did not fail. */
static int in_child(void (*work)(void))
{
	int status;
	pid_t child = fork();

	if (child == 0) {
		work();
		_exit(0);
	}
	ASSERT(child > 0);
	ASSERT_EQUAL(child, waitpid(child, &status, 0));
	return status;
}

static void exits(void)
{
	struct memory_file *other = memory_file_make(NULL, 0, 8192);
	struct mio_layer *before, *after;

	begin();
	before = pf_open("cache=64k/page=4k/private", below, inode);
	WRITES(before, 1, 100, 3);
	ASSERT(holds(below, 'o', 100, 3));
	mio_pf_exit();
	ASSERT(holds(below, 1, 100, 3));
	WRITES(before, 4, 100, 3);
	ASSERT(holds(below, 4, 100, 3));
	after = pf_open("cache=64k/page=4k/private", other, new_inode());
	WRITES(after, 7, 100, 3);
	ASSERT(holds(other, 7, 100, 3));
}

static void should_hand_down_what_was_written_at_the_exit_and_all_that_comes_later(void)
{
	ASSERT_EQUAL(0, in_child(exits));
}

static struct mio_layer *parents;

static void forked(void)
{
	struct mio_layer *mine;

	/* As if other threads of the parent had been anywhere. */
	ASSERT_EQUAL(1, mio_lock_try(&mio_pf_file_cache(pf_file(parents))->lock));
	mio_memory_forked();
	mio_pf_forked();
	ASSERT(!mio_pf_file_any());
	ASSERT(!mio_pf_file_find(TEST_DEVICE, inode));
	mine = pf_open("cache=64k/page=4k/global=96", below, inode);
	READS(mine, 'o', 100, 3);
	WRITES(mine, 'c', 100, 3);
	ASSERT_EQUAL(0, pf_close(mine));
	ASSERT(holds(below, 'c', 100, 3));
	ASSERT(mio_pf_mapped_has(TEST_DEVICE + 2, 5));
}

static void should_begin_anew_in_a_forked_child(void)
{
	begin();
	ASSERT_EQUAL(0, mio_pf_mapped_add(TEST_DEVICE + 2, 5));
	parents = pf_open("cache=64k/page=4k/global=96", below, inode);
	WRITES(parents, 'n', 100, 3);
	ASSERT_EQUAL(0, in_child(forked));
	READS(parents, 'n', 100, 3);
	ASSERT_EQUAL(0, pf_close(parents));
	end();
}

int main(void)
{
	RUN(should_honour_pages_in_large_requests_that_go_past_them);
	RUN(should_read_past_the_pages_no_further_than_to_the_end);
	RUN(should_never_keep_a_part_that_is_not_to_be_cached);
	RUN(should_agree_with_an_open_without_a_cache);
	RUN(should_see_a_write_that_was_on_its_way_when_the_file_got_its_pages);
	RUN(should_take_the_completion_back_where_a_request_is_refused);
	RUN(should_see_that_others_made_the_file_longer);
	RUN(should_see_that_others_made_the_file_longer_when_it_reads_there);
	RUN(should_see_that_others_cut_the_file);
	RUN(should_see_that_others_cut_the_file_when_it_reads_there);
	RUN(should_cut_what_another_process_added_through_an_open_without_cache);
	RUN(should_bring_the_file_up_to_date_before_a_call_on_itself);
	RUN(should_see_what_changed_during_a_call_on_the_file_itself);
	RUN(should_know_the_size_after_bytes_came_in_inside_the_kernel);
	RUN(should_forget_what_a_transfer_changed_before_it_failed);
	RUN(should_keep_its_pages_where_a_lock_was_not_given);
	RUN(should_not_begin_a_call_before_which_the_file_cannot_be_written);
	RUN(should_keep_nothing_once_the_file_is_mapped_for_writing);
	RUN(should_keep_nothing_of_a_file_that_got_its_pages_while_it_was_mapped);
	RUN(should_hand_writes_down_at_once_of_a_file_that_got_its_pages_while_it_was_mapped_for_reading);
	RUN(should_hand_writes_down_at_once_once_the_file_is_mapped_for_reading);
	RUN(should_hand_writes_down_at_once_of_a_file_that_stays_mapped);
	RUN(should_remember_every_file_that_was_mapped);
	RUN(should_find_a_file_only_while_it_has_pages);
	RUN(should_publish_and_forget_when_the_door_asks);
	RUN(should_forget_all_pages_when_an_open_cuts_the_file);
	RUN(should_find_its_pages_again_if_nobody_changed_the_file);
	RUN(should_forget_files_that_are_closed_longest_of_more_than_there_are_frames);
	RUN(should_forget_a_file_without_pages);
	RUN(should_forget_retained_pages_if_the_file_was_changed);
	RUN(should_not_take_pages_back_whose_sectors_had_another_size);
	RUN(should_not_take_pages_back_that_an_open_without_cache_changed);
	RUN(should_not_write_a_scratch_file_when_it_closes);
	RUN(should_write_a_scratch_file_that_others_still_read);
	RUN(should_write_no_sector_that_may_have_been_written_past_its_page);
	RUN(should_write_at_once_from_the_first_lock_of_a_part_on);
	RUN(should_write_at_once_where_pages_cannot_be_read);
	RUN(should_ask_for_space_again_once_it_was_given_back);
	RUN(should_take_and_give_the_frames_of_a_private_cache_once);
	RUN(should_share_a_global_cache_between_files);
	RUN(should_let_the_last_of_several_opens_report);
	RUN(should_hand_down_what_was_written_at_the_exit_and_all_that_comes_later);
	RUN(should_begin_anew_in_a_forked_child);
	return TEST_RESULT();
}

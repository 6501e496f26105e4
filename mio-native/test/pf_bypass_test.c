/*
 * Pages and file agree around calls that the file itself answers (locks, transfers, mappings), and what the door asks of a file.
 * Twin of PfBypassTest.
 */
#include "pf_coherence.h"

/* ---- calls that the file itself answers */

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

static void should_know_the_size_that_others_gave_the_file_before_it_was_locked(void)
{
	/* A lock of the whole file, and of a part. */
	static const int64_t lengths[] = {INT64_MAX, 10};

	for (int i = 0; i < 2; i++) {
		struct mio_layer *layer;

		begin();
		layer = pf_open(OPTIONS, below, inode);
		WRITES(layer, 'n', 100, 50);
		others_write('x', SIZE, 1000);
		ASSERT_EQUAL(0, layer->ops->bypass_begin(layer, MIO_BYPASS_LOCK, 0, lengths[i]));
		layer->ops->bypass_end(layer, MIO_BYPASS_LOCK, 0, lengths[i], 1);
		READS(layer, 'x', SIZE, 1000);
		ASSERT_EQUAL(SIZE + 1000, layer->ops->size(layer));
		ASSERT_EQUAL(0, pf_close(layer));
		ASSERT(holds(below, 'n', 100, 50));
		end();
	}
}

/* The next write reports the failure. */
static void should_be_locked_though_its_pages_cannot_be_written(void)
{
	struct mio_layer *layer;

	begin();
	layer = pf_open(OPTIONS, below, inode);
	WRITES(layer, 'n', 100, 50);
	below->fail_writes = ENOSPC;
	ASSERT_EQUAL(0, layer->ops->bypass_begin(layer, MIO_BYPASS_LOCK, 0, INT64_MAX));
	layer->ops->bypass_end(layer, MIO_BYPASS_LOCK, 0, INT64_MAX, 1);
	READS(layer, 'n', 100, 50);
	below->fail_writes = 0;
	ASSERT_EQUAL(-ENOSPC, pf_write(layer, 'm', 300, 10));
	ASSERT_EQUAL(0, pf_close(layer));
	ASSERT(holds(below, 'n', 100, 50));
	end();
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
	/* A new file with the same inode number has nothing to do with the mapping: its pages may be kept. */
	ASSERT(!mio_pf_mapped_has(TEST_DEVICE, inode));
	mio_pf_mapped_is_new(TEST_DEVICE, inode);
	layer = pf_open(OPTIONS, below, inode);
	WRITES(layer, 'b', 200, 10);
	ASSERT(!holds(below, 'b', 200, 10));
	ASSERT_EQUAL(0, pf_close(layer));
	end();
}

/* Processes share memory through files that are mapped for writing; a lock says something about all of these files. */
static void should_know_mappings_for_writing_from_other_use_that_nobody_sees(void)
{
	ASSERT_EQUAL(0, mio_pf_mapped_add(TEST_DEVICE + 2, 3));
	ASSERT(mio_pf_mapped_has(TEST_DEVICE + 2, 3) && !mio_pf_mapped_has_writing(TEST_DEVICE + 2, 3));
	ASSERT_EQUAL(0, mio_pf_mapped_add_writing(TEST_DEVICE + 2, 3));
	ASSERT_EQUAL(0, mio_pf_mapped_add(TEST_DEVICE + 2, 3));
	ASSERT(mio_pf_mapped_has(TEST_DEVICE + 2, 3) && mio_pf_mapped_has_writing(TEST_DEVICE + 2, 3));
	mio_pf_mapped_is_new(TEST_DEVICE + 2, 3);
	ASSERT(!mio_pf_mapped_has(TEST_DEVICE + 2, 3) && !mio_pf_mapped_has_writing(TEST_DEVICE + 2, 3));
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
	/* New files reuse the inode numbers of some of them. */
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
	ASSERT_EQUAL(0, mio_pf_publish_all(TEST_DEVICE));
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

int main(void)
{
	RUN(should_bring_the_file_up_to_date_before_a_call_on_itself);
	RUN(should_see_what_changed_during_a_call_on_the_file_itself);
	RUN(should_know_the_size_that_others_gave_the_file_before_it_was_locked);
	RUN(should_be_locked_though_its_pages_cannot_be_written);
	RUN(should_know_the_size_after_bytes_came_in_inside_the_kernel);
	RUN(should_forget_what_a_transfer_changed_before_it_failed);
	RUN(should_keep_its_pages_where_a_lock_was_not_given);
	RUN(should_not_begin_a_call_before_which_the_file_cannot_be_written);
	RUN(should_keep_nothing_once_the_file_is_mapped_for_writing);
	RUN(should_hand_writes_down_at_once_of_a_file_that_got_its_pages_while_it_was_mapped_for_reading);
	RUN(should_keep_nothing_of_a_file_that_got_its_pages_while_it_was_mapped);
	RUN(should_hand_writes_down_at_once_once_the_file_is_mapped_for_reading);
	RUN(should_hand_writes_down_at_once_of_a_file_that_stays_mapped);
	RUN(should_know_mappings_for_writing_from_other_use_that_nobody_sees);
	RUN(should_remember_every_file_that_was_mapped);
	RUN(should_find_a_file_only_while_it_has_pages);
	RUN(should_publish_and_forget_when_the_door_asks);
	RUN(should_forget_all_pages_when_an_open_cuts_the_file);
	return TEST_RESULT();
}

/*
 * What a process has only once: frames and global caches; what happens at its exit and in its children. Twin of PfRetainTest, where
 * Java has the same.
 */
#include "pf_coherence.h"

#include <sys/wait.h>

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

/* Runs work in a child, whose state it may spoil. Returns 0 if it did not fail. */
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

/* One thread executes another program, another thread ends the process, and then the exec fails. */
static void exits_while_an_exec_fails(void)
{
	struct memory_file *other = memory_file_make(NULL, 0, 8192);
	struct mio_layer *before, *after;

	begin();
	before = pf_open("cache=64k/page=4k/private", below, inode);
	mio_pf_exec_coming();
	mio_pf_exit();
	mio_pf_exec_failed();
	WRITES(before, 4, 100, 3);
	ASSERT(holds(below, 4, 100, 3));
	after = pf_open("cache=64k/page=4k/private", other, new_inode());
	WRITES(after, 7, 100, 3);
	ASSERT(holds(other, 7, 100, 3));
}

static void should_hand_down_what_comes_after_the_exit_though_an_exec_fails(void)
{
	ASSERT_EQUAL(0, in_child(exits_while_an_exec_fails));
}

static void fails_to_execute(void)
{
	struct mio_layer *layer;

	begin();
	layer = pf_open("cache=64k/page=4k/private", below, inode);
	mio_pf_exec_coming();
	WRITES(layer, 4, 100, 3);
	ASSERT(holds(below, 4, 100, 3));
	mio_pf_exec_failed();
	WRITES(layer, 5, 100, 3);
	ASSERT(holds(below, 4, 100, 3));
	/* Writes are not held back again while an open may write past the pages. */
	mio_pf_file_ungated_writer(pf_file(layer), 1);
	mio_pf_exec_coming();
	mio_pf_exec_failed();
	WRITES(layer, 6, 100, 3);
	ASSERT(holds(below, 6, 100, 3));
	mio_pf_file_ungated_writer(pf_file(layer), -1);
	WRITES(layer, 7, 100, 3);
	ASSERT(holds(below, 6, 100, 3));
}

static void should_write_behind_again_once_an_exec_has_failed(void)
{
	ASSERT_EQUAL(0, in_child(fails_to_execute));
}

/* Exits with bytes that cannot be written and without closing the file. Its stderr is a file. */
static void exits_full(void)
{
	struct mio_layer *layer;

	begin();
	layer = pf_open("cache=64k/page=4k/private", below, inode);
	WRITES(layer, 1, 100, 3);
	below->fail_writes = ENOSPC;
	mio_pf_exit();
}

static void should_say_what_is_lost_when_nobody_takes_it(void)
{
	char said[400] = "";
	FILE *file = tmpfile();
	int kept = dup(2);

	ASSERT(file && kept >= 0);
	ASSERT_EQUAL(2, dup2(fileno(file), 2));
	ASSERT_EQUAL(0, in_child(exits_full));
	ASSERT_EQUAL(2, dup2(kept, 2));
	close(kept);
	rewind(file);
	ASSERT(fgets(said, sizeof(said), file));
	ASSERT_TEXT("mio: cannot write what the program has written to test: No space left on device; it is lost if the program ends now"
		    " (close or fsync would have told it; pf/through writes at once)\n", said);
	ASSERT(!fgets(said, sizeof(said), file));
	fclose(file);
}

static struct mio_layer *parents;

static void forked(void)
{
	struct mio_layer *mine;

	/* Other threads of the parent may have been anywhere at the fork, so the lock is held here. */
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
	RUN(should_take_and_give_the_frames_of_a_private_cache_once);
	RUN(should_share_a_global_cache_between_files);
	RUN(should_let_the_last_of_several_opens_report);
	RUN(should_hand_down_what_was_written_at_the_exit_and_all_that_comes_later);
	RUN(should_hand_down_what_comes_after_the_exit_though_an_exec_fails);
	RUN(should_write_behind_again_once_an_exec_has_failed);
	RUN(should_say_what_is_lost_when_nobody_takes_it);
	RUN(should_begin_anew_in_a_forked_child);
	return TEST_RESULT();
}

/* Decides when pf/auto reads a file past the kernel's page cache: gives pf_direct_choice.h what it needs, and acts on its answer. */
#include "pf_auto_layer.h"

#include <errno.h>

#include "../os/os_room.h"
#include "pf_auto.h"
#include "pf_layer.h"

static int64_t size_of(const struct mio_pf_auto *automatic)
{
	struct mio_layer *next = automatic->layer.next;

	return next->ops->size(next);
}

/* The memory that could keep the file. It is asked for only if the file is large enough: once, and again before it decides anything. */
static int64_t room_of(struct mio_pf_auto *automatic, int64_t size)
{
	if (size < MIO_PF_DIRECT_SIZE_LEAST)
		return INT64_MAX;
	if (automatic->room < 0)
		automatic->room = mio_os_room();
	return automatic->room;
}

int mio_pf_auto_does_not_fit(const struct mio_pf_auto *automatic)
{
	int64_t size = size_of(automatic);

	return size >= MIO_PF_DIRECT_SIZE_LEAST && mio_pf_direct_is_beyond(size, mio_os_room());
}

static void want(struct mio_pf_auto *automatic)
{
	int none = MIO_PF_AUTO_NOTHING;

	/* If small pages are wanted already, they come first. */
	if (mio_pf_auto_is_calm(automatic, NULL))
		atomic_compare_exchange_strong(&automatic->wish, &none, MIO_PF_AUTO_TAKE_DIRECT);
}

void mio_pf_auto_look_past(struct mio_pf_auto *automatic)
{
	struct mio_pf_direct_choice *direct = &automatic->direct;
	int64_t size, offset;
	int fd = mio_pf_auto_fd(automatic);
	int there = -ENOSYS;

	if (mio_pf_auto_is_settled(automatic) || mio_pf_auto_pages(automatic))
		return;
	if (direct->state == MIO_PF_DIRECT_CHOSEN) {
		want(automatic);
		return;
	}
	offset = mio_pf_direct_seen(direct, automatic->hints.moved, automatic->hints.at);
	if (offset < 0)
		return;
	size = size_of(automatic);
	if (mio_pf_direct_may_decide(direct))
		automatic->room = -1;
	if (mio_pf_direct_is_beyond(size, room_of(automatic, size)))
		there = mio_pf_auto_has(automatic, fd, offset, MIO_PF_DIRECT_ASKED_BYTES);
	/* Where cachestat does not show the file, the kernel may have the bytes all the same. The byte read to find out is one that the program wants. */
	if (there == 0 && mio_pf_direct_may_decide(direct) && !mio_pf_auto_sees(automatic, fd, mio_pf_max(0, automatic->hints.at - 1)))
		there = -ENOSYS;
	if (mio_pf_direct_answer(direct, size, room_of(automatic, size), there) == MIO_PF_DIRECT_CHOSEN)
		want(automatic);
}

void mio_pf_auto_settle(struct mio_pf_auto *automatic)
{
	int64_t size;

	if (automatic->is_beyond || mio_pf_auto_is_settled(automatic) || mio_pf_auto_pages(automatic))
		return;
	size = size_of(automatic);
	automatic->is_beyond = mio_pf_direct_is_beyond(size, room_of(automatic, size));
	if (!automatic->is_beyond)
		atomic_store_explicit(&automatic->settled, 1, memory_order_release);
}

/* 1 if there is no room any more for the pages, or if there is room for the whole file by now; why gets the reason in words. */
static int has_other_room(const struct mio_pf_auto *automatic, struct mio_text *why)
{
	int64_t room = mio_os_room();
	int64_t size = size_of(automatic);

	if (!mio_pf_direct_may_keep(room, automatic->past_bytes, automatic->touched_bytes)) {
		mio_text_add(why, "the memory is needed: ");
		mio_text_add_number(why, room >> 20);
		mio_text_add(why, " MiB are left for files");
		return 1;
	}
	if (size < 0 || !mio_pf_direct_fits(size, room))
		return 0;
	mio_text_add(why, "the file (");
	mio_text_add_number(why, size >> 20);
	mio_text_add(why, " MiB) fits the memory that could keep it by now (");
	mio_text_add_number(why, room >> 20);
	mio_text_add(why, " MiB)");
	return 1;
}

/*
 * 1 if the pages read too much for what the program wanted; why gets the reason in words. Clears both counts. What is ahead of the program counts once it is
 * used, or has given way unused.
 */
static int is_no_longer_worth(struct mio_pf_auto *automatic, struct mio_text *why)
{
	const struct mio_layer *pages = mio_pf_auto_pages(automatic);
	int64_t page_reads = atomic_exchange_explicit(&automatic->page_reads, 0, memory_order_relaxed);
	int64_t reads = atomic_exchange_explicit(&automatic->reads, 0, memory_order_relaxed);
	int64_t ahead = pages ? mio_pf_layer_ahead_bytes(pages) : 0;

	automatic->counted_bytes += page_reads;
	page_reads += automatic->ahead_bytes;
	/* Other opens of the file may have pages ahead, too. */
	ahead = mio_pf_min(ahead, page_reads);
	page_reads -= ahead;
	automatic->ahead_bytes = ahead;
	if (mio_pf_direct_is_worth(reads, page_reads))
		return 0;
	mio_text_add(why, "no longer read at length: ");
	mio_text_add_number(why, reads >> 20);
	mio_text_add(why, " MiB took ");
	mio_text_add_number(why, page_reads >> 20);
	mio_text_add(why, " MiB of page reads");
	return 1;
}

int mio_pf_auto_past_is_due(const struct mio_pf_auto *automatic)
{
	return atomic_load_explicit(&automatic->page_reads, memory_order_relaxed) >= mio_pf_auto_due_bytes(automatic);
}

int mio_pf_auto_past_is_over(struct mio_pf_auto *automatic, struct mio_text *why)
{
	int64_t page_reads = atomic_load_explicit(&automatic->page_reads, memory_order_relaxed);
	int fills = automatic->touched_bytes < automatic->past_bytes;
	int64_t counted = 0;

	automatic->touched_bytes = automatic->counted_bytes + page_reads;
	if (page_reads < MIO_PF_DIRECT_JUDGED_BYTES)
		counted = page_reads;
	else if (is_no_longer_worth(automatic, why))
		return 1;
	atomic_store_explicit(&automatic->due_bytes,
			      automatic->touched_bytes < automatic->past_bytes
				      ? mio_pf_min(counted + MIO_PF_DIRECT_FILL_BYTES, MIO_PF_DIRECT_JUDGED_BYTES)
				      : MIO_PF_DIRECT_JUDGED_BYTES,
			      memory_order_relaxed);
	/* While the pages use memory for the first time, others may lack it: the room is looked at each time. */
	return (fills || (counted == 0 && ++automatic->looks % MIO_PF_DIRECT_ROOM_LOOKS == 0)) && has_other_room(automatic, why);
}

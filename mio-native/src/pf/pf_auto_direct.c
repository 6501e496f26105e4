/* When pf/auto reads a file past the kernel's cache: what pf_direct_choice.h wants to know, and where its answer goes. */
#include "pf_auto_layer.h"

#include <errno.h>

#include "../os/os_kernel_cache.h"
#include "../os/os_room.h"
#include "pf_auto.h"

static int64_t size_of(const struct mio_pf_auto *automatic)
{
	struct mio_layer *next = automatic->layer.next;

	return next->ops->size(next);
}

/* Asked once, and only for a file that may not fit. */
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

void mio_pf_auto_look_past(struct mio_pf_auto *automatic)
{
	struct mio_pf_direct_choice *direct = &automatic->direct;
	int64_t size, offset;
	int there = -ENOSYS;
	int none = MIO_PF_AUTO_NOTHING;

	if (mio_pf_auto_is_settled(&automatic->layer) || mio_pf_auto_pages(automatic))
		return;
	offset = mio_pf_direct_seen(direct, automatic->hints.moved, automatic->hints.at);
	if (offset < 0)
		return;
	size = size_of(automatic);
	if (!automatic->blind && mio_pf_direct_is_beyond(size, room_of(automatic, size)))
		there = mio_os_kernel_cache_has(mio_pf_auto_fd(automatic), offset, MIO_PF_DIRECT_ASKED_BYTES);
	/* Small pages are wanted already: they come first. */
	if (mio_pf_direct_answer(direct, size, room_of(automatic, size), there) == MIO_PF_DIRECT_CHOSEN)
		atomic_compare_exchange_strong(&automatic->wish, &none, MIO_PF_AUTO_TAKE_DIRECT);
}

void mio_pf_auto_settle(struct mio_pf_auto *automatic)
{
	int64_t size;

	if (automatic->is_beyond || mio_pf_auto_is_settled(&automatic->layer))
		return;
	size = size_of(automatic);
	automatic->is_beyond = mio_pf_direct_is_beyond(size, room_of(automatic, size));
	if (!automatic->is_beyond)
		atomic_store_explicit(&automatic->settled, 1, memory_order_release);
}

int mio_pf_auto_lacks_room(struct mio_pf_auto *automatic, int64_t *room)
{
	if (mio_pf_auto_count(&automatic->looks, 1) % MIO_PF_DIRECT_ROOM_LOOKS != 0)
		return 0;
	*room = mio_os_room();
	return !mio_pf_direct_may_keep(*room, automatic->past_bytes);
}

int64_t mio_pf_auto_direct_bytes(const struct mio_layer *layer, int64_t used)
{
	const struct mio_pf_auto *automatic = (const struct mio_pf_auto *)(const void *)layer;

	return mio_pf_direct_cache_bytes(automatic->direct.room, used);
}

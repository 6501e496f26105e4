/* See os_shared.h. A hash table by device and inode; each row has a lock, which is held while the last open of one of its files closes. */
#include "os_shared.h"

#include <string.h>

#include "../common/memory.h"
#include "os_call.h"
#include "os_file.h"
#include "os_locks.h"
#include "os_number.h"

#define ROWS 128

static struct row {
	struct mio_lock lock;
	struct mio_os_shared *files;
} rows[ROWS];

static struct row *row_of(uint64_t device, uint64_t inode)
{
	uint64_t mixed = (inode ^ device * UINT64_C(0x9e3779b97f4a7c15)) * UINT64_C(0xff51afd7ed558ccd);

	return &rows[mixed >> 57];
}

struct mio_os_shared *mio_os_shared_enter(uint64_t device, uint64_t inode, int writes)
{
	struct row *row = row_of(device, inode);
	struct mio_os_shared *shared;

	mio_lock_acquire(&row->lock);
	for (shared = row->files; shared; shared = shared->next)
		if (shared->device == device && shared->inode == inode)
			break;
	if (!shared) {
		shared = mio_memory_take(sizeof(*shared));
		if (shared) {
			shared->device = device;
			shared->inode = inode;
			shared->next = row->files;
			row->files = shared;
		}
	}
	if (shared) {
		shared->opens++;
		shared->writers += writes ? 1 : 0;
	}
	mio_lock_release(&row->lock);
	return shared;
}

/* The caller holds the row's lock, so no writer enters meanwhile. Those that have left have nothing in flight. */
static void close_writers(struct mio_os_shared *shared)
{
	mio_lock_acquire(&shared->lock);
	for (int i = 2 * MIO_OS_WRITE; i < 2 * MIO_OS_SHARED_FOLIOS; i++) {
		unsigned int bit = 1U << i;

		if ((shared->there & bit) && mio_os_number_close_unlocked(mio_os_descriptor_number(&shared->descriptors[i])))
			shared->there &= ~bit;
	}
	mio_lock_release(&shared->lock);
}

void mio_os_shared_leave(struct mio_os_shared *shared, int writes)
{
	struct row *row = row_of(shared->device, shared->inode);
	struct mio_os_shared **link = &row->files;

	mio_lock_acquire(&row->lock);
	if (writes && --shared->writers == 0 && shared->opens > 1)
		close_writers(shared);
	if (--shared->opens > 0) {
		mio_lock_release(&row->lock);
		return;
	}
	for (int i = 0; i < MIO_OS_SHARED_DESCRIPTORS; i++)
		if (shared->there & 1U << i)
			mio_os_descriptor_close(&shared->descriptors[i]);
	while (*link != shared)
		link = &(*link)->next;
	*link = shared->next;
	mio_lock_release(&row->lock);
	mio_memory_give(shared, sizeof(*shared));
}

int mio_os_shared_descriptor(struct mio_os_shared *shared, int access, int direct, int (*open)(void *context),
			     void *context, struct mio_os_descriptor **descriptor)
{
	int index = access * 2 + (direct ? 1 : 0);
	int number = 0;

	mio_lock_acquire(&shared->lock);
	if (!(shared->there & 1U << index)) {
		number = open(context);
		if (number >= 0) {
			mio_os_descriptor_init(&shared->descriptors[index], number);
			shared->there |= 1U << index;
		}
	}
	mio_lock_release(&shared->lock);
	if (number < 0)
		return number;
	*descriptor = &shared->descriptors[index];
	return 0;
}

/* The caller holds the row's lock. 1 if the number is none of this file's. */
static int move_in(struct mio_os_shared *shared, int number)
{
	int rc = 1;

	mio_lock_acquire(&shared->lock);
	for (int i = 0; i < MIO_OS_SHARED_DESCRIPTORS && rc == 1; i++) {
		struct mio_os_descriptor *descriptor = &shared->descriptors[i];

		if ((shared->there & 1U << i) && mio_os_descriptor_number(descriptor) == number)
			rc = mio_os_locks_held(shared->inode) ? -EBUSY : mio_os_descriptor_move(descriptor);
	}
	mio_lock_release(&shared->lock);
	return rc;
}

int mio_os_shared_move(int number)
{
	int rc = 1;

	for (int i = 0; i < ROWS && rc == 1; i++) {
		mio_lock_acquire(&rows[i].lock);
		for (struct mio_os_shared *shared = rows[i].files; shared && rc == 1; shared = shared->next)
			rc = move_in(shared, number);
		mio_lock_release(&rows[i].lock);
	}
	return rc;
}

static void inherit_in(struct mio_os_shared *shared, int inherit)
{
	if (inherit && !mio_os_locks_held(shared->inode))
		return;
	mio_lock_acquire(&shared->lock);
	for (int i = 0; i < MIO_OS_SHARED_DESCRIPTORS; i++)
		if (shared->there & 1U << i)
			mio_raw3(SYS_fcntl, mio_os_descriptor_number(&shared->descriptors[i]), F_SETFD,
				 inherit ? 0 : FD_CLOEXEC);
	mio_lock_release(&shared->lock);
}

void mio_os_shared_inherit(int inherit)
{
	for (int i = 0; i < ROWS; i++) {
		mio_lock_acquire(&rows[i].lock);
		for (struct mio_os_shared *shared = rows[i].files; shared; shared = shared->next)
			inherit_in(shared, inherit);
		mio_lock_release(&rows[i].lock);
	}
}

void mio_os_shared_forked(void)
{
	memset(rows, 0, sizeof(rows));
}

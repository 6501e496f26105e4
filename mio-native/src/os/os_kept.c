/* See os_kept.h. */
#include "os_kept.h"

#include <errno.h>
#include <string.h>

#include "os_call.h"
#include "os_layer.h"
#include "os_number.h"

/* All structs that ever kept something; the list only grows. The lock is for adding to it. */
static struct mio_lock listing;
static struct mio_os_kept *_Atomic all;

static void list(struct mio_os_kept *kept)
{
	mio_lock_acquire(&listing);
	if (!kept->listed) {
		kept->listed = 1;
		kept->next = atomic_load(&all);
		atomic_store(&all, kept);
	}
	mio_lock_release(&listing);
}

static int high_copy(int fd)
{
	int number = mio_os_number_room() < 0 ? -EMFILE : mio_os_number_copy_high(fd);

	return number < 0 ? 0 : number;
}

void mio_os_kept_put(struct mio_os_kept *kept, int fd)
{
	struct stat found;

	/* Listed first, as a child forked in between has to find it. */
	list(kept);
	mio_lock_acquire(&kept->lock);
	if (!kept->number && mio_os_call_stat(fd, &found) == 0) {
		kept->device = (uint64_t)found.st_dev;
		kept->inode = (uint64_t)found.st_ino;
		kept->number = high_copy(fd);
	}
	mio_lock_release(&kept->lock);
	mio_os_call_close(fd);
}

int mio_os_kept_hold(struct mio_os_kept *kept, uint64_t *links)
{
	struct stat found;

	mio_lock_acquire(&kept->lock);
	if (kept->number) {
		if (mio_os_call_stat(kept->number, &found) == 0 && (uint64_t)found.st_dev == kept->device &&
		    (uint64_t)found.st_ino == kept->inode) {
			*links = (uint64_t)found.st_nlink;
			return kept->number;
		}
		mio_os_number_forget(kept->number);
		kept->number = 0;
	}
	mio_lock_release(&kept->lock);
	return -EBADF;
}

void mio_os_kept_let_go(struct mio_os_kept *kept)
{
	mio_lock_release(&kept->lock);
}

int mio_os_kept_move(int number)
{
	int moved = 0;

	for (struct mio_os_kept *kept = atomic_load(&all); kept && !moved; kept = kept->next) {
		mio_lock_acquire(&kept->lock);
		moved = kept->number == number;
		if (moved) {
			kept->number = high_copy(number);
			mio_os_number_close(number);
		}
		mio_lock_release(&kept->lock);
	}
	return moved;
}

void mio_os_kept_close(struct mio_os_kept *kept)
{
	mio_lock_acquire(&kept->lock);
	if (kept->number)
		mio_os_number_close(kept->number);
	kept->number = 0;
	mio_lock_release(&kept->lock);
}

void mio_os_kept_give_up(void)
{
	for (struct mio_os_kept *kept = atomic_load(&all); kept; kept = kept->next)
		mio_os_kept_close(kept);
}

void mio_os_kept_forking(int shares)
{
	for (struct mio_os_kept *kept = atomic_load(&all); kept; kept = kept->next)
		if (kept->inherited && kept->number && !shares)
			mio_os_number_forget(kept->number);
}

void mio_os_kept_forked(int shares)
{
	memset(&listing, 0, sizeof(listing));
	for (struct mio_os_kept *kept = atomic_load(&all); kept; kept = kept->next) {
		memset(&kept->lock, 0, sizeof(kept->lock));
		if (!kept->inherited || shares)
			kept->number = 0;
		else if (kept->number)
			mio_os_number_own(kept->number);
	}
}

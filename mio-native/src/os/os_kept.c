/* See os_kept.h. */
#include "os_kept.h"

#include <errno.h>
#include <string.h>

#include "os_call.h"
#include "os_number.h"

/* All that were ever kept; only ever longer. The lock is for making it so. */
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

/* A high number, or 0, and then fd is closed. */
static int high_number(int fd)
{
	int number = -EMFILE;

	if (mio_os_number_room() < 0)
		mio_os_call_close(fd);
	else
		number = mio_os_number_keep(fd, 0);
	/* It stayed where it landed, in the program's way. */
	if (number == fd) {
		mio_os_number_close(fd);
		return 0;
	}
	return number < 0 ? 0 : number;
}

void mio_os_kept_put(struct mio_os_kept *kept, int fd)
{
	mio_lock_acquire(&kept->lock);
	if (kept->number)
		mio_os_call_close(fd);
	else
		kept->number = high_number(fd);
	mio_lock_release(&kept->lock);
	list(kept);
}

int mio_os_kept_hold(struct mio_os_kept *kept)
{
	mio_lock_acquire(&kept->lock);
	if (kept->number)
		return kept->number;
	mio_lock_release(&kept->lock);
	return -EBADF;
}

void mio_os_kept_let_go(struct mio_os_kept *kept)
{
	mio_lock_release(&kept->lock);
}

void mio_os_kept_lost(struct mio_os_kept *kept)
{
	mio_os_number_forget(kept->number);
	kept->number = 0;
}

int mio_os_kept_gives_up(int number)
{
	int gives_up = 0;

	for (struct mio_os_kept *kept = atomic_load(&all); kept && !gives_up; kept = kept->next) {
		mio_lock_acquire(&kept->lock);
		gives_up = kept->number == number;
		if (gives_up) {
			mio_os_number_close(number);
			kept->number = 0;
		}
		mio_lock_release(&kept->lock);
	}
	return gives_up;
}

void mio_os_kept_forked(void)
{
	memset(&listing, 0, sizeof(listing));
	for (struct mio_os_kept *kept = atomic_load(&all); kept; kept = kept->next) {
		memset(&kept->lock, 0, sizeof(kept->lock));
		kept->number = 0;
	}
}

/*
 * An open under pf/auto takes pages while it is open, or gives them up: its way changes from KERNEL to OURS, or back. The lock of the file is
 * held. So no call is at the kernel's position, except for reads that rest (mio_door_rests), and these are granted only to a file that gets no
 * pages any more. Calls at an offset may be under way; the gate keeps them apart from the change.
 *
 * Only an open that this process alone has gets pages. Unlike the pages of a rule they must not cost anybody else anything: in any doubt the file
 * stays with the kernel, for good.
 */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../common/raw.h"
#include "door_table.h"

static const char shared[] = "another process may have the file too";

/*
 * NULL if nobody else uses the file, or else why it gets no pages. Asked once the pages are there: who opens it after that sees them, and who
 * opened it before is seen here.
 */
static const char *is_alone(void *context)
{
	static const char others[] = "others write the file past MIO, or have it mapped";
	const struct mio_file *file = context;
	struct mio_os_descriptors found;
	struct stat stat;

	atomic_thread_fence(memory_order_seq_cst);
	if (mio_door_shares() != file->shares || mio_door_is_foreign() || !mio_door_is_open())
		return shared;
	if (mio_raw2(SYS_fstat, mio_open_call.fd, &stat) < 0 ||
	    mio_door_is_unseen((uint64_t)stat.st_dev, (uint64_t)stat.st_ino))
		return others;
	/* Descriptors that only read do not matter: they find every write with the kernel. */
	if (mio_door_strangers((uint64_t)stat.st_dev, (uint64_t)stat.st_ino, &found) != 0 || found.writers > 0)
		return others;
	return NULL;
}

static void take(struct mio_file *file, int fd)
{
	int flags = (int)mio_raw2(SYS_fcntl, fd, F_GETFL);
	int64_t position = mio_raw3(SYS_lseek, fd, 0, SEEK_CUR);

	if (mio_door_shares() != file->shares) {
		mio_stack_stay(file->stack, shared);
		return;
	}
	if (atomic_load(&file->way) != MIO_WAY_KERNEL || flags < 0 || (flags & MIO_DOOR_NO_CACHE_FLAGS) || position < 0) {
		mio_stack_stay(file->stack, MIO_DOOR_NOT_FOLLOWED);
		return;
	}
	if (!mio_stack_take_pages(file->stack, fd, flags, is_alone, file))
		return;
	file->position = position;
	atomic_store(&file->way, MIO_WAY_OURS);
	if (mio_door_when_decided)
		mio_door_when_decided();
}

static void give(struct mio_file *file, int fd)
{
	mio_stack_give_pages(file->stack, NULL);
	/* If the file has another way by now, it keeps that. */
	if (atomic_load(&file->way) == MIO_WAY_OURS && mio_raw3(SYS_lseek, fd, file->position, SEEK_SET) >= 0)
		atomic_store(&file->way, MIO_WAY_KERNEL);
}

void mio_door_fulfil(struct mio_file *file, int fd)
{
	if (mio_stack_gives_pages(file->stack))
		give(file, fd);
	else if (atomic_load(mio_stack_wish(file->stack)) != 0)
		take(file, fd);
}

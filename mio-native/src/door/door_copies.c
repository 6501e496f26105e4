/*
 * Copies of descriptors: dup and its kind. A copy leads to the file of the open that it is a copy of.
 *
 * The file is held while the kernel makes the copy. A thread that closes the number takes it out of the table, and then waits for the file before
 * the kernel closes it. So the number leads to the same open before and after, whatever other threads do. The copy is counted before it exists,
 * so the file keeps a number until then.
 */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "../common/raw.h"
#include "../os/os_layer.h"
#include "../pf/pf_layer.h"
#include "door_table.h"

/* 1 if the kernel has a descriptor of this number, which other threads may be using. */
static int is_in_use(int fd)
{
	return mio_raw2(SYS_fcntl, fd, F_GETFD) >= 0;
}

/* Writes what is dirty, if fd is the last number of its open: 0, or -errno if that cannot be written. */
static int write_last(int fd)
{
	struct mio_file *file = mio_door_use(fd);
	int rc = 0;

	if (!file)
		return 0;
	if (atomic_load(&file->descriptors) == 1)
		rc = mio_stack_publish(file->stack);
	mio_door_unuse(file);
	return rc;
}

/*
 * Prepares a number that is about to lead elsewhere: closes what it leads to, with its bytes, before the kernel does. 0, or -errno: the number is
 * MIO's own and cannot be given up without dropping a lock of the program, or bytes cannot be written, and would be lost.
 */
static int make_way(struct mio_door_copying *copying)
{
	int copy = copying->copy;
	int rc;

	if (mio_os_is_own_descriptor(copy)) {
		int before = mio_door_enter();

		rc = before ? -EBUSY : mio_os_own_descriptor_moved(copy);
		mio_door_leave(before);
		return rc;
	}
	mio_door_waiting_ends(copy);
	if (mio_door_file(copy) && is_in_use(copying->fd)) {
		rc = write_last(copy);
		if (rc < 0)
			return rc;
		/* Until the kernel has made the copy, and if it refuses, calls that see no layers use the number at the kernel's position. */
		mio_door_pass(copy);
		mio_door_close_untold(copy);
		copying->gave_way = 1;
	}
	return 0;
}

/*
 * A thread that looked the number up before the table knew the copy may come at any later time, and moves the kernel's position. So the open
 * stays at that position, and no page hides what is written that way.
 */
static void stay_with_kernel(int fd)
{
	struct mio_file *file;

	mio_door_pass(fd);
	file = mio_door_use(fd);
	if (!file)
		return;
	if ((file->oflags & O_ACCMODE) != O_RDONLY)
		mio_pf_file_go_past(mio_stack_file(file->stack));
	mio_door_unuse(file);
}

/* For a signal handler of the only thread: the kernel gets the position. The file is held. */
static void show_position(struct mio_door_copying *copying)
{
	struct mio_file *file = copying->file;

	if (atomic_load(&file->way) != MIO_WAY_OURS) {
		/* A call by the number before the table knows it must find the right position with the kernel, at any later time. */
		mio_stack_stay(file->stack, "its descriptor was copied");
		return;
	}
	mio_stack_publish(file->stack);
	mio_raw3(SYS_lseek, copying->fd, file->position, SEEK_SET);
	copying->shows = 1;
}

static void take_position(struct mio_door_copying *copying)
{
	struct mio_file *file = copying->file;
	int64_t now = mio_raw3(SYS_lseek, copying->fd, 0, SEEK_CUR);

	if (now >= 0 && now != file->position) {
		file->position = now;
		mio_pf_file_forget(mio_stack_file(file->stack));
	}
}

int mio_door_copying_begin(struct mio_door_copying *copying, int fd, int copy)
{
	int takes, rc;

	*copying = (struct mio_door_copying){.fd = fd, .copy = copy};
	if (fd == copy)
		return 0;
	rc = copy >= 0 ? make_way(copying) : 0;
	if (rc < 0 || !mio_door_file(fd))
		return rc;
	takes = copy >= 0 && is_in_use(copy);
	if (takes && mio_door_has_threads())
		stay_with_kernel(fd);
	copying->file = mio_door_lock(fd);
	if (!copying->file)
		return 0;
	if (!mio_door_count_number(copying->file)) {
		/* The open is being closed. */
		mio_door_unlock(copying->file);
		return -EBADF;
	}
	if (takes && !mio_door_has_threads())
		show_position(copying);
	return 0;
}

/* Makes the copy lead to the file that was held, and lets that go. */
static void copied(struct mio_door_copying *copying, int copy)
{
	struct mio_file *file = copying->file;
	int leads = copy >= 0 && copy != copying->fd && (uint32_t)copy < mio_door_table_size;

	if (copying->shows)
		take_position(copying);
	if (copy >= 0 && copy != copying->fd)
		mio_door_new_descriptor(copy);
	if (leads)
		mio_door_table_lead(copy, file);
	mio_door_unlock(file);
	if (!leads)
		mio_door_uncount_number(file, copying->fd);
	else if (copy <= MIO_DOOR_STANDARD_MAX)
		mio_door_standard(copy);
}

/* For a copy during which no file was held: fd had no layers, or a signal handler interrupted its own thread inside. */
static void copied_beside(int fd, int copy)
{
	struct mio_file *file;
	int before;

	mio_door_new_descriptor(copy);
	file = mio_door_file(fd);
	/* An open that waits cannot be decided while this thread is inside; then it never is, because the table would not know the copy. */
	if (!file || mio_door_waiting_ends(fd) || (uint32_t)copy >= mio_door_table_size || mio_door_check_fork())
		return;
	if (!mio_door_thread.inside) {
		/* The number was closed and is another open by now. It is not known of which of the two this is a copy. */
		mio_door_unseen_descriptor(copy);
		return;
	}
	before = mio_door_enter();
	if (mio_door_count_number(file)) {
		if (atomic_load(&mio_door_table[fd]) == file)
			mio_door_table_lead(copy, file);
		else
			/* The number was closed meanwhile, and may be in use for another open. */
			mio_door_uncount_number(file, copy);
	}
	mio_door_leave(before);
}

void mio_door_copying_end(struct mio_door_copying *copying, int rc)
{
	if (copying->file)
		copied(copying, rc);
	else if (rc >= 0 && rc != copying->fd)
		copied_beside(copying->fd, rc);
	/* What the number led to is still open, and MIO no longer sees what is done with it. */
	if (rc < 0 && copying->gave_way)
		mio_door_unseen_descriptor(copying->copy);
}

/*
 * Descriptors that are copied: dup and its kind. Copies lead to the file of the open they are of.
 *
 * The file is held while the kernel makes the copy: who closes the number takes it out of the table, and then waits for the file before the kernel
 * closes it. So the number leads to the same open before and after, whatever other threads do; and as the copy is counted before it is there,
 * the file has a number until then.
 */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "../common/raw.h"
#include "../os/os_layer.h"
#include "../pf/pf_layer.h"
#include "door_table.h"

/* 1 if the number leads somewhere: other threads may be using it. */
static int is_in_use(int fd)
{
	return mio_raw2(SYS_fcntl, fd, F_GETFD) >= 0;
}

/* What is dirty of the last number of an open: 0, or -errno if it cannot be written. */
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
 * A number that is about to lead elsewhere: what it led to is closed, with its bytes, before the kernel does it. 0, or -errno:
 * it is MIO's own and cannot be given up without dropping a lock of the program's, or bytes cannot be written, and would be lost.
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
		/* Until the kernel has it, and if it refuses, the number is used at the kernel's position by who sees no layers. */
		mio_door_pass(copy);
		mio_door_close_untold(copy);
		copying->gave_way = 1;
	}
	return 0;
}

/* Of the C library, where it has it; MIO's own threads do not count. */
extern char __libc_single_threaded __attribute__((weak));

int mio_door_has_threads(void)
{
	return !&__libc_single_threaded || !__libc_single_threaded;
}

/*
 * Who has looked the number up before the table knows comes by it at any later time, and moves the kernel's position: the open stays at that, and
 * what is written so no page hides.
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

/* For a handler of the only thread. The file is held. */
static void show_position(struct mio_door_copying *copying)
{
	struct mio_file *file = copying->file;

	if (atomic_load(&file->way) != MIO_WAY_OURS) {
		/* Who comes by the number before the table knows it must find the position where it is, at any later time. */
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
		/* It is being closed. */
		mio_door_unlock(copying->file);
		return -EBADF;
	}
	if (takes && !mio_door_has_threads())
		show_position(copying);
	return 0;
}

/* The copy leads to the file that was held, which goes on. */
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

/* No file was held: fd had no layers, or a handler came upon its own thread inside. */
static void copied_beside(int fd, int copy)
{
	struct mio_file *file;
	int before;

	mio_door_new_descriptor(copy);
	file = mio_door_file(fd);
	/* Not decided while this thread is inside: then it never is, as nobody would know of the copy. */
	if (!file || mio_door_waiting_ends(fd) || (uint32_t)copy >= mio_door_table_size || mio_door_check_fork())
		return;
	if (!mio_door_thread.inside) {
		/* The number was closed and has another open by now. Of which of the two this is a copy nobody knows. */
		mio_door_unseen_descriptor(copy);
		return;
	}
	before = mio_door_enter();
	if (mio_door_count_number(file)) {
		if (atomic_load(&mio_door_table[fd]) == file)
			mio_door_table_lead(copy, file);
		else
			/* Closed meanwhile, and perhaps in use for another open. */
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
	/* What it led to is open still, and nobody sees what is done with it. */
	if (rc < 0 && copying->gave_way)
		mio_door_unseen_descriptor(copying->copy);
}

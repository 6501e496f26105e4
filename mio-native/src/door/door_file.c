/* Calls about a file rather than its bytes, and calls that go past the layers. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "../common/memory.h"
#include "../common/raw.h"
#include "../pf/pf_layer.h"
#include "door_table.h"

int64_t mio_door_truncate(int fd, int64_t size)
{
	struct mio_file *file = mio_door_use(fd);
	struct mio_door_limit limit;
	int64_t result;

	if (!file)
		return MIO_DOOR_PASS;
	if (size < 0 || (file->oflags & O_ACCMODE) == O_RDONLY) {
		result = -EINVAL;
	} else {
		mio_door_limit_enter(&limit);
		result = mio_door_limit_leave(&limit, mio_stack_truncate(file->stack, size));
	}
	mio_door_unuse(file);
	return result;
}

int64_t mio_door_sync(int fd, int metadata)
{
	struct mio_file *file = mio_door_use(fd);
	int64_t result;

	if (!file)
		return MIO_DOOR_PASS;
	result = mio_stack_flush(file->stack, metadata);
	mio_door_unuse(file);
	return result;
}

int64_t mio_door_publish(int fd)
{
	struct mio_file *file = mio_door_use(fd);
	int64_t result;

	if (!file)
		return MIO_DOOR_PASS;
	result = mio_stack_publish(file->stack);
	/* A caller that is told the size will read up to it. */
	if (result == 0 && mio_stack_file(file->stack) && mio_pf_file_is_cached(mio_stack_file(file->stack)))
		mio_pf_file_show(mio_stack_file(file->stack));
	mio_door_unuse(file);
	return result;
}

int mio_door_publish_inode(uint64_t device, uint64_t inode)
{
	struct mio_pf_file *pages;
	int rc = 0;

	if (!mio_door_is_open() || !mio_pf_file_any() || mio_door_thread.inside || mio_door_check_fork())
		return 0;
	mio_door_thread.inside = 1;
	pages = mio_pf_file_find(device, inode);
	if (pages) {
		rc = mio_pf_file_show(pages);
		mio_pf_file_leave(pages);
	}
	mio_door_left();
	return rc < 0 ? rc : pages != NULL;
}

int mio_door_publish_name(int directory, const char *name, int follow)
{
	struct stat found;
	int flags = (follow ? 0 : AT_SYMLINK_NOFOLLOW) | AT_EMPTY_PATH;
	int rc;

	if (!mio_door_is_open() || !mio_pf_file_any() ||
	    mio_raw4(SYS_newfstatat, directory, name ? name : "", &found, flags) < 0)
		return 0;
	rc = mio_door_publish_inode((uint64_t)found.st_dev, (uint64_t)found.st_ino);
	return rc < 0 ? rc : 0;
}

/* The file with pages at a name, links followed, or NULL. It has been entered: mio_pf_file_leave follows. */
static struct mio_pf_file *pages_at(const char *name)
{
	struct stat found;

	if (mio_raw4(SYS_newfstatat, AT_FDCWD, name, &found, 0) < 0)
		return NULL;
	return mio_pf_file_find((uint64_t)found.st_dev, (uint64_t)found.st_ino);
}

static int may_have_pages(const char *name)
{
	return name && mio_door_is_open() && mio_pf_file_any() && !mio_door_thread.inside && !mio_door_check_fork();
}

struct mio_pf_file *mio_door_resizing(const char *name)
{
	struct mio_pf_file *pages;

	if (!may_have_pages(name))
		return NULL;
	mio_door_thread.inside = 1;
	pages = pages_at(name);
	if (pages)
		mio_pf_file_publish(pages);
	mio_door_left();
	return pages;
}

void mio_door_resized(const char *name, struct mio_pf_file *pages)
{
	if (!pages && !may_have_pages(name))
		return;
	mio_door_thread.inside = 1;
	/* The file may have got pages meanwhile. */
	if (!pages)
		pages = pages_at(name);
	if (pages) {
		mio_pf_file_forget(pages);
		mio_pf_file_leave(pages);
	}
	mio_door_left();
}

/* Returns the first error of a file on the device, or 0. */
static int publish_everything(uint64_t device)
{
	int rc;

	if (!mio_door_is_open() || !mio_pf_file_any() || mio_door_thread.inside || mio_door_check_fork())
		return 0;
	mio_door_thread.inside = 1;
	rc = mio_pf_publish_all(device);
	mio_door_left();
	return rc;
}

void mio_door_publish_everything(void)
{
	publish_everything(0);
}

int mio_door_publish_beside(int fd)
{
	struct stat found;

	if (!mio_pf_file_any())
		return 0;
	return publish_everything(mio_raw2(SYS_fstat, fd, &found) == 0 ? (uint64_t)found.st_dev : 0);
}

static void leave(struct mio_file *file, int how)
{
	if (how & MIO_DOOR_ALONE)
		mio_pf_file_unalone(mio_stack_file(file->stack));
	if (how & MIO_DOOR_AT_POSITION)
		mio_door_unlock(file);
	else
		mio_door_unuse(file);
}

int mio_door_bypass_begin(int fd, enum mio_bypass kind, int64_t offset, int64_t length, int how,
			  struct mio_file **found)
{
	int at_position = how & MIO_DOOR_AT_POSITION;
	struct mio_file *file = at_position ? mio_door_lock(fd) : mio_door_use(fd);
	int rc;

	*found = NULL;
	if (!file)
		return 0;
	if (how & MIO_DOOR_ALONE)
		mio_pf_file_alone(mio_stack_file(file->stack));
	rc = mio_stack_bypass_begin(file->stack, kind, offset, length);
	if (rc < 0) {
		leave(file, how);
		return rc;
	}
	if (at_position && atomic_load(&file->way) == MIO_WAY_OURS)
		mio_raw3(SYS_lseek, fd, file->position, SEEK_SET);
	/*
	 * The program's call runs between begin and end. A signal handler that closes the file then would wait for this call, and one that jumps away
	 * would leave the file held for ever. So handlers run after it, unless the call waits for others.
	 */
	if (!how)
		mio_door_thread.brackets++;
	else if (how == MIO_DOOR_WAITS)
		mio_door_left();
	*found = file;
	return 0;
}

void mio_door_bypass_end(struct mio_file *file, int fd, enum mio_bypass kind, int64_t offset, int64_t length, int how,
			 int done)
{
	int64_t now;

	if (!file)
		return;
	mio_door_thread.inside = 1;
	if (!how)
		mio_door_thread.brackets--;
	if (how & MIO_DOOR_AT_POSITION) {
		now = mio_raw3(SYS_lseek, fd, 0, SEEK_CUR);
		if (now >= 0)
			file->position = now;
	}
	mio_open_call.fd = fd;
	mio_stack_bypass_end(file->stack, kind, offset, length, done);
	leave(file, how);
}

uint64_t mio_door_let_go(struct mio_file *file)
{
	uint64_t number = file ? file->number : 0;

	if (!file)
		return 0;
	mio_door_thread.inside = 1;
	mio_door_thread.brackets--;
	mio_door_unuse(file);
	return number;
}

struct mio_file *mio_door_hold_again(int fd, uint64_t number)
{
	struct mio_file *file = number != 0 ? mio_door_use(fd) : NULL;

	if (file && file->number != number) {
		mio_door_unuse(file);
		file = NULL;
	}
	if (file)
		mio_door_thread.brackets++;
	return file;
}

int mio_door_publish_position(int fd, int at_position)
{
	struct mio_file *file = mio_door_lock(fd);
	int rc;

	if (!file)
		return 0;
	rc = mio_stack_publish(file->stack);
	if (at_position && atomic_load(&file->way) == MIO_WAY_OURS)
		mio_raw3(SYS_lseek, fd, file->position, SEEK_SET);
	mio_door_unlock(file);
	return rc;
}

void mio_door_take_position(int fd, uint64_t number)
{
	struct mio_file *file = number != 0 ? mio_door_lock(fd) : NULL;
	int64_t now;

	if (!file)
		return;
	now = file->number == number ? mio_raw3(SYS_lseek, fd, 0, SEEK_CUR) : -1;
	if (now >= 0)
		file->position = now;
	mio_door_unlock(file);
}

void mio_door_go_past(int fd)
{
	struct mio_file *file = mio_door_use(fd);

	if (file) {
		mio_pf_file_go_past(mio_stack_file(file->stack));
		mio_door_unuse(file);
	}
}

/* Has the open go past its cache for good. why: in words. */
static void pass(int fd, const char *why)
{
	struct mio_file *file = mio_door_lock(fd);
	int flags;

	if (!file)
		return;
	mio_stack_stay(file->stack, why);
	mio_stack_publish(file->stack);
	if (atomic_load(&file->way) == MIO_WAY_OURS)
		mio_raw3(SYS_lseek, fd, file->position, SEEK_SET);
	if (atomic_load(&file->way) != MIO_WAY_KERNEL) {
		mio_stack_give_pages(file->stack, why);
		atomic_store(&file->way, MIO_WAY_PASSED);
	}
	flags = (int)mio_raw3(SYS_fcntl, fd, F_GETFL, 0);
	if (flags >= 0)
		file->oflags = flags;
	mio_door_unlock(file);
}

void mio_door_pass(int fd)
{
	pass(fd, "it is used where MIO does not see it");
}

void mio_door_flags_changed(int fd)
{
	struct mio_file *file = mio_door_lock(fd);
	int way = MIO_WAY_KERNEL;
	int flags;

	if (!file)
		return;
	flags = (int)mio_raw3(SYS_fcntl, fd, F_GETFL, 0);
	if (flags >= 0) {
		file->oflags = flags;
		way = atomic_load(&file->way);
	}
	mio_door_unlock(file);
	/* Layers with a cache write at the position they know, and from memory at any address: neither fits append or direct descriptors. */
	if (way != MIO_WAY_KERNEL && (flags & (O_APPEND | O_DIRECT)))
		pass(fd, MIO_DOOR_NOT_FOLLOWED);
}

/* ---- files that are used where MIO does not see it: for good, as nothing tells when that ends */

int mio_door_is_unseen(uint64_t device, uint64_t inode)
{
	return mio_pf_mapped_has(device, inode);
}

static void use_unseen(uint64_t device, uint64_t inode, int (*note)(uint64_t device, uint64_t inode))
{
	struct mio_pf_file *pages;
	int rc;

	if (!mio_door_is_open() || mio_door_thread.inside || mio_door_check_fork())
		return;
	mio_door_thread.inside = 1;
	rc = note(device, inode);
	pages = mio_pf_file_any() ? mio_pf_file_find(device, inode) : NULL;
	if (pages) {
		mio_pf_file_go_past(pages);
		mio_pf_file_leave(pages);
	}
	mio_door_left();
	if (rc < 0)
		mio_door_foreign();
}

void mio_door_unseen(uint64_t device, uint64_t inode)
{
	use_unseen(device, inode, mio_pf_mapped_add);
}

void mio_door_mapped(uint64_t device, uint64_t inode)
{
	use_unseen(device, inode, mio_pf_mapped_add_writing);
}

void mio_door_unseen_descriptor(int fd)
{
	struct stat found;

	if (mio_door_is_open() && mio_raw2(SYS_fstat, fd, &found) == 0 && S_ISREG(found.st_mode))
		mio_door_unseen((uint64_t)found.st_dev, (uint64_t)found.st_ino);
}

void mio_door_beside(int fd)
{
	int flags = (int)mio_raw2(SYS_fcntl, fd, F_GETFL);
	struct mio_pf_file *pages;
	struct stat found;

	if (!mio_door_is_open() || !mio_pf_file_any() || mio_door_thread.inside || mio_door_check_fork() || flags < 0 ||
	    mio_raw2(SYS_fstat, fd, &found) < 0 || !S_ISREG(found.st_mode))
		return;
	mio_door_thread.inside = 1;
	pages = mio_pf_file_find((uint64_t)found.st_dev, (uint64_t)found.st_ino);
	if (pages) {
		/* A descriptor that only reads finds every write with the kernel. */
		if ((flags & O_ACCMODE) == O_RDONLY)
			mio_pf_file_go_through(pages);
		else
			mio_pf_file_go_past(pages);
		mio_pf_file_leave(pages);
	}
	mio_door_left();
}

/* fcntl on a file with layers, and locks by any call. */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "../common/raw.h"
#include "../pf/pf_layer.h"
#include "door.h"
#include "door_table.h"

/* A lock range relative to the position or to the end: the kernel has to know these. */
static void show_origin(int fd, const struct flock *lock)
{
	if (lock && lock->l_whence != SEEK_SET)
		mio_door_publish_position(fd, 1);
}

/*
 * A lock of the whole file keeps everybody out. With a lock of a part others write next to it meanwhile, and no sector of a page may overwrite
 * their bytes.
 */
static int64_t part_of(const struct flock *lock)
{
	return lock && (lock->l_whence != SEEK_SET || lock->l_start != 0 || lock->l_len != 0) ? 1 : INT64_MAX;
}

/* After an unlock others look at the file. They are waiting for the lock, so it is given back even if something could not be written. */
static int give_back(int fd, int command, const struct flock *lock, mio_door_call *call)
{
	struct mio_file *file;
	int written = mio_door_bypass_begin(fd, MIO_BYPASS_UNLOCK, 0, INT64_MAX, 0, &file);
	int rc = call(fd, command, lock);

	mio_door_bypass_end(file, fd, MIO_BYPASS_UNLOCK, 0, INT64_MAX, 0, rc == 0);
	if (rc < 0 || written >= 0)
		return rc;
	errno = -written;
	return -1;
}

/* For what concerns all files and must not be done inside a call of MIO's. */
static void tell_all(void (*told)(void))
{
	int error = errno;

	if (!mio_door_is_open() || mio_door_thread.inside || mio_door_check_fork())
		return;
	mio_door_thread.inside = 1;
	told();
	mio_door_left();
	errno = error;
}

/*
 * 1 for a file that is mapped for writing. If parts of it are locked, it is memory that the program shares with other processes. What they tell
 * each other there may concern any of their files, and MIO does not see it (the -shm file of SQLite, whose locks are for its database and its
 * log).
 */
static int is_shared_memory(int fd)
{
	struct stat found;

	return mio_pf_mapped_any() && mio_raw2(SYS_fstat, fd, &found) == 0 &&
	       mio_pf_mapped_has_writing((uint64_t)found.st_dev, (uint64_t)found.st_ino);
}

static int locking(int fd, int command, const struct flock *lock, mio_door_call *call)
{
	struct mio_file *file;
	int rc;

	show_origin(fd, lock);
	if (lock && lock->l_type == F_UNLCK)
		return give_back(fd, command, lock, call);
	/* If a lock for writing becomes one for reading, others read from now on. */
	if (lock && lock->l_type == F_RDLCK) {
		int64_t result = mio_door_publish(fd);

		if (result < 0 && result != MIO_DOOR_PASS) {
			errno = (int)-result;
			return -1;
		}
	}
	/* The call may wait for ever, so nothing is held meanwhile. Others may have written by the time the lock is granted. */
	rc = call(fd, command, lock);
	if (rc == 0 && mio_door_bypass_begin(fd, MIO_BYPASS_LOCK, 0, part_of(lock), 0, &file) == 0)
		mio_door_bypass_end(file, fd, MIO_BYPASS_LOCK, 0, part_of(lock), 0, 1);
	return rc;
}

int mio_door_locking(int fd, int command, const struct flock *lock, mio_door_call *call)
{
	int shared = is_shared_memory(fd);
	int rc;

	if (shared)
		tell_all(mio_pf_share_all);
	rc = mio_door_file(fd) ? locking(fd, command, lock, call) : call(fd, command, lock);
	/* Also where another process has the lock: a refused lock tells something, too. */
	if (shared && !(lock && lock->l_type == F_UNLCK))
		tell_all(mio_pf_forget_all);
	return rc;
}

int mio_door_sees_locks(int fd)
{
	return mio_door_file(fd) || mio_pf_mapped_any();
}

/* Unlocking never waits, but the commands that may wait are cancellation points. */
static int without_waiting(int command, const struct flock *lock)
{
	if (!lock || lock->l_type != F_UNLCK)
		return command;
	return command == F_SETLKW ? F_SETLK : command == F_OFD_SETLKW ? F_OFD_SETLK : command;
}

int mio_door_fcntl(int fd, int command, const void *argument, mio_door_call *call)
{
	int rc;

	switch (command) {
	case F_SETLK:
	case F_SETLKW:
	case F_OFD_SETLK:
	case F_OFD_SETLKW:
		if (mio_door_is_no_place(argument, sizeof(struct flock)))
			return call(fd, command, argument);
		return mio_door_locking(fd, without_waiting(command, argument), argument, call);
	case F_GETLK:
	case F_OFD_GETLK:
		if (!mio_door_is_no_place(argument, sizeof(struct flock)))
			show_origin(fd, argument);
		return call(fd, command, argument);
	case F_SETFL:
		rc = call(fd, command, argument);
		if (rc == 0)
			mio_door_flags_changed(fd);
		return rc;
	case F_SETLEASE:
	case F_ADD_SEALS:
	case F_NOTIFY:
		mio_door_go_past(fd);
		return call(fd, command, argument);
	default:
		return call(fd, command, argument);
	}
}

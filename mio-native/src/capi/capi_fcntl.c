/* fcntl: copies of descriptors, locks, flags. */
#include "capi.h"

#include <fcntl.h>
#include <stdarg.h>

/* A lock taken: others may have written meanwhile. A lock given back: others look now. */
static int lock(int fd, int command, const struct flock *lock)
{
	struct mio_file *file;
	int rc;

	if (lock && lock->l_type == F_UNLCK) {
		rc = mio_door_bypass_begin(fd, MIO_BYPASS_UNLOCK, 0, INT64_MAX, 0, &file);
		if (rc < 0)
			return (int)mio_capi_result(rc);
		rc = fcntl(fd, command, lock);
		mio_door_bypass_end(file, fd, MIO_BYPASS_UNLOCK, 0, INT64_MAX, 0, rc == 0);
		return rc;
	}
	/* It may wait for ever: nothing is held meanwhile. */
	rc = fcntl(fd, command, lock);
	if (rc == 0 && mio_door_bypass_begin(fd, MIO_BYPASS_LOCK, 0, INT64_MAX, 0, &file) == 0)
		mio_door_bypass_end(file, fd, MIO_BYPASS_LOCK, 0, INT64_MAX, 0, 1);
	return rc;
}

static int of_file(int fd, int command, const void *argument)
{
	int rc;

	switch (command) {
	case F_SETLK:
	case F_SETLKW:
	case F_OFD_SETLK:
	case F_OFD_SETLKW:
		return lock(fd, command, argument);
	case F_SETFL:
		rc = fcntl(fd, command, argument);
		if (rc == 0)
			mio_door_flags_changed(fd);
		return rc;
	case F_SETLEASE:
	case F_ADD_SEALS:
	case F_NOTIFY:
		mio_door_go_past(fd);
		return fcntl(fd, command, argument);
	default:
		return fcntl(fd, command, argument);
	}
}

int MIO_fcntl(int fd, int command, ...)
{
	const void *argument;
	va_list arguments;
	int copy;

	/* Whatever its type, it comes in one word. */
	va_start(arguments, command);
	argument = va_arg(arguments, const void *);
	va_end(arguments);
	if (mio_os_is_own_descriptor(fd))
		return mio_capi_bad_descriptor();
	if (command == F_DUPFD || command == F_DUPFD_CLOEXEC) {
		copy = fcntl(fd, command, argument);
		if (copy >= 0)
			mio_door_duplicated(fd, copy);
		return copy;
	}
	if (command == F_SETLK || command == F_SETLKW)
		mio_os_posix_lock_coming();
	return mio_door_file(fd) ? of_file(fd, command, argument) : fcntl(fd, command, argument);
}

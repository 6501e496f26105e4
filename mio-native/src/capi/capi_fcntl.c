/* MIO_fcntl: copies of descriptors, locks, flags. */
#include "capi.h"

#include <fcntl.h>
#include <stdarg.h>

static int plain(int fd, int command, const void *argument)
{
	return fcntl(fd, command, argument);
}

int MIO_fcntl(int fd, int command, ...)
{
	const void *argument;
	va_list arguments;
	struct mio_door_copying copying;
	int rc;

	/* The argument takes one word, whatever its type. */
	va_start(arguments, command);
	argument = va_arg(arguments, const void *);
	va_end(arguments);
	if (mio_os_is_own_descriptor(fd))
		return mio_capi_bad_descriptor();
	if (command == F_DUPFD || command == F_DUPFD_CLOEXEC) {
		rc = mio_door_copying_begin(&copying, fd, -1);
		if (rc < 0)
			return (int)mio_capi_result(rc);
		rc = fcntl(fd, command, argument);
		mio_door_copying_end(&copying, rc);
		return rc;
	}
	if (command == F_SETLK || command == F_SETLKW)
		mio_os_posix_lock_coming();
	return mio_door_sees_locks(fd) ? mio_door_fcntl(fd, command, argument, plain) : plain(fd, command, argument);
}

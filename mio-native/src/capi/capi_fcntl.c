/* fcntl: copies of descriptors, locks, flags. */
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
	return mio_door_file(fd) ? mio_door_fcntl(fd, command, argument, plain) : plain(fd, command, argument);
}

/* Opening, closing and copying descriptors. To the program, MIO's own descriptors, which serve pages, do not exist. */
#include "capi.h"

#include <fcntl.h>
#include <stdarg.h>
#include <unistd.h>

/*
 * Makes the plain open, and again where the rule says so. Cancellation is disabled while the open cuts a file with pages: a
 * thread cancelled here would leave that file locked.
 */
static int open_between(struct mio_door_opening *opening)
{
	int state = PTHREAD_CANCEL_ENABLE;
	int cuts = opening->cut != NULL;
	int error;
	int fd;

	if (cuts)
		pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
	for (;;) {
		fd = open(opening->name, opening->oflags, (mode_t)opening->mode);
		if (fd >= 0) {
			mio_door_opened(opening, fd);
			break;
		}
		error = errno;
		if (!mio_door_open_failed(opening, error)) {
			errno = error;
			break;
		}
	}
	if (cuts)
		pthread_setcancelstate(state, &state);
	return fd;
}

int MIO_open64(const char *path, int oflag, int mode, struct mio_extra *extra)
{
	const struct mio_stack_spec *spec = NULL;
	struct mio_door_opening opening;
	int rc;
	int fd;

	/* Answered as the kernel would: MIO reads the name itself, and the C library's open may not be called with NULL. */
	if (mio_door_is_no_place(path, 1))
		return (int)mio_capi_result(-EFAULT);
	mio_capi_begin();
	if (mio_door_is_open())
		mio_door_limits_changed();
	rc = mio_door_is_open() ? mio_capi_choose(path, extra, &spec) : 0;
	if (rc < 0)
		return (int)mio_capi_result(rc);
	if (mio_door_opening_with(&opening, spec, AT_FDCWD, path, oflag, mode))
		return open_between(&opening);
	fd = open(path, oflag, (mode_t)mode);
	if (fd >= 0)
		mio_door_opened_beside(path, oflag, fd);
	return fd;
}

int MIO_open(const char *path, int oflag, int mode, struct mio_extra *extra)
{
	return MIO_open64(path, oflag, mode, extra);
}

int MIO_open_variadic(const char *path, int oflag, ...)
{
	int mode = 0;

	if ((oflag & O_CREAT) || (oflag & O_TMPFILE) == O_TMPFILE) {
		va_list arguments;

		va_start(arguments, oflag);
		mode = va_arg(arguments, int);
		va_end(arguments);
	}
	return MIO_open64(path, oflag, mode, NULL);
}

int MIO_close(int fd)
{
	int error;
	int rc;

	if (mio_os_is_own_descriptor(fd))
		return mio_capi_bad_descriptor();
	if (!mio_door_file(fd))
		return close(fd);
	error = mio_door_close(fd);
	rc = close(fd);
	return rc == 0 && error < 0 ? (int)mio_capi_result(error) : rc;
}

int MIO_dup(int fd)
{
	struct mio_door_copying copying;
	int rc;

	if (mio_os_is_own_descriptor(fd))
		return mio_capi_bad_descriptor();
	rc = mio_door_copying_begin(&copying, fd, -1);
	if (rc < 0)
		return (int)mio_capi_result(rc);
	rc = dup(fd);
	mio_door_copying_end(&copying, rc);
	return rc;
}

int MIO_dup2(int fd, int copy)
{
	struct mio_door_copying copying;
	int rc;

	if (mio_os_is_own_descriptor(fd))
		return mio_capi_bad_descriptor();
	if (fd == copy)
		return dup2(fd, copy);
	rc = mio_door_copying_begin(&copying, fd, copy);
	if (rc < 0)
		return (int)mio_capi_result(rc);
	rc = dup2(fd, copy);
	mio_door_copying_end(&copying, rc);
	return rc;
}

int MIO_unlink(const char *path)
{
	return unlink(path);
}

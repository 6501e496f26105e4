/*
 * Streams. The C library reads and writes its streams by functions that cannot be wrapped. So a stream on a file with layers is a stream of
 * cookies: its bytes go through the functions of preload_cookie.c, on a real descriptor, which fileno returns, too.
 *
 * Left to the C library: streams on files that are to have no layers, modes only it knows (",ccs="), programs that write wide characters, which
 * streams of cookies cannot (preload_wide.c), tmpfile and popen. A file has no cache while a stream of the C library that can write it is open. A
 * stream of cookies buffers as many bytes as the C library's own would, so that a trace shows the requests that the program makes.
 */
#include "preload.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "../stats/stats_process.h"
#include "preload_cookie.h"
#include "preload_wrappers.h"

typedef FILE *open_stream_function(const char *name, const char *mode);
typedef FILE *reopen_stream_function(const char *name, const char *mode, FILE *stream);
typedef FILE *descriptor_stream_function(int fd, const char *mode);

/* Notes a stream of the C library's on a descriptor with layers: MIO does not see what it reads and writes. */
static FILE *unseen(FILE *stream)
{
	if (stream)
		mio_door_unseen_descriptor(fileno(stream));
	return stream;
}

/* The same on a descriptor without layers, which the C library may have opened inside itself. */
static FILE *beside(FILE *stream)
{
	if (stream) {
		mio_door_new_descriptor(fileno(stream));
		mio_door_beside(fileno(stream));
	}
	return stream;
}

MIO_WRAPPER FILE *mio_pre_fopen(const char *name, const char *mode)
{
	open_stream_function *real = MIO_REAL_NOW(fopen, open_stream_function *);
	FILE *stream;
	int flags;
	int fd;

	if (!name || !mode || !mio_door_concerns(name))
		return real(name, mode);
	flags = mio_preload_mode_flags(mode);
	if (flags < 0 || mio_preload_is_wide()) {
		mio_door_publish_name(AT_FDCWD, name, 1);
		return beside(real(name, mode));
	}
	fd = mio_preload_open(AT_FDCWD, name, flags, 0666, 0);
	if (fd < 0)
		return NULL;
	stream = mio_door_file(fd) ? mio_preload_stream_on(fd, flags) : NULL;
	/* As the C library does: a stream that only appends has the end as its first position. */
	if (stream && (flags & O_APPEND) && (flags & O_ACCMODE) == O_WRONLY)
		mio_pre_lseek(fd, 0, SEEK_END);
	if (!stream) {
		descriptor_stream_function *real_on = MIO_REAL_NOW(fdopen, descriptor_stream_function *);

		mio_door_pass(fd);
		stream = mio_door_file(fd) ? unseen(real_on(fd, mode)) : beside(real_on(fd, mode));
	}
	if (!stream) {
		int error = errno;

		mio_pre_close(fd);
		errno = error;
	} else if (flags & O_CLOEXEC) {
		stream->_flags2 |= MIO_PRELOAD_CLOSED_ON_EXEC;
	}
	return stream;
}
MIO_EXPORT(fopen, mio_pre_fopen);
MIO_EXPORT(fopen64, mio_pre_fopen);

MIO_WRAPPER FILE *mio_pre_fdopen(int fd, const char *mode)
{
	descriptor_stream_function *real = MIO_REAL_NOW(fdopen, descriptor_stream_function *);
	int flags = mio_door_decide(fd) && mode ? mio_preload_mode_flags(mode) : -1;
	long have = flags < 0 ? -1 : mio_raw2(SYS_fcntl, fd, F_GETFL);
	FILE *stream;

	/* The C library refuses modes that do not fit the descriptor; streams of modes that MIO does not know read and write past MIO. */
	if (mio_door_file(fd) && (flags < 0 || mio_preload_is_wide())) {
		mio_door_pass(fd);
		return unseen(real(fd, mode));
	}
	if (have < 0 || ((have & O_ACCMODE) != O_RDWR && (have & O_ACCMODE) != (flags & O_ACCMODE)))
		return real(fd, mode);
	if ((flags & O_APPEND) && !(have & O_APPEND)) {
		mio_pre_fcntl(fd, F_SETFL, have | O_APPEND);
		/* As the C library does: a stream that only appends begins at the end. */
		if ((flags & O_ACCMODE) == O_WRONLY)
			mio_pre_lseek(fd, 0, SEEK_END);
	}
	stream = mio_preload_stream_on(fd, flags);
	if (!stream)
		mio_door_pass(fd);
	return stream ? stream : unseen(real(fd, mode));
}
MIO_EXPORT(fdopen, mio_pre_fdopen);

MIO_WRAPPER FILE *mio_pre_freopen(const char *name, const char *mode, FILE *stream)
{
	reopen_stream_function *real = MIO_REAL_NOW(freopen, reopen_stream_function *);
	struct mio_preload_cookie *cookie = mio_preload_cookie_of(stream);
	int fd;

	if (cookie && name && strstr(mode, ",ccs=")) {
		fclose(stream);
		return mio_pre_fopen(name, mode);
	}
	if (cookie)
		return mio_preload_cookie_reopen(cookie, name, mode);
	if (!mio_door_is_open() || !stream)
		return real(name, mode, stream);
	/* The C library closes the number where MIO does not see it. */
	fd = fileno(stream);
	if (fd >= 0 && mio_door_file(fd)) {
		fflush(stream);
		mio_door_close_untold(fd);
	}
	if (!name || !mio_door_concerns(name))
		return real(name, mode, stream);
	mio_door_publish_name(AT_FDCWD, name, 1);
	return beside(real(name, mode, stream));
}
MIO_EXPORT(freopen, mio_pre_freopen);
MIO_EXPORT(freopen64, mio_pre_freopen);

static void tell_of_close(FILE *stream)
{
	int errno_before = errno;
	int fd = fileno(stream);

	if (fd >= 0)
		mio_stats_standard_closed((unsigned int)fd, (unsigned int)fd);
	errno = errno_before;
}

/* For a stream of the C library's on a descriptor with layers: the C library closes the number where MIO does not see it. */
MIO_WRAPPER int mio_pre_fclose(FILE *stream)
{
	typedef int function(FILE *);
	int fd = mio_door_is_open() && !mio_preload_cookie_of(stream) ? fileno(stream) : -1;
	int error = 0;
	int rc;

	tell_of_close(stream);
	if (fd >= 0 && mio_door_file(fd)) {
		fflush(stream);
		error = mio_door_close(fd);
	}
	rc = MIO_REAL_NOW(fclose, function *)(stream);
	return rc == 0 && error < 0 ? (int)mio_preload_result(error) : rc;
}
MIO_EXPORT(fclose, mio_pre_fclose);

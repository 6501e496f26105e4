/* Opens: the program's own call is made with the real function, then the descriptor gets its layers. */
#include "preload.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

typedef int open_function(const char *name, int oflags, ...);
typedef int openat_function(int directory, const char *name, int oflags, ...);
typedef int make_function(char *template);
typedef int make_flags_function(char *template, int flags);
typedef int make_suffix_function(char *template, int suffix);
typedef int make_suffix_flags_function(char *template, int suffix, int flags);

static int takes_mode(int oflags)
{
	return (oflags & O_CREAT) || (oflags & O_TMPFILE) == O_TMPFILE;
}

static int plain(int directory, const char *name, int oflags, mode_t mode, int is_at)
{
	open_function *open_real = MIO_REAL(open, open_function *);
	openat_function *openat_real = MIO_REAL(openat, openat_function *);

	if (is_at ? !openat_real : !open_real)
		return (int)mio_preload_result(mio_raw4(SYS_openat, directory, name, oflags, mode));
	return is_at ? openat_real(directory, name, oflags, mode) : open_real(name, oflags, mode);
}

/* waits: it may be decided later whether the file gets layers. */
static int open_file(int directory, const char *name, int oflags, mode_t mode, int is_at, int waits)
{
	struct mio_door_opening opening;
	int state = PTHREAD_CANCEL_ENABLE;
	int cuts;
	int fd;

	if (!mio_door_opening(&opening, directory, name, oflags, (int)mode)) {
		fd = plain(directory, name, oflags, mode, is_at);
		if (fd >= 0)
			mio_door_opened_beside(name, oflags, fd);
		return fd;
	}
	opening.waits = waits && opening.may_wait;
	/* A thread that is cancelled here would leave the file locked. */
	cuts = opening.cut != NULL;
	if (cuts)
		pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
	for (;;) {
		int error;

		fd = plain(directory, name, opening.oflags, (mode_t)opening.mode, is_at);
		if (fd >= 0)
			break;
		error = errno;
		if (!mio_door_open_failed(&opening, error)) {
			errno = error;
			break;
		}
	}
	if (fd >= 0) {
		mio_door_opened(&opening, fd);
		if (mio_door_layered(fd))
			mio_preload_guard_signals();
	}
	if (cuts)
		pthread_setcancelstate(state, &state);
	return fd;
}

int mio_preload_open(int directory, const char *name, int oflags, mode_t mode, int is_at)
{
	return open_file(directory, name, oflags, mode, is_at, 0);
}

void mio_preload_adopt(int fd, const char *name, int oflags)
{
	struct mio_door_opening opening;
	int asked = oflags & ~O_TRUNC;

	mio_door_new_descriptor(fd);
	if (mio_door_opening(&opening, AT_FDCWD, name, asked, 0600)) {
		opening.oflags = asked;
		mio_door_opened(&opening, fd);
		if (mio_door_file(fd))
			mio_preload_guard_signals();
	}
}

MIO_WRAPPER int mio_pre_open(const char *name, int oflags, ...)
{
	mode_t mode = 0;

	if (takes_mode(oflags)) {
		va_list arguments;

		va_start(arguments, oflags);
		mode = va_arg(arguments, mode_t);
		va_end(arguments);
	}
	return open_file(AT_FDCWD, name, oflags, mode, 0, 1);
}
MIO_EXPORT(open, mio_pre_open);
MIO_EXPORT(open64, mio_pre_open);
MIO_EXPORT(__open, mio_pre_open);
MIO_EXPORT(__open64, mio_pre_open);

MIO_WRAPPER int mio_pre_openat(int directory, const char *name, int oflags, ...)
{
	mode_t mode = 0;

	if (takes_mode(oflags)) {
		va_list arguments;

		va_start(arguments, oflags);
		mode = va_arg(arguments, mode_t);
		va_end(arguments);
	}
	return open_file(directory, name, oflags, mode, 1, 1);
}
MIO_EXPORT(openat, mio_pre_openat);
MIO_EXPORT(openat64, mio_pre_openat);

/* Fortified callers: the C library ends a program that creates a file without giving a mode. */
MIO_WRAPPER int mio_pre_open_2(const char *name, int oflags)
{
	typedef int function(const char *, int);

	if (takes_mode(oflags))
		return MIO_REAL_NOW(__open_2, function *)(name, oflags);
	return open_file(AT_FDCWD, name, oflags, 0, 0, 1);
}
MIO_EXPORT(__open_2, mio_pre_open_2);
MIO_EXPORT(__open64_2, mio_pre_open_2);

MIO_WRAPPER int mio_pre_openat_2(int directory, const char *name, int oflags)
{
	typedef int function(int, const char *, int);

	if (takes_mode(oflags))
		return MIO_REAL_NOW(__openat_2, function *)(directory, name, oflags);
	return open_file(directory, name, oflags, 0, 1, 1);
}
MIO_EXPORT(__openat_2, mio_pre_openat_2);
MIO_EXPORT(__openat64_2, mio_pre_openat_2);

MIO_WRAPPER int mio_pre_creat(const char *name, mode_t mode)
{
	return mio_preload_open(AT_FDCWD, name, O_WRONLY | O_CREAT | O_TRUNC, mode, 0);
}
MIO_EXPORT(creat, mio_pre_creat);
MIO_EXPORT(creat64, mio_pre_creat);

static int adopted(int fd, const char *name, int flags)
{
	if (fd >= 0)
		mio_preload_adopt(fd, name, O_RDWR | O_CREAT | O_EXCL | flags);
	return fd;
}

MIO_WRAPPER int mio_pre_mkstemp(char *template)
{
	return adopted(MIO_REAL_NOW(mkstemp, make_function *)(template), template, 0);
}
MIO_EXPORT(mkstemp, mio_pre_mkstemp);
MIO_EXPORT(mkstemp64, mio_pre_mkstemp);

MIO_WRAPPER int mio_pre_mkostemp(char *template, int flags)
{
	return adopted(MIO_REAL_NOW(mkostemp, make_flags_function *)(template, flags), template, flags);
}
MIO_EXPORT(mkostemp, mio_pre_mkostemp);
MIO_EXPORT(mkostemp64, mio_pre_mkostemp);

MIO_WRAPPER int mio_pre_mkstemps(char *template, int suffix)
{
	return adopted(MIO_REAL_NOW(mkstemps, make_suffix_function *)(template, suffix), template, 0);
}
MIO_EXPORT(mkstemps, mio_pre_mkstemps);
MIO_EXPORT(mkstemps64, mio_pre_mkstemps);

MIO_WRAPPER int mio_pre_mkostemps(char *template, int suffix, int flags)
{
	return adopted(MIO_REAL_NOW(mkostemps, make_suffix_flags_function *)(template, suffix, flags), template, flags);
}
MIO_EXPORT(mkostemps, mio_pre_mkostemps);
MIO_EXPORT(mkostemps64, mio_pre_mkostemps);

/* Calls that make descriptors without files: their numbers may have been closed where MIO did not see it. */
#define MAKES_ONE(name, parameters, arguments, number, ...) \
	MIO_WRAPPER int mio_pre_##name parameters \
	{ \
		typedef int function parameters; \
		function *real = MIO_REAL(name, function *); \
		int fd = real ? real arguments : (int)mio_preload_result(mio_raw4(number, __VA_ARGS__)); \
		if (fd >= 0) \
			mio_door_new_descriptor(fd); \
		return fd; \
	} \
	MIO_EXPORT(name, mio_pre_##name)

struct sockaddr;
MAKES_ONE(socket, (int domain, int type, int protocol), (domain, type, protocol), SYS_socket, domain, type, protocol, 0);
MAKES_ONE(accept, (int fd_, struct sockaddr *address, uint32_t *length), (fd_, address, length), SYS_accept, fd_, address,
	  length, 0);
MAKES_ONE(accept4, (int fd_, struct sockaddr *address, uint32_t *length, int flags), (fd_, address, length, flags),
	  SYS_accept4, fd_, address, length, flags);
MAKES_ONE(epoll_create1, (int flags), (flags), SYS_epoll_create1, flags, 0, 0, 0);
MAKES_ONE(open_by_handle_at, (int mount, struct file_handle *handle, int flags), (mount, handle, flags),
	  SYS_open_by_handle_at, mount, handle, flags, 0);
MAKES_ONE(memfd_create, (const char *name, unsigned int flags), (name, flags), SYS_memfd_create, name, flags, 0, 0);

MIO_WRAPPER int mio_pre_pipe2(int *ends, int flags)
{
	typedef int function(int *, int);
	function *real = MIO_REAL(pipe2, function *);
	int rc = real ? real(ends, flags) : (int)mio_preload_result(mio_raw2(SYS_pipe2, ends, flags));

	if (rc == 0) {
		mio_door_new_descriptor(ends[0]);
		mio_door_new_descriptor(ends[1]);
	}
	return rc;
}
MIO_EXPORT(pipe2, mio_pre_pipe2);

MIO_WRAPPER int mio_pre_pipe(int *ends)
{
	typedef int function(int *);
	function *real = MIO_REAL(pipe, function *);
	int rc = real ? real(ends) : (int)mio_preload_result(mio_raw2(SYS_pipe2, ends, 0));

	if (rc == 0) {
		mio_door_new_descriptor(ends[0]);
		mio_door_new_descriptor(ends[1]);
	}
	return rc;
}
MIO_EXPORT(pipe, mio_pre_pipe);

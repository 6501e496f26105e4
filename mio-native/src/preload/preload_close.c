/* Closing and copying descriptors. To the program, MIO's own descriptors do not exist. */
#include "preload.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>

#include "../os/os_layer.h"
#include "../stats/stats_process.h"

#ifndef CLOSE_RANGE_UNSHARE
#define CLOSE_RANGE_UNSHARE (1U << 1)
#endif
#ifndef CLOSE_RANGE_CLOEXEC
#define CLOSE_RANGE_CLOEXEC (1U << 2)
#endif

typedef int close_function(int fd);
typedef int close_range_function(unsigned int first, unsigned int last, int flags);
typedef int dup_function(int fd);
typedef int dup2_function(int fd, int copy);
typedef int dup3_function(int fd, int copy, int flags);
typedef int fcntl_function(int fd, int command, ...);

static int bad_descriptor(void)
{
	errno = EBADF;
	return -1;
}

static int plain_close(int fd)
{
	close_function *real = MIO_REAL(close, close_function *);

	return real ? real(fd) : (int)mio_preload_result(mio_raw1(SYS_close, fd));
}

MIO_WRAPPER int mio_pre_close(int fd)
{
	int error;
	int rc;

	if (mio_os_is_own_descriptor(fd))
		return bad_descriptor();
	if (fd >= 0)
		mio_stats_standard_closed((unsigned int)fd, (unsigned int)fd);
	if (!mio_door_file(fd))
		return plain_close(fd);
	error = mio_door_close(fd);
	rc = plain_close(fd);
	return rc == 0 && error < 0 ? (int)mio_preload_result(error) : rc;
}
MIO_EXPORT(close, mio_pre_close);
MIO_EXPORT(__close, mio_pre_close);

/* Closes a range that contains no descriptor of MIO's own. */
static int plain_close_range(unsigned int first, unsigned int last, int flags)
{
	close_range_function *real = MIO_REAL(close_range, close_range_function *);

	return real ? real(first, last, flags) : (int)mio_preload_result(mio_raw3(SYS_close_range, first, last, flags));
}

static int close_around_own(unsigned int first, unsigned int last, int flags)
{
	unsigned int from = first;
	int own;
	int rc = 0;

	while (rc == 0 && from <= last && from <= INT_MAX && (own = mio_os_own_descriptor_from((int)from)) >= 0 &&
	       (unsigned int)own <= last) {
		if ((unsigned int)own > from)
			rc = plain_close_range(from, (unsigned int)own - 1, flags);
		from = (unsigned int)own + 1;
	}
	return rc == 0 && from <= last ? plain_close_range(from, last, flags) : rc;
}

/*
 * Asked before layers are given up: 0 if the kernel closes ranges with these flags, or -errno (before Linux 5.9, or where a filter
 * refuses it). Asks with an empty range, only once if without flags.
 */
static int refuses_range(int flags)
{
	static _Atomic int closes;
	int rc;

	if (mio_door_table_size == 0 || (flags == 0 && atomic_load_explicit(&closes, memory_order_relaxed)))
		return 0;
	rc = (int)mio_raw3(SYS_close_range, UINT_MAX, UINT_MAX, flags);
	if (rc == 0)
		atomic_store_explicit(&closes, 1, memory_order_relaxed);
	return rc;
}

/* The C library closes the number later where MIO does not see it. */
MIO_WRAPPER DIR *mio_pre_fdopendir(int fd)
{
	typedef DIR *function(int);
	DIR *directory = MIO_REAL_NOW(fdopendir, function *)(fd);

	if (directory)
		mio_door_new_descriptor(fd);
	return directory;
}
MIO_EXPORT(fdopendir, mio_pre_fdopendir);

MIO_WRAPPER int mio_pre_close_range(unsigned int first, unsigned int last, int flags)
{
	int unshares = ((unsigned int)flags & CLOSE_RANGE_UNSHARE) != 0;
	int error;
	int rc;

	/* These close nothing: they set a flag, or are refused. */
	if (first > last || ((unsigned int)flags & ~CLOSE_RANGE_UNSHARE))
		return plain_close_range(first, last, flags);
	/* Threads of MIO's keep the table of descriptors they have now, so they end; new ones begin with the caller's. */
	if (unshares) {
		mio_door_tables_part();
		mio_door_drain();
	}
	rc = refuses_range(flags);
	if (rc < 0)
		return (int)mio_preload_result(rc);
	mio_stats_standard_closed(first, last);
	error = mio_door_close_range(first, last);
	if (unshares)
		mio_door_drain();
	rc = close_around_own(first, last, flags);
	return rc == 0 && error < 0 ? (int)mio_preload_result(error) : rc;
}
MIO_EXPORT(close_range, mio_pre_close_range);

MIO_WRAPPER void mio_pre_closefrom(int first)
{
	unsigned int from = first < 0 ? 0 : (unsigned int)first;
	int errno_before = errno;

	mio_door_close_range_untold(from, UINT_MAX);
	mio_stats_standard_closed(from, UINT_MAX);
	if (close_around_own(from, UINT_MAX, 0) < 0) {
		/* Linux before 5.9, or a filter. */
		for (unsigned int fd = from; fd < (1U << 20); fd++)
			if (!mio_os_is_own_descriptor((int)fd))
				mio_raw1(SYS_close, fd);
	}
	errno = errno_before;
}
MIO_EXPORT(closefrom, mio_pre_closefrom);

MIO_WRAPPER int mio_pre_dup(int fd)
{
	dup_function *real = MIO_REAL(dup, dup_function *);
	struct mio_door_copying copying;
	int rc;

	if (mio_os_is_own_descriptor(fd))
		return bad_descriptor();
	rc = mio_door_copying_begin(&copying, fd, -1);
	if (rc < 0)
		return (int)mio_preload_result(rc);
	rc = real ? real(fd) : (int)mio_preload_result(mio_raw1(SYS_dup, fd));
	mio_door_copying_end(&copying, rc);
	return rc;
}
MIO_EXPORT(dup, mio_pre_dup);

static int plain_dup3(int fd, int copy, int flags)
{
	dup3_function *real = MIO_REAL(dup3, dup3_function *);

	return real ? real(fd, copy, flags) : (int)mio_preload_result(mio_raw3(SYS_dup3, fd, copy, flags));
}

MIO_WRAPPER int mio_pre_dup3(int fd, int copy, int flags)
{
	struct mio_door_copying copying;
	int rc;

	if (mio_os_is_own_descriptor(fd))
		return bad_descriptor();
	/* The kernel will refuse, so nothing is given up for the call. */
	if (fd == copy || (flags & ~O_CLOEXEC))
		return plain_dup3(fd, copy, flags);
	rc = mio_door_copying_begin(&copying, fd, copy);
	if (rc < 0)
		return (int)mio_preload_result(rc);
	rc = plain_dup3(fd, copy, flags);
	if (rc >= 0)
		mio_stats_standard_copied(copy);
	mio_door_copying_end(&copying, rc);
	return rc;
}
MIO_EXPORT(dup3, mio_pre_dup3);

MIO_WRAPPER int mio_pre_dup2(int fd, int copy)
{
	dup2_function *real = MIO_REAL(dup2, dup2_function *);
	struct mio_door_copying copying;
	int rc;

	if (mio_os_is_own_descriptor(fd))
		return bad_descriptor();
	if (fd == copy) {
		if (real)
			return real(fd, copy);
		return mio_raw2(SYS_fcntl, fd, F_GETFD) < 0 ? bad_descriptor() : fd;
	}
	rc = mio_door_copying_begin(&copying, fd, copy);
	if (rc < 0)
		return (int)mio_preload_result(rc);
	rc = real ? real(fd, copy) : (int)mio_preload_result(mio_raw3(SYS_dup3, fd, copy, 0));
	if (rc >= 0)
		mio_stats_standard_copied(copy);
	mio_door_copying_end(&copying, rc);
	return rc;
}
MIO_EXPORT(dup2, mio_pre_dup2);
MIO_EXPORT(__dup2, mio_pre_dup2);

static int plain_fcntl(int fd, int command, const void *argument)
{
	fcntl_function *real = MIO_REAL(fcntl, fcntl_function *);

	return real ? real(fd, command, argument)
		    : (int)mio_preload_result(mio_raw3(SYS_fcntl, fd, command, argument));
}

static int copy_by_fcntl(int fd, int command, const void *argument)
{
	struct mio_door_copying copying;
	int rc = mio_door_copying_begin(&copying, fd, -1);

	if (rc < 0)
		return (int)mio_preload_result(rc);
	rc = plain_fcntl(fd, command, argument);
	mio_door_copying_end(&copying, rc);
	return rc;
}

MIO_WRAPPER int mio_pre_fcntl(int fd, int command, ...)
{
	const void *argument;
	va_list arguments;

	/* The argument takes one word, whatever its type. */
	va_start(arguments, command);
	argument = va_arg(arguments, const void *);
	va_end(arguments);
	if (mio_os_is_own_descriptor(fd))
		return bad_descriptor();
	if (command == F_SETLK || command == F_SETLKW)
		mio_os_posix_lock_coming();
	if (command == F_DUPFD || command == F_DUPFD_CLOEXEC)
		return copy_by_fcntl(fd, command, argument);
	return mio_door_sees_locks(fd) ? mio_door_fcntl(fd, command, argument, plain_fcntl)
				       : plain_fcntl(fd, command, argument);
}
MIO_EXPORT(fcntl, mio_pre_fcntl);
MIO_EXPORT(fcntl64, mio_pre_fcntl);
MIO_EXPORT(__fcntl, mio_pre_fcntl);

static int plain_flock(int fd, int operation, const void *unused)
{
	typedef int function(int, int);

	(void)unused;
	return MIO_REAL(flock, function *) ? MIO_REAL(flock, function *)(fd, operation)
					   : (int)mio_preload_result(mio_raw2(SYS_flock, fd, operation));
}

MIO_WRAPPER int mio_pre_flock(int fd, int operation)
{
	struct flock like = {.l_type = F_WRLCK};

	if (operation & 8 /* LOCK_UN */)
		like.l_type = F_UNLCK;
	else if (operation & 1 /* LOCK_SH */)
		like.l_type = F_RDLCK;

	return mio_door_sees_locks(fd) ? mio_door_locking(fd, operation, &like, plain_flock) : plain_flock(fd, operation, NULL);
}
MIO_EXPORT(flock, mio_pre_flock);

static int plain_lockf(int fd, int command, const void *argument)
{
	typedef int function(int, int, off_t);
	const struct flock *lock = argument;

	return MIO_REAL_NOW(lockf, function *)(fd, command, lock->l_len);
}

MIO_WRAPPER int mio_pre_lockf(int fd, int command, off_t length)
{
	struct flock like = {.l_type = command == F_ULOCK ? F_UNLCK : F_WRLCK, .l_len = length};
	struct mio_file *file;

	mio_os_posix_lock_coming();
	if (!mio_door_sees_locks(fd))
		return plain_lockf(fd, command, &like);
	/* The lock is relative to the position, which the kernel has to know. */
	if (mio_door_bypass_begin(fd, MIO_BYPASS_LOCK, 0, INT64_MAX, 1, &file) == 0)
		mio_door_bypass_end(file, fd, MIO_BYPASS_LOCK, 0, INT64_MAX, 1, 0);
	like.l_start = mio_raw3(SYS_lseek, fd, 0, SEEK_CUR);
	return mio_door_locking(fd, command, &like, plain_lockf);
}
MIO_EXPORT(lockf, mio_pre_lockf);
MIO_EXPORT(lockf64, mio_pre_lockf);

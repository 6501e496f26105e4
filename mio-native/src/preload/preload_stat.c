/*
 * Attributes. A file with pages is written out and the kernel asked again, so that size, blocks and times are as without MIO. For all
 * other files the kernel's first answer is right.
 */
#include "preload.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "../pf/pf_layer.h"

typedef int stat_function(const char *name, struct stat *found);
typedef int fstat_function(int fd, struct stat *found);
typedef int fstatat_function(int directory, const char *name, struct stat *found, int flags);
typedef int xstat_function(int version, const char *name, struct stat *found);
typedef int fxstat_function(int version, int fd, struct stat *found);
typedef int fxstatat_function(int version, int directory, const char *name, struct stat *found, int flags);
typedef int statx_function(int directory, const char *name, int flags, unsigned int mask, struct statx *found);

int mio_preload_is_old(long rc, const struct stat *found)
{
	return rc == 0 && mio_door_is_open() && mio_pf_file_any() && S_ISREG(found->st_mode) &&
	       mio_door_publish_inode((uint64_t)found->st_dev, (uint64_t)found->st_ino);
}

int mio_preload_is_old_statx(long rc, const struct statx *found)
{
	return rc == 0 && mio_door_is_open() && mio_pf_file_any() &&
	       mio_door_publish_inode((uint64_t)makedev(found->stx_dev_major, found->stx_dev_minor), found->stx_ino);
}

static int plain_at(int directory, const char *name, struct stat *found, int flags)
{
	return (int)mio_preload_result(mio_raw4(SYS_newfstatat, directory, name, found, flags));
}

#define TWICE(call) \
	do { \
		int rc_ = call; \
		return mio_preload_is_old(rc_, found) ? call : rc_; \
	} while (0)

static int plain_stat(const char *name, struct stat *found)
{
	stat_function *real = MIO_REAL(stat, stat_function *);

	return real ? real(name, found) : plain_at(AT_FDCWD, name, found, 0);
}

MIO_WRAPPER int mio_pre_stat(const char *name, struct stat *found)
{
	TWICE(plain_stat(name, found));
}
MIO_EXPORT(stat, mio_pre_stat);
MIO_EXPORT(stat64, mio_pre_stat);

static int plain_lstat(const char *name, struct stat *found)
{
	stat_function *real = MIO_REAL(lstat, stat_function *);

	return real ? real(name, found) : plain_at(AT_FDCWD, name, found, AT_SYMLINK_NOFOLLOW);
}

MIO_WRAPPER int mio_pre_lstat(const char *name, struct stat *found)
{
	TWICE(plain_lstat(name, found));
}
MIO_EXPORT(lstat, mio_pre_lstat);
MIO_EXPORT(lstat64, mio_pre_lstat);

static int plain_fstat(int fd, struct stat *found)
{
	fstat_function *real = MIO_REAL(fstat, fstat_function *);

	return real ? real(fd, found) : (int)mio_preload_result(mio_raw2(SYS_fstat, fd, found));
}

/* For an open that waits: the program's call gives MIO the attributes that it would have to ask for. */
static int fstat_waiting(int rc, int fd, uint64_t life, const struct stat *found)
{
	if (rc == 0)
		mio_door_told(fd, life, found);
	return rc;
}

MIO_WRAPPER int mio_pre_fstat(int fd, struct stat *found)
{
	struct mio_file *file = mio_door_file(fd);

	if (file == &mio_door_waiting && !mio_pf_file_any()) {
		uint64_t life = mio_door_waiting_life(fd);

		return fstat_waiting(plain_fstat(fd, found), fd, life, found);
	}
	if (file && mio_door_publish(fd) == 0)
		return plain_fstat(fd, found);
	TWICE(plain_fstat(fd, found));
}
MIO_EXPORT(fstat, mio_pre_fstat);
MIO_EXPORT(fstat64, mio_pre_fstat);

static int plain_fstatat(int directory, const char *name, struct stat *found, int flags)
{
	fstatat_function *real = MIO_REAL(fstatat, fstatat_function *);

	return real ? real(directory, name, found, flags) : plain_at(directory, name, found, flags);
}

MIO_WRAPPER int mio_pre_fstatat(int directory, const char *name, struct stat *found, int flags)
{
	TWICE(plain_fstatat(directory, name, found, flags));
}
MIO_EXPORT(fstatat, mio_pre_fstatat);
MIO_EXPORT(fstatat64, mio_pre_fstatat);

/* Names that programs built before glibc 2.33 call. */

static int plain_xstat(int version, const char *name, struct stat *found)
{
	xstat_function *real = MIO_REAL(__xstat, xstat_function *);

	return real ? real(version, name, found) : plain_at(AT_FDCWD, name, found, 0);
}

MIO_WRAPPER int mio_pre_xstat(int version, const char *name, struct stat *found)
{
	TWICE(plain_xstat(version, name, found));
}
MIO_EXPORT(__xstat, mio_pre_xstat);
MIO_EXPORT(__xstat64, mio_pre_xstat);

static int plain_lxstat(int version, const char *name, struct stat *found)
{
	xstat_function *real = MIO_REAL(__lxstat, xstat_function *);

	return real ? real(version, name, found) : plain_at(AT_FDCWD, name, found, AT_SYMLINK_NOFOLLOW);
}

MIO_WRAPPER int mio_pre_lxstat(int version, const char *name, struct stat *found)
{
	TWICE(plain_lxstat(version, name, found));
}
MIO_EXPORT(__lxstat, mio_pre_lxstat);
MIO_EXPORT(__lxstat64, mio_pre_lxstat);

static int plain_fxstat(int version, int fd, struct stat *found)
{
	fxstat_function *real = MIO_REAL(__fxstat, fxstat_function *);

	return real ? real(version, fd, found) : (int)mio_preload_result(mio_raw2(SYS_fstat, fd, found));
}

MIO_WRAPPER int mio_pre_fxstat(int version, int fd, struct stat *found)
{
	if (mio_door_file(fd) == &mio_door_waiting && !mio_pf_file_any()) {
		uint64_t life = mio_door_waiting_life(fd);

		return fstat_waiting(plain_fxstat(version, fd, found), fd, life, found);
	}
	TWICE(plain_fxstat(version, fd, found));
}
MIO_EXPORT(__fxstat, mio_pre_fxstat);
MIO_EXPORT(__fxstat64, mio_pre_fxstat);

static int plain_fxstatat(int version, int directory, const char *name, struct stat *found, int flags)
{
	fxstatat_function *real = MIO_REAL(__fxstatat, fxstatat_function *);

	return real ? real(version, directory, name, found, flags) : plain_at(directory, name, found, flags);
}

MIO_WRAPPER int mio_pre_fxstatat(int version, int directory, const char *name, struct stat *found, int flags)
{
	TWICE(plain_fxstatat(version, directory, name, found, flags));
}
MIO_EXPORT(__fxstatat, mio_pre_fxstatat);
MIO_EXPORT(__fxstatat64, mio_pre_fxstatat);

static int plain_statx(int directory, const char *name, int flags, unsigned int mask, struct statx *found)
{
	statx_function *real = MIO_REAL(statx, statx_function *);

	return real ? real(directory, name, flags, mask, found)
		    : (int)mio_preload_result(mio_raw5(SYS_statx, directory, name, flags, mask, found));
}

MIO_WRAPPER int mio_pre_statx(int directory, const char *name, int flags, unsigned int mask, struct statx *found)
{
	int rc = plain_statx(directory, name, flags, mask, found);

	return mio_preload_is_old_statx(rc, found) ? plain_statx(directory, name, flags, mask, found) : rc;
}
MIO_EXPORT(statx, mio_pre_statx);

/*
 * Calls that show a file under a name or set its attributes: what is written so far goes to the kernel first. Programs use rename to
 * show a finished file to others, and times set by the program must not be changed by a late write.
 */
#include "preload.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <utime.h>

#define REAL_OR(name, type, arguments, raw) \
	(MIO_REAL(name, type *) ? MIO_REAL(name, type *) arguments : (int)mio_preload_result(raw))

/* 0 or -errno: a file that cannot be written is not shown. */
#define SHOWN_AS(directory, name, follow) mio_door_publish_name(directory, name, (follow) != 0)
#define SHOWN(directory, name) SHOWN_AS(directory, name, 1)
#define SHOWN_ITSELF(directory, name) SHOWN_AS(directory, name, 0)
#define SHOWN_BY(fd) (mio_door_file(fd) ? mio_door_publish(fd) : 0)

/* The common form: name and parameters, what is written before, the system call. */
#define WRAP(name, parameters, arguments, before, raw) \
	MIO_WRAPPER int mio_pre_##name parameters \
	{ \
		typedef int function parameters; \
		int64_t error = before; \
		if (mio_preload_is_unshown(error)) \
			return (int)mio_preload_result(error); \
		return REAL_OR(name, function, arguments, raw); \
	} \
	MIO_EXPORT(name, mio_pre_##name)

/* The same for calls that have no system call of the same shape on every processor. */
#define WRAP_NOW(name, parameters, arguments, before) \
	MIO_WRAPPER int mio_pre_##name parameters \
	{ \
		typedef int function parameters; \
		int64_t error = before; \
		if (mio_preload_is_unshown(error)) \
			return (int)mio_preload_result(error); \
		return MIO_REAL_NOW(name, function *) arguments; \
	} \
	MIO_EXPORT(name, mio_pre_##name)

/* ---- names */

WRAP(rename, (const char *from, const char *to), (from, to), SHOWN_ITSELF(AT_FDCWD, from),
     mio_raw5(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0));
WRAP(renameat, (int at, const char *from, int to_at, const char *to), (at, from, to_at, to), SHOWN_ITSELF(at, from),
     mio_raw5(SYS_renameat2, at, from, to_at, to, 0));
WRAP(renameat2, (int at, const char *from, int to_at, const char *to, unsigned int flags), (at, from, to_at, to, flags),
     SHOWN_ITSELF(at, from) ?: ((flags & RENAME_EXCHANGE) ? SHOWN_ITSELF(to_at, to) : 0),
     mio_raw5(SYS_renameat2, at, from, to_at, to, flags));
WRAP(link, (const char *from, const char *to), (from, to), SHOWN_ITSELF(AT_FDCWD, from),
     mio_raw5(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0));
WRAP(linkat, (int at, const char *from, int to_at, const char *to, int flags), (at, from, to_at, to, flags),
     SHOWN_AS(at, from, flags & AT_SYMLINK_FOLLOW), mio_raw5(SYS_linkat, at, from, to_at, to, flags));

/* ---- times */

WRAP(futimens, (int fd, const struct timespec *times), (fd, times), SHOWN_BY(fd),
     mio_raw4(SYS_utimensat, fd, NULL, times, 0));
WRAP(utimensat, (int at, const char *name, const struct timespec *times, int flags), (at, name, times, flags),
     SHOWN_AS(at, name, !(flags & AT_SYMLINK_NOFOLLOW)), mio_raw4(SYS_utimensat, at, name, times, flags));
WRAP_NOW(utimes, (const char *name, const struct timeval *times), (name, times), SHOWN(AT_FDCWD, name));
WRAP_NOW(lutimes, (const char *name, const struct timeval *times), (name, times), SHOWN_ITSELF(AT_FDCWD, name));
WRAP_NOW(futimes, (int fd, const struct timeval *times), (fd, times), SHOWN_BY(fd));
WRAP_NOW(futimesat, (int at, const char *name, const struct timeval *times), (at, name, times), SHOWN(at, name));
WRAP_NOW(utime, (const char *name, const struct utimbuf *times), (name, times), SHOWN(AT_FDCWD, name));

/* ---- modes and owners: a later write would take a set-user-id bit away */

WRAP(chmod, (const char *name, mode_t mode), (name, mode), SHOWN(AT_FDCWD, name),
     mio_raw3(SYS_fchmodat, AT_FDCWD, name, mode));
WRAP(fchmod, (int fd, mode_t mode), (fd, mode), SHOWN_BY(fd), mio_raw2(SYS_fchmod, fd, mode));
WRAP_NOW(fchmodat, (int at, const char *name, mode_t mode, int flags), (at, name, mode, flags),
	 SHOWN_AS(at, name, !(flags & AT_SYMLINK_NOFOLLOW)));
WRAP(chown, (const char *name, uid_t user, gid_t group), (name, user, group), SHOWN(AT_FDCWD, name),
     mio_raw5(SYS_fchownat, AT_FDCWD, name, user, group, 0));
WRAP(lchown, (const char *name, uid_t user, gid_t group), (name, user, group), SHOWN_ITSELF(AT_FDCWD, name),
     mio_raw5(SYS_fchownat, AT_FDCWD, name, user, group, AT_SYMLINK_NOFOLLOW));
WRAP(fchown, (int fd, uid_t user, gid_t group), (fd, user, group), SHOWN_BY(fd), mio_raw3(SYS_fchown, fd, user, group));
WRAP(fchownat, (int at, const char *name, uid_t user, gid_t group, int flags), (at, name, user, group, flags),
     SHOWN_AS(at, name, !(flags & AT_SYMLINK_NOFOLLOW)), mio_raw5(SYS_fchownat, at, name, user, group, flags));

/* ---- extended attributes: a later write would remove capabilities as well */

WRAP(setxattr, (const char *name, const char *key, const void *value, size_t length, int flags),
     (name, key, value, length, flags), SHOWN(AT_FDCWD, name), mio_raw5(SYS_setxattr, name, key, value, length, flags));
WRAP(lsetxattr, (const char *name, const char *key, const void *value, size_t length, int flags),
     (name, key, value, length, flags), SHOWN_ITSELF(AT_FDCWD, name),
     mio_raw5(SYS_lsetxattr, name, key, value, length, flags));
WRAP(fsetxattr, (int fd, const char *key, const void *value, size_t length, int flags), (fd, key, value, length, flags),
     SHOWN_BY(fd), mio_raw5(SYS_fsetxattr, fd, key, value, length, flags));

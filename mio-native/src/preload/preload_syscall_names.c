/*
 * syscall(): numbers of calls that give a file a name, set its attributes or ask for them. As in preload_paths.c and preload_stat.c,
 * what is written so far goes to the kernel first, or before it is asked again. But the call is the kernel's own: the functions of the
 * C library refuse some of what the kernel accepts (no name: the descriptor's file), and do by other calls what it refuses.
 */
#include "preload.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

#include "preload_syscall.h"

/* Since Linux 6.6; the same on every processor. */
#ifndef SYS_fchmodat2
#define SYS_fchmodat2 452
#endif

/* The show functions return 1, or -errno: a file that cannot be written is not shown. */

static int shown(int64_t published)
{
	return mio_preload_is_unshown(published) ? (int)published : 1;
}

static int show(long directory, long name, long follow)
{
	return shown(mio_door_publish_name((int)directory, (const char *)name, follow != 0));
}

static int show_by(int fd)
{
	return shown(mio_door_file(fd) ? mio_door_publish(fd) : 0);
}

static long stat_twice(long number, const long *w, const struct stat *found)
{
	long rc = mio_preload_plain(number, w);

	return mio_preload_is_old(rc, found) ? mio_preload_plain(number, w) : rc;
}

static long statx_twice(const long *w, const struct statx *found)
{
	long rc = mio_preload_plain(SYS_statx, w);

	return mio_preload_is_old_statx(rc, found) ? mio_preload_plain(SYS_statx, w) : rc;
}

/* Serves calls that ask for attributes. 1 if the number is one of these. */
static int asks(long number, const long *w, long *result)
{
	switch (number) {
#ifdef SYS_stat
	case SYS_stat:
	case SYS_lstat:
		*result = stat_twice(number, w, (const struct stat *)w[1]);
		return 1;
#endif
	case SYS_newfstatat:
		*result = stat_twice(number, w, (const struct stat *)w[2]);
		return 1;
	case SYS_statx:
		*result = statx_twice(w, (const struct statx *)w[4]);
		return 1;
	default:
		return 0;
	}
}

static int show_before_attributes(long number, const long *w)
{
	switch (number) {
#ifdef SYS_chmod
	case SYS_chmod:
	case SYS_chown:
	case SYS_utime:
	case SYS_utimes:
		return show(AT_FDCWD, w[0], 1);
	case SYS_lchown:
		return show(AT_FDCWD, w[0], 0);
	case SYS_futimesat:
#endif
	case SYS_fchmodat:
		return show(w[0], w[1], 1);
	case SYS_utimensat:
	case SYS_fchmodat2:
		return show(w[0], w[1], !(w[3] & AT_SYMLINK_NOFOLLOW));
	case SYS_fchownat:
		return show(w[0], w[1], !(w[4] & AT_SYMLINK_NOFOLLOW));
	case SYS_setxattr:
		return show(AT_FDCWD, w[0], 1);
	case SYS_lsetxattr:
		return show(AT_FDCWD, w[0], 0);
	case SYS_fchmod:
	case SYS_fchown:
	case SYS_fsetxattr:
		return show_by((int)w[0]);
	default:
		return 0;
	}
}

/* Writes out what the call is about to show. 0: the number is none of these calls. */
static int show_before(long number, const long *w)
{
	int rc;

	switch (number) {
#ifdef SYS_rename
	case SYS_rename:
		return show(AT_FDCWD, w[0], 0);
#endif
#ifdef SYS_renameat
	case SYS_renameat:
		return show(w[0], w[1], 0);
#endif
	case SYS_renameat2:
		rc = show(w[0], w[1], 0);
		return rc < 0 || !(w[4] & RENAME_EXCHANGE) ? rc : show(w[2], w[3], 0);
#ifdef SYS_link
	case SYS_link:
		return show(AT_FDCWD, w[0], 0);
#endif
	case SYS_linkat:
		return show(w[0], w[1], w[4] & AT_SYMLINK_FOLLOW);
	default:
		return show_before_attributes(number, w);
	}
}

int mio_preload_by_name(long number, const long *w, long *result)
{
	int before;

	if (asks(number, w, result))
		return 1;
	before = show_before(number, w);
	if (before)
		*result = before < 0 ? mio_preload_result(before) : mio_preload_plain(number, w);
	return before != 0;
}

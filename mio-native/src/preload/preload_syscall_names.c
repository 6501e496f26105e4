/*
 * syscall(): numbers of calls that give a file a name, or set its attributes or ask for them. As in preload_paths.c and preload_stat.c what is written so
 * far goes to the kernel first, or before it is asked again; but the call is the kernel's own, as the functions of the C library refuse some of
 * what it takes (no name: the descriptor's file), and do by other calls what it refuses.
 */
#include "preload.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "../pf/pf_layer.h"
#include "preload_syscall.h"

/* Linux 6.6; the same on every processor. */
#ifndef SYS_fchmodat2
#define SYS_fchmodat2 452
#endif

static void show(long directory, long name)
{
	mio_door_publish_name((int)directory, (const char *)name, 1);
}

static void show_itself(long directory, long name)
{
	mio_door_publish_name((int)directory, (const char *)name, 0);
}

static long stat_twice(long number, const long *w, const struct stat *found)
{
	long rc = mio_preload_plain(number, w);

	if (rc == 0 && mio_pf_file_any() && S_ISREG(found->st_mode) &&
	    mio_door_publish_inode((uint64_t)found->st_dev, (uint64_t)found->st_ino))
		return mio_preload_plain(number, w);
	return rc;
}

static long statx_twice(const long *w, const struct statx *found)
{
	long rc = mio_preload_plain(SYS_statx, w);

	if (rc == 0 && mio_pf_file_any() &&
	    mio_door_publish_inode((uint64_t)makedev(found->stx_dev_major, found->stx_dev_minor), found->stx_ino))
		return mio_preload_plain(SYS_statx, w);
	return rc;
}

/* Asks for attributes. */
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
		show(AT_FDCWD, w[0]);
		return 1;
	case SYS_lchown:
		show_itself(AT_FDCWD, w[0]);
		return 1;
	case SYS_futimesat:
#endif
	case SYS_utimensat:
	case SYS_fchmodat:
	case SYS_fchmodat2:
	case SYS_fchownat:
		show(w[0], w[1]);
		return 1;
	case SYS_setxattr:
		show(AT_FDCWD, w[0]);
		return 1;
	case SYS_lsetxattr:
		show_itself(AT_FDCWD, w[0]);
		return 1;
	case SYS_fchmod:
	case SYS_fchown:
	case SYS_fsetxattr:
		if (mio_door_file((int)w[0]))
			mio_door_publish((int)w[0]);
		return 1;
	default:
		return 0;
	}
}

/* What is to be shown before; 0: the number is none of these. */
static int show_before(long number, const long *w)
{
	switch (number) {
#ifdef SYS_rename
	case SYS_rename:
		show_itself(AT_FDCWD, w[0]);
		return 1;
#endif
#ifdef SYS_renameat
	case SYS_renameat:
		show_itself(w[0], w[1]);
		return 1;
#endif
	case SYS_renameat2:
		show_itself(w[0], w[1]);
		show_itself(w[2], w[3]);
		return 1;
#ifdef SYS_link
	case SYS_link:
		show_itself(AT_FDCWD, w[0]);
		return 1;
#endif
	case SYS_linkat:
		show(w[0], w[1]);
		return 1;
	default:
		return show_before_attributes(number, w);
	}
}

int mio_preload_by_name(long number, const long *w, long *result)
{
	if (asks(number, w, result))
		return 1;
	if (!show_before(number, w))
		return 0;
	*result = mio_preload_plain(number, w);
	return 1;
}

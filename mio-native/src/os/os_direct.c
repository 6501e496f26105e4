/*
 * Direct I/O limits of a file, from statx(2).
 *
 * Cases:
 *   A  Linux 6.1 and later, a file system that answers (ext4, xfs, f2fs, block devices): its figures.
 *   B  the call works, STATX_DIOALIGN is not in the returned mask (tmpfs, older kernels): untold.
 *   C  no such call (Linux before 4.11: ENOSYS) or a sandbox that does not know it (EPERM): untold,
 *      if stat(2) finds the file; else the error of stat(2).
 *
 * Where the file system does not say, os_own_open.c finds out by trying.
 */
#include "os_direct.h"

#include <string.h>

#include "os_call.h"
#include "os_statx.h"

#define MIO_STATX_DIOALIGN 0x2000U

#ifndef AT_EMPTY_PATH
#define AT_EMPTY_PATH 0x1000
#endif

/* Whether the file exists; 0 or -errno. path "": the file of fd. */
static int look(int fd, const char *path)
{
	struct stat found;

	return (int)(*path ? mio_os_call_stat_name(path, &found) : mio_os_call_stat(fd, &found));
}

static int limits_read(int fd, const char *path, struct mio_os_direct_limits *limits)
{
	struct mio_os_statx found;
	int rc;

	limits->mem_align_bytes = 0;
	limits->offset_align_bytes = 0;
	memset(&found, 0, sizeof(found));

	rc = mio_os_statx(fd, path, *path ? 0 : AT_EMPTY_PATH, MIO_STATX_DIOALIGN, &found);
	if (rc == -ENOSYS || rc == -EPERM) {
		found.mask = 0;
		rc = look(fd, path);	/* case C */
	}
	if (rc < 0)
		return rc;
	if (!(found.mask & MIO_STATX_DIOALIGN))
		return MIO_OS_DIRECT_UNTOLD;	/* case B */
	limits->mem_align_bytes = found.dio_mem_align;
	limits->offset_align_bytes = found.dio_offset_align;
	return MIO_OS_DIRECT_TOLD;
}

int mio_os_direct_limits_read(const char *path, struct mio_os_direct_limits *limits)
{
	if (!path || !limits)
		return -EFAULT;
	/* No file has an empty name; statx would take it for the descriptor. */
	if (!*path) {
		limits->mem_align_bytes = 0;
		limits->offset_align_bytes = 0;
		return -ENOENT;
	}
	return limits_read(AT_FDCWD, path, limits);
}

int mio_os_direct_limits_of(int fd, struct mio_os_direct_limits *limits)
{
	if (!limits)
		return -EFAULT;
	return limits_read(fd, "", limits);
}

/*
 * Direct I/O limits of a file, from statx(2).
 *
 * Cases:
 *   A  Linux 6.1 and later, a file system that answers (ext4, xfs, f2fs, block devices): its figures.
 *   B  the call works, STATX_DIOALIGN is not in the returned mask (tmpfs, older kernels): untold.
 *   C  no such call (Linux before 4.11: ENOSYS) or a sandbox that does not know it (EPERM): untold,
 *      if stat(2) finds the file; else the error of stat(2).
 *
 * Leaves to others: trying out what works where the file system does not say.
 */
#include "os_direct.h"

#include "os_statx.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#define MIO_STATX_DIOALIGN 0x2000U

static int stat_call(const char *path)
{
	struct stat found;

	return stat(path, &found) == 0 ? 0 : -errno;
}

int mio_os_direct_limits_read(const char *path, struct mio_os_direct_limits *limits)
{
	struct mio_os_statx found = {0};
	int errno_before = errno;
	int rc;

	if (!path || !limits)
		return -EFAULT;
	limits->mem_align_bytes = 0;
	limits->offset_align_bytes = 0;

	rc = mio_os_statx(AT_FDCWD, path, 0, MIO_STATX_DIOALIGN, &found);
	if (rc == -ENOSYS || rc == -EPERM) {
		found.mask = 0;
		rc = stat_call(path);	/* case C */
	}
	errno = errno_before;
	if (rc < 0)
		return rc;
	if (!(found.mask & MIO_STATX_DIOALIGN))
		return MIO_OS_DIRECT_UNTOLD;	/* case B */
	limits->mem_align_bytes = found.dio_mem_align;
	limits->offset_align_bytes = found.dio_offset_align;
	return MIO_OS_DIRECT_TOLD;
}

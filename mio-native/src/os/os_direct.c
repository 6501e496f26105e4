/*
 * Direct I/O limits of a file, from statx(2).
 *
 * Cases:
 *   A  Linux 6.1 and later, a file system that answers (ext4, xfs, f2fs, block devices): its figures.
 *   B  the call works, STATX_DIOALIGN is not in the returned mask (tmpfs, older kernels): untold.
 *   C  no such call (Linux before 4.11: ENOSYS) or a sandbox that does not know it (EPERM): untold,
 *      if stat(2) finds the file; else the error of stat(2).
 *
 * The structure, the mask bit and the call's number are defined here and the call is made without
 * libc's wrapper, so that the result does not depend on the age of the build machine's headers.
 * Leaves to others: trying out what works where the file system does not say.
 */
#include "os_direct.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MIO_STATX_DIOALIGN 0x2000U

#if defined(SYS_statx)
#define MIO_SYS_STATX SYS_statx
#elif defined(__x86_64__) && !defined(__ILP32__)
#define MIO_SYS_STATX 332
#elif defined(__i386__) || defined(__powerpc__)
#define MIO_SYS_STATX 383
#elif defined(__s390x__)
#define MIO_SYS_STATX 379
#elif defined(__arm__)
#define MIO_SYS_STATX 397
#elif defined(__aarch64__) || defined(__riscv) || defined(__loongarch__)
#define MIO_SYS_STATX 291
#endif

/* struct statx of the kernel: 256 bytes by its ABI, of which three fields are of interest. */
struct mio_os_statx {
	uint32_t mask;
	uint8_t others[148];
	uint32_t dio_mem_align;
	uint32_t dio_offset_align;
	uint8_t later[96];
};

_Static_assert(offsetof(struct mio_os_statx, dio_mem_align) == 152, "place fixed by the kernel");
_Static_assert(sizeof(struct mio_os_statx) == 256, "size fixed by the kernel");

/* 0, or -errno; -ENOSYS where no number of the call is known. */
static int statx_call(const char *path, struct mio_os_statx *found)
{
#ifdef MIO_SYS_STATX
	if (syscall(MIO_SYS_STATX, AT_FDCWD, path, 0, MIO_STATX_DIOALIGN, found) == 0)
		return 0;
	return -errno;
#else
	(void)path;
	(void)found;
	return -ENOSYS;
#endif
}

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

	rc = statx_call(path, &found);
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

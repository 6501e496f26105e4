#include "os_statx.h"

#include <stddef.h>

#include "../common/raw.h"

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

_Static_assert(offsetof(struct mio_os_statx, inode) == 32, "place fixed by the kernel");
_Static_assert(offsetof(struct mio_os_statx, device_major) == 136, "place fixed by the kernel");
_Static_assert(offsetof(struct mio_os_statx, dio_mem_align) == 152, "place fixed by the kernel");
_Static_assert(sizeof(struct mio_os_statx) == 256, "size fixed by the kernel");

int mio_os_statx(int dir, const char *path, int flags, uint32_t mask, struct mio_os_statx *found)
{
#ifdef MIO_SYS_STATX
	return (int)mio_raw5(MIO_SYS_STATX, dir, path, flags, mask, found);
#else
	(void)dir;
	(void)path;
	(void)flags;
	(void)mask;
	(void)found;
	return -ENOSYS;
#endif
}

#ifndef MIO_OS_STATX_H
#define MIO_OS_STATX_H

#include <stdint.h>

/* The kernel's struct statx, 256 bytes by its ABI; fields that MIO does not use are lumped together in arrays. */
struct mio_os_statx {
	uint32_t mask;
	uint8_t others[28];
	uint64_t inode;
	uint8_t more[96];
	uint32_t device_major;
	uint32_t device_minor;
	uint8_t mount[8];
	uint32_t dio_mem_align;
	uint32_t dio_offset_align;
	uint8_t later[96];
};

/*
 * statx(2) without libc's wrapper. The structure and the number of the call are defined here, so that the result does not depend
 * on the age of the build machine's headers. Returns 0 or -errno, -ENOSYS also where no number of the call is known.
 */
int mio_os_statx(int dir, const char *path, int flags, uint32_t mask, struct mio_os_statx *found);

#endif

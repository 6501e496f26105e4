#ifndef MIO_OS_DESCRIPTORS_H
#define MIO_OS_DESCRIPTORS_H

#include <stdint.h>

/* How many descriptors of one file there are, by what they may do. */
struct mio_os_descriptors {
	int32_t readers;	/* that can only read */
	int32_t writers;	/* that can write */
};

/*
 * Counts the descriptors that this process has on the file of this device (st_dev) and inode, except those for which known(of, fd) is
 * 1; known NULL: all. Makes one or two system calls for each descriptor of the process that is not known; where the kernel has
 * statx(2), none of them asks a server or waits for one. Descriptors opened meanwhile may be missed. Needs /proc. errno is kept.
 * Returns 0 or -errno; -EFAULT if found is NULL.
 */
int mio_os_descriptors_count(uint64_t device, uint64_t inode, int (*known)(const void *of, int fd), const void *of, struct mio_os_descriptors *found);

#endif

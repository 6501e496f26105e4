#ifndef MIO_OS_DESCRIPTORS_H
#define MIO_OS_DESCRIPTORS_H

#include <stdint.h>

/* Descriptors of one file by what they may do. */
struct mio_os_descriptors {
	int32_t readers;	/* that can only read */
	int32_t writers;	/* that can write */
};

/*
 * Count the descriptors that this process has on the file of this device (st_dev) and inode, but for those that known(of, fd)
 * says 1 of; NULL: all. One system call or two for each descriptor of the process that is not known; none of them asks a server or
 * waits for one where the kernel has statx(2). What is opened meanwhile may be missed. Needs /proc. errno is as before the
 * call. Returns 0 or -errno; -EFAULT if found is NULL.
 */
int mio_os_descriptors_count(uint64_t device, uint64_t inode, int (*known)(const void *of, int fd), const void *of, struct mio_os_descriptors *found);

#endif

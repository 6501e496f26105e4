#ifndef MIO_OS_KERNEL_CACHE_H
#define MIO_OS_KERNEL_CACHE_H

#include <stdint.h>

/* The kernel's page cache of a file: what is in it, and what it is told to read. errno is left alone. Twin of KernelCache. */

/* How many pages of this range are in it, or -errno: -ENOSYS before Linux 6.5, -EPERM and others by filters of system calls. */
int64_t mio_os_kernel_cache_pages(int fd, int64_t offset, int64_t length);

/* 1 if all these bytes (at least one) are in it, 0 if not, or -errno as above. */
int mio_os_kernel_cache_has(int fd, int64_t offset, int64_t length);

/*
 * For a byte that was just read through the cache: 0 if the kernel says that it is not there, else 1. File systems that keep the bytes of a file
 * elsewhere (overlayfs, ZFS) never have anything where the kernel looks.
 */
int mio_os_kernel_cache_sees(int fd, int64_t offset);

/*
 * Tells the kernel to read these bytes now, at most `longest` (see below) at a time, and returns before they are there. Bytes that are cached are
 * only looked up, which costs little. 0 or -errno.
 */
int mio_os_kernel_cache_read_ahead(int fd, int64_t offset, int64_t length, int64_t longest);

/*
 * Reads the byte at offset, and waits for it. If the bytes before it are cached, the kernel takes this for a stream of a program, and reads on by
 * itself. Errors are left to the request that follows. 0 if some of length bytes from offset are neither cached nor being read then, else 1 (also
 * where that cannot be found out).
 */
int mio_os_kernel_cache_nudge(int fd, int64_t offset, int64_t length);

/*
 * Nanoseconds that a call takes which reads one byte from the kernel's cache: the least of several; or -errno (-ENODATA: there is no byte).
 * Measured once in a process with the byte at offset, waiting for it. With fd -1 it returns what was measured before, or -EBADF.
 */
int64_t mio_os_kernel_cache_call_ns(int fd, int64_t offset);

/* How far the kernel reads ahead of a program by itself in files of this device (st_dev), bytes; 0 if it does not tell. */
int64_t mio_os_kernel_cache_reach(uint64_t device);

/* The most that the kernel reads of one hint for this device, bytes: it silently leaves out anything beyond. */
int64_t mio_os_kernel_cache_longest(uint64_t device);

#endif

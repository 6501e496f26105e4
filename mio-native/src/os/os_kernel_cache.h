#ifndef MIO_OS_KERNEL_CACHE_H
#define MIO_OS_KERNEL_CACHE_H

#include <stdint.h>

/* The kernel's cache of a file: what is in it, and what it is told to read. errno is left alone. Twin of KernelCache. */

/* Pages of this range that are in it, or -errno: -ENOSYS before Linux 6.5, -EPERM and others by filters. */
int64_t mio_os_kernel_cache_pages(int fd, int64_t offset, int64_t length);

/* 1 if all these bytes (at least one) are in it, 0 if not, or -errno as above. */
int mio_os_kernel_cache_has(int fd, int64_t offset, int64_t length);

/*
 * Of a byte that was just read through it: 0 if it says that it is not there. File systems that keep the bytes of a file elsewhere (overlayfs, ZFS) have
 * nothing where it is looked for, ever. Else 1.
 */
int mio_os_kernel_cache_sees(int fd, int64_t offset);

/*
 * Tells it to read these bytes now, longest (see below) at a time; comes back before they are there. What is there already is looked for, and costs
 * little. 0 or -errno.
 */
int mio_os_kernel_cache_read_ahead(int fd, int64_t offset, int64_t length, int64_t longest);

/*
 * Reads the byte at offset, and waits for it: where the kernel has what lies in front of it, it takes that for the stream of a program, and reads on by
 * itself. Errors are left to the request that follows. 0 if so many bytes from there are not on their way then, else 1 (also where that cannot be told).
 */
int mio_os_kernel_cache_nudge(int fd, int64_t offset, int64_t length);

/*
 * What a call of the kernel takes that reads one byte from its cache: the least of some, nanoseconds, or -errno (-ENODATA: there is none). Measured once in a
 * process, by the byte at offset, which is waited for; fd -1 tells what is known, or -EBADF.
 */
int64_t mio_os_kernel_cache_call_ns(int fd, int64_t offset);

/* How far the kernel reads ahead of a program by itself in files of this device (st_dev), bytes; 0 if it does not tell. */
int64_t mio_os_kernel_cache_reach(uint64_t device);

/* The most that it takes at a time of what it is told for this device: more than that it leaves out, and says nothing. Bytes. */
int64_t mio_os_kernel_cache_longest(uint64_t device);

#endif

#ifndef MIO_OS_DIRECT_H
#define MIO_OS_DIRECT_H

#include <stdint.h>

/* What direct I/O on one file demands of a request. Both values 0: the file takes no direct I/O. */
struct mio_os_direct_limits {
	uint32_t mem_align_bytes;	/* alignment of the buffer's address */
	uint32_t offset_align_bytes;	/* alignment of the offset in the file and of the length */
};

/* What mio_os_direct_limits_read found out. */
enum mio_os_direct_answer {
	MIO_OS_DIRECT_UNTOLD = 0,	/* kernel or file system does not say: only a trial can tell */
	MIO_OS_DIRECT_TOLD = 1		/* the limits are those that the file system gives */
};

/*
 * Asks the file system for the direct I/O limits of the file at path; symbolic links are followed. Takes no lock, opens nothing.
 * limits: always written, 0/0 unless the answer is MIO_OS_DIRECT_TOLD. Returns an enum mio_os_direct_answer, or -errno (-ENOENT,
 * -EACCES, -ENAMETOOLONG, ...), as stat(2) does; -EFAULT if path or limits is NULL. errno is kept. Source: statx(2),
 * STATX_DIOALIGN.
 */
int mio_os_direct_limits_read(const char *path, struct mio_os_direct_limits *limits);

/* The same for an open descriptor. */
int mio_os_direct_limits_of(int fd, struct mio_os_direct_limits *limits);

#endif

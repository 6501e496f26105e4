/*
 * Descriptors of MIO's own, and whole positioned reads and writes on them. What the program did to
 * its descriptor (append mode, position, interrupts that close it) does not reach them.
 */
#include "os_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/falloc.h>
#include <linux/fs.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <unistd.h>

/* The most the kernel moves in one call. */
#define CALL_BYTES_MAX ((size_t)0x7ffff000)

static enum mio_os_place place_of(int fd)
{
	struct statfs found;

	if (fstatfs(fd, &found) < 0)
		return MIO_OS_PLACE_DISK;
	switch ((uint32_t)found.f_type) {
	case 0x01021994:	/* tmpfs */
	case 0x858458f6:	/* ramfs */
		return MIO_OS_PLACE_MEMORY;
	case 0x00006969:	/* nfs */
	case 0x65735546:	/* fuse */
	case 0xff534d42:	/* cifs */
	case 0xfe534d42:	/* smb2 */
	case 0x0000517b:	/* smb */
	case 0x01021997:	/* 9p */
	case 0x00c36400:	/* ceph */
	case 0x5346414f:	/* afs */
		return MIO_OS_PLACE_REMOTE;
	default:
		return MIO_OS_PLACE_DISK;
	}
}

int mio_os_file_identity(int fd, struct mio_os_identity *identity)
{
	int errno_before = errno;
	struct stat found;
	int rc = 0;

	if (!identity)
		return -EFAULT;
	if (fstat(fd, &found) < 0) {
		rc = -errno;
	} else {
		identity->device = (uint64_t)found.st_dev;
		identity->inode = (uint64_t)found.st_ino;
		identity->has_blocks = S_ISREG(found.st_mode) || S_ISBLK(found.st_mode);
		/* A block device lies nowhere: what holds its node does not matter. */
		identity->place = S_ISREG(found.st_mode) ? place_of(fd) : MIO_OS_PLACE_DISK;
	}
	errno = errno_before;
	return rc;
}

static int same_file(int one, int other)
{
	struct stat first;
	struct stat second;

	return fstat(one, &first) == 0 && fstat(other, &second) == 0 && first.st_dev == second.st_dev &&
	       first.st_ino == second.st_ino;
}

int mio_os_file_reopen(int fd, int access, int direct)
{
	int errno_before = errno;
	char name[32];
	int flags = access == MIO_OS_READ ? O_RDONLY : access == MIO_OS_WRITE ? O_WRONLY : O_RDWR;
	int opened;

	if (direct)
		flags |= O_DIRECT;
	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	do {
		opened = open(name, flags | O_CLOEXEC | O_NOCTTY);
	} while (opened < 0 && errno == EINTR);
	if (opened < 0) {
		opened = -errno;
	} else if (!same_file(fd, opened)) {
		/* overlayfs: the file was copied up in between. */
		close(opened);
		opened = -ESTALE;
	}
	errno = errno_before;
	return opened;
}

int mio_os_file_duplicate(int fd)
{
	int errno_before = errno;
	int copy = fcntl(fd, F_DUPFD_CLOEXEC, 3);

	copy = copy < 0 ? -errno : copy;
	errno = errno_before;
	return copy;
}

int mio_os_file_close(int fd)
{
	int errno_before = errno;
	int rc = close(fd) < 0 && errno != EINTR ? -errno : 0;

	errno = errno_before;
	return rc;
}

#if LONG_MAX > 0x7fffffff
#define OFFSET_ARGUMENTS(offset) (long)(offset), 0L
#else
#define OFFSET_ARGUMENTS(offset) (long)((uint64_t)(offset) & 0xffffffffU), (long)((uint64_t)(offset) >> 32)
#endif

/* By number: libc's wrappers are younger than the calls. -1 and errno, as the calls themselves. */
static ssize_t read_call(int fd, char *memory, size_t length, int64_t offset, int flags)
{
#ifdef SYS_preadv2
	if (flags) {
		struct iovec part = {.iov_base = memory, .iov_len = length};

		return syscall(SYS_preadv2, fd, &part, 1L, OFFSET_ARGUMENTS(offset), flags);
	}
#else
	if (flags) {
		errno = EOPNOTSUPP;
		return -1;
	}
#endif
	return pread(fd, memory, length, (off_t)offset);
}

static ssize_t write_call(int fd, char *memory, size_t length, int64_t offset, int flags)
{
#ifdef SYS_pwritev2
	if (flags) {
		struct iovec part = {.iov_base = memory, .iov_len = length};

		return syscall(SYS_pwritev2, fd, &part, 1L, OFFSET_ARGUMENTS(offset), flags);
	}
#else
	if (flags) {
		errno = EOPNOTSUPP;
		return -1;
	}
#endif
	return pwrite(fd, memory, length, (off_t)offset);
}

typedef ssize_t (*call)(int fd, char *memory, size_t length, int64_t offset, int flags);

static int64_t whole(call call_once, int fd, char *memory, size_t length, int64_t offset, size_t align_bytes,
		     int flags)
{
	int errno_before = errno;
	size_t done = 0;
	int64_t failure = 0;

	while (done < length && (align_bytes <= 1 || done % align_bytes == 0)) {
		size_t rest = length - done;
		ssize_t bytes = call_once(fd, memory + done, rest < CALL_BYTES_MAX ? rest : CALL_BYTES_MAX,
					  offset + (int64_t)done, flags);

		if (bytes > 0) {
			done += (size_t)bytes;
		} else if (bytes == 0) {
			break;
		} else if (errno != EINTR) {
			/* A kernel without flags, or a sandbox that does not know the call. */
			failure = flags && (errno == ENOSYS || errno == EPERM || errno == EINVAL) ? -EOPNOTSUPP : -errno;
			break;
		}
	}
	errno = errno_before;
	return done > 0 ? (int64_t)done : failure;
}

int64_t mio_os_file_read(int fd, void *memory, size_t length, int64_t offset, size_t align_bytes, int flags)
{
	return whole(read_call, fd, memory, length, offset, align_bytes, flags);
}

int64_t mio_os_file_write(int fd, const void *memory, size_t length, int64_t offset, size_t align_bytes, int flags)
{
	return whole(write_call, fd, (char *)(uintptr_t)memory, length, offset, align_bytes, flags);
}

int64_t mio_os_file_size(int fd)
{
	int errno_before = errno;
	struct stat found;
	uint64_t bytes = 0;
	int64_t size;

	if (fstat(fd, &found) < 0)
		size = -errno;
	else if (!S_ISBLK(found.st_mode))
		size = (int64_t)found.st_size;
	else
		size = ioctl(fd, BLKGETSIZE64, &bytes) < 0 ? -errno : (int64_t)bytes;
	errno = errno_before;
	return size;
}

int mio_os_file_truncate(int fd, int64_t size)
{
	int errno_before = errno;
	int rc;

	do {
		rc = ftruncate(fd, (off_t)size) < 0 ? -errno : 0;
	} while (rc == -EINTR);
	errno = errno_before;
	return rc;
}

int mio_os_file_sync(int fd, int metadata)
{
	int errno_before = errno;
	int rc;

	do {
		rc = (metadata ? fsync(fd) : fdatasync(fd)) < 0 ? -errno : 0;
	} while (rc == -EINTR);
	errno = errno_before;
	return rc;
}

int mio_os_file_reserve(int fd, int64_t offset, int64_t length)
{
	int errno_before = errno;
	struct rlimit limit;
	int rc;

	if (offset < 0 || length <= 0)
		return -EINVAL;
	if (offset > INT64_MAX - length)
		return -EFBIG;
	/* The kernel looks at the limit when bytes are written, which would be too late. */
	if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
	    (uint64_t)(offset + length) > (uint64_t)limit.rlim_cur) {
		errno = errno_before;
		return -EFBIG;
	}
	do {
		rc = fallocate(fd, FALLOC_FL_KEEP_SIZE, (off_t)offset, (off_t)length) < 0 ? -errno : 0;
	} while (rc == -EINTR);
	if (rc == -ENOSYS || rc == -EPERM || rc == -ENODEV || rc == -ETXTBSY)
		rc = -EOPNOTSUPP;
	errno = errno_before;
	return rc;
}

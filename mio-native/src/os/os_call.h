#ifndef MIO_OS_CALL_H
#define MIO_OS_CALL_H

/*
 * System calls on files. Each returns what the kernel returns, a result or -errno; errno is left alone, and no wrapper and no
 * cancellation point is met where raw.h avoids them. On machines whose structures or argument registers differ (32 bits), libc
 * makes the call and errno is restored.
 */

#include <fcntl.h>
#include <limits.h>
#include <sys/mman.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/vfs.h>

#include "../common/raw.h"

#if (defined(__x86_64__) || defined(__aarch64__)) && defined(__LP64__)

#define MIO_OS_CALL(raw, libc) return raw

#else

#define MIO_OS_CALL(raw, libc) \
	do { \
		int errno_before_ = errno; \
		long rc_ = (long)(libc); \
		if (rc_ < 0) \
			rc_ = -errno; \
		errno = errno_before_; \
		return rc_; \
	} while (0)

#endif

static inline long mio_os_call_open(const char *path, int flags)
{
	MIO_OS_CALL(mio_raw4(SYS_openat, AT_FDCWD, path, flags, 0), open(path, flags));
}

static inline long mio_os_call_close(int fd)
{
	return mio_raw1(SYS_close, fd);
}

/* A copy of fd, close-on-exec, with the lowest free number from `number` on. */
static inline long mio_os_call_duplicate(int fd, int number)
{
	MIO_OS_CALL(mio_raw3(SYS_fcntl, fd, F_DUPFD_CLOEXEC, number), fcntl(fd, F_DUPFD_CLOEXEC, number));
}

static inline long mio_os_call_eventfd(int flags)
{
	return mio_raw2(SYS_eventfd2, 0, flags);
}

static inline long mio_os_call_stat(int fd, struct stat *found)
{
	MIO_OS_CALL(mio_raw2(SYS_fstat, fd, found), fstat(fd, found));
}

/* By name; symbolic links are followed. */
static inline long mio_os_call_stat_name(const char *path, struct stat *found)
{
	MIO_OS_CALL(mio_raw4(SYS_newfstatat, AT_FDCWD, path, found, 0), stat(path, found));
}

static inline long mio_os_call_statfs(int fd, struct statfs *found)
{
	MIO_OS_CALL(mio_raw2(SYS_fstatfs, fd, found), fstatfs(fd, found));
}

static inline long mio_os_call_ioctl(int fd, unsigned long request, void *argument)
{
	MIO_OS_CALL(mio_raw3(SYS_ioctl, fd, request, argument), ioctl(fd, request, argument));
}

static inline long mio_os_call_pread(int fd, void *memory, size_t length, int64_t offset)
{
	MIO_OS_CALL(mio_raw4(SYS_pread64, fd, memory, length, offset), pread(fd, memory, length, (off_t)offset));
}

static inline long mio_os_call_pwrite(int fd, const void *memory, size_t length, int64_t offset)
{
	MIO_OS_CALL(mio_raw4(SYS_pwrite64, fd, memory, length, offset), pwrite(fd, memory, length, (off_t)offset));
}

static inline long mio_os_call_read(int fd, void *memory, size_t length)
{
	MIO_OS_CALL(mio_raw3(SYS_read, fd, memory, length), read(fd, memory, length));
}

static inline long mio_os_call_write(int fd, const void *memory, size_t length)
{
	MIO_OS_CALL(mio_raw3(SYS_write, fd, memory, length), write(fd, memory, length));
}

static inline long mio_os_call_readv(int fd, const struct iovec *vector, int count)
{
	MIO_OS_CALL(mio_raw3(SYS_readv, fd, vector, count), readv(fd, vector, count));
}

static inline long mio_os_call_writev(int fd, const struct iovec *vector, int count)
{
	MIO_OS_CALL(mio_raw3(SYS_writev, fd, vector, count), writev(fd, vector, count));
}

/* An offset in the two halves in which the kernel takes it; on 64 bits the upper half is unused. */
#if LONG_MAX > 0x7fffffff
#define MIO_OS_OFFSET(offset) (long)(offset), 0L
#else
#define MIO_OS_OFFSET(offset) (long)((uint64_t)(offset) & 0xffffffffU), (long)((uint64_t)(offset) >> 32)
#endif

/* flags: RWF_*. -ENOSYS before Linux 4.6. */
static inline long mio_os_call_preadv2(int fd, const struct iovec *vector, int count, int64_t offset, int flags)
{
#ifdef SYS_preadv2
	return mio_raw6(SYS_preadv2, fd, (long)vector, count, MIO_OS_OFFSET(offset), flags);
#else
	(void)fd, (void)vector, (void)count, (void)offset, (void)flags;
	return -ENOSYS;
#endif
}

static inline long mio_os_call_pwritev2(int fd, const struct iovec *vector, int count, int64_t offset, int flags)
{
#ifdef SYS_pwritev2
	return mio_raw6(SYS_pwritev2, fd, (long)vector, count, MIO_OS_OFFSET(offset), flags);
#else
	(void)fd, (void)vector, (void)count, (void)offset, (void)flags;
	return -ENOSYS;
#endif
}

static inline long mio_os_call_preadv(int fd, const struct iovec *vector, int count, int64_t offset)
{
	return mio_raw6(SYS_preadv, fd, (long)vector, count, MIO_OS_OFFSET(offset), 0);
}

static inline long mio_os_call_pwritev(int fd, const struct iovec *vector, int count, int64_t offset)
{
	return mio_raw6(SYS_pwritev, fd, (long)vector, count, MIO_OS_OFFSET(offset), 0);
}

static inline long mio_os_call_truncate(int fd, int64_t size)
{
	MIO_OS_CALL(mio_raw2(SYS_ftruncate, fd, size), ftruncate(fd, (off_t)size));
}

static inline long mio_os_call_sync(int fd, int metadata)
{
	return mio_raw1(metadata ? SYS_fsync : SYS_fdatasync, fd);
}

static inline long mio_os_call_allocate(int fd, int mode, int64_t offset, int64_t length)
{
	MIO_OS_CALL(mio_raw4(SYS_fallocate, fd, mode, offset, length),
		    fallocate(fd, mode, (off_t)offset, (off_t)length));
}

static inline long mio_os_call_advise(int fd, int64_t offset, int64_t length, int advice)
{
#if LONG_MAX > 0x7fffffff
	return mio_raw4(SYS_fadvise64, fd, offset, length, advice);
#else
	return -posix_fadvise(fd, (off_t)offset, (off_t)length, advice);
#endif
}

/* 1 if result is -errno. Needed for addresses, which may look negative. */
static inline int mio_os_call_is_error(long result)
{
	return result < 0 && result > -4096;
}

/* Maps readable and writable memory: its address, or -errno. */
static inline long mio_os_call_map(size_t bytes, int flags, int fd, uint64_t place)
{
#if defined(SYS_mmap2)
	return mio_raw6(SYS_mmap2, 0, (long)bytes, PROT_READ | PROT_WRITE, flags, fd, (long)(place >> 12));
#else
	return mio_raw6(SYS_mmap, 0, (long)bytes, PROT_READ | PROT_WRITE, flags, fd, (long)place);
#endif
}

/* The current soft limit; RLIM64_INFINITY where there is none or it cannot be read. */
static inline uint64_t mio_os_call_limit(int resource)
{
	struct rlimit64 limit = {0, 0};

	if (mio_raw4(SYS_prlimit64, 0, resource, NULL, &limit) < 0)
		return RLIM64_INFINITY;
	return limit.rlim_cur;
}

#endif

/*
 * Descriptors of MIO's own, and whole positioned reads and writes on them. What the program did to its descriptor (append mode,
 * position, interrupts that close it) does not affect them.
 */
#include "os_file.h"

#include <linux/falloc.h>
#include <linux/fs.h>

#include "os_call.h"
#include "os_file_system.h"

/* The most bytes that the kernel moves in one call. */
#define CALL_BYTES_MAX ((size_t)0x7ffff000)

enum mio_os_place mio_os_file_place(int fd)
{
	struct statfs found;

	if (mio_os_call_statfs(fd, &found) < 0)
		return MIO_OS_PLACE_DISK;
	return mio_os_file_system_place((uint32_t)found.f_type);
}

int mio_os_file_identity(int fd, struct mio_os_identity *identity)
{
	struct stat found;
	long rc;

	if (!identity)
		return -EFAULT;
	rc = mio_os_call_stat(fd, &found);
	if (rc < 0)
		return (int)rc;
	identity->device = (uint64_t)found.st_dev;
	identity->inode = (uint64_t)found.st_ino;
	identity->has_blocks = S_ISREG(found.st_mode) || S_ISBLK(found.st_mode);
	/* A block device is on no file system; the one that holds its node does not matter. */
	identity->place = S_ISREG(found.st_mode) ? mio_os_file_place(fd) : MIO_OS_PLACE_DISK;
	return 0;
}

static int same_file(int one, int other)
{
	struct stat first;
	struct stat second;

	return mio_os_call_stat(one, &first) == 0 && mio_os_call_stat(other, &second) == 0 &&
	       first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

void mio_os_file_name(int fd, char name[MIO_OS_FILE_NAME_BYTES])
{
	static const char prefix[] = "/proc/thread-self/fd/";
	char digits[10];
	unsigned int number = fd < 0 ? 0 : (unsigned int)fd;
	size_t at = sizeof(prefix) - 1;
	size_t count = 0;

	for (size_t i = 0; i < at; i++)
		name[i] = prefix[i];
	do {
		digits[count++] = (char)('0' + number % 10);
		number /= 10;
	} while (number);
	while (count)
		name[at++] = digits[--count];
	name[at] = 0;
}

int mio_os_file_reopen(int fd, int access, int direct)
{
	return mio_os_file_reopen_with(fd, access | (direct ? O_DIRECT : 0));
}

int mio_os_file_reopen_with(int fd, int flags)
{
	char name[MIO_OS_FILE_NAME_BYTES];
	long opened;

	if (fd < 0)
		return -EBADF;
	mio_os_file_name(fd, name);
	do {
		opened = mio_os_call_open(name, flags | O_CLOEXEC | O_NOCTTY);
		if (opened == -EPERM && (flags & O_NOATIME)) {
			flags &= ~O_NOATIME;
			opened = -EINTR;
		}
	} while (opened == -EINTR);
	if (opened >= 0 && !same_file(fd, (int)opened)) {
		/* On overlayfs the file was copied up in between. */
		mio_os_call_close((int)opened);
		opened = -ESTALE;
	}
	return (int)opened;
}

int mio_os_file_duplicate(int fd)
{
	return (int)mio_os_call_duplicate(fd, 3);
}

int mio_os_file_close(int fd)
{
	long rc = mio_os_call_close(fd);

	return rc < 0 && rc != -EINTR ? (int)rc : 0;
}

static int64_t read_call(int fd, char *memory, size_t length, int64_t offset, int flags)
{
	struct iovec part = {.iov_base = memory, .iov_len = length};

	return flags ? mio_os_call_preadv2(fd, &part, 1, offset, flags) : mio_os_call_pread(fd, memory, length, offset);
}

static int64_t write_call(int fd, char *memory, size_t length, int64_t offset, int flags)
{
	struct iovec part = {.iov_base = memory, .iov_len = length};

	return flags ? mio_os_call_pwritev2(fd, &part, 1, offset, flags) : mio_os_call_pwrite(fd, memory, length, offset);
}

typedef int64_t (*call)(int fd, char *memory, size_t length, int64_t offset, int flags);

static int64_t whole(call call_once, int fd, char *memory, size_t length, int64_t offset, size_t align_bytes,
		     int flags)
{
	size_t done = 0;
	int64_t failure = 0;

	while (done < length && (align_bytes <= 1 || done % align_bytes == 0)) {
		size_t rest = length - done;
		int64_t bytes = call_once(fd, memory + done, rest < CALL_BYTES_MAX ? rest : CALL_BYTES_MAX,
					  offset + (int64_t)done, flags);

		if (bytes > 0) {
			done += (size_t)bytes;
		} else if (bytes == 0) {
			break;
		} else if (bytes != -EINTR) {
			/* A kernel without these flags, or a sandbox that does not know the call. */
			failure = flags && (bytes == -ENOSYS || bytes == -EPERM || bytes == -EINVAL) ? -EOPNOTSUPP : bytes;
			break;
		}
	}
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

int64_t mio_os_file_changed(int fd)
{
	struct stat found;

	return mio_os_call_stat(fd, &found) < 0 ? -1 : found.st_ctim.tv_sec * INT64_C(1000000000) + found.st_ctim.tv_nsec;
}

int64_t mio_os_file_size(int fd)
{
	struct stat found;
	uint64_t bytes = 0;
	long rc = mio_os_call_stat(fd, &found);

	if (rc < 0)
		return rc;
	if (!S_ISBLK(found.st_mode))
		return (int64_t)found.st_size;
	rc = mio_os_call_ioctl(fd, BLKGETSIZE64, &bytes);
	return rc < 0 ? rc : (int64_t)bytes;
}

int mio_os_file_truncate(int fd, int64_t size)
{
	long rc;

	do {
		rc = mio_os_call_truncate(fd, size);
	} while (rc == -EINTR);
	return (int)rc;
}

int mio_os_file_sync(int fd, int metadata)
{
	long rc;

	do {
		rc = mio_os_call_sync(fd, metadata);
	} while (rc == -EINTR);
	return (int)rc;
}

int mio_os_file_reserve(int fd, int64_t offset, int64_t length)
{
	long rc;

	if (offset < 0 || length <= 0)
		return -EINVAL;
	if (offset > INT64_MAX - length)
		return -EFBIG;
	/* The kernel checks the limit only when bytes are written, which would be too late. */
	if ((uint64_t)(offset + length) > mio_os_call_limit(RLIMIT_FSIZE))
		return -EFBIG;
	do {
		rc = mio_os_call_allocate(fd, FALLOC_FL_KEEP_SIZE, offset, length);
	} while (rc == -EINTR);
	if (rc == -ENOSYS || rc == -EPERM || rc == -ENODEV || rc == -ETXTBSY)
		rc = -EOPNOTSUPP;
	return (int)rc;
}

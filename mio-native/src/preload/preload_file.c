/* Calls about a file's bytes other than reads and writes: size, space, sync, advice, mappings, clones. */
#include "preload.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <stdarg.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../pf/pf_layer.h"

#define ALL 0, INT64_MAX

typedef int fd_function(int fd);
typedef int truncate_function(const char *name, off_t size);
typedef int ftruncate_function(int fd, off_t size);
typedef int fallocate_function(int fd, int mode, off_t offset, off_t length);
typedef int posix_fallocate_function(int fd, off_t offset, off_t length);
typedef int fadvise_function(int fd, off_t offset, off_t length, int advice);

#define REAL_OR(name, type, arguments, raw) \
	(MIO_REAL(name, type *) ? MIO_REAL(name, type *) arguments : (int)mio_preload_result(raw))

/* ---- size */

static int plain_truncate(const char *name, off_t size)
{
	return REAL_OR(truncate, truncate_function, (name, size), mio_raw2(SYS_truncate, name, size));
}

MIO_WRAPPER int mio_pre_truncate(const char *name, off_t size)
{
	struct mio_pf_file *pages = mio_door_resizing(name);
	int rc = plain_truncate(name, size);

	mio_door_resized(name, pages);
	return rc;
}
MIO_EXPORT(truncate, mio_pre_truncate);
MIO_EXPORT(truncate64, mio_pre_truncate);

MIO_WRAPPER int mio_pre_ftruncate(int fd, off_t size)
{
	int64_t result = mio_door_file(fd) ? mio_door_truncate(fd, size) : MIO_DOOR_PASS;

	if (result != MIO_DOOR_PASS)
		return (int)mio_preload_result(result);
	return REAL_OR(ftruncate, ftruncate_function, (fd, size), mio_raw2(SYS_ftruncate, fd, size));
}
MIO_EXPORT(ftruncate, mio_pre_ftruncate);
MIO_EXPORT(ftruncate64, mio_pre_ftruncate);

/* The call may punch holes and move ranges. */
MIO_WRAPPER int mio_pre_fallocate(int fd, int mode, off_t offset, off_t length)
{
	struct mio_file *file = NULL;
	int rc;

	if (!mio_door_file(fd))
		return REAL_OR(fallocate, fallocate_function, (fd, mode, offset, length),
			       mio_raw4(SYS_fallocate, fd, mode, offset, length));
	rc = mio_door_bypass_begin(fd, MIO_BYPASS_ALLOCATE, ALL, MIO_DOOR_ALONE, &file);
	if (rc < 0)
		return (int)mio_preload_result(rc);
	rc = (int)mio_raw4(SYS_fallocate, fd, mode, offset, length);
	mio_door_bypass_end(file, fd, MIO_BYPASS_ALLOCATE, ALL, MIO_DOOR_ALONE, rc < 0 ? rc : 1);
	return (int)mio_preload_result(rc);
}
MIO_EXPORT(fallocate, mio_pre_fallocate);
MIO_EXPORT(fallocate64, mio_pre_fallocate);

/* Returns the error and leaves errno alone, unlike all others. */
MIO_WRAPPER int mio_pre_posix_fallocate(int fd, off_t offset, off_t length)
{
	posix_fallocate_function *real = MIO_REAL_NOW(posix_fallocate, posix_fallocate_function *);
	struct mio_file *file = NULL;
	int rc = mio_door_file(fd) ? mio_door_bypass_begin(fd, MIO_BYPASS_ALLOCATE, ALL, MIO_DOOR_ALONE, &file) : 0;

	if (rc < 0)
		return -rc;
	rc = real(fd, offset, length);
	mio_door_bypass_end(file, fd, MIO_BYPASS_ALLOCATE, ALL, MIO_DOOR_ALONE, rc ? -rc : 1);
	return rc;
}
MIO_EXPORT(posix_fallocate, mio_pre_posix_fallocate);
MIO_EXPORT(posix_fallocate64, mio_pre_posix_fallocate);

/* ---- sync */

MIO_WRAPPER int mio_pre_fsync(int fd)
{
	if (mio_door_file(fd)) {
		int64_t result;

		mio_preload_test_cancel();
		result = mio_door_sync(fd, 1);
		if (result != MIO_DOOR_PASS)
			return (int)mio_preload_result(result);
	}
	return REAL_OR(fsync, fd_function, (fd), mio_raw1(SYS_fsync, fd));
}
MIO_EXPORT(fsync, mio_pre_fsync);

MIO_WRAPPER int mio_pre_fdatasync(int fd)
{
	if (mio_door_file(fd)) {
		int64_t result;

		mio_preload_test_cancel();
		result = mio_door_sync(fd, 0);
		if (result != MIO_DOOR_PASS)
			return (int)mio_preload_result(result);
	}
	return REAL_OR(fdatasync, fd_function, (fd), mio_raw1(SYS_fdatasync, fd));
}
MIO_EXPORT(fdatasync, mio_pre_fdatasync);

MIO_WRAPPER void mio_pre_sync(void)
{
	typedef void function(void);

	mio_door_publish_everything();
	MIO_REAL_NOW(sync, function *)();
}
MIO_EXPORT(sync, mio_pre_sync);

MIO_WRAPPER int mio_pre_syncfs(int fd)
{
	int before = mio_door_publish_beside(fd);
	int result = REAL_OR(syncfs, fd_function, (fd), mio_raw1(SYS_syncfs, fd));

	return result == 0 ? (int)mio_preload_result(before) : result;
}
MIO_EXPORT(syncfs, mio_pre_syncfs);

MIO_WRAPPER int mio_pre_sync_file_range(int fd, off_t offset, off_t length, unsigned int flags)
{
	typedef int function(int, off_t, off_t, unsigned int);
	int64_t result = mio_door_file(fd) ? mio_door_publish(fd) : 0;

	if (result < 0 && result != MIO_DOOR_PASS)
		return (int)mio_preload_result(result);
	return MIO_REAL_NOW(sync_file_range, function *)(fd, offset, length, flags);
}
MIO_EXPORT(sync_file_range, mio_pre_sync_file_range);

/* ---- advice: about the kernel's page cache, which must have the bytes that it is told to drop */

MIO_WRAPPER int mio_pre_posix_fadvise(int fd, off_t offset, off_t length, int advice)
{
	fadvise_function *real = MIO_REAL_NOW(posix_fadvise, fadvise_function *);

	if (advice == POSIX_FADV_DONTNEED && mio_door_file(fd))
		mio_door_publish(fd);
	return real(fd, offset, length, advice);
}
MIO_EXPORT(posix_fadvise, mio_pre_posix_fadvise);
MIO_EXPORT(posix_fadvise64, mio_pre_posix_fadvise);

/* ---- mappings */

static void *plain_mmap(void *address, size_t length, int protection, int flags, int fd, off_t offset)
{
	typedef void *function(void *, size_t, int, int, int, off_t);
	function *real = MIO_REAL(mmap, function *);
	long result;

	if (real)
		return real(address, length, protection, flags, fd, offset);
	result = mio_raw6(SYS_mmap, (long)address, (long)length, protection, flags, fd, offset);
	return result < 0 && result > -4096 ? (void *)mio_preload_result(result) : (void *)result;
}

/* 1 for a shared mapping through a descriptor that can write: mprotect may make it writable at any time. */
static int may_write(int fd, int flags)
{
	long mode = mio_raw2(SYS_fcntl, fd, F_GETFL);

	return (flags & MAP_TYPE) != MAP_PRIVATE && mode >= 0 && (mode & O_ACCMODE) == O_RDWR;
}

MIO_WRAPPER void *mio_pre_mmap(void *address, size_t length, int protection, int flags, int fd, off_t offset)
{
	enum mio_bypass kind;
	struct mio_file *file;
	struct stat found;
	void *result;
	int rc;

	/* Allocators call this before anything else is ready. A mapping of no bytes does not exist. */
	if (fd < 0 || length == 0 || (flags & MAP_ANONYMOUS) || !mio_door_is_open())
		return plain_mmap(address, length, protection, flags, fd, offset);
	kind = may_write(fd, flags) ? MIO_BYPASS_MAP_WRITE : MIO_BYPASS_MAP_READ;
	if (kind == MIO_BYPASS_MAP_WRITE && mio_raw2(SYS_fstat, fd, &found) == 0 && S_ISREG(found.st_mode))
		mio_door_mapped((uint64_t)found.st_dev, (uint64_t)found.st_ino);
	if (!mio_door_file(fd))
		return plain_mmap(address, length, protection, flags, fd, offset);
	rc = mio_door_bypass_begin(fd, kind, ALL, 0, &file);
	if (rc < 0)
		return (void *)mio_preload_result(rc);
	result = plain_mmap(address, length, protection, flags, fd, offset);
	mio_door_bypass_end(file, fd, kind, ALL, 0, result != MAP_FAILED);
	return result;
}
MIO_EXPORT(mmap, mio_pre_mmap);
MIO_EXPORT(mmap64, mio_pre_mmap);

/* ---- ioctl */

/* 1 for requests that neither show nor change what is in the file. */
static int is_about_descriptor(unsigned long request)
{
	return request == FIOCLEX || request == FIONCLEX || request == FIONBIO || request == FIOASYNC || request == TCGETS ||
	       request == TIOCGWINSZ || request == FIONREAD || request == FIGETBSZ || request == FS_IOC_GETFLAGS;
}

/* XFS_IOC_EXCHANGE_RANGE and XFS_IOC_COMMIT_RANGE, which old headers do not have. Both arguments begin with the descriptor of the other file. */
static int is_exchange(unsigned long request)
{
	return request == _IOC(_IOC_WRITE, 'X', 129, 40) || request == _IOC(_IOC_WRITE, 'X', 131, 88);
}

/*
 * Writes out the other files of a FIDEDUPERANGE. The kernel compares this file with them, and changes only where their blocks are. It
 * refuses more files than fit in a page.
 */
static void publish_compared(const struct file_dedupe_range *range)
{
	if (mio_door_is_no_place(range, sizeof(*range)) ||
	    sizeof(*range) + range->dest_count * sizeof(range->info[0]) > (size_t)sysconf(_SC_PAGESIZE))
		return;
	for (int i = 0; i < range->dest_count; i++)
		if (mio_door_file((int)range->info[i].dest_fd))
			mio_door_publish((int)range->info[i].dest_fd);
}

MIO_WRAPPER int mio_pre_ioctl(int fd, unsigned long request, ...)
{
	typedef int function(int, unsigned long, ...);
	function *real = MIO_REAL(ioctl, function *);
	struct mio_file *source = NULL;
	struct mio_file *file = NULL;
	va_list arguments;
	void *argument;
	enum mio_bypass kind = MIO_BYPASS_TRANSFER_OUT;	/* kind of bypass for the other file */
	int from = -1;
	int how;
	int rc = 0;

	va_start(arguments, request);
	argument = va_arg(arguments, void *);
	va_end(arguments);
	request = (unsigned int)request;	/* as the kernel has it: a request that was an int may have been sign-extended */
	if (request == FICLONE)
		from = (int)(intptr_t)argument;
	else if (request == FICLONERANGE && !mio_door_is_no_place(argument, sizeof(struct file_clone_range)))
		from = (int)((struct file_clone_range *)argument)->src_fd;
	else if (is_exchange(request) && !mio_door_is_no_place(argument, sizeof(int))) {
		from = *(int *)argument;
		kind = MIO_BYPASS_ALLOCATE;
	}
	if (request == FIDEDUPERANGE)
		publish_compared(argument);
	if (request == FIONREAD && mio_door_file(fd))
		mio_door_publish_position(fd, 1);
	if (is_about_descriptor(request) || (!mio_door_file(fd) && (from < 0 || !mio_door_file(from))))
		return real ? real(fd, request, argument) : (int)mio_preload_result(mio_raw3(SYS_ioctl, fd, request, argument));
	/* Clones write and do not wait; of other requests that is not known. */
	how = from >= 0 ? MIO_DOOR_ALONE : MIO_DOOR_WAITS;
	if (from >= 0 && from != fd)
		rc = mio_door_bypass_begin(from, kind, ALL, 0, &source);
	if (rc == 0)
		rc = mio_door_bypass_begin(fd, MIO_BYPASS_ALLOCATE, ALL, how, &file);
	if (rc == 0)
		rc = (int)mio_raw3(SYS_ioctl, fd, request, argument);
	mio_door_bypass_end(file, fd, MIO_BYPASS_ALLOCATE, ALL, how, rc < 0 ? rc : 1);
	mio_door_bypass_end(source, from, kind, ALL, 0, rc < 0 ? rc : 1);
	return (int)mio_preload_result(rc);
}
MIO_EXPORT(ioctl, mio_pre_ioctl);

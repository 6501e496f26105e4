/*
 * What the JVM door asks the helper library first: its version, and the direct I/O limits of a file. Also what `mio info` asks.
 * libmio_jvm.so exports the mio_jvm_ functions alone; libmio_jvm.map lists their names. Java passes plain numbers and arrays
 * only, so that no structure layout is written down twice.
 */
#include "jvm_info.h"

#include "../os/os_call.h"
#include "../os/os_direct.h"
#include "../os/os_file.h"

#include <errno.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

/* Since Linux 6.5; the same number on all machines. */
#define MIO_SYS_CACHESTAT 451

/* Length of one mincore() question: the answer takes a byte for each page. */
#define MINCORE_BYTES ((int64_t)256 << 20)

#ifndef MIO_VERSION
#error "MIO_VERSION is given by the build"
#endif

MIO_JVM_EXPORT const char *mio_jvm_version(void)
{
	return MIO_VERSION;
}

MIO_JVM_EXPORT int mio_jvm_direct_limits(const char *path, int32_t *mem_and_offset_align_bytes)
{
	struct mio_os_direct_limits limits;
	int rc;

	if (!mem_and_offset_align_bytes)
		return -EFAULT;
	rc = mio_os_direct_limits_read(path, &limits);
	if (rc < 0)
		return rc;
	mem_and_offset_align_bytes[0] = (int32_t)limits.mem_align_bytes;
	mem_and_offset_align_bytes[1] = (int32_t)limits.offset_align_bytes;
	return rc;
}

/*
 * Resident bytes, found by mapping the file: for Linux before 6.5, and for overlayfs. For a file of another user the kernel
 * reports all pages as resident, so such files are not asked about.
 */
static int64_t resident_by_mapping(int fd, const struct stat *found, int64_t size, int64_t page_bytes)
{
	static unsigned char there[MINCORE_BYTES / 4096];
	static int busy;
	int64_t resident = 0;
	int error = 0;

	if (found->st_uid != geteuid() && geteuid() != 0)
		return -EPERM;
	if (__atomic_exchange_n(&busy, 1, __ATOMIC_ACQUIRE))
		return -EBUSY;
	for (int64_t at = 0; at < size && !error; at += MINCORE_BYTES) {
		size_t bytes = (size_t)(size - at < MINCORE_BYTES ? size - at : MINCORE_BYTES);
		void *mapped = mmap(NULL, bytes, PROT_READ, MAP_SHARED, fd, (off_t)at);

		if (mapped == MAP_FAILED) {
			error = errno;
			break;
		}
		if (mincore(mapped, bytes, there) < 0)
			error = errno;
		for (size_t i = 0; !error && i < (bytes + (size_t)page_bytes - 1) / (size_t)page_bytes; i++)
			resident += there[i] & 1 ? page_bytes : 0;
		munmap(mapped, bytes);
	}
	__atomic_store_n(&busy, 0, __ATOMIC_RELEASE);
	return error ? -error : resident;
}

/* On overlayfs cachestat looks for pages at the overlay's file, which has none; a mapping is one of the file below it. */
static int is_on_overlay(int fd)
{
	struct statfs found;

	return mio_os_call_statfs(fd, &found) == 0 && found.f_type == OVERLAYFS_SUPER_MAGIC;
}

static void look_at_pages(int fd, const struct stat *found, int64_t *numbers)
{
	struct {
		uint64_t offset, length;
	} range = {0, 0};	/* length 0: to the end of the file */
	struct {
		uint64_t cached, dirty, writeback, evicted, recently_evicted;
	} pages = {0, 0, 0, 0, 0};
	int64_t page_bytes = sysconf(_SC_PAGESIZE);
	long rc = is_on_overlay(fd) ? -EOPNOTSUPP : mio_raw4(MIO_SYS_CACHESTAT, fd, &range, &pages, 0);
	off_t size;

	if (rc == 0) {
		numbers[MIO_JVM_INFO_RESIDENT_BYTES] = (int64_t)pages.cached * page_bytes;
		numbers[MIO_JVM_INFO_DIRTY_BYTES] = (int64_t)(pages.dirty + pages.writeback) * page_bytes;
		return;
	}
	numbers[MIO_JVM_INFO_DIRTY_BYTES] = rc;
	numbers[MIO_JVM_INFO_RESIDENT_BYTES] = rc;
	size = lseek(fd, 0, SEEK_END);
	if ((rc == -ENOSYS || rc == -EPERM || rc == -EOPNOTSUPP) && size >= 0)
		numbers[MIO_JVM_INFO_RESIDENT_BYTES] = resident_by_mapping(fd, found, (int64_t)size, page_bytes);
}

static int64_t extents_of(int fd)
{
	struct fiemap map = {.fm_length = FIEMAP_MAX_OFFSET};
	long rc = mio_os_call_ioctl(fd, FS_IOC_FIEMAP, &map);

	return rc < 0 ? rc : (int64_t)map.fm_mapped_extents;
}

static void tell_limits(int answer, const struct mio_os_direct_limits *limits, int64_t *numbers)
{
	int told = answer == MIO_OS_DIRECT_TOLD;
	int64_t why = answer < 0 ? answer : -ENODATA;

	numbers[MIO_JVM_INFO_DIRECT_MEMORY_BYTES] = told ? (int64_t)limits->mem_align_bytes : why;
	numbers[MIO_JVM_INFO_DIRECT_OFFSET_BYTES] = told ? (int64_t)limits->offset_align_bytes : why;
}

static void look_at_file(const char *path, const struct stat *found, int64_t *numbers)
{
	struct mio_os_direct_limits limits;
	long fd;

	tell_limits(mio_os_direct_limits_read(path, &limits), &limits, numbers);
	fd = mio_os_call_open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0) {
		numbers[MIO_JVM_INFO_RESIDENT_BYTES] = numbers[MIO_JVM_INFO_DIRTY_BYTES] = fd;
		numbers[MIO_JVM_INFO_EXTENTS] = S_ISREG(found->st_mode) ? fd : -ENODATA;
		return;
	}
	look_at_pages((int)fd, found, numbers);
	if (S_ISREG(found->st_mode))
		numbers[MIO_JVM_INFO_EXTENTS] = extents_of((int)fd);
	mio_os_call_close((int)fd);
}

/* Asks by a temporary file that never gets a name. */
static void look_at_directory(const char *path, int64_t *numbers)
{
	struct mio_os_direct_limits limits;
	long fd = mio_os_call_open(path, O_TMPFILE | O_RDWR | O_CLOEXEC);

	if (fd < 0) {
		tell_limits((int)fd, &limits, numbers);
		return;
	}
	tell_limits(mio_os_direct_limits_of((int)fd, &limits), &limits, numbers);
	mio_os_call_close((int)fd);
}

MIO_JVM_EXPORT int mio_jvm_info_file(const char *path, int64_t *numbers)
{
	int errno_before = errno;
	struct stat found;
	long rc;

	if (!path || !numbers)
		return -EFAULT;
	for (int i = 0; i < MIO_JVM_INFO_COUNT; i++)
		numbers[i] = -ENODATA;
	rc = *path ? mio_os_call_stat_name(path, &found) : -ENOENT;
	if (rc < 0)
		return (int)rc;
	rc = mio_os_call_open(path, O_PATH | O_CLOEXEC);
	numbers[MIO_JVM_INFO_PLACE] = rc;
	if (rc >= 0) {
		numbers[MIO_JVM_INFO_PLACE] = S_ISBLK(found.st_mode) ? MIO_OS_PLACE_DISK : mio_os_file_place((int)rc);
		mio_os_call_close((int)rc);
	}
	if (S_ISREG(found.st_mode) || S_ISBLK(found.st_mode))
		look_at_file(path, &found, numbers);
	else if (S_ISDIR(found.st_mode))
		look_at_directory(path, numbers);
	errno = errno_before;
	return 0;
}

MIO_JVM_EXPORT void mio_jvm_error_text(int error, char *text, int text_bytes)
{
	int errno_before = errno;

	/* Not strerror_r: its two forms differ by libc. The text of a known errno is a constant. */
	if (text && text_bytes > 0)
		snprintf(text, (size_t)text_bytes, "%s", strerror(error));
	errno = errno_before;
}

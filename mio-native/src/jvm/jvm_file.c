/* Files and frame memory for Java; os_file.c and os_arena.c implement them. */
#include "jvm_file.h"

#include "../os/os_arena.h"
#include "../os/os_file.h"
#include "../os/os_folios.h"
#include "../os/os_kernel_cache.h"
#include "../os/os_room.h"

#include <errno.h>
#include <fcntl.h>

static void *at(int64_t address)
{
	return (void *)(uintptr_t)address;
}

MIO_JVM_EXPORT int mio_jvm_file_identity(int fd, int64_t *numbers)
{
	struct mio_os_identity identity;
	int rc;

	if (!numbers)
		return -EFAULT;
	rc = mio_os_file_identity(fd, &identity);
	if (rc == 0) {
		numbers[MIO_JVM_DEVICE] = (int64_t)identity.device;
		numbers[MIO_JVM_INODE] = (int64_t)identity.inode;
		numbers[MIO_JVM_HAS_BLOCKS] = identity.has_blocks;
		numbers[MIO_JVM_PLACE] = identity.place;
	}
	return rc;
}

MIO_JVM_EXPORT int mio_jvm_file_reopen(int fd, int access, int direct)
{
	return mio_os_file_reopen(fd, access, direct);
}

MIO_JVM_EXPORT int mio_jvm_file_duplicate(int fd)
{
	return mio_os_file_duplicate(fd);
}

MIO_JVM_EXPORT int mio_jvm_file_close(int fd)
{
	return mio_os_file_close(fd);
}

MIO_JVM_EXPORT int mio_jvm_file_read(int fd, int64_t address, int length, int64_t offset, int align_bytes, int flags)
{
	if (length < 0 || align_bytes < 1)
		return -EINVAL;
	return (int)mio_os_file_read(fd, at(address), (size_t)length, offset, (size_t)align_bytes, flags);
}

MIO_JVM_EXPORT int mio_jvm_file_write(int fd, int64_t address, int length, int64_t offset, int align_bytes, int flags)
{
	if (length < 0 || align_bytes < 1)
		return -EINVAL;
	return (int)mio_os_file_write(fd, at(address), (size_t)length, offset, (size_t)align_bytes, flags);
}

MIO_JVM_EXPORT int64_t mio_jvm_file_size(int fd)
{
	return mio_os_file_size(fd);
}

MIO_JVM_EXPORT int mio_jvm_file_truncate(int fd, int64_t size)
{
	return mio_os_file_truncate(fd, size);
}

MIO_JVM_EXPORT int mio_jvm_file_sync(int fd, int metadata)
{
	return mio_os_file_sync(fd, metadata);
}

MIO_JVM_EXPORT int mio_jvm_file_reserve(int fd, int64_t offset, int64_t length)
{
	return mio_os_file_reserve(fd, offset, length);
}

MIO_JVM_EXPORT int mio_jvm_cache_has(int fd, int64_t offset, int64_t length)
{
	return mio_os_kernel_cache_has(fd, offset, length);
}

MIO_JVM_EXPORT int mio_jvm_cache_read_ahead(int fd, int64_t device, int64_t offset, int64_t length)
{
	return mio_os_kernel_cache_read_ahead(fd, offset, length, mio_os_kernel_cache_longest((uint64_t)device));
}

MIO_JVM_EXPORT int mio_jvm_cache_nudge(int fd, int64_t offset, int64_t length)
{
	return mio_os_kernel_cache_nudge(fd, offset, length);
}

MIO_JVM_EXPORT int64_t mio_jvm_cache_reach(int64_t device)
{
	return mio_os_kernel_cache_reach((uint64_t)device);
}

MIO_JVM_EXPORT int64_t mio_jvm_cache_call_ns(int fd, int64_t offset)
{
	return mio_os_kernel_cache_call_ns(fd, offset);
}

MIO_JVM_EXPORT int64_t mio_jvm_cache_changed(int fd)
{
	return mio_os_file_changed(fd);
}

MIO_JVM_EXPORT int mio_jvm_folios_are_large(int fd, int64_t device)
{
	return mio_os_folios_are_large(fd, mio_os_kernel_cache_reach((uint64_t)device));
}

MIO_JVM_EXPORT int mio_jvm_folios_read_ahead(int one, int other, int64_t device, int64_t offset, int64_t length)
{
	return mio_os_folios_read_ahead(one, other, offset, length, mio_os_kernel_cache_reach((uint64_t)device),
					mio_os_kernel_cache_longest((uint64_t)device));
}

MIO_JVM_EXPORT int mio_jvm_folios_open(int fd)
{
	return mio_os_file_reopen_with(fd, O_RDONLY | O_NONBLOCK);
}

MIO_JVM_EXPORT int64_t mio_jvm_room(void)
{
	return mio_os_room();
}

MIO_JVM_EXPORT int64_t mio_jvm_arena_take(int64_t bytes)
{
	if (bytes <= 0 || (uint64_t)bytes > SIZE_MAX)
		return 0;
	return (int64_t)(uintptr_t)mio_os_arena_take((size_t)bytes);
}

MIO_JVM_EXPORT void mio_jvm_arena_give(int64_t address, int64_t bytes)
{
	if (bytes > 0)
		mio_os_arena_give(at(address), (size_t)bytes);
}

#ifndef MIO_JVM_INFO_H
#define MIO_JVM_INFO_H

#include <stdint.h>

#define MIO_JVM_EXPORT __attribute__((visibility("default")))

/* Version of this helper library, for example "0.1.0"; Java uses no helper of another version. Static storage. */
MIO_JVM_EXPORT const char *mio_jvm_version(void);

/*
 * mio_os_direct_limits_read for Java. path: NUL-terminated, in the bytes that the file system knows.
 * mem_and_offset_align_bytes: two elements, written unless an error is returned. Returns 1 if the file system told the limits,
 * 0 if it did not, or -errno.
 */
MIO_JVM_EXPORT int mio_jvm_direct_limits(const char *path, int32_t *mem_and_offset_align_bytes);

/*
 * Index into the array that mio_jvm_info_file writes. An element is -errno where its value cannot be found out, and -ENODATA
 * where the file has no such value.
 */
enum mio_jvm_info {
	MIO_JVM_INFO_PLACE,	/* enum mio_os_place of the file system */
	MIO_JVM_INFO_DIRECT_MEMORY_BYTES,	/* direct I/O limits, 0: no direct I/O; of a directory: the limits of a new file in it */
	MIO_JVM_INFO_DIRECT_OFFSET_BYTES,
	MIO_JVM_INFO_RESIDENT_BYTES,	/* bytes in the kernel's page cache, in whole pages */
	MIO_JVM_INFO_DIRTY_BYTES,	/* those of them that are not on the device yet */
	MIO_JVM_INFO_EXTENTS,	/* runs of blocks on the device */
	MIO_JVM_INFO_COUNT
};

/*
 * Looks at a regular file, block device or directory; anything else is not opened. Symbolic links are followed, nothing is
 * changed. path: as for mio_jvm_direct_limits. numbers: MIO_JVM_INFO_COUNT elements, written in any case. Returns 0, or -errno
 * as stat(2) does.
 */
MIO_JVM_EXPORT int mio_jvm_info_file(const char *path, int64_t *numbers);

/* The system's text for an errno, for messages. text: written NUL-terminated, cut to text_bytes, which is at least 1. */
MIO_JVM_EXPORT void mio_jvm_error_text(int error, char *text, int text_bytes);

#endif

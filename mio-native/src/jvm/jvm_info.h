#ifndef MIO_JVM_INFO_H
#define MIO_JVM_INFO_H

#include <stdint.h>

#define MIO_JVM_EXPORT __attribute__((visibility("default")))

/* Version of this helper, for example "0.1.0"; Java uses no helper of another version. Static storage. */
MIO_JVM_EXPORT const char *mio_jvm_version(void);

/*
 * mio_os_direct_limits_read for Java. path: NUL-terminated, in the bytes the file system knows.
 * mem_and_offset_align_bytes: two elements, written unless an error is returned.
 * Returns 1 told, 0 untold, or -errno.
 */
MIO_JVM_EXPORT int mio_jvm_direct_limits(const char *path, int32_t *mem_and_offset_align_bytes);

/*
 * What mio_jvm_info_file tells, by place in the array. Each is -errno where it cannot be found, -ENODATA where there is no such
 * thing.
 */
enum mio_jvm_info {
	MIO_JVM_INFO_PLACE,	/* enum mio_os_place of the file system */
	MIO_JVM_INFO_DIRECT_MEMORY_BYTES,	/* direct I/O limits, 0: none; of a directory: of a new file in it */
	MIO_JVM_INFO_DIRECT_OFFSET_BYTES,
	MIO_JVM_INFO_RESIDENT_BYTES,	/* in the kernel's cache, whole pages */
	MIO_JVM_INFO_DIRTY_BYTES,	/* of these, not on the device yet */
	MIO_JVM_INFO_EXTENTS,	/* runs of blocks on the device */
	MIO_JVM_INFO_COUNT
};

/*
 * Looks at a regular file, block device or directory; anything else is not opened. Links are followed, nothing is changed.
 * path: as above. numbers: MIO_JVM_INFO_COUNT elements, written in any case. Returns 0, or -errno as stat(2) does.
 */
MIO_JVM_EXPORT int mio_jvm_info_file(const char *path, int64_t *numbers);

/*
 * The system's words for an errno, for messages. text: written NUL-terminated, cut to text_bytes,
 * which is at least 1.
 */
MIO_JVM_EXPORT void mio_jvm_error_text(int error, char *text, int text_bytes);

#endif

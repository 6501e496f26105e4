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
 * The system's words for an errno, for messages. text: written NUL-terminated, cut to text_bytes,
 * which is at least 1.
 */
MIO_JVM_EXPORT void mio_jvm_error_text(int error, char *text, int text_bytes);

#endif

#ifndef MIO_JVM_FILE_H
#define MIO_JVM_FILE_H

#include "jvm_info.h"

/* os_file.h and os_arena.h for Java, with the same results and errors. Memory is passed as an address. */

/* Order of the numbers that mio_jvm_file_identity writes. */
enum mio_jvm_identity { MIO_JVM_DEVICE, MIO_JVM_INODE, MIO_JVM_HAS_BLOCKS, MIO_JVM_PLACE, MIO_JVM_IDENTITY_NUMBERS };

/* numbers: MIO_JVM_IDENTITY_NUMBERS elements, written on success. Returns 0 or -errno. */
MIO_JVM_EXPORT int mio_jvm_file_identity(int fd, int64_t *numbers);

MIO_JVM_EXPORT int mio_jvm_file_reopen(int fd, int access, int direct);

MIO_JVM_EXPORT int mio_jvm_file_duplicate(int fd);

MIO_JVM_EXPORT int mio_jvm_file_close(int fd);

/* flags: 0 or MIO_OS_DONTCACHE. Returns bytes, 0 at the end of the file, or -errno. */
MIO_JVM_EXPORT int mio_jvm_file_read(int fd, int64_t address, int length, int64_t offset, int align_bytes, int flags);

MIO_JVM_EXPORT int mio_jvm_file_write(int fd, int64_t address, int length, int64_t offset, int align_bytes, int flags);

MIO_JVM_EXPORT int64_t mio_jvm_file_size(int fd);

MIO_JVM_EXPORT int mio_jvm_file_truncate(int fd, int64_t size);

MIO_JVM_EXPORT int mio_jvm_file_sync(int fd, int metadata);

MIO_JVM_EXPORT int mio_jvm_file_reserve(int fd, int64_t offset, int64_t length);
/* As in os_kernel_cache.h. */
MIO_JVM_EXPORT int mio_jvm_cache_has(int fd, int64_t offset, int64_t length);
MIO_JVM_EXPORT int mio_jvm_cache_read_ahead(int fd, int64_t device, int64_t offset, int64_t length);
MIO_JVM_EXPORT int mio_jvm_cache_nudge(int fd, int64_t offset, int64_t length);
MIO_JVM_EXPORT int64_t mio_jvm_cache_reach(int64_t device);
MIO_JVM_EXPORT int64_t mio_jvm_cache_call_ns(int fd, int64_t offset);
/* Time of the file's last change, nanoseconds since 1970, or -1. */
MIO_JVM_EXPORT int64_t mio_jvm_cache_changed(int fd);
/* As in os_folios.h. */
MIO_JVM_EXPORT int mio_jvm_folios_are_large(int fd, int64_t device);
MIO_JVM_EXPORT int mio_jvm_folios_read_ahead(int one, int other, int64_t device, int64_t offset, int64_t length);
/* Opens the file once more for mio_jvm_folios_read_ahead: a descriptor, or -errno. */
MIO_JVM_EXPORT int mio_jvm_folios_open(int fd);
/* As in os_room.h. */
MIO_JVM_EXPORT int64_t mio_jvm_room(void);

/* Returns an address, or 0 if there is not enough memory. */
MIO_JVM_EXPORT int64_t mio_jvm_arena_take(int64_t bytes);

MIO_JVM_EXPORT void mio_jvm_arena_give(int64_t address, int64_t bytes);

#endif

#ifndef MIO_JVM_FILE_H
#define MIO_JVM_FILE_H

#include "jvm_info.h"

/* os_file.h and os_arena.h for Java, with what they promise. Memory is given as an address. */

/* What mio_jvm_file_identity tells, in this order. */
enum mio_jvm_identity { MIO_JVM_DEVICE, MIO_JVM_INODE, MIO_JVM_HAS_BLOCKS, MIO_JVM_PLACE, MIO_JVM_IDENTITY_NUMBERS };

/* numbers: MIO_JVM_IDENTITY_NUMBERS, written on success. Returns 0 or -errno. */
MIO_JVM_EXPORT int mio_jvm_file_identity(int fd, int64_t *numbers);

MIO_JVM_EXPORT int mio_jvm_file_reopen(int fd, int access, int direct);

MIO_JVM_EXPORT int mio_jvm_file_duplicate(int fd);

MIO_JVM_EXPORT int mio_jvm_file_close(int fd);

/* flags: 0 or MIO_OS_DONTCACHE. Returns bytes, 0 at the end, or -errno. */
MIO_JVM_EXPORT int mio_jvm_file_read(int fd, int64_t address, int length, int64_t offset, int align_bytes, int flags);

MIO_JVM_EXPORT int mio_jvm_file_write(int fd, int64_t address, int length, int64_t offset, int align_bytes, int flags);

MIO_JVM_EXPORT int64_t mio_jvm_file_size(int fd);

MIO_JVM_EXPORT int mio_jvm_file_truncate(int fd, int64_t size);

MIO_JVM_EXPORT int mio_jvm_file_sync(int fd, int metadata);

MIO_JVM_EXPORT int mio_jvm_file_reserve(int fd, int64_t offset, int64_t length);
/* As os_kernel_cache.h. */
MIO_JVM_EXPORT int mio_jvm_cache_has(int fd, int64_t offset, int64_t length);
MIO_JVM_EXPORT int mio_jvm_cache_read_ahead(int fd, int64_t device, int64_t offset, int64_t length);
MIO_JVM_EXPORT int mio_jvm_cache_nudge(int fd, int64_t offset, int64_t length);
MIO_JVM_EXPORT int64_t mio_jvm_cache_reach(int64_t device);
MIO_JVM_EXPORT int64_t mio_jvm_cache_call_ns(int fd, int64_t offset);
/* Time of the last change, ns since 1970, or -1. */
MIO_JVM_EXPORT int64_t mio_jvm_cache_changed(int fd);
/* As os_folios.h. */
MIO_JVM_EXPORT int mio_jvm_folios_are_large(int fd, int64_t device);
MIO_JVM_EXPORT int mio_jvm_folios_read_ahead(int one, int other, int64_t device, int64_t offset, int64_t length);
/* Another open for that: a descriptor, or -errno. */
MIO_JVM_EXPORT int mio_jvm_folios_open(int fd);
/* As os_room.h. */
MIO_JVM_EXPORT int64_t mio_jvm_room(void);

/* Address, or 0 if there is not so much. */
MIO_JVM_EXPORT int64_t mio_jvm_arena_take(int64_t bytes);

MIO_JVM_EXPORT void mio_jvm_arena_give(int64_t address, int64_t bytes);

#endif

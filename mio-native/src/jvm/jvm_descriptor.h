#ifndef MIO_JVM_DESCRIPTOR_H
#define MIO_JVM_DESCRIPTOR_H

#include "jvm_info.h"

/*
 * The number of a channel's descriptor.
 *
 * env: the JNIEnv of the calling thread; channel: a local reference to the channel; field: the name of its field of type
 * java.io.FileDescriptor. Returns the number, or -1 if anything is not as expected; leaves no exception pending.
 */
MIO_JVM_EXPORT int mio_jvm_channel_descriptor(void *env, void *channel, const char *field);

/*
 * mio_os_descriptors_count for Java. known: an array of `words` 64-bit words, the lowest numbers first, with a bit set for each
 * descriptor number that is not to be counted. readers_and_writers: two elements, written on success. Returns 0 or -errno.
 */
MIO_JVM_EXPORT int mio_jvm_descriptors_count(int64_t device, int64_t inode, const int64_t *known, int words, int32_t *readers_and_writers);

#endif

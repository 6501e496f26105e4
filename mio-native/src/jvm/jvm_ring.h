#ifndef MIO_JVM_RING_H
#define MIO_JVM_RING_H

#include "jvm_info.h"

/* os_uring.h for Java. A ring is the number that mio_jvm_ring_open wrote; blocks of numbers are direct buffers. */

/* ring: one element, written on success. Returns 0 or -errno. */
MIO_JVM_EXPORT int mio_jvm_ring_open(int entries, int64_t *ring);

/* As mio_os_uring_refusal. */
MIO_JVM_EXPORT int mio_jvm_ring_refusal(void);

/*
 * As mio_os_uring_enter. ops and dones: 8-byte numbers in the machine's byte order, laid out as described there. submitted: one
 * element. Returns the number of completions, or -errno.
 */
MIO_JVM_EXPORT int mio_jvm_ring_enter(int64_t ring, const int64_t *ops, int count, int64_t *dones, int max, int wait,
				      int32_t *submitted);

MIO_JVM_EXPORT int mio_jvm_ring_wake(int64_t ring);

MIO_JVM_EXPORT void mio_jvm_ring_close(int64_t ring);

#endif

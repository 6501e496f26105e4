/* Rings for Java; os_uring.c implements them. */
#include "jvm_ring.h"

#include "../os/os_uring.h"

#include <errno.h>
#include <stddef.h>

static struct mio_os_uring *of(int64_t ring)
{
	return (struct mio_os_uring *)(uintptr_t)ring;
}

MIO_JVM_EXPORT int mio_jvm_ring_open(int entries, int64_t *ring)
{
	struct mio_os_uring *opened = NULL;
	int rc;

	if (!ring || entries < 1)
		return -EINVAL;
	rc = mio_os_uring_open((unsigned int)entries, &opened);
	if (rc == 0)
		*ring = (int64_t)(uintptr_t)opened;
	return rc;
}

MIO_JVM_EXPORT int mio_jvm_ring_refusal(void)
{
	return mio_os_uring_refusal();
}

MIO_JVM_EXPORT int mio_jvm_ring_enter(int64_t ring, const int64_t *ops, int count, int64_t *dones, int max, int wait,
				      int32_t *submitted)
{
	unsigned int taken = 0;
	int rc;

	if (count < 0 || max < 1 || !submitted)
		return -EINVAL;
	rc = mio_os_uring_enter(of(ring), ops, (unsigned int)count, dones, (unsigned int)max, wait, &taken);
	*submitted = (int32_t)taken;
	return rc;
}

MIO_JVM_EXPORT int mio_jvm_ring_wake(int64_t ring)
{
	return mio_os_uring_wake(of(ring));
}

MIO_JVM_EXPORT void mio_jvm_ring_close(int64_t ring)
{
	mio_os_uring_close(of(ring));
}

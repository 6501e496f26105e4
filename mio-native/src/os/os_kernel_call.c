/* How long a call of the kernel takes. */
#include <errno.h>
#include <stdatomic.h>

#include "../common/clock.h"
#include "os_call.h"
#include "os_kernel_cache.h"

/* Calls are timed together, as reading the clock costs a part of one; and several times, as a thread may lose its processor meanwhile. */
#define TIMED_CALLS 8
#define TIMES 5

/* 0 until it is measured. Threads that come at the same time both measure. */
static _Atomic int64_t call_ns;

/* Nanoseconds of TIMED_CALLS calls together, or -errno. */
static int64_t time_calls(int fd, int64_t offset)
{
	int64_t began = mio_clock_ns();

	for (int i = 0; i < TIMED_CALLS; i++) {
		char byte;
		long rc = mio_os_call_pread(fd, &byte, sizeof(byte), offset);

		/* At the end of the file a call takes less time. */
		if (rc <= 0)
			return rc < 0 ? rc : -ENODATA;
	}
	return mio_clock_ns() - began;
}

int64_t mio_os_kernel_cache_call_ns(int fd, int64_t offset)
{
	int64_t least = atomic_load_explicit(&call_ns, memory_order_relaxed);

	if (least > 0)
		return least;
	for (int i = 0; i < TIMES; i++) {
		int64_t ns = time_calls(fd, offset);

		if (ns < 0)
			return ns;
		if (least == 0 || ns < least)
			least = ns;
	}
	least = least / TIMED_CALLS + 1;
	atomic_store_explicit(&call_ns, least, memory_order_relaxed);
	return least;
}

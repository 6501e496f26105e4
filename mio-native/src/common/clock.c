#include "clock.h"

#include <stdatomic.h>
#include <time.h>

static _Atomic int64_t begin;

int64_t mio_clock_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t mio_clock_begin_ns(void)
{
	int64_t known = atomic_load_explicit(&begin, memory_order_acquire);
	int64_t now;

	if (known)
		return known;
	now = mio_clock_ns();
	return atomic_compare_exchange_strong(&begin, &known, now) ? now : known;
}

#ifndef MIO_COMMON_CLOCK_H
#define MIO_COMMON_CLOCK_H

#include <stdatomic.h>
#include <stdint.h>
#include <time.h>

/*
 * Reads one of the kernel's clocks (CLOCK_...), whatever the program or another preload library has put in place of
 * clock_gettime. Two reasons: MIO compares the time with times of files, and MIO's threads that the C library does not know
 * must run no code of others.
 */
void mio_clock_read(clockid_t clock, struct timespec *now);

/* Nanoseconds of a monotonic clock with an arbitrary start. Makes no system call on usual machines. */
int64_t mio_clock_ns(void);

/* What mio_clock_ns was when the library began in this process: the times in reports count from here (reference 4.4). */
int64_t mio_clock_begin_ns(void);

/*
 * A cheaper clock to measure how long something took, in ticks. It is not ordered against memory accesses, so a reading may be
 * some ten nanoseconds early. Between threads a difference may come out negative; it is then taken for zero. Its rate is
 * measured against mio_clock_ns repeatedly.
 */
static inline uint64_t mio_clock_ticks(void);

/* Nanoseconds from began, an earlier result of mio_clock_ticks, until now. */
static inline int64_t mio_clock_since(uint64_t began);

/* Nanoseconds between two results of mio_clock_ticks. */
static inline int64_t mio_clock_between(uint64_t began, uint64_t now);

/* Finds out what the ticks are. To be called before the first mio_clock_ticks. Reads one file of /sys, once. Any thread. */
void mio_clock_ticks_begin(void);

/* In a forked child: the library begins anew, and a lock that another thread of the parent may have held is free. */
void mio_clock_forked(void);

/* State behind mio_clock_ticks and mio_clock_between. */
struct mio_clock_ticks {
	_Atomic int counter;		/* 1: ticks are those of the processor's time stamp counter */
	_Atomic uint64_t rate;		/* nanoseconds per tick, in units of 2^-32; 0 until it is measured */
	_Atomic uint64_t next;		/* the tick from which on the rate is measured again */
};
extern struct mio_clock_ticks mio_clock_state __attribute__((visibility("hidden")));
uint64_t mio_clock_rate_measure(void);

static inline uint64_t mio_clock_ticks(void)
{
#if defined(__x86_64__)
	if (atomic_load_explicit(&mio_clock_state.counter, memory_order_relaxed))
		return __builtin_ia32_rdtsc();
#endif
	return (uint64_t)mio_clock_ns();
}

static inline int64_t mio_clock_between(uint64_t began, uint64_t now)
{
	uint64_t rate;

	if (now >= atomic_load_explicit(&mio_clock_state.next, memory_order_relaxed))
		rate = mio_clock_rate_measure();
	else
		rate = atomic_load_explicit(&mio_clock_state.rate, memory_order_relaxed);
	if (now <= began)
		return 0;
	return (int64_t)((unsigned __int128)(now - began) * rate >> 32);
}

static inline int64_t mio_clock_since(uint64_t began)
{
	return mio_clock_between(began, mio_clock_ticks());
}

#endif

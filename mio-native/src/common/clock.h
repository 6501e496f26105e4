#ifndef MIO_COMMON_CLOCK_H
#define MIO_COMMON_CLOCK_H

#include <stdatomic.h>
#include <stdint.h>
#include <time.h>

/*
 * The kernel's clocks (CLOCK_...), whatever the program or another preload library has put in place of clock_gettime: times of files
 * are held against them, and the threads of MIO's that the C library does not know may run no code of others.
 */
void mio_clock_read(clockid_t clock, struct timespec *now);

/* Nanoseconds of a clock that only goes forward; its start means nothing. No system call on usual machines. */
int64_t mio_clock_ns(void);

/* mio_clock_ns when the library began in this process: the times of reports count from here (reference 4.4). */
int64_t mio_clock_begin_ns(void);

/*
 * A cheaper clock for how long something took, in ticks. Not ordered against memory, so that a reading may be some ten
 * nanoseconds early, and between threads a time may come out below zero: it is taken for zero. Its rate is measured
 * against mio_clock_ns again and again.
 */
static inline uint64_t mio_clock_ticks(void);

/* Nanoseconds since began, a reading of mio_clock_ticks. */
static inline int64_t mio_clock_since(uint64_t began);

/* The same between two readings. */
static inline int64_t mio_clock_between(uint64_t began, uint64_t now);

/* Find out what the ticks are; before the first of them is read. Reads one file of /sys, once. Any thread. */
void mio_clock_ticks_begin(void);

/* In a forked child: a lock that another thread of the parent held is free again. */
void mio_clock_forked(void);

/* Inside of the two above. */
struct mio_clock_ticks {
	_Atomic int counter;		/* 1: ticks are those of the processor's time stamp counter */
	_Atomic uint64_t rate;		/* nanoseconds per tick in 2^-32; 0 while not measured */
	_Atomic uint64_t next;		/* the tick at which to measure again */
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

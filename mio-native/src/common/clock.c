/*
 * There are two clocks. mio_clock_ns is the kernel's, read through the vDSO without a system call. The ticks are the
 * processor's counter where the kernel itself keeps time by it: the counter then runs at one rate on all processors and
 * through all sleep states, and the kernel checks that better than cpuid tells. Everywhere else ticks are nanoseconds.
 *
 * A nanosecond clock derived from the counter alone would have to wait for earlier loads, as the kernel's function
 * does, to go forward across threads; that wait is most of its cost. Differences on one thread do not need it.
 *
 * The rate is measured between two points that are taken from both clocks: first when they are a millisecond apart, and
 * then again after ten times as long each time, up to ten seconds.
 */
#include "clock.h"

#include <fcntl.h>
#include <string.h>

#include "lock.h"
#include "raw.h"
#include "vdso.h"

#define NS 1000000000
#define ONE ((uint64_t)1 << 32)
#define TRIES 4
#define FIRST_NS ((int64_t)1000000)
#define LONGEST_NS ((int64_t)10 * NS)

struct mio_clock_ticks mio_clock_state;

static _Atomic int64_t begin;
static struct mio_lock measuring;
static _Atomic int known;		/* 1 once mio_clock_ticks_begin has found out what the ticks are */
/* The rest is protected by measuring. */
static uint64_t last_ticks;		/* the last point taken from both clocks */
static int64_t last_ns;
static int64_t next_ns = FIRST_NS;	/* least time from one point to the next */
static uint64_t last_rate;		/* rate seen at the last point, whether it was accepted or not */

typedef int reader(clockid_t clock, struct timespec *now);

static reader *_Atomic chosen;

static int by_call(clockid_t clock, struct timespec *now)
{
	return (int)mio_raw2(SYS_clock_gettime, clock, now);
}

static reader *choose(void)
{
	void *found = mio_vdso_function("__vdso_clock_gettime");

	if (!found)
		found = mio_vdso_function("__kernel_clock_gettime");
	return found ? (reader *)(uintptr_t)found : by_call;
}

void mio_clock_read(clockid_t clock, struct timespec *now)
{
	reader *read = atomic_load_explicit(&chosen, memory_order_relaxed);

	if (!read) {
		read = choose();
		atomic_store_explicit(&chosen, read, memory_order_relaxed);
	}
	if (read(clock, now) != 0)
		by_call(clock, now);
}

int64_t mio_clock_ns(void)
{
	struct timespec now;

	mio_clock_read(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * NS + now.tv_nsec;
}

int64_t mio_clock_begin_ns(void)
{
	int64_t known_begin = atomic_load_explicit(&begin, memory_order_acquire);
	int64_t now;

	if (known_begin)
		return known_begin;
	now = mio_clock_ns();
	return atomic_compare_exchange_strong(&begin, &known_begin, now) ? now : known_begin;
}

#if defined(__x86_64__)
static int kernel_uses_counter(void)
{
	char name[8] = {0};
	long fd = mio_raw4(SYS_openat, AT_FDCWD, "/sys/devices/system/clocksource/clocksource0/current_clocksource",
			   O_RDONLY | O_CLOEXEC, 0);
	long got;

	if (fd < 0)
		return 0;
	got = mio_raw3(SYS_read, fd, name, sizeof(name));
	mio_raw1(SYS_close, fd);
	return got == 4 && memcmp(name, "tsc\n", 4) == 0;
}
#else
static int kernel_uses_counter(void)
{
	return 0;
}
#endif

/*
 * Takes one moment from both clocks. Returns by how many ticks the two readings may be apart: this thread may lose its
 * processor in between.
 */
static uint64_t look(uint64_t *ticks, int64_t *ns)
{
	uint64_t best = UINT64_MAX;

	for (int i = 0; i < TRIES; i++) {
		uint64_t before = mio_clock_ticks();
		int64_t at = mio_clock_ns();
		uint64_t apart = mio_clock_ticks() - before;

		if (apart < best) {
			best = apart;
			*ticks = before + apart / 2;
			*ns = at;
		}
	}
	return best;
}

void mio_clock_ticks_begin(void)
{
	if (atomic_load_explicit(&known, memory_order_acquire))
		return;
	mio_lock_acquire(&measuring);
	if (!atomic_load_explicit(&known, memory_order_relaxed)) {
		if (kernel_uses_counter()) {
			atomic_store_explicit(&mio_clock_state.counter, 1, memory_order_relaxed);
			look(&last_ticks, &last_ns);
			atomic_store_explicit(&mio_clock_state.next, last_ticks, memory_order_relaxed);
		} else {
			atomic_store_explicit(&mio_clock_state.rate, ONE, memory_order_relaxed);
			atomic_store_explicit(&mio_clock_state.next, UINT64_MAX, memory_order_relaxed);
		}
		atomic_store_explicit(&known, 1, memory_order_release);
	}
	mio_lock_release(&measuring);
}

/* 1 if the rates differ by at most one per cent. */
static int is_like(uint64_t rate, uint64_t other)
{
	uint64_t apart = rate > other ? rate - other : other - rate;

	return apart <= other / 100;
}

/* The caller holds measuring. */
static uint64_t measure(void)
{
	uint64_t ticks = 0;
	int64_t ns = 0;
	uint64_t apart = look(&ticks, &ns);
	uint64_t ticks_since = ticks - last_ticks;
	int64_t ns_since = ns - last_ns;
	uint64_t believed;
	uint64_t rate;

	if (ns_since <= 0 || ticks <= last_ticks)
		return 0;
	rate = (uint64_t)(((unsigned __int128)(uint64_t)ns_since << 32) / ticks_since);
	if (ns_since < next_ns || apart > ticks_since / 1000)
		return rate;
	if (next_ns < LONGEST_NS)
		next_ns *= 10;
	last_ticks = ticks;
	last_ns = ns;
	believed = atomic_load_explicit(&mio_clock_state.rate, memory_order_relaxed);
	/*
	 * A machine that slept between the points shows another rate once. A virtual machine that was moved to another host keeps
	 * showing it, so a rate that two points in a row show is accepted.
	 */
	if (believed == 0 || is_like(rate, believed) || is_like(rate, last_rate)) {
		atomic_store_explicit(&mio_clock_state.rate, rate, memory_order_relaxed);
		believed = rate;
	}
	last_rate = rate;
	atomic_store_explicit(&mio_clock_state.next,
			      ticks + (uint64_t)(((unsigned __int128)(uint64_t)next_ns << 32) / believed),
			      memory_order_relaxed);
	return believed;
}

/* Never waits for the lock: it may run in a signal handler that has interrupted its holder. */
uint64_t mio_clock_rate_measure(void)
{
	uint64_t rate = 0;

	if (atomic_load_explicit(&known, memory_order_acquire) && mio_lock_try(&measuring)) {
		rate = measure();
		mio_lock_release(&measuring);
	}
	return rate ? rate : atomic_load_explicit(&mio_clock_state.rate, memory_order_relaxed);
}

void mio_clock_forked(void)
{
	atomic_store_explicit(&begin, mio_clock_ns(), memory_order_release);
	memset(&measuring, 0, sizeof(measuring));
}

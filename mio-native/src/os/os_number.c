/*
 * One bit for each number that is MIO's own.
 *
 * A new descriptor lands on the lowest free number, which the program may be about to use. It is copied to a high one and the first is closed. With a
 * file that has a catch: closing any descriptor of a file drops the process's POSIX locks on it. So once the program has a POSIX lock on anything,
 * descriptors of files stay where they land, from 3 on. The door tells before the program takes its first lock (mio_os_posix_lock_coming); locks that
 * existed when the program began (they outlive exec) are found in /proc/locks.
 *
 * MIO's numbers begin at three quarters of the limit, or at 700 if that is lower. MIO takes no more numbers than a quarter of the limit; the rest is
 * the program's. Under a small limit MIO takes none: the program may need every one, and would lack each that MIO has.
 *
 * The kernel's table of descriptors grows with the first high number. In a process of several threads that waits for all processors, 10 to 30 ms; so
 * it grows as MIO begins, mostly before there are threads. A JVM has threads by then, and its programs see no numbers: there descriptors stay where
 * they land.
 */
#include "os_number.h"

#include <stdatomic.h>
#include <string.h>
#include <sys/eventfd.h>

#include "../common/lock.h"
#include "os_call.h"
#include "os_layer.h"
#include "os_locks.h"

/* As many as the kernel allows a process unless set otherwise (fs.nr_open). */
#define NUMBERS (1 << 20)
/* High enough for nearly all programs, low enough to keep the kernel's table of descriptors small. */
#define HIGH 700

static _Atomic uint64_t own[NUMBERS / 64];
/* Words of own that have ever had a bit set are below this index. */
static _Atomic uint32_t words;
static _Atomic int32_t count;

/* MIO may take one in this many numbers: the program finds the others free, whatever it opens. */
#define PART 4
/* A limit below this is a small one. */
#define LIMIT_LEAST 256

/* Held while a descriptor of a file is moved, or closed before its time. */
static struct mio_lock moving;
enum { NO_LOCKS, LOCKS_COMING, LOCKS };
static _Atomic int locks;
static _Atomic int has_looked;	/* set under moving */

/* Held while nothing may land on a standard number. */
static struct mio_lock standard;

/* 1: the program may see numbers, so MIO's are high ones. */
static _Atomic int moves;

int mio_os_is_own_descriptor(int fd)
{
	if (fd < 0 || fd >= NUMBERS)
		return 0;
	return (int)(atomic_load_explicit(&own[fd / 64], memory_order_relaxed) >> (fd % 64) & 1);
}

int mio_os_own_descriptor_from(int fd)
{
	uint32_t word = fd < 0 ? 0 : (uint32_t)fd / 64;
	uint64_t mask = ~UINT64_C(0) << (fd < 0 ? 0 : fd % 64);

	for (; word < atomic_load(&words); word++) {
		uint64_t bits = atomic_load_explicit(&own[word], memory_order_relaxed) & mask;

		if (bits)
			return (int)(word * 64) + __builtin_ctzll(bits);
		mask = ~UINT64_C(0);
	}
	return -1;
}

int mio_os_number_may_be_locked(void)
{
	return atomic_load(&locks) != NO_LOCKS;
}

/* Looks once for locks that the program may have had from its beginning. The caller holds moving. */
static void look_for_locks(void)
{
	if (atomic_load(&has_looked))
		return;
	if (mio_os_locks_held(0))
		atomic_store(&locks, LOCKS);
	atomic_store(&has_looked, 1);
}

/* 1 if the program may have POSIX locks, also ones that MIO was not told of. */
static int may_be_locked(void)
{
	if (!atomic_load_explicit(&has_looked, memory_order_acquire)) {
		mio_lock_acquire(&moving);
		look_for_locks();
		mio_lock_release(&moving);
	}
	return mio_os_number_may_be_locked();
}

void mio_os_posix_lock_coming(void)
{
	if (atomic_load_explicit(&locks, memory_order_acquire) == LOCKS)
		return;
	atomic_store(&locks, LOCKS_COMING);
	/* A thread that checked before may be about to close a descriptor: it is done when this lock is had. */
	mio_lock_acquire(&moving);
	atomic_store(&locks, LOCKS);
	mio_lock_release(&moving);
}

static int limit(void)
{
	uint64_t numbers = mio_os_call_limit(RLIMIT_NOFILE);

	return numbers < NUMBERS ? (int)numbers : NUMBERS;
}

static int high(int numbers)
{
	int from = numbers - numbers / PART;

	return from < HIGH ? from : HIGH;
}

int mio_os_number_room(void)
{
	int numbers = limit();

	if (numbers < LIMIT_LEAST)
		return -EMFILE;
	return atomic_load_explicit(&count, memory_order_relaxed) < numbers / PART ? 0 : -EMFILE;
}

static void set(int fd)
{
	uint32_t needed = (uint32_t)fd / 64 + 1;
	uint32_t now = atomic_load(&words);

	while (now < needed && !atomic_compare_exchange_weak(&words, &now, needed))
		;
	atomic_fetch_or(&own[fd / 64], UINT64_C(1) << (fd % 64));
	atomic_fetch_add(&count, 1);
}

static void clear(int fd)
{
	atomic_fetch_and(&own[fd / 64], ~(UINT64_C(1) << (fd % 64)));
	atomic_fetch_sub(&count, 1);
}

/* Makes the kernel's table of descriptors grow. */
static void make_room(void)
{
	int numbers = limit();
	long fd = numbers < LIMIT_LEAST ? -1 : mio_os_call_eventfd(EFD_CLOEXEC);
	long moved = fd < 0 ? -1 : mio_os_call_duplicate((int)fd, high(numbers));

	if (moved >= 0)
		mio_os_call_close((int)moved);
	if (fd >= 0)
		mio_os_call_close((int)fd);
}

void mio_os_numbers_begin(void)
{
	atomic_store(&moves, 1);
	make_room();
}

/* Copies fd to a high number, if possible, and closes it. Returns the number it has then, or -EMFILE. */
static int move(int fd)
{
	long moved = atomic_load(&moves) ? mio_os_call_duplicate(fd, high(limit())) : -1;

	if (moved >= 0 && moved < NUMBERS) {
		set((int)moved);
		mio_os_call_close(fd);
		return (int)moved;
	}
	if (moved >= 0)
		mio_os_call_close((int)moved);
	if (fd >= NUMBERS) {
		mio_os_call_close(fd);
		return -EMFILE;
	}
	set(fd);
	return fd;
}

int mio_os_number_keep(int fd, int of_file)
{
	int kept;

	if (!of_file)
		return move(fd);
	mio_lock_acquire(&moving);
	look_for_locks();
	if (fd < NUMBERS && atomic_load(&locks) != NO_LOCKS) {
		set(fd);
		kept = fd;
	} else {
		kept = move(fd);
	}
	mio_lock_release(&moving);
	return kept;
}

static int keep_copy(long copy)
{
	if (copy < 0)
		return (int)copy;
	if (copy >= NUMBERS) {
		mio_os_call_close((int)copy);
		return -EMFILE;
	}
	set((int)copy);
	return (int)copy;
}

int mio_os_number_copy_high(int fd)
{
	return keep_copy(atomic_load(&moves) ? mio_os_call_duplicate(fd, high(limit())) : -EMFILE);
}

int mio_os_number_copy(int fd)
{
	int copy = mio_os_number_copy_high(fd);

	return copy >= 0 ? copy : keep_copy(mio_os_call_duplicate(fd, 3));
}

void mio_os_number_close(int fd)
{
	/* The bit goes first: the program may get the number as soon as it is closed. */
	clear(fd);
	mio_os_call_close(fd);
}

int mio_os_number_close_unlocked(int fd)
{
	int closes = 0;

	if (may_be_locked())
		return 0;
	mio_lock_acquire(&moving);
	closes = atomic_load(&locks) == NO_LOCKS;
	if (closes)
		mio_os_number_close(fd);
	mio_lock_release(&moving);
	return closes;
}

static int is_open(int fd)
{
	return mio_raw2(SYS_fcntl, fd, F_GETFD) >= 0;
}

void mio_os_number_standard_begin(struct mio_os_standard *taken)
{
	taken->count = 0;
	if (!may_be_locked() || (is_open(0) && is_open(1) && is_open(2)))
		return;
	mio_lock_acquire(&standard);
	while (taken->count < MIO_OS_STANDARD) {
		int fd = (int)mio_os_call_eventfd(EFD_CLOEXEC);

		if (fd >= MIO_OS_STANDARD)
			mio_os_call_close(fd);
		if (fd < 0 || fd >= MIO_OS_STANDARD)
			break;
		/* Marked as MIO's, so that a child forked meanwhile closes it. */
		set(fd);
		taken->numbers[taken->count++] = fd;
	}
	if (taken->count == 0)
		mio_lock_release(&standard);
}

void mio_os_number_standard_end(struct mio_os_standard *taken)
{
	if (taken->count == 0)
		return;
	while (taken->count > 0)
		mio_os_number_close(taken->numbers[--taken->count]);
	mio_lock_release(&standard);
}

int mio_os_number_standard_moved(int fd)
{
	if (fd >= MIO_OS_STANDARD)
		return 0;
	mio_lock_acquire(&standard);
	mio_lock_release(&standard);
	return !mio_os_is_own_descriptor(fd);
}

void mio_os_number_own(int fd)
{
	set(fd);
}

void mio_os_number_forget(int fd)
{
	if (mio_os_is_own_descriptor(fd))
		clear(fd);
}

void mio_os_number_forked(int shares)
{
	uint32_t used = atomic_load(&words);

	for (uint32_t word = 0; word < used; word++) {
		/* Descriptors shared with the parent remain marked as MIO's, though the child does not own them: the parent works by them. */
		uint64_t bits = shares ? 0 : atomic_exchange(&own[word], 0);

		for (; bits; bits &= bits - 1)
			mio_os_call_close((int)(word * 64) + __builtin_ctzll(bits));
	}
	if (!shares) {
		atomic_store(&words, 0);
		atomic_store(&count, 0);
	}
	memset(&moving, 0, sizeof(moving));
	memset(&standard, 0, sizeof(standard));
	/* A child has none of its parent's POSIX locks. */
	atomic_store(&locks, NO_LOCKS);
	atomic_store(&has_looked, 1);
	/* The kernel has made the child's table no larger than needed. */
	if (atomic_load(&moves))
		make_room();
}

/* Looks at a read of the program or of pages that goes to the kernel: gives hints for what will come, or reads a byte of it first. */
#include "../common/clock.h"
#include "../common/hot.h"
#include "../os/os_kernel_cache.h"
#include "pf_auto.h"
#include "pf_auto_layer.h"

/*
 * Where cachestat cannot be asked: if a hint takes less time than this, its bytes count as in the kernel's page cache already; nanoseconds for each range of
 * the hint, and for each KiB of it.
 */
#define THERE_NS 2000
#define THERE_NS_EACH_KIB 30

/* The bytes of the hint are in the kernel's page cache. */
static void tell_nothing(struct mio_pf_auto *automatic, const struct mio_pf_hint *hint)
{
	mio_pf_hints_cached(&automatic->hints, hint);
	mio_pf_auto_log_cached(&automatic->log);
}

static void tell(struct mio_pf_auto *automatic, const struct mio_pf_hint *hint)
{
	int fd = mio_pf_auto_fd(automatic);
	int64_t began, ns;
	int rc;

	if (mio_pf_auto_has(automatic, fd, hint->from, hint->bytes) > 0) {
		tell_nothing(automatic, hint);
		return;
	}
	began = automatic->blind ? mio_clock_ns() : 0;
	rc = mio_pf_auto_read_ahead(automatic, fd, hint);
	automatic->deaf = rc < 0;
	if (automatic->deaf) {
		mio_pf_decisions_is(&automatic->hints.decisions, MIO_PF_DECIDED_REFUSED, 0);
		return;
	}
	mio_pf_auto_log_told(&automatic->log, hint->count, hint->bytes);
	if (!automatic->blind)
		return;
	ns = mio_clock_ns() - began;
	if (ns < hint->count * (THERE_NS + hint->bytes / 1024 * THERE_NS_EACH_KIB))
		tell_nothing(automatic, hint);
}

/* 1 if no other thread looks; then none does until the caller clears busy. */
static int is_mine_to_look(struct mio_pf_auto *automatic)
{
	return !atomic_flag_test_and_set_explicit(&automatic->busy, memory_order_acquire);
}

/* 1 if the kernel has the bytes right before the request, and does not have the first bytes of the request: one of them is to be read first. */
static int goes_on(struct mio_pf_auto *automatic, int64_t offset)
{
	int64_t front = automatic->hints.nudges.front;
	int fd = mio_pf_auto_fd(automatic);

	if (front == 0)
		return 0;
	if (mio_pf_auto_has(automatic, fd, offset, MIO_PF_NUDGES_FIRST) > 0) {
		mio_pf_hints_is_there(&automatic->hints);
		return 0;
	}
	return mio_pf_auto_has(automatic, fd, offset - front, front) > 0;
}

/* Reads a byte of the request, and finds out whether the kernel reads on then. Without busy: other threads may look meanwhile. */
static void nudge(struct mio_pf_auto *automatic, int64_t offset)
{
	if (!mio_os_kernel_cache_nudge(mio_pf_auto_fd(automatic), offset, MIO_PF_NUDGES_FIRST))
		mio_pf_nudges_in_vain(&automatic->hints.nudges);
}

/* After a quiet read: settles the open, and lets reads rest. */
static __attribute__((noinline)) void rest(struct mio_pf_auto *automatic, int64_t length)
{
	if (!is_mine_to_look(automatic))
		return;
	mio_pf_auto_settle(automatic);
	/* Reads that rest use the kernel's position. Pages do not move it, so there may be no rest before it is sure that no pages come. */
	if (mio_open_call.may_rest && mio_pf_auto_is_settled(automatic))
		mio_open_call.rests = mio_pf_hints_rest(&automatic->hints, length);
	atomic_flag_clear_explicit(&automatic->busy, memory_order_release);
}

/* Looks at a read that is not quiet. */
static __attribute__((noinline)) int look(struct mio_pf_auto *automatic, int64_t offset, size_t length, int waits)
{
	struct mio_pf_hints *hints = &automatic->hints;
	struct mio_pf_hint hint;
	int nudges, proves;

	if (automatic->deaf || !is_mine_to_look(automatic))
		return 0;
	hint = mio_pf_hints_seen(hints, offset, (int64_t)length, mio_pf_hints_is_timing(hints) ? mio_clock_ns() : 0);
	nudges = waits && goes_on(automatic, offset);
	if (nudges) {
		mio_pf_hints_nudged(hints, &hint);
		mio_pf_auto_log_told(&automatic->log, 1, (int64_t)length);
	} else if (hint.count > 0) {
		tell(automatic, &hint);
	} else if (mio_pf_hints_asks(hints)) {
		mio_pf_auto_ask(automatic, offset, (int64_t)length, waits);
	}
	if (hints->moved != 0)
		mio_pf_auto_look_past(automatic);
	mio_pf_auto_log_looked(&automatic->log, &hints->decisions);
	proves = waits && automatic->doubts;
	automatic->doubts = 0;
	atomic_flag_clear_explicit(&automatic->busy, memory_order_release);
	if (nudges)
		nudge(automatic, offset);
	return proves;
}

/* Most reads are quiet: they have a function of their own, which stays short. */
MIO_HOT int mio_pf_auto_look(struct mio_pf_auto *automatic, int64_t offset, size_t length, int waits)
{
	if (length == 0 || offset < 0 || length > MIO_PF_AUTO_FARTHEST || offset > MIO_PF_AUTO_FARTHEST)
		return 0;
	if (!mio_pf_hints_is_quiet(&automatic->hints, offset, (int64_t)length))
		return look(automatic, offset, length, waits);
	if (mio_pf_auto_has_chosen(automatic) && (mio_open_call.may_rest || !mio_pf_auto_is_settled(automatic)))
		rest(automatic, (int64_t)length);
	return 0;
}

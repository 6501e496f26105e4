/*
 * Tells when pages may serve requests. A program that reads a file through the kernel sees what other processes have written by then, and programs rely on
 * that: the processes of a database tell each other of changes by means that MIO does not see. The kernel tells only the time of a file's last change. It sets
 * that time when a write begins, before the bytes are there, and does not set it anew for a write that follows right after another one. So pages serve only
 * what was read while the file was calm, that is, while no write can have been going on, and only as long as the file has not changed since. Otherwise the
 * kernel serves; also after a write of the program itself, since that may have hidden a write of another process. Twin of Agreement.
 */
#include "pf_auto_layer.h"

#include "../common/clock.h"
#include "../layer/layer_file_system.h"
#include "../os/os_file.h"
#include "pf_layer.h"
#include "pf_stamp.h"

/*
 * Asking for the time of the last change takes as long as a small request to the kernel. So for small pages the kernel is asked only with a request that comes
 * PAUSE_NS or more after the one before, as the program may have waited for another process meanwhile, and otherwise every MOST_NS.
 */
#define PAUSE_NS 5000
#define MOST_NS 100000

/*
 * After a write of the program the file counts as not calm for YOUNG_NS. Otherwise MIO looks every LOOK_NS whether a file is calm again, and leaves it to the
 * kernel if it is not after PATIENCE_NS.
 */
#define YOUNG_NS INT64_C(50000000)
#define LOOK_NS INT64_C(10000000)
#define PATIENCE_NS INT64_C(5000000000)
/* It also leaves the file to the kernel when the program has read and written it in turns so often. */
#define PATIENCE_TURNS 64

#define UNKNOWN (-1)

static int64_t changed(struct mio_pf_auto *automatic)
{
	return mio_os_file_changed(mio_pf_auto_fd(automatic));
}

static int is_known(struct mio_pf_auto *automatic, int64_t stamp)
{
	return stamp >= 0 && stamp == atomic_load_explicit(&automatic->stamp, memory_order_relaxed);
}

static int is_calm(struct mio_pf_auto *automatic)
{
	return atomic_load_explicit(&automatic->calm, memory_order_acquire);
}

/* No thread has looked for a while, during which the file may have been calm: the present trouble counts from now on. */
static void forgive(struct mio_pf_auto *automatic, int64_t now)
{
	if (now - atomic_load_explicit(&automatic->calm_due, memory_order_relaxed) > YOUNG_NS && atomic_load_explicit(&automatic->troubled, memory_order_relaxed))
		atomic_store_explicit(&automatic->troubled, now, memory_order_relaxed);
}

/* The file is not calm: from now on the kernel serves, and the next look is at the time `due`, ns, or later. */
static void trouble(struct mio_pf_auto *automatic, struct mio_layer *pages, int64_t now, int64_t due)
{
	forgive(automatic, now);
	atomic_store_explicit(&automatic->calm_due, due, memory_order_relaxed);
	if (!is_calm(automatic))
		return;
	atomic_store_explicit(&automatic->troubled, now, memory_order_relaxed);
	atomic_store_explicit(&automatic->calm, 0, memory_order_release);
	if (pages)
		mio_pf_layer_forget(pages);
}

/* Leaves the file to the kernel for good. */
static void leave(struct mio_pf_auto *automatic, struct mio_layer *pages)
{
	if (pages) {
		mio_pf_auto_give_up(automatic, MIO_PF_AUTO_CHANGES);
	} else {
		mio_pf_auto_log_pages(&automatic->log, 0, MIO_PF_AUTO_CHANGES);
		mio_pf_auto_stay(&automatic->layer, NULL);
	}
}

/* A read goes to the kernel because the file is not calm. */
static void wait(struct mio_pf_auto *automatic, struct mio_layer *pages, int64_t now)
{
	int64_t troubled = atomic_load_explicit(&automatic->troubled, memory_order_relaxed);

	atomic_store_explicit(&automatic->waited, 1, memory_order_relaxed);
	if (!troubled)
		atomic_store_explicit(&automatic->troubled, now, memory_order_relaxed);
	else if (now - troubled > PATIENCE_NS)
		leave(automatic, pages);
}

/* Counts a write of the program after a read that had to go to the kernel; of several writes in a row only the first. */
static void turn(struct mio_pf_auto *automatic, struct mio_layer *pages)
{
	if (!atomic_load_explicit(&automatic->waited, memory_order_relaxed))
		return;
	atomic_store_explicit(&automatic->waited, 0, memory_order_relaxed);
	if (atomic_fetch_add_explicit(&automatic->turns, 1, memory_order_relaxed) == PATIENCE_TURNS)
		leave(automatic, pages);
}

static int becomes_calm(struct mio_pf_auto *automatic, struct mio_layer *pages, int64_t now)
{
	struct mio_open_request file = {.fd = mio_pf_auto_fd(automatic), .device = automatic->device};
	int64_t stamp;

	atomic_store_explicit(&automatic->calm_due, now + LOOK_NS, memory_order_relaxed);
	/* What a time of change tells depends on the type of the file system. */
	mio_file_system_see(&file);
	stamp = changed(automatic);
	if (stamp < 0 || !mio_pf_stamp_is_over(automatic->device, stamp))
		return 0;
	/* A thread that was in the pages meanwhile may have read something into them. */
	if (pages)
		mio_pf_layer_forget(pages);
	atomic_store_explicit(&automatic->stamp, stamp, memory_order_relaxed);
	atomic_store_explicit(&automatic->waited, 0, memory_order_relaxed);
	atomic_store_explicit(&automatic->turns, 0, memory_order_relaxed);
	atomic_store_explicit(&automatic->calm, 1, memory_order_release);
	return 1;
}

int mio_pf_auto_is_calm(struct mio_pf_auto *automatic, struct mio_layer *pages)
{
	int64_t now;

	/* Without pages no thread looks whether the file still is calm, so calm is of no use. */
	if (pages && is_calm(automatic))
		return 1;
	now = mio_clock_ns();
	forgive(automatic, now);
	if (now >= atomic_load_explicit(&automatic->calm_due, memory_order_relaxed) && becomes_calm(automatic, pages, now))
		return 1;
	wait(automatic, pages, now);
	return 0;
}

static int is_due(struct mio_pf_auto *automatic)
{
	uint64_t now = mio_clock_ticks();
	uint64_t asked = atomic_load_explicit(&automatic->asked, memory_order_relaxed);

	atomic_store_explicit(&automatic->asked, now, memory_order_relaxed);
	if (mio_clock_between(asked, now) < PAUSE_NS &&
	    mio_clock_between(atomic_load_explicit(&automatic->agreed, memory_order_relaxed), now) < MOST_NS)
		return 0;
	atomic_store_explicit(&automatic->agreed, now, memory_order_relaxed);
	return 1;
}

/*
 * Keeps pages that bypass the kernel's page cache in agreement. A read by direct I/O waits for writes through that cache, but not for direct writes of other
 * processes: so some time after a write of the program, in which such a write may end, the pages are forgotten once more. A file that others have changed is
 * left to the kernel for good, which has the bytes or reads them ahead.
 */
static void agree_past(struct mio_pf_auto *automatic, struct mio_layer *pages)
{
	if (!is_known(automatic, changed(automatic))) {
		mio_pf_auto_give_up(automatic, MIO_PF_AUTO_CHANGES);
		mio_pf_layer_forget(pages);
	} else if (!is_calm(automatic) && mio_clock_ns() >= atomic_load_explicit(&automatic->calm_due, memory_order_relaxed)) {
		mio_pf_layer_forget(pages);
		atomic_store_explicit(&automatic->calm, 1, memory_order_release);
	}
}

int mio_pf_auto_agree(struct mio_pf_auto *automatic, struct mio_layer *pages)
{
	int64_t now;

	if (mio_pf_auto_is_past(automatic)) {
		agree_past(automatic, pages);
		return 1;
	}
	if (!is_calm(automatic))
		return mio_pf_auto_is_calm(automatic, pages);
	if (!is_due(automatic) || is_known(automatic, changed(automatic)))
		return 1;
	now = mio_clock_ns();
	trouble(automatic, pages, now, now + LOOK_NS);
	return 0;
}

void mio_pf_auto_writes(struct mio_pf_auto *automatic, struct mio_layer *pages)
{
	if (pages && mio_pf_auto_is_past(automatic))
		agree_past(automatic, pages);
}

/* After a write by pages that bypass the kernel's page cache: what they keep is forgotten. They are given up where the next change may have the same time. */
static void wrote_past(struct mio_pf_auto *automatic, struct mio_layer *pages)
{
	int64_t stamp = changed(automatic);
	int sure = stamp >= 0 && mio_pf_stamp_is_sure(automatic->device, stamp);

	atomic_store_explicit(&automatic->stamp, sure ? stamp : UNKNOWN, memory_order_relaxed);
	if (!sure)
		mio_pf_auto_give_up(automatic, MIO_PF_AUTO_CHANGES);
	mio_pf_layer_forget(pages);
}

void mio_pf_auto_wrote(struct mio_pf_auto *automatic, struct mio_layer *pages)
{
	int64_t now;

	if (!pages && mio_pf_auto_is_settled(automatic))
		return;
	now = mio_clock_ns();
	trouble(automatic, pages, now, now + YOUNG_NS);
	turn(automatic, pages);
	if (pages && mio_pf_auto_is_past(automatic) && !mio_pf_auto_gives(automatic))
		wrote_past(automatic, pages);
}

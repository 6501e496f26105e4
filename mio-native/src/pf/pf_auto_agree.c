/*
 * Who reads a file through the kernel sees what other processes have written by then, and programs rely on it: a database whose processes tell each other
 * where nobody sees it. All that the kernel tells is the time of a file's last change: set when a write begins, before its bytes, and not anew for a write that
 * follows right behind another one. So pages serve what was read while the file was calm, which no write can have been going on in, and only as long as it has
 * not changed since; else the kernel does, also after a write of the program itself, which may have hidden another one. Twin of Agreement.
 */
#include "pf_auto_layer.h"

#include "../common/clock.h"
#include "../layer/layer_file_system.h"
#include "../os/os_file.h"
#include "pf_layer.h"
#include "pf_stamp.h"

/*
 * To ask takes as long as a small request to the kernel. Of small pages it is asked when the program did something else since its last request, as wait for
 * another process, and now and then.
 */
#define PAUSE_NS 5000
#define MOST_NS 100000

/* After a write of the program it is not calm for so long; else it is looked so often whether it is; and after so long it is given up. */
#define YOUNG_NS INT64_C(50000000)
#define LOOK_NS INT64_C(10000000)
#define PATIENCE_NS INT64_C(5000000000)
/* So it is when the program has read and written in turns so often. */
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

/* Nobody has looked for a while, in which it may have been calm: whatever is the matter begins now. */
static void forgive(struct mio_pf_auto *automatic, int64_t now)
{
	if (now - atomic_load_explicit(&automatic->calm_due, memory_order_relaxed) > YOUNG_NS && atomic_load_explicit(&automatic->troubled, memory_order_relaxed))
		atomic_store_explicit(&automatic->troubled, now, memory_order_relaxed);
}

/* From now on the kernel serves, until there is a look at that time, ns, or later. */
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

static void leave(struct mio_pf_auto *automatic, struct mio_layer *pages)
{
	if (pages) {
		mio_pf_auto_give_up(automatic, MIO_PF_AUTO_CHANGES);
	} else {
		mio_pf_auto_log_pages(&automatic->log, 0, MIO_PF_AUTO_CHANGES);
		mio_pf_auto_stay(&automatic->layer, NULL);
	}
}

/* A read goes to the kernel. */
static void wait(struct mio_pf_auto *automatic, struct mio_layer *pages, int64_t now)
{
	int64_t troubled = atomic_load_explicit(&automatic->troubled, memory_order_relaxed);

	atomic_store_explicit(&automatic->waited, 1, memory_order_relaxed);
	if (!troubled)
		atomic_store_explicit(&automatic->troubled, now, memory_order_relaxed);
	else if (now - troubled > PATIENCE_NS)
		leave(automatic, pages);
}

/* The program has written while it waited: of a burst of writes it is the first. */
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
	/* By the type of its file system it is known what a time of change tells. */
	mio_file_system_see(&file);
	stamp = changed(automatic);
	if (stamp < 0 || !mio_pf_stamp_is_over(automatic->device, stamp))
		return 0;
	/* Of a thread that was on its way meanwhile. */
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

	/* Without pages nobody looks whether it still is. */
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
 * Past the kernel's cache. A read there waits for writes that go through it; for those of others that do not, their bytes are forgotten once more when they have
 * had the time. What others have changed is the kernel's for good: it has it, or reads it ahead.
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

/* What is kept there ends with it. Where the next change may have the same time there is no sense in pages. */
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

	if (!pages && mio_pf_auto_is_settled(&automatic->layer))
		return;
	now = mio_clock_ns();
	trouble(automatic, pages, now, now + YOUNG_NS);
	turn(automatic, pages);
	if (pages && mio_pf_auto_is_past(automatic) && !mio_pf_auto_gives(automatic))
		wrote_past(automatic, pages);
}

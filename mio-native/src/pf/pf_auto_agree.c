/*
 * Who reads a file through the kernel sees what other processes have written by then, and programs rely on it: a database whose processes tell each other
 * where nobody sees it. The kernel sets the time of a file's last change when a write begins: what is read while that is young may be what was there before.
 * So there are pages only once no write of others can be going on; what is in them is given out only as long as that time is the one that they were
 * read after; and a file that others change after all is left with the kernel, for good. Twin of Agreement.
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

/* From one look whether others still write to the next, and looks until they are taken to do so for good. */
#define CALM_NS 10000000
#define CALM_LOOKS 300

#define UNKNOWN (-1)

static int64_t known(struct mio_pf_auto *automatic)
{
	return atomic_load_explicit(&automatic->stamp, memory_order_acquire);
}

/* What is read from now on has the change of this time, and will show another one. */
static void know(struct mio_pf_auto *automatic, int64_t stamp)
{
	int is_sure = stamp >= 0 && mio_pf_stamp_is_sure(automatic->device, stamp);

	atomic_store_explicit(&automatic->stamp, is_sure ? stamp : UNKNOWN, memory_order_release);
}

static int64_t changed(struct mio_pf_auto *automatic)
{
	return mio_os_file_changed(mio_pf_auto_fd(automatic));
}

/* 1 if the file has not changed. Pages that others have changed serve nothing until they are given up. */
static int agree(struct mio_pf_auto *automatic, struct mio_layer *pages)
{
	int64_t stamp = changed(automatic);

	if (stamp >= 0 && stamp == known(automatic))
		return 1;
	mio_pf_layer_forget(pages);
	if (known(automatic) == UNKNOWN && !mio_pf_auto_gives(automatic)) {
		know(automatic, stamp);
	} else {
		atomic_store_explicit(&automatic->stamp, UNKNOWN, memory_order_release);
		mio_pf_auto_give_up(automatic, MIO_PF_AUTO_CHANGED);
	}
	return 0;
}

static int is_due(struct mio_pf_auto *automatic)
{
	uint64_t now = mio_clock_ticks();
	uint64_t asked = atomic_load_explicit(&automatic->asked, memory_order_relaxed);

	atomic_store_explicit(&automatic->asked, now, memory_order_relaxed);
	if (mio_clock_between(asked, now) < PAUSE_NS &&
	    mio_clock_between(atomic_load_explicit(&automatic->agreed, memory_order_relaxed), now) < MOST_NS)
		return known(automatic) == UNKNOWN;
	atomic_store_explicit(&automatic->agreed, now, memory_order_relaxed);
	return 1;
}

void mio_pf_auto_agree(struct mio_pf_auto *automatic, struct mio_layer *pages)
{
	if (mio_pf_auto_is_past(automatic) || is_due(automatic))
		agree(automatic, pages);
}

/* Before there are pages: when others have changed the file last. What the program does itself is over when it goes on. */
static void look(struct mio_pf_auto *automatic)
{
	int64_t stamp = changed(automatic);

	if (stamp < 0 || stamp != known(automatic)) {
		atomic_store_explicit(&automatic->others, stamp, memory_order_relaxed);
		atomic_store_explicit(&automatic->stamp, stamp, memory_order_release);
	}
}

int mio_pf_auto_writes(struct mio_pf_auto *automatic, struct mio_layer *pages)
{
	if (pages)
		return agree(automatic, pages);
	if (known(automatic) == UNKNOWN)
		return 0;
	look(automatic);
	return 1;
}

/* Past the kernel's cache what is kept ends with it: that others have written at the same time would not show. */
void mio_pf_auto_wrote(struct mio_pf_auto *automatic, struct mio_layer *pages, int agrees)
{
	if (pages && mio_pf_auto_is_past(automatic))
		mio_pf_layer_forget(pages);
	if (agrees)
		know(automatic, changed(automatic));
	else if (pages)
		know(automatic, UNKNOWN);
}

int mio_pf_auto_is_calm(struct mio_pf_auto *automatic)
{
	struct mio_open_request file = {.fd = mio_pf_auto_fd(automatic), .device = automatic->device};
	int64_t now = mio_clock_ns();
	int64_t others;

	if (now < atomic_load_explicit(&automatic->calm_due, memory_order_relaxed))
		return 0;
	atomic_store_explicit(&automatic->calm_due, now + CALM_NS, memory_order_relaxed);
	/* By the type of its file system it is known what a time of change tells. */
	mio_file_system_see(&file);
	look(automatic);
	others = atomic_load_explicit(&automatic->others, memory_order_relaxed);
	if (others >= 0 && mio_pf_stamp_is_over(automatic->device, others))
		return 1;
	if (atomic_fetch_add_explicit(&automatic->calm_looks, 1, memory_order_relaxed) == CALM_LOOKS) {
		mio_pf_auto_log_pages(&automatic->log, 0, MIO_PF_AUTO_CHANGED);
		mio_pf_auto_stay(&automatic->layer, NULL);
	}
	return 0;
}

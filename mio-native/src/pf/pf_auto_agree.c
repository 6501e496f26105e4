/*
 * Who reads a file through the kernel sees what other processes have written by then, and programs rely on it: a database whose processes tell each other
 * where nobody sees it. So what is in the pages is given out only as long as the time of the file's last change is the one that they were read after.
 */
#include "pf_auto_layer.h"

#include "../common/clock.h"
#include "../os/os_file.h"
#include "pf_layer.h"
#include "pf_stamp.h"

/*
 * To ask takes as long as a small request to the kernel. Of small pages it is asked when the program did something else since its last request, as wait for
 * another process, and now and then.
 */
#define PAUSE_NS 5000
#define MOST_NS 100000

static int64_t changed(const struct mio_pf_auto *automatic)
{
	return mio_os_file_changed(mio_pf_auto_fd(automatic));
}

/* What is read from now on has the change of this time, and will show another one. */
static void know(struct mio_pf_auto *automatic, int64_t stamp)
{
	int is_sure = stamp >= 0 && mio_pf_stamp_is_sure(automatic->device, stamp);

	atomic_store_explicit(&automatic->stamp, is_sure ? stamp : -1, memory_order_release);
}

/* 1 if the file has not changed. */
static int agree(struct mio_pf_auto *automatic, struct mio_layer *pages)
{
	int64_t stamp = changed(automatic);

	if (stamp >= 0 && stamp == atomic_load_explicit(&automatic->stamp, memory_order_acquire))
		return 1;
	mio_pf_layer_forget(pages);
	know(automatic, stamp);
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

void mio_pf_auto_agree(struct mio_pf_auto *automatic, struct mio_layer *pages)
{
	if (mio_pf_auto_is_past(automatic) || is_due(automatic))
		agree(automatic, pages);
}

/* Past the kernel's cache what is kept ends with it: that others have written at the same time would not show. */
void mio_pf_auto_writes(struct mio_pf_auto *automatic, struct mio_layer *pages)
{
	automatic->agrees = agree(automatic, pages) && !mio_pf_auto_is_past(automatic);
}

void mio_pf_auto_wrote(struct mio_pf_auto *automatic)
{
	know(automatic, automatic->agrees ? changed(automatic) : -1);
}

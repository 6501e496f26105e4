/*
 * Which backend a file gets: io_uring where kernel and file system allow it, else threads; the caller's own thread where nothing
 * asynchronous is asked for. Twin of BackendChoice and Backends.
 */
#include "os_backend.h"

#include <errno.h>
#include <string.h>

#include "../common/lock.h"
#include "../common/text.h"
#include "os_own.h"
#include "os_thread_kernel.h"

enum restriction { ANY, URING, THREADS, SYNC };

static struct choice {
	struct mio_lock lock;
	int probed;
	int refusal;		/* of io_uring: -errno, or 0 */
	int said_refused;
	_Atomic int uses_threads, uses_uring;
} choice;

/* Keeps its value in a forked child. */
static _Atomic int restricted;

static struct mio_lock draining_lock;
/* While this is above 0, new requests are done in the thread that submits them. */
static _Atomic int draining;

int mio_os_backend_restrict(const char *name)
{
	static const char *const names[] = {[ANY] = "", [URING] = "uring", [THREADS] = "threads", [SYNC] = "sync"};

	for (int i = ANY; i <= SYNC; i++) {
		if (strcmp(name, names[i]) == 0) {
			atomic_store(&restricted, i);
			return 0;
		}
	}
	return -EINVAL;
}

/* Why rings are refused, -errno, or 0. The caller holds choice.lock. */
static int refusal(void)
{
	if (!choice.probed) {
		choice.refusal = mio_os_backend_uring.probe();
		choice.probed = 1;
	}
	return choice.refusal;
}

static void say_refused(int error, void (*say)(void *context, const char *line), void *context)
{
	char words[MIO_OS_WORDS_BYTES];
	struct mio_text line = {0};

	mio_text_add(&line, "io_uring: ");
	mio_text_add(&line, mio_os_words(error, words));
	mio_text_add(&line, "; threads instead");
	if (!line.failed)
		say(context, mio_text_string(&line));
	mio_text_clear(&line);
}

const struct mio_os_backend *mio_os_backend_choose(int asynchronous, int ring,
						   void (*say)(void *context, const char *line), void *context)
{
	const struct mio_os_backend *chosen = &mio_os_backend_threads;
	int asked = atomic_load(&restricted);
	int error = 0;
	int tell = 0;

	if (!asynchronous || asked == SYNC)
		return &mio_os_backend_sync;
	if (asked != THREADS && ring) {
		mio_lock_acquire(&choice.lock);
		error = refusal();
		if (error == 0) {
			chosen = &mio_os_backend_uring;
			error = chosen->failure();
		}
		tell = error < 0 && !choice.said_refused;
		if (tell)
			choice.said_refused = 1;
		mio_lock_release(&choice.lock);
	}
	/* Before anything is said: that may be the first line of a report, whose header names the engine. */
	atomic_store(chosen == &mio_os_backend_uring ? &choice.uses_uring : &choice.uses_threads, 1);
	if (tell)
		say_refused(error, say, context);
	return chosen;
}

const char *mio_os_engine(void)
{
	if (atomic_load(&choice.uses_uring) && mio_os_backend_uring.failure() == 0)
		return mio_os_backend_uring.label;
	if (atomic_load(&choice.uses_threads) || atomic_load(&choice.uses_uring))
		return mio_os_backend_threads.label;
	return mio_os_backend_sync.label;
}

void mio_os_backend_submit(const struct mio_os_backend *backend, struct mio_os_transfer *list)
{
	if (atomic_load(&draining) > 0 || atomic_load(&restricted) == SYNC)
		backend = &mio_os_backend_sync;
	backend->submit(list);
}

void mio_os_stop(void)
{
	atomic_fetch_add(&draining, 1);
	/* For a submit that checked draining before. */
	mio_os_thread_kernel_stop();
	mio_os_drain();
	mio_os_thread_kernel_await();
}

void mio_os_stop_for_good(void)
{
	atomic_fetch_add(&draining, 1);
	mio_os_thread_kernel_stop_for_good();
	mio_os_drain();
}

void mio_os_go_on(void)
{
	mio_os_thread_kernel_go_on();
	atomic_fetch_sub(&draining, 1);
}

void mio_os_drain(void)
{
	atomic_fetch_add(&draining, 1);
	mio_lock_acquire(&draining_lock);
	/* The ring first, as it may hand its transfers to the threads. */
	mio_os_backend_uring.stop();
	mio_os_backend_threads.stop();
	mio_lock_release(&draining_lock);
	atomic_fetch_sub(&draining, 1);
}

int mio_os_backend_gives_up(int fd)
{
	if (!mio_os_backend_uring.has_descriptor(fd))
		return 0;
	mio_os_drain();
	return 1;
}

void mio_os_backend_forked(void)
{
	memset(&choice, 0, sizeof(choice));
	memset(&draining_lock, 0, sizeof(draining_lock));
	atomic_store(&draining, 0);
	mio_os_backend_uring.forked();
	mio_os_backend_threads.forked();
}

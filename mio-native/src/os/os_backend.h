#ifndef MIO_OS_BACKEND_H
#define MIO_OS_BACKEND_H

/*
 * The ways to do page requests, behind one table: io_uring (os_backend_uring.c), threads, sync. Chosen at run time by
 * what the kernel allows (os_backend.c); a refusal is a line for the debug output, never a failure. Twin of IoBackend and BackendChoice.
 */

#include "os_transfer.h"

struct mio_os_backend {
	/* How reports call it. */
	const char *label;

	/*
	 * 0 unless this process may not have it, else the -errno of what is refused. What is lacking all the same is found out by the first submit, and
	 * others serve. Optional: always to be had.
	 */
	int (*probe)(void);

	/*
	 * Takes over a list (linked by next), in its order, of transfers from mio_os_transfer_make. Each is completed in any case and
	 * once, on a thread of the backend or before this returns. Starts the backend's threads if needed.
	 * Any thread; completions may call it, too.
	 */
	void (*submit)(struct mio_os_transfer *list);

	/*
	 * Waits until nothing is on its way and ends the threads, descriptors included; the next submit starts them again.
	 * One at a time, not by a completion. Optional: it has none.
	 */
	void (*stop)(void);

	/* 1 if the descriptor is one that stop closes. Optional: it has none. */
	int (*has_descriptor)(int fd);

	/* 0, or the -errno for which it passes all on to another, for good or until that has gone by. Optional: never. */
	int (*failure)(void);

	/* In a forked child: the threads are gone, and what was on its way is the parent's. Takes no lock. Optional. */
	void (*forked)(void);
};

extern const struct mio_os_backend mio_os_backend_uring;
extern const struct mio_os_backend mio_os_backend_threads;
extern const struct mio_os_backend mio_os_backend_sync;

/*
 * The backend for an open. ring: whether the file may use one. say: gets a line if a ring cannot be had, once per process,
 * where that shows by its requests with the next open after them.
 */
const struct mio_os_backend *mio_os_backend_choose(int asynchronous, int ring,
						   void (*say)(void *context, const char *line), void *context);

/* Has the backend do them; in the caller's thread while mio_os_drain waits. */
void mio_os_backend_submit(const struct mio_os_backend *backend, struct mio_os_transfer *list);

/*
 * What comes before it is left out: "uring", "threads", "sync", or "" for the best there is, from the next open on. 0 or -EINVAL. "sync" holds for files that
 * are open, too: with mio_os_drain after it there are no threads any more, and none will come (before a seccomp filter).
 */
int mio_os_backend_restrict(const char *name);

/* 1 and the backends are stopped, if one of them has this descriptor; else 0. */
int mio_os_backend_gives_up(int fd);

void mio_os_backend_forked(void);

#endif

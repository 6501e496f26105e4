#ifndef MIO_OS_BACKEND_H
#define MIO_OS_BACKEND_H

/*
 * The ways to make page requests, behind one table of functions: io_uring (os_backend_uring.c), threads, sync. os_backend.c chooses at
 * run time by what the kernel allows; a refusal is a line of debug output, never a failure. Twin of IoBackend and BackendChoice.
 */

#include "os_transfer.h"

struct mio_os_backend {
	/* Its name in reports. */
	const char *label;

	/*
	 * 0 unless this process is refused the backend, else the -errno of the refusal. Whatever else is missing shows at the first
	 * submit, and then other backends serve. Optional: without it the backend is always available.
	 */
	int (*probe)(void);

	/*
	 * Takes over a list (linked by next, in its order) of transfers from mio_os_transfer_make. Each is completed exactly once,
	 * whatever happens, on a thread of the backend or before this returns. Starts the backend's threads if needed. Any thread;
	 * completions may call it, too.
	 */
	void (*submit)(struct mio_os_transfer *list);

	/*
	 * Waits until no transfer is in flight and ends the threads, descriptors included; the next submit starts them again. One call
	 * at a time, not from a completion. Optional: without it the backend has no threads.
	 */
	void (*stop)(void);

	/* 1 if the descriptor is one that stop closes. Optional: without it there are none. */
	int (*has_descriptor)(int fd);

	/* 0, or the -errno for which it passes everything on to another backend, for good or until the cause is gone. Optional: never. */
	int (*failure)(void);

	/* In a forked child: the threads do not exist, and what was in flight is the parent's. Takes no lock. Optional. */
	void (*forked)(void);
};

extern const struct mio_os_backend mio_os_backend_uring;
extern const struct mio_os_backend mio_os_backend_threads;
extern const struct mio_os_backend mio_os_backend_sync;

/*
 * The backend for an open. ring: whether the file may use one. say: gets a line if rings are not available, once per process; if only
 * requests show that, at the next open after them.
 */
const struct mio_os_backend *mio_os_backend_choose(int asynchronous, int ring,
						   void (*say)(void *context, const char *line), void *context);

/* Hands the list to the backend; while mio_os_drain waits, the caller's thread does the requests. */
void mio_os_backend_submit(const struct mio_os_backend *backend, struct mio_os_transfer *list);

/*
 * Leaves out the backends before this one: "uring", "threads", "sync", or "" for the best available. Holds from the next open on.
 * "sync" holds for open files, too: after it and mio_os_drain there are no threads, and none will come (before a seccomp filter). 0 or
 * -EINVAL.
 */
int mio_os_backend_restrict(const char *name);

/* 1 if a backend has this descriptor, and then the backends are stopped; else 0. */
int mio_os_backend_gives_up(int fd);

void mio_os_backend_forked(void);

#endif

#ifndef MIO_OS_TRANSFER_H
#define MIO_OS_TRANSFER_H

#include "../layer/layer_io.h"
#include "os_descriptor.h"

struct mio_os_own;

/*
 * A read or write in progress, cut into steps: whole sectors through the direct descriptor, what lies before and after them through the buffered
 * one. A read goes on after short counts until the file ends. Used by one thread at a time. Twin of Transfer.
 */
struct mio_os_transfer {
	struct mio_os_own *own;
	struct mio_io *io;	/* the request to complete, or NULL */
	char *memory;
	size_t length;		/* bytes */
	int64_t offset;
	size_t done;		/* bytes moved so far */
	int write;
	int ended;		/* the file has ended */
	int error;		/* -errno, or 0 */
	int buffered_rest;	/* the direct descriptor refused, or moved an odd count */
	int refused;
	struct mio_os_transfer *next;	/* free for the backend */

	/* The current step. */
	struct mio_os_descriptor *descriptor;
	size_t step_bytes, step_align_bytes;
	int step_flags, step_direct;
	uint32_t place;		/* of the descriptor, while it is held */
};

/*
 * A whole read or write in the caller's thread. Bytes, 0 at the end, or -errno. What was moved before an error counts: the next call meets the
 * reason again.
 */
int64_t mio_os_transfer_now(struct mio_os_own *own, int write, void *memory, size_t length, int64_t offset);

/* Makes a transfer for a backend. The caller has entered own; it is left when io is complete. NULL without memory. */
struct mio_os_transfer *mio_os_transfer_make(struct mio_os_own *own, struct mio_io *io);

/* Does the same request in the caller's thread, for when mio_os_transfer_make has no memory. */
void mio_os_transfer_io(struct mio_os_own *own, struct mio_io *io);

/* Finds the next step, for a backend that uses the memory where it is. 0: there is none, because everything is done or it failed. */
int mio_os_transfer_next(struct mio_os_transfer *transfer);

/*
 * What a ring's result of a step means. -EAGAIN also for a lack of room: a ring asks the file system not to wait, and one that counts room in
 * steps (btrfs with a quota) may find none then, though there is some.
 */
int64_t mio_os_transfer_of_ring(int64_t result);

/*
 * Takes the result of a step by a ring: bytes, 0 at the end, or -errno. After -EAGAIN and -ECANCELED the step is to be done again, by a call that
 * waits.
 */
void mio_os_transfer_advance(struct mio_os_transfer *transfer, int64_t result);

/* Leaves own, frees the transfer, and completes the request. */
void mio_os_transfer_complete(struct mio_os_transfer *transfer);

/* Does the rest of it in this thread, then completes it. */
void mio_os_transfer_finish(struct mio_os_transfer *transfer);

#endif

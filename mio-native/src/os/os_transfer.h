#ifndef MIO_OS_TRANSFER_H
#define MIO_OS_TRANSFER_H

#include "../layer/layer_io.h"
#include "os_descriptor.h"

struct mio_os_own;

/*
 * A read or write on its way, cut into steps: whole sectors through the direct descriptor, what lies before and after through
 * the buffered one. Read on after short counts until the file ends. Used by one thread at a time. Twin of Transfer.
 */
struct mio_os_transfer {
	struct mio_os_own *own;
	struct mio_io *io;	/* what to complete, or NULL */
	char *memory;
	size_t length;		/* bytes */
	int64_t offset;
	size_t done;		/* bytes */
	int write;
	int ended;		/* the file has */
	int error;		/* -errno, or 0 */
	int buffered_rest;	/* the direct descriptor refused, or left an odd count */
	int refused;
	struct mio_os_transfer *next;	/* free for the backend */

	/* The current step. */
	struct mio_os_descriptor *descriptor;
	size_t step_bytes, step_align_bytes;
	int step_flags, step_direct;
	uint32_t place;		/* of the descriptor, while it is held */
};

/* A whole read or write in the caller's thread. Bytes, 0 at the end, or -errno; what was moved before an error counts: the next call meets the reason again. */
int64_t mio_os_transfer_now(struct mio_os_own *own, int write, void *memory, size_t length, int64_t offset);

/* For a backend: own has been entered, and is left when io is complete. NULL without memory. */
struct mio_os_transfer *mio_os_transfer_make(struct mio_os_own *own, struct mio_io *io);

/* The same in the caller's thread, for where there is no memory. */
void mio_os_transfer_io(struct mio_os_own *own, struct mio_io *io);

/* Finds the next step, for a backend that needs the memory where it is. 0: there is none, all is done or it failed. */
int mio_os_transfer_next(struct mio_os_transfer *transfer);

/* The result of the step by a ring: bytes, 0 at the end, or -errno. With -EAGAIN and -ECANCELED the step is to be done again, by a call that waits. */
void mio_os_transfer_advance(struct mio_os_transfer *transfer, int64_t result);

/* Leaves the file, frees the transfer, completes the request. */
void mio_os_transfer_complete(struct mio_os_transfer *transfer);

/* Does what is left of it in this thread, then completes it. */
void mio_os_transfer_finish(struct mio_os_transfer *transfer);

#endif

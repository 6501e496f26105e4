#ifndef MIO_LAYER_IO_H
#define MIO_LAYER_IO_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct mio_io;

/* Called once when a request is complete, on the thread that completes it. Must not block. */
typedef void mio_io_completion(struct mio_io *io, void *context);

/* Most completions of one request. Layers beyond that number, for example of a rule with very many traces, are not told of its end. */
enum { MIO_IO_COMPLETIONS_MAX = 16 };

/*
 * One asynchronous read or write on its way through the layers. Twin of IoRequest. Its memory belongs to its maker,
 * who may use it again once mio_io_is_done returns 1. Completions run from the last layer up; the maker's runs last.
 */
struct mio_io {
	int write;		/* 0 read, 1 write */
	void *memory;
	size_t requested;	/* bytes */
	int64_t offset;		/* offset in the file, bytes */
	int64_t result;		/* bytes moved (0: end of the file), or -errno; valid once done */
	_Atomic uint32_t done;
	int completions;
	struct {
		mio_io_completion *run;
		void *context;
	} completion[MIO_IO_COMPLETIONS_MAX];
	struct mio_io *next;	/* for the code that has the request at the moment: backends link their queues by it */
	int64_t started_ns;	/* for the layer that times requests */
	uint64_t number;	/* for layers that record the request, the same in all of them; 0 while it has none */
};

/* Initialises a request that is not yet submitted. */
void mio_io_init(struct mio_io *io, int write, void *memory, size_t bytes, int64_t offset, mio_io_completion *run,
		 void *context);

/* Adds a completion that runs before those the request already has. Only before the request is submitted. */
void mio_io_before(struct mio_io *io, mio_io_completion *run, void *context);

/* Removes the completion that was added last, which is this one: the layer below has refused the request. */
void mio_io_forget(struct mio_io *io, mio_io_completion *run, const void *context);

/* Ends the request, once. result: bytes moved, or -errno. The request may be gone when this returns. */
void mio_io_complete(struct mio_io *io, int64_t result);

static inline int mio_io_is_done(struct mio_io *io)
{
	return atomic_load_explicit(&io->done, memory_order_acquire) == 1;
}

/* Waits until the request is complete. No cancellation point; signals do not end the wait. */
void mio_io_wait(struct mio_io *io);

#endif

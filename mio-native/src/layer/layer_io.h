#ifndef MIO_LAYER_IO_H
#define MIO_LAYER_IO_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct mio_io;

/* Called once when a request is complete, on the thread that completes. Must not block. */
typedef void mio_io_completion(struct mio_io *io, void *context);

/* Layers that may want to know of one request's end. More, as of a rule with so many traces one over the other, are not told. */
enum { MIO_IO_COMPLETIONS_MAX = 16 };

/*
 * One asynchronous read or write on its way through the layers. Twin of IoRequest. Its memory belongs to its maker,
 * who may use it again once mio_io_is_done. Completions run last layer first, the maker's last.
 */
struct mio_io {
	int write;		/* 0 read, 1 write */
	void *memory;
	size_t requested;	/* bytes */
	int64_t offset;		/* in the file, bytes */
	int64_t result;		/* bytes moved (0: end of the file), or -errno; valid once done */
	_Atomic uint32_t done;
	int completions;
	struct {
		mio_io_completion *run;
		void *context;
	} completion[MIO_IO_COMPLETIONS_MAX];
	struct mio_io *next;	/* free for who has the request in hand: backends queue by it */
	int64_t started_ns;	/* for the layer that times requests */
	uint64_t number;	/* for those that record it: the same in all; 0 while it has none */
};

/* A request that is not on its way. */
void mio_io_init(struct mio_io *io, int write, void *memory, size_t bytes, int64_t offset, mio_io_completion *run,
		 void *context);

/* Have run called before the completions that are there. Only before submission. */
void mio_io_before(struct mio_io *io, mio_io_completion *run, void *context);

/* Take the last added completion, which is this one, away again: the layer below has refused the request. */
void mio_io_forget(struct mio_io *io, mio_io_completion *run, const void *context);

/* End the request: bytes moved or -errno. Once. After it the request may be gone. */
void mio_io_complete(struct mio_io *io, int64_t result);

static inline int mio_io_is_done(struct mio_io *io)
{
	return atomic_load_explicit(&io->done, memory_order_acquire) == 1;
}

/* Wait until it is done. No cancellation point; signals do not end it. */
void mio_io_wait(struct mio_io *io);

#endif

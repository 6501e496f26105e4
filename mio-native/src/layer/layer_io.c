#include "layer_io.h"

#include <string.h>

#include "../common/lock.h"

/* Values of done: 0 the request is on its way, 1 it is complete, 2 it is on its way and a thread sleeps until it completes. */

void mio_io_init(struct mio_io *io, int write, void *memory, size_t bytes, int64_t offset, mio_io_completion *run,
		 void *context)
{
	memset(io, 0, sizeof(*io));
	io->write = write;
	io->memory = memory;
	io->requested = bytes;
	io->offset = offset;
	mio_io_before(io, run, context);
}

void mio_io_before(struct mio_io *io, mio_io_completion *run, void *context)
{
	if (!run || io->completions == MIO_IO_COMPLETIONS_MAX)
		return;
	io->completion[io->completions].run = run;
	io->completion[io->completions].context = context;
	io->completions++;
}

void mio_io_forget(struct mio_io *io, mio_io_completion *run, const void *context)
{
	int last = io->completions - 1;

	/* If the last completion is another one, there was no room to add this one. */
	if (io->completion[last].run == run && io->completion[last].context == context)
		io->completions = last;
}

void mio_io_complete(struct mio_io *io, int64_t result)
{
	io->result = result;
	for (int i = io->completions - 1; i >= 0; i--)
		io->completion[i].run(io, io->completion[i].context);
	/* The exchange lets the maker of the request use its memory again, so nothing of the request is read after it. */
	if (atomic_exchange_explicit(&io->done, 1, memory_order_release) == 2)
		mio_futex_wake_all(&io->done);
}

void mio_io_wait(struct mio_io *io)
{
	uint32_t seen = atomic_load_explicit(&io->done, memory_order_acquire);

	while (seen != 1) {
		if (seen == 2 || atomic_compare_exchange_weak(&io->done, &seen, 2))
			mio_futex_wait(&io->done, 2, -1);
		seen = atomic_load_explicit(&io->done, memory_order_acquire);
	}
}

#ifndef MIO_LAYER_COPY_H
#define MIO_LAYER_COPY_H

#include <stdatomic.h>
#include <string.h>

#include "layer_open.h"

/*
 * Copies from or to memory of the program, which may fault where the kernel would say EFAULT. While one runs this thread holds what keeps the file for
 * itself, and no lock that others need: who ends the process after a fault may write out what is dirty (mio_pf_copy_given_up).
 */
enum { MIO_LAYER_COPIES = 1, MIO_LAYER_COPY_FAULTED = 2 };

/* The mark stays until the call of the program ends, or the next copy: for a call that does nothing else any more, as it costs little so. */
static inline void mio_layer_copy_last(void *to, const void *from, size_t length)
{
	atomic_store_explicit(&mio_open_call.copies, MIO_LAYER_COPIES, memory_order_relaxed);
	atomic_signal_fence(memory_order_seq_cst);
	memcpy(to, from, length);
}

static inline void mio_layer_copy(void *to, const void *from, size_t length)
{
	mio_layer_copy_last(to, from, length);
	atomic_signal_fence(memory_order_seq_cst);
	atomic_store_explicit(&mio_open_call.copies, 0, memory_order_relaxed);
}

/* For the handler of a fault, which may have come in such a copy. */
static inline void mio_layer_copy_faults(void)
{
	if (atomic_load_explicit(&mio_open_call.copies, memory_order_relaxed) == MIO_LAYER_COPIES)
		atomic_store_explicit(&mio_open_call.copies, MIO_LAYER_COPY_FAULTED, memory_order_relaxed);
}

static inline int mio_layer_copy_has_faulted(void)
{
	return atomic_load_explicit(&mio_open_call.copies, memory_order_relaxed) == MIO_LAYER_COPY_FAULTED;
}

#endif

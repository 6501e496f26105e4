#ifndef MIO_LAYER_COPY_H
#define MIO_LAYER_COPY_H

#include <stdatomic.h>
#include <string.h>

#include "layer_open.h"

/*
 * Copies from or to memory of the program, which may fault where the kernel would say EFAULT. While one runs this thread holds what keeps the file for
 * itself, and no lock that others need: who ends the process after a fault may write out what is dirty (mio_pf_copy_given_up).
 *
 * Where the handler of the fault is MIO's, a copy whose caller looks how it ended comes back from the fault instead, as the kernel's own does
 * (mio_layer_copy_land): one that tries, and one into a page that is named in mio_open_call.
 */
enum { MIO_LAYER_COPIES = 1, MIO_LAYER_COPY_FAULTED = 2, MIO_LAYER_COPY_TRIES = 3 };

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
#define MIO_LAYER_COPY_LANDS 0
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
#define MIO_LAYER_COPY_LANDS 0
#endif
#endif
#ifndef MIO_LAYER_COPY_LANDS
#if (defined(__x86_64__) && defined(__LP64__)) || (defined(__aarch64__) && defined(__LP64__))
#define MIO_LAYER_COPY_LANDS 1
#else
#define MIO_LAYER_COPY_LANDS 0
#endif
#endif

/*
 * memcpy, first byte first: what is there after a fault is a beginning. Not 0 if a fault has ended it, which happens where mio_layer_copy_land is called
 * in its handler, and nowhere else.
 */
#if MIO_LAYER_COPY_LANDS
int mio_layer_copy_bytes(void *to, const void *from, size_t length) __attribute__((visibility("hidden")));
#else
static inline int mio_layer_copy_bytes(void *to, const void *from, size_t length)
{
	memcpy(to, from, length);
	return 0;
}
#endif

/*
 * 0, or not 0 if the program's memory may not be used. The mark stays until the call of the program ends, or the next copy: nothing else
 * of this thread looks at it, and it costs little so.
 */
static inline int mio_layer_try_copy(void *to, const void *from, size_t length)
{
	atomic_store_explicit(&mio_open_call.copies, MIO_LAYER_COPY_TRIES, memory_order_relaxed);
	atomic_signal_fence(memory_order_seq_cst);
	return mio_layer_copy_bytes(to, from, length);
}

static inline void mio_layer_copy(void *to, const void *from, size_t length)
{
	atomic_store_explicit(&mio_open_call.copies, MIO_LAYER_COPIES, memory_order_relaxed);
	atomic_signal_fence(memory_order_seq_cst);
	mio_layer_copy_bytes(to, from, length);
	atomic_signal_fence(memory_order_seq_cst);
	atomic_store_explicit(&mio_open_call.copies, 0, memory_order_relaxed);
}

/* For the handler of a fault, which may have come in such a copy. */
static inline void mio_layer_copy_faults(void)
{
	int copies = atomic_load_explicit(&mio_open_call.copies, memory_order_relaxed);

	if (copies == MIO_LAYER_COPIES || copies == MIO_LAYER_COPY_TRIES)
		atomic_store_explicit(&mio_open_call.copies, MIO_LAYER_COPY_FAULTED, memory_order_relaxed);
}

static inline int mio_layer_copy_has_faulted(void)
{
	return atomic_load_explicit(&mio_open_call.copies, memory_order_relaxed) == MIO_LAYER_COPY_FAULTED;
}

/*
 * For the same handler, with what the kernel gives it of the thread: 1 if the fault came in mio_layer_copy_bytes, and who called that looks how it ended. Then
 * land has it come back, not 0, when the handler returns, and the call of the program know of it.
 */
int mio_layer_copy_may_land(void *context);
void mio_layer_copy_land(void *context);

#endif

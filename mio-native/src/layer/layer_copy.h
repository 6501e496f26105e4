#ifndef MIO_LAYER_COPY_H
#define MIO_LAYER_COPY_H

#include <stdatomic.h>
#include <string.h>

#include "layer_open.h"

/*
 * Copies from or to memory of the program. They may fault where the kernel would return EFAULT. While a copy runs, its thread may hold the
 * locks that order the calls on its file (the gate, the file's lock in the door), and may have pinned a page. It holds no lock that writing out needs, such
 * as that of the cache: so a handler that ends the process after a fault can still write out dirty pages (mio_pf_copy_given_up).
 *
 * Where MIO's own handler gets the fault, a copy whose caller checks the outcome returns instead, as the kernel's own copy does (mio_layer_copy_land).
 * These are the copies of mio_layer_try_copy, and copies into a page that mio_open_call.copies_into names.
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
 * memcpy that begins with the first byte: what has been copied when a fault comes is a beginning. Returns not 0 if a fault ended the copy; this happens
 * only if the handler of the fault calls mio_layer_copy_land.
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
 * Returns 0, or not 0 if the program's memory may not be used. The mark in mio_open_call.copies stays until the program's call ends, or until
 * the next copy: leaving it saves time, and nothing else in this thread looks at it.
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

/* For the handler of a fault: if the fault came during such a copy, marks that copy as faulted. */
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
 * For the same handler. context: the thread's context, which the kernel gives to the handler. may_land: 1 if the fault came in mio_layer_copy_bytes, and its
 * caller checks the outcome. land: makes that copy return not 0 when the handler returns, and sets mio_open_call.faulted for the program's call.
 */
int mio_layer_copy_may_land(void *context);
void mio_layer_copy_land(void *context);

#endif

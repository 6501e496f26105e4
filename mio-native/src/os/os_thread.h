#ifndef MIO_OS_THREAD_H
#define MIO_OS_THREAD_H

/* All threads of the library: all signals blocked, small stack, never joined. */

/* Runs it on a new thread. 0 or -errno; errno is kept. -EBUSY: no thread may begin now (mio_os_stop); later they may again. */
int mio_os_thread_start(void (*run)(void));
/* The same for a function that ends by itself. If no thread may begin now, it begins later, once, however often this is called before. */
int mio_os_thread_start_brief(void (*run)(void));

/*
 * From now on threads are made without the C library, which takes memory of the program's malloc for each: for a library whose
 * calls may be made from inside malloc. What the threads run may use no more of the C library than os_thread_kernel.c says. To be
 * called once, before the first thread. Does nothing on machines it is not written for.
 */
void mio_os_thread_kernel_allow(void);

/* Number of the calling thread. */
int mio_os_thread_number(void);

/*
 * Waits until the thread of this number, which is about to end, is gone for the kernel, too, and so are the threads that the
 * kernel made for its ring: while these exist, unshare(2) fails. Needs descriptors for a moment.
 */
void mio_os_thread_gone(int number);

#endif

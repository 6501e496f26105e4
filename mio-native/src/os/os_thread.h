#ifndef MIO_OS_THREAD_H
#define MIO_OS_THREAD_H

/* Threads of the library's own: all signals blocked, small stack, nobody joins them. The only ones there are. */

/* Run it on a new thread. 0 or -errno; errno is kept. -EBUSY: no thread may begin now (mio_os_stop); later they may again. */
int mio_os_thread_start(void (*run)(void));
/* The same for a run that ends by itself. Where none may begin now it begins later, once however often it is asked for till then. */
int mio_os_thread_start_brief(void (*run)(void));

/*
 * From now on they are made without the C library, which takes memory of the program's malloc for each: for a library whose calls
 * may be made from inside malloc. Nothing that run does may want more of the C library than os_thread_kernel.c says.
 * Once, before the first. Nothing changes on machines it is not written for.
 */
void mio_os_thread_kernel_allow(void);

/* Number of the calling thread. */
int mio_os_thread_number(void);

/*
 * Wait until the thread of this number, which is about to end, is gone for the kernel, too, and those with it that the kernel made for its
 * ring: while it has them, unshare(2) fails. Needs descriptors for a moment.
 */
void mio_os_thread_gone(int number);

#endif

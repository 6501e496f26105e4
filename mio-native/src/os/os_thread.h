#ifndef MIO_OS_THREAD_H
#define MIO_OS_THREAD_H

/* Threads of the library's own: all signals blocked, small stack, nobody joins them. The only ones there are. */

/* Run it on a new thread. 0 or -errno; errno is kept. */
int mio_os_thread_start(void (*run)(void));

/* Number of the calling thread. */
int mio_os_thread_number(void);

/*
 * Wait until the thread of this number, which is about to end, is gone for the kernel, too, and those with it that the kernel made for its
 * ring: while it has them, unshare(2) fails. Needs descriptors for a moment.
 */
void mio_os_thread_gone(int number);

#endif

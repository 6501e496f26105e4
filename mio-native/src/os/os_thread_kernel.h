#ifndef MIO_OS_THREAD_KERNEL_H
#define MIO_OS_THREAD_KERNEL_H

/* How os_thread.h starts a thread without the C library. See os_thread_kernel.c. */

/* 1 after mio_os_thread_kernel_allow, on machines it is written for. */
int mio_os_thread_kernel_is_allowed(void);

/* As mio_os_thread_start, or mio_os_thread_start_brief. 0, -ENOMEM, -EAGAIN... */
int mio_os_thread_kernel_start(void (*run)(void), int brief);

/*
 * Between the two no thread begins; a brief one begins after the last mio_os_thread_kernel_go_on. Called in pairs, which may
 * overlap between threads. stop returns at once: running threads are told to end by other means, and mio_os_thread_kernel_await
 * waits for them.
 */
void mio_os_thread_kernel_stop(void);
void mio_os_thread_kernel_go_on(void);
/* From now on only brief threads begin. */
void mio_os_thread_kernel_stop_for_good(void);

/* Waits until no thread runs, at most 2 seconds. 1 if none does. */
int mio_os_thread_kernel_await(void);

/* In a forked child: all threads are gone. */
void mio_os_thread_kernel_forked(void);

#endif

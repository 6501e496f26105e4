#ifndef MIO_OS_THREAD_KERNEL_H
#define MIO_OS_THREAD_KERNEL_H

/* How os_thread.h starts a thread without the C library. See os_thread_kernel.c. */

/* 1 after mio_os_thread_kernel_allow, where the machine is one it is written for. */
int mio_os_thread_kernel_is_allowed(void);

/* As mio_os_thread_start, or mio_os_thread_start_brief. -ENOMEM, -EAGAIN... */
int mio_os_thread_kernel_start(void (*run)(void), int brief);

/*
 * Between the two none begins; what is brief does after the last mio_os_thread_kernel_go_on. In pairs, also from some threads at a time.
 * Returns at once: those that run are told to end by others, and waited for by mio_os_thread_kernel_await.
 */
void mio_os_thread_kernel_stop(void);
void mio_os_thread_kernel_go_on(void);
/* From now on only brief ones begin. */
void mio_os_thread_kernel_stop_for_good(void);

/* Until none is there, at most 2 seconds. 1 if so. */
int mio_os_thread_kernel_await(void);

/* In a forked child: all are gone. */
void mio_os_thread_kernel_forked(void);

#endif

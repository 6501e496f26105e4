#ifndef MIO_OS_THREAD_KERNEL_H
#define MIO_OS_THREAD_KERNEL_H

/* How os_thread.h starts a thread without the C library. See os_thread_kernel.c. */

/* 1 after mio_os_thread_kernel_allow, where the machine is one it is written for. */
int mio_os_thread_kernel_is_allowed(void);

/* As mio_os_thread_start. -ENOMEM, -EAGAIN... */
int mio_os_thread_kernel_start(void (*run)(void));

/* In a forked child: all are gone. */
void mio_os_thread_kernel_forked(void);

#endif

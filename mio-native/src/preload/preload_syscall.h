#ifndef MIO_PRELOAD_SYSCALL_H
#define MIO_PRELOAD_SYSCALL_H

/* Calls by number; w: their six words. Results are those of syscall(). */

/* The real syscall(). */
long mio_preload_plain(long number, const long *w);
/* preload_syscall_names.c: 1 if the number is one that it serves, and then *result is the result of the call. */
int mio_preload_by_name(long number, const long *w, long *result);
/* preload_syscall_process.c: the same. by_copy serves only copies of the process, also without an open door. */
int mio_preload_by_process(long number, const long *w, long *result);
int mio_preload_by_copy(long number, const long *w, long *result);

#endif

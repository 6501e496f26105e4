#ifndef MIO_PRELOAD_SYSCALL_H
#define MIO_PRELOAD_SYSCALL_H

/* Calls by number: w is their six words. Results are those of syscall(). */

/* The real syscall(). */
long mio_preload_plain(long number, const long *w);
/* preload_syscall_names.c: 1 if the number is one of its, and then *result is what came of it. */
int mio_preload_by_name(long number, const long *w, long *result);
/* preload_syscall_process.c: the same; copies of the process without a door, too. */
int mio_preload_by_process(long number, const long *w, long *result);
int mio_preload_by_copy(long number, const long *w, long *result);

#endif

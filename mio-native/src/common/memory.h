#ifndef MIO_COMMON_MEMORY_H
#define MIO_COMMON_MEMORY_H

#include <stddef.h>

/*
 * Memory of the library's own, straight from the kernel: malloc belongs to the program, may be what is
 * interrupted, and may itself open files. Freed pieces are kept by size and used again. Any
 * thread; not from a signal handler that interrupted one of these functions (the door's business).
 * errno is kept. Page frames come from os_arena.h instead.
 */

/* So many bytes, all zero, aligned to 16 (to 64 from 64 bytes up). NULL if there is not so much. */
void *mio_memory_take(size_t bytes);

/* Give back what was taken; bytes as then. NULL is nothing. */
void mio_memory_give(void *memory, size_t bytes);

/* In a forked child: a lock that another thread of the parent held is free again; what it was taking is lost. */
void mio_memory_forked(void);

#endif

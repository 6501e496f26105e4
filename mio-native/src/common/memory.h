#ifndef MIO_COMMON_MEMORY_H
#define MIO_COMMON_MEMORY_H

#include <stddef.h>

/*
 * Memory of the library's own, straight from the kernel. malloc is not used: it belongs to the program, may be the very call
 * that was interrupted, and may itself open files. Freed pieces are kept by size and used again. Any thread, but not from a
 * signal handler that has interrupted one of these functions; the door prevents that. errno is kept. Page frames come from
 * os_arena.h instead.
 */

/* Takes this many bytes, all zero, aligned to 16 (to 64 from 64 bytes up). NULL if there is no memory. */
void *mio_memory_take(size_t bytes);

/* Gives memory back; bytes: as when it was taken. NULL is allowed and does nothing. */
void mio_memory_give(void *memory, size_t bytes);

/*
 * In a forked child: frees a lock that another thread of the parent may have held. Memory that was free in the parent is
 * lost, and so is what another thread was just taking.
 */
void mio_memory_forked(void);

#endif

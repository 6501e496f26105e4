#ifndef MIO_OS_ARENA_H
#define MIO_OS_ARENA_H

#include <stddef.h>

/*
 * The memory of page frames: one arena per process. Memory is zero when taken, provided by the kernel when first touched, and
 * aligned to 4096. 2 MiB and more are aligned to huge pages, which are advised. The memory does not exist in a forked child. What
 * is given back goes to the kernel and its addresses are used again, but they stay mapped for ever: a late reader or a late write
 * of a device hits memory, never a fault. All functions: any thread.
 */

/* Takes this many bytes, rounded up to 4096. NULL if there is not enough memory. errno is kept. */
void *mio_os_arena_take(size_t bytes);

/* Gives back what was taken, or any whole part of it at multiples of 4096. */
void mio_os_arena_give(void *memory, size_t bytes);

/* In a forked child: forgets the parent's arena, which does not exist there. */
void mio_os_arena_forked(void);

#endif

#ifndef MIO_OS_ARENA_H
#define MIO_OS_ARENA_H

#include <stddef.h>

/*
 * The memory of page frames, one arena per process. Zero when taken, given by the kernel when first touched,
 * aligned to 4096, huge pages advised (then aligned to them). Not there in a forked child. What is given back
 * is handed to the kernel and its addresses are used again, but they stay mapped for ever: a late
 * reader or a late write of a device hits memory, never a fault. All functions: any thread.
 */

/* Take so many bytes, rounded up to 4096. NULL if there is not so much. errno is kept. */
void *mio_os_arena_take(size_t bytes);

/* Give back what was taken, or any whole part of it at multiples of 4096. */
void mio_os_arena_give(void *memory, size_t bytes);

/* In a forked child: nothing of the parent's arena is there any more. */
void mio_os_arena_forked(void);

#endif

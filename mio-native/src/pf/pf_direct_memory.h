#ifndef MIO_PF_DIRECT_MEMORY_H
#define MIO_PF_DIRECT_MEMORY_H

/*
 * Memory of pages through which pf/auto reads files past the kernel's page cache. All opens of the process together may have a part of the memory that could
 * keep files. An open takes its share first; then one cache has it, which may live longer than the open that made it. Twin of DirectMemory.
 */

#include <stdint.h>

struct mio_pf_direct_memory {
	int64_t bytes;
	int forks;	/* number of forks before the process in whose sum it counts */
};

/* Takes what one more open may have. Asks for the room: the program may have grown since pages were chosen. NULL, or why that is nothing, in words. */
const char *mio_pf_direct_memory_take(struct mio_pf_direct_memory *memory);
/* Gives it back; nothing if it has no bytes. */
void mio_pf_direct_memory_give(struct mio_pf_direct_memory *memory);
/* For a forked child: what its parent has does not count there. */
void mio_pf_direct_memory_forked(void);

#endif

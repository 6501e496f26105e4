#ifndef MIO_PF_RESERVED_H
#define MIO_PF_RESERVED_H

/*
 * Sectors of a file that space was set aside for, wherever they are: a mark has 64 of them, and its place in a table by its number. Where two marks want
 * the same place the table grows, and where it may grow no more the older one goes. That costs another request for space; what is here is always so.
 * Pure; the caller locks. Twin of ReservedSectors.
 */

#include <stdint.h>

struct mio_pf_reserved_mark {
	int64_t number;		/* of its first sector, / 64 */
	uint64_t sectors;	/* 0: none */
};

/* Ready when all zero. */
struct mio_pf_reserved {
	struct mio_pf_reserved_mark *marks;
	int64_t count;		/* a power of 2, or 0 */
};

/* Sectors from first, before end: whether space was set aside for all; that it was; that it may be so no more from end on; of none. */
int mio_pf_reserved_has(const struct mio_pf_reserved *reserved, int64_t first, int64_t end);
void mio_pf_reserved_add(struct mio_pf_reserved *reserved, int64_t first, int64_t end);
void mio_pf_reserved_cut(struct mio_pf_reserved *reserved, int64_t end);
void mio_pf_reserved_clear(struct mio_pf_reserved *reserved);

#endif

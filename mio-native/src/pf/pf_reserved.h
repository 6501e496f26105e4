#ifndef MIO_PF_RESERVED_H
#define MIO_PF_RESERVED_H

/*
 * The set of the sectors of a file for which space was set aside. A mark covers 64 sectors; its place in a table follows from its number. Where two marks need
 * the same place, the table grows; once it may not grow any more, the older mark is forgotten. That only costs one more request for space: a sector in the set
 * is always one with space. Pure; the caller locks. Twin of ReservedSectors.
 */

#include <stdint.h>

struct mio_pf_reserved_mark {
	int64_t number;		/* number of its first sector, divided by 64 */
	uint64_t sectors;	/* bit set; 0: the mark is free */
};

/* Ready when all zero. */
struct mio_pf_reserved {
	struct mio_pf_reserved_mark *marks;
	int64_t count;		/* a power of 2, or 0 */
};

/*
 * For sectors from first on, before end. has: 1 if all of them are in the set. add: adds them. cut: removes all from end on. clear: removes all, and gives the
 * memory back.
 */
int mio_pf_reserved_has(const struct mio_pf_reserved *reserved, int64_t first, int64_t end);
void mio_pf_reserved_add(struct mio_pf_reserved *reserved, int64_t first, int64_t end);
void mio_pf_reserved_cut(struct mio_pf_reserved *reserved, int64_t end);
void mio_pf_reserved_clear(struct mio_pf_reserved *reserved);

#endif

#ifndef MIO_PF_BLOCKS_H
#define MIO_PF_BLOCKS_H

/*
 * Which blocks of a file that is not in the kernel's cache pf/auto tells the kernel of as a whole, because the program keeps coming back
 * to them at random or in steps. Pure: requests in, blocks out; twin of ReadBlocks, held together by twin/auto/blocks.txt. Not thread-safe.
 *
 * A block takes longer to come than the page of it that is asked for, and saves a request each time that another of its pages is. Both are
 * counted, in half requests: blocks are told of where requests come back, each once, and never for more than what was saved so far and a
 * small part of all requests, which is all that can be lost. Once they have paid for themselves, larger pieces are told at once. On storage
 * that answers late a block costs less, since it is hardly longer on its way than a page: the first requests are timed.
 *
 * Only the first request for a page counts: then the page is there. Where most requests are for such pages, few are to be expected for others.
 */

#include <stdint.h>

enum {
	MIO_PF_BLOCKS_MAX = 4096,		/* larger files are left alone */
	MIO_PF_BLOCK_BYTES = 64 << 10,
	MIO_PF_BLOCK_PAGE_BYTES = 4096,
	MIO_PF_BLOCK_REQUEST_MAX = 16 << 10,	/* of longer requests a block is not much more, bytes */
	MIO_PF_BLOCK_RETURNS = 16,		/* of the last 64 requests so many have to have come back to a block */
	MIO_PF_BLOCK_COST = 3,			/* what a block costs, half requests: on an idle disk less, on a busy one as much */
	MIO_PF_BLOCK_COST_OF_FEW = 6,		/* the same where less than half of the last 64 requests were the first ones for a page */
	MIO_PF_BLOCK_COST_IN_STEPS = 2,		/* in steps, where it comes while the program goes there */
	MIO_PF_BLOCK_TIMED = 32,		/* so many requests are timed */
	MIO_PF_BLOCK_LATE_NS = 256000,		/* if most take so long, a block costs this: */
	MIO_PF_BLOCK_COST_LATE = 1,		/* on such storage it takes hardly longer than a page */
	MIO_PF_BLOCK_GAIN = 2,			/* what is saved by each request for another page of it */
	MIO_PF_BLOCK_CREDIT = 24,		/* for so many requests half of one may be lost */
	MIO_PF_BLOCK_AHEAD = 4,			/* in steps: so many in front of the program */
	MIO_PF_BLOCK_PIECE_MAX = 4,		/* told at once, blocks at most */
	MIO_PF_BLOCK_PIECES = 64,		/* of a size, before larger ones */
	MIO_PF_BLOCK_PATIENCE = 2048,		/* random requests before it begins, or gives up */
	MIO_PF_BLOCK_IDLE_MAX = 512		/* requests in a row that tell nothing before fewer are looked at again */
};

struct mio_pf_blocks {
	int64_t size_bytes;
	int count;
	int left;			/* that were not told of; 0: it is over */
	uint64_t returns;		/* the last 64 requests: whether they came back */
	uint64_t firsts;		/* the same, of requests for any page: whether they were the first ones for it */
	int looks;			/* requests of whatever kind */
	int64_t now_ns;			/* when the last request began */
	int is_timed;			/* that one is, with what the program does then */
	int timed, late;		/* requests */
	int patience;
	int telling;			/* it has begun to tell */
	int idle;			/* requests since something was told */
	int64_t requests;
	int64_t spent, saved;		/* half requests */
	int piece, pieces;		/* blocks told at once, and how often */
	int first, end;			/* what was found last: blocks, without end */
	int64_t cost;			/* of that */
	uint64_t told[MIO_PF_BLOCKS_MAX / 64];
	uint16_t touched[];		/* of each block the pages that were asked for, bits */
};

/* 1 if files of this size, bytes, can be told of in blocks. */
static inline int mio_pf_blocks_serves(int64_t size_bytes)
{
	return size_bytes > 0 && size_bytes <= (int64_t)MIO_PF_BLOCKS_MAX * MIO_PF_BLOCK_BYTES;
}

/* For one open of a file of so many bytes. NULL if files of this size are left alone, or without memory. */
struct mio_pf_blocks *mio_pf_blocks_make(int64_t size_bytes);
void mio_pf_blocks_free(struct mio_pf_blocks *blocks);

/* A request is about to be made, of whatever kind: the one before is over. now_ns: looked at only if mio_pf_blocks_is_timing; 0: not known. */
void mio_pf_blocks_next(struct mio_pf_blocks *blocks, int64_t now_ns);

/* Some requests after that one will not be shown. */
void mio_pf_blocks_rests(struct mio_pf_blocks *blocks);

/*
 * Looks at that request, if it is at random or in steps; step: from the one before, signed bytes; 0: at random. Those in steps
 * do not wear its patience out. 1 if the kernel is to be told of mio_pf_blocks_bytes from mio_pf_blocks_from on, or else mio_pf_blocks_there is to be called.
 */
int mio_pf_blocks_seen(struct mio_pf_blocks *blocks, int64_t offset, int64_t length, int64_t step);

/* 1 while times matter. NULL is nothing. */
static inline int mio_pf_blocks_is_timing(const struct mio_pf_blocks *blocks)
{
	return blocks && blocks->left > 0 && blocks->timed < MIO_PF_BLOCK_TIMED && blocks->looks < MIO_PF_BLOCK_PATIENCE;
}

/* What was found last is in the kernel's cache: it was not told, and nothing is saved there. */
void mio_pf_blocks_there(struct mio_pf_blocks *blocks);

/* What was found last. */
int64_t mio_pf_blocks_from(const struct mio_pf_blocks *blocks);
int64_t mio_pf_blocks_bytes(const struct mio_pf_blocks *blocks);

/* Of the last 64 requests those that came back to a block. */
int mio_pf_blocks_returned(const struct mio_pf_blocks *blocks);

/* 1 while it tells; and while every request should be looked at. NULL is nothing. */
int mio_pf_blocks_is_telling(const struct mio_pf_blocks *blocks);
int mio_pf_blocks_is_awake(const struct mio_pf_blocks *blocks);

#endif

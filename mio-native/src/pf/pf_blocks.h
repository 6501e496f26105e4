#ifndef MIO_PF_BLOCKS_H
#define MIO_PF_BLOCKS_H

/*
 * Decides for which blocks of a file pf/auto gives hints, each as a whole: the file is not in the kernel's page cache, and the program keeps coming back to
 * the blocks at random or in steps. Pure: requests in, blocks out. Twin of ReadBlocks; both are tested by twin/auto/blocks.txt. Not thread-safe.
 *
 * A block takes longer to arrive than the page of it that is asked for, and saves a request each time that another of its pages is. Cost and savings are
 * counted in half requests. Blocks get hints where requests come back, each block once. The cost is never more than what was saved so far plus a small part of
 * all requests, which is all that can be lost. Once hints have paid for themselves, they cover larger pieces. On storage that answers late a block costs less,
 * since it is hardly longer on its way than a page; the first requests are timed to find that out.
 *
 * Only the first request for a page counts, since the page is in the cache afterwards. Where most requests are for pages that were asked for before, few
 * requests for other pages are to be expected.
 */

#include <stdint.h>

enum {
	MIO_PF_BLOCKS_MAX = 4096,		/* files with more blocks get no hints for blocks */
	MIO_PF_BLOCK_BYTES = 64 << 10,
	MIO_PF_BLOCK_PAGE_BYTES = 4096,
	MIO_PF_BLOCK_REQUEST_MAX = 16 << 10,	/* for longer requests a block is not much more, bytes */
	MIO_PF_BLOCK_RETURNS = 16,		/* so many of the last 64 requests must have come back to a block before there are hints */
	MIO_PF_BLOCK_COST = 3,			/* cost of a block, half requests: less on an idle disk, as much on a busy one */
	MIO_PF_BLOCK_COST_OF_FEW = 6,		/* the same where less than half of the last 64 requests were the first ones for a page */
	MIO_PF_BLOCK_COST_IN_STEPS = 2,		/* the same in steps, where the block arrives while the program is on its way there */
	MIO_PF_BLOCK_TIMED = 32,		/* so many requests are timed */
	MIO_PF_BLOCK_LATE_NS = 256000,		/* if most of these take so long, storage answers late */
	MIO_PF_BLOCK_COST_LATE = 1,		/* cost of a block on such storage, half requests: it takes hardly longer than a page */
	MIO_PF_BLOCK_GAIN = 2,			/* saved by each request for another page of a block, half requests */
	MIO_PF_BLOCK_CREDIT = 24,		/* half a request may be lost for each so many requests */
	MIO_PF_BLOCK_AHEAD = 4,			/* in steps: the hint is for the block so many steps ahead of the program */
	MIO_PF_BLOCK_PIECE_MAX = 4,		/* most blocks of one hint */
	MIO_PF_BLOCK_PIECES = 64,		/* hints of one size before larger ones */
	MIO_PF_BLOCK_PATIENCE = 2048,		/* random requests before it gives up, if it has not begun */
	MIO_PF_BLOCK_IDLE_MAX = 512		/* requests in a row without a hint before fewer requests are looked at again */
};

struct mio_pf_blocks {
	int64_t size_bytes;		/* of the file */
	int count;			/* blocks of the file */
	int left;			/* blocks without a hint so far; 0: there are no more hints */
	uint64_t returns;		/* of the last 64 requests for new pages, a bit each: 1 if it came back to a block */
	uint64_t firsts;		/* of the last 64 requests for any page, a bit each: 1 if it was the first one for its page */
	int looks;			/* requests of any kind so far */
	int64_t now_ns;			/* when the last request began; 0: not known */
	int is_timed;			/* the last request is timed, until the next one begins */
	int timed, late;		/* requests that were timed, and those of them that took LATE_NS and more */
	int patience;			/* random requests left before it gives up */
	int telling;			/* there was a hint */
	int idle;			/* requests since the last hint */
	int64_t requests;		/* for new pages */
	int64_t spent, saved;		/* half requests */
	int piece, pieces;		/* blocks that a hint covers now, and hints of that size so far */
	int first, end;			/* blocks found last, without end */
	int64_t cost;			/* of these, half requests */
	uint64_t told[MIO_PF_BLOCKS_MAX / 64];	/* bit set of the blocks that got a hint */
	uint16_t touched[];		/* of each block, the bit set of the pages that were asked for */
};

/* 1 if files of this size, bytes, can get hints for blocks. */
static inline int mio_pf_blocks_serves(int64_t size_bytes)
{
	return size_bytes > 0 && size_bytes <= (int64_t)MIO_PF_BLOCKS_MAX * MIO_PF_BLOCK_BYTES;
}

/* Makes the state for one open of a file of so many bytes. NULL if files of this size get no hints for blocks, or without memory. */
struct mio_pf_blocks *mio_pf_blocks_make(int64_t size_bytes);
void mio_pf_blocks_free(struct mio_pf_blocks *blocks);

/* A request of any kind is about to be made; the one before has ended. now_ns: used only if mio_pf_blocks_is_timing; 0: not known. */
void mio_pf_blocks_next(struct mio_pf_blocks *blocks, int64_t now_ns);

/* Some of the next requests will not be shown: the last one cannot be timed. */
void mio_pf_blocks_rests(struct mio_pf_blocks *blocks);

/*
 * Looks at that request, if it is at random or in steps. step: signed bytes from the one before; 0: at random. Requests in steps do not count against
 * PATIENCE. Returns 1 if the caller is to give a hint for mio_pf_blocks_bytes from mio_pf_blocks_from on; if the kernel has these bytes,
 * mio_pf_blocks_there is to be called instead.
 */
int mio_pf_blocks_seen(struct mio_pf_blocks *blocks, int64_t offset, int64_t length, int64_t step);

/* 1 while mio_pf_blocks_next needs the time; 0 for NULL. */
static inline int mio_pf_blocks_is_timing(const struct mio_pf_blocks *blocks)
{
	return blocks && blocks->left > 0 && blocks->timed < MIO_PF_BLOCK_TIMED && blocks->looks < MIO_PF_BLOCK_PATIENCE;
}

/* The bytes found last are in the kernel's page cache: there was no hint, and requests for them save nothing. */
void mio_pf_blocks_there(struct mio_pf_blocks *blocks);

/* The range found last: offset and length, bytes. */
int64_t mio_pf_blocks_from(const struct mio_pf_blocks *blocks);
int64_t mio_pf_blocks_bytes(const struct mio_pf_blocks *blocks);

/* How many of the last 64 requests for new pages came back to a block. */
int mio_pf_blocks_returned(const struct mio_pf_blocks *blocks);

/* is_telling: 1 while there are hints. is_awake: 1 while every request should be looked at. Both 0 for NULL. */
int mio_pf_blocks_is_telling(const struct mio_pf_blocks *blocks);
int mio_pf_blocks_is_awake(const struct mio_pf_blocks *blocks);

#endif

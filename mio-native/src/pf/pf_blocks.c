#include "pf_blocks.h"

#include "../common/memory.h"
#include "pf_bits.h"

#define ALL UINT16_MAX

static int blocks_of(int64_t size_bytes)
{
	return (int)((size_bytes + MIO_PF_BLOCK_BYTES - 1) / MIO_PF_BLOCK_BYTES);
}

static size_t bytes_of(int count)
{
	return sizeof(struct mio_pf_blocks) + (size_t)count * sizeof(uint16_t);
}

struct mio_pf_blocks *mio_pf_blocks_make(int64_t size_bytes)
{
	struct mio_pf_blocks *blocks;

	if (!mio_pf_blocks_serves(size_bytes))
		return NULL;
	blocks = mio_memory_take(bytes_of(blocks_of(size_bytes)));
	if (!blocks)
		return NULL;
	blocks->size_bytes = size_bytes;
	blocks->count = blocks_of(size_bytes);
	blocks->left = blocks->count;
	blocks->patience = MIO_PF_BLOCK_PATIENCE;
	blocks->piece = 1;
	blocks->firsts = UINT64_MAX;
	return blocks;
}

void mio_pf_blocks_free(struct mio_pf_blocks *blocks)
{
	if (blocks)
		mio_memory_give(blocks, bytes_of(blocks->count));
}

int mio_pf_blocks_returned(const struct mio_pf_blocks *blocks)
{
	return __builtin_popcountll(blocks->returns);
}

int mio_pf_blocks_is_telling(const struct mio_pf_blocks *blocks)
{
	return blocks && blocks->telling && blocks->left > 0 && blocks->idle < MIO_PF_BLOCK_IDLE_MAX;
}

int mio_pf_blocks_is_awake(const struct mio_pf_blocks *blocks)
{
	return blocks && blocks->left > 0 && (!blocks->telling || blocks->idle < MIO_PF_BLOCK_IDLE_MAX);
}

int64_t mio_pf_blocks_from(const struct mio_pf_blocks *blocks)
{
	return (int64_t)blocks->first * MIO_PF_BLOCK_BYTES;
}

int64_t mio_pf_blocks_bytes(const struct mio_pf_blocks *blocks)
{
	int64_t end = (int64_t)blocks->end * MIO_PF_BLOCK_BYTES;

	return (end < blocks->size_bytes ? end : blocks->size_bytes) - mio_pf_blocks_from(blocks);
}

/* 1 if there are no more hints. Gives up after many random requests if there was no reason to begin. */
static int is_over(struct mio_pf_blocks *blocks, int in_steps)
{
	if (blocks->telling)
		blocks->idle++;
	else if (!in_steps && --blocks->patience == 0)
		blocks->left = 0;
	return blocks->left == 0;
}

static void count(struct mio_pf_blocks *blocks, int back)
{
	blocks->returns = blocks->returns << 1 | (uint64_t)back;
	blocks->requests++;
}

/* Finds the block, with the others of its piece, for a hint, if the cost is covered. 1 if so. */
static int tells(struct mio_pf_blocks *blocks, int block, int cost_of_each)
{
	int fresh = 0;

	if (blocks->piece < MIO_PF_BLOCK_PIECE_MAX && blocks->pieces >= MIO_PF_BLOCK_PIECES && blocks->saved >= blocks->spent) {
		blocks->piece *= 2;
		blocks->pieces = 0;
	}
	blocks->first = block & -blocks->piece;
	blocks->end = blocks->first + blocks->piece < blocks->count ? blocks->first + blocks->piece : blocks->count;
	for (int each = blocks->first; each < blocks->end; each++)
		fresh += !mio_pf_bits_get(blocks->told, each);
	blocks->cost = (int64_t)cost_of_each * fresh;
	if (blocks->spent + blocks->cost > blocks->saved + blocks->requests / MIO_PF_BLOCK_CREDIT)
		return 0;
	mio_pf_bits_set(blocks->told, blocks->first, blocks->end);
	blocks->left -= fresh;
	blocks->spent += blocks->cost;
	blocks->pieces++;
	blocks->telling = 1;
	blocks->idle = 0;
	return 1;
}

/* The block for a hint: that of the request; in steps, the one to which the program will come. */
static int wanted_of(const struct mio_pf_blocks *blocks, int block, int64_t offset, int64_t step)
{
	int64_t next;

	if (step == 0 || step > blocks->size_bytes || step < -blocks->size_bytes)
		return block;
	next = offset + MIO_PF_BLOCK_AHEAD * step;
	return next < 0 || next >= blocks->size_bytes ? block : (int)(next / MIO_PF_BLOCK_BYTES);
}

void mio_pf_blocks_next(struct mio_pf_blocks *blocks, int64_t now_ns)
{
	int64_t took = now_ns - blocks->now_ns;

	blocks->looks++;
	if (blocks->is_timed && now_ns && blocks->now_ns) {
		blocks->timed++;
		blocks->late += took >= MIO_PF_BLOCK_LATE_NS;
	}
	blocks->is_timed = 0;
	blocks->now_ns = now_ns;
}

void mio_pf_blocks_rests(struct mio_pf_blocks *blocks)
{
	blocks->is_timed = 0;
}

/* The cost of one block, half requests. */
static int cost_of(const struct mio_pf_blocks *blocks, int64_t step)
{
	if (blocks->timed == MIO_PF_BLOCK_TIMED && 2 * blocks->late > MIO_PF_BLOCK_TIMED)
		return MIO_PF_BLOCK_COST_LATE;
	if (step != 0)
		return MIO_PF_BLOCK_COST_IN_STEPS;
	return __builtin_popcountll(blocks->firsts) < 32 ? MIO_PF_BLOCK_COST_OF_FEW : MIO_PF_BLOCK_COST;
}

int mio_pf_blocks_seen(struct mio_pf_blocks *blocks, int64_t offset, int64_t length, int64_t step)
{
	int block, page, before, wanted, found;

	if (blocks->left == 0 || is_over(blocks, step != 0) || length > MIO_PF_BLOCK_REQUEST_MAX)
		return 0;
	if (offset / MIO_PF_BLOCK_BYTES >= blocks->count) {
		/* The file has grown. */
		count(blocks, 0);
		return 0;
	}
	block = (int)(offset / MIO_PF_BLOCK_BYTES);
	page = 1 << offset % MIO_PF_BLOCK_BYTES / MIO_PF_BLOCK_PAGE_BYTES;
	before = blocks->touched[block];
	blocks->firsts = blocks->firsts << 1 | !(before & page);
	if (before & page)
		return 0;
	blocks->touched[block] = (uint16_t)(before | page);
	count(blocks, before != 0);
	if (mio_pf_bits_get(blocks->told, block))
		blocks->saved += MIO_PF_BLOCK_GAIN;
	wanted = wanted_of(blocks, block, offset, step);
	found = !mio_pf_bits_get(blocks->told, wanted) && mio_pf_blocks_returned(blocks) >= MIO_PF_BLOCK_RETURNS &&
		tells(blocks, wanted, cost_of(blocks, step));
	blocks->is_timed = !found && !mio_pf_bits_get(blocks->told, block) && mio_pf_blocks_is_timing(blocks);
	return found;
}

void mio_pf_blocks_there(struct mio_pf_blocks *blocks)
{
	blocks->spent -= blocks->cost;
	blocks->pieces--;
	for (int each = blocks->first; each < blocks->end; each++)
		blocks->touched[each] = ALL;
}

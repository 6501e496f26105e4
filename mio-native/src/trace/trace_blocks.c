#include <signal.h>

#include "../common/raw.h"
#include "trace_state.h"

enum { CHUNK_MOST = 16 };

/* Claims up to count blocks, from *first on. Returns their number; 0 at the limit of the file. */
static uint64_t claim(struct mio_trace_writer *writer, uint64_t count, uint64_t *first)
{
	int64_t room = writer->header->limit_bytes - MIO_TRACE_HEADER_BYTES;
	uint64_t most = room <= 0 ? 0 : (uint64_t)room / MIO_TRACE_BLOCK_BYTES;
	uint64_t from = atomic_load(&writer->header->claimed);

	do {
		if (from >= most)
			return 0;
		if (count > most - from)
			count = most - from;
	} while (!atomic_compare_exchange_weak(&writer->header->claimed, &from, from + count));
	*first = from;
	return count;
}

void mio_trace_blocks_give_back(struct mio_trace_writer *writer, uint64_t first, uint64_t count)
{
	uint64_t end = first + count;

	atomic_compare_exchange_strong(&writer->header->claimed, &end, first);
}

/* Claims more blocks. The caller holds the lock. 1, or 0 without space. */
static int grow(struct mio_trace_writer *writer, struct mio_trace_state *state)
{
	uint64_t all = ~(uint64_t)0, before = 0;
	uint64_t first = 0, count;
	int rc = -ENOSPC;

	/* The blocks may be filled with zeros. A child that a signal handler forked meanwhile would go on and clear blocks of its parent. */
	mio_raw4(SYS_rt_sigprocmask, SIG_SETMASK, &all, &before, sizeof(all));
	count = claim(writer, state->chunk_next, &first);
	if (count > 0)
		rc = mio_trace_file_blocks(&writer->facts, &writer->place, first, count, &state->chunk);
	if (count > 0 && rc < 0 && !state->of_parent)
		mio_trace_blocks_give_back(writer, first, count);
	mio_raw4(SYS_rt_sigprocmask, SIG_SETMASK, &before, NULL, sizeof(before));
	if (rc < 0) {
		/* There may be space for fewer blocks: try half as many next time. */
		state->chunk_next = count > 1 ? count / 2 : 1;
		return 0;
	}
	state->chunk_first = first;
	state->chunk_left = count;
	if (state->chunk_next < CHUNK_MOST)
		state->chunk_next *= 2;
	return 1;
}

struct mio_trace_block *mio_trace_block_begin(struct mio_trace_writer *writer, struct mio_trace_state *state, uint16_t kind,
					      uint32_t lane, int64_t ns)
{
	struct mio_trace_block *block;

	if (state->chunk_left == 0 && !grow(writer, state))
		return NULL;
	mio_trace_in_order();
	/* In a child forked meanwhile: the blocks that were being claimed are the parent's. */
	if (atomic_load(&state->of_parent))
		return NULL;
	block = state->chunk;
	if (mio_trace_file_populate(block, sizeof(*block)) < 0)
		return NULL;
	state->begun = block;
	mio_trace_in_order();
	state->chunk_left--;
	mio_trace_in_order();
	state->chunk++;
	state->chunk_first++;
	block->kind = kind;
	block->lane = (uint16_t)lane;
	block->process = writer->facts.process;
	block->began_ns = ns;
	atomic_store_explicit(&block->magic, MIO_TRACE_BLOCK_MAGIC, memory_order_release);
	return block;
}

void mio_trace_block_arrived(struct mio_trace_state *state)
{
	mio_trace_in_order();
	state->begun = NULL;
}

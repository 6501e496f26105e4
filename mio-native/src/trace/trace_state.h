#ifndef MIO_TRACE_STATE_H
#define MIO_TRACE_STATE_H

/* The state of the writer of events, for its own files: trace_writer.c (lanes and events), trace_blocks.c and trace_definitions.c. */

#include <stdatomic.h>

#include "../common/lock.h"
#include "trace_writer.h"

#define MIO_TRACE_LANES 16
/* Number of blocks that are claimed at once at first. */
#define MIO_TRACE_CHUNK_FIRST 2

struct mio_trace_lane {
	_Atomic uint32_t owned;
	uint32_t number;			/* from 1; 0 until the lane gets its first block */
	struct mio_trace_block *block;
	uint32_t used;				/* records of block that are in use */
	uint64_t anchor_ticks;			/* a moment in ticks, */
	int64_t anchor_ns;			/* and the same moment by mio_clock_ns */
	char apart[24];				/* keeps lanes in cache lines of their own */
};

/*
 * What a process writes with. A forked child begins a new one; a call goes on in the old one if a signal handler interrupted it and forked.
 */
struct mio_trace_state {
	struct mio_trace_lane lanes[MIO_TRACE_LANES];
	_Atomic uint32_t of_parent;		/* 1: this is a copy of the parent's state in a forked child */
	/* All fields from here on are used under the lock. */
	struct mio_lock lock;
	struct mio_trace_block *definitions;
	uint32_t definitions_used;
	uint32_t lanes_used;
	int introduced;				/* 1: the record that defines the process is written */
	struct mio_trace_block *chunk;		/* blocks that are claimed and not begun: chunk_left of them */
	struct mio_trace_block *begun;		/* a block that has left chunk and has not yet arrived at its lane or definitions; or NULL */
	uint64_t chunk_first, chunk_left, chunk_next;
};

struct mio_trace_writer {
	struct mio_trace_facts facts;
	struct mio_trace_place place;
	struct mio_trace_header *header;
	struct mio_trace_state *_Atomic state;
	/* Events that were dropped since the last record of dropped events: their number, and the times of the first and the last one. */
	_Atomic uint64_t lost;
	_Atomic int64_t lost_first_ns, lost_last_ns;
};

/* A signal handler of this thread sees the stores before this call before those after it. */
static inline void mio_trace_in_order(void)
{
	atomic_signal_fence(memory_order_seq_cst);
}

static inline struct mio_trace_state *mio_trace_state_of(struct mio_trace_writer *writer)
{
	return atomic_load_explicit(&writer->state, memory_order_relaxed);
}

/* Stores the first eight bytes of the record last: they tell a reader that the others are there. */
static inline void mio_trace_put_record(struct mio_trace_block *block, uint32_t at, const union mio_trace_record *record)
{
	uint64_t *words = block->records[at].words;

	for (int i = 7; i > 0; i--)
		words[i] = record->words[i];
	__atomic_store_n(words, record->words[0], __ATOMIC_RELEASE);
}

/*
 * Begins a block; NULL without space. The caller holds the lock, puts the block where it belongs, and then calls mio_trace_block_arrived. So at any
 * moment a forked child finds all blocks of its parent that are mapped, and no others.
 */
struct mio_trace_block *mio_trace_block_begin(struct mio_trace_writer *writer, struct mio_trace_state *state, uint16_t kind,
					      uint32_t lane, int64_t ns);
void mio_trace_block_arrived(struct mio_trace_state *state);

/* Gives claimed blocks back. They are free again if nobody has claimed blocks after them. */
void mio_trace_blocks_give_back(struct mio_trace_writer *writer, uint64_t first, uint64_t count);

/* Counts an event for which there is no room. ns: its time. */
void mio_trace_drop(struct mio_trace_writer *writer, int64_t ns);

#endif

#ifndef MIO_TRACE_STATE_H
#define MIO_TRACE_STATE_H

/* What the writer of events holds, for its own files: lanes and events (trace_writer.c), blocks, definitions. */

#include <stdatomic.h>

#include "../common/lock.h"
#include "trace_writer.h"

#define MIO_TRACE_LANES 16
/* So many blocks are claimed at once at first. */
#define MIO_TRACE_CHUNK_FIRST 2

struct mio_trace_lane {
	_Atomic uint32_t owned;
	uint32_t number;			/* from 1; 0 while it has had no block */
	struct mio_trace_block *block;
	uint32_t used;				/* records of it */
	uint64_t anchor_ticks;
	int64_t anchor_ns;
	char apart[24];
};

/* What a process writes with. A forked child begins a new one: a call that a signal handler interrupted to fork goes on in the old one. */
struct mio_trace_state {
	struct mio_trace_lane lanes[MIO_TRACE_LANES];
	_Atomic uint32_t of_parent;
	/* Under the lock from here on. */
	struct mio_lock lock;
	struct mio_trace_block *definitions;
	uint32_t definitions_used;
	uint32_t lanes_used;
	int introduced;				/* the process is defined */
	struct mio_trace_block *chunk;		/* claimed and not begun */
	struct mio_trace_block *begun;		/* on its way from there to whom it is for */
	uint64_t chunk_first, chunk_left, chunk_next;
};

struct mio_trace_writer {
	struct mio_trace_facts facts;
	struct mio_trace_place place;
	struct mio_trace_header *header;
	struct mio_trace_state *_Atomic state;
	/* Events dropped since the last one that was not. */
	_Atomic uint64_t lost;
	_Atomic int64_t lost_first_ns, lost_last_ns;
};

/* For signal handlers of this thread, what stands before is stored before what comes behind. */
static inline void mio_trace_in_order(void)
{
	atomic_signal_fence(memory_order_seq_cst);
}

static inline struct mio_trace_state *mio_trace_state_of(struct mio_trace_writer *writer)
{
	return atomic_load_explicit(&writer->state, memory_order_relaxed);
}

/* The first eight bytes last: they say that the others are there. */
static inline void mio_trace_put_record(struct mio_trace_block *block, uint32_t at, const union mio_trace_record *record)
{
	uint64_t *words = block->records[at].words;

	for (int i = 7; i > 0; i--)
		words[i] = record->words[i];
	__atomic_store_n(words, record->words[0], __ATOMIC_RELEASE);
}

/*
 * A block that is begun, or NULL. With the lock. Who has put it where it belongs clears state->begun: at any moment a child finds all
 * blocks of its parent, and none that is not there any more.
 */
struct mio_trace_block *mio_trace_block_begin(struct mio_trace_writer *writer, struct mio_trace_state *state, uint16_t kind,
					      uint32_t lane, int64_t ns);
void mio_trace_block_arrived(struct mio_trace_state *state);

/* Blocks that were claimed; where nobody has claimed behind them, they are free again. */
void mio_trace_blocks_give_back(struct mio_trace_writer *writer, uint64_t first, uint64_t count);

/* Count an event for which there is no room. */
void mio_trace_drop(struct mio_trace_writer *writer, int64_t ns);

#endif

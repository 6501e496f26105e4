#ifndef MIO_PF_HINT_WAY_H
#define MIO_PF_HINT_WAY_H

/*
 * Whether the kernel is told of the forward streams of an open, or left alone with them, for pf_hints: both are measured while the program runs,
 * and the better one holds for a while: hints first, but with large requests, of which the kernel makes large ones by itself. A kernel that reads far ahead by itself is
 * left alone for good. Pure; twin of HintWay. Not thread-safe.
 */

#include <stdint.h>

#include "pf_hint_decisions.h"
#include "pf_stream.h"

enum mio_pf_hint_state {
	MIO_PF_HINT_RAMP,		/* with hints, until they are as far ahead as they come */
	MIO_PF_HINT_MEASURE,		/* with hints, timed */
	MIO_PF_HINT_HOLD,		/* with hints: they are better */
	MIO_PF_HINT_SETTLE_KERNEL,	/* without, until what was told is used up and the kernel reads ahead by itself */
	MIO_PF_HINT_MEASURE_KERNEL,	/* without, timed */
	MIO_PF_HINT_HOLD_KERNEL		/* without: the kernel alone is as good */
};

enum {
	MIO_PF_HINT_LARGE = 512 << 10,		/* forward: of such requests the kernel makes large ones by itself, bytes */
	MIO_PF_HINT_KERNEL_GOOD = 1 << 20	/* a kernel that reads so far ahead by itself is left alone with forward streams */
};

struct mio_pf_hint_way {
	enum mio_pf_hint_state state;
	int64_t bytes;			/* since the state began */
	int64_t began_ns;		/* of a measurement; 0: not begun */
	int64_t hold_bytes;		/* for how long the next decision holds */
	int64_t hinted_ps, alone_ps;	/* picoseconds a byte, measured for the next decision; 0: not yet */
};

/* kernel_bytes: how far the kernel reads ahead by itself; 0: not known. */
void mio_pf_hint_way_begin(struct mio_pf_hint_way *way, int64_t kernel_bytes);

/* A forward stream has come `moved` bytes further, to pos. decisions: are told which one is better. */
void mio_pf_hint_way_weigh(struct mio_pf_hint_way *way, struct mio_pf_hint_decisions *decisions, const struct mio_pf_stream *stream,
			   int64_t pos, int64_t moved, int64_t now_ns);

/* What is in the kernel's cache takes no time: nothing is learned, and what was before may have been of it. */
void mio_pf_hint_way_cached(struct mio_pf_hint_way *way);

static inline int mio_pf_hint_way_is_kernel_alone(const struct mio_pf_hint_way *way)
{
	return way->state >= MIO_PF_HINT_SETTLE_KERNEL;
}

/* True while times matter. */
static inline int mio_pf_hint_way_is_timing(const struct mio_pf_hint_way *way)
{
	return way->state == MIO_PF_HINT_MEASURE || way->state == MIO_PF_HINT_MEASURE_KERNEL;
}

#endif

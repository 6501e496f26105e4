#ifndef MIO_PF_HINT_WAY_H
#define MIO_PF_HINT_WAY_H

/*
 * Decides for pf_hints whether the forward streams of an open get hints or are left to the kernel. Both ways are measured while the program runs, and the
 * better one holds for a while. Hints are measured first; with large requests the kernel alone is, as it makes large requests of these by itself. A kernel that
 * reads far ahead by itself is left alone for good. Pure; twin of HintWay. Not thread-safe.
 */

#include <stdint.h>

#include "pf_hint_decisions.h"
#include "pf_stream.h"

enum mio_pf_hint_state {
	MIO_PF_HINT_RAMP,		/* with hints, until these reach far enough ahead to be measured */
	MIO_PF_HINT_MEASURE,		/* with hints, timed */
	MIO_PF_HINT_HOLD,		/* with hints: they are better */
	MIO_PF_HINT_SETTLE_KERNEL,	/* without, until streams have used up the hints and the kernel reads ahead by itself */
	MIO_PF_HINT_MEASURE_KERNEL,	/* without, timed */
	MIO_PF_HINT_HOLD_KERNEL		/* without: the kernel alone is as good */
};

enum {
	MIO_PF_HINT_LARGE = 512 << 10,		/* of forward requests of this size or more the kernel makes large ones by itself, bytes */
	MIO_PF_HINT_KERNEL_GOOD = 1 << 20	/* a kernel that reads this far ahead by itself, or further, is left alone with forward streams, bytes */
};

struct mio_pf_hint_way {
	enum mio_pf_hint_state state;
	int64_t bytes;			/* read by the streams that count, since the state or its measurement began */
	int64_t began_ns;		/* when the measurement began; 0: not begun */
	int64_t hold_bytes;		/* how many bytes a decision holds for: the present one, or else the next one */
	int64_t hinted_ps, alone_ps;	/* with hints, and the kernel alone: picoseconds a byte, for the next decision; 0: not measured yet */
};

/* kernel_bytes: how far the kernel reads ahead by itself; 0: not known. */
void mio_pf_hint_way_begin(struct mio_pf_hint_way *way, int64_t kernel_bytes);

/* A forward stream has moved by `moved` bytes, to pos. decisions: gets the outcome of a measurement. now_ns: used only if mio_pf_hint_way_is_timing. */
void mio_pf_hint_way_weigh(struct mio_pf_hint_way *way, struct mio_pf_hint_decisions *decisions, const struct mio_pf_stream *stream,
			   int64_t pos, int64_t moved, int64_t now_ns);

/* Bytes were in the kernel's page cache: they take no time, so nothing is measured, and what was measured before may have been of such bytes, too. */
void mio_pf_hint_way_cached(struct mio_pf_hint_way *way);

static inline int mio_pf_hint_way_is_kernel_alone(const struct mio_pf_hint_way *way)
{
	return way->state >= MIO_PF_HINT_SETTLE_KERNEL;
}

/* True while mio_pf_hint_way_weigh needs the time. */
static inline int mio_pf_hint_way_is_timing(const struct mio_pf_hint_way *way)
{
	return way->state == MIO_PF_HINT_MEASURE || way->state == MIO_PF_HINT_MEASURE_KERNEL;
}

#endif

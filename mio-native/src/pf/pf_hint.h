#ifndef MIO_PF_HINT_H
#define MIO_PF_HINT_H

/*
 * What the kernel is told of at one time, for pf_hints: ranges of the same length at a constant step. Pure; twin of Hint.
 *
 * Dense streams are told of in a window in front of the program that doubles up to MIO_PF_HINT_WINDOW_MAX, in pieces; strided ones
 * step by step.
 */

#include <stdint.h>

#include "pf_stream.h"

enum {
	MIO_PF_HINT_WINDOW_MAX = 8 << 20,	/* how far in front of a stream, bytes */
	MIO_PF_HINT_PIECE = 256 << 10		/* dense: told at once, at least; at most four of them */
};

/* count ranges of `bytes` each, `step` apart (signed), the first at `from`. If that one is in the kernel's cache: mio_pf_hints_cached instead. */
struct mio_pf_hint {
	int64_t from, bytes, step;
	int count;		/* 0: nothing to tell */
	struct mio_pf_stream *stream;	/* NULL: of blocks */
};

/* A dense stream has come to pos; forward: towards larger offsets. What of it is due. */
struct mio_pf_hint mio_pf_hint_dense(struct mio_pf_stream *stream, int64_t pos, int forward);

/* A strided stream has made a step. The next ones that are due. */
struct mio_pf_hint mio_pf_hint_strided(struct mio_pf_stream *stream);

/* How much of its window a program has to use up before more is told. */
int64_t mio_pf_hint_piece(const struct mio_pf_hinted *hinted);

#endif

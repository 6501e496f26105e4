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
	MIO_PF_HINT_FARTHEST_LEAST = 256 << 10,	/* the same where there is hardly any memory */
	MIO_PF_HINT_PIECE = 256 << 10,		/* forward: told at once, at least; at most four of them, or two requests. Backward: half of the window, down to multiples of its largest one */
	MIO_PF_HINT_PIECES_MIN = 256 << 10,	/* at random: of shorter requests the pieces would be too short, bytes */
	MIO_PF_HINT_PIECES_MAX = 32		/* told at once; of longer requests the kernel makes several by itself */
};

/* count ranges of `bytes` each, `step` apart (signed), the first at `from`. If that one is in the kernel's cache: mio_pf_hints_cached instead. */
struct mio_pf_hint {
	int64_t from, bytes, step;
	int count;		/* 0: nothing to tell */
	int64_t whole;		/* of pieces: the request, bytes */
	struct mio_pf_stream *stream;	/* NULL: of blocks, or of pieces */
};

/*
 * How far in front of a stream the kernel is told where so much memory could keep it, bytes, a power of two: a 64th, as many may be told of side by
 * side, each of which would push out what was told for the others.
 */
int64_t mio_pf_hint_farthest(int64_t room);

/* A dense stream has come to pos; forward: towards larger offsets. What of it is due, so far at most, or two requests. */
struct mio_pf_hint mio_pf_hint_dense(struct mio_pf_stream *stream, int64_t pos, int forward, int64_t farthest);

/* A strided stream has made a step. The next ones that are due, likewise. */
struct mio_pf_hint mio_pf_hint_strided(struct mio_pf_stream *stream, int64_t farthest);

/*
 * A long request that is about to be made, of MIO_PF_HINT_PIECES_MIN at least, in pieces that come side by side, so that the first one is copied while the
 * others are on their way.
 */
struct mio_pf_hint mio_pf_hint_pieces(int64_t offset, int64_t length);

/* 1 if it is of those. */
static inline int mio_pf_hint_is_of_pieces(const struct mio_pf_hint *hint)
{
	return !hint->stream && hint->step != 0;
}

/* How much of its window a program has to use up before more is told. */
int64_t mio_pf_hint_piece(const struct mio_pf_hinted *hinted, int forward);

#endif

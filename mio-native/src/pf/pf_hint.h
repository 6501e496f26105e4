#ifndef MIO_PF_HINT_H
#define MIO_PF_HINT_H

/*
 * A hint, for pf_hints: what the kernel is told at one time. It has ranges of the same length at a constant step. Pure; twin of Hint.
 *
 * Hints for a dense stream cover a window ahead of the program, piece by piece; the window doubles up to MIO_PF_HINT_WINDOW_MAX. Hints for a strided stream
 * cover its next steps.
 */

#include <stdint.h>

#include "pf_stream.h"

enum {
	MIO_PF_HINT_WINDOW_MAX = 8 << 20,	/* how far ahead of a stream hints go, bytes */
	MIO_PF_HINT_FARTHEST_LEAST = 256 << 10,	/* the same where there is hardly any memory */
	/*
	 * Forward: the least that one hint covers once the window has grown, bytes; at most four times this, or two requests. Backward a hint
	 * covers half of the window, down to a multiple of half the largest window.
	 */
	MIO_PF_HINT_PIECE = 256 << 10,
	MIO_PF_HINT_PIECES_MIN = 256 << 10,	/* shorter requests at random are not split, as their pieces would be too short, bytes */
	MIO_PF_HINT_PIECES_MAX = 32		/* pieces of one hint; the kernel splits longer requests by itself */
};

/*
 * `count` ranges of `bytes` each, `step` apart (signed), the first at `from`. If the first one is in the kernel's page cache, mio_pf_hints_cached is to be
 * called instead of giving the hint.
 */
struct mio_pf_hint {
	int64_t from, bytes, step;
	int count;		/* 0: no hint */
	int64_t whole;		/* of pieces: length of the request, bytes */
	struct mio_pf_stream *stream;	/* NULL: the hint is for a block, or for pieces */
};

/*
 * How far ahead of a stream hints go, bytes, a power of two, where the memory that could keep the bytes is `room`: a 64th of it, because as many such windows
 * may be needed at the same time, and each would push out what was read ahead for the others.
 */
int64_t mio_pf_hint_farthest(int64_t room);

/* A dense stream has come to pos; forward: towards larger offsets. Returns the hint that is due, at most `farthest` or two requests ahead, bytes. */
struct mio_pf_hint mio_pf_hint_dense(struct mio_pf_stream *stream, int64_t pos, int forward, int64_t farthest);

/* A strided stream has made a step. Returns the hint for the next steps that are due, at most `farthest` bytes of them, or two. */
struct mio_pf_hint mio_pf_hint_strided(struct mio_pf_stream *stream, int64_t farthest);

/*
 * The hint for a long request that is about to be made, of MIO_PF_HINT_PIECES_MIN bytes or more: it is split into pieces that arrive side by side, so that the
 * first one is copied while the others are on their way.
 */
struct mio_pf_hint mio_pf_hint_pieces(int64_t offset, int64_t length);

/* 1 if the hint is one of mio_pf_hint_pieces. */
static inline int mio_pf_hint_is_of_pieces(const struct mio_pf_hint *hint)
{
	return !hint->stream && hint->step != 0;
}

/* How much of its window a program has to use up before the next hint, bytes. */
int64_t mio_pf_hint_piece(const struct mio_pf_hinted *hinted, int forward);

#endif

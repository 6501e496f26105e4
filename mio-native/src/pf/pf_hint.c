#include "pf_hint.h"

#include "pf_options.h"

#define WINDOW_FIRST (128 << 10)
#define STEPS_MAX 64
#define ROOM_SHARE 64

/* Steps longer than this, longer than any file has, get no hints: STEPS_MAX of them could overflow an offset. Bytes. */
#define STEP_MAX ((int64_t)1 << 55)

struct mio_pf_hint mio_pf_hint_pieces(int64_t offset, int64_t length)
{
	struct mio_pf_hint hint = {.from = offset, .whole = length};

	hint.bytes = length >= 2 * MIO_PF_HINT_PIECE ? MIO_PF_HINT_PIECE : MIO_PF_HINT_PIECE / 2;
	hint.step = hint.bytes;
	hint.count = (int)mio_pf_min(length / hint.bytes, MIO_PF_HINT_PIECES_MAX);
	return hint;
}

int64_t mio_pf_hint_piece(const struct mio_pf_hinted *hinted, int forward)
{
	return forward ? mio_pf_min(hinted->window / 2, MIO_PF_HINT_PIECE) : hinted->window / 2;
}

int64_t mio_pf_hint_farthest(int64_t room)
{
	int64_t farthest = MIO_PF_HINT_WINDOW_MAX;

	while (farthest > MIO_PF_HINT_FARTHEST_LEAST && farthest > room / ROOM_SHARE)
		farthest /= 2;
	return farthest;
}

struct mio_pf_hint mio_pf_hint_dense(struct mio_pf_stream *stream, int64_t pos, int forward, int64_t farthest)
{
	int64_t most = mio_pf_max(farthest, mio_pf_min(2 * stream->length, MIO_PF_HINT_WINDOW_MAX));
	struct mio_pf_hinted *hinted = &stream->hinted;
	struct mio_pf_hint hint = {.stream = stream};
	int64_t ahead, due;

	if (hinted->window == 0 || (forward ? hinted->to < pos : hinted->to > pos))
		hinted->to = pos;
	ahead = forward ? hinted->to - pos : pos - hinted->to;
	if (hinted->window == 0)
		hinted->window = mio_pf_min(mio_pf_max(2 * stream->length, WINDOW_FIRST), most);
	else if (hinted->window - ahead >= mio_pf_hint_piece(hinted, forward))
		hinted->window = mio_pf_min(2 * hinted->window, most);
	else
		return hint;
	due = hinted->window - ahead;
	/* The window has become smaller: hints that were given already cover it. */
	if (due <= 0)
		return hint;
	if (forward) {
		due = mio_pf_min(due, mio_pf_max(4 * MIO_PF_HINT_PIECE, 2 * stream->length));
	} else {
		int64_t start = mio_pf_max(0, hinted->to - due);
		int64_t block = mio_pf_round_up(start, most / 2);

		due = hinted->to - (block < hinted->to ? block : start);
	}
	hint.count = due > 0;
	hint.bytes = due;
	hint.from = forward ? hinted->to : hinted->to - due;
	hinted->to = forward ? hint.from + due : hint.from;
	return hint;
}

struct mio_pf_hint mio_pf_hint_strided(struct mio_pf_stream *stream, int64_t farthest)
{
	struct mio_pf_hinted *hinted = &stream->hinted;
	struct mio_pf_hint hint = {.stream = stream};
	int64_t room = mio_pf_max(2, farthest / stream->length);
	int64_t gone;

	if (stream->step > STEP_MAX || stream->step < -STEP_MAX)
		return hint;
	if (hinted->window == 0)
		hinted->to = stream->offset;
	hinted->window = mio_pf_min(hinted->window + hinted->window / 2 + 1, mio_pf_min(room, STEPS_MAX));
	gone = (hinted->to - stream->offset) / stream->step;
	if (gone < 0) {
		hinted->to = stream->offset;
		gone = 0;
	}
	hint.count = (int)mio_pf_max(0, hinted->window - gone);
	hint.from = hinted->to + stream->step;
	hint.bytes = stream->length;
	hint.step = stream->step;
	while (hint.count > 0 && hint.from + (hint.count - 1) * hint.step < 0)
		hint.count--;
	hinted->to += hint.count * stream->step;
	return hint;
}

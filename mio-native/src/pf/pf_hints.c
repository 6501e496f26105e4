#include "pf_hints.h"

#include <stdlib.h>
#include <string.h>

#include "pf_options.h"

int mio_pf_hints_begin(struct mio_pf_hints *hints, int streams, int64_t kernel_bytes, int64_t size_bytes)
{
	/* A request up to so many pages ahead of a stream may be its next one. */
	struct mio_pf_distance reach = {32, 32};

	memset(hints, 0, sizeof(*hints));
	mio_pf_quiet_begin(&hints->quiet);
	hints->kernel_bytes = kernel_bytes;
	hints->farthest = MIO_PF_HINT_WINDOW_MAX;
	hints->scattered.size_bytes = size_bytes;
	mio_pf_nudges_begin(&hints->nudges, kernel_bytes, size_bytes);
	mio_pf_hint_way_begin(&hints->way, kernel_bytes);
	return mio_pf_stream_table_begin(&hints->table, streams < MIO_PF_HINT_STREAMS_MAX ? streams : MIO_PF_HINT_STREAMS_MAX,
					 MIO_PF_HINT_PAGE_BYTES, 1, reach);
}

void mio_pf_hints_end(struct mio_pf_hints *hints)
{
	mio_pf_stream_table_end(&hints->table);
	mio_pf_blocks_free(hints->scattered.blocks);
	hints->scattered.blocks = NULL;
}

/* ---- hints */

/* Makes the reads of a dense stream quiet until its next hint is due. */
static void rest_until_due(struct mio_pf_hints *hints, const struct mio_pf_stream *stream, int64_t pos, int forward)
{
	const struct mio_pf_hinted *hinted = &stream->hinted;
	int64_t left = hinted->window - mio_pf_hint_piece(hinted, forward);

	if (forward)
		mio_pf_quiet_between(&hints->quiet, pos, hinted->to - left);
	else
		mio_pf_quiet_between(&hints->quiet, hinted->to == 0 ? 0 : hinted->to + left, pos);
}

static void long_there(struct mio_pf_hints *hints)
{
	hints->was_there = 1;
	if (++hints->there < MIO_PF_HINT_THERE) {
		mio_pf_decisions_take_back(&hints->decisions);
		return;
	}
	mio_pf_decisions_cached(&hints->decisions);
	mio_pf_quiet_doze(&hints->quiet);
}

void mio_pf_hints_cached(struct mio_pf_hints *hints, const struct mio_pf_hint *hint)
{
	if (mio_pf_hint_is_of_pieces(hint)) {
		long_there(hints);
		return;
	}
	if (!hint->stream) {
		mio_pf_blocks_there(hints->scattered.blocks);
		mio_pf_decisions_take_back(&hints->decisions);
		return;
	}
	/* As if there had been no hint: bytes beyond the credit may not be in the kernel's page cache. */
	hint->stream->hinted.window = 0;
	mio_pf_decisions_cached(&hints->decisions);
	hints->told = 0;
	if (hints->scattered.blocks)
		mio_pf_blocks_rests(hints->scattered.blocks);
	if (!mio_pf_blocks_is_telling(hints->scattered.blocks))
		mio_pf_quiet_credit(&hints->quiet);
	mio_pf_hint_way_cached(&hints->way);
}

void mio_pf_hints_nudged(struct mio_pf_hints *hints, const struct mio_pf_hint *hint)
{
	if (hint->count > 0 && hint->stream)
		hint->stream->hinted.window = 0;
	mio_pf_nudges_nudged(&hints->nudges);
	mio_pf_decisions_instead(&hints->decisions, MIO_PF_DECIDED_NUDGE, mio_pf_quiet_get(&hints->quiet.last_length));
}

void mio_pf_hints_is_there(struct mio_pf_hints *hints)
{
	if (mio_pf_nudges_is_enough(&hints->nudges))
		mio_pf_quiet_sleep(&hints->quiet);
}

/* ---- requests */

/* Moves the stream on by requests that got no look. */
static void catch_up(struct mio_pf_hints *hints, int64_t offset, int64_t length)
{
	struct mio_pf_stream *stream = mio_pf_stream_still(hints->followed, hints->followed_number);

	if (stream && mio_pf_stream_is_dense(stream) && offset >= 0 && length > 0 &&
	    (stream->kind == MIO_PF_FORWARD ? offset > stream->offset : offset < stream->offset)) {
		stream->offset = offset;
		stream->length = length;
		stream->first_page = offset / MIO_PF_HINT_PAGE_BYTES;
		stream->last_page = (offset + length - 1) / MIO_PF_HINT_PAGE_BYTES;
	}
}

static struct mio_pf_hint tells(struct mio_pf_hints *hints, struct mio_pf_hint hint, enum mio_pf_decision decision,
				int64_t figure)
{
	if (hint.count > 0)
		mio_pf_decisions_is(&hints->decisions, decision, figure);
	return hint;
}

/* The hint for a block, if there is to be one, at a request at random (step: 0), over a gap or in steps. */
static struct mio_pf_hint block_of(struct mio_pf_hints *hints, int64_t offset, int64_t length, int64_t step)
{
	const struct mio_pf_blocks *blocks;
	struct mio_pf_hint hint = {.count = 0};

	if (!mio_pf_scattered_seen(&hints->scattered, offset, length, step))
		return hint;
	blocks = hints->scattered.blocks;
	hint.from = mio_pf_blocks_from(blocks);
	hint.bytes = mio_pf_blocks_bytes(blocks);
	hint.count = 1;
	return tells(hints, hint, MIO_PF_DECIDED_BLOCKS, mio_pf_blocks_returned(blocks));
}

/* Counts a request that belongs to no stream; after many of these in a row the next ones are quiet. */
static void stranger(struct mio_pf_hints *hints)
{
	if (++hints->strangers < MIO_PF_HINT_STRANGERS || mio_pf_blocks_is_awake(hints->scattered.blocks))
		return;
	mio_pf_decisions_is(&hints->decisions, MIO_PF_DECIDED_RANDOM, MIO_PF_HINT_STRANGERS);
	/* After that sleep half as many looks are enough for the next one. */
	hints->strangers = MIO_PF_HINT_STRANGERS / 2;
	mio_pf_quiet_sleep(&hints->quiet);
}

/* The hint for a long request at random: the request itself in pieces, as the kernel would make one request of it. */
static struct mio_pf_hint long_stranger(struct mio_pf_hints *hints, int64_t offset, int64_t length)
{
	if (!hints->was_there)
		hints->there = 0;
	hints->was_there = 0;
	return tells(hints, mio_pf_hint_pieces(offset, length), MIO_PF_DECIDED_PIECES, length);
}

int mio_pf_hints_rest(struct mio_pf_hints *hints, int64_t length)
{
	const struct mio_pf_stream *stream = mio_pf_stream_still(hints->followed, hints->followed_number);
	int forward = stream && stream->kind == MIO_PF_FORWARD;
	/* The distance from the last request that was looked at to this one. */
	int64_t step = stream ? llabs(mio_pf_quiet_get(&hints->quiet.last_offset) - stream->offset) : 0;

	return mio_pf_quiet_rest(&hints->quiet, length, forward, step);
}

/* Notes the decision to leave a forward stream to the kernel, unless its requests are being nudged. */
static void leave(struct mio_pf_hints *hints, enum mio_pf_decision decision, int64_t bytes)
{
	if (!mio_pf_nudges_is_usual(&hints->nudges))
		mio_pf_decisions_is(&hints->decisions, decision, bytes);
}

/* The hint at one step of a strided stream. If the bytes of the last hint were not in the kernel's page cache, the file counts as not there. */
static struct mio_pf_hint step_of(struct mio_pf_hints *hints, struct mio_pf_stream *stream, int64_t offset, int64_t length)
{
	struct mio_pf_hint hint;

	if (hints->told)
		mio_pf_hints_cold(hints);
	hint = block_of(hints, offset, length, stream->step);
	return hint.count > 0 ? hint : tells(hints, mio_pf_hint_strided(stream, hints->farthest), MIO_PF_DECIDED_STEPS, stream->step);
}

/* A dense stream reads next at pos. Returns by how many bytes it moved since its last look, 0 if it jumped. */
static int64_t move_to(struct mio_pf_hints *hints, struct mio_pf_stream *stream, int64_t pos)
{
	struct mio_pf_hinted *hinted = &stream->hinted;
	int64_t moved = hinted->has_at ? pos - hinted->at : 0;
	int forward = stream->kind == MIO_PF_FORWARD;

	if (llabs(moved) > MIO_PF_HINT_JUMP + stream->length)
		moved = 0;
	hinted->at = pos;
	hinted->has_at = 1;
	hints->at = pos;
	hints->moved = (moved > 0) == forward ? moved : 0;
	return moved;
}

/* How many bytes of a forward stream that is left to the kernel are quiet. */
static int64_t left_alone(struct mio_pf_hints *hints, const struct mio_pf_stream *stream, int gap)
{
	/* Where the kernel does not read far ahead, each piece is timed, so the quiet bytes do not grow. */
	int goes_on = stream->number == hints->alone_number && hints->kernel_bytes >= MIO_PF_HINT_KERNEL_GOOD &&
		      (!gap || mio_pf_scattered_is_there(&hints->scattered));

	hints->alone_bytes = goes_on ? mio_pf_min(2 * hints->alone_bytes, MIO_PF_HINT_ALONE_MAX) : MIO_PF_HINT_PIECE;
	hints->alone_number = stream->number;
	return hints->alone_bytes;
}

static struct mio_pf_hint next_of(struct mio_pf_hints *hints, struct mio_pf_stream *stream, int64_t offset, int64_t length,
				  int64_t now_ns)
{
	struct mio_pf_hint hint = {.count = 0};
	int64_t pos = offset + length;
	int64_t before = stream->hinted.has_at ? stream->hinted.at : pos;
	int gap = hints->apart && offset - before >= MIO_PF_HINT_GAP;
	int64_t further;

	if (stream->kind == MIO_PF_STRIDED) {
		mio_pf_nudges_steps(&hints->nudges);
		return step_of(hints, stream, offset, length);
	}
	if (stream->kind == MIO_PF_BACKWARD) {
		hints->nudges.front = 0;
		move_to(hints, stream, offset);
		hint = tells(hints, mio_pf_hint_dense(stream, offset, 0, hints->farthest), MIO_PF_DECIDED_BACKWARD, 0);
		rest_until_due(hints, stream, offset, 0);
		return hint;
	}
	further = move_to(hints, stream, pos);
	/* Over a gap the stream does not read all that it passes. */
	if (gap)
		hints->moved = hints->nudges.front = 0;
	else
		mio_pf_nudges_forward(&hints->nudges);
	if (length >= (hints->kernel_bytes >= MIO_PF_HINT_KERNEL_GOOD ? MIO_PF_HINT_LARGE : MIO_PF_HINT_LONGEST)) {
		leave(hints, MIO_PF_DECIDED_LARGE, length);
		return hint;
	}
	mio_pf_hint_way_weigh(&hints->way, &hints->decisions, stream, pos, further, now_ns);
	if (mio_pf_hint_way_is_kernel_alone(&hints->way)) {
		if (hints->kernel_bytes >= MIO_PF_HINT_KERNEL_GOOD)
			leave(hints, MIO_PF_DECIDED_FAR, hints->kernel_bytes);
		if (gap)
			hint = block_of(hints, offset, length, mio_pf_scattered_steps(&hints->scattered, pos - before));
		if (!gap || !mio_pf_blocks_is_awake(hints->scattered.blocks))
			mio_pf_quiet_between(&hints->quiet, pos, pos + left_alone(hints, stream, gap));
		return hint;
	}
	hint = tells(hints, mio_pf_hint_dense(stream, pos, 1, MIO_PF_HINT_WINDOW_MAX), MIO_PF_DECIDED_FORWARD, 0);
	rest_until_due(hints, stream, pos, 1);
	return hint;
}

struct mio_pf_hint mio_pf_hints_seen(struct mio_pf_hints *hints, int64_t offset, int64_t length, int64_t now_ns)
{
	int64_t last_offset = mio_pf_quiet_get(&hints->quiet.last_offset);
	int64_t last_length = mio_pf_quiet_get(&hints->quiet.last_length);
	int is_first = last_offset < 0;
	int touches = !is_first && (offset == last_offset + last_length || offset + length == last_offset);
	int64_t before = hints->table.recognised;
	struct mio_pf_hint hint = {.count = 0};
	struct mio_pf_stream *stream;

	hints->moved = 0;
	mio_pf_scattered_next(&hints->scattered, now_ns);
	hints->apart = offset < last_offset || offset - last_offset - last_length >= MIO_PF_HINT_GAP;
	mio_pf_nudges_next(&hints->nudges, offset, length, hints->apart && !is_first);
	if (touches || mio_pf_quiet_is_last_inside(&hints->quiet))
		catch_up(hints, last_offset, last_length);
	stream = mio_pf_stream_table_seen(&hints->table, offset, length, last_offset, last_length);
	mio_pf_quiet_looked(&hints->quiet, offset, length);
	if (!stream || !stream->proven) {
		if (length >= MIO_PF_HINT_PIECES_MIN)
			return is_first ? hint : long_stranger(hints, offset, length);
		hint = block_of(hints, offset, length, 0);
		stranger(hints);
		return hint;
	}
	hints->followed = stream;
	hints->followed_number = stream->number;
	/* A stream that was recognised just now by requests that did not directly follow each other may be chance. */
	if (hints->table.recognised != before && !touches)
		return hint;
	hints->strangers = 0;
	mio_pf_quiet_wake(&hints->quiet);
	hint = next_of(hints, stream, offset, length, now_ns);
	if (hint.count > 0 && hint.stream) {
		if (hints->told)
			mio_pf_quiet_distrust(&hints->quiet);
		hints->told = 1;
	}
	return hint;
}

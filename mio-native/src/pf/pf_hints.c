#include "pf_hints.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define NONE (-1)

/* How much better hints must be to be kept: twentieths. */
#define BETTER 19

/* Longer steps than any file has, bytes: many of them would be no offset any more. */
#define STEP_MAX ((int64_t)1 << 55)

/* A hold is not longer than this, bytes. */
#define HOLD_MAX ((int64_t)2 << 30)

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static int64_t most(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

int mio_pf_hints_begin(struct mio_pf_hints *hints, int streams, int64_t kernel_bytes, int64_t size_bytes)
{
	/* A request may lie so many pages in front of a stream and be its next one. */
	struct mio_pf_distance reach = {32, 32};

	memset(hints, 0, sizeof(*hints));
	hints->last_offset = NONE;
	hints->nap = MIO_PF_HINT_NAP_FIRST;
	hints->trust = MIO_PF_HINT_TRUST_FIRST;
	hints->hold_bytes = MIO_PF_HINT_HOLD_FIRST;
	hints->kernel_bytes = kernel_bytes;
	hints->scattered.size_bytes = size_bytes;
	if (kernel_bytes >= MIO_PF_HINT_KERNEL_GOOD) {
		hints->way = MIO_PF_HINT_HOLD_KERNEL;
		hints->hold_bytes = INT64_MAX;
	}
	/* Chance pairs among random requests do no harm: what is told of them is wanted soon. */
	return mio_pf_stream_table_begin(&hints->table, streams < MIO_PF_HINT_STREAMS_MAX ? streams : MIO_PF_HINT_STREAMS_MAX,
					 MIO_PF_HINT_PAGE_BYTES, 1, reach, INT_MAX);
}

void mio_pf_hints_end(struct mio_pf_hints *hints)
{
	mio_pf_stream_table_end(&hints->table);
	mio_pf_blocks_free(hints->scattered.blocks);
	hints->scattered.blocks = NULL;
}

static int is_kernel_alone(const struct mio_pf_hints *hints)
{
	return hints->way >= MIO_PF_HINT_SETTLE_KERNEL;
}

/* ---- with or without */

static void go(struct mio_pf_hints *hints, enum mio_pf_hint_way way)
{
	hints->way = way;
	hints->way_bytes = 0;
	hints->began_ns = 0;
}

/* Both were measured: the better one holds for a while. */
static void decide(struct mio_pf_hints *hints)
{
	int better = hints->hinted_ps * 20 < hints->alone_ps * BETTER;

	mio_pf_decisions_measured(&hints->decisions, better, hints->hinted_ps, hints->alone_ps);
	go(hints, better ? MIO_PF_HINT_HOLD : MIO_PF_HINT_HOLD_KERNEL);
}

/* Picoseconds a byte once the measurement is over, else 0. It is, too, when it has taken twice the time of all of the other way. */
static int64_t measured(struct mio_pf_hints *hints, int64_t other_ps, int64_t now_ns)
{
	int64_t ns = now_ns - hints->began_ns;

	if (hints->began_ns == 0) {
		hints->began_ns = now_ns;
		hints->way_bytes = 0;
		return 0;
	}
	if (hints->way_bytes < MIO_PF_HINT_TIMED_BYTES && (other_ps == 0 || ns * 500 < other_ps * MIO_PF_HINT_TIMED_BYTES))
		return 0;
	return most(1, ns * 1000 / most(1, hints->way_bytes));
}

/* A forward stream has come `moved` bytes further, to pos. */
static void weigh(struct mio_pf_hints *hints, const struct mio_pf_stream *stream, int64_t pos, int64_t moved, int64_t now_ns)
{
	hints->way_bytes += moved;
	switch (hints->way) {
	case MIO_PF_HINT_RAMP:
		if (stream->hinted.window >= MIO_PF_HINT_WINDOW_MAX && hints->way_bytes >= MIO_PF_HINT_SETTLE_BYTES)
			go(hints, MIO_PF_HINT_MEASURE);
		break;
	case MIO_PF_HINT_SETTLE_KERNEL:
		if (pos >= stream->hinted.to + MIO_PF_HINT_SETTLE_BYTES && hints->way_bytes >= MIO_PF_HINT_SETTLE_BYTES)
			go(hints, MIO_PF_HINT_MEASURE_KERNEL);
		break;
	case MIO_PF_HINT_MEASURE:
		hints->hinted_ps = measured(hints, hints->alone_ps, now_ns);
		if (hints->hinted_ps && hints->alone_ps)
			decide(hints);
		else if (hints->hinted_ps)
			go(hints, MIO_PF_HINT_SETTLE_KERNEL);
		break;
	case MIO_PF_HINT_MEASURE_KERNEL:
		hints->alone_ps = measured(hints, hints->hinted_ps, now_ns);
		if (hints->hinted_ps && hints->alone_ps)
			decide(hints);
		else if (hints->alone_ps)
			go(hints, MIO_PF_HINT_RAMP);
		break;
	case MIO_PF_HINT_HOLD:
	case MIO_PF_HINT_HOLD_KERNEL:
	default:
		if (hints->way_bytes < hints->hold_bytes)
			break;
		hints->hold_bytes = least(4 * hints->hold_bytes, HOLD_MAX);
		hints->hinted_ps = 0;
		hints->alone_ps = 0;
		go(hints, hints->way == MIO_PF_HINT_HOLD ? MIO_PF_HINT_MEASURE : MIO_PF_HINT_MEASURE_KERNEL);
		break;
	}
}

/* ---- what is told */

static void set_quiet(struct mio_pf_hints *hints, int64_t from, int64_t to)
{
	atomic_store_explicit(&hints->quiet_from, from, memory_order_relaxed);
	atomic_store_explicit(&hints->quiet_to, to, memory_order_relaxed);
}

/* How much of its window a program has to use up before more is told. */
static int64_t piece_of(const struct mio_pf_hinted *hinted)
{
	return least(hinted->window / 2, MIO_PF_HINT_PIECE);
}

/* A dense stream has come to pos; forward: towards larger offsets. */
static struct mio_pf_hint dense(struct mio_pf_stream *stream, int64_t pos, int forward)
{
	struct mio_pf_hinted *hinted = &stream->hinted;
	struct mio_pf_hint hint = {.stream = stream};
	int64_t ahead, due;

	if (hinted->window == 0 || (forward ? hinted->to < pos : hinted->to > pos))
		hinted->to = pos;
	ahead = forward ? hinted->to - pos : pos - hinted->to;
	if (hinted->window == 0)
		hinted->window = least(most(2 * stream->length, MIO_PF_HINT_WINDOW_FIRST), MIO_PF_HINT_WINDOW_MAX);
	else if (hinted->window - ahead >= piece_of(hinted))
		hinted->window = least(2 * hinted->window, MIO_PF_HINT_WINDOW_MAX);
	else
		return hint;
	due = least(hinted->window - ahead, 4 * MIO_PF_HINT_PIECE);
	if (!forward)
		due = least(due, hinted->to);
	hint.count = due > 0;
	hint.bytes = due;
	hint.from = forward ? hinted->to : hinted->to - due;
	hinted->to = forward ? hint.from + due : hint.from;
	return hint;
}

/* From where on the next piece is due. */
static void rest_until_due(struct mio_pf_hints *hints, const struct mio_pf_stream *stream, int64_t pos, int forward)
{
	const struct mio_pf_hinted *hinted = &stream->hinted;
	int64_t left = hinted->window - piece_of(hinted);

	if (forward)
		set_quiet(hints, pos, hinted->to - left);
	else
		set_quiet(hints, hinted->to == 0 ? 0 : hinted->to + left, pos);
}

static struct mio_pf_hint strided(struct mio_pf_stream *stream)
{
	struct mio_pf_hinted *hinted = &stream->hinted;
	struct mio_pf_hint hint = {.stream = stream};
	int64_t room = most(2, MIO_PF_HINT_WINDOW_MAX / stream->length);
	int64_t gone;

	if (stream->step > STEP_MAX || stream->step < -STEP_MAX)
		return hint;
	if (hinted->window == 0)
		hinted->to = stream->offset;
	hinted->window = least(hinted->window + hinted->window / 2 + 1, least(room, MIO_PF_HINT_STEPS_MAX));
	gone = (hinted->to - stream->offset) / stream->step;
	if (gone < 0) {
		hinted->to = stream->offset;
		gone = 0;
	}
	hint.count = (int)most(0, hinted->window - gone);
	hint.from = hinted->to + stream->step;
	hint.bytes = stream->length;
	hint.step = stream->step;
	while (hint.count > 0 && hint.from + (hint.count - 1) * hint.step < 0)
		hint.count--;
	hinted->to += hint.count * stream->step;
	return hint;
}

void mio_pf_hints_cached(struct mio_pf_hints *hints, const struct mio_pf_hint *hint)
{
	if (!hint->stream) {
		mio_pf_blocks_there(hints->scattered.blocks);
		mio_pf_decisions_take_back(&hints->decisions);
		return;
	}
	/* As if nothing had been told: what lies behind the credit may not be there. */
	hint->stream->hinted.window = 0;
	mio_pf_decisions_cached(&hints->decisions);
	hints->told = 0;
	if (!mio_pf_blocks_is_telling(hints->scattered.blocks)) {
		atomic_store_explicit(&hints->credit, hints->trust, memory_order_relaxed);
		hints->trust = least(2 * hints->trust, MIO_PF_HINT_TRUST_MAX);
	}
	/* What is there takes no time: nothing is learned. */
	if (hints->way == MIO_PF_HINT_MEASURE)
		go(hints, MIO_PF_HINT_RAMP);
}

/* ---- requests */

/* Requests that were not looked at have brought the stream further. */
static void catch_up(struct mio_pf_hints *hints, int64_t offset, int64_t length)
{
	struct mio_pf_stream *stream = mio_pf_stream_still(hints->followed, hints->followed_number);

	if (stream && mio_pf_stream_is_dense(stream) && offset != NONE && length > 0 &&
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

/* A request at random (step: 0), with gaps or in steps: the block that is to be told of, if one is. */
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

/* A request that belongs to no stream: after many of them fewer are looked at. */
static void stranger(struct mio_pf_hints *hints)
{
	if (++hints->strangers < MIO_PF_HINT_STRANGERS || mio_pf_blocks_is_awake(hints->scattered.blocks))
		return;
	mio_pf_decisions_is(&hints->decisions, MIO_PF_DECIDED_RANDOM, MIO_PF_HINT_STRANGERS);
	/* After a sleep half as many looks are enough. */
	hints->strangers = MIO_PF_HINT_STRANGERS / 2;
	atomic_store_explicit(&hints->asleep, hints->nap, memory_order_relaxed);
	hints->nap = (int)least(2 * hints->nap, MIO_PF_HINT_NAP_MAX);
}

int mio_pf_hints_rest(struct mio_pf_hints *hints, int64_t length)
{
	int64_t credit = atomic_load_explicit(&hints->credit, memory_order_relaxed);
	int64_t last = atomic_load_explicit(&hints->last_offset, memory_order_relaxed);
	int64_t from = atomic_load_explicit(&hints->quiet_from, memory_order_relaxed);
	int64_t to = atomic_load_explicit(&hints->quiet_to, memory_order_relaxed);
	int asleep = atomic_load_explicit(&hints->asleep, memory_order_relaxed);
	const struct mio_pf_stream *stream = mio_pf_stream_still(hints->followed, hints->followed_number);
	int forward = stream && stream->kind == MIO_PF_FORWARD;
	/* From the request that was looked at to this one. */
	int64_t step = most(length, stream ? llabs(last - stream->offset) : 0);
	int64_t reads;

	if (credit > 0) {
		reads = least(credit / length, MIO_PF_HINT_REST_MAX);
		atomic_store_explicit(&hints->credit, credit - reads * length, memory_order_relaxed);
	} else if (last >= from && last + length <= to) {
		reads = least((forward ? to - last - length : last - from) / step, MIO_PF_HINT_REST_MAX);
	} else {
		reads = least(asleep, MIO_PF_HINT_REST_MAX);
		atomic_store_explicit(&hints->asleep, asleep - (int)reads, memory_order_relaxed);
	}
	return (int)reads;
}

/* One step of a stream that may have told the kernel of the next ones before. */
static struct mio_pf_hint step_of(struct mio_pf_hints *hints, struct mio_pf_stream *stream, int64_t offset, int64_t length)
{
	struct mio_pf_hint hint;

	if (hints->told)
		mio_pf_hints_cold(hints);
	hint = block_of(hints, offset, length, stream->step);
	return hint.count > 0 ? hint : tells(hints, strided(stream), MIO_PF_DECIDED_STEPS, stream->step);
}

/* A dense stream reads next at pos. */
static void move_to(struct mio_pf_hints *hints, struct mio_pf_stream *stream, int64_t pos)
{
	struct mio_pf_hinted *hinted = &stream->hinted;
	int64_t moved = hinted->has_at ? pos - hinted->at : 0;
	int forward = stream->kind == MIO_PF_FORWARD;

	hinted->at = pos;
	hinted->has_at = 1;
	hints->at = pos;
	hints->moved = (moved > 0) == forward ? moved : 0;
}

static struct mio_pf_hint next_of(struct mio_pf_hints *hints, struct mio_pf_stream *stream, int64_t offset, int64_t length,
				  int64_t now_ns)
{
	struct mio_pf_hint hint = {.count = 0};
	int64_t pos = offset + length;
	int64_t before = stream->hinted.has_at ? stream->hinted.at : pos;
	int gap = hints->apart && offset - before >= MIO_PF_HINT_GAP;

	if (stream->kind == MIO_PF_STRIDED)
		return step_of(hints, stream, offset, length);
	if (stream->kind == MIO_PF_BACKWARD) {
		move_to(hints, stream, offset);
		hint = tells(hints, dense(stream, offset, 0), MIO_PF_DECIDED_BACKWARD, 0);
		rest_until_due(hints, stream, offset, 0);
		return hint;
	}
	move_to(hints, stream, pos);
	/* It does not read what it passes. */
	if (gap)
		hints->moved = 0;
	if (length >= MIO_PF_HINT_LARGE) {
		mio_pf_decisions_is(&hints->decisions, MIO_PF_DECIDED_LARGE, length);
		return hint;
	}
	weigh(hints, stream, pos, pos - before, now_ns);
	if (is_kernel_alone(hints)) {
		if (hints->kernel_bytes >= MIO_PF_HINT_KERNEL_GOOD)
			mio_pf_decisions_is(&hints->decisions, MIO_PF_DECIDED_FAR, hints->kernel_bytes);
		if (gap)
			hint = block_of(hints, offset, length, mio_pf_scattered_steps(&hints->scattered, pos - before));
		if (!gap || !mio_pf_blocks_is_awake(hints->scattered.blocks))
			set_quiet(hints, pos, pos + MIO_PF_HINT_PIECE);
		return hint;
	}
	hint = tells(hints, dense(stream, pos, 1), MIO_PF_DECIDED_FORWARD, 0);
	rest_until_due(hints, stream, pos, 1);
	return hint;
}

struct mio_pf_hint mio_pf_hints_seen(struct mio_pf_hints *hints, int64_t offset, int64_t length, int64_t now_ns)
{
	int64_t last_offset = atomic_load_explicit(&hints->last_offset, memory_order_relaxed);
	int64_t last_length = atomic_load_explicit(&hints->last_length, memory_order_relaxed);
	int touches = last_offset != NONE && (offset == last_offset + last_length || offset + length == last_offset);
	int was_quiet = last_offset >= atomic_load_explicit(&hints->quiet_from, memory_order_relaxed) &&
			last_offset + last_length <= atomic_load_explicit(&hints->quiet_to, memory_order_relaxed);
	int64_t before = hints->table.recognised;
	struct mio_pf_hint hint = {.count = 0};
	struct mio_pf_stream *stream;

	hints->moved = 0;
	hints->scattered.asks = 0;
	hints->apart = offset < last_offset || offset - last_offset - last_length >= MIO_PF_HINT_GAP;
	if (touches || was_quiet)
		catch_up(hints, last_offset, last_length);
	stream = mio_pf_stream_table_seen(&hints->table, offset, length, last_offset, last_length);
	atomic_store_explicit(&hints->last_offset, offset, memory_order_relaxed);
	atomic_store_explicit(&hints->last_length, length, memory_order_relaxed);
	set_quiet(hints, 0, 0);
	if (!stream || !stream->proven) {
		hint = block_of(hints, offset, length, 0);
		stranger(hints);
		return hint;
	}
	hints->followed = stream;
	hints->followed_number = stream->number;
	/* Of two neighbours that did not follow each other one may be there by chance. */
	if (hints->table.recognised != before && !touches)
		return hint;
	hints->strangers = 0;
	hints->nap = MIO_PF_HINT_NAP_FIRST;
	atomic_store_explicit(&hints->asleep, 0, memory_order_relaxed);
	hint = next_of(hints, stream, offset, length, now_ns);
	if (hint.count > 0 && hint.stream) {
		hints->trust = hints->told ? MIO_PF_HINT_TRUST_FIRST : hints->trust;
		hints->told = 1;
	}
	return hint;
}

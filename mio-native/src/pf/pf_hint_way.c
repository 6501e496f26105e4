#include "pf_hint_way.h"

#include "pf_hint.h"
#include "pf_options.h"

/* Hints are measured once streams whose hints reach AHEAD_BYTES ahead of the program have read RAMP_BYTES. */
#define AHEAD_BYTES (MIO_PF_HINT_WINDOW_MAX / 2)
#define RAMP_BYTES (8 << 20)

/*
 * The kernel alone is measured once streams that are BEHIND_BYTES beyond the end of their hints have read SETTLE_BYTES. That far beyond them hints have no
 * effect any more, as the kernel reads less than MIO_PF_HINT_KERNEL_GOOD ahead.
 */
#define BEHIND_BYTES (1 << 20)
#define SETTLE_BYTES (2 << 20)

/*
 * A measurement covers TIMED_BYTES. It ends sooner if it is much slower than the other way, reckoned as for TIMED_LEAST bytes at least; its outcome may hold
 * longer only if it covers half of TIMED_LEAST.
 */
#define TIMED_BYTES (32 << 20)
#define TIMED_LEAST (16 << 20)

/* One way is much slower if it takes so many quarters of the time of the other way. */
#define SLOWER 5

#define HOLD_FIRST (256 << 20)

/* The longest hold, bytes. */
#define HOLD_MAX ((int64_t)2 << 30)

/* Hints are kept only if they take less than so many twentieths of the time of the kernel alone. */
#define BETTER 19

void mio_pf_hint_way_begin(struct mio_pf_hint_way *way, int64_t kernel_bytes)
{
	int is_good = kernel_bytes >= MIO_PF_HINT_KERNEL_GOOD;

	*way = (struct mio_pf_hint_way){
		.state = is_good ? MIO_PF_HINT_HOLD_KERNEL : MIO_PF_HINT_RAMP,
		.hold_bytes = is_good ? INT64_MAX : HOLD_FIRST,
	};
}

static void go(struct mio_pf_hint_way *way, enum mio_pf_hint_state state)
{
	way->state = state;
	way->bytes = 0;
	way->began_ns = 0;
}

void mio_pf_hint_way_cached(struct mio_pf_hint_way *way)
{
	if (way->state == MIO_PF_HINT_MEASURE)
		go(way, MIO_PF_HINT_RAMP);
	if (way->state == MIO_PF_HINT_RAMP)
		way->alone_ps = 0;
}

static int is_slower(int64_t ps, int64_t other_ps)
{
	return ps * 4 >= other_ps * SLOWER;
}

static void hold_longer(struct mio_pf_hint_way *way)
{
	way->hold_bytes = mio_pf_min(4 * way->hold_bytes, HOLD_MAX);
}

/* Both ways were measured: the better one holds for a while, longer if the difference is clear. */
static void decide(struct mio_pf_hint_way *way, struct mio_pf_hint_decisions *decisions)
{
	int better = way->hinted_ps * 20 < way->alone_ps * BETTER;

	if (way->bytes >= TIMED_LEAST / 2 && is_slower(mio_pf_max(way->hinted_ps, way->alone_ps), mio_pf_min(way->hinted_ps, way->alone_ps)))
		hold_longer(way);
	mio_pf_decisions_measured(decisions, better, way->hinted_ps, way->alone_ps);
	go(way, better ? MIO_PF_HINT_HOLD : MIO_PF_HINT_HOLD_KERNEL);
}

/* Picoseconds a byte once the measurement has ended, else 0. It ends sooner if this way is much slower than the other one. */
static int64_t measured(struct mio_pf_hint_way *way, int64_t other_ps, int64_t now_ns)
{
	int64_t ns = now_ns - way->began_ns;

	if (way->began_ns == 0) {
		way->began_ns = now_ns;
		way->bytes = 0;
		return 0;
	}
	if (way->bytes < TIMED_BYTES && (other_ps == 0 || !is_slower(ns * 1000 / mio_pf_max(way->bytes, TIMED_LEAST), other_ps)))
		return 0;
	return mio_pf_max(1, ns * 1000 / mio_pf_max(1, way->bytes));
}

/* 1 if the stream counts in this state: its hints reach far enough ahead, or it is far enough beyond them. Streams that do not count delay no others. */
static int counts(const struct mio_pf_hint_way *way, const struct mio_pf_stream *stream, int64_t pos)
{
	if (way->state == MIO_PF_HINT_RAMP)
		return stream->hinted.to + stream->length >= pos + AHEAD_BYTES;
	return way->state != MIO_PF_HINT_SETTLE_KERNEL || !stream->hinted.window || pos >= stream->hinted.to + BEHIND_BYTES;
}

void mio_pf_hint_way_weigh(struct mio_pf_hint_way *way, struct mio_pf_hint_decisions *decisions, const struct mio_pf_stream *stream,
			   int64_t pos, int64_t moved, int64_t now_ns)
{
	way->bytes += counts(way, stream, pos) ? moved : 0;
	switch (way->state) {
	case MIO_PF_HINT_RAMP:
		if (stream->length >= MIO_PF_HINT_LARGE && !stream->hinted.window && !way->alone_ps) {
			mio_pf_decisions_is(decisions, MIO_PF_DECIDED_LARGE, stream->length);
			go(way, MIO_PF_HINT_SETTLE_KERNEL);
		} else if (way->bytes >= RAMP_BYTES) {
			go(way, MIO_PF_HINT_MEASURE);
		}
		break;
	case MIO_PF_HINT_SETTLE_KERNEL:
		if (way->bytes >= SETTLE_BYTES)
			go(way, MIO_PF_HINT_MEASURE_KERNEL);
		break;
	case MIO_PF_HINT_MEASURE:
		way->hinted_ps = measured(way, way->alone_ps, now_ns);
		if (way->hinted_ps && way->alone_ps)
			decide(way, decisions);
		else if (way->hinted_ps)
			go(way, MIO_PF_HINT_SETTLE_KERNEL);
		break;
	case MIO_PF_HINT_MEASURE_KERNEL:
		way->alone_ps = measured(way, way->hinted_ps, now_ns);
		if (way->hinted_ps && way->alone_ps)
			decide(way, decisions);
		else if (way->alone_ps)
			go(way, MIO_PF_HINT_RAMP);
		break;
	case MIO_PF_HINT_HOLD:
	case MIO_PF_HINT_HOLD_KERNEL:
	default:
		if (way->bytes < way->hold_bytes)
			break;
		hold_longer(way);
		way->hinted_ps = 0;
		way->alone_ps = 0;
		go(way, way->state == MIO_PF_HINT_HOLD ? MIO_PF_HINT_MEASURE : MIO_PF_HINT_MEASURE_KERNEL);
		break;
	}
}

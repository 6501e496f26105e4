#include "pf_stream.h"

#include <errno.h>
#include <string.h>

#include "../common/memory.h"

#define NONE ((int64_t)-1)

/* A request up to so many steps ahead of a strided stream still continues it. */
#define SKIPPED_STEPS_MAX 4

/* Whole pages are worth reading for a step of up to so many times the length of a request, but not for a step larger than a page. */
#define DENSE_SHARE 4

/* Whole pages are worth reading for a step of up to this size, whatever the length of a request, but not for a step larger than a page; bytes. */
#define DENSE_BYTES ((int64_t)64 << 10)

/* So many requests without a stream are remembered beyond one for each slot. */
#define SEEN_MORE 8

static size_t streams_bytes(const struct mio_pf_stream_table *table)
{
	return (size_t)table->slots * sizeof(*table->streams);
}

static size_t seen_bytes(const struct mio_pf_stream_table *table)
{
	return (size_t)table->seen_count * sizeof(*table->seen);
}

/* Number of requests to remember: enough for as many streams as slots to take turns, and few enough that random requests seldom seem to belong together. */
static int seen_count(int slots)
{
	int count = slots < SEEN_MORE ? 2 * slots : slots + SEEN_MORE;

	return count > 4 ? count : 4;
}

int mio_pf_stream_table_begin(struct mio_pf_stream_table *table, int slots, int64_t page_bytes, int64_t stride,
			      struct mio_pf_distance distance)
{
	memset(table, 0, sizeof(*table));
	table->slots = slots;
	table->seen_count = seen_count(slots);
	table->page_bytes = page_bytes;
	table->stride = stride;
	table->distance = distance;
	table->streams = mio_memory_take(streams_bytes(table));
	table->seen = mio_memory_take(seen_bytes(table));
	if (!table->streams || !table->seen) {
		mio_pf_stream_table_end(table);
		return -ENOMEM;
	}
	for (int i = 0; i < table->seen_count; i++)
		table->seen[i].offset = NONE;
	return 0;
}

void mio_pf_stream_table_end(struct mio_pf_stream_table *table)
{
	mio_memory_give(table->streams, streams_bytes(table));
	mio_memory_give(table->seen, seen_bytes(table));
	memset(table, 0, sizeof(*table));
}

/* 1 if this request is so near ahead of the stream that it continues the stream. */
static int goes_on(const struct mio_pf_stream_table *table, const struct mio_pf_stream *stream, int64_t offset,
		   int64_t length)
{
	int64_t reach = table->stride * (stream->distance > 1 ? stream->distance : 1);
	int64_t pages, gone;

	switch (stream->kind) {
	case MIO_PF_FORWARD:
		pages = offset / table->page_bytes - stream->last_page;
		return pages >= 0 && pages <= reach && offset >= stream->offset;
	case MIO_PF_BACKWARD:
		pages = stream->first_page - (offset + length - 1) / table->page_bytes;
		return pages >= 0 && pages <= reach && offset <= stream->offset;
	case MIO_PF_STRIDED:
	case MIO_PF_PLANNED:
	default:
		gone = offset - stream->offset;
		return gone % stream->step == 0 && gone / stream->step >= 1 &&
		       gone / stream->step <= SKIPPED_STEPS_MAX;
	}
}

/* 1 if this request begins where the stream, or the last request of the same open, ended; for a backward stream, if it ends where that began. */
static int touches(const struct mio_pf_stream *stream, int64_t offset, int64_t length, int64_t last_offset,
		   int64_t last_length)
{
	if (stream->kind == MIO_PF_BACKWARD)
		return offset + length == stream->offset || (last_offset != NONE && offset + length == last_offset);
	return offset == stream->offset + stream->length ||
	       (last_offset != NONE && offset == last_offset + last_length);
}

static int is_certain(const struct mio_pf_stream_table *table, const struct mio_pf_stream *stream)
{
	return stream->proven && table->clock - stream->used_at <= MIO_PF_LATELY;
}

/* The youngest stream that this request continues, or NULL. A guess, or a stream not used lately, is continued only by a request that touches it. */
static struct mio_pf_stream *continued(struct mio_pf_stream_table *table, int64_t offset, int64_t length,
				       int64_t last_offset, int64_t last_length)
{
	struct mio_pf_stream *youngest = NULL;

	for (int i = 0; i < table->used; i++) {
		struct mio_pf_stream *stream = &table->streams[i];

		if ((!youngest || stream->used_at > youngest->used_at) &&
		    (is_certain(table, stream) || touches(stream, offset, length, last_offset, last_length)) &&
		    goes_on(table, stream, offset, length))
			youngest = stream;
	}
	return youngest;
}

/* Begins a new stream, in a free slot or in that of the stream used longest ago. */
static struct mio_pf_stream *follow(struct mio_pf_stream_table *table, enum mio_pf_stream_kind kind, int64_t step, int proven)
{
	struct mio_pf_stream *oldest = table->streams;

	if (table->used < table->slots)
		oldest = &table->streams[table->used++];
	else
		for (int i = 1; i < table->slots; i++)
			oldest = table->streams[i].used_at < oldest->used_at ? &table->streams[i] : oldest;
	memset(oldest, 0, sizeof(*oldest));
	oldest->number = (uint64_t)++table->recognised;
	oldest->kind = kind;
	oldest->step = step;
	oldest->proven = proven;
	oldest->entered_at = NONE;
	oldest->distance = mio_pf_distance_first(table->distance);
	if (oldest->distance > table->distance_max)
		table->distance_max = oldest->distance;
	return oldest;
}

static struct mio_pf_stream *follow_from(struct mio_pf_stream_table *table, struct mio_pf_request_seen *earlier,
					 enum mio_pf_stream_kind kind, int64_t step, int proven)
{
	earlier->offset = NONE;
	return follow(table, kind, step, proven);
}

/* The remembered request of that time, or NULL. Requests are in the ring by age, each older than the next by 1 at least. */
static const struct mio_pf_request_seen *seen_at(const struct mio_pf_stream_table *table, int64_t time)
{
	int64_t back = table->seen[table->newest].time - time;
	int at;

	if (back < 0)
		return NULL;
	at = table->newest - (int)(back < table->seen_count ? back : table->seen_count - 1);
	at += at < 0 ? table->seen_count : 0;
	while (table->seen[at].time < time)
		at = at + 1 == table->seen_count ? 0 : at + 1;
	return table->seen[at].time == time ? &table->seen[at] : NULL;
}

/*
 * True if there was a request as long before the earlier request as that was before the present one, and at the same step from it. Streams that take turns make
 * their requests at equal intervals of time. Among random requests there are often three at equal distances, but seldom in this order.
 */
static int was_step(const struct mio_pf_stream_table *table, const struct mio_pf_request_seen *earlier, int64_t step)
{
	int64_t wanted = earlier->offset - step;
	const struct mio_pf_request_seen *before;

	if (wanted < 0)
		return 0;
	before = seen_at(table, 2 * earlier->time - table->clock);
	return before && before->offset == wanted;
}

static int64_t size_of(int64_t step)
{
	return step < 0 ? -step : step;
}

static enum mio_pf_stream_kind kind_of(const struct mio_pf_stream_table *table, int64_t step, int64_t length)
{
	int64_t dense = DENSE_SHARE * length > DENSE_BYTES ? DENSE_SHARE * length : DENSE_BYTES;

	if (size_of(step) > dense || size_of(step) > table->page_bytes)
		return MIO_PF_STRIDED;
	return step > 0 ? MIO_PF_FORWARD : MIO_PF_BACKWARD;
}

static struct mio_pf_stream *followed(struct mio_pf_stream_table *table, int64_t offset, int64_t length,
				      int64_t last_offset, int64_t last_length)
{
	if (last_offset != NONE && offset == last_offset + last_length)
		return follow(table, MIO_PF_FORWARD, 0, 1);
	if (last_offset != NONE && offset + length == last_offset)
		return follow(table, MIO_PF_BACKWARD, 0, 1);
	for (int i = 0; i < table->seen_count; i++) {
		struct mio_pf_request_seen *seen = &table->seen[i];
		int64_t step = offset - seen->offset;
		int recent = table->clock - seen->time <= MIO_PF_LATELY;

		if (seen->offset == NONE)
			continue;
		if (step == seen->length)
			return follow_from(table, seen, MIO_PF_FORWARD, 0, recent);
		if (step == -length)
			return follow_from(table, seen, MIO_PF_BACKWARD, 0, recent);
		if (table->stride > 1 &&
		    size_of(offset / table->page_bytes - seen->offset / table->page_bytes) == table->stride)
			return follow_from(table, seen, step > 0 ? MIO_PF_FORWARD : MIO_PF_BACKWARD, 0, recent);
		if (step != 0 && was_step(table, seen, step))
			return follow_from(table, seen, kind_of(table, step, length), step, 1);
	}
	return NULL;
}

static struct mio_pf_stream *recognised(struct mio_pf_stream_table *table, int64_t offset, int64_t length,
					int64_t last_offset, int64_t last_length)
{
	struct mio_pf_stream *found = followed(table, offset, length, last_offset, last_length);

	if (found)
		return found;
	return offset == 0 && length < table->page_bytes ? follow(table, MIO_PF_FORWARD, 0, 0) : NULL;
}

struct mio_pf_stream *mio_pf_stream_table_seen(struct mio_pf_stream_table *table, int64_t offset, int64_t length,
					       int64_t last_offset, int64_t last_length)
{
	struct mio_pf_stream *found;

	table->clock++;
	found = continued(table, offset, length, last_offset, last_length);
	if (found)
		found->proven = 1;
	else
		found = recognised(table, offset, length, last_offset, last_length);
	if (!found || !found->proven) {
		/* A guess may be wrong: its first request may be the begin of another stream. */
		table->newest = (table->newest + 1) % table->seen_count;
		table->seen[table->newest] = (struct mio_pf_request_seen){offset, length, table->clock};
	}
	if (!found)
		return NULL;
	mio_pf_stream_at(table, found, offset, length);
	found->used_at = table->clock;
	return found;
}

#include "pf_stream.h"

/* A stream that was not used for so many requests for each slot no longer counts as active. */
#define ACTIVE_ROUNDS 16

static int is_auto(struct mio_pf_distance distance)
{
	return distance.max == 0;
}

static int least_one(int steps)
{
	return steps > 1 ? steps : 1;
}

int mio_pf_distance_first(struct mio_pf_distance distance)
{
	return is_auto(distance) ? MIO_PF_AUTO_FIRST : distance.min;
}

int mio_pf_distance_stepped(struct mio_pf_distance distance, int steps)
{
	if (is_auto(distance))
		return steps;
	return 2 * steps < distance.max ? 2 * steps : distance.max;
}

int mio_pf_distance_late(struct mio_pf_distance distance, int steps, int most)
{
	if (!is_auto(distance))
		return steps;
	return least_one(2 * steps < most ? 2 * steps : most);
}

int mio_pf_distance_unused(struct mio_pf_distance distance, int steps)
{
	return is_auto(distance) ? least_one(steps / 2) : steps;
}

/* The page of the last request of a dense stream that is foremost in its direction. */
static int64_t foremost_page(const struct mio_pf_stream *stream)
{
	return stream->kind == MIO_PF_FORWARD ? stream->last_page : stream->first_page;
}

int mio_pf_stream_enters(struct mio_pf_stream *stream)
{
	int64_t place = stream->offset;
	int is_new;

	if (mio_pf_stream_is_dense(stream))
		place = foremost_page(stream);
	is_new = place != stream->entered_at;
	stream->entered_at = place;
	return is_new;
}

int mio_pf_stream_begins_with(struct mio_pf_stream *stream, int64_t pages, int64_t stride, int64_t frames, int64_t moves)
{
	int64_t ahead;

	if (pages > stream->touched_pages)
		stream->touched_pages = pages;
	stream->touches_all = pages <= MIO_PF_SHORT_WINDOW || stride > 1 || stream->touched_at == 0 ||
			      moves - stream->touched_at > (frames - stream->touched_pages) / 4;
	if (stream->touches_all) {
		stream->touched_pages = pages;
		stream->front = foremost_page(stream);
		return 1;
	}
	ahead = stream->kind == MIO_PF_FORWARD ? stream->front - stream->last_page : stream->first_page - stream->front;
	return ahead > 0 ? (int)ahead + 1 : 1;
}

void mio_pf_stream_looked_ahead(struct mio_pf_stream *stream, int64_t page, int64_t moves)
{
	stream->front = page;
	if (stream->touches_all)
		stream->touched_at = moves;
}

static void set_distance(struct mio_pf_stream_table *table, struct mio_pf_stream *stream, int steps)
{
	stream->distance = steps;
	if (steps > table->distance_max)
		table->distance_max = steps;
}

void mio_pf_stream_planned(struct mio_pf_stream_table *table, struct mio_pf_stream *stream)
{
	*stream = (struct mio_pf_stream){.number = UINT64_MAX, .kind = MIO_PF_PLANNED, .proven = 1, .entered_at = -1};
	set_distance(table, stream, mio_pf_distance_first(table->distance));
}

void mio_pf_stream_at(const struct mio_pf_stream_table *table, struct mio_pf_stream *stream, int64_t offset,
		      int64_t length)
{
	stream->offset = offset;
	stream->length = length;
	stream->first_page = offset / table->page_bytes;
	stream->last_page = (offset + length - 1) / table->page_bytes;
}

void mio_pf_stream_stepped(struct mio_pf_stream_table *table, struct mio_pf_stream *stream)
{
	set_distance(table, stream, mio_pf_distance_stepped(table->distance, stream->distance));
}

void mio_pf_stream_late(struct mio_pf_stream_table *table, struct mio_pf_stream *stream, int most)
{
	set_distance(table, stream, mio_pf_distance_late(table->distance, stream->distance, most));
}

void mio_pf_stream_unused(struct mio_pf_stream_table *table, struct mio_pf_stream *stream)
{
	set_distance(table, stream, mio_pf_distance_unused(table->distance, stream->distance));
	/* Among random requests two may be side by side by chance, and others near enough ahead of them to seem to go on. */
	if (is_auto(table->distance) && mio_pf_stream_is_dense(stream))
		stream->proven = 0;
}

int mio_pf_stream_table_distance_max(const struct mio_pf_stream_table *table)
{
	int first = mio_pf_distance_first(table->distance);

	return table->distance_max > first ? table->distance_max : first;
}

int mio_pf_stream_table_active(const struct mio_pf_stream_table *table)
{
	int active = 0;

	for (int i = 0; i < table->used; i++)
		active += table->clock - table->streams[i].used_at < (int64_t)ACTIVE_ROUNDS * table->slots;
	return active;
}

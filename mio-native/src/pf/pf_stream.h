#ifndef MIO_PF_STREAM_H
#define MIO_PF_STREAM_H

/*
 * The sequences of requests that a program makes in a file, and how far ahead of each is read. Pure: requests in,
 * streams out. Twins of Stream, StreamTable and Distance; held together by twin/stride.
 */

#include <stdint.h>

#include "pf_sharers.h"

/* How far ahead a stream reads, in steps: min to max; both 0: automatic. */
struct mio_pf_distance {
	int min, max;
};

/* Where an automatic distance begins. */
enum { MIO_PF_AUTO_FIRST = 2 };

/* Of a stream just recognised. */
int mio_pf_distance_first(struct mio_pf_distance distance);
/* After a step: MIN:MAX doubles with each, as JFS2 does (reference 7.3). */
int mio_pf_distance_stepped(struct mio_pf_distance distance, int steps);
/* The program had to wait for a page that was on its way. most: steps there is room for. */
int mio_pf_distance_late(struct mio_pf_distance distance, int steps, int most);
/* A page was given up before it was used. */
int mio_pf_distance_unused(struct mio_pf_distance distance, int steps);

enum mio_pf_stream_kind {
	MIO_PF_FORWARD,
	MIO_PF_BACKWARD,
	MIO_PF_STRIDED,	/* constant step; sparse */
	MIO_PF_PLANNED	/* by a plan; it is in no table */
};

/* How far the kernel was told of a stream, see pf_hint.h. */
struct mio_pf_hinted {
	int64_t to;		/* end of what it was told of (backward: its start; strided: the last place); with window 0: of nothing */
	int64_t window;		/* bytes in front of the program it is told of; strided: steps */
	int64_t at;		/* forward: where the program was when last looked at, if ever */
	int has_at;
};

/*
 * One sequence. Dense when whole pages are worth reading for it: it goes forward or backward page by page (or in
 * steps of stride pages). Else sparse: it wants a part of the bytes, at a constant step, and only that is read for it.
 */
struct mio_pf_stream {
	uint64_t number;	/* of the streams of its table, from 1; 0: a free slot */
	enum mio_pf_stream_kind kind;
	int64_t step;		/* of a sparse stream: signed bytes from one request's offset to the next one's */
	int64_t offset, length;	/* of the last request that was looked at */
	int64_t first_page, last_page;
	int proven;		/* it went on after it was recognised; until then, and when pages read for it were not used, it may be a guess */
	int distance;		/* steps ahead that are read */
	int64_t entered_at;
	int64_t front;		/* dense: the farthest page ahead that was looked at */
	int64_t touched_pages;	/* the most pages that the window has had since */
	int touches_all;	/* all pages of the window are touched now */
	int64_t touched_at;	/* moves of pages in the cache when all pages of the window were touched last; 0: never */
	int64_t used_at;	/* age: larger is younger */
	struct mio_pf_hinted hinted;	/* of pf/auto */
};

/* One request that belongs to no stream. */
struct mio_pf_request_seen {
	int64_t offset, length, time;
};

/*
 * The streams of one file. A stream is recognised at its second step: a request right behind (or before) an earlier
 * one is one already; three requests at equal gaps are a stride. Requests inside a page that is there need not be
 * reported: the caller tells the last one of its open, and the next page counts as a continuation. The start of a file
 * is taken for the start of a forward stream until the next request says otherwise.
 */
struct mio_pf_stream_table {
	struct mio_pf_stream *streams;
	int slots;
	int used;		/* of these there are so many, from the first */
	struct mio_pf_request_seen *seen;	/* the last requests that belong to no stream, a ring by age, each at least 1 older than the next */
	int seen_count, newest;
	int64_t page_bytes, stride;
	struct mio_pf_distance distance;
	int64_t clock;		/* requests */
	int64_t recognised;
	int distance_max;
	struct mio_pf_share share;	/* of the frames of the cache */
};

/*
 * Requests after which what was seen is old: then a stream goes on only right behind (or before) its last request, and two requests
 * side by side are a guess. Among many random requests there are always some near each other.
 */
#define MIO_PF_LATELY 16

/* slots: streams followed at the same time. stride: forced step between pages; 1 for none. 0 or -ENOMEM. */
int mio_pf_stream_table_begin(struct mio_pf_stream_table *table, int slots, int64_t page_bytes, int64_t stride,
			      struct mio_pf_distance distance);
void mio_pf_stream_table_end(struct mio_pf_stream_table *table);

/* Looks at a request of at least one byte; last_offset: of the one the same open made before, -1 for none. The stream it belongs to, or NULL. */
struct mio_pf_stream *mio_pf_stream_table_seen(struct mio_pf_stream_table *table, int64_t offset, int64_t length,
					       int64_t last_offset, int64_t last_length);

/* A stream for a run that goes by a plan: it has a distance like all others, and no slot. At: its request. */
void mio_pf_stream_planned(struct mio_pf_stream_table *table, struct mio_pf_stream *stream);
void mio_pf_stream_at(const struct mio_pf_stream_table *table, struct mio_pf_stream *stream, int64_t offset,
		      int64_t length);

/* The largest distance any stream had, steps; before there was one, where they begin. */
int mio_pf_stream_table_distance_max(const struct mio_pf_stream_table *table);
/* Streams that were used lately; guesses, too, since those that give way have to share. */
int mio_pf_stream_table_active(const struct mio_pf_stream_table *table);

/*
 * The stream came to a new place; the program had to wait for what was read ahead; that was given up unused, which makes a dense
 * stream with an automatic distance a guess again.
 */
void mio_pf_stream_stepped(struct mio_pf_stream_table *table, struct mio_pf_stream *stream);
void mio_pf_stream_late(struct mio_pf_stream_table *table, struct mio_pf_stream *stream, int most);
void mio_pf_stream_unused(struct mio_pf_stream_table *table, struct mio_pf_stream *stream);

/* A window of so many pages is touched at each step. */
#define MIO_PF_SHORT_WINDOW 64

/*
 * The step ahead to begin with, of a dense stream that looks ahead. Pages in its window count as touched at each step; those of a long one are
 * touched all together when a quarter of the frames beside it were moved, so that none of them gives way meanwhile. Else only what is new
 * at its end is looked at. pages: of the window; stride: pages of a step; frames that pages give way in; moves,
 * above 0, of pages to the end of the line in which they give way, so far.
 */
int mio_pf_stream_begins_with(struct mio_pf_stream *stream, int64_t pages, int64_t stride, int64_t frames, int64_t moves);

/* A page of the window was looked at. moves: as above; those of the window itself do not count. */
void mio_pf_stream_looked_ahead(struct mio_pf_stream *stream, int64_t page, int64_t moves);

/* A page of the window was not there, or not all of it: next time all of it is looked at. */
static inline void mio_pf_stream_missed(struct mio_pf_stream *stream)
{
	stream->touched_at = 0;
}

/* True once for each new place: readahead moves on when the stream enters a page. */
int mio_pf_stream_enters(struct mio_pf_stream *stream);

static inline int mio_pf_stream_is_dense(const struct mio_pf_stream *stream)
{
	return stream->kind == MIO_PF_FORWARD || stream->kind == MIO_PF_BACKWARD;
}

/* The stream of this number, if its place was not given to another since; else NULL. */
static inline struct mio_pf_stream *mio_pf_stream_still(struct mio_pf_stream *stream, uint64_t number)
{
	return stream && stream->number == number ? stream : 0;
}

#endif

#ifndef MIO_PF_STREAM_H
#define MIO_PF_STREAM_H

/*
 * Recognises the streams of a file (the sequences of requests that a program makes in it) and tells how far ahead of each to read. Pure: requests in, streams
 * out. Twins of Stream, StreamTable and Distance; both are tested by twin/stride.
 */

#include <stdint.h>

#include "pf_sharers.h"

/* How far ahead of a stream pages are read, in steps: from min to max; both 0: automatic. */
struct mio_pf_distance {
	int min, max;
};

/* The first value of an automatic distance, steps. */
enum { MIO_PF_AUTO_FIRST = 2 };

/* The distance of a stream that was just recognised, steps. */
int mio_pf_distance_first(struct mio_pf_distance distance);
/* The distance after a step of the stream: MIN:MAX doubles with each step, as JFS2 does (reference 7.3). */
int mio_pf_distance_stepped(struct mio_pf_distance distance, int steps);
/* The distance after the program had to wait for a page that was on its way. most: steps that there is room for. */
int mio_pf_distance_late(struct mio_pf_distance distance, int steps, int most);
/* The distance after a page that was read ahead gave way unused. */
int mio_pf_distance_unused(struct mio_pf_distance distance, int steps);

enum mio_pf_stream_kind {
	MIO_PF_FORWARD,
	MIO_PF_BACKWARD,
	MIO_PF_STRIDED,	/* constant step; sparse */
	MIO_PF_PLANNED	/* follows a plan; it is in no table */
};

/* How far hints for a stream went, see pf_hint.h. */
struct mio_pf_hinted {
	int64_t to;		/* end of the last hint (backward: its start; strided: its last place); if window is 0, there was none */
	int64_t window;		/* how far ahead of the program hints go, bytes; strided: steps */
	int64_t at;		/* dense: where the program was at the last look, if has_at */
	int has_at;
};

/*
 * One stream. It is dense if whole pages are worth reading for it: it goes forward or backward page by page (or in steps of `stride` pages). Else it is sparse:
 * it wants a part of the bytes, at a constant step, and only that part is read for it.
 */
struct mio_pf_stream {
	uint64_t number;	/* among the streams of its table, from 1; 0: a free slot */
	enum mio_pf_stream_kind kind;
	int64_t step;		/* of a sparse stream: signed bytes from one request's offset to the next one's */
	int64_t offset, length;	/* of the last request that was looked at, bytes */
	int64_t first_page, last_page;	/* of that request */
	int proven;		/* it went on after it was recognised; until then, and after pages read for it gave way unused, it may be a guess */
	int distance;		/* how far ahead pages are read, steps */
	int64_t entered_at;	/* place of its last step: a page if dense, else an offset; -1: none */
	int64_t front;		/* dense: the farthest page ahead that was looked at */
	int64_t touched_pages;	/* the most pages that the window had since all of them were last touched */
	int touches_all;	/* all pages of the window are touched now */
	int64_t touched_at;	/* moves of pages in the cache when all pages of the window were last touched; 0: never */
	int64_t used_at;	/* when it last went on, by the clock of its table; larger is later */
	struct mio_pf_hinted hinted;	/* used by pf/auto only */
};

/* A request that belongs to no stream so far; time by the clock of the table. */
struct mio_pf_request_seen {
	int64_t offset, length, time;
};

/*
 * The streams of one file. A stream is recognised at its second step: a request right behind (or before) an earlier one is enough, as are three requests at
 * equal gaps, which are a stride. Requests inside a page that the cache has need not be reported: the caller passes the last request of its open, and a request
 * for the next page counts as a continuation. A request at the start of a file is taken for the start of a forward stream until the next request says
 * otherwise.
 */
struct mio_pf_stream_table {
	struct mio_pf_stream *streams;
	int slots;		/* streams that there may be */
	int used;		/* slots in use, from the first one on */
	struct mio_pf_request_seen *seen;	/* last requests without a stream: a ring by age, each older than the next by 1 at least */
	int seen_count, newest;	/* size of the ring; index of its newest entry */
	int64_t page_bytes, stride;
	struct mio_pf_distance distance;
	int64_t clock;		/* requests so far */
	int64_t recognised;	/* streams so far */
	int distance_max;	/* the largest distance that any stream had, steps */
	struct mio_pf_share share;	/* its share of the frames of the cache */
};

/*
 * So many requests later a request is old: a stream not used since then goes on only right behind (or before) its last request, and two requests side by side
 * are a guess. The reason is that among many random requests some are always near each other.
 */
#define MIO_PF_LATELY 16

/* slots: streams followed at the same time. stride: forced step between pages; 1 for none. 0 or -ENOMEM. */
int mio_pf_stream_table_begin(struct mio_pf_stream_table *table, int slots, int64_t page_bytes, int64_t stride,
			      struct mio_pf_distance distance);
void mio_pf_stream_table_end(struct mio_pf_stream_table *table);

/* Looks at a request of at least one byte. last_offset: of the previous request of the same open, -1 for none. Returns the stream it belongs to, or NULL. */
struct mio_pf_stream *mio_pf_stream_table_seen(struct mio_pf_stream_table *table, int64_t offset, int64_t length,
					       int64_t last_offset, int64_t last_length);

/* Makes the stream of a run that follows a plan: it has a distance like all others, but no slot. mio_pf_stream_at sets its last request. */
void mio_pf_stream_planned(struct mio_pf_stream_table *table, struct mio_pf_stream *stream);
void mio_pf_stream_at(const struct mio_pf_stream_table *table, struct mio_pf_stream *stream, int64_t offset,
		      int64_t length);

/* The largest distance that any stream had, steps; the first distance if there was no stream yet. */
int mio_pf_stream_table_distance_max(const struct mio_pf_stream_table *table);
/* Number of streams that were used lately. Guesses count, too, as the streams whose pages give way unused, which makes them guesses, must share the frames. */
int mio_pf_stream_table_active(const struct mio_pf_stream_table *table);

/*
 * These adapt the distance. stepped: the stream came to a new place. late: the program had to wait for a page that was read ahead. unused: such a page gave way
 * unused, which makes a dense stream with an automatic distance a guess again.
 */
void mio_pf_stream_stepped(struct mio_pf_stream_table *table, struct mio_pf_stream *stream);
void mio_pf_stream_late(struct mio_pf_stream_table *table, struct mio_pf_stream *stream, int most);
void mio_pf_stream_unused(struct mio_pf_stream_table *table, struct mio_pf_stream *stream);

/* All pages of a window are touched at each step if they are no more than this. */
#define MIO_PF_SHORT_WINDOW 64

/*
 * Returns the step ahead with which readahead of a dense stream begins. Pages of a short window are all touched at each step, so that they do not give way. The
 * pages of a long window are touched together, each time that the moves since come to a quarter of the frames beside the window, so that none of them gives
 * way meanwhile; at other steps only the new pages at its end are looked at. pages: of the window. stride: pages of a step. frames: those whose pages may give
 * way. moves: how often so far a page came into the cache or became the last one to give way; above 0.
 */
int mio_pf_stream_begins_with(struct mio_pf_stream *stream, int64_t pages, int64_t stride, int64_t frames, int64_t moves);

/* A page of the window was looked at. moves: as for mio_pf_stream_begins_with; moves of the window's own pages do not count. */
void mio_pf_stream_looked_ahead(struct mio_pf_stream *stream, int64_t page, int64_t moves);

/* A page was missing in the cache, or a part of it: at the next step all pages of the window are looked at. */
static inline void mio_pf_stream_missed(struct mio_pf_stream *stream)
{
	stream->touched_at = 0;
}

/* True once for each new place of the stream: readahead moves on when a dense stream enters a page. */
int mio_pf_stream_enters(struct mio_pf_stream *stream);

static inline int mio_pf_stream_is_dense(const struct mio_pf_stream *stream)
{
	return stream->kind == MIO_PF_FORWARD || stream->kind == MIO_PF_BACKWARD;
}

/* The stream, if its slot still has the stream of this number; else NULL. */
static inline struct mio_pf_stream *mio_pf_stream_still(struct mio_pf_stream *stream, uint64_t number)
{
	return stream && stream->number == number ? stream : 0;
}

#endif

#ifndef MIO_PF_HINTS_H
#define MIO_PF_HINTS_H

/*
 * What pf/auto tells the kernel: which bytes a program will read next, so that they are in the kernel's cache when it comes (issue
 * "Tune itself"). Pure: requests in, hints out; twin of ReadHints, held together by twin/auto. Not thread-safe.
 *
 * Streams are told of by hints (pf_hint.h), and long requests at random, each in pieces. What the kernel has already it is not told of: the caller looks, and
 * says so. Of a file that is not in the kernel's cache, requests at random and in steps may be told of in blocks (pf_blocks.h); else random requests are looked at less
 * and less. Whether a forward stream needs hints is found out by pf_hint_way.
 */

#include <stdint.h>

#include "pf_hint.h"
#include "pf_hint_decisions.h"
#include "pf_hint_way.h"
#include "pf_nudges.h"
#include "pf_quiet.h"
#include "pf_scattered.h"
#include "pf_stream.h"

struct mio_pf_hints {
	struct mio_pf_stream_table table;

	struct mio_pf_quiet quiet;		/* what need not be looked at */
	int told;				/* the last hint was not there already, as far as is known */
	int strangers;				/* requests in a row that belong to no stream */
	int there, was_there;			/* long requests in a row that were in the kernel's cache, and whether the last one was */
	struct mio_pf_stream *followed;		/* stream of the last request that was looked at */
	uint64_t followed_number;
	uint64_t alone_number;			/* the forward stream that was left to the kernel last, */
	int64_t alone_bytes;			/* and how much of it was not looked at */
	int64_t moved, at;			/* of a dense one: bytes further than at the look before (negative: backward; 0: none), and where it reads next */

	struct mio_pf_hint_way way;		/* with hints or without: forward streams of the open */
	int64_t kernel_bytes;			/* how far the kernel reads ahead by itself */
	int64_t farthest;			/* backward and in steps: how far in front of a stream is told, bytes */
	struct mio_pf_scattered scattered;	/* requests without a dense order */
	int apart;				/* the last request was not near the one before */
	struct mio_pf_nudges nudges;		/* whether a byte of the last request is to be read first */
	struct mio_pf_hint_decisions decisions;	/* so far */
};

enum {
	MIO_PF_HINT_STREAMS_MAX = 8,		/* with more, more random requests meet by chance */
	MIO_PF_HINT_PAGE_BYTES = 16 << 10,	/* of the streams */
	MIO_PF_HINT_LONGEST = 2 << 20,		/* forward: with such requests the kernel is left alone, if it does not read far ahead */
	MIO_PF_HINT_ALONE_MAX = 2 << 20,	/* left to a kernel that reads far ahead: the most that is not looked at at a time, bytes */
	/* No more goes by without a look: a stream that has come further has jumped. */
	MIO_PF_HINT_JUMP = 2 * MIO_PF_QUIET_TRUST_MAX,
	MIO_PF_HINT_STRANGERS = 64,		/* requests without a stream before it sleeps */
	MIO_PF_HINT_THERE = 8,			/* long requests in a row that were in the kernel's cache before a few are not looked at */
	MIO_PF_HINT_GAP = 4096			/* the kernel takes requests less far from each other for one stream, bytes */
};

/* streams: followed at the same time, of MIO_PF_HINT_STREAMS_MAX at most; kernel_bytes: how far the kernel reads ahead by itself; size_bytes: of the file; 0: not known. 0 or -ENOMEM. */
int mio_pf_hints_begin(struct mio_pf_hints *hints, int streams, int64_t kernel_bytes, int64_t size_bytes);
void mio_pf_hints_end(struct mio_pf_hints *hints);

/* So much memory could keep what is told: backward and in steps it is less where that is little. Bytes. */
static inline void mio_pf_hints_room(struct mio_pf_hints *hints, int64_t room)
{
	hints->farthest = mio_pf_hint_farthest(room);
}

/* What is told when this request begins; now_ns: 0 unless mio_pf_hints_is_timing. */
struct mio_pf_hint mio_pf_hints_seen(struct mio_pf_hints *hints, int64_t offset, int64_t length, int64_t now_ns);

/* The first range of the hint is in the kernel's cache: it was not told. */
void mio_pf_hints_cached(struct mio_pf_hints *hints, const struct mio_pf_hint *hint);

/* A byte of the last request is read first, in place of the hint: the kernel goes on by itself, as far as it has read before. */
void mio_pf_hints_nudged(struct mio_pf_hints *hints, const struct mio_pf_hint *hint);

/* No byte of the last request is read first, because it is there. */
void mio_pf_hints_is_there(struct mio_pf_hints *hints);

/* True if the caller is to find out whether the last request is in the kernel's cache; and: it is not. */
static inline int mio_pf_hints_asks(const struct mio_pf_hints *hints)
{
	return hints->scattered.asks;
}

static inline void mio_pf_hints_cold(struct mio_pf_hints *hints)
{
	mio_pf_scattered_cold(&hints->scattered);
}

/* True while times matter. */
static inline int mio_pf_hints_is_timing(const struct mio_pf_hints *hints)
{
	return mio_pf_hint_way_is_timing(&hints->way) || mio_pf_scattered_is_timing(&hints->scattered);
}

/* True if a request needs no look; then it has been noted. Without a lock. */
static inline int mio_pf_hints_is_quiet(struct mio_pf_hints *hints, int64_t offset, int64_t length)
{
	return mio_pf_quiet_is(&hints->quiet, offset, length);
}

/* As mio_pf_quiet_rest. */
int mio_pf_hints_rest(struct mio_pf_hints *hints, int64_t length);

#endif

#ifndef MIO_PF_HINTS_H
#define MIO_PF_HINTS_H

/*
 * The hints that pf/auto gives the kernel: which bytes a program will read next, so that they are in the kernel's page cache when it asks for them (issue "Tune
 * itself"). Pure: requests in, hints out. Twin of ReadHints; both are tested by twin/auto. Not thread-safe.
 *
 * Streams get hints (pf_hint.h), and so do long requests at random, each in pieces. The caller finds out whether the kernel has the bytes already, gives no
 * hint then, and says so here. Where a file is not in the kernel's page cache, requests at random and in steps may get hints for blocks (pf_blocks.h); other
 * random requests are looked at less and less. pf_hint_way finds out whether forward streams need hints.
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

	struct mio_pf_quiet quiet;		/* which reads need no look */
	int told;				/* the bytes of the last hint for a stream were not in the cache before, as far as is known */
	int strangers;				/* requests in a row that belong to no stream */
	int there, was_there;			/* long random requests in a row that were in the kernel's page cache, and whether the last one was */
	struct mio_pf_stream *followed;		/* stream of the last request that was looked at */
	uint64_t followed_number;		/* its number, see mio_pf_stream_still */
	uint64_t alone_number;			/* number of the forward stream that was last left to the kernel */
	int64_t alone_bytes;			/* how many bytes of that stream go by without a look */
	int64_t moved, at;			/* of the last look at a dense stream: bytes it moved (negative: backward; 0: none), and where it reads next */

	struct mio_pf_hint_way way;		/* whether forward streams of the open get hints */
	int64_t kernel_bytes;			/* how far the kernel reads ahead by itself */
	int64_t farthest;			/* backward and in steps: how far ahead of a stream hints go, bytes */
	struct mio_pf_scattered scattered;	/* requests without a dense order */
	int apart;				/* the last request was not near the one before */
	struct mio_pf_nudges nudges;		/* whether a byte of the last request is to be read first */
	struct mio_pf_hint_decisions decisions;	/* so far */
};

enum {
	MIO_PF_HINT_STREAMS_MAX = 8,		/* among more streams, more random requests would seem to go on by chance */
	MIO_PF_HINT_PAGE_BYTES = 16 << 10,	/* page size by which streams are recognised */
	MIO_PF_HINT_LONGEST = 2 << 20,		/* forward requests of this size or more get no hints where the kernel reads little ahead by itself, bytes */
	MIO_PF_HINT_ALONE_MAX = 2 << 20,	/* a stream left to a kernel that reads far ahead: most bytes that go by without a look */
	/* A stream that moved further since its last look has jumped, as never more bytes go by without a look. */
	MIO_PF_HINT_JUMP = 2 * MIO_PF_QUIET_TRUST_MAX,
	MIO_PF_HINT_STRANGERS = 64,		/* requests in a row without a stream, before some go by without a look */
	MIO_PF_HINT_THERE = 8,			/* long random requests in a row that were in the cache, before a few go by without a look */
	MIO_PF_HINT_GAP = 4096			/* the kernel takes requests closer to each other than this for one stream, bytes */
};

/*
 * streams: followed at the same time, MIO_PF_HINT_STREAMS_MAX at most. kernel_bytes: how far the kernel reads ahead by itself. size_bytes: of the file; 0: not
 * known. Returns 0 or -ENOMEM.
 */
int mio_pf_hints_begin(struct mio_pf_hints *hints, int streams, int64_t kernel_bytes, int64_t size_bytes);
void mio_pf_hints_end(struct mio_pf_hints *hints);

/* room: memory that could keep what is read ahead, bytes; -1: not known. Where it is little, hints backward and in steps go less far ahead. */
static inline void mio_pf_hints_room(struct mio_pf_hints *hints, int64_t room)
{
	if (room >= 0)
		hints->farthest = mio_pf_hint_farthest(room);
}

/* Looks at a request that is about to begin. Returns the hint to give; its count is 0 if there is none. now_ns: 0 unless mio_pf_hints_is_timing. */
struct mio_pf_hint mio_pf_hints_seen(struct mio_pf_hints *hints, int64_t offset, int64_t length, int64_t now_ns);

/* The first range of the hint is in the kernel's page cache already: the hint was not given. */
void mio_pf_hints_cached(struct mio_pf_hints *hints, const struct mio_pf_hint *hint);

/* A byte of the last request is read first, in place of the hint: the kernel reads on by itself, as far as it has bytes before that one. */
void mio_pf_hints_nudged(struct mio_pf_hints *hints, const struct mio_pf_hint *hint);

/* No byte of the last request is read first, because the request is in the kernel's page cache. */
void mio_pf_hints_is_there(struct mio_pf_hints *hints);

/* True if the caller is to find out whether the last request is in the kernel's page cache. If it is not, mio_pf_hints_cold is to be called. */
static inline int mio_pf_hints_asks(const struct mio_pf_hints *hints)
{
	return hints->scattered.asks;
}

static inline void mio_pf_hints_cold(struct mio_pf_hints *hints)
{
	mio_pf_scattered_cold(&hints->scattered);
}

/* True while mio_pf_hints_seen needs the time. */
static inline int mio_pf_hints_is_timing(const struct mio_pf_hints *hints)
{
	return mio_pf_hint_way_is_timing(&hints->way) || mio_pf_scattered_is_timing(&hints->scattered);
}

/* True if a request needs no look; it is noted then. Any thread, without a lock. */
static inline int mio_pf_hints_is_quiet(struct mio_pf_hints *hints, int64_t offset, int64_t length)
{
	return mio_pf_quiet_is(&hints->quiet, offset, length);
}

/* As mio_pf_quiet_rest. */
int mio_pf_hints_rest(struct mio_pf_hints *hints, int64_t length);

#endif

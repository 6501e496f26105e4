#ifndef MIO_STATS_PF_H
#define MIO_STATS_PF_H

/* What a cache counted. The members are those of the record PfSnapshot in Java, which says what they mean. */

#include <stdint.h>

#include "stats.h"

enum { MIO_STATS_PF_PRIVATE = -1 };

struct mio_stats_transfers {
	int64_t bytes_written, writes, bytes_read, reads;
};

/* The counters of a cache and their names in the JSON, in the order of the JSON. The classic text has lines only for the first list. */
#define MIO_STATS_PF_COUNTERS(X) \
	X(pages, "pages") \
	X(page_bytes, "page_bytes") \
	X(sector_bytes, "sector_bytes") \
	X(not_preread, "not_preread") \
	X(not_preread_for_write, "not_preread_for_write") \
	X(unused_prefetches, "unused_prefetches") \
	X(started_prefetches, "started_prefetches") \
	X(distance, "distance_pages") \
	X(write_behinds, "write_behinds") \
	X(forced_syncs, "forced_syncs") \
	X(retained_pages, "retained_pages")

#define MIO_STATS_PF_DETAILS(X) \
	X(hits, "hits") \
	X(misses, "misses") \
	X(partial_reads, "partial_reads") \
	X(prefetch_waits, "prefetch_waits") \
	X(prefetch_wait_ns, "prefetch_wait_ns") \
	X(evictions, "evictions") \
	X(dirty_evictions, "dirty_evictions") \
	X(write_errors, "write_errors") \
	X(streams, "streams") \
	X(gate_waits, "gate_waits") \
	X(gate_wait_ns, "gate_wait_ns")

#define MIO_STATS_PF_TRANSFERS(X) \
	X(bytes_written, "written_bytes") \
	X(writes, "writes") \
	X(bytes_read, "read_bytes") \
	X(reads, "reads")

/* How the reads of a file went by a plan: numbers, in the order of the record PfSnapshot.Plan, which says what they mean; those of the JSON, and the rest. */
#define MIO_STATS_PF_PLAN(X) \
	X(pages) \
	X(place) \
	X(requests) \
	X(followed) \
	X(left)

#define MIO_STATS_PF_STRAY(X) \
	X(stray) \
	X(stray_of)

struct mio_stats_plan {
	int is_asked;		/* 0: no plan was asked for, or this is the block of a cache */
	const char *none;	/* why there is no plan, or NULL */
	int follows;		/* 0: the plan was left */
	int64_t pages, place, requests, followed, left, stray, stray_of;
};

struct mio_stats_pf {
	enum mio_stats_event event;
	const char *file;	/* NULL: this is the block of the cache */
	int cache;		/* number of the global cache, or MIO_STATS_PF_PRIVATE */
	const char *below;	/* last layer as typed */
	const char *tag;	/* "" for none */
	const char *unit;	/* bytes, kbytes, mbytes, gbytes, tbytes */
	int64_t pages, page_bytes, sector_bytes;
	int64_t not_preread, not_preread_for_write;
	int64_t unused_prefetches, started_prefetches;
	int64_t distance;
	int64_t write_behinds, forced_syncs, retained_pages;
	struct mio_stats_transfers program, child;
	/* From here on only in the JSON. */
	int64_t hits, misses, partial_reads, prefetch_waits, prefetch_wait_ns, evictions, dirty_evictions, write_errors,
		streams, gate_waits, gate_wait_ns;
	const char *backend;	/* io_uring, threads or sync */
	int direct;
	struct mio_stats_plan plan;	/* in the text as well */
};

void mio_stats_pf_classic(const struct mio_stats_pf *pf, struct mio_text *text);
void mio_stats_pf_json(const struct mio_stats_pf *pf, struct mio_text *text);

#endif

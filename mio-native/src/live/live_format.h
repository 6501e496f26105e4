#ifndef MIO_LIVE_FORMAT_H
#define MIO_LIVE_FORMAT_H

/* The records of a live counter file, which docs/format/live.md specifies. Twin of CounterLayout. */

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "live counter files are little-endian: records would have to be turned round"
#endif

enum { MIO_LIVE_RECORD_BYTES = 4096, MIO_LIVE_RECORDS_MAX = 4096, MIO_LIVE_VERSION = 1 };
enum { MIO_LIVE_RUNS = 1, MIO_LIVE_ENDED = 2 };
enum { MIO_LIVE_NATIVE = 1, MIO_LIVE_JVM = 2 };
enum mio_live_kind { MIO_LIVE_FREE, MIO_LIVE_TRACE, MIO_LIVE_STRIPE, MIO_LIVE_PF_FILE, MIO_LIVE_PF_CACHE, MIO_LIVE_DECISIONS };
enum { MIO_LIVE_WORD_BYTES = 64, MIO_LIVE_PROGRAM_BYTES = 256, MIO_LIVE_NAME_BYTES = 2464 };
enum { MIO_LIVE_ERRORS_MAX = 33, MIO_LIVE_ERROR_NAME_BYTES = 32 };
enum { MIO_LIVE_SHARES = 8 };
enum { MIO_LIVE_DECISIONS_KEPT = 16, MIO_LIVE_WHAT_BYTES = 16, MIO_LIVE_REASON_BYTES = 192 };

struct mio_live_header {
	_Atomic uint64_t magic;
	int64_t version, record_bytes;
	_Atomic int64_t records;
	int64_t pid, start_time, stack_begin;
	int64_t began_real_ns, began_ns;
	_Atomic int64_t state;
	int64_t door;
	_Atomic int64_t unrecorded;
	char unused[160];
	char program[MIO_LIVE_PROGRAM_BYTES];
	char engine[MIO_LIVE_WORD_BYTES];
};

/* The beginning of every other record; the body follows it. */
struct mio_live_head {
	_Atomic int64_t kind, generation;	/* generation: odd while the record is in use */
	int64_t owner, owner_generation;	/* of a stripe and of decisions: number and generation of the record they belong to */
	_Atomic int64_t auto_state;	/* of a trace over pf/auto: what pf/auto does; 0: there is no pf/auto */
	int64_t unused;
};

/* The values of auto_state, from 1 on. */
#define MIO_LIVE_AUTO_STATES(X) X("looking") X("hints") X("kernel") X("random") X("cached") X("pages")

struct mio_live_error {
	char name[MIO_LIVE_ERROR_NAME_BYTES];
	int64_t count;
};

/* A trace layer, from offset 48 on. Threads race for some of the fields: see trace_counters.h. */
struct mio_live_trace {
	int64_t opened_ns;
	_Atomic int64_t closed_ns;		/* 0 while the file is open */
	_Atomic int64_t position, last_offset, last_end, last_stride;
	_Atomic int64_t current_size, max_size;
	_Atomic int64_t submitted_size;		/* size of the file when all submitted writes are done */
	int64_t mode, oflags, sector_bytes, direct, unit_shift;
	uint64_t device;
	int64_t error_count;
	struct mio_live_error errors[MIO_LIVE_ERRORS_MAX];
	char above[MIO_LIVE_WORD_BYTES], below[MIO_LIVE_WORD_BYTES];
	int64_t name_length;
	char name[MIO_LIVE_NAME_BYTES];
};

/*
 * A share of what the program did. One thread counts its requests by plain loads and stores, which cost next to nothing; other
 * threads, if there are any, by atomic additions.
 */
struct mio_live_share {
	_Atomic int64_t reads, read_bytes, writes, write_bytes;
	int64_t unused[4];
};

/* What a cache counts, for one file or for all of its files. Written under the lock of the cache, except the shares. */
struct mio_live_counters {
	int64_t page_reads, page_read_bytes;
	int64_t page_writes, page_write_bytes;
	int64_t not_preread;		/* pages prepared for a write without being read, */
	int64_t read_after_all;		/* and those of them that had to be read after all */
	int64_t read_aheads;		/* asynchronous reads ahead of the program */
	int64_t unused;			/* pages read or prepared ahead that gave way before they were used */
	int64_t write_behinds;
	int64_t forced_syncs;		/* pages that had to be read at once because a write did not cover whole sectors */
	int64_t retained;
	int64_t misses;			/* reads of the program that did not find all bytes in frames, */
	int64_t demand_reads;		/* and page reads made at once for them */
	int64_t partial_reads;		/* page reads of less than a page */
	int64_t waits;			/* how often a thread waited for a page that was on its way, */
	int64_t wait_ns;		/* and how long in all */
	int64_t evictions, dirty_evictions;
	int64_t write_errors;
	_Atomic uintptr_t thread;	/* the thread that counts in the first share; 0: none has counted yet */
	int64_t none[6];
	struct mio_live_share shares[MIO_LIVE_SHARES];
};

/* The pages of a file, or a cache, from offset 48 on. */
struct mio_live_pf {
	int64_t begun_ns;
	int64_t cache_number;
	int64_t frames, page_bytes, sector_bytes, unit_shift, direct;
	/* The present state. */
	int64_t resident, dirty, in_flight;
	_Atomic int64_t waiting;
	int64_t distance, streams;
	int64_t gate_waits, gate_wait_ns;
	int64_t size;
	struct mio_live_counters counters;
	char nothing[600];
	char engine[MIO_LIVE_WORD_BYTES], below[MIO_LIVE_WORD_BYTES];
	int64_t name_length;
	char name[MIO_LIVE_NAME_BYTES];
};

struct mio_live_decision {
	_Atomic int64_t number;		/* from 1 on; 0: none, or it is just written */
	int64_t ns;
	char what[MIO_LIVE_WHAT_BYTES], reason[MIO_LIVE_REASON_BYTES];
};

/* The last decisions of pf/auto below a trace, from offset 48 on. Decision n is at place (n - 1) % MIO_LIVE_DECISIONS_KEPT. */
struct mio_live_decisions {
	_Atomic int64_t count;
	int64_t unused;
	struct mio_live_decision last[MIO_LIVE_DECISIONS_KEPT];
	char nothing[448];
};

#define MIO_LIVE_BODY 48
#define MIO_LIVE_AT(type, field, offset) \
	_Static_assert(MIO_LIVE_BODY + offsetof(struct type, field) == (offset), "docs/format/live.md: " #field)

_Static_assert(sizeof(struct mio_live_head) == MIO_LIVE_BODY, "docs/format/live.md: every record");
_Static_assert(offsetof(struct mio_live_head, auto_state) == 32, "docs/format/live.md: what pf/auto does");
_Static_assert(offsetof(struct mio_live_header, records) == 24, "docs/format/live.md: records");
_Static_assert(offsetof(struct mio_live_header, began_ns) == 64, "docs/format/live.md: begin");
_Static_assert(offsetof(struct mio_live_header, unrecorded) == 88, "docs/format/live.md: layers without a record");
_Static_assert(offsetof(struct mio_live_header, program) == 256, "docs/format/live.md: program");
_Static_assert(offsetof(struct mio_live_header, engine) == 512, "docs/format/live.md: engine");
MIO_LIVE_AT(mio_live_trace, closed_ns, 56);
MIO_LIVE_AT(mio_live_trace, current_size, 96);
MIO_LIVE_AT(mio_live_trace, mode, 120);
MIO_LIVE_AT(mio_live_trace, device, 160);
MIO_LIVE_AT(mio_live_trace, errors, 176);
MIO_LIVE_AT(mio_live_trace, above, 1496);
MIO_LIVE_AT(mio_live_trace, name_length, 1624);
MIO_LIVE_AT(mio_live_trace, name, 1632);
_Static_assert(MIO_LIVE_BODY + sizeof(struct mio_live_trace) == MIO_LIVE_RECORD_BYTES, "a trace is a record");
MIO_LIVE_AT(mio_live_pf, resident, 104);
MIO_LIVE_AT(mio_live_pf, waiting, 128);
MIO_LIVE_AT(mio_live_pf, size, 168);
MIO_LIVE_AT(mio_live_pf, counters.page_reads, 176);
MIO_LIVE_AT(mio_live_pf, counters.not_preread, 208);
MIO_LIVE_AT(mio_live_pf, counters.write_behinds, 240);
MIO_LIVE_AT(mio_live_pf, counters.misses, 264);
MIO_LIVE_AT(mio_live_pf, counters.waits, 288);
MIO_LIVE_AT(mio_live_pf, counters.evictions, 304);
MIO_LIVE_AT(mio_live_pf, counters.shares, 384);
MIO_LIVE_AT(mio_live_pf, engine, 1496);
MIO_LIVE_AT(mio_live_pf, name, 1632);
_Static_assert(MIO_LIVE_BODY + sizeof(struct mio_live_pf) == MIO_LIVE_RECORD_BYTES, "pages are a record");

MIO_LIVE_AT(mio_live_decisions, last, 64);
MIO_LIVE_AT(mio_live_decisions, last[0].ns, 72);
MIO_LIVE_AT(mio_live_decisions, last[0].what, 80);
MIO_LIVE_AT(mio_live_decisions, last[0].reason, 96);
MIO_LIVE_AT(mio_live_decisions, last[1], 288);
_Static_assert(MIO_LIVE_BODY + sizeof(struct mio_live_decisions) == MIO_LIVE_RECORD_BYTES, "decisions are a record");

#endif

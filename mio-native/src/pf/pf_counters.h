#ifndef MIO_PF_COUNTERS_H
#define MIO_PF_COUNTERS_H

#include <stdatomic.h>
#include <stdint.h>

/*
 * One thread counts its requests by plain loads and stores, which cost nothing; the others, where there are any, by
 * additions of one.
 */
struct mio_pf_program {
	_Atomic int64_t reads, read_bytes, writes, write_bytes;
};

/*
 * What a cache counts, for one file or for all of its files (reference 4.5). Twin of PfCounters. What the program does is
 * counted without a lock; the rest under the lock of the cache.
 */
struct mio_pf_counters {
	_Atomic uintptr_t thread;	/* the one that counts in first; 0: nobody has counted yet */
	struct mio_pf_program first, others;
	int64_t page_reads, page_read_bytes;
	int64_t page_writes, page_write_bytes;
	int64_t not_preread;		/* pages prepared for writing without being read, */
	int64_t read_after_all;		/* and those of them that had to be read */
	int64_t read_aheads;		/* asynchronous reads ahead of the program */
	int64_t unused;			/* pages read or prepared ahead that gave way before they were used */
	int64_t write_behinds;
	int64_t forced_syncs;		/* pages that had to be read at once because a write did not cover whole sectors */
	int64_t retained;
	int64_t misses;			/* program reads that did not find all in frames, */
	int64_t demand_reads;		/* and page reads made at once for them */
	int64_t partial_reads;		/* page reads of less than a page */
	int64_t waits;			/* times and time a thread waited for a page that was on its way */
	int64_t wait_ns;
	int64_t evictions, dirty_evictions;
	int64_t write_errors;
};

extern _Thread_local char mio_pf_thread __attribute__((tls_model("initial-exec")));

static inline struct mio_pf_program *mio_pf_counters_mine(struct mio_pf_counters *counters)
{
	uintptr_t me = (uintptr_t)&mio_pf_thread;
	uintptr_t nobody = atomic_load_explicit(&counters->thread, memory_order_relaxed);

	if (nobody == me)
		return &counters->first;
	if (nobody || !atomic_compare_exchange_strong(&counters->thread, &nobody, me))
		return &counters->others;
	return &counters->first;
}

static inline void mio_pf_counter_add(_Atomic int64_t *counter, int64_t more, int alone)
{
	if (alone)
		atomic_store_explicit(counter, atomic_load_explicit(counter, memory_order_relaxed) + more,
				      memory_order_relaxed);
	else
		atomic_fetch_add_explicit(counter, more, memory_order_relaxed);
}

static inline void mio_pf_counters_program_read(struct mio_pf_counters *counters, int64_t bytes)
{
	struct mio_pf_program *mine = mio_pf_counters_mine(counters);

	mio_pf_counter_add(&mine->reads, 1, mine == &counters->first);
	mio_pf_counter_add(&mine->read_bytes, bytes, mine == &counters->first);
}

static inline void mio_pf_counters_program_wrote(struct mio_pf_counters *counters, int64_t bytes)
{
	struct mio_pf_program *mine = mio_pf_counters_mine(counters);

	mio_pf_counter_add(&mine->writes, 1, mine == &counters->first);
	mio_pf_counter_add(&mine->write_bytes, bytes, mine == &counters->first);
}

/* What the program did, both parts together. */
struct mio_pf_program_sum {
	int64_t reads, read_bytes, writes, write_bytes;
};

struct mio_pf_program_sum mio_pf_counters_program(struct mio_pf_counters *counters);
void mio_pf_counters_page_read(struct mio_pf_counters *counters, int64_t bytes, int partial);
void mio_pf_counters_page_written(struct mio_pf_counters *counters, int64_t bytes);
/* A copy for a report; with the lock of the cache. */
void mio_pf_counters_copy(struct mio_pf_counters *to, struct mio_pf_counters *from);
/* Adds what a file's program did to the sums of its cache. */
void mio_pf_counters_add_program(struct mio_pf_counters *cache, struct mio_pf_counters *file);

#endif

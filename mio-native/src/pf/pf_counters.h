#ifndef MIO_PF_COUNTERS_H
#define MIO_PF_COUNTERS_H

#include <stdatomic.h>
#include <stdint.h>

#include "../live/live_format.h"

/*
 * Functions on struct mio_live_counters, which holds what a cache counts for one file or for all of its files (reference 4.5). Twin of PfCounters. Requests of
 * the program are counted without a lock: the first thread has a share of its own, all others have one together. The rest is counted under the lock of the
 * cache.
 */

extern _Thread_local char mio_pf_thread __attribute__((tls_model("initial-exec")));

static inline struct mio_live_share *mio_pf_counters_mine(struct mio_live_counters *counters)
{
	uintptr_t me = (uintptr_t)&mio_pf_thread;
	uintptr_t nobody = atomic_load_explicit(&counters->thread, memory_order_relaxed);

	if (nobody == me)
		return &counters->shares[0];
	if (nobody || !atomic_compare_exchange_strong(&counters->thread, &nobody, me))
		return &counters->shares[1];
	return &counters->shares[0];
}

static inline void mio_pf_counter_add(_Atomic int64_t *counter, int64_t more, int alone)
{
	if (alone)
		atomic_store_explicit(counter, atomic_load_explicit(counter, memory_order_relaxed) + more,
				      memory_order_relaxed);
	else
		atomic_fetch_add_explicit(counter, more, memory_order_relaxed);
}

static inline void mio_pf_counters_program_read(struct mio_live_counters *counters, int64_t bytes)
{
	struct mio_live_share *mine = mio_pf_counters_mine(counters);

	mio_pf_counter_add(&mine->reads, 1, mine == &counters->shares[0]);
	mio_pf_counter_add(&mine->read_bytes, bytes, mine == &counters->shares[0]);
}

static inline void mio_pf_counters_program_wrote(struct mio_live_counters *counters, int64_t bytes)
{
	struct mio_live_share *mine = mio_pf_counters_mine(counters);

	mio_pf_counter_add(&mine->writes, 1, mine == &counters->shares[0]);
	mio_pf_counter_add(&mine->write_bytes, bytes, mine == &counters->shares[0]);
}

/* The requests of the program, all shares together. */
struct mio_pf_program_sum {
	int64_t reads, read_bytes, writes, write_bytes;
};

struct mio_pf_program_sum mio_pf_counters_program(struct mio_live_counters *counters);
void mio_pf_counters_page_read(struct mio_live_counters *counters, int64_t bytes, int partial);
void mio_pf_counters_page_written(struct mio_live_counters *counters, int64_t bytes);
/* Counts a read of the program that bypassed the pages: a miss, and a request to the layer below. */
void mio_pf_counters_read_past(struct mio_live_counters *counters, int64_t bytes);
/* Copies counters for a report; with the lock of the cache. */
void mio_pf_counters_copy(struct mio_live_counters *to, struct mio_live_counters *from);
/* Adds the program's requests of a file to the sums of its cache. */
void mio_pf_counters_add_program(struct mio_live_counters *cache, struct mio_live_counters *file);

#endif

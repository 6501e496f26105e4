#include "pf_counters.h"

#include <stddef.h>
#include <string.h>

_Thread_local char mio_pf_thread __attribute__((tls_model("initial-exec")));

struct mio_pf_program_sum mio_pf_counters_program(struct mio_live_counters *counters)
{
	struct mio_pf_program_sum sum = {0};

	for (int i = 0; i < MIO_LIVE_SHARES; i++) {
		struct mio_live_share *share = &counters->shares[i];

		sum.reads += atomic_load_explicit(&share->reads, memory_order_relaxed);
		sum.read_bytes += atomic_load_explicit(&share->read_bytes, memory_order_relaxed);
		sum.writes += atomic_load_explicit(&share->writes, memory_order_relaxed);
		sum.write_bytes += atomic_load_explicit(&share->write_bytes, memory_order_relaxed);
	}
	return sum;
}

void mio_pf_counters_page_read(struct mio_live_counters *counters, int64_t bytes, int partial)
{
	counters->page_reads++;
	counters->partial_reads += partial;
	counters->page_read_bytes += bytes;
}

void mio_pf_counters_page_written(struct mio_live_counters *counters, int64_t bytes)
{
	counters->page_writes++;
	counters->page_write_bytes += bytes;
}

void mio_pf_counters_read_past(struct mio_live_counters *counters, int64_t bytes)
{
	counters->misses++;
	mio_pf_counters_page_read(counters, bytes, 0);
}

void mio_pf_counters_add_program(struct mio_live_counters *cache, struct mio_live_counters *file)
{
	struct mio_pf_program_sum program = mio_pf_counters_program(file);

	mio_pf_counter_add(&cache->shares[1].reads, program.reads, 0);
	mio_pf_counter_add(&cache->shares[1].read_bytes, program.read_bytes, 0);
	mio_pf_counter_add(&cache->shares[1].writes, program.writes, 0);
	mio_pf_counter_add(&cache->shares[1].write_bytes, program.write_bytes, 0);
}

void mio_pf_counters_copy(struct mio_live_counters *to, struct mio_live_counters *from)
{
	size_t plain = offsetof(struct mio_live_counters, thread);

	memcpy(to, from, plain);
	memset((char *)to + plain, 0, sizeof(*to) - plain);
	mio_pf_counters_add_program(to, from);
}

#include "pf_counters.h"

#include <stddef.h>
#include <string.h>

_Thread_local char mio_pf_thread __attribute__((tls_model("initial-exec")));

static int64_t sum(_Atomic int64_t *first, _Atomic int64_t *others)
{
	return atomic_load_explicit(first, memory_order_relaxed) + atomic_load_explicit(others, memory_order_relaxed);
}

struct mio_pf_program_sum mio_pf_counters_program(struct mio_pf_counters *counters)
{
	struct mio_pf_program *first = &counters->first, *others = &counters->others;

	return (struct mio_pf_program_sum){
		.reads = sum(&first->reads, &others->reads),
		.read_bytes = sum(&first->read_bytes, &others->read_bytes),
		.writes = sum(&first->writes, &others->writes),
		.write_bytes = sum(&first->write_bytes, &others->write_bytes),
	};
}

void mio_pf_counters_page_read(struct mio_pf_counters *counters, int64_t bytes, int partial)
{
	counters->page_reads++;
	counters->partial_reads += partial;
	counters->page_read_bytes += bytes;
}

void mio_pf_counters_page_written(struct mio_pf_counters *counters, int64_t bytes)
{
	counters->page_writes++;
	counters->page_write_bytes += bytes;
}

void mio_pf_counters_add_program(struct mio_pf_counters *cache, struct mio_pf_counters *file)
{
	struct mio_pf_program_sum program = mio_pf_counters_program(file);

	mio_pf_counter_add(&cache->others.reads, program.reads, 0);
	mio_pf_counter_add(&cache->others.read_bytes, program.read_bytes, 0);
	mio_pf_counter_add(&cache->others.writes, program.writes, 0);
	mio_pf_counter_add(&cache->others.write_bytes, program.write_bytes, 0);
}

void mio_pf_counters_copy(struct mio_pf_counters *to, struct mio_pf_counters *from)
{
	size_t plain = offsetof(struct mio_pf_counters, page_reads);

	memset(to, 0, plain);
	mio_pf_counters_add_program(to, from);
	memcpy((char *)to + plain, (const char *)from + plain, sizeof(*to) - plain);
}

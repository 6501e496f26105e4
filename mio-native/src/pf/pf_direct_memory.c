#include "pf_direct_memory.h"

#include <stdatomic.h>

#include "../os/os_room.h"
#include "pf_direct_choice.h"

static _Atomic int64_t used_bytes;
static int forks;

const char *mio_pf_direct_memory_take(struct mio_pf_direct_memory *memory)
{
	int64_t room = mio_os_room();
	int64_t used = atomic_load(&used_bytes);

	memory->forks = forks;
	if (room < 0)
		return "it is not known how much memory is left for them";
	do
		memory->bytes = mio_pf_direct_cache_bytes(room, used);
	while (!atomic_compare_exchange_weak(&used_bytes, &used, used + memory->bytes));
	if (memory->bytes > 0)
		return NULL;
	return used > 0 ? "other opens of the process have the memory for them" : "too little memory is left for them";
}

void mio_pf_direct_memory_give(struct mio_pf_direct_memory *memory)
{
	if (memory->forks == forks)
		atomic_fetch_sub(&used_bytes, memory->bytes);
	memory->bytes = 0;
}

void mio_pf_direct_memory_forked(void)
{
	forks++;
	atomic_store(&used_bytes, 0);
}

#include "pf_cache.h"

#include <string.h>

#include "../os/os_room.h"
#include "pf_growth.h"

static struct mio_lock lock;
static struct mio_pf_cache *shared;

/* Bytes that all caches of this process have grown by; those of its parent, with fewer forks, do not count. */
static _Atomic int64_t grown_bytes;
static int forks;

static struct mio_pf_cache **link_of(int number)
{
	struct mio_pf_cache **link = &shared;

	while (*link && (*link)->number != number)
		link = &(*link)->next_shared;
	return link;
}

struct mio_pf_cache *mio_pf_caches_enter(const struct mio_pf_options *options)
{
	struct mio_pf_cache *cache;

	if (options->global == MIO_PF_PRIVATE) {
		cache = mio_pf_cache_make(options);
		if (cache)
			cache->opens = 1;
		return cache;
	}
	mio_lock_acquire(&lock);
	cache = *link_of(options->global);
	if (!cache) {
		cache = mio_pf_cache_make(options);
		if (cache) {
			cache->next_shared = shared;
			shared = cache;
		}
	}
	if (cache)
		cache->opens++;
	mio_lock_release(&lock);
	return cache;
}

int mio_pf_caches_leave(struct mio_pf_cache *cache, int release)
{
	int gone;

	mio_lock_acquire(&lock);
	gone = --cache->opens == 0 && (cache->number == MIO_PF_PRIVATE || release);
	if (gone && cache->number != MIO_PF_PRIVATE)
		*link_of(cache->number) = cache->next_shared;
	mio_lock_release(&lock);
	return gone;
}

void mio_pf_caches_forked(void)
{
	memset(&lock, 0, sizeof(lock));
	shared = NULL;
	forks++;
	atomic_store(&grown_bytes, 0);
}

int mio_pf_caches_grow(struct mio_pf_grown *grown, int64_t bytes)
{
	int64_t room = mio_os_room();
	int64_t used = atomic_load(&grown_bytes);

	do
		if (!mio_pf_growth_may(bytes, used, room))
			return 0;
	while (!atomic_compare_exchange_weak(&grown_bytes, &used, used + bytes));
	if (grown->forks != forks)
		*grown = (struct mio_pf_grown){.forks = forks};
	grown->bytes += bytes;
	return 1;
}

void mio_pf_caches_shrink(struct mio_pf_grown *grown)
{
	if (grown->forks == forks)
		atomic_fetch_sub(&grown_bytes, grown->bytes);
	grown->bytes = 0;
}

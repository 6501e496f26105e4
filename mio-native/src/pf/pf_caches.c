#include "pf_cache.h"

#include <string.h>

static struct mio_lock lock;
static struct mio_pf_cache *shared;

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
}

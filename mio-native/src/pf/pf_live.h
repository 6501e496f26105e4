#ifndef MIO_PF_LIVE_H
#define MIO_PF_LIVE_H

/* The live records of pages, which other processes read while the program runs: see live.h. With the lock of the cache, except for mio_pf_live_waits. */

#include "pf_cache.h"
#include "pf_file.h"

struct mio_pf_open;

/* begin: the file gets its cache, and counts from zero. Its record is shown once its first open has described it. */
void mio_pf_live_begin(struct mio_pf_file *file);
void mio_pf_live_describe(struct mio_pf_file *file, const struct mio_pf_open *open);
/* The last open of the file with a cache has ended: gives the record back, and keeps the counters. */
void mio_pf_live_end(struct mio_pf_file *file);

/* begin: a cache was made, which no other thread knows yet; only a shared one has a record. end: the cache ends. */
void mio_pf_live_cache_begin(struct mio_pf_cache *cache);
void mio_pf_live_cache_end(struct mio_pf_cache *cache);

/* Pages of the file came into the cache, left it, or became dirty or clean. */
void mio_pf_live_pages(struct mio_pf_file *file, struct mio_pf_cache *cache);
/* A page request began (1) or ended (-1). */
void mio_pf_live_request(struct mio_pf_file *file, struct mio_pf_cache *cache, int more);
/* A thread of the program begins to wait for a page request (1), or has waited (-1). */
void mio_pf_live_waits(struct mio_pf_file *file, struct mio_pf_cache *cache, int more);

#endif

#ifndef MIO_PF_LIVE_H
#define MIO_PF_LIVE_H

/* What others see of pages while the program runs: see live.h. With the lock of the cache, but for mio_pf_live_waits. */

#include "pf_cache.h"
#include "pf_file.h"

struct mio_pf_open;

/* The file gets its cache, and counts from zero. Its record is not seen before it is described, by its first open. */
void mio_pf_live_begin(struct mio_pf_file *file);
void mio_pf_live_describe(struct mio_pf_file *file, const struct mio_pf_open *open);
/* Its last open is done: what was counted is kept. */
void mio_pf_live_end(struct mio_pf_file *file);

/* A shared cache was made: nobody else knows it yet; it goes. */
void mio_pf_live_cache_begin(struct mio_pf_cache *cache);
void mio_pf_live_cache_end(struct mio_pf_cache *cache);

/* Pages came, went, or became dirty or clean. */
void mio_pf_live_pages(struct mio_pf_file *file, struct mio_pf_cache *cache);
/* A page request began (1) or ended (-1). */
void mio_pf_live_request(struct mio_pf_file *file, struct mio_pf_cache *cache, int more);
/* A thread of the program waits for a request (1), or did (-1). */
void mio_pf_live_waits(struct mio_pf_file *file, struct mio_pf_cache *cache, int more);

#endif

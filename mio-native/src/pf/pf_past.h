#ifndef MIO_PF_PAST_H
#define MIO_PF_PAST_H

#include <stdint.h>
#include <sys/uio.h>

#include "../layer/layer.h"

struct mio_pf_cache;
struct mio_pf_file;

/*
 * Requests that bypass the pages and go to the next layer at once: all of an open without a cache, large ones, those for a part of the file that is not cached,
 * and writes that must not wait. Pages and file agree before and after: dirty pages are written first, and a write updates the pages that the cache has. Twin
 * of PastCache. The caller has an open with a cache, or holds the cache (mio_pf_file_hold). Results are those of the layer's calls.
 */
/* Reads up to the end of the file and no further: direct I/O writes zeros to memory for what lies behind the end in the last sector. */
int64_t mio_pf_past_read(struct mio_pf_file *file, struct mio_pf_cache *cache, struct mio_layer *next, void *memory,
			 int64_t length, int64_t offset);
/* A write at the kernel's position (mio_open_call) may come with an outdated offset: the kernel is asked where it went. */
int64_t mio_pf_past_write(struct mio_pf_file *file, struct mio_pf_cache *cache, struct mio_layer *next,
			  const struct iovec *vector, int count, int64_t offset);

#endif

#ifndef MIO_PF_INVALIDATE_H
#define MIO_PF_INVALIDATE_H

#include <stdint.h>

struct mio_pf_cache;
struct mio_pf_file;

/*
 * Invalidates pages when the file changes below them. All functions under the lock of the cache. Dirty sectors stay: this process wrote them, and they are
 * newer. Twin of Invalidation.
 */

/* Forgets the clean sectors of these bytes, and what is being read of them. */
void mio_pf_invalidate_forget(struct mio_pf_file *file, struct mio_pf_cache *cache, int64_t from, int64_t to);
/* The file was cut to this size; no page request is on its way. */
void mio_pf_invalidate_cut(struct mio_pf_file *file, struct mio_pf_cache *cache, int64_t size);
/* Somebody else made the file longer or shorter; no page is dirty. */
void mio_pf_invalidate_resized(struct mio_pf_file *file, struct mio_pf_cache *cache, int64_t size);
/* Drops all pages of the file. Dirty bytes are lost; the program was told that. Waits. */
void mio_pf_invalidate_all(struct mio_pf_file *file, struct mio_pf_cache *cache);

#endif

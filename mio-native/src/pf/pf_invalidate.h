#ifndef MIO_PF_INVALIDATE_H
#define MIO_PF_INVALIDATE_H

#include <stdint.h>

struct mio_pf_cache;
struct mio_pf_file;

/*
 * What happens to pages when the file changes below them. All under the lock of the cache. Sectors that are dirty stay:
 * they are this process's, and younger. Twin of Invalidation.
 */

/* The clean sectors of these bytes are out of date, and what is being read of them. */
void mio_pf_invalidate_forget(struct mio_pf_file *file, struct mio_pf_cache *cache, int64_t from, int64_t to);
/* The file was cut; no request is on its way. */
void mio_pf_invalidate_cut(struct mio_pf_file *file, struct mio_pf_cache *cache, int64_t size);
/* Somebody else made the file longer or shorter; nothing is dirty. */
void mio_pf_invalidate_resized(struct mio_pf_file *file, struct mio_pf_cache *cache, int64_t size);
/* The file has no pages any more; what is dirty is lost and was told. Waits. */
void mio_pf_invalidate_all(struct mio_pf_file *file, struct mio_pf_cache *cache);

#endif

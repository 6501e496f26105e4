#ifndef MIO_PF_BYPASS_H
#define MIO_PF_BYPASS_H

#include <stdint.h>

#include "../layer/layer.h"

struct mio_pf_cache;
struct mio_pf_file;

/* Keeps pages in agreement with calls that work on the file itself. Twin of Bypassed. The caller holds neither the gate nor the cache. */

/* What a layer with pages, or an attached one, does at the begin and the end of such a call: see bypass_begin in layer.h. */
int mio_pf_bypass_begin(struct mio_pf_file *file, struct mio_layer *next, enum mio_bypass kind, int64_t offset,
			int64_t length);
void mio_pf_bypass_end(struct mio_pf_file *file, struct mio_layer *next, enum mio_bypass kind, int64_t offset,
		       int64_t length, int done);

/* Others may have changed the file anywhere, and its size: forgets clean pages, and takes over the size. */
void mio_pf_bypass_forget(struct mio_pf_file *file);

#endif

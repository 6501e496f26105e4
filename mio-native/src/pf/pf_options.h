#ifndef MIO_PF_OPTIONS_H
#define MIO_PF_OPTIONS_H

#include <stdint.h>

#include "../config/config.h"
#include "pf_stream.h"

enum {
	MIO_PF_PRIVATE = -1,		/* number of a cache that is not shared */
	MIO_PF_PAGE_STEP = 4096,	/* page sizes are multiples of this, bytes: every file system takes it for direct I/O */
	MIO_PF_SECTOR_BYTES_MIN = 512
};

/* The options of one pf layer, as typed (reference 3.3, design section 6). Twin of PfOptions. Sizes are bytes. */
struct mio_pf_options {
	int preread;		/* pages are read ahead of a writing stream (pffw) */
	int release;		/* memory of a global cache is given back with its last file */
	int global;		/* number of the shared cache, or MIO_PF_PRIVATE */
	int asynchronous;	/* page requests are asynchronous */
	const char *unit;	/* of the report */
	int64_t cache_bytes;
	int64_t cache_most_bytes;	/* size to which the cache may grow; if it is not above cache_bytes, the cache does not grow */
	int64_t page_bytes;	/* a multiple of MIO_PF_PAGE_STEP */
	struct mio_pf_distance distance;
	int64_t stride_pages;	/* forced step between the pages read; 1 is none */
	int retain;		/* pages stay in the cache after close */
	int lists;		/* page requests of one step are submitted as a list (listio) */
	const char *tag;	/* of the report */
	int scratch;		/* the file is not flushed at close, but removed after it */
	int64_t uncached_from;	/* first byte that is never cached */
	int64_t uncached_to;	/* byte after the last that is never cached */
	int behind;		/* writes stay in pages until these are full or left */
	int64_t loop_bytes;	/* a loop over so many bytes is to keep its part in the cache, however small; 0: as usual. Only set by pf/auto */
	int lru;		/* strict least-recently-used replacement */
	int64_t past_bytes;	/* requests of at least this size are not cached; 0: none */
	int streams;		/* streams of a file that are recognised at the same time */
	int exact;		/* some bytes of a page may be written past it: only dirty sectors are written */
};

struct mio_pf_options mio_pf_options_of(const struct mio_layer_spec *spec);

/* Number of frames of the cache; at least one. */
int64_t mio_pf_options_frames(const struct mio_pf_options *options);
/* Number of frames to which the cache may grow. */
int64_t mio_pf_options_frames_most(const struct mio_pf_options *options);

static inline int64_t mio_pf_round_up(int64_t bytes, int64_t step)
{
	return (bytes + step - 1) / step * step;
}

static inline int64_t mio_pf_min(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static inline int64_t mio_pf_max(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

#endif

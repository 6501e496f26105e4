#ifndef MIO_PF_OPTIONS_H
#define MIO_PF_OPTIONS_H

#include <stdint.h>

#include "../config/config.h"
#include "pf_stream.h"

enum {
	MIO_PF_PRIVATE = -1,		/* number of a cache that is not shared */
	MIO_PF_PAGE_STEP = 4096,	/* pages are multiples of this, bytes: what every file system takes for direct I/O */
	MIO_PF_SECTOR_BYTES_MIN = 512
};

/* The options of one pf layer as typed (reference 3.3, design section 6). Twin of PfOptions. Sizes are bytes. */
struct mio_pf_options {
	int preread;		/* pages are read in before a write */
	int release;		/* memory of a global cache is given back with its last file */
	int global;		/* number of the shared cache, or MIO_PF_PRIVATE */
	int asynchronous;	/* page requests are asynchronous */
	const char *unit;	/* of the report */
	int64_t cache_bytes;
	int64_t cache_most_bytes;	/* what the cache may grow to; less: it does not */
	int64_t page_bytes;	/* a multiple of MIO_PF_PAGE_STEP */
	struct mio_pf_distance distance;
	int64_t stride_pages;	/* forced step between the pages read; 1 is none */
	int retain;		/* pages stay after close */
	int lists;		/* page requests go down as lists */
	const char *tag;
	int scratch;		/* not flushed at close, then removed */
	int64_t uncached_from;	/* first byte that is never cached */
	int64_t uncached_to;	/* byte after the last that is never cached */
	int behind;		/* writes stay in pages until these are full or left */
	int64_t loop_bytes;	/* a loop over so much is to keep its part in the cache, however small that is; 0: as usual. No option: see pf_auto */
	int lru;		/* strict least-recently-used replacement */
	int64_t past_bytes;	/* requests of at least this size are not cached; 0: none */
	int streams;		/* recognised at the same time */
	int exact;		/* some of a page's bytes may go past it: no sector is written that is not dirty */
};

struct mio_pf_options mio_pf_options_of(const struct mio_layer_spec *spec);

/* Frames of the cache; at least one. */
int64_t mio_pf_options_frames(const struct mio_pf_options *options);
/* What the cache may grow to. */
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

#ifndef MIO_PF_OPEN_H
#define MIO_PF_OPEN_H

#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>

#include "../layer/layer.h"
#include "../layer/layer_open.h"
#include "../stats/stats_pf.h"
#include "pf_counters.h"
#include "pf_options.h"
#include "pf_page_io.h"
#include "pf_reader.h"
#include "pf_told.h"
#include "pf_writer.h"

struct mio_pf_cache;
struct mio_pf_file;

/* What a file or a cache has to report. */
struct mio_pf_figures {
	struct mio_live_counters counters;
	int64_t distance, streams, gate_waits, gate_wait_ns;
};

/* One open of a file with a cache: the layer itself. Twin of PfLayer and PfSource. */
struct mio_pf_open {
	struct mio_layer layer;
	struct mio_pf_file *file;
	struct mio_pf_options options;
	struct mio_open_request request;
	struct mio_pf_reader reader;
	struct mio_pf_writer writer;
	int through_always;
	struct mio_pf_told own_told;
	struct mio_pf_told *told;	/* its own, or that of the layer below of the same open, which outlives it and tells the rest */
	_Atomic uint32_t closed;

	/* Under the lock of the cache. */
	struct mio_pf_open *next_of_file;
	int64_t held;			/* page requests through it that somebody still holds, and threads that ask its layer */

	/* What it reports; sizes stay as they were when it was opened. */
	const char *(*engine)(void);
	const char *below;		/* name of the last layer */
	int cache_number;
	int64_t page_bytes, sector_bytes;
	_Atomic int64_t frames;		/* but for these: as they were when it was looked last, and at its close */
	_Atomic uint32_t was_last, has_released;
	struct mio_pf_figures final;	/* of the file, once closed and if it was the last open with a cache */
	struct mio_pf_figures released;	/* of the cache, if that went with it */
};

static inline int mio_pf_open_is_writable(const struct mio_pf_open *open)
{
	return (open->request.oflags & O_ACCMODE) != O_RDONLY;
}

/* Hands page requests down; without the lock of the cache. The caller keeps hold of them. */
void mio_pf_open_start(struct mio_pf_open *open, struct mio_pf_ios *list);

/* With the lock of the cache. */
void mio_pf_open_let_go(struct mio_pf_open *open, struct mio_pf_cache *cache);

/* An open ends: its requests are waited for, and pages that it could not write go to another open of the file that can, or are given up, of which the program is told. */
void mio_pf_open_leave(struct mio_pf_open *open);

/* A failed write behind the program's back is told at its next call, once to each open: -errno, or 0. That it was told. */
int mio_pf_open_tell_errors(struct mio_pf_open *open);
void mio_pf_open_told(struct mio_pf_open *open);

/* Writes all of the file; an error of that is told by it. 0 or -errno. */
int mio_pf_open_write_all(struct mio_pf_open *open);

/* What there is to report of the file, or of the cache. 1, or 0 if there is nothing. */
int mio_pf_open_snapshot(struct mio_pf_open *open, enum mio_stats_event event, int of_cache, struct mio_stats_pf *pf);

extern const struct mio_layer_ops mio_pf_open_ops;
int mio_pf_open_close(struct mio_layer *layer);
void mio_pf_open_release(struct mio_layer *layer);

#endif

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

/* The figures that a file or a cache reports. */
struct mio_pf_figures {
	struct mio_live_counters counters;
	int64_t distance, streams, gate_waits, gate_wait_ns;
	struct mio_stats_plan plan;
};

/* One open of a file with a cache, which is the layer itself. Twin of PfLayer and PfSource. */
struct mio_pf_open {
	struct mio_layer layer;
	struct mio_pf_file *file;
	struct mio_pf_options options;
	struct mio_open_request request;
	struct mio_pf_reader reader;
	struct mio_pf_writer writer;
	int through_always;		/* every write of this open goes to the next layer at once */
	struct mio_pf_told own_told;
	struct mio_pf_told *told;	/* own_told, or that of the layer below of the same open, which outlives this one and tells the rest */
	_Atomic uint32_t closed;

	/* Under the lock of the cache. */
	struct mio_pf_open *next_of_file;
	int64_t held;			/* page requests through it that somebody still holds, plus threads that use its layers */

	/* For its report; sizes stay as they were at the open, except for frames. */
	const char *(*engine)(void);
	const char *below;		/* name of the last layer */
	int cache_number;
	int64_t page_bytes, sector_bytes;
	_Atomic int64_t frames;		/* as of the open, of the last growth, or of the close */
	_Atomic uint32_t was_last, has_released;	/* it was the last open with a cache, so that final is set; released is set */
	struct mio_pf_figures final;	/* of the file, if this open is closed and was the last one with a cache */
	struct mio_pf_figures released;	/* of the cache, if that ended with this open */
};

static inline int mio_pf_open_is_writable(const struct mio_pf_open *open)
{
	return (open->request.oflags & O_ACCMODE) != O_RDONLY;
}

/* Submits page requests. Without the lock of the cache; the caller goes on holding them. */
void mio_pf_open_start(struct mio_pf_open *open, struct mio_pf_ios *list);

/* Counts held down by one. With the lock of the cache. */
void mio_pf_open_let_go(struct mio_pf_open *open, struct mio_pf_cache *cache);

/*
 * The open ends: waits for its page requests. Pages that it could not write are handed to another open of the file that can write, or else are given up, which
 * the program is told.
 */
void mio_pf_open_leave(struct mio_pf_open *open);

/* tell_errors: the error of a failed write-behind, for the program's next call, once for each open: -errno, or 0. told: notes that the program was told. */
int mio_pf_open_tell_errors(struct mio_pf_open *open);
void mio_pf_open_told(struct mio_pf_open *open);

/* Writes all dirty pages of the file. 0 or -errno, by which the program is told of that error. */
int mio_pf_open_write_all(struct mio_pf_open *open);

/* Takes a snapshot for the report of the file, or of the cache. 1, or 0 if there is nothing to report. */
int mio_pf_open_snapshot(struct mio_pf_open *open, enum mio_stats_event event, int of_cache, struct mio_stats_pf *pf);

extern const struct mio_layer_ops mio_pf_open_ops;
int mio_pf_open_close(struct mio_layer *layer);
void mio_pf_open_release(struct mio_layer *layer);

#endif

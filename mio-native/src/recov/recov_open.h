#ifndef MIO_RECOV_OPEN_H
#define MIO_RECOV_OPEN_H

/* The inside of a recov layer: recov_layer.c makes it and does synchronous calls, recov_io.c asynchronous requests. */

#include <stdatomic.h>

#include "../layer/layer.h"
#include "recov_file.h"
#include "recov_layer.h"

struct mio_recov_io;

struct mio_recov_open {
	struct mio_layer layer;
	struct mio_recov_file file;
	_Atomic int holders;		/* number of holders: the stack, and a thread that serves the open */
	struct mio_lock lock;
	struct mio_recov_io *idle;	/* requests that may be used again once they are done */
	struct mio_recov_io *first, *last; /* requests to be tried again, in this order */
	int served;			/* 1: a thread works on them, or will */
	struct mio_recov_open *next_unserved;	/* in the list of opens that wait for a thread */
};

static inline struct mio_recov_open *mio_recov_open_of(struct mio_layer *layer)
{
	return (struct mio_recov_open *)layer;
}

/* A holder lets go; the last one frees the memory. */
void mio_recov_open_let_go(struct mio_recov_open *open);

/* Make the attempts of a read or write. failure: -errno of a first attempt that failed, or 0. before: bytes already written. */
int64_t mio_recov_read_again(struct mio_recov_open *open, void *memory, size_t length, int64_t offset, int64_t failure);
int64_t mio_recov_write_again(struct mio_recov_open *open, const void *memory, size_t length, int64_t offset,
			      int64_t before, int64_t failure);
/* 1 if a write need not go on. moved: bytes of the last attempt; rest: bytes still to be written, at end. */
int mio_recov_is_over(const struct mio_recov_open *open, int64_t moved, int64_t rest, int64_t end);

int mio_recov_submit(struct mio_layer *layer, struct mio_io *io);
void mio_recov_submit_all(struct mio_layer *layer, struct mio_io **list, int count);

#endif

#ifndef MIO_PF_PAGE_IO_H
#define MIO_PF_PAGE_IO_H

#include <stdint.h>

#include "../layer/layer_io.h"

struct mio_pf_cache;
struct mio_pf_open;
struct mio_pf_page;

/*
 * One page request: some sectors of one page on their way from or to the next layer. It is registered with its page, under the lock of the cache, before it is
 * submitted, and removed when it is complete. A synchronous request is done and completed by one thread. Twin of PageIo.
 *
 * The cache owns its memory. That is used again once the request has no holder any more and is marked as done, which happens after its completion ran. Holders
 * are its maker, threads that wait for it, and its page until the end of the request was collected. While it is held, so is the open that it goes through.
 */
struct mio_pf_page_io {
	struct mio_io io;
	struct mio_pf_page *page;
	struct mio_pf_open *open;
	int write, asynchronous;
	int from_sector, to_sector;	/* its sectors, without to_sector */
	int stale;			/* the bytes that it reads are out of date: the sectors were changed or cut meanwhile */
	int broken;			/* an error ended a read that had brought some sectors */
	int awaited;			/* the wait for it was counted, which happens once */
	int holders;
	int64_t began_ns;		/* when it was made; 0 unless the file is watched */
	uint64_t number;		/* in the order in which the requests of the cache were made */
	struct mio_pf_page_io *next;	/* of the same page; of a spare one, the next spare one */
	struct mio_pf_page_io *listed;	/* next in the list of its maker */
};

/* The requests that one thread has made, in order. */
struct mio_pf_ios {
	struct mio_pf_page_io *first, *last;
	int64_t count;
};

/*
 * Registers a request of so many bytes from from_sector on, and adds it to the list of the maker, who holds it. 0 or -ENOMEM. Under the lock of the cache, as
 * all functions here except perform, submit, wait and start.
 */
int mio_pf_page_io_make(struct mio_pf_page *page, struct mio_pf_open *open, int write, int asynchronous, int from_sector,
			int to_sector, int64_t bytes, struct mio_pf_ios *list);

void mio_pf_page_io_hold(struct mio_pf_page_io *io);
void mio_pf_page_io_let_go(struct mio_pf_page_io *io);
/* The maker lets go of all requests of its list. */
void mio_pf_ios_let_go(struct mio_pf_ios *list);

/* 1 if the request is for more than these sectors. */
int mio_pf_page_io_is_wider(const struct mio_pf_page_io *io, int from_sector, int to_sector);

/* The error of a request that is done: -errno, or 0. A write of only a part counts as failed. */
int mio_pf_page_io_error(const struct mio_pf_page_io *io);

/* Does the request in the caller's thread. */
void mio_pf_page_io_perform(struct mio_pf_page_io *io);
/* Submits the request to the next layer. */
void mio_pf_page_io_submit(struct mio_pf_page_io *io);
/* Starts the requests from `first` on: submits asynchronous ones, does the others. */
void mio_pf_ios_start(struct mio_pf_page_io *first);
/* Waits until the request is complete, for a caller that holds it. */
void mio_pf_page_io_wait(struct mio_pf_page_io *io);
/* Counts the end of a request that nobody had to wait for as a wait that took no time. */
void mio_pf_page_io_collect(struct mio_pf_page_io *io);

/* Frees the requests of a cache that ends; none is on its way. */
void mio_pf_page_io_free_all(struct mio_pf_cache *cache);

#endif

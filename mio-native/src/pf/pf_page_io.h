#ifndef MIO_PF_PAGE_IO_H
#define MIO_PF_PAGE_IO_H

#include <stdint.h>

#include "../layer/layer_io.h"

struct mio_pf_cache;
struct mio_pf_open;
struct mio_pf_page;

/*
 * One page request: some sectors of one page on their way from or to the next layer. Registered with its page, under the
 * lock of the cache, before it is handed down; taken out when it is complete. Synchronous ones are done, and
 * completed, by one thread. Twin of PageIo.
 *
 * Its memory is the cache's. It is used again when nobody holds it any more (its maker, who waits for it, and the page that
 * knows it until its end was taken note of) and it is done: the mark of that is set after the completion ran. While it is
 * held, so is the open it goes through.
 */
struct mio_pf_page_io {
	struct mio_io io;
	struct mio_pf_page *page;
	struct mio_pf_open *open;
	int write, asynchronous;
	int from_sector, to_sector;	/* concerned, from and to (without) */
	int stale;			/* what it brings is out of date: the sectors were changed or cut meanwhile */
	int broken;			/* an error ended a read that had brought some sectors */
	int awaited;			/* somebody waited for it; counted once */
	int holders;
	int64_t began_ns;		/* 0 unless somebody watches */
	uint64_t number;		/* in the order they were made */
	struct mio_pf_page_io *next;	/* on its page; of a spare one the next spare one */
	struct mio_pf_page_io *listed;	/* in the list of its maker */
};

/* Requests that one thread has made, in order. */
struct mio_pf_ios {
	struct mio_pf_page_io *first, *last;
	int64_t count;
};

/*
 * Registers a request of so many bytes from the first sector, and adds it to the list of the maker, who holds it.
 * 0 or -ENOMEM. Under the lock of the cache, as all but perform, submit, wait and start.
 */
int mio_pf_page_io_make(struct mio_pf_page *page, struct mio_pf_open *open, int write, int asynchronous, int from_sector,
			int to_sector, int64_t bytes, struct mio_pf_ios *list);

void mio_pf_page_io_hold(struct mio_pf_page_io *io);
void mio_pf_page_io_let_go(struct mio_pf_page_io *io);
/* The maker lets go of all. */
void mio_pf_ios_let_go(struct mio_pf_ios *list);

/* Whether it concerns more than these sectors. */
int mio_pf_page_io_is_wider(const struct mio_pf_page_io *io, int from_sector, int to_sector);

/* Why it failed, -errno, or 0; a write of a part has failed. Once it is done. */
int mio_pf_page_io_error(const struct mio_pf_page_io *io);

/* Does it in the caller's thread. */
void mio_pf_page_io_perform(struct mio_pf_page_io *io);
/* Hands it down. */
void mio_pf_page_io_submit(struct mio_pf_page_io *io);
/* Hands down or does those from `first` on, as they are. */
void mio_pf_ios_start(struct mio_pf_page_io *first);
/* Waits until it is complete, for who holds it. */
void mio_pf_page_io_wait(struct mio_pf_page_io *io);
/* Nobody had to wait for it: a wait that took no time. */
void mio_pf_page_io_collect(struct mio_pf_page_io *io);

/* The cache is given up: nothing is on its way. */
void mio_pf_page_io_free_all(struct mio_pf_cache *cache);

#endif

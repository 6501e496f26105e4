#ifndef MIO_LAYER_WATCH_H
#define MIO_LAYER_WATCH_H

/* What a cache tells a watcher of its pages. Twin of PageWatch. The numbers are those of docs/format/events.md. */

#include <stdint.h>

enum mio_page_operation {
	MIO_PAGE_HIT = 1,
	MIO_PAGE_MISS = 2,
	MIO_PAGE_PREFETCH_ISSUED = 3,
	MIO_PAGE_PREPARED = 4,
	MIO_PAGE_PREFETCH_USED = 5,
	MIO_PAGE_PREFETCH_UNUSED = 6,
	MIO_PAGE_DEMAND_READ = 7,
	MIO_PAGE_ARRIVED = 8,
	MIO_PAGE_WRITE_BEHIND = 9,
	MIO_PAGE_WRITTEN = 10,
	MIO_PAGE_EVICT = 11,
	MIO_PAGE_DROPPED = 12,
	MIO_PAGE_WAIT = 13,
	MIO_PAGE_DIRTY_EVICT = 14
};

struct mio_page_news {
	enum mio_page_operation operation;
	int asynchronous;
	int64_t frame;		/* number of the frame, from 0 */
	int64_t offset, bytes;	/* the bytes of the file that are concerned */
	int64_t result;		/* bytes moved, or -errno */
	int64_t began_ns;	/* when it began, by mio_clock_ns; 0: now */
};

/* A watcher of pages. Called on any thread, with or without the lock of the cache, so it must not call the cache. */
struct mio_page_watch {
	void (*page)(struct mio_page_watch *watch, const struct mio_page_news *news);
	/* The watcher will not be called again and may free itself. */
	void (*release)(struct mio_page_watch *watch);
};

#endif

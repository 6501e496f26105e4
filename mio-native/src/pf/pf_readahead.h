#ifndef MIO_PF_READAHEAD_H
#define MIO_PF_READAHEAD_H

#include <stdint.h>

struct mio_pf_cache;
struct mio_pf_file;
struct mio_pf_ios;
struct mio_pf_open;
struct mio_pf_page;
struct mio_pf_stream;

/* A page of this size or smaller is always read as a whole, bytes. */
#define MIO_PF_SMALL_PAGE_BYTES ((int64_t)16 << 10)

/*
 * Reads pages before the program asks for them: the rest of a large request, and the window ahead of the stream that the request belongs to. These functions
 * only register page requests, under the lock of the cache (released meanwhile where a dirty page gives way); the caller submits them. Twin of Readahead.
 * stream: the one the request belongs to, or NULL.
 */

/*
 * Returns the stream that a read belongs to: that of the plan if the read follows the plan, else the one that detection finds, or NULL. last_offset: of the
 * previous read of the same open, -1 for none.
 */
struct mio_pf_stream *mio_pf_readahead_stream_of(struct mio_pf_file *file, int64_t offset, int64_t length,
						 int64_t last_offset, int64_t last_length);

/* Reads ahead of a read. */
void mio_pf_readahead_of_read(struct mio_pf_open *open, struct mio_pf_stream *stream, int64_t offset, int64_t length,
			      struct mio_pf_ios *list);
/* Prepares frames ahead of a writing stream, without reading what will be overwritten. */
void mio_pf_readahead_of_write(struct mio_pf_open *open, struct mio_pf_stream *stream);
/* Reads pages ahead of a writing stream (option pffw). */
void mio_pf_readahead_of_write_with_read(struct mio_pf_open *open, struct mio_pf_stream *stream,
					 struct mio_pf_ios *list);

/* Counts a page that is prepared for writing and not read. */
void mio_pf_readahead_not_preread(struct mio_pf_page *page);

/* The largest distance, in steps, to which a stream may grow because the program waits for its pages. */
int mio_pf_readahead_most(struct mio_pf_cache *cache, struct mio_pf_file *file,
			  const struct mio_pf_stream *stream);

#endif

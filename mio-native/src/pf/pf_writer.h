#ifndef MIO_PF_WRITER_H
#define MIO_PF_WRITER_H

#include <stdatomic.h>
#include <stdint.h>

struct mio_pf_open;

/*
 * Takes the program's writes into pages. One for each open. A write of whole sectors needs nothing from the file. A write that ends inside a sector needs that
 * sector; the whole page is read then, as the next such write is likely to be near (reference 3.3, nopffw). Twin of PageWriter.
 */
struct mio_pf_writer {
	struct mio_pf_open *open;
	/* The last write of this open: offset and length in bytes, and the number of the page in which it ended. */
	_Atomic int64_t last_offset, last_length, last_index;
};

void mio_pf_writer_begin(struct mio_pf_writer *writer, struct mio_pf_open *open);

/*
 * Writes bytes into pages. Returns how many were taken. These are fewer than length if the rest must go to the next layer at once, because space cannot be set
 * aside or half of the cache is pages that cannot be written; or if an error came behind them. -errno if a page cannot be had, or a sector cannot be read.
 */
int64_t mio_pf_writer_write(struct mio_pf_writer *writer, const void *memory, int64_t length, int64_t offset);

#endif

#ifndef MIO_PF_WRITER_H
#define MIO_PF_WRITER_H

#include <stdatomic.h>
#include <stdint.h>

struct mio_pf_open;

/*
 * The program's writes, into pages. One for each open. A write of whole sectors needs nothing from the file; one that
 * ends inside a sector needs that sector, and then the whole page is read, as the next such write is likely to be near
 * (reference 3.3, nopffw). Twin of PageWriter.
 */
struct mio_pf_writer {
	struct mio_pf_open *open;
	/* Place of the last write of this open, and the page it was in. */
	_Atomic int64_t last_offset, last_length, last_index;
};

void mio_pf_writer_begin(struct mio_pf_writer *writer, struct mio_pf_open *open);

/*
 * Bytes taken; less than length if the rest must go down at once, because space cannot be set aside, or half of the
 * cache is pages that cannot be written, or an error came behind them. Or -errno: a page cannot be had, or a sector not be read.
 */
int64_t mio_pf_writer_write(struct mio_pf_writer *writer, const void *memory, int64_t length, int64_t offset);

#endif

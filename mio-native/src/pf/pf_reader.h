#ifndef MIO_PF_READER_H
#define MIO_PF_READER_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct mio_pf_open;
struct mio_pf_page;

/* The program's reads, out of pages. One for each open. Twin of PageReader. */
struct mio_pf_reader {
	struct mio_pf_open *open;
	_Atomic(struct mio_pf_page *) recent;	/* the page of the last read, most likely that of the next one; a guess, always looked at */
	/* The last read of this open; races between its threads do no harm. */
	_Atomic int64_t last_offset, last_length;
};

void mio_pf_reader_begin(struct mio_pf_reader *reader, struct mio_pf_open *open);

/* Reads all of the bytes, which lie before the end of the file, from the recent page; 0 if they are not there. */
int mio_pf_reader_recent(struct mio_pf_reader *reader, void *memory, int64_t offset, int64_t length);

/* Reads bytes that lay before the end of the file a moment ago. Bytes, less if the file was cut or an error came behind them; or -errno. */
int64_t mio_pf_reader_read(struct mio_pf_reader *reader, void *memory, int64_t offset, int64_t length);

#endif

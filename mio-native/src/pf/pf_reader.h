#ifndef MIO_PF_READER_H
#define MIO_PF_READER_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "pf_places.h"

struct mio_pf_open;

/* Serves the program's reads from pages. One for each open; races between its threads do no harm. Twin of PageReader. */
struct mio_pf_reader {
	struct mio_pf_open *open;
	_Atomic(struct mio_pf_place *) recent;	/* the place that was used last */
	struct mio_pf_place places[MIO_PF_PLACES];
	_Atomic int64_t clock;		/* for used_at of the places */
};

void mio_pf_reader_begin(struct mio_pf_reader *reader, struct mio_pf_open *open);

/* Copies the bytes, all of which lie before the end of the file, from one of the pages read last. 1, or 0 if none of these has all. */
int mio_pf_reader_recent(struct mio_pf_reader *reader, void *memory, int64_t offset, int64_t length);

/* Reads bytes that lay before the end of the file a moment ago. Returns bytes read, fewer if the file was cut or an error came behind them; or -errno. */
int64_t mio_pf_reader_read(struct mio_pf_reader *reader, void *memory, int64_t offset, int64_t length);

#endif

#ifndef MIO_PF_PLACES_H
#define MIO_PF_PLACES_H

#include <stdatomic.h>
#include <stdint.h>

struct mio_pf_page;
struct mio_pf_reader;

/* Number of places in the file that are remembered for an open: a program may read at several in turns. */
enum { MIO_PF_PLACES = 8 };

/* A place where the program reads. The page is a guess: its frame may hold another page by now, which is checked each time. */
struct mio_pf_place {
	_Atomic(struct mio_pf_page *) page;
	_Atomic int64_t offset, length;	/* of the last read there, bytes */
	_Atomic int64_t used_at;	/* larger is later */
};

/* The place where a read goes on, or else the one that was used longest ago. */
struct mio_pf_place *mio_pf_places_find(struct mio_pf_reader *reader, int64_t offset, int64_t length);
/* Makes this the place that was used last. */
void mio_pf_places_use(struct mio_pf_reader *reader, struct mio_pf_place *place);
/* Notes the last read at the place. */
void mio_pf_place_read(struct mio_pf_place *place, int64_t offset, int64_t length);

#endif

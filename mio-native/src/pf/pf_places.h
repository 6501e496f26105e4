#ifndef MIO_PF_PLACES_H
#define MIO_PF_PLACES_H

#include <stdatomic.h>
#include <stdint.h>

struct mio_pf_page;
struct mio_pf_reader;

/* Places in the file at which the program may read in turns. */
enum { MIO_PF_PLACES = 8 };

/* A place where the program reads: the page, which is a guess and always looked at, and the last read there. */
struct mio_pf_place {
	_Atomic(struct mio_pf_page *) page;
	_Atomic int64_t offset, length;
	_Atomic int64_t used_at;	/* larger is later */
};

/* The place where a read goes on, else the one that was used longest ago. */
struct mio_pf_place *mio_pf_places_find(struct mio_pf_reader *reader, int64_t offset, int64_t length);
/* It is the one that was used last. */
void mio_pf_places_use(struct mio_pf_reader *reader, struct mio_pf_place *place);
/* The last read there. */
void mio_pf_place_read(struct mio_pf_place *place, int64_t offset, int64_t length);

#endif

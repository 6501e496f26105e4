#ifndef MIO_PF_RESERVATION_H
#define MIO_PF_RESERVATION_H

/*
 * What space was set aside for in a file: the stretch that is written just now, and the sectors of those before. Pure but for its lock, which is held from
 * the look to the note by whoever asks the file system for more. Twin of Reservation.
 */

#include <stdint.h>

#include "../common/lock.h"
#include "pf_reserved.h"

/* Ready when all zero. */
struct mio_pf_reservation {
	struct mio_lock lock;
	int64_t sector_bytes;	/* 0: the file has no pages */
	int64_t from, to;	/* bytes */
	struct mio_pf_reserved before;	/* of other stretches */
	int small_cuts;		/* of the file, in a row */
	int64_t cut_at;		/* its size after the last one */
	uint32_t limits;	/* changes of the process's limit when it began */
};

/* With the lock: whether space was set aside for these bytes; bytes right before this place for which it was; that it was. */
int mio_pf_reservation_has(struct mio_pf_reservation *reservation, int64_t from, int64_t to);
int64_t mio_pf_reservation_before(const struct mio_pf_reservation *reservation, int64_t from);
void mio_pf_reservation_add(struct mio_pf_reservation *reservation, int64_t from, int64_t to);
/*
 * With the lock: whether space is to be set aside for bytes up to this place. Not right behind a cut where the file is cut time and again: giving back
 * what was set aside takes a file system longer than the cut and the writes do.
 */
int mio_pf_reservation_is_worth(const struct mio_pf_reservation *reservation, int64_t to);
/* The file, known to have had so many bytes, was cut: what lay behind its new end is free. */
void mio_pf_reservation_cut(struct mio_pf_reservation *reservation, int64_t known, int64_t size);
/* What was set aside may have been given back. */
void mio_pf_reservation_gone(struct mio_pf_reservation *reservation);
/* The process has another limit for the sizes of files, which is looked at when space is set aside: that begins anew, for all files. */
void mio_pf_reservations_limited(void);
/* The file gets pages, of such sectors, and nothing is known of it; it has none any more. Nobody else uses it meanwhile, but for gone. */
void mio_pf_reservation_begin(struct mio_pf_reservation *reservation, int64_t sector_bytes);
void mio_pf_reservation_end(struct mio_pf_reservation *reservation);

#endif

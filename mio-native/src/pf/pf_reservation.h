#ifndef MIO_PF_RESERVATION_H
#define MIO_PF_RESERVATION_H

/*
 * Remembers for which bytes of a file space was set aside: the stretch that is being written, and the sectors of earlier stretches. Pure except for its lock,
 * which a caller that asks the file system for more holds from mio_pf_reservation_has to mio_pf_reservation_add. Twin of Reservation.
 */

#include <stdint.h>

#include "../common/lock.h"
#include "pf_reserved.h"

/* Ready when all zero. */
struct mio_pf_reservation {
	struct mio_lock lock;
	int64_t sector_bytes;	/* 0: the file has no pages */
	int64_t from, to;	/* the stretch that is being written, bytes */
	struct mio_pf_reserved before;	/* sectors of other stretches */
	int small_cuts;		/* how often in a row the file was cut by little */
	int64_t cut_at;		/* size of the file after its last cut */
	uint32_t limits;	/* changes of the process's limit on file sizes, up to those that are taken into account here */
};

/*
 * All three with the lock. has: 1 if space was set aside for these bytes. before: how many bytes of the stretch that is being written lie right before `from`.
 * add: notes that space was set aside for these bytes.
 */
int mio_pf_reservation_has(struct mio_pf_reservation *reservation, int64_t from, int64_t to);
int64_t mio_pf_reservation_before(const struct mio_pf_reservation *reservation, int64_t from);
void mio_pf_reservation_add(struct mio_pf_reservation *reservation, int64_t from, int64_t to);
/*
 * With the lock: 1 if space is to be set aside for bytes up to this offset. 0 right behind the last cut of a file that is cut time and again: giving back what
 * was set aside takes a file system longer than the cut and the writes do.
 */
int mio_pf_reservation_is_worth(const struct mio_pf_reservation *reservation, int64_t to);
/* The file, which had `known` bytes, was cut to `size`: no space is set aside behind its new end any more. */
void mio_pf_reservation_cut(struct mio_pf_reservation *reservation, int64_t known, int64_t size);
/* The space that was set aside may have been given back: all of it is forgotten. */
void mio_pf_reservation_gone(struct mio_pf_reservation *reservation);
/* The process has a new limit on file sizes. As the limit is checked when space is set aside, all reservations of all files are forgotten. */
void mio_pf_reservations_limited(void);
/* begin: the file gets pages with such sectors, and nothing is set aside yet. end: it has none any more. No other function but gone may run meanwhile. */
void mio_pf_reservation_begin(struct mio_pf_reservation *reservation, int64_t sector_bytes);
void mio_pf_reservation_end(struct mio_pf_reservation *reservation);

#endif

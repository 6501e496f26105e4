#include "pf_reservation.h"

#include <stdatomic.h>

/* A cut by less than this is a small one, as of a journal, or of a log that begins anew. */
#define SMALL_BYTES (1 << 20)

/* After so many small cuts in a row, more are expected. */
#define CUTS 4

static _Atomic uint32_t limits;

static int64_t least(int64_t one, int64_t other)
{
	return one < other ? one : other;
}

static int follows(const struct mio_pf_reservation *reservation, int64_t from)
{
	return from >= reservation->from && from <= reservation->to;
}

static void forget(struct mio_pf_reservation *reservation)
{
	reservation->from = 0;
	reservation->to = 0;
	mio_pf_reserved_clear(&reservation->before);
}

void mio_pf_reservations_limited(void)
{
	atomic_fetch_add(&limits, 1);
}

int mio_pf_reservation_has(struct mio_pf_reservation *reservation, int64_t from, int64_t to)
{
	int64_t sector = reservation->sector_bytes;
	uint32_t now = atomic_load_explicit(&limits, memory_order_relaxed);

	if (reservation->limits != now) {
		forget(reservation);
		reservation->limits = now;
	}
	return (from >= reservation->from && to <= reservation->to) ||
	       (sector && mio_pf_reserved_has(&reservation->before, from / sector, (to + sector - 1) / sector));
}

int64_t mio_pf_reservation_before(const struct mio_pf_reservation *reservation, int64_t from)
{
	return follows(reservation, from) ? from - reservation->from : 0;
}

void mio_pf_reservation_add(struct mio_pf_reservation *reservation, int64_t from, int64_t to)
{
	int64_t sector = reservation->sector_bytes;

	if (!follows(reservation, from)) {
		/* Rounded down: a cut may have left a part of the last sector. */
		if (sector)
			mio_pf_reserved_add(&reservation->before, reservation->from / sector, reservation->to / sector);
		reservation->from = from;
		reservation->to = to;
	} else if (to > reservation->to) {
		reservation->to = to;
	}
}

int mio_pf_reservation_is_worth(const struct mio_pf_reservation *reservation, int64_t to)
{
	return reservation->small_cuts < CUTS || to <= reservation->cut_at || to - reservation->cut_at > SMALL_BYTES;
}

void mio_pf_reservation_cut(struct mio_pf_reservation *reservation, int64_t known, int64_t size)
{
	mio_lock_acquire(&reservation->lock);
	reservation->to = least(reservation->to, size);
	if (reservation->sector_bytes)
		mio_pf_reserved_cut(&reservation->before, size / reservation->sector_bytes);
	if (size < known) {
		reservation->small_cuts = known - size < SMALL_BYTES ? (int)least(reservation->small_cuts + 1, CUTS) : 0;
		reservation->cut_at = size;
	}
	mio_lock_release(&reservation->lock);
}

void mio_pf_reservation_gone(struct mio_pf_reservation *reservation)
{
	mio_lock_acquire(&reservation->lock);
	forget(reservation);
	mio_lock_release(&reservation->lock);
}

void mio_pf_reservation_begin(struct mio_pf_reservation *reservation, int64_t sector_bytes)
{
	mio_pf_reservation_gone(reservation);
	mio_lock_acquire(&reservation->lock);
	reservation->sector_bytes = sector_bytes;
	reservation->small_cuts = 0;
	mio_lock_release(&reservation->lock);
}

void mio_pf_reservation_end(struct mio_pf_reservation *reservation)
{
	mio_pf_reservation_begin(reservation, 0);
}

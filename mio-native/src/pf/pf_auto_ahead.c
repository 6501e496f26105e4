/* Gives hints to the kernel, and has long ranges read ahead in large folios where the kernel keeps the file in these. */
#include "pf_auto_layer.h"

#include <errno.h>

#include "../os/os_folios.h"
#include "../os/os_kernel_cache.h"
#include "../os/os_layer.h"
#include "../os/os_room.h"

/* At most so many opens of the process read ahead in large folios; each needs two descriptors for that. */
#define OPENS_MAX 32

/*
 * No range is longer than this or, if that is more, than the kernel reads ahead by itself, bytes: what is farther away may have left the cache by the time it
 * is wanted.
 */
#define MOST MIO_PF_HINT_WINDOW_MAX

/* The room (memory that could keep what is read ahead) is asked for after ROOM_FIRST bytes of hints backward or in steps, then after each ROOM_NEXT more. */
#define ROOM_FIRST ((int64_t)1 << 20)
#define ROOM_NEXT ((int64_t)256 << 20)

static _Atomic int opens;
/* Number of forks before this process: opens of its parent do not count in opens. */
static int forks;

static void open_folios(struct mio_pf_auto *automatic, int fd)
{
	struct mio_os_wish wish = {.folios = 1};

	if (!mio_os_folios_are_large(fd, automatic->hints.kernel_bytes))
		return;
	if (atomic_fetch_add(&opens, 1) >= OPENS_MAX || mio_os_own_open(fd, automatic->oflags, NULL, &wish, NULL, NULL, &automatic->folios) != 0) {
		automatic->folios = NULL;
		atomic_fetch_sub(&opens, 1);
		return;
	}
	automatic->forks = forks;
	mio_pf_auto_log_folios(&automatic->log);
}

static struct mio_os_own *folios_of(struct mio_pf_auto *automatic, int fd)
{
	if (automatic->blind)
		return NULL;
	if (!automatic->asked_folios) {
		automatic->asked_folios = 1;
		open_folios(automatic, fd);
	}
	return automatic->folios;
}

void mio_pf_auto_end_folios(struct mio_pf_auto *automatic)
{
	automatic->asked_folios = 1;
	if (!automatic->folios)
		return;
	mio_os_own_end(automatic->folios);
	if (automatic->forks == forks)
		atomic_fetch_sub(&opens, 1);
}

void mio_pf_auto_forked(void)
{
	forks++;
	atomic_store(&opens, 0);
}

static int read_ahead(struct mio_pf_auto *automatic, int fd, int64_t offset, int64_t length)
{
	struct mio_os_own *folios = length >= MIO_OS_FOLIOS_LEAST ? folios_of(automatic, fd) : NULL;
	int64_t reach = automatic->hints.kernel_bytes;
	int64_t bytes = mio_pf_min(length, mio_pf_max(MOST, reach));
	int64_t longest = mio_os_kernel_cache_longest(automatic->device);
	int rc = folios ? mio_os_own_read_ahead(folios, offset, bytes, reach, longest) : -EBUSY;

	return rc == -EBUSY || rc == -EBADF ? mio_os_kernel_cache_read_ahead(fd, offset, bytes, longest) : rc;
}

/* Asks for the room if it is time. Forward streams do not need that, as measurements show whether hints are of use to them. */
static void look_at_room(struct mio_pf_auto *automatic, const struct mio_pf_hint *hint)
{
	if (!hint->stream || hint->stream->kind == MIO_PF_FORWARD)
		return;
	automatic->told_bytes += hint->count * hint->bytes;
	if (automatic->told_bytes < ROOM_FIRST || automatic->told_bytes < automatic->room_due)
		return;
	automatic->room_due = automatic->told_bytes + ROOM_NEXT;
	mio_pf_hints_room(&automatic->hints, mio_os_room());
}

int mio_pf_auto_read_ahead(struct mio_pf_auto *automatic, int fd, const struct mio_pf_hint *hint)
{
	int rc = 0;

	look_at_room(automatic, hint);
	/* Pieces are of use only with single pages, where the first are copied while others arrive: in large folios one range covers the whole request. */
	if (mio_pf_hint_is_of_pieces(hint) && folios_of(automatic, fd))
		return read_ahead(automatic, fd, hint->from, hint->whole);
	for (int i = 0; i < hint->count && rc == 0; i++)
		rc = read_ahead(automatic, fd, hint->from + i * hint->step, hint->bytes);
	return rc;
}

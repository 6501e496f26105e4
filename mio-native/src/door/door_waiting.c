/*
 * Opens that are not looked at yet. What pf/auto gives a file depends on its size, and to ask for that costs a small file in memory a twentieth
 * and more of what open, read and close cost. So an open that only reads, under pf/auto alone, waits: until the program has read
 * BYTES by it, asks for the file's attributes itself, or does anything else with it. A small file is closed before, and nobody has looked.
 *
 * The table leads to mio_door_waiting meanwhile. All calls but read, fstat and close decide first (mio_door_lock, mio_door_use), those three see the open
 * as it is. Reads that go by are counted while they run. It is decided when they have ended; where one does not, it moves the kernel's position at a
 * time that nobody knows, so that such an open never comes to pages.
 */
#include <string.h>

#include "../common/raw.h"
#include "../pf/pf_layer.h"
#include "door_table.h"

#define PLACES 64
#define NAME_BYTES 240
/* After so many bytes by read, and for a read of more than that, it is decided. */
#define BYTES (64 << 10)
#define READ_BYTES_MAX ((size_t)256 << 10)
/* What an open that waits may have been made with. */
#define OFLAGS (O_CLOEXEC | O_NOCTTY | O_NOFOLLOW | O_NOATIME | O_LARGEFILE)

struct place {
	_Atomic uint32_t owner;	/* fd + 1; 0: free; TAKEN: being filled, or decided */
	_Atomic int64_t reads;	/* bytes that were read by it, and READING for each read that goes by now, or that its thread was torn out of */
	const struct mio_stack_spec *spec;
	int oflags;
	uint64_t shares;
	char name[NAME_BYTES];
};

#define TAKEN UINT32_MAX
#define READING ((int64_t)1 << 32)

/* Never used: only its address counts. */
struct mio_file mio_door_waiting;

void (*mio_door_when_decided)(void);

static struct place places[PLACES];
static struct mio_lock deciding;

static struct place *place_of(int fd)
{
	return &places[(uint32_t)fd % PLACES];
}

static int waits(int fd)
{
	return (uint32_t)fd < mio_door_table_size && atomic_load(&mio_door_table[fd]) == &mio_door_waiting;
}

int mio_door_may_wait(const struct mio_stack_spec *spec, int oflags)
{
	return spec && (oflags & ~OFLAGS) == O_RDONLY && mio_stacks_leaves_small(spec);
}

int mio_door_wait(const struct mio_door_opening *opening, int fd)
{
	size_t length = strlen(opening->name);
	struct place *place = place_of(fd);
	uint32_t nobody = 0;

	if (length >= NAME_BYTES || fd <= MIO_DOOR_STANDARD_MAX || (uint32_t)fd >= mio_door_table_size ||
	    mio_pf_file_any() || !atomic_compare_exchange_strong(&place->owner, &nobody, TAKEN))
		return 0;
	place->spec = opening->spec;
	place->oflags = opening->oflags;
	place->shares = opening->shares;
	memcpy(place->name, opening->name, length + 1);
	atomic_store_explicit(&place->reads, 0, memory_order_relaxed);
	atomic_store(&place->owner, (uint32_t)fd + 1);
	mio_door_table_lead(fd, &mio_door_waiting);
	return 1;
}

int mio_door_waited_read_begin(int fd, size_t length)
{
	struct place *place = place_of(fd);

	if (length > READ_BYTES_MAX || atomic_load_explicit(&place->reads, memory_order_relaxed) % READING >= BYTES)
		return 0;
	atomic_fetch_add(&place->reads, READING);
	/* Whoever decides has taken the place before it looks at the count. */
	if (atomic_load(&place->owner) == (uint32_t)fd + 1)
		return 1;
	atomic_fetch_sub(&place->reads, READING);
	return 0;
}

void mio_door_waited_read_end(int fd, int64_t result)
{
	atomic_fetch_add(&place_of(fd)->reads, (result > 0 ? result : 0) - READING);
}

/* 1 if reads that went by are still running: other threads' end soon, those that this thread interrupts or that nobody ends never. */
static int is_read(struct place *place)
{
	enum { TIMES = 1000 };
	int64_t reading = 1;

	for (int i = 0; i < TIMES && reading != 0; i++) {
		reading = atomic_load(&place->reads) & ~(READING - 1);
		if (reading != 0)
			mio_raw0(SYS_sched_yield);
	}
	return reading != 0;
}

/* Nobody else decides it, and it may be closed at any time. found: its attributes, or NULL. */
static void decide_held(int fd, const struct stat *found)
{
	struct place *place = place_of(fd);
	struct mio_file *waiting = &mio_door_waiting;
	uint32_t owner = (uint32_t)fd + 1;

	if (!waits(fd))
		return;
	if (atomic_compare_exchange_strong(&place->owner, &owner, TAKEN)) {
		struct mio_door_opening opening = {
			.name = place->name,
			.spec = place->spec,
			.oflags = place->oflags,
			.shares = place->shares,
			.is_late = 1,
			.stays = is_read(place),
		};

		if (mio_door_is_open())
			mio_door_look(&opening, fd, found);
		atomic_store(&place->owner, 0);
	}
	/* The kernel's alone, if it has no layers now. */
	atomic_compare_exchange_strong(&mio_door_table[fd], &waiting, NULL);
}

static void decide(int fd, const struct stat *found)
{
	struct mio_file *file;

	if (!mio_door_goes_in())
		return;
	mio_lock_acquire(&deciding);
	decide_held(fd, found);
	mio_lock_release(&deciding);
	mio_door_left();
	file = mio_door_file(fd);
	if (file && file != &mio_door_waiting && mio_door_when_decided)
		mio_door_when_decided();
}

struct mio_file *mio_door_decide(int fd)
{
	struct mio_file *file;

	if (waits(fd))
		decide(fd, NULL);
	file = mio_door_file(fd);
	return file == &mio_door_waiting ? NULL : file;
}

void mio_door_told(int fd, const struct stat *found)
{
	if (waits(fd))
		decide(fd, found);
}

int mio_door_waiting_ends(int fd)
{
	struct mio_file *waiting = &mio_door_waiting;
	uint32_t owner = (uint32_t)fd + 1;

	if (!waits(fd) || !atomic_compare_exchange_strong(&mio_door_table[fd], &waiting, NULL))
		return 0;
	/* Or it is being decided, and its layers find nobody who leads to them. */
	atomic_compare_exchange_strong(&place_of(fd)->owner, &owner, 0);
	return 1;
}

void mio_door_waiting_forked(void)
{
	memset(places, 0, sizeof(places));
	memset(&deciding, 0, sizeof(deciding));
}

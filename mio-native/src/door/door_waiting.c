/*
 * Opens that are not looked at yet. What pf/auto gives a file depends on its size, and asking for the size of a small file in memory costs a
 * twentieth and more of what open, read and close cost. So an open that only reads, under pf/auto alone, waits: until the program has read BYTES
 * by it, asks for the file's attributes itself, or does anything else with it. A small file is closed before that, without ever being looked at.
 *
 * Meanwhile the table leads to mio_door_waiting. All calls but read, fstat and close decide the open first (mio_door_lock, mio_door_use); these
 * three handle a waiting open as it is. Reads that pass by are counted while they run, and layers come when these have ended. A read that does
 * not end moves the kernel's position at an unknown time, and then the open never gets pages.
 */
#include <string.h>

#include "../common/clock.h"
#include "../common/raw.h"
#include "../pf/pf_layer.h"
#include "door_table.h"

#define PLACES 64
#define NAME_BYTES 240
/* An open is decided after this many bytes by read, and before a single read of more than READ_BYTES_MAX. */
#define BYTES (64 << 10)
#define READ_BYTES_MAX ((size_t)256 << 10)
/* How long a decision waits for reads that pass by, once per open. */
#define LONGEST_NS ((int64_t)20 * 1000 * 1000)
/* An open that waits has no flags but these. */
#define OFLAGS (O_CLOEXEC | O_NOCTTY | O_NOFOLLOW | O_NOATIME | O_LARGEFILE)

struct place {
	_Atomic uint32_t owner;	/* fd + 1; 0: free; TAKEN: being filled, or decided */
	/*
	 * Three counts in one word. Below READING: bytes read by the open. From READING on: reads that pass by now, and those that never end
	 * because their thread left them (a jump, cancellation). From LIFE on: opens that have waited here, so that a read which ends after its
	 * open was closed knows that this is another one.
	 */
	_Atomic uint64_t reads;
	struct mio_lock deciding;
	const struct mio_stack_spec *spec;
	int oflags;
	uint64_t shares;
	char name[NAME_BYTES];
};

#define TAKEN UINT32_MAX
#define READING ((uint64_t)1 << 32)
#define LIFE ((uint64_t)1 << 48)

/* Never used as a file: only its address counts. */
struct mio_file mio_door_waiting;

void (*mio_door_when_decided)(void);

static struct place places[PLACES];
/* Places that have ever been taken are below this; a forked child clears only them, and so copies the memory of no others. */
static _Atomic uint32_t used;

static struct place *place_of(int fd)
{
	return &places[(uint32_t)fd % PLACES];
}

static uint64_t life_of(uint64_t reads)
{
	return reads / LIFE;
}

static int waits(int fd)
{
	return (uint32_t)fd < mio_door_table_size && atomic_load(&mio_door_table[fd]) == &mio_door_waiting;
}

int mio_door_may_wait(const struct mio_stack_spec *spec, int oflags)
{
	return spec && (oflags & ~OFLAGS) == O_RDONLY && mio_stacks_leaves_small(spec);
}

int mio_door_only_reads(int fd)
{
	long oflags = mio_raw2(SYS_fcntl, fd, F_GETFL);

	return oflags >= 0 && (oflags & (O_ACCMODE | O_PATH | MIO_DOOR_NO_CACHE_FLAGS)) == O_RDONLY;
}

int mio_door_wait(const struct mio_door_opening *opening, int fd)
{
	size_t length = strlen(opening->name);
	struct place *place = place_of(fd);
	uint32_t needed = (uint32_t)(place - places) + 1;
	uint32_t now = atomic_load(&used);
	uint32_t nobody = 0;

	while (now < needed && !atomic_compare_exchange_weak(&used, &now, needed))
		;
	if (length >= NAME_BYTES || fd <= MIO_DOOR_STANDARD_MAX || (uint32_t)fd >= mio_door_table_size ||
	    mio_pf_file_any() || !atomic_compare_exchange_strong(&place->owner, &nobody, TAKEN))
		return 0;
	place->spec = opening->spec;
	place->oflags = opening->oflags;
	place->shares = opening->shares;
	memcpy(place->name, opening->name, length + 1);
	atomic_store(&place->reads, (life_of(atomic_load(&place->reads)) + 1) * LIFE);
	atomic_store(&place->owner, (uint32_t)fd + 1);
	mio_door_table_lead(fd, &mio_door_waiting);
	return 1;
}

/*
 * A read begins: returns what place->reads was. The only thread needs no locked instruction; a signal handler of its own that uses the place in
 * between leaves counts that this store replaces by those of a place without the handler's reads.
 */
static uint64_t count_begin(struct place *place)
{
	uint64_t before;

	if (mio_door_has_threads())
		return atomic_fetch_add(&place->reads, READING);
	before = atomic_load_explicit(&place->reads, memory_order_relaxed);
	atomic_store_explicit(&place->reads, before + READING, memory_order_relaxed);
	atomic_signal_fence(memory_order_seq_cst);
	return before;
}

/* A read of the open of that life has ended. */
static void count_end(struct place *place, uint64_t life, uint64_t bytes)
{
	uint64_t reads = atomic_load(&place->reads);

	if (!mio_door_has_threads() && life_of(reads) == life) {
		atomic_store_explicit(&place->reads, reads + bytes - READING, memory_order_relaxed);
		return;
	}
	while (life_of(reads) == life && !atomic_compare_exchange_weak(&place->reads, &reads, reads + bytes - READING))
		;
}

uint64_t mio_door_waited_read_begin(int fd, size_t length)
{
	struct place *place = place_of(fd);
	uint64_t before = atomic_load_explicit(&place->reads, memory_order_relaxed);

	if (length > READ_BYTES_MAX || before % READING >= BYTES)
		return 0;
	before = count_begin(place);
	/* A thread that decides takes the place before it looks at the count. */
	if (atomic_load(&place->owner) == (uint32_t)fd + 1 && life_of(atomic_load(&place->reads)) == life_of(before))
		return life_of(before) + 1;
	count_end(place, life_of(before), 0);
	return 0;
}

void mio_door_waited_read_end(int fd, uint64_t life, int64_t result)
{
	count_end(place_of(fd), life - 1, result > 0 ? (uint64_t)result : 0);
}

int mio_door_waited_is_read(int fd)
{
	struct place *place = place_of(fd);
	int64_t begin = 0;
	int64_t now = 0;

	/* Reads of other threads end soon; those that this thread interrupted, or that nobody ends, never do. */
	while (atomic_load(&place->reads) % LIFE >= READING && now - begin < LONGEST_NS) {
		mio_raw0(SYS_sched_yield);
		now = mio_clock_ns();
		begin = begin ? begin : now;
	}
	return atomic_load(&place->reads) % LIFE >= READING;
}

/* The caller holds deciding, so no other thread decides fd; but it may be closed at any time. found: its attributes, or NULL. */
static void decide_held(int fd, const struct stat *found)
{
	struct place *place = place_of(fd);
	struct mio_file *waiting = &mio_door_waiting;
	uint32_t owner = (uint32_t)fd + 1;

	if (!waits(fd) || !atomic_compare_exchange_strong(&place->owner, &owner, TAKEN))
		return;
	if (mio_door_is_open()) {
		struct mio_door_opening opening = {
			.name = place->name,
			.spec = place->spec,
			.oflags = place->oflags,
			.shares = place->shares,
			.is_late = 1,
		};

		mio_door_look(&opening, fd, found);
	}
	/* If the open has no layers now, it is the kernel's alone. While the place is taken no other open waits by this number. */
	atomic_compare_exchange_strong(&mio_door_table[fd], &waiting, NULL);
	atomic_store(&place->owner, 0);
}

/* life: that of the open whose attributes were asked for; the number may be another open by now. */
static void decide(int fd, uint64_t life, const struct stat *found)
{
	struct place *place = place_of(fd);

	if (!mio_door_goes_in())
		return;
	mio_lock_acquire(&place->deciding);
	decide_held(fd, found && life_of(atomic_load(&place->reads)) == life ? found : NULL);
	mio_lock_release(&place->deciding);
	mio_door_left();
	if (mio_door_layered(fd) && mio_door_when_decided)
		mio_door_when_decided();
}

struct mio_file *mio_door_decide(int fd)
{
	if (waits(fd))
		decide(fd, 0, NULL);
	return mio_door_layered(fd);
}

uint64_t mio_door_waiting_life(int fd)
{
	return life_of(atomic_load(&place_of(fd)->reads));
}

void mio_door_told(int fd, uint64_t life, const struct stat *found)
{
	if (waits(fd))
		decide(fd, life, found);
}

int mio_door_waiting_ends(int fd)
{
	struct mio_file *waiting = &mio_door_waiting;
	uint32_t owner = (uint32_t)fd + 1;

	if (!waits(fd) || !atomic_compare_exchange_strong(&mio_door_table[fd], &waiting, NULL))
		return 0;
	/* If this fails, the open is being decided: its new layers then find that the number no longer waits for them, and are closed. */
	atomic_compare_exchange_strong(&place_of(fd)->owner, &owner, 0);
	return 1;
}

void mio_door_waiting_forked(void)
{
	memset(places, 0, atomic_exchange(&used, 0) * sizeof(*places));
}

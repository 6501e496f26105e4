#include "trace_state.h"

#include <string.h>
#include <sys/mman.h>

#include "../common/clock.h"
#include "../common/memory.h"
#include "../common/raw.h"

/* How long to wait for the owner of a lane, nanoseconds. An owner needs its lane only for a few stores. */
#define OWNER_NS_MAX 20000000
/* After this time a lane reads both clocks side by side again, because ticks drift. */
#define ANCHOR_NS ((int64_t)1000000000)
/* Without space, it is asked for again after this many dropped events. */
#define DROPPED_BETWEEN 1024

static _Thread_local uint32_t thread_number __attribute__((tls_model("initial-exec")));

static uint32_t thread(void)
{
	if (!thread_number)
		thread_number = (uint32_t)mio_raw0(SYS_gettid);
	return thread_number;
}

static void *map_private(void *place, size_t bytes)
{
	long memory = mio_raw6(SYS_mmap, (long)place, (long)bytes, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (place ? MAP_FIXED : 0), -1, 0);

	return memory < 0 && memory > -4096 ? NULL : (void *)memory;
}

/* Memory directly from the kernel: a child that was forked in the middle of an allocation needs a state, too. */
static struct mio_trace_state *make_state(void)
{
	struct mio_trace_state *state = map_private(NULL, sizeof(*state));

	if (state)
		state->chunk_next = MIO_TRACE_CHUNK_FIRST;
	return state;
}

int mio_trace_writer_make(const struct mio_trace_facts *facts, struct mio_trace_writer **made)
{
	struct mio_trace_writer *writer = mio_memory_take(sizeof(*writer));
	struct mio_trace_state *state;
	int rc;

	if (!writer)
		return -ENOMEM;
	writer->facts = *facts;
	state = make_state();
	atomic_init(&writer->state, state);
	rc = state ? mio_trace_file_open(facts, &writer->place) : -ENOMEM;
	if (rc < 0) {
		if (state)
			mio_raw2(SYS_munmap, state, sizeof(*state));
		mio_memory_give(writer, sizeof(*writer));
		return rc;
	}
	writer->header = writer->place.header;
	writer->facts.host = NULL;
	*made = writer;
	return 0;
}

int64_t mio_trace_writer_ns(const struct mio_trace_writer *writer, int64_t clock_ns)
{
	return clock_ns - writer->header->monotonic_ns;
}

/* ---- events */

void mio_trace_drop(struct mio_trace_writer *writer, int64_t ns)
{
	int64_t none = 0;

	atomic_fetch_add_explicit(&writer->header->dropped, 1, memory_order_relaxed);
	atomic_compare_exchange_strong(&writer->lost_first_ns, &none, ns);
	atomic_store_explicit(&writer->lost_last_ns, ns, memory_order_relaxed);
	atomic_fetch_add(&writer->lost, 1);
}

/* Records in the new block of the lane how many events were lost before it. The caller owns the lane. */
static void tell_lost(struct mio_trace_writer *writer, struct mio_trace_lane *lane)
{
	union mio_trace_record record = {.dropped = {.type = MIO_TRACE_RECORD_DROPPED}};
	uint64_t lost = atomic_exchange(&writer->lost, 0);

	if (lost == 0)
		return;
	record.dropped.first_ns = atomic_exchange(&writer->lost_first_ns, 0);
	record.dropped.duration_ns = atomic_load(&writer->lost_last_ns) - record.dropped.first_ns;
	if (record.dropped.duration_ns < 0)
		record.dropped.duration_ns = 0;
	record.dropped.count = (int64_t)lost;
	mio_trace_put_record(lane->block, lane->used++, &record);
}

/* Gives a new block to a lane that the caller owns. 0: there is none. */
static int turn(struct mio_trace_writer *writer, struct mio_trace_state *state, struct mio_trace_lane *lane, int64_t ns)
{
	struct mio_trace_block *full = lane->block;

	lane->block = NULL;
	mio_trace_in_order();
	if (full)
		mio_trace_file_unmap(full, sizeof(*full));
	if (atomic_load_explicit(&writer->lost, memory_order_relaxed) % DROPPED_BETWEEN != 0)
		return 0;
	mio_lock_acquire(&state->lock);
	if (!lane->number)
		lane->number = ++state->lanes_used;
	lane->used = 0;
	lane->block = mio_trace_block_begin(writer, state, MIO_TRACE_BLOCK_EVENTS, lane->number, ns);
	mio_trace_block_arrived(state);
	mio_lock_release(&state->lock);
	if (!lane->block)
		return 0;
	tell_lost(writer, lane);
	return 1;
}

static int try_own(struct mio_trace_lane *lane)
{
	uint32_t free = 0;

	return atomic_load_explicit(&lane->owned, memory_order_relaxed) == 0 &&
	       atomic_compare_exchange_strong_explicit(&lane->owned, &free, 1, memory_order_acquire,
						       memory_order_relaxed);
}

static unsigned int slot_of_thread(void)
{
	return (unsigned int)((uint64_t)(uintptr_t)&thread_number * 0x9e3779b97f4a7c15U >> 40) & (MIO_TRACE_LANES - 1);
}

/* A lane that the calling thread then owns; NULL if all lanes stay taken for OWNER_NS_MAX. */
static struct mio_trace_lane *own(struct mio_trace_state *state)
{
	unsigned int first = slot_of_thread();
	int64_t since = 0;

	for (unsigned int tries = 0;; tries++) {
		struct mio_trace_lane *lane = &state->lanes[(first + tries) & (MIO_TRACE_LANES - 1)];

		if (__builtin_expect(try_own(lane), 1))
			return lane;
		if ((tries & (MIO_TRACE_LANES - 1)) != MIO_TRACE_LANES - 1)
			continue;
		if (since == 0)
			since = mio_clock_ns();
		if (mio_clock_ns() - since > OWNER_NS_MAX)
			return NULL;
		mio_raw0(SYS_sched_yield);
	}
}

static void release(struct mio_trace_lane *lane)
{
	atomic_store_explicit(&lane->owned, 0, memory_order_release);
}

/* Records an event in a lane that the caller owns, and releases the lane. */
static void put_in(struct mio_trace_writer *writer, struct mio_trace_state *state, struct mio_trace_lane *lane,
		   const struct mio_trace_event *event)
{
	int64_t ns = event->start_ns + event->duration_ns;
	int has_room = (lane->block && lane->used < MIO_TRACE_BLOCK_RECORDS) || turn(writer, state, lane, ns);

	/* If the process was forked during the call, the parent records the call: nothing is lost. */
	if (!has_room && !atomic_load(&state->of_parent))
		mio_trace_drop(writer, ns);
	if (has_room)
		mio_trace_put_record(lane->block, lane->used++, (const union mio_trace_record *)(const void *)event);
	release(lane);
}

void mio_trace_writer_put(struct mio_trace_writer *writer, const struct mio_trace_event *event)
{
	struct mio_trace_state *state = mio_trace_state_of(writer);
	struct mio_trace_lane *lane = own(state);

	if (lane)
		put_in(writer, state, lane, event);
	else
		mio_trace_drop(writer, event->start_ns + event->duration_ns);
}

static int64_t ns_of_ticks(struct mio_trace_lane *lane, uint64_t ticks)
{
	uint64_t known = atomic_load_explicit(&mio_clock_state.rate, memory_order_relaxed);
	uint64_t rate = known ? known : mio_clock_rate_measure();
	int64_t ns = (int64_t)((__int128)(int64_t)(ticks - lane->anchor_ticks) * (__int128)rate >> 32);

	if (__builtin_expect(lane->anchor_ns != 0 && ns < ANCHOR_NS, 1))
		return lane->anchor_ns + ns;
	lane->anchor_ns = mio_clock_ns();
	lane->anchor_ticks = mio_clock_ticks();
	return lane->anchor_ns + (int64_t)((__int128)(int64_t)(ticks - lane->anchor_ticks) * (__int128)rate >> 32);
}

void mio_trace_writer_put_ticks(struct mio_trace_writer *writer, struct mio_trace_event *event, uint64_t began)
{
	struct mio_trace_state *state = mio_trace_state_of(writer);
	struct mio_trace_lane *lane = own(state);

	event->thread = thread();
	if (!lane) {
		mio_trace_drop(writer, mio_trace_writer_ns(writer, mio_clock_ns()));
		return;
	}
	event->start_ns = mio_trace_writer_ns(writer, ns_of_ticks(lane, began));
	put_in(writer, state, lane, event);
}

void mio_trace_writer_put_ns(struct mio_trace_writer *writer, struct mio_trace_event *event, int64_t began_ns)
{
	event->thread = thread();
	event->start_ns = mio_trace_writer_ns(writer, began_ns);
	mio_trace_writer_put(writer, event);
}

/* ---- the process */

void mio_trace_writer_end(struct mio_trace_writer *writer)
{
	struct mio_trace_state *state = mio_trace_state_of(writer);

	mio_lock_acquire(&state->lock);
	if (state->chunk_left > 0 && !state->of_parent) {
		size_t bytes = (size_t)state->chunk_left * sizeof(*state->chunk);
		uint64_t count = state->chunk_left;

		state->chunk_left = 0;
		mio_trace_in_order();
		mio_trace_file_unmap(state->chunk, bytes);
		if (!atomic_load(&state->of_parent))
			mio_trace_blocks_give_back(writer, state->chunk_first, count);
	}
	mio_lock_release(&state->lock);
}

/* In a forked child: puts private memory in the place of the parent's blocks, for calls that go on with the old state. */
static void leave(struct mio_trace_state *state)
{
	atomic_store(&state->of_parent, 1);
	for (int i = 0; i < MIO_TRACE_LANES; i++)
		if (state->lanes[i].block)
			map_private(state->lanes[i].block, sizeof(struct mio_trace_block));
	if (state->definitions)
		map_private(state->definitions, sizeof(struct mio_trace_block));
	if (state->begun)
		map_private(state->begun, sizeof(struct mio_trace_block));
	if (state->chunk_left > 0)
		map_private(state->chunk, (size_t)state->chunk_left * sizeof(struct mio_trace_block));
	memset(&state->lock, 0, sizeof(state->lock));
}

void mio_trace_writer_stay(struct mio_trace_writer *writer)
{
	mio_trace_file_stay(&writer->place);
}

void mio_trace_writer_forked(struct mio_trace_writer *writer)
{
	struct mio_trace_state *fresh = make_state();

	thread_number = 0;
	leave(mio_trace_state_of(writer));
	/* Without memory for a new state the events of the child are lost. */
	if (fresh)
		atomic_store(&writer->state, fresh);
	writer->lost = 0;
	writer->lost_first_ns = 0;
	writer->facts.parent = (uint32_t)mio_raw0(SYS_getppid);
	writer->facts.process = (uint32_t)mio_raw0(SYS_getpid);
	mio_trace_file_forked(&writer->facts, &writer->place);
}

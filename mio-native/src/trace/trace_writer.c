#include "trace_writer.h"

#include <signal.h>
#include <string.h>
#include <sys/mman.h>

#include "../common/clock.h"
#include "../common/lock.h"
#include "../common/memory.h"
#include "../common/raw.h"

enum { LANES = 16, CHUNK_FIRST = 2, CHUNK_MOST = 16 };

/* How long the owner of a lane, who needs it for some stores, is waited for. */
#define OWNER_NS_MAX 20000000
/* The clocks of a lane are set side by side anew after so long: ticks drift. */
#define ANCHOR_NS ((int64_t)1000000000)
/* Without space it is asked for again after so many events. */
#define DROPPED_BETWEEN 1024

struct lane {
	_Atomic uint32_t owned;
	uint32_t number;			/* from 1; 0 while it has had no block */
	struct mio_trace_block *block;
	uint32_t used;				/* records of it */
	uint64_t anchor_ticks;
	int64_t anchor_ns;
	char apart[24];
};

/* What a process writes with. A forked child begins a new one: a call that a signal handler interrupted to fork goes on in the old one. */
struct state {
	struct lane lanes[LANES];
	_Atomic uint32_t of_parent;
	/* Under the lock from here on. */
	struct mio_lock lock;
	struct mio_trace_block *definitions;
	uint32_t definitions_used;
	uint32_t lanes_used;
	int introduced;				/* the process is defined */
	struct mio_trace_block *chunk;		/* claimed and not begun */
	struct mio_trace_block *begun;		/* on its way from there to whom it is for */
	uint64_t chunk_first, chunk_left, chunk_next;
};

struct mio_trace_writer {
	struct mio_trace_facts facts;
	struct mio_trace_place place;
	struct mio_trace_header *header;
	struct state *_Atomic state;
	/* Events dropped since the last one that was not. */
	_Atomic uint64_t lost;
	_Atomic int64_t lost_first_ns, lost_last_ns;
};

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

/* Straight from the kernel: a child may need it while it is in the middle of taking memory. */
static struct state *make_state(void)
{
	struct state *state = map_private(NULL, sizeof(*state));

	if (state)
		state->chunk_next = CHUNK_FIRST;
	return state;
}

/* For signal handlers of this thread, what stands before is stored before what comes behind. */
static void in_order(void)
{
	atomic_signal_fence(memory_order_seq_cst);
}

static struct state *state_of(struct mio_trace_writer *writer)
{
	return atomic_load_explicit(&writer->state, memory_order_relaxed);
}

int mio_trace_writer_make(const struct mio_trace_facts *facts, struct mio_trace_writer **made)
{
	struct mio_trace_writer *writer = mio_memory_take(sizeof(*writer));
	struct state *state;
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

/* ---- blocks */

/* Up to count blocks, from *first. Returns how many; 0 at the limit. */
static uint64_t claim(struct mio_trace_writer *writer, uint64_t count, uint64_t *first)
{
	int64_t room = writer->header->limit_bytes - MIO_TRACE_HEADER_BYTES;
	uint64_t most = room <= 0 ? 0 : (uint64_t)room / MIO_TRACE_BLOCK_BYTES;
	uint64_t from = atomic_load(&writer->header->claimed);

	do {
		if (from >= most)
			return 0;
		if (count > most - from)
			count = most - from;
	} while (!atomic_compare_exchange_weak(&writer->header->claimed, &from, from + count));
	*first = from;
	return count;
}

/* Nobody has claimed behind them: then they are free again. */
static void give_back(struct mio_trace_writer *writer, uint64_t first, uint64_t count)
{
	uint64_t end = first + count;

	atomic_compare_exchange_strong(&writer->header->claimed, &end, first);
}

/* With the lock. */
static int grow(struct mio_trace_writer *writer, struct state *state)
{
	uint64_t all = ~(uint64_t)0, before = 0;
	uint64_t first = 0, count;
	int rc = -ENOSPC;

	/* The blocks are filled with zeros: a child that a signal handler forked in the middle would do that to blocks of its parent. */
	mio_raw4(SYS_rt_sigprocmask, SIG_SETMASK, &all, &before, sizeof(all));
	count = claim(writer, state->chunk_next, &first);
	if (count > 0)
		rc = mio_trace_file_blocks(&writer->facts, &writer->place, first, count, &state->chunk);
	if (count > 0 && rc < 0 && !state->of_parent)
		give_back(writer, first, count);
	mio_raw4(SYS_rt_sigprocmask, SIG_SETMASK, &before, NULL, sizeof(before));
	if (rc < 0) {
		/* Less of it may be there. */
		state->chunk_next = count > 1 ? count / 2 : 1;
		return 0;
	}
	state->chunk_first = first;
	state->chunk_left = count;
	if (state->chunk_next < CHUNK_MOST)
		state->chunk_next *= 2;
	return 1;
}

/*
 * A block that is begun, or NULL. With the lock. Who has put it where it belongs clears state->begun: at any moment a child finds all
 * blocks of its parent, and none that is not there any more.
 */
static struct mio_trace_block *begin_block(struct mio_trace_writer *writer, struct state *state, uint16_t kind,
					   uint32_t lane, int64_t ns)
{
	struct mio_trace_block *block;

	if (state->chunk_left == 0 && !grow(writer, state))
		return NULL;
	in_order();
	/* Blocks that were on their way here when the process forked are the parent's. */
	if (atomic_load(&state->of_parent))
		return NULL;
	block = state->chunk;
	if (mio_trace_file_populate(block, sizeof(*block)) < 0)
		return NULL;
	state->begun = block;
	in_order();
	state->chunk_left--;
	in_order();
	state->chunk++;
	state->chunk_first++;
	block->kind = kind;
	block->lane = (uint16_t)lane;
	block->process = writer->facts.process;
	block->began_ns = ns;
	atomic_store_explicit(&block->magic, MIO_TRACE_BLOCK_MAGIC, memory_order_release);
	return block;
}

static void arrived(struct state *state)
{
	in_order();
	state->begun = NULL;
}

/* The first eight bytes last: they say that the others are there. */
static void put_record(struct mio_trace_block *block, uint32_t at, const union mio_trace_record *record)
{
	uint64_t *words = block->records[at].words;

	for (int i = 7; i > 0; i--)
		words[i] = record->words[i];
	__atomic_store_n(words, record->words[0], __ATOMIC_RELEASE);
}

/* ---- events */

static void drop(struct mio_trace_writer *writer, int64_t ns)
{
	int64_t none = 0;

	atomic_fetch_add_explicit(&writer->header->dropped, 1, memory_order_relaxed);
	atomic_compare_exchange_strong(&writer->lost_first_ns, &none, ns);
	atomic_store_explicit(&writer->lost_last_ns, ns, memory_order_relaxed);
	atomic_fetch_add(&writer->lost, 1);
}

/* Says what was lost before this block. The lane is owned. */
static void tell_lost(struct mio_trace_writer *writer, struct lane *lane)
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
	put_record(lane->block, lane->used++, &record);
}

/* A fresh block for a lane that is owned. 0: none can be had. */
static int turn(struct mio_trace_writer *writer, struct state *state, struct lane *lane, int64_t ns)
{
	struct mio_trace_block *full = lane->block;

	lane->block = NULL;
	in_order();
	if (full)
		mio_trace_file_unmap(full, sizeof(*full));
	if (atomic_load_explicit(&writer->lost, memory_order_relaxed) % DROPPED_BETWEEN != 0)
		return 0;
	mio_lock_acquire(&state->lock);
	if (!lane->number)
		lane->number = ++state->lanes_used;
	lane->used = 0;
	lane->block = begin_block(writer, state, MIO_TRACE_BLOCK_EVENTS, lane->number, ns);
	arrived(state);
	mio_lock_release(&state->lock);
	if (!lane->block)
		return 0;
	tell_lost(writer, lane);
	return 1;
}

static int try_own(struct lane *lane)
{
	uint32_t free = 0;

	return atomic_load_explicit(&lane->owned, memory_order_relaxed) == 0 &&
	       atomic_compare_exchange_strong_explicit(&lane->owned, &free, 1, memory_order_acquire,
						       memory_order_relaxed);
}

static unsigned int slot_of_thread(void)
{
	return (unsigned int)((uint64_t)(uintptr_t)&thread_number * 0x9e3779b97f4a7c15U >> 40) & (LANES - 1);
}

/* A lane for the calling thread, or NULL if all owners are away for long. */
static struct lane *own(struct state *state)
{
	unsigned int first = slot_of_thread();
	int64_t since = 0;

	for (unsigned int tries = 0;; tries++) {
		struct lane *lane = &state->lanes[(first + tries) & (LANES - 1)];

		if (__builtin_expect(try_own(lane), 1))
			return lane;
		if ((tries & (LANES - 1)) != LANES - 1)
			continue;
		if (since == 0)
			since = mio_clock_ns();
		if (mio_clock_ns() - since > OWNER_NS_MAX)
			return NULL;
		mio_raw0(SYS_sched_yield);
	}
}

static void release(struct lane *lane)
{
	atomic_store_explicit(&lane->owned, 0, memory_order_release);
}

/* The lane is owned, and released here. */
static void put_in(struct mio_trace_writer *writer, struct state *state, struct lane *lane,
		   const struct mio_trace_event *event)
{
	int64_t ns = event->start_ns + event->duration_ns;
	int has_room = (lane->block && lane->used < MIO_TRACE_BLOCK_RECORDS) || turn(writer, state, lane, ns);

	/* A call that was forked in the middle is the parent's to record: nothing is lost. */
	if (!has_room && !atomic_load(&state->of_parent))
		drop(writer, ns);
	if (has_room)
		put_record(lane->block, lane->used++, (const union mio_trace_record *)(const void *)event);
	release(lane);
}

void mio_trace_writer_put(struct mio_trace_writer *writer, const struct mio_trace_event *event)
{
	struct state *state = state_of(writer);
	struct lane *lane = own(state);

	if (lane)
		put_in(writer, state, lane, event);
	else
		drop(writer, event->start_ns + event->duration_ns);
}

static int64_t ns_of_ticks(struct lane *lane, uint64_t ticks)
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
	struct state *state = state_of(writer);
	struct lane *lane = own(state);

	event->thread = thread();
	if (!lane) {
		drop(writer, mio_trace_writer_ns(writer, mio_clock_ns()));
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

/* ---- definitions */

/* Room for so many records that belong together. With the lock. */
static int make_room(struct mio_trace_writer *writer, struct state *state, uint32_t records, int64_t ns)
{
	struct mio_trace_block *full = state->definitions;
	struct mio_trace_block *fresh;

	if (state->definitions && state->definitions_used + records <= MIO_TRACE_BLOCK_RECORDS)
		return 1;
	fresh = begin_block(writer, state, MIO_TRACE_BLOCK_DEFINITIONS, 0, ns);
	if (!fresh)
		return 0;
	state->definitions_used = 0;
	state->definitions = fresh;
	arrived(state);
	if (full)
		mio_trace_file_unmap(full, sizeof(*full));
	return 1;
}

static uint32_t records_of(const char *text)
{
	return (uint32_t)((strlen(text) + MIO_TRACE_TEXT_BYTES - 1) / MIO_TRACE_TEXT_BYTES);
}

static void put_text(struct state *state, enum mio_trace_text_kind kind, uint32_t id, const char *text)
{
	size_t left = strlen(text);

	while (left > 0) {
		size_t bytes = left < MIO_TRACE_TEXT_BYTES ? left : MIO_TRACE_TEXT_BYTES;
		union mio_trace_record record = {.text = {.type = MIO_TRACE_RECORD_TEXT, .id = id}};

		record.text.kind = (uint8_t)kind;
		record.text.bytes = (uint8_t)bytes;
		memcpy(record.text.text, text, bytes);
		put_record(state->definitions, state->definitions_used++, &record);
		text += bytes;
		left -= bytes;
	}
}

static int introduce(struct mio_trace_writer *writer, struct state *state, int64_t ns)
{
	union mio_trace_record record = {.process = {.type = MIO_TRACE_RECORD_PROCESS}};

	if (state->introduced)
		return 1;
	if (!make_room(writer, state, 1 + records_of(writer->facts.program), ns))
		return 0;
	record.process.process = writer->facts.process;
	record.process.parent = writer->facts.parent;
	record.process.door = writer->facts.door;
	record.process.began_ns = ns;
	put_record(state->definitions, state->definitions_used++, &record);
	put_text(state, MIO_TRACE_TEXT_PROGRAM, writer->facts.process, writer->facts.program);
	state->introduced = 1;
	return 1;
}

static void define(struct mio_trace_writer *writer, struct state *state, struct mio_trace_definition *definition,
		   const struct mio_trace_words *words, uint32_t records)
{
	mio_lock_acquire(&state->lock);
	definition->type = MIO_TRACE_RECORD_FILE;
	definition->file = 0;
	if (records <= MIO_TRACE_BLOCK_RECORDS && introduce(writer, state, definition->opened_ns) &&
	    make_room(writer, state, records, definition->opened_ns)) {
		definition->file = atomic_fetch_add(&writer->header->files, 1) + 1;
		put_record(state->definitions, state->definitions_used++,
			   (const union mio_trace_record *)(const void *)definition);
		for (; words->text; words++)
			put_text(state, words->kind, definition->file, words->text);
	}
	mio_lock_release(&state->lock);
}

uint32_t mio_trace_writer_define(struct mio_trace_writer *writer, struct mio_trace_definition *definition,
				 const struct mio_trace_words *words)
{
	struct state *state;
	uint32_t records = 1;

	for (const struct mio_trace_words *one = words; one->text; one++)
		records += records_of(one->text);
	/* Once more in a child that was forked in the middle: the number was the parent's. */
	do {
		state = state_of(writer);
		define(writer, state, definition, words, records);
	} while (state != state_of(writer));
	/* Its calls are not seen; that some are missing is. */
	if (!definition->file)
		drop(writer, definition->opened_ns);
	return definition->file;
}

/* ---- the process */

void mio_trace_writer_end(struct mio_trace_writer *writer)
{
	struct state *state = state_of(writer);

	mio_lock_acquire(&state->lock);
	if (state->chunk_left > 0 && !state->of_parent) {
		size_t bytes = (size_t)state->chunk_left * sizeof(*state->chunk);
		uint64_t count = state->chunk_left;

		state->chunk_left = 0;
		in_order();
		mio_trace_file_unmap(state->chunk, bytes);
		if (!atomic_load(&state->of_parent))
			give_back(writer, state->chunk_first, count);
	}
	mio_lock_release(&state->lock);
}

/* Memory of the child's own in the place of the parent's blocks, for calls that go on there. */
static void leave(struct state *state)
{
	atomic_store(&state->of_parent, 1);
	for (int i = 0; i < LANES; i++)
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

void mio_trace_writer_forked(struct mio_trace_writer *writer)
{
	struct state *fresh = make_state();

	thread_number = 0;
	leave(state_of(writer));
	/* Without memory for it the child's events are lost. */
	if (fresh)
		atomic_store(&writer->state, fresh);
	writer->lost = 0;
	writer->lost_first_ns = 0;
	writer->facts.parent = (uint32_t)mio_raw0(SYS_getppid);
	writer->facts.process = (uint32_t)mio_raw0(SYS_getpid);
}

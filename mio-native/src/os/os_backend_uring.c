/*
 * One thread owns one io_uring. Others push requests onto a lock-free list, and wake the thread only if it sleeps: one submit makes one wake-up at
 * most. The thread submits what has come in one call, and takes completions in the same call. The first request starts it; the starter waits until
 * the ring is open, so that the ring's descriptors never take a number that a program with one thread is about to get. If the ring cannot be opened,
 * or fails, everything goes to the threads backend; if only descriptors or memory were lacking, until the next try.
 *
 *	asleep	1: the thread is in, or about to enter, a wait that must be ended for a request. A pusher sets it to 0 and wakes the thread.
 *	alive	0: no thread reads the list; a pusher starts one.
 *
 * The thread sets either and then checks the list once more; a pusher does it the other way round: one of them sees the other.
 */
#include "os_backend.h"

#include <errno.h>
#include <string.h>

#include "../common/clock.h"
#include "../common/lock.h"
#include "os_list.h"
#include "os_number.h"
#include "os_thread.h"
#include "os_uring.h"

/* The most steps in flight; more wait. */
#define DEPTH 64
/* Time between two tries to open the ring: each try costs a thread, and two numbers for a moment. */
#define PAUSE_NS INT64_C(1000000000)
#define PAUSE_NS_MAX (64 * PAUSE_NS)
#define FOR_GOOD INT64_MAX

static struct {
	struct mio_lock lock;		/* for starting, stopping and waking: closing frees the ring's memory */
	struct mio_condition changed;
	int starting;
	struct mio_os_uring *ring;
	int descriptors[2];
	int ended;			/* number of the thread that ended last */
	int lost;			/* somebody closed the eventfd: the thread cannot be woken any more */
	int64_t pause_ns;		/* the pause after the next try, if that fails; 0: no try has failed */
	_Atomic int error;		/* -errno of the last try, or of the ring that failed */
	_Atomic int64_t off_until;	/* all requests go to the threads until then, by mio_clock_ns; 0: none do */
	_Atomic int alive, stopping;
	_Atomic uint32_t asleep;
	_Atomic(struct mio_os_transfer *) pushed;	/* newest first */
} uring;

/* Used by the ring's thread alone. */
static struct {
	struct mio_os_list ready;		/* the next step of these is known */
	struct mio_os_list incoming;
	struct mio_os_transfer *flying[DEPTH];
	int free_ids[DEPTH];
	int free;
	int64_t ops[DEPTH * MIO_OS_URING_OP_WORDS];
	int64_t dones[DEPTH * MIO_OS_URING_DONE_WORDS];
} own;

static void fail_for_good(int error)
{
	atomic_store(&uring.error, error);
	atomic_store(&uring.off_until, FOR_GOOD);
}

static int is_off(void)
{
	int64_t until = atomic_load(&uring.off_until);

	return until != 0 && (until == FOR_GOOD || mio_clock_ns() < until);
}

static struct mio_os_transfer *take_pushed(void)
{
	return mio_os_list_turned(atomic_exchange(&uring.pushed, NULL));
}

/* Gives a list of transfers to the threads backend. */
static void pass_on(struct mio_os_transfer *list)
{
	if (list)
		mio_os_backend_threads.submit(list);
}

static struct mio_os_transfer *next_ready(void)
{
	struct mio_os_transfer *transfer = mio_os_list_take_first(&own.ready);

	while (!transfer) {
		if (!own.incoming.first) {
			own.incoming.first = take_pushed();
			if (!own.incoming.first)
				return NULL;
		}
		transfer = mio_os_list_take_first(&own.incoming);
		if (!mio_os_transfer_next(transfer)) {
			mio_os_transfer_complete(transfer);
			transfer = NULL;
		}
	}
	return transfer;
}

static void describe(struct mio_os_transfer *transfer, int id, int64_t *op)
{
	op[MIO_OS_URING_ID] = id;
	op[MIO_OS_URING_ADDRESS] = (int64_t)(uintptr_t)(transfer->memory + transfer->done);
	op[MIO_OS_URING_OFFSET] = transfer->offset + (int64_t)transfer->done;
	op[MIO_OS_URING_LENGTH] = (int64_t)transfer->step_bytes;
	op[MIO_OS_URING_FD] = mio_os_descriptor_hold(transfer->descriptor, &transfer->place);
	op[MIO_OS_URING_WRITE] = transfer->write;
	op[MIO_OS_URING_FLAGS] = transfer->step_flags;
	op[MIO_OS_URING_COPIES] = !transfer->step_direct;
}

static struct mio_os_transfer *landed(int64_t *done)
{
	int id = (int)done[0];
	struct mio_os_transfer *transfer = own.flying[id];

	own.flying[id] = NULL;
	own.free_ids[own.free++] = id;
	mio_os_descriptor_let_go(transfer->descriptor, transfer->place);
	done[1] = mio_os_transfer_of_ring(done[1]);
	mio_os_transfer_advance(transfer, done[1]);
	return transfer;
}

/*
 * Takes completions. Returns 0, or -ECANCELED: the kernel wants a thread of its own for a request, and this process may have no more of them. The
 * ring would say so to each request that may have to wait, again and again.
 */
static int take_landed(int completions)
{
	int rc = 0;

	for (int i = 0; i < completions; i++) {
		int64_t *done = own.dones + i * MIO_OS_URING_DONE_WORDS;
		struct mio_os_transfer *transfer = landed(done);

		if (done[1] == -ECANCELED)
			rc = -ECANCELED;
		if (!mio_os_transfer_next(transfer)) {
			mio_os_transfer_complete(transfer);
		} else if (done[1] == -EAGAIN) {
			/* The ring would say so for as long as the file does; a call that waits finds out what it means. */
			transfer->next = NULL;
			pass_on(transfer);
		} else {
			mio_os_list_add_last(&own.ready, transfer);
		}
	}
	return rc;
}

static int may_pass(int rc)
{
	return rc == -EBUSY || rc == -ENOMEM || rc == -EINTR || rc == -EAGAIN || rc == -ECANCELED;
}

/* Submits what there is, takes completions, and waits if there is nothing else to do. 0, or the -errno of a ring that fails. */
static int turn(void)
{
	int given[DEPTH];
	unsigned int submitted = 0;
	struct mio_os_transfer *transfer;
	int count = 0;
	int wait = 1;
	int completions;
	int rc;

	while (count < own.free && (transfer = next_ready()) != NULL) {
		given[count] = own.free_ids[own.free - 1 - count];
		/* Noted here first, so that it is not lost whatever fails after that. */
		own.flying[given[count]] = transfer;
		describe(transfer, given[count], own.ops + count * MIO_OS_URING_OP_WORDS);
		count++;
	}
	if (count < own.free) {
		atomic_store(&uring.asleep, 1);
		wait = !atomic_load(&uring.pushed) &&
		       !(count == 0 && own.free == DEPTH && atomic_load(&uring.stopping));
	}
	completions = mio_os_uring_enter(uring.ring, own.ops, (unsigned int)count, own.dones, DEPTH, wait, &submitted);
	atomic_store(&uring.asleep, 0);
	own.free -= (int)submitted;
	/*
	 * What the kernel did not take goes back to the front, in order. What it took keeps its number until it has completed: a thread of the
	 * kernel's may look the number up only when it begins the request (since Linux 6.10), and may have others to do first.
	 */
	for (int i = count - 1; i >= (int)submitted; i--) {
		transfer = own.flying[given[i]];
		mio_os_descriptor_let_go(transfer->descriptor, transfer->place);
		mio_os_list_add_first(&own.ready, transfer);
		own.flying[given[i]] = NULL;
	}
	if (completions < 0 && !may_pass(completions))
		return completions;
	rc = take_landed(completions);
	if ((int)submitted < count && own.free == DEPTH) {
		/* The kernel has no room, and nothing is in flight that would make some. */
		transfer = own.ready.first;
		own.ready.first = NULL;
		pass_on(transfer);
	}
	return rc;
}

/* The ring is given up. Completions are waited for as long as the ring answers; what the kernel does not return is done again, with the same bytes. */
static void give_up(int error)
{
	int answers = 1;
	unsigned int none;

	fail_for_good(error);
	while (answers && own.free < DEPTH) {
		int completions = mio_os_uring_enter(uring.ring, NULL, 0, own.dones, DEPTH, 1, &none);

		answers = completions >= 0 || may_pass(completions);
		for (int i = 0; i < completions; i++)
			mio_os_list_add_last(&own.ready, landed(own.dones + i * MIO_OS_URING_DONE_WORDS));
	}
	for (int i = 0; i < DEPTH; i++) {
		if (!own.flying[i])
			continue;
		mio_os_descriptor_let_go(own.flying[i]->descriptor, own.flying[i]->place);
		mio_os_list_add_last(&own.ready, own.flying[i]);
	}
	while (own.incoming.first)
		mio_os_list_add_last(&own.ready, mio_os_list_take_first(&own.incoming));
	pass_on(own.ready.first);
}

/* Opens the ring, and moves both descriptors out of the program's way. */
static int open_ring(void)
{
	int *numbers[2];
	int rc = mio_os_uring_open(DEPTH, &uring.ring);

	if (rc < 0)
		return rc;
	mio_os_uring_descriptors(uring.ring, &numbers[0], &numbers[1]);
	for (int i = 0; i < 2; i++) {
		int kept = mio_os_number_keep(*numbers[i], 0);

		uring.descriptors[i] = kept;
		*numbers[i] = kept;
		if (kept < 0)
			rc = kept;
	}
	return rc;
}

/* The caller holds uring.lock. Numbers are given back one by one, as the program may get them at once. */
static void close_ring(void)
{
	int *numbers[2];

	if (!uring.ring)
		return;
	mio_os_uring_descriptors(uring.ring, &numbers[0], &numbers[1]);
	for (int i = 0; i < 2; i++) {
		if (*numbers[i] >= 0)
			mio_os_number_close(*numbers[i]);
		*numbers[i] = -1;
	}
	mio_os_uring_close(uring.ring);
	uring.ring = NULL;
}

/* Notes that the ring could not be opened. Descriptors or memory may be available again later; other errors are for good. The caller holds uring.lock. */
static void could_not_open(int error)
{
	if (error != -EMFILE && error != -ENFILE && error != -ENOMEM) {
		fail_for_good(error);
		return;
	}
	if (uring.pause_ns == 0)
		uring.pause_ns = PAUSE_NS;
	atomic_store(&uring.error, error);
	atomic_store(&uring.off_until, mio_clock_ns() + uring.pause_ns);
	if (uring.pause_ns < PAUSE_NS_MAX)
		uring.pause_ns *= 2;
}

/* Opens the ring; 1 if it is open. */
static int begin(void)
{
	int rc;

	mio_lock_acquire(&uring.lock);
	memset(&own, 0, sizeof(own));
	while (own.free < DEPTH) {
		own.free_ids[own.free] = own.free;
		own.free++;
	}
	rc = open_ring();
	if (rc < 0) {
		close_ring();
		could_not_open(rc);
		uring.ended = mio_os_thread_number();
	} else {
		uring.pause_ns = 0;
		atomic_store(&uring.error, 0);
		atomic_store(&uring.off_until, 0);
		atomic_store(&uring.alive, 1);
	}
	uring.starting = 0;
	mio_condition_wake(&uring.changed);
	mio_lock_release(&uring.lock);
	return rc == 0;
}

/* 1 if the thread is to end: stopping is set, nothing is in flight, and nothing comes any more. */
static int end(int failed)
{
	mio_lock_acquire(&uring.lock);
	atomic_store(&uring.alive, 0);
	if (!failed && atomic_load(&uring.pushed)) {
		atomic_store(&uring.alive, 1);
		mio_lock_release(&uring.lock);
		return 0;
	}
	close_ring();
	uring.ended = mio_os_thread_number();
	mio_condition_wake(&uring.changed);
	mio_lock_release(&uring.lock);
	return 1;
}

static int is_idle(void)
{
	return own.free == DEPTH && !own.ready.first && !own.incoming.first;
}

static void run(void)
{
	int rc = 0;

	if (!begin())
		return;
	do {
		rc = turn();
	} while (rc == 0 && !(atomic_load(&uring.stopping) && is_idle() && end(0)));
	if (rc < 0) {
		give_up(rc);
		end(1);
		pass_on(take_pushed());
	}
}

/* Starts the thread if needed. 0: no thread takes what is pushed. */
static int start(void)
{
	int served;
	int rc;

	mio_lock_acquire(&uring.lock);
	if (!uring.starting && !atomic_load(&uring.alive) && !is_off() && atomic_load(&uring.pushed)) {
		uring.starting = 1;
		rc = mio_os_thread_start(run);
		if (rc < 0) {
			uring.starting = 0;
			/* This process gets no more threads; -EBUSY: only none for now. */
			if (rc != -EBUSY)
				fail_for_good(rc);
			mio_condition_wake(&uring.changed);
		}
	}
	while (uring.starting)
		mio_condition_wait(&uring.changed, &uring.lock);
	served = atomic_load(&uring.alive);
	mio_lock_release(&uring.lock);
	return served;
}

/* The caller holds uring.lock. If waking fails, the thread's own completions still wake it; it gets no new requests. */
static void wake_it(void)
{
	int rc = uring.ring ? mio_os_uring_wake(uring.ring) : 0;

	if (rc < 0) {
		uring.lost = 1;
		fail_for_good(rc);
	}
}

static void wake(void)
{
	mio_lock_acquire(&uring.lock);
	wake_it();
	mio_lock_release(&uring.lock);
}

static void submit(struct mio_os_transfer *list)
{
	struct mio_os_transfer *last = list;
	struct mio_os_transfer *first;
	int served = 1;

	if (is_off()) {
		pass_on(list);
		return;
	}
	first = mio_os_list_turned(list);
	last->next = atomic_load_explicit(&uring.pushed, memory_order_relaxed);
	while (!atomic_compare_exchange_weak(&uring.pushed, &last->next, first))
		;
	/* From here on the transfers may be complete, and their memory gone. */
	if (atomic_load(&uring.asleep) && atomic_exchange(&uring.asleep, 0))
		wake();
	else if (!atomic_load(&uring.alive))
		served = start();
	if (!served || is_off())
		pass_on(take_pushed());
}

static void stop(void)
{
	int ended = 0;

	mio_lock_acquire(&uring.lock);
	atomic_store(&uring.stopping, 1);
	while (uring.starting || atomic_load(&uring.alive)) {
		if (atomic_exchange(&uring.asleep, 0))
			wake_it();
		if (uring.lost)
			break;
		mio_condition_wait(&uring.changed, &uring.lock);
	}
	atomic_store(&uring.stopping, 0);
	ended = uring.ended;
	uring.ended = 0;
	mio_lock_release(&uring.lock);
	if (ended)
		mio_os_thread_gone(ended);
}

static int has_descriptor(int fd)
{
	int found;

	mio_lock_acquire(&uring.lock);
	found = uring.ring && (uring.descriptors[0] == fd || uring.descriptors[1] == fd);
	mio_lock_release(&uring.lock);
	return found;
}

static int failure(void)
{
	return atomic_load(&uring.error);
}

static void forked(void)
{
	memset(&uring, 0, sizeof(uring));
	memset(&own, 0, sizeof(own));
}

const struct mio_os_backend mio_os_backend_uring = {
	.label = "io_uring",
	.probe = mio_os_uring_refusal,
	.submit = submit,
	.stop = stop,
	.has_descriptor = has_descriptor,
	.failure = failure,
	.forked = forked,
};

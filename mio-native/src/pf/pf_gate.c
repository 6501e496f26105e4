/*
 * One word holds the number of sharers and three marks: a thread is alone, a thread waits to be alone, a thread waits to share. If no mark is in the way, a
 * thread comes or leaves with one atomic exchange of the word. Threads that must wait do so under a lock. They set their mark under the lock before they look
 * at the word again, and a thread that leaves changes the word before it looks at the marks, so no wake is lost. All threads that wait to share are let in
 * together. Of those that wait to be alone, one is woken each time that the gate may be free.
 */
#include "pf_gate.h"

#include "../common/clock.h"

#define ALONE UINT32_C(0x80000000)	/* a thread holds the gate alone */
#define WANTED UINT32_C(0x40000000)	/* a thread waits to be alone */
#define QUEUED UINT32_C(0x20000000)	/* a thread waits to share */
#define SHARERS (QUEUED - 1)

static int try_share(struct mio_pf_gate *gate)
{
	uint32_t seen = atomic_load_explicit(&gate->state, memory_order_relaxed);

	while (!(seen & (ALONE | WANTED))) {
		if (atomic_compare_exchange_weak_explicit(&gate->state, &seen, seen + 1, memory_order_acquire,
							  memory_order_relaxed))
			return 1;
	}
	return 0;
}

static void waited(struct mio_pf_gate *gate, int64_t began)
{
	atomic_fetch_add_explicit(&gate->waits, 1, memory_order_relaxed);
	atomic_fetch_add_explicit(&gate->wait_ns, mio_clock_ns() - began, memory_order_relaxed);
}

static void wait_to_share(struct mio_pf_gate *gate)
{
	int64_t began = mio_clock_ns();

	mio_lock_acquire(&gate->lock);
	atomic_fetch_or(&gate->state, QUEUED);
	if (!try_share(gate)) {
		uint32_t before = gate->let_in;

		gate->waiting_to_share++;
		while (gate->let_in == before)
			mio_condition_wait(&gate->entered, &gate->lock);
	} else if (gate->waiting_to_share == 0) {
		atomic_fetch_and(&gate->state, ~QUEUED);
	}
	mio_lock_release(&gate->lock);
	waited(gate, began);
}

void mio_pf_gate_share(struct mio_pf_gate *gate)
{
	if (!try_share(gate))
		wait_to_share(gate);
}

/* Wakes one of the threads that wait to be alone: more of them would only find that one in. */
static void wake(struct mio_pf_gate *gate)
{
	mio_lock_acquire(&gate->lock);
	mio_condition_wake_one(&gate->left);
	mio_lock_release(&gate->lock);
}

void mio_pf_gate_unshare(struct mio_pf_gate *gate)
{
	uint32_t before = atomic_fetch_sub(&gate->state, 1);

	if ((before & SHARERS) == 1 && before & WANTED)
		wake(gate);
}

/* To be called with the lock, and WANTED set. */
static int try_alone(struct mio_pf_gate *gate)
{
	uint32_t seen = atomic_load(&gate->state);

	while (!(seen & (ALONE | SHARERS))) {
		uint32_t mine = ALONE | (seen & QUEUED) | (gate->waiting_alone > 1 ? WANTED : 0);

		if (atomic_compare_exchange_weak(&gate->state, &seen, mine))
			return 1;
	}
	return 0;
}

static void wait_to_be_alone(struct mio_pf_gate *gate)
{
	int64_t began = mio_clock_ns();

	mio_lock_acquire(&gate->lock);
	gate->waiting_alone++;
	atomic_fetch_or(&gate->state, WANTED);
	while (!try_alone(gate))
		mio_condition_wait(&gate->left, &gate->lock);
	gate->waiting_alone--;
	mio_lock_release(&gate->lock);
	waited(gate, began);
}

void mio_pf_gate_alone(struct mio_pf_gate *gate)
{
	uint32_t nobody = 0;

	if (!atomic_compare_exchange_strong_explicit(&gate->state, &nobody, ALONE, memory_order_acquire,
						     memory_order_relaxed))
		wait_to_be_alone(gate);
}

void mio_pf_gate_unalone(struct mio_pf_gate *gate)
{
	uint32_t seen = ALONE;

	if (atomic_compare_exchange_strong_explicit(&gate->state, &seen, 0, memory_order_release, memory_order_relaxed))
		return;
	mio_lock_acquire(&gate->lock);
	/* All threads that waited to share are in now, before the next one that waits to be alone. */
	seen = atomic_load(&gate->state);
	while (!atomic_compare_exchange_weak(&gate->state, &seen, (seen & WANTED) | gate->waiting_to_share))
		;
	if (gate->waiting_to_share > 0) {
		gate->waiting_to_share = 0;
		gate->let_in++;
		mio_condition_wake(&gate->entered);
	} else {
		mio_condition_wake_one(&gate->left);
	}
	mio_lock_release(&gate->lock);
}

static int is_in(struct mio_pf_gate *gate, uint32_t marks, uint32_t *seen)
{
	*seen = atomic_load(&gate->state);
	return (*seen & marks) != 0;
}

/* Waits by time, and looks again: threads that leave the gate do not wake this one. */
static void wait_while(struct mio_pf_gate *gate, uint32_t marks, int64_t ns)
{
	int64_t end = mio_clock_ns() + ns;
	uint32_t seen;

	while (is_in(gate, marks, &seen) && mio_clock_ns() < end)
		mio_futex_wait(&gate->state, seen, 1000000);
}

void mio_pf_gate_let_pass(struct mio_pf_gate *gate)
{
	wait_while(gate, ALONE, 1000000000);
	wait_while(gate, SHARERS, 10000000);
}

#ifndef MIO_PF_GATE_H
#define MIO_PF_GATE_H

#include <stdatomic.h>
#include <stdint.h>

#include "../common/lock.h"

/*
 * The gate: the lock of one file. A read shares it, a write holds it alone, so that a read sees all of an overlapping write or none of it; with cio, writes
 * share it too (design section 4, reference 7.2). Twin of FileGate. No thread overtakes one that waits to hold the gate alone; threads that wait to share it
 * get in before the next one alone. Not recursive. Ready when all zero. It counts the time that threads lost in it.
 */
struct mio_pf_gate {
	_Atomic uint32_t state;		/* number of sharers and marks, see pf_gate.c */
	struct mio_lock lock;		/* guards waiting, and the members below that are not atomic */
	struct mio_condition entered;	/* the threads that waited to share are in */
	struct mio_condition left;	/* one thread may be alone now */
	uint32_t waiting_alone, waiting_to_share;	/* threads */
	uint32_t let_in;		/* how often all threads that waited to share were let in together */
	_Atomic int64_t waits;		/* how often a thread had to wait */
	_Atomic int64_t wait_ns;	/* how long threads had to wait, together */
};

void mio_pf_gate_share(struct mio_pf_gate *gate);
void mio_pf_gate_unshare(struct mio_pf_gate *gate);
void mio_pf_gate_alone(struct mio_pf_gate *gate);
void mio_pf_gate_unalone(struct mio_pf_gate *gate);
/*
 * Waits until no thread holds the gate alone, at most one second, and until none shares it (writes with cio), at most ten milliseconds. Threads that came
 * meanwhile may hold it.
 */
void mio_pf_gate_let_pass(struct mio_pf_gate *gate);

#endif

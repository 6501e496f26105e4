#ifndef MIO_PF_GATE_H
#define MIO_PF_GATE_H

#include <stdatomic.h>
#include <stdint.h>

#include "../common/lock.h"

/*
 * The lock of one file: a read shares it, a write takes it alone, so that a read sees all of an overlapping write or
 * none; with cio writes share it too (design section 4, reference 7.2). Twin of FileGate. Nobody overtakes who waits to
 * be alone; who waits to share gets in before the next one alone. Not recursive. Ready when all zero. Counts the
 * time threads lost in it.
 */
struct mio_pf_gate {
	_Atomic uint32_t state;		/* sharers and marks, see pf_gate.c */
	struct mio_lock lock;		/* of those who wait, and of what follows */
	struct mio_condition entered;	/* those who waited to share are in */
	struct mio_condition left;	/* one may be alone */
	uint32_t waiting_alone, waiting_to_share;
	uint32_t let_in;		/* times that all who waited to share were let in together */
	_Atomic int64_t waits;		/* how often a thread had to wait, */
	_Atomic int64_t wait_ns;	/* and how long */
};

void mio_pf_gate_share(struct mio_pf_gate *gate);
void mio_pf_gate_unshare(struct mio_pf_gate *gate);
void mio_pf_gate_alone(struct mio_pf_gate *gate);
void mio_pf_gate_unalone(struct mio_pf_gate *gate);
/* Until who was in alone has left, a second at most, and who shared (writes of cio), ten milliseconds at most. Whoever came meanwhile may be in. */
void mio_pf_gate_let_pass(struct mio_pf_gate *gate);

#endif

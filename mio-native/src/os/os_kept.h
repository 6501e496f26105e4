#ifndef MIO_OS_KEPT_H
#define MIO_OS_KEPT_H

#include <stdint.h>

#include "../common/lock.h"

/*
 * A file of MIO's own that stays open. Threads that make page requests open nothing by themselves: the number of the descriptor, however briefly
 * used, would be the lowest free one, and a program with one thread may rely on being given just that. So the program's thread opens what they
 * need, and MIO keeps it on a high number. All functions: any thread. A struct that is all zero keeps nothing.
 */
struct mio_os_kept {
	struct mio_lock lock;
	int number;		/* the descriptor; 0: none */
	uint64_t device, inode;	/* of the file */
	struct mio_os_kept *next;
	int listed;
	int inherited;		/* a forked child keeps it, too */
};

/*
 * Takes over fd, just opened close-on-exec: keeps a copy of it on a high number, if nothing is kept yet, and closes fd in any case. If no high
 * number is available, nothing is kept. kept itself stays listed from then on, for good.
 */
void mio_os_kept_put(struct mio_os_kept *kept, int fd);

/*
 * Returns the number, valid until mio_os_kept_let_go, and writes how many names its file has to *links. Or -EBADF, and nothing is to be let go:
 * nothing is kept, or somebody closed it past MIO and the number is another file's now.
 */
int mio_os_kept_hold(struct mio_os_kept *kept, uint64_t *links);
void mio_os_kept_let_go(struct mio_os_kept *kept);

/* From then on nothing is kept, until mio_os_kept_put. */
void mio_os_kept_close(struct mio_os_kept *kept);

/* 1 if number was a kept one: it is free now, and another one is kept, if one is available. */
int mio_os_kept_move(int number);

/*
 * In a forked child, before MIO's numbers are closed, and after that: only what is inherited stays kept. shares: nothing does, as the descriptors
 * are the parent's.
 */
void mio_os_kept_forking(int shares);
void mio_os_kept_forked(int shares);

#endif

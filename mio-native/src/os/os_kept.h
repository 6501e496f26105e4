#ifndef MIO_OS_KEPT_H
#define MIO_OS_KEPT_H

#include <stdint.h>

#include "../common/lock.h"

/*
 * A file of MIO's own that stays open. Threads that do page requests open nothing by themselves: the number, however briefly, would be the lowest free one, and
 * a program with one thread may count on being given just that. So what they need is opened by the program's thread and kept on a high number.
 * All functions: any thread. One that is all zero keeps nothing.
 */
struct mio_os_kept {
	struct mio_lock lock;
	int number;		/* 0: none */
	uint64_t device, inode;	/* of its file */
	struct mio_os_kept *next;
	int listed;
	int inherited;		/* a forked child keeps it, too */
};

/*
 * Take over fd, just opened close-on-exec, and keep it, if nothing is kept yet; where no high number is to be had it is closed, and nothing
 * is kept. kept is known from then on, for good.
 */
void mio_os_kept_put(struct mio_os_kept *kept, int fd);

/*
 * Its number, good until it is let go, and *links, how many names its file has; or -EBADF, with nothing to let go: also where somebody closed it past MIO, and
 * the number is another's now.
 */
int mio_os_kept_hold(struct mio_os_kept *kept, uint64_t *links);
void mio_os_kept_let_go(struct mio_os_kept *kept);

/* Nothing is kept from then on, until something is put. */
void mio_os_kept_close(struct mio_os_kept *kept);

/* 1 if number was one that is kept: it is free now, and another one kept, if there is one. */
int mio_os_kept_move(int number);

/* In a forked child, before the numbers are closed, and after: nothing is kept but what is inherited; shares: nothing, they are the parent's. */
void mio_os_kept_forking(int shares);
void mio_os_kept_forked(int shares);

#endif

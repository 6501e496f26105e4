#ifndef MIO_OS_SHARED_H
#define MIO_OS_SHARED_H

#include <stdatomic.h>
#include <stdint.h>

#include "../common/lock.h"
#include "os_descriptor.h"

/*
 * Accesses (os_file.h) times two ways: buffered and direct. In place of an access: one in append mode, where the kernel cannot
 * append to others, and two opens for os_folios.h.
 */
enum { MIO_OS_SHARED_APPEND = 3, MIO_OS_SHARED_FOLIOS = 4, MIO_OS_SHARED_DESCRIPTORS = 10 };

/*
 * MIO's own descriptors of one file, shared by all its opens: one for each access and way, opened when first needed,
 * all held until the last open is done. Closing any of them earlier would drop the locks the process has on
 * the file. In a process without such locks those that can write go with the last open that can: the kernel runs no program
 * that somebody has open for writing. Twin of SharedFile.
 */
struct mio_os_shared {
	struct mio_os_shared *next;	/* in its row of the table */
	uint64_t device, inode;
	uint32_t opens, writers;	/* under the row's lock */
	struct mio_lock lock;		/* of the descriptors */
	struct mio_lock folios;		/* held while these two are used */
	unsigned int there;		/* bits of those that are open */
	_Atomic int buffered_only;	/* the file was mapped, or refused direct requests */
	struct mio_os_descriptor descriptors[MIO_OS_SHARED_DESCRIPTORS];
};

/* Enter an open; writes: it may want descriptors that can. NULL without memory. */
struct mio_os_shared *mio_os_shared_enter(uint64_t device, uint64_t inode, int writes);

/* An open is done; writes: as it entered. The last one closes all, while no new one can enter: a lock taken after that must not be dropped by it. */
void mio_os_shared_leave(struct mio_os_shared *shared, int writes);

/*
 * The descriptor of an access and way. open: called for a kept number, or -errno, if there is none yet. 0, or what open returned; it is asked again next time.
 */
int mio_os_shared_descriptor(struct mio_os_shared *shared, int access, int direct, int (*open)(void *context),
			     void *context, struct mio_os_descriptor **descriptor);

/*
 * Have a file's descriptor of this number go to another. 0; 1: no file has it; -EBUSY: the process has a POSIX lock on the file, which closing
 * the number would drop; or another -errno.
 */
int mio_os_shared_move(int number);

/*
 * Before exec: what is open on files that the process has a POSIX lock on is left to the next program, for closing it would drop the lock. inherit
 * 0: exec has failed, all is close-on-exec again.
 */
void mio_os_shared_inherit(int inherit);

/* In a forked child: there are none. */
void mio_os_shared_forked(void);

#endif

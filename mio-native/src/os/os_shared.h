#ifndef MIO_OS_SHARED_H
#define MIO_OS_SHARED_H

#include <stdatomic.h>
#include <stdint.h>

#include "../common/lock.h"
#include "os_descriptor.h"

/*
 * Index of a descriptor: access (os_file.h) times two, plus 1 for direct. In place of an access: APPEND, a descriptor in append mode, for kernels
 * that cannot append by others; FOLIOS, two opens for os_folios.h.
 */
enum { MIO_OS_SHARED_APPEND = 3, MIO_OS_SHARED_FOLIOS = 4, MIO_OS_SHARED_DESCRIPTORS = 10 };

/*
 * MIO's own descriptors of one file, shared by all its opens: one for each access, buffered and direct, opened when first needed and held until
 * the last open is done. Closing any of them earlier would drop the locks that the process has on the file. In a process without such locks,
 * those that can write are closed with the last open that can: the kernel runs no program that somebody has open for writing. Twin of SharedFile.
 */
struct mio_os_shared {
	struct mio_os_shared *next;	/* in its row of the table */
	uint64_t device, inode;
	uint32_t opens, writers;	/* under the row's lock */
	struct mio_lock lock;		/* guards the descriptors */
	struct mio_lock folios;		/* held while the two FOLIOS descriptors are used */
	unsigned int there;		/* bit i: descriptors[i] is open */
	_Atomic int buffered_only;	/* 1: the file was mapped, or refused direct requests */
	struct mio_os_descriptor descriptors[MIO_OS_SHARED_DESCRIPTORS];
};

/* Enters an open; writes: it may want descriptors that can write. NULL without memory. */
struct mio_os_shared *mio_os_shared_enter(uint64_t device, uint64_t inode, int writes);

/*
 * An open is done; writes: as when it entered. The last one closes all descriptors while no new open can enter, as a lock taken after that must
 * not be dropped.
 */
void mio_os_shared_leave(struct mio_os_shared *shared, int writes);

/*
 * The descriptor of an access, buffered or direct. If there is none yet, open is called, which returns a kept number or -errno. 0, or what open
 * returned; it is called again the next time.
 */
int mio_os_shared_descriptor(struct mio_os_shared *shared, int access, int direct, int (*open)(void *context),
			     void *context, struct mio_os_descriptor **descriptor);

/*
 * Moves the descriptor that has this number to another. 0; 1: no file has it; -EBUSY: the process has a POSIX lock on the file, which closing the
 * number would drop; or another -errno.
 */
int mio_os_shared_move(int number);

/*
 * Before exec: descriptors on files that the process has a POSIX lock on are left to the next program, as closing them would drop the lock.
 * inherit 0: exec has failed, all are close-on-exec again.
 */
void mio_os_shared_inherit(int inherit);

/* In a forked child: forgets all files. */
void mio_os_shared_forked(void);

#endif

#ifndef MIO_OS_LOCKS_H
#define MIO_OS_LOCKS_H

#include <stdint.h>

/* POSIX locks of this process. Closing any descriptor of a locked file drops them. */

/*
 * 1 if this process holds a POSIX lock on a file with this inode number (whatever its device: some file systems show two), or on
 * any file if inode is 0. 1 also where the system does not tell; else 0. Reads /proc/locks.
 */
int mio_os_locks_held(uint64_t inode);

/* Finds the same in text of the form of /proc/locks, which may come in pieces of lines. */
struct mio_os_locks_reader {
	uint64_t pid, inode;
	int found;
	unsigned int length;	/* of the line so far */
	char line[160];
};

void mio_os_locks_read(struct mio_os_locks_reader *reader, const char *text, unsigned int length);

#endif

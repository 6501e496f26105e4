#ifndef MIO_DOOR_REQUEST_H
#define MIO_DOOR_REQUEST_H

/* One request of the program, between door_rw.c, where the calls come in, and door_ways.c, which knows the ways of files. */

#include <errno.h>

#include "door_table.h"

/* A request for one piece of memory, or for a vector where count is above 0. */
struct mio_door_request {
	int write;
	void *memory;
	size_t length;			/* of all pieces, bytes */
	const struct iovec *vector;
	int count;
};

/* Makes the request at the position of the file, which is locked on entry and unlocked on return. */
int64_t mio_door_run_at_position(struct mio_file *file, int fd, const struct mio_door_request *request);
/* Makes it at an offset, which may be invalid. The file is in use on entry (mio_door_use), and released on return. */
int64_t mio_door_run_at_offset(struct mio_file *file, int fd, const struct mio_door_request *request, int64_t offset);

/* Has the kernel make the request: run_plain at its position, run_plain_at at an offset. */
int64_t mio_door_run_plain(int fd, const struct mio_door_request *request);
/*
 * Ends a request past the layers, whose mio_stack_bypass_begin was for a transfer. place: where bytes moved, or -1: not known; result:
 * that of the call.
 */
void mio_door_transferred(struct mio_file *file, int write, int64_t place, int64_t result);
int64_t mio_door_run_plain_at(int fd, const struct mio_door_request *request, int64_t offset);

/* What the kernel refuses before it looks at the file: -EBADF for the wrong access mode; else 0. */
static inline int64_t mio_door_refused(const struct mio_file *file, int write)
{
	int access = file->oflags & O_ACCMODE;

	return (write ? access == O_RDONLY : access == O_WRONLY) ? -EBADF : 0;
}

#endif

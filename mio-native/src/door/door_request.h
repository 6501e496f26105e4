#ifndef MIO_DOOR_REQUEST_H
#define MIO_DOOR_REQUEST_H

/* One request of the program between door_rw.c, which is called, and door_ways.c, which knows the ways of files. */

#include <errno.h>

#include "door_table.h"

/* Memory, or a vector where count is above 0. */
struct mio_door_request {
	int write;
	void *memory;
	size_t length;			/* of all */
	const struct iovec *vector;
	int count;
};

/* At the position of the file, which is locked, and not any more at the end. */
int64_t mio_door_run_at_position(struct mio_file *file, int fd, const struct mio_door_request *request);
/* At an offset, whatever that is; of a file in use, and not any more at the end. */
int64_t mio_door_run_at_offset(struct mio_file *file, int fd, const struct mio_door_request *request, int64_t offset);

/* The same of the kernel, at its position; at an offset. */
int64_t mio_door_run_plain(int fd, const struct mio_door_request *request);
/* The end of a request past the layers, whose begin was for a transfer. place: where it moved bytes, or -1: that is not known; result: as of the call. */
void mio_door_transferred(struct mio_file *file, int write, int64_t place, int64_t result);
int64_t mio_door_run_plain_at(int fd, const struct mio_door_request *request, int64_t offset);

/* What the kernel refuses before it looks at the file; 0 if nothing. */
static inline int64_t mio_door_refused(const struct mio_file *file, int write)
{
	int access = file->oflags & O_ACCMODE;

	return (write ? access == O_RDONLY : access == O_WRONLY) ? -EBADF : 0;
}

#endif

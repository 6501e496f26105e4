#ifndef MIO_TRACE_FILE_H
#define MIO_TRACE_FILE_H

/*
 * The events file as a file: how it is made or joined, and made longer. If a high descriptor number is free, the file stays open on it, so that MIO's
 * own threads can make it longer; else it is opened each time. Twin of EventFile. Functions with an int result return -errno on failure.
 */

#include "../os/os_kept.h"
#include "trace_event.h"

/* What the header says of the process that makes the file. The strings live as long as the writer. */
struct mio_trace_facts {
	const char *path;	/* path of the file from the root */
	int64_t limit_bytes;
	uint64_t tree;		/* processes with the same number share the file */
	uint32_t process, parent, door;
	int64_t realtime_ns, monotonic_ns;
	const char *program, *host, *library;
};

/*
 * mio_trace_file_open makes the file anew, or joins one that a process of the same tree has made. 0, with the mapped header and the file's device and
 * inode in place. -EEXIST: there is something else, which stays as it is. -ELOOP: there is a symbolic link.
 */
struct mio_trace_place {
	struct mio_trace_header *header;
	uint64_t device, inode;
	struct mio_os_kept kept;
};

int mio_trace_file_open(const struct mio_trace_facts *facts, struct mio_trace_place *place);

/* Has the file system set space aside for count blocks from number first, and maps them. -ESTALE: the path leads to another file by now. */
int mio_trace_file_blocks(const struct mio_trace_facts *facts, struct mio_trace_place *place, uint64_t first, uint64_t count,
			  struct mio_trace_block **blocks);

/*
 * The process is about to change its rights or its root: from now on, also in forked children, the open descriptor is used, and not the path.
 */
void mio_trace_file_stay(struct mio_trace_place *place);

/* For a forked child: opens the file again, because threads of the child need it open, too. */
void mio_trace_file_forked(const struct mio_trace_facts *facts, struct mio_trace_place *place);

/* Makes sure that touching the mapped bytes cannot fail. 0; or -errno, and then they must not be touched. */
int mio_trace_file_populate(void *memory, size_t bytes);

void mio_trace_file_unmap(void *memory, size_t bytes);

#endif

#ifndef MIO_TRACE_FILE_H
#define MIO_TRACE_FILE_H

/*
 * The events file as a file: made or joined, made longer. It stays open on a high number, where one is to be had, for MIO's own threads to make
 * it longer by; elsewhere it is opened each time. Twin of EventFile. All return -errno.
 */

#include "../os/os_kept.h"
#include "trace_event.h"

/* What the header says of the process that makes the file. Strings live as long as the writer. */
struct mio_trace_facts {
	const char *path;	/* from the root */
	int64_t limit_bytes;
	uint64_t tree;		/* processes with the same one share the file */
	uint32_t process, parent, door;
	int64_t realtime_ns, monotonic_ns;
	const char *program, *host, *library;
};

/*
 * Make the file anew, or join what a process of the same tree has made. 0 and the mapped header, and which file it is. -EEXIST: there is
 * something else, which is left alone; -ELOOP: a symbolic link.
 */
struct mio_trace_place {
	struct mio_trace_header *header;
	uint64_t device, inode;
	struct mio_os_kept kept;
};

int mio_trace_file_open(const struct mio_trace_facts *facts, struct mio_trace_place *place);

/* Have the file system set space aside for blocks, and map them. -ESTALE: another file is there by now. */
int mio_trace_file_blocks(const struct mio_trace_facts *facts, struct mio_trace_place *place, uint64_t first, uint64_t count,
			  struct mio_trace_block **blocks);

/*
 * The process is about to change its rights or its root: from now on, in forked children too, the file is what is open, and not what its name leads to.
 */
void mio_trace_file_stay(struct mio_trace_place *place);

/* In a forked child, whose threads need it as well. */
void mio_trace_file_forked(const struct mio_trace_facts *facts, struct mio_trace_place *place);

/* Make sure that touching the bytes cannot fail. 0, or -errno: do not touch them. */
int mio_trace_file_populate(void *memory, size_t bytes);

void mio_trace_file_unmap(void *memory, size_t bytes);

#endif

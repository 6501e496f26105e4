/* The parts of slowfs: mount and time (slowfs.c), requests (slowfs_files.c), the files behind them (slowfs_nodes.c). */
#ifndef MIO_SLOWFS_H
#define MIO_SLOWFS_H

#include <linux/fuse.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

/* Bytes of the largest read and write: 256 pages, which is the most that Linux allows unasked. */
#define SLOW_BYTES_MAX (1 << 20)

/* A request, and memory for its answer. Each belongs to one thread. */
struct slow_request {
	struct fuse_in_header head;
	const char *argument; /* what follows the head */
	size_t argument_bytes;
	char *answer; /* SLOW_BYTES_MAX bytes, on a page's edge */
	size_t answer_bytes;
	int silent; /* nobody waits for an answer */
};

/* Makes the root node from the descriptor of an open directory. Returns 0 or -errno. */
int slow_nodes_begin(int root_fd);

/*
 * Returns the node of a file and counts one more look-up. The node owns fd from then on. Returns 0 if memory is short;
 * fd stays the caller's then.
 */
uint64_t slow_node_get(int fd, const struct stat *found);

/* The kernel forgets so many of its look-ups of the node; after the last one the node is freed. */
void slow_node_forget(uint64_t node, uint64_t lookups);

/*
 * Return the O_PATH descriptor of a node; and a name by which its file can be opened, or changed where a call takes no
 * such descriptor. The name is written to path.
 */
int slow_node_fd(uint64_t node);
const char *slow_node_path(uint64_t node, char path[40]);

/* Serves the request and fills its answer. Returns 0 or -errno. */
int slow_files_serve(struct slow_request *request);

/* Counts an open with O_DIRECT, for the line of counts. */
void slow_count_direct(void);

#endif

/* The parts of slowfs: mount and time (slowfs.c), requests (slowfs_files.c), the files behind them (slowfs_nodes.c). */
#ifndef MIO_SLOWFS_H
#define MIO_SLOWFS_H

#include <linux/fuse.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

/* Bytes of the largest read and write: 256 pages, which is the most that Linux allows unasked. */
#define SLOW_BYTES_MAX (1 << 20)

/* One request, and room for its answer; a thread's own. */
struct slow_request {
	struct fuse_in_header head;
	const char *argument; /* what follows the head */
	size_t argument_bytes;
	char *answer; /* SLOW_BYTES_MAX bytes, on a page's edge */
	size_t answer_bytes;
	int silent; /* nobody waits for an answer */
};

/* Makes the root from an open directory; 0 or -errno. */
int slow_nodes_begin(int root_fd);

/* The node of a file, looked up once more; fd becomes the node's. 0 without memory. */
uint64_t slow_node_get(int fd, const struct stat *found);

/* The kernel has forgotten so many of its look-ups. */
void slow_node_forget(uint64_t node, uint64_t lookups);

/* Its O_PATH descriptor, and the name by which it can be opened, or changed where a call takes no such descriptor. */
int slow_node_fd(uint64_t node);
const char *slow_node_path(uint64_t node, char path[40]);

/* Does what is asked, and fills the answer; 0 or -errno. */
int slow_files_serve(struct slow_request *request);

/* A file was opened with O_DIRECT: for the report. */
void slow_count_direct(void);

#endif

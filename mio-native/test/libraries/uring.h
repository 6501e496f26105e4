#ifndef MIO_TEST_URING_H
#define MIO_TEST_URING_H

#include <linux/io_uring.h>
#include <stddef.h>

/* A ring with one request at a time. */
struct io_uring {
	int fd;
	char *submissions, *completions;
	void *entries;
	struct io_uring_params params;
};

/* Functions of liburing. */
int io_uring_queue_init(unsigned int entries, struct io_uring *ring, unsigned int flags);
int io_uring_queue_init_params(unsigned int entries, struct io_uring *ring, struct io_uring_params *params);
int io_uring_queue_init_mem(unsigned int entries, struct io_uring *ring, struct io_uring_params *params, void *memory, size_t bytes);
int io_uring_setup(unsigned int entries, struct io_uring_params *params);

/* Maps the ring after io_uring_setup. Returns 0 or -errno. */
int ring_map(struct io_uring *ring, const struct io_uring_params *params);
/* Does one request. Returns the bytes moved, or -errno. */
long ring_request(struct io_uring *ring, int operation, int fd, void *memory, unsigned int bytes, long offset);

#endif

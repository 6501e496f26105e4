#ifndef MIO_TEST_URING_H
#define MIO_TEST_URING_H

#include <linux/io_uring.h>
#include <stddef.h>

/* A ring of one request at a time. */
struct io_uring {
	int fd;
	char *submissions, *completions;
	void *entries;
	struct io_uring_params params;
};

/* Of liburing. */
int io_uring_queue_init(unsigned int entries, struct io_uring *ring, unsigned int flags);
int io_uring_queue_init_params(unsigned int entries, struct io_uring *ring, struct io_uring_params *params);
int io_uring_queue_init_mem(unsigned int entries, struct io_uring *ring, struct io_uring_params *params, void *memory, size_t bytes);
int io_uring_setup(unsigned int entries, struct io_uring_params *params);

/* After io_uring_setup. 0 or -errno. */
int ring_map(struct io_uring *ring, const struct io_uring_params *params);
/* Bytes, or -errno. */
long ring_request(struct io_uring *ring, int operation, int fd, void *memory, unsigned int bytes, long offset);

#endif

#ifndef MIO_OS_URING_H
#define MIO_OS_URING_H

#include <stdint.h>

/*
 * One io_uring: positioned reads and writes, submitted in batches, completed in any order. Everything but
 * mio_os_uring_wake belongs to the one thread that opened the ring, and that thread has to live as long as the ring
 * does: the kernel cancels what a dead thread submitted.
 */
struct mio_os_uring;

/* A request is MIO_OS_URING_OP_WORDS numbers in this order. */
enum mio_os_uring_op {
	MIO_OS_URING_ID,		/* returned with the completion; not negative */
	MIO_OS_URING_ADDRESS,		/* of the memory, which stays valid until the completion */
	MIO_OS_URING_OFFSET,		/* in the file, bytes */
	MIO_OS_URING_LENGTH,		/* bytes, below 2 GiB */
	MIO_OS_URING_FD,
	MIO_OS_URING_WRITE,		/* 0 read, 1 write */
	MIO_OS_URING_FLAGS,		/* RWF_*, see preadv2(2) */
	MIO_OS_URING_COPIES,		/* 1: through the kernel's page cache, a long one is made by the kernel's threads; 0: direct */
	MIO_OS_URING_OP_WORDS
};

/* A completion is two numbers: the id, and the bytes moved or -errno. */
enum { MIO_OS_URING_DONE_WORDS = 2 };

/*
 * Sets up a ring for this many requests (1 to 4096, made a power of two by the kernel) and an eventfd to wake its
 * thread. Takes two descriptors, both close-on-exec; the ring's memory is not copied on fork. ring: written on success
 * alone. Returns 0, or -errno: -EPERM or -ENOSYS where the kernel, its settings or a sandbox do not allow it or lack
 * what is needed, -ENOMEM above the limit of locked memory, -EMFILE without descriptors.
 */
int mio_os_uring_open(unsigned int entries, struct mio_os_uring **ring);

/*
 * 0, or the -errno with which the kernel, its settings or a sandbox refuse every ring. Opens none: some milliseconds
 * after a ring is closed the kernel interrupts the thread that opened it, so that its epoll_wait would end with EINTR,
 * and its read of /dev/zero would be short.
 */
int mio_os_uring_refusal(void);

/*
 * Submits up to count requests and takes up to max completions. With wait not 0 it returns no earlier than there is a
 * completion, somebody has called mio_os_uring_wake, or a signal has come.
 *
 * ops: count times MIO_OS_URING_OP_WORDS. dones: room for max times MIO_OS_URING_DONE_WORDS, max at least 1. submitted:
 * how many of ops the kernel took, from the front; the others are as if they had never been given. In flight at any
 * time: at most the entries of the ring. Returns completions written, or -errno if none were; -EAGAIN and -EBUSY pass
 * by themselves.
 */
int mio_os_uring_enter(struct mio_os_uring *ring, const int64_t *ops, unsigned int count, int64_t *dones,
		       unsigned int max, int wait, unsigned int *submitted);

/* Makes the thread that waits in mio_os_uring_enter return, or the next such wait. Any thread. 0 or -errno. */
int mio_os_uring_wake(struct mio_os_uring *ring);

/* Where the ring keeps its two descriptors: whoever opened it may replace them by copies before anybody else uses it. */
void mio_os_uring_descriptors(struct mio_os_uring *ring, int **fd, int **event_fd);

/* Closes and frees the ring. Requests in flight must have completed, or the kernel goes on using their memory. */
void mio_os_uring_close(struct mio_os_uring *ring);

#endif

/*
 * The part of liburing that the tests need: the same names, signatures and results, and system calls in assembler, which no library
 * can intercept. Its struct io_uring differs from liburing's.
 */
#include "uring.h"

#include <errno.h>
#include <linux/io_uring.h>
#include <string.h>
#include <sys/mman.h>

enum { SETUP = 425, ENTER = 426 };

static long call(long number, long one, long two, long three, long four, long five, long six)
{
#if defined(__x86_64__)
	register long r10 __asm__("r10") = four;
	register long r8 __asm__("r8") = five;
	register long r9 __asm__("r9") = six;
	long result;

	__asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(one), "S"(two), "d"(three), "r"(r10), "r"(r8), "r"(r9) : "rcx", "r11", "memory");
	return result;
#elif defined(__aarch64__)
	register long x8 __asm__("x8") = number;
	register long x0 __asm__("x0") = one;
	register long x1 __asm__("x1") = two;
	register long x2 __asm__("x2") = three;
	register long x3 __asm__("x3") = four;
	register long x4 __asm__("x4") = five;
	register long x5 __asm__("x5") = six;

	__asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
	return x0;
#endif
}

int io_uring_setup(unsigned int entries, struct io_uring_params *params)
{
	return (int)call(SETUP, entries, (long)params, 0, 0, 0, 0);
}

static int begin(unsigned int entries, struct io_uring *ring, struct io_uring_params *params)
{
	ring->fd = (int)call(SETUP, entries, (long)params, 0, 0, 0, 0);
	return ring->fd < 0 ? ring->fd : ring_map(ring, params);
}

int io_uring_queue_init(unsigned int entries, struct io_uring *ring, unsigned int flags)
{
	struct io_uring_params params = {.flags = flags};

	return begin(entries, ring, &params);
}

int io_uring_queue_init_params(unsigned int entries, struct io_uring *ring, struct io_uring_params *params)
{
	return begin(entries, ring, params);
}

/* As in liburing, the result is the number of bytes of memory used, or -errno. */
int io_uring_queue_init_mem(unsigned int entries, struct io_uring *ring, struct io_uring_params *params, void *memory, size_t bytes)
{
	int rc = memory && bytes > 100 ? begin(entries, ring, params) : -ENOMEM;

	return rc < 0 ? rc : 100;
}

int ring_map(struct io_uring *ring, const struct io_uring_params *params)
{
	size_t submissions = params->sq_off.array + params->sq_entries * sizeof(unsigned int);
	size_t completions = params->cq_off.cqes + params->cq_entries * sizeof(struct io_uring_cqe);

	ring->submissions = mmap(NULL, submissions, PROT_READ | PROT_WRITE, MAP_SHARED, ring->fd, IORING_OFF_SQ_RING);
	ring->completions = mmap(NULL, completions, PROT_READ | PROT_WRITE, MAP_SHARED, ring->fd, IORING_OFF_CQ_RING);
	ring->entries = mmap(NULL, params->sq_entries * sizeof(struct io_uring_sqe), PROT_READ | PROT_WRITE, MAP_SHARED, ring->fd, IORING_OFF_SQES);
	ring->params = *params;
	return ring->submissions == MAP_FAILED || ring->completions == MAP_FAILED || ring->entries == MAP_FAILED ? -ENOMEM : 0;
}

long ring_request(struct io_uring *ring, int operation, int fd, void *memory, unsigned int bytes, long offset)
{
	unsigned int *tail = (unsigned int *)(ring->submissions + ring->params.sq_off.tail);
	unsigned int *head = (unsigned int *)(ring->completions + ring->params.cq_off.head);
	unsigned int index = *tail & (ring->params.sq_entries - 1);
	struct io_uring_sqe *entry = (struct io_uring_sqe *)ring->entries + index;
	struct io_uring_cqe *done = (struct io_uring_cqe *)(ring->completions + ring->params.cq_off.cqes) + (*head & (ring->params.cq_entries - 1));
	long result;

	memset(entry, 0, sizeof(*entry));
	entry->opcode = (unsigned char)operation;
	entry->fd = fd;
	entry->addr = (unsigned long)memory;
	entry->len = bytes;
	entry->off = (unsigned long)offset;
	((unsigned int *)(ring->submissions + ring->params.sq_off.array))[index] = index;
	__atomic_store_n(tail, *tail + 1, __ATOMIC_RELEASE);
	do {
		result = call(ENTER, ring->fd, 1, 1, IORING_ENTER_GETEVENTS, 0, 0);
	} while (result == -EINTR);
	if (result < 0)
		return result;
	result = done->res;
	__atomic_store_n(head, *head + 1, __ATOMIC_RELEASE);
	return result;
}

/* A ring of io_uring, made by syscall() when a file is open already, reads at the position of the file, which then moves past the bytes. */
#include "see.h"

#include <linux/io_uring.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

/* The number of bytes read, or -errno. */
static int ring_reads(int ring, const struct io_uring_params *params, int fd, char *text)
{
	size_t entries = params->sq_off.array + params->sq_entries * sizeof(unsigned int);
	size_t results = params->cq_off.cqes + params->cq_entries * sizeof(struct io_uring_cqe);
	char *rings = mmap(NULL, entries > results ? entries : results, PROT_READ | PROT_WRITE, MAP_SHARED, ring, IORING_OFF_SQ_RING);
	struct io_uring_sqe *request = mmap(NULL, params->sq_entries * sizeof(*request), PROT_READ | PROT_WRITE, MAP_SHARED, ring, IORING_OFF_SQES);

	MUST(rings != MAP_FAILED && request != MAP_FAILED && (params->features & IORING_FEAT_SINGLE_MMAP));
	memset(request, 0, sizeof(*request));
	request->opcode = IORING_OP_READ;
	request->fd = fd;
	request->addr = (uint64_t)(uintptr_t)text;
	request->len = 4;
	request->off = (uint64_t)-1;
	*(unsigned int *)(rings + params->sq_off.array) = 0;
	__atomic_store_n((unsigned int *)(rings + params->sq_off.tail), 1, __ATOMIC_RELEASE);
	MUST(syscall(SYS_io_uring_enter, ring, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0) == 1);
	return ((struct io_uring_cqe *)(rings + params->cq_off.cqes))->res;
}

int main(int argc, char **argv)
{
	struct io_uring_params params = {0};
	char text[5] = "";
	int fd, ring;

	begin(argc, argv);
	fd = open("file", O_RDWR | O_CREAT | O_TRUNC, 0600);
	MUST(write(fd, "aaaabbbbcccc", 12) == 12 && close(fd) == 0);
	fd = open("file", O_RDWR);
	MUST(read(fd, text, 4) == 4);
	ring = (int)syscall(SYS_io_uring_setup, 4, &params);
	/* Where rings are not allowed a plain read gives the same output. */
	say("%d", ring < 0 ? (int)read(fd, text, 4) : ring_reads(ring, &params, fd, text));
	say("%s", text);
	SEE(read(fd, text, 4));
	say("%s", text);
	SEE(close(fd));
	return 0;
}

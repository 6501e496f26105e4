/*
 * io_uring by its system calls, without liburing: MIO would not control its symbols and its version.
 *
 * Cases:
 *   A  Linux 6.1 and later: SINGLE_ISSUER and DEFER_TASKRUN, so that completions are processed by
 *      the thread that waits for them and interrupt nobody.
 *   B  older (EINVAL): a plain ring. Before 5.6 there are no plain reads and writes: the probe says
 *      so, and the ring is refused with ENOSYS.
 *   C  refused: EPERM, ENOSYS, ENOMEM, EMFILE; the caller does without.
 *
 * The wake-up: a read of an eventfd is always submitted, and its completion is consumed here. A submission leaves nothing behind: what the kernel
 * did not take is taken back from the ring.
 */
#include "os_uring.h"

#include <sys/mman.h>

#include "os_call.h"

#if defined(__has_include)
#if __has_include(<linux/io_uring.h>)
#include <linux/io_uring.h>
#include <sys/eventfd.h>
#endif
#endif

#ifdef IORING_OFF_SQES

#include <string.h>

#include "../common/memory.h"

/* The same numbers on every architecture but alpha. */
#define MIO_SYS_SETUP 425
#define MIO_SYS_ENTER 426
#define MIO_SYS_REGISTER 427

/* Not taken from the header, which is as old as the build machine's. */
#define MIO_SETUP_CLAMP (1U << 4)
#define MIO_SETUP_SINGLE_ISSUER (1U << 12)
#define MIO_SETUP_DEFER_TASKRUN (1U << 13)
#define MIO_FEAT_SINGLE_MMAP (1U << 0)
#define MIO_FEAT_NODROP (1U << 1)
#define MIO_REGISTER_PROBE 8
#define MIO_REGISTER_WORKERS 19
#define MIO_SQE_ASYNC (1U << 4)
#define MIO_OP_READ 22
#define MIO_OP_WRITE 23
#define MIO_OP_SUPPORTED (1U << 0)

#define ENTRIES_MAX 4096U
#define WAKE_ID UINT64_MAX
/* A copy of this many bytes takes longer than handing it to another thread. */
#define WORKER_BYTES_MIN ((int64_t)128 << 10)
/* The most threads of the kernel for such copies, each started when it is needed: where storage answers late, so many requests wait. */
#define WORKERS 32U

/* Wake-ups are read to here. Not in the ring, which may be freed before the kernel lets go of it. */
static uint64_t wake_count;

struct mio_os_uring {
	int fd;
	int event_fd;
	int wake_armed;
	unsigned int sq_mask;
	unsigned int sq_entries;
	unsigned int cq_mask;
	unsigned int *sq_head;
	unsigned int *sq_tail;
	unsigned int *sq_array;
	unsigned int *cq_head;
	unsigned int *cq_tail;
	struct io_uring_cqe *cqes;
	struct io_uring_sqe *sqes;
	void *rings;
	size_t rings_bytes;
	size_t sqes_bytes;
};

struct probe_op {
	uint8_t op;
	uint8_t reserved;
	uint16_t flags;
	uint32_t reserved2;
};

struct probe {
	uint8_t last_op;
	uint8_t ops_len;
	uint16_t reserved;
	uint32_t reserved2[3];
	struct probe_op ops[MIO_OP_WRITE + 1];
};

static int setup(unsigned int entries, struct io_uring_params *params)
{
	unsigned int flags = MIO_SETUP_CLAMP | MIO_SETUP_SINGLE_ISSUER | MIO_SETUP_DEFER_TASKRUN;
	long fd;

	for (;;) {
		memset(params, 0, sizeof(*params));
		params->flags = flags;
		fd = mio_raw2(MIO_SYS_SETUP, entries, params);
		if (fd != -EINVAL || flags == 0)
			return (int)fd;
		flags = flags == MIO_SETUP_CLAMP ? 0 : MIO_SETUP_CLAMP;
	}
}

/* True if the kernel reads and writes without vectors; that came together with the probe. */
static int reads_and_writes(int fd)
{
	struct probe probe;

	memset(&probe, 0, sizeof(probe));
	if (mio_raw4(MIO_SYS_REGISTER, fd, MIO_REGISTER_PROBE, &probe, MIO_OP_WRITE + 1) < 0)
		return 0;
	return (probe.ops[MIO_OP_READ].flags & MIO_OP_SUPPORTED) &&
	       (probe.ops[MIO_OP_WRITE].flags & MIO_OP_SUPPORTED);
}

/* Sets the limit of workers, which is four for each processor otherwise. Kernels before 5.15 keep that. */
static void allow_workers(int fd)
{
	/* The limit of workers for files; 0 leaves the one for everything else as it is. */
	uint32_t most[2] = {WORKERS, 0};

	mio_raw4(MIO_SYS_REGISTER, fd, MIO_REGISTER_WORKERS, most, 2);
}

/* Maps a part of the ring. 0 or -errno; *memory is written on success. */
static int map_ring(int fd, size_t bytes, uint64_t place, void **memory)
{
	long mapped = mio_os_call_map(bytes, MAP_SHARED | MAP_POPULATE, fd, place);

	if (mio_os_call_is_error(mapped))
		return (int)mapped;
	/* A child that touched the ring would take the parent's completions. */
	mio_raw3(SYS_madvise, mapped, bytes, MADV_DONTFORK);
	*memory = (void *)mapped;
	return 0;
}

static int map_rings(struct mio_os_uring *ring, const struct io_uring_params *params)
{
	size_t sq_bytes = params->sq_off.array + params->sq_entries * sizeof(unsigned int);
	size_t cq_bytes = params->cq_off.cqes + params->cq_entries * sizeof(struct io_uring_cqe);
	void *sqes;
	char *base;
	int rc;

	ring->rings_bytes = sq_bytes > cq_bytes ? sq_bytes : cq_bytes;
	ring->sqes_bytes = params->sq_entries * sizeof(struct io_uring_sqe);
	rc = map_ring(ring->fd, ring->rings_bytes, IORING_OFF_SQ_RING, &ring->rings);
	if (rc == 0)
		rc = map_ring(ring->fd, ring->sqes_bytes, IORING_OFF_SQES, &sqes);
	if (rc < 0)
		return rc;
	ring->sqes = sqes;
	base = ring->rings;
	ring->sq_head = (unsigned int *)(void *)(base + params->sq_off.head);
	ring->sq_tail = (unsigned int *)(void *)(base + params->sq_off.tail);
	ring->sq_array = (unsigned int *)(void *)(base + params->sq_off.array);
	ring->sq_mask = *(unsigned int *)(void *)(base + params->sq_off.ring_mask);
	ring->sq_entries = params->sq_entries;
	ring->cq_head = (unsigned int *)(void *)(base + params->cq_off.head);
	ring->cq_tail = (unsigned int *)(void *)(base + params->cq_off.tail);
	ring->cq_mask = *(unsigned int *)(void *)(base + params->cq_off.ring_mask);
	ring->cqes = (struct io_uring_cqe *)(void *)(base + params->cq_off.cqes);
	return 0;
}

static int open_parts(struct mio_os_uring *ring, unsigned int entries)
{
	const unsigned int needed = MIO_FEAT_SINGLE_MMAP | MIO_FEAT_NODROP;
	struct io_uring_params params;

	/* One more entry, for the wake-up. */
	ring->fd = setup(entries + 1, &params);
	if (ring->fd < 0)
		return ring->fd;
	if ((params.features & needed) != needed || !reads_and_writes(ring->fd))
		return -ENOSYS;
	allow_workers(ring->fd);
	ring->event_fd = (int)mio_raw2(SYS_eventfd2, 0, EFD_CLOEXEC);
	if (ring->event_fd < 0)
		return ring->event_fd;
	return map_rings(ring, &params);
}

int mio_os_uring_open(unsigned int entries, struct mio_os_uring **ring)
{
	struct mio_os_uring *opened;
	int rc;

	if (!ring || entries < 1 || entries > ENTRIES_MAX)
		return -EINVAL;
	opened = mio_memory_take(sizeof(*opened));
	if (!opened)
		return -ENOMEM;
	opened->fd = -1;
	opened->event_fd = -1;
	rc = open_parts(opened, entries);
	if (rc < 0)
		mio_os_uring_close(opened);
	else
		*ring = opened;
	return rc;
}

int mio_os_uring_refusal(void)
{
	struct io_uring_params params;
	long rc;

	memset(&params, 0, sizeof(params));
	/* A ring of no entries: a process that may have rings gets EINVAL. */
	rc = mio_raw2(MIO_SYS_SETUP, 0, &params);
	return rc == -EINVAL ? 0 : (int)rc;
}

void mio_os_uring_close(struct mio_os_uring *ring)
{
	if (!ring)
		return;
	if (ring->sqes)
		mio_raw2(SYS_munmap, ring->sqes, ring->sqes_bytes);
	if (ring->rings)
		mio_raw2(SYS_munmap, ring->rings, ring->rings_bytes);
	if (ring->fd >= 0)
		mio_os_call_close(ring->fd);
	if (ring->event_fd >= 0)
		mio_os_call_close(ring->event_fd);
	mio_memory_give(ring, sizeof(*ring));
}

void mio_os_uring_descriptors(struct mio_os_uring *ring, int **fd, int **event_fd)
{
	*fd = &ring->fd;
	*event_fd = &ring->event_fd;
}

/* The next entry, cleared. */
static struct io_uring_sqe *next_entry(struct mio_os_uring *ring, unsigned int tail)
{
	unsigned int index = tail & ring->sq_mask;
	struct io_uring_sqe *entry = &ring->sqes[index];

	memset(entry, 0, sizeof(*entry));
	ring->sq_array[index] = index;
	return entry;
}

static void put_wake(struct mio_os_uring *ring, unsigned int tail)
{
	struct io_uring_sqe *entry = next_entry(ring, tail);

	entry->opcode = MIO_OP_READ;
	entry->fd = ring->event_fd;
	entry->addr = (uint64_t)(uintptr_t)&wake_count;
	entry->len = sizeof(wake_count);
	entry->user_data = WAKE_ID;
}

static void put_op(struct mio_os_uring *ring, unsigned int tail, const int64_t *op)
{
	struct io_uring_sqe *entry = next_entry(ring, tail);

	entry->opcode = op[MIO_OS_URING_WRITE] ? MIO_OP_WRITE : MIO_OP_READ;
	entry->fd = (int32_t)op[MIO_OS_URING_FD];
	entry->off = (uint64_t)op[MIO_OS_URING_OFFSET];
	entry->addr = (uint64_t)op[MIO_OS_URING_ADDRESS];
	entry->len = (uint32_t)op[MIO_OS_URING_LENGTH];
	/* The type of this field differs between headers. */
	entry->rw_flags = (__typeof__(entry->rw_flags))op[MIO_OS_URING_FLAGS];
	entry->user_data = (uint64_t)op[MIO_OS_URING_ID];
	/* Otherwise the ring's thread would make one copy after the other. */
	if (op[MIO_OS_URING_COPIES] && op[MIO_OS_URING_LENGTH] >= WORKER_BYTES_MIN)
		entry->flags |= MIO_SQE_ASYNC;
}

/* Takes completions out. Returns how many were written; *woken is set if one was the wake-up. */
static unsigned int reap(struct mio_os_uring *ring, int64_t *dones, unsigned int max, int *woken)
{
	unsigned int head = *ring->cq_head;
	unsigned int tail = __atomic_load_n(ring->cq_tail, __ATOMIC_ACQUIRE);
	unsigned int taken = 0;

	while (head != tail && taken < max) {
		const struct io_uring_cqe *done = &ring->cqes[head & ring->cq_mask];

		if (done->user_data == WAKE_ID) {
			ring->wake_armed = 0;
			*woken = 1;
		} else {
			dones[taken * MIO_OS_URING_DONE_WORDS] = (int64_t)done->user_data;
			dones[taken * MIO_OS_URING_DONE_WORDS + 1] = done->res;
			taken++;
		}
		head++;
	}
	__atomic_store_n(ring->cq_head, head, __ATOMIC_RELEASE);
	return taken;
}

/*
 * Puts the requests into the ring, enters the kernel once, and takes back what it left. Returns 0 or -errno; taken: how many of the caller's
 * requests the kernel has.
 */
static int submit(struct mio_os_uring *ring, const int64_t *ops, unsigned int count, int wait, unsigned int *taken)
{
	unsigned int first = *ring->sq_tail;
	unsigned int tail = first;
	unsigned int wakes = ring->wake_armed ? 0 : 1;
	unsigned int room = ring->sq_entries - wakes;
	unsigned int consumed;
	unsigned int i;
	long rc;

	if (wakes)
		put_wake(ring, tail++);
	if (count > room)
		count = room;
	for (i = 0; i < count; i++)
		put_op(ring, tail++, ops + (size_t)i * MIO_OS_URING_OP_WORDS);
	__atomic_store_n(ring->sq_tail, tail, __ATOMIC_RELEASE);

	rc = mio_raw6(MIO_SYS_ENTER, ring->fd, (long)(tail - first), wait ? 1 : 0, IORING_ENTER_GETEVENTS, 0, 0);
	rc = rc < 0 ? rc : 0;

	consumed = __atomic_load_n(ring->sq_head, __ATOMIC_ACQUIRE) - first;
	__atomic_store_n(ring->sq_tail, first + consumed, __ATOMIC_RELEASE);
	if (wakes && consumed > 0)
		ring->wake_armed = 1;
	*taken = consumed > wakes ? consumed - wakes : 0;
	return (int)rc;
}

int mio_os_uring_enter(struct mio_os_uring *ring, const int64_t *ops, unsigned int count, int64_t *dones,
		       unsigned int max, int wait, unsigned int *submitted)
{
	unsigned int reaped = 0;
	unsigned int taken = 0;
	int woken = 0;
	int rc = 0;

	if (!ring || !dones || max < 1 || !submitted || (count > 0 && !ops))
		return -EFAULT;
	*submitted = 0;
	/* A completion that is there already must not be waited for. */
	reaped = reap(ring, dones, max, &woken);
	if (count > 0 || (reaped == 0 && !woken)) {
		rc = submit(ring, ops, count, wait && reaped == 0 && !woken, &taken);
		*submitted = taken;
		if (rc == -EINTR || rc == -ETIME)
			rc = 0;
		reaped += reap(ring, dones + (size_t)reaped * MIO_OS_URING_DONE_WORDS, max - reaped, &woken);
	}
	return reaped > 0 || rc == 0 ? (int)reaped : rc;
}

int mio_os_uring_wake(struct mio_os_uring *ring)
{
	const uint64_t one = 1;
	long rc;

	if (!ring)
		return -EFAULT;
	rc = mio_os_call_write(ring->event_fd, &one, sizeof(one));
	return rc < 0 ? (int)rc : 0;
}

#else /* headers from before io_uring */

int mio_os_uring_open(unsigned int entries, struct mio_os_uring **ring)
{
	(void)entries;
	(void)ring;
	return -ENOSYS;
}

int mio_os_uring_refusal(void)
{
	return -ENOSYS;
}

int mio_os_uring_enter(struct mio_os_uring *ring, const int64_t *ops, unsigned int count, int64_t *dones,
		       unsigned int max, int wait, unsigned int *submitted)
{
	(void)ring;
	(void)ops;
	(void)count;
	(void)dones;
	(void)max;
	(void)wait;
	(void)submitted;
	return -ENOSYS;
}

int mio_os_uring_wake(struct mio_os_uring *ring)
{
	(void)ring;
	return -ENOSYS;
}

void mio_os_uring_close(struct mio_os_uring *ring)
{
	(void)ring;
}

void mio_os_uring_descriptors(struct mio_os_uring *ring, int **fd, int **event_fd)
{
	static int none = -1;

	(void)ring;
	*fd = &none;
	*event_fd = &none;
}

#endif

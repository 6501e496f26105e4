/* Rings on files in MIO_TEST_DIR; skipped where the kernel or a sandbox does not allow rings. */
#include "../src/jvm/jvm_ring.h"
#include "../src/os/os_uring.h"
#include "assert.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define PIECE 4096
/* A request of this length is copied by the kernel's threads. */
#define LONG_PIECE (128 << 10)
#define PIECES 64

static unsigned char data[LONG_PIECE * PIECES];
static unsigned char seen[LONG_PIECE * PIECES];

#define OPEN_RING(ring, entries) \
	do { \
		int rc_ = mio_os_uring_open(entries, &(ring)); \
		if (rc_ == -EPERM || rc_ == -ENOSYS || rc_ == -ENOMEM) \
			SKIP("io_uring is not to be had here"); \
		ASSERT_EQUAL(0, rc_); \
	} while (0)

static int make_file(void)
{
	const char *dir = getenv("MIO_TEST_DIR");
	char file[4096];
	int fd;

	ASSERT(snprintf(file, sizeof(file), "%s/os_uring_test.XXXXXX", dir ? dir : ".") < (int)sizeof(file));
	fd = mkstemp(file);
	ASSERT(fd >= 0);
	unlink(file);
	return fd;
}

static void describe(int64_t *op, int64_t id, void *memory, int64_t offset, int64_t length, int fd, int is_write)
{
	op[MIO_OS_URING_ID] = id;
	op[MIO_OS_URING_ADDRESS] = (int64_t)(uintptr_t)memory;
	op[MIO_OS_URING_OFFSET] = offset;
	op[MIO_OS_URING_LENGTH] = length;
	op[MIO_OS_URING_FD] = fd;
	op[MIO_OS_URING_WRITE] = is_write;
	op[MIO_OS_URING_FLAGS] = 0;
	op[MIO_OS_URING_COPIES] = 1;
}

/* Transfers all pieces, the last one first, in batches as large as the ring takes. */
static void run_all(struct mio_os_uring *ring, int entries, int fd, unsigned char *memory, int piece_bytes, int is_write)
{
	int64_t ops[PIECES * MIO_OS_URING_OP_WORDS];
	int64_t dones[PIECES * MIO_OS_URING_DONE_WORDS];
	int next = 0;
	int in_flight = 0;
	int completed[PIECES] = {0};

	while (next < PIECES || in_flight > 0) {
		unsigned int submitted;
		int count = 0;
		int rc;
		int i;

		while (next + count < PIECES && in_flight + count < entries) {
			int piece = PIECES - 1 - (next + count);

			describe(ops + count * MIO_OS_URING_OP_WORDS, piece, memory + piece * piece_bytes,
				 (int64_t)piece * piece_bytes, piece_bytes, fd, is_write);
			count++;
		}
		rc = mio_os_uring_enter(ring, ops, (unsigned int)count, dones, 3, 1, &submitted);
		ASSERT(rc >= 0);
		next += (int)submitted;
		in_flight += (int)submitted - rc;
		for (i = 0; i < rc; i++) {
			ASSERT_EQUAL(piece_bytes, dones[i * MIO_OS_URING_DONE_WORDS + 1]);
			completed[dones[i * MIO_OS_URING_DONE_WORDS]]++;
		}
	}
	for (next = 0; next < PIECES; next++)
		ASSERT_EQUAL(1, completed[next]);
}

static void write_and_read(int piece_bytes)
{
	struct mio_os_uring *ring = NULL;
	size_t bytes = (size_t)piece_bytes * PIECES;
	int fd = make_file();
	size_t i;

	OPEN_RING(ring, 8);
	for (i = 0; i < bytes; i++)
		data[i] = (unsigned char)(i * 31 + i / 251);
	memset(seen, 0, bytes);
	run_all(ring, 8, fd, data, piece_bytes, 1);
	ASSERT_EQUAL(bytes, lseek(fd, 0, SEEK_END));
	run_all(ring, 8, fd, seen, piece_bytes, 0);
	ASSERT_EQUAL(0, memcmp(data, seen, bytes));
	mio_os_uring_close(ring);
	close(fd);
}

static void should_read_what_it_wrote_in_batches(void)
{
	write_and_read(PIECE);
}

static void should_read_what_it_wrote_through_the_kernels_threads(void)
{
	write_and_read(LONG_PIECE);
}

static void should_give_errors_and_short_counts_with_their_ids(void)
{
	struct mio_os_uring *ring = NULL;
	int64_t ops[2 * MIO_OS_URING_OP_WORDS];
	int64_t dones[2 * MIO_OS_URING_DONE_WORDS];
	unsigned int submitted;
	int fd = make_file();
	int got = 0;

	OPEN_RING(ring, 2);
	ASSERT_EQUAL(5, write(fd, "bytes", 5));
	describe(ops, 41, seen, 1, 100, fd, 0);
	describe(ops + MIO_OS_URING_OP_WORDS, 42, seen + 100, 0, 100, 1000000, 0);
	errno = ERANGE;
	got = mio_os_uring_enter(ring, ops, 2, dones, 2, 1, &submitted);
	ASSERT_EQUAL(ERANGE, errno);
	ASSERT_EQUAL(2, submitted);
	while (got < 2) {
		int more = mio_os_uring_enter(ring, NULL, 0, dones + got * MIO_OS_URING_DONE_WORDS, 1, 1, &submitted);

		ASSERT(more >= 0);
		got += more;
	}
	got = dones[0] == 41 ? 0 : MIO_OS_URING_DONE_WORDS;
	ASSERT_EQUAL(41, dones[got]);
	ASSERT_EQUAL(4, dones[got + 1]);
	got = MIO_OS_URING_DONE_WORDS - got;
	ASSERT_EQUAL(42, dones[got]);
	ASSERT_EQUAL(-EBADF, dones[got + 1]);
	mio_os_uring_close(ring);
	close(fd);
}

static void *wake_it(void *ring)
{
	return (void *)(intptr_t)mio_os_uring_wake(ring);
}

static void should_be_woken_by_another_thread_again_and_again(void)
{
	struct mio_os_uring *ring = NULL;
	int64_t dones[MIO_OS_URING_DONE_WORDS];
	int times;

	OPEN_RING(ring, 1);
	for (times = 0; times < 100; times++) {
		unsigned int submitted = 7;
		void *result = NULL;
		pthread_t thread;

		ASSERT_EQUAL(0, pthread_create(&thread, NULL, wake_it, ring));
		ASSERT_EQUAL(0, mio_os_uring_enter(ring, NULL, 0, dones, 1, 1, &submitted));
		ASSERT_EQUAL(0, submitted);
		pthread_join(thread, &result);
		ASSERT(result == NULL);
	}
	mio_os_uring_close(ring);
}

static void should_not_wait_when_a_wake_up_came_before(void)
{
	struct mio_os_uring *ring = NULL;
	int64_t dones[MIO_OS_URING_DONE_WORDS];
	unsigned int submitted;

	OPEN_RING(ring, 1);
	ASSERT_EQUAL(0, mio_os_uring_wake(ring));
	ASSERT_EQUAL(0, mio_os_uring_enter(ring, NULL, 0, dones, 1, 1, &submitted));
	mio_os_uring_close(ring);
}

static void should_take_back_what_the_kernel_did_not_take(void)
{
	struct mio_os_uring *ring = NULL;
	int64_t ops[8 * MIO_OS_URING_OP_WORDS];
	int64_t dones[8 * MIO_OS_URING_DONE_WORDS];
	unsigned int submitted = 0;
	int fd = make_file();
	int got;
	int i;

	/* The kernel rounds three entries up to four, one of which is for the wake-up. */
	OPEN_RING(ring, 3);
	for (i = 0; i < 8; i++)
		describe(ops + i * MIO_OS_URING_OP_WORDS, i, data + i, i, 1, fd, 1);
	got = mio_os_uring_enter(ring, ops, 8, dones, 8, 1, &submitted);
	ASSERT(got >= 1);
	ASSERT_EQUAL(3, submitted);
	while (got < 3) {
		unsigned int none;
		int more = mio_os_uring_enter(ring, NULL, 0, dones, 8, 1, &none);

		ASSERT(more >= 0);
		got += more;
	}
	ASSERT_EQUAL(3, lseek(fd, 0, SEEK_END));
	mio_os_uring_close(ring);
	close(fd);
}

/* Runs work in a child process, so that it may change its limits. Returns the child's exit status. */
static int in_child(int (*work)(void))
{
	int status = 0;
	pid_t child = fork();

	ASSERT(child >= 0);
	if (child == 0)
		_exit(work());
	ASSERT_EQUAL(child, waitpid(child, &status, 0));
	ASSERT(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static int open_without_descriptors(void)
{
	struct rlimit limit = {3, 3};
	struct mio_os_uring *ring = NULL;
	int64_t number = 0;

	while (dup(0) >= 0 && errno != EMFILE) {
		if (setrlimit(RLIMIT_NOFILE, &limit) < 0)
			return 99;
	}
	if (mio_os_uring_open(8, &ring) == 0 || ring)
		return 98;
	return -mio_jvm_ring_open(8, &number);
}

static void should_say_that_there_are_no_descriptors(void)
{
	struct mio_os_uring *ring = NULL;

	OPEN_RING(ring, 1);
	mio_os_uring_close(ring);
	ASSERT_EQUAL(0, mio_os_uring_refusal());
	ASSERT_EQUAL(EMFILE, in_child(open_without_descriptors));
}

static void should_close_what_it_opened(void)
{
	struct mio_os_uring *ring = NULL;
	int before = dup(0);
	int after;
	int i;

	close(before);
	for (i = 0; i < 50; i++) {
		OPEN_RING(ring, 16);
		mio_os_uring_close(ring);
	}
	after = dup(0);
	close(after);
	ASSERT_EQUAL(before, after);
	mio_os_uring_close(NULL);
}

static void should_refuse_what_makes_no_sense(void)
{
	struct mio_os_uring *ring = NULL;
	int64_t dones[2];
	unsigned int submitted;
	int32_t taken;

	ASSERT_EQUAL(-EINVAL, mio_os_uring_open(0, &ring));
	ASSERT_EQUAL(-EINVAL, mio_os_uring_open(5000, &ring));
	ASSERT_EQUAL(-EINVAL, mio_os_uring_open(1, NULL));
	ASSERT_EQUAL(-EFAULT, mio_os_uring_enter(NULL, NULL, 0, dones, 1, 0, &submitted));
	ASSERT_EQUAL(-EFAULT, mio_os_uring_wake(NULL));
	ASSERT_EQUAL(-EINVAL, mio_jvm_ring_open(-1, dones));
	ASSERT_EQUAL(-EINVAL, mio_jvm_ring_enter(0, NULL, -1, dones, 1, 0, &taken));
}

int main(void)
{
	RUN(should_read_what_it_wrote_in_batches);
	RUN(should_read_what_it_wrote_through_the_kernels_threads);
	RUN(should_give_errors_and_short_counts_with_their_ids);
	RUN(should_be_woken_by_another_thread_again_and_again);
	RUN(should_not_wait_when_a_wake_up_came_before);
	RUN(should_take_back_what_the_kernel_did_not_take);
	RUN(should_say_that_there_are_no_descriptors);
	RUN(should_close_what_it_opened);
	RUN(should_refuse_what_makes_no_sense);
	return TEST_RESULT();
}

/* What backends do when something is refused: rings, memory, threads, descriptors, space. Twin of UringBackendTest. */
#include "os_pieces.h"

#include "../src/os/os_own.h"
#include "../src/os/os_thread.h"
#include "../src/os/os_thread_kernel.h"

#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>

/* said and later: the messages of the first open, and of the second open after requests. */
static int write_some_and_hear(const char *label, const char *said, const char *later)
{
	int fd = test_file(test_build_dir(), NULL);
	struct mio_layer *layer = test_own_layer(fd, O_RDWR, 0, "", NULL);

	if (strcmp(test_said, said) != 0) {
		fprintf(stderr, "said \"%s\"\n", test_said);
		return 1;
	}
	for (int i = 0; i < 3; i++) {
		submit_writes(layer);
		check_written(fd);
	}
	if (strcmp(mio_os_engine(), label) != 0) {
		fprintf(stderr, "engine %s\n", mio_os_engine());
		return 2;
	}
	test_close(layer);
	layer = test_own_layer(fd, O_RDWR, 0, "", NULL);
	if (strcmp(test_said, later) != 0) {
		fprintf(stderr, "said \"%s\" later\n", test_said);
		return 3;
	}
	submit_writes(layer);
	check_written(fd);
	test_close(layer);
	/* The message comes only once. */
	layer = test_own_layer(fd, O_RDWR, 0, "", NULL);
	if (test_said[0])
		return 4;
	test_close(layer);
	mio_os_drain();
	close(fd);
	return 0;
}

static int write_some(const char *label, const char *said)
{
	return write_some_and_hear(label, said, "");
}

enum { IO_URING_SETUP = 425, IO_URING_ENTER = 426 };

static int run_without_rings(void)
{
	return test_refuse(IO_URING_SETUP, EPERM) ? 77
				  : write_some("threads", "io_uring: Operation not permitted; threads instead\n");
}

static int run_where_rings_are_unknown(void)
{
	return test_refuse(IO_URING_SETUP, ENOSYS) ? 77 : write_some("threads", "io_uring: Function not implemented; threads instead\n");
}

/* The kernel refuses rings only after the file has been opened. */
static int lose_rings_later(void)
{
	int fd = test_file(test_build_dir(), NULL);
	struct mio_layer *layer = test_own_layer(fd, O_RDWR, 0, "", NULL);

	if (test_refuse(IO_URING_SETUP, EPERM))
		return 77;
	for (int i = 0; i < 3; i++) {
		submit_writes(layer);
		check_written(fd);
	}
	test_close(layer);
	if (strcmp(mio_os_engine(), "threads") != 0)
		return 1;
	test_close(test_own_layer(fd, O_RDWR, 0, "", NULL));
	return strcmp(test_said, "io_uring: Operation not permitted; threads instead\n") == 0 ? 0 : 2;
}

/* The ring can be opened, but every request by it is refused. */
static int have_a_ring_that_does_nothing(void)
{
	int fd = test_file(test_build_dir(), NULL);
	struct mio_layer *layer = test_own_layer(fd, O_RDWR, 0, "", NULL);

	if (test_refuse(IO_URING_ENTER, EPERM))
		return 77;
	for (int i = 0; i < 3; i++) {
		submit_writes(layer);
		check_written(fd);
	}
	test_close(layer);
	mio_os_drain();
	for (int number = 0; number < 1000; number++)
		if (mio_os_is_own_descriptor(number))
			return 2;
	return strcmp(mio_os_engine(), "threads") == 0 ? 0 : 1;
}

/* Which descriptors of the ring somebody closes under the waiting thread: 1 the lower, 2 the higher, 3 both. */
static int closed_ones;

static int have_the_ring_closed(void)
{
	int fd = test_file(test_build_dir(), NULL);
	struct mio_layer *layer = test_own_layer(fd, O_RDWR, 0, "uring", NULL);
	int bit = 1;

	alarm(300);
	submit_writes(layer);
	check_written(fd);
	for (int number = 3; number < 1000; number++) {
		if (mio_os_backend_uring.has_descriptor(number)) {
			if (closed_ones & bit)
				close(number);
			bit *= 2;
		}
	}
	if (bit != 4)
		return 1;
	/* A thread that has not slept since then needs no wake-up: only the thread that wakes it notices that the eventfd is closed. */
	for (int i = 0; i < 3 || strcmp(mio_os_engine(), "threads") != 0; i++) {
		submit_writes(layer);
		check_written(fd);
	}
	test_close(layer);
	mio_os_drain();
	return 0;
}

static void should_lose_nothing_when_somebody_closes_the_ring(void)
{
	if (TEST_HAS_OWN_THREAD || !rings_serve_here())
		SKIP("io_uring is not to be had here");
	for (closed_ones = 1; closed_ones < 4; closed_ones++)
		for (int i = 0; i < 5; i++)
			ASSERT_EQUAL(0, test_in_child(have_the_ring_closed));
}

static void should_say_that_somebody_has_closed_the_files_descriptor(void)
{
	/* Takes the place of MIO's descriptor, so that no other file gets the number; nothing can be done with it. */
	int nothing = open("/", O_PATH);

	for (int backend = 0; backend < TEST_BACKENDS; backend++) {
		int fd = test_file(test_build_dir(), NULL);
		struct mio_os_own *own;
		struct mio_layer *layer;

		if (!test_has_backend(test_backends[backend]))
			continue;
		layer = test_own_layer(fd, O_RDWR, 0, test_backends[backend], &own);
		ASSERT(dup2(nothing, mio_os_descriptor_number(own->buffered)) >= 0);
		submit_writes(layer);
		for (int i = 0; i < PIECES; i++) {
			mio_io_wait(&requests[i]);
			ASSERT_EQUAL(-EBADF, requests[i].result);
		}
		ASSERT_EQUAL(-EBADF, layer->ops->read(layer, bytes, 10, 0));
		ASSERT_EQUAL(-EBADF, layer->ops->truncate(layer, 5));
		test_close(layer);
		close(fd);
	}
	close(nothing);
}

static void should_do_with_threads_where_rings_are_refused(void)
{
	int fd = test_file(test_build_dir(), NULL);
	enum mio_os_place place = mio_os_file_place(fd);
	int status;

	close(fd);
	if (place == MIO_OS_PLACE_REMOTE)
		SKIP("no ring is asked for, for files on servers and of FUSE");
	if (TEST_HAS_OWN_THREAD)
		SKIP("the sanitizer starts no threads in a forked child");
	status = test_in_child(run_without_rings);
	if (status == 77)
		SKIP("no seccomp here");
	ASSERT_EQUAL(0, status);
	ASSERT_EQUAL(0, test_in_child(run_where_rings_are_unknown));
	if (rings_serve_here()) {
		ASSERT_EQUAL(0, test_in_child(lose_rings_later));
		ASSERT_EQUAL(0, test_in_child(have_a_ring_that_does_nothing));
	}
}

static int run_without_locked_memory(void)
{
	struct rlimit none = {0, 0};

	if (setrlimit(RLIMIT_MEMLOCK, &none) < 0)
		return 4;
	/* Becomes a user to whom the limit applies. */
	if (geteuid() == 0 && chmod(test_build_dir(), 0777) == 0 && setresuid(65534, 65534, 65534) < 0)
		return 5;
	if (rings_serve_here())
		return write_some("io_uring", "");
	return write_some_and_hear("threads", "", "io_uring: Cannot allocate memory; threads instead\n");
}

static void should_do_without_locked_memory(void)
{
	struct stat before;

	if (TEST_HAS_OWN_THREAD)
		SKIP("the sanitizer starts no threads in a forked child");
	ASSERT_EQUAL(0, stat(test_build_dir(), &before));
	if (access(test_build_dir(), W_OK) != 0 || !rings_serve_here())
		SKIP("io_uring is not to be had here");
	ASSERT_EQUAL(0, test_in_child(run_without_locked_memory));
	ASSERT_EQUAL(0, chmod(test_build_dir(), before.st_mode & 07777));
}

static int run_without_threads(void)
{
	struct rlimit few = {1, 1};

	if (chmod(test_build_dir(), 0777) < 0 || setresuid(65533, 65533, 65533) < 0)
		return 77;
	if (setrlimit(RLIMIT_NPROC, &few) < 0)
		return 5;
	if (rings_serve_here() &&
	    write_some_and_hear("threads", "", "io_uring: Resource temporarily unavailable; threads instead\n") != 0)
		return 6;
	mio_os_backend_restrict("threads");
	return write_some("threads", "");
}

static void should_do_without_threads(void)
{
	struct stat before;

	if (geteuid() != 0 || TEST_HAS_OWN_THREAD)
		SKIP("not root, or a sanitizer with a thread of its own");
	ASSERT_EQUAL(0, stat(test_build_dir(), &before));
	ASSERT_EQUAL(0, test_in_child(run_without_threads));
	ASSERT_EQUAL(0, chmod(test_build_dir(), before.st_mode & 07777));
}

/* With 256 numbers, all but a few of which the program has taken. */
static int run_without_descriptors(void)
{
	struct rlimit limit = {256, 256};
	int fd = test_file(test_build_dir(), NULL);
	struct mio_layer *layer;

	if (setrlimit(RLIMIT_NOFILE, &limit) < 0)
		return 1;
	layer = test_own_layer(fd, O_RDWR, 0, TEST_HAS_OWN_THREAD ? "sync" : "", NULL);
	while (dup(0) >= 0)
		;
	for (int i = 0; i < 3; i++) {
		submit_writes(layer);
		check_written(fd);
	}
	test_close(layer);
	mio_os_drain();
	return 0;
}

/* Every number is taken when the ring is wanted; some are free again later. */
static int lack_descriptors_for_a_while(void)
{
	struct rlimit limit = {256, 256};
	int fd = test_file(test_build_dir(), NULL);
	struct mio_layer *layer;
	int first;

	alarm(300);
	if (setrlimit(RLIMIT_NOFILE, &limit) < 0)
		return 1;
	layer = test_own_layer(fd, O_RDWR, 0, "", NULL);
	first = dup(STDIN_FILENO);
	while (dup(0) >= 0)
		;
	submit_writes(layer);
	check_written(fd);
	if (strcmp(mio_os_engine(), "threads") != 0)
		return 2;
	for (int number = first; number < 256; number++)
		if (!mio_os_is_own_descriptor(number))
			close(number);
	test_close(layer);
	layer = test_own_layer(fd, O_RDWR, 0, "", NULL);
	if (strcmp(test_said, "io_uring: Too many open files; threads instead\n") != 0)
		return 3;
	while (strcmp(mio_os_engine(), "io_uring") != 0) {
		submit_writes(layer);
		check_written(fd);
	}
	test_close(layer);
	mio_os_drain();
	return 0;
}

static void should_have_a_ring_again_when_there_are_descriptors_for_it(void)
{
	if (TEST_HAS_OWN_THREAD || !rings_serve_here())
		SKIP("io_uring is not to be had here");
	ASSERT_EQUAL(0, test_in_child(lack_descriptors_for_a_while));
}

static void should_go_on_without_descriptors(void)
{
	ASSERT_EQUAL(0, test_in_child(run_without_descriptors));
}

static int fill_the_disk(void)
{
	char path[4096];
	const char *dir = test_build_dir();
	int rc = 0;

	ASSERT(snprintf(path, sizeof(path), "%s/os_refused_test.XXXXXX", dir) < (int)sizeof(path));
	if (!mkdtemp(path))
		return 1;
	if (unshare(CLONE_NEWNS) < 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
	    mount("none", path, "tmpfs", 0, "size=1m") < 0) {
		rmdir(path);
		return 77;
	}
	for (int backend = 0; backend < TEST_BACKENDS && rc == 0; backend++) {
		int fd = test_file(path, NULL);
		struct mio_layer *layer;
		int refused = 0;

		if (!test_has_backend(test_backends[backend]) || (TEST_HAS_OWN_THREAD && backend < 2))
			continue;
		layer = test_own_layer(fd, O_RDWR, 0, test_backends[backend], NULL);
		submit_writes(layer);
		for (int i = 0; i < PIECES; i++) {
			mio_io_wait(&requests[i]);
			if (requests[i].result == -ENOSPC)
				refused++;
			else if (requests[i].result != PIECE)
				rc = 2;
		}
		/* A megabyte has room for sixteen pieces. */
		if (refused < PIECES - 16 || refused == PIECES)
			rc = 3;
		if (layer->ops->write(layer, bytes, sizeof(bytes), 0) >= (int64_t)sizeof(bytes))
			rc = 4;
		if (layer->ops->reserve(layer, 0, 8 << 20) != -ENOSPC)
			rc = 5;
		test_close(layer);
		close(fd);
	}
	umount(path);
	rmdir(path);
	return rc;
}

static void should_report_a_full_disk(void)
{
	int status = test_in_child(fill_the_disk);

	if (status == 77)
		SKIP("may not mount");
	ASSERT_EQUAL(0, status);
}

static void run_all(void)
{
	if (TEST_MAY_FORK) {
		RUN(should_do_with_threads_where_rings_are_refused);
		RUN(should_lose_nothing_when_somebody_closes_the_ring);
		RUN(should_do_without_locked_memory);
		RUN(should_do_without_threads);
		RUN(should_go_on_without_descriptors);
		RUN(should_have_a_ring_again_when_there_are_descriptors_for_it);
		RUN(should_report_a_full_disk);
	} else {
		printf("skipped: what forks: not under this sanitizer\n");
	}
	RUN(should_say_that_somebody_has_closed_the_files_descriptor);
}

int main(void)
{
	run_all();
	if (!TEST_HAS_OWN_THREAD) {
		/* The same again with threads that the C library does not know. The thread sanitizer must know every thread. */
		mio_os_thread_kernel_allow();
		run_all();
	}
	return TEST_RESULT();
}

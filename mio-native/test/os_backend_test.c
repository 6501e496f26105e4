/* How backends are chosen, stopped and forked. For what they do when something is refused see os_refused_test.c. Twin of BackendsTest. */
#include "os_pieces.h"

#include "../src/os/os_own.h"
#include "../src/os/os_thread.h"
#include "../src/os/os_thread_kernel.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>

static void should_do_all_before_a_drain_returns_and_start_again(void)
{
	for (int backend = 0; backend < TEST_BACKENDS; backend++) {
		int fd = test_file(test_build_dir(), NULL);
		struct mio_layer *layer;

		if (!test_has_backend(test_backends[backend]))
			continue;
		layer = test_own_layer(fd, O_RDWR, backend % 2, test_backends[backend], NULL);
		for (int i = 0; i < 20; i++) {
			ASSERT_EQUAL(0, ftruncate(fd, 0));
			submit_writes(layer);
			mio_os_drain();
			ASSERT_EQUAL(PIECES, completed);
			ASSERT_EQUAL(1, threads());
			check_written(fd);
		}
		test_close(layer);
		close(fd);
	}
	mio_os_drain();
}

static void *drain_again_and_again(void *stop)
{
	while (!*(_Atomic int *)stop)
		mio_os_drain();
	return NULL;
}

static void should_lose_nothing_to_drains_by_other_threads(void)
{
	for (int backend = 0; backend < TEST_BACKENDS; backend++) {
		_Atomic int stop = 0;
		pthread_t drainers[2];
		int fd = test_file(test_build_dir(), NULL);
		struct mio_layer *layer;

		if (!test_has_backend(test_backends[backend]))
			continue;
		layer = test_own_layer(fd, O_RDWR, 0, test_backends[backend], NULL);
		for (int i = 0; i < 2; i++)
			ASSERT_EQUAL(0, pthread_create(&drainers[i], NULL, drain_again_and_again, &stop));
		for (int i = 0; i < 50; i++) {
			submit_writes(layer);
			check_written(fd);
		}
		stop = 1;
		for (int i = 0; i < 2; i++)
			pthread_join(drainers[i], NULL);
		test_close(layer);
		close(fd);
	}
}

/* unshare(2) requires for some things that the process has a single thread: neither MIO's threads nor the kernel's for a ring may be left. */
static int become_a_process_of_one_thread(void)
{
	for (int backend = 0; backend < TEST_BACKENDS; backend++) {
		int fd = test_file(test_build_dir(), NULL);
		struct mio_layer *layer;

		if (!test_has_backend(test_backends[backend]))
			continue;
		layer = test_own_layer(fd, O_RDWR, 0, test_backends[backend], NULL);
		for (int i = 0; i < 50; i++) {
			/* When the file has no pages in memory, the kernel lets threads of its own write. */
			if (ftruncate(fd, 0) < 0)
				return 2;
			submit_writes(layer);
			mio_os_drain();
			if (unshare(CLONE_THREAD) < 0)
				return errno == EINVAL ? 1 : 77;
			check_written(fd);
		}
		test_close(layer);
		close(fd);
	}
	return 0;
}

static void should_leave_a_process_of_one_thread_behind(void)
{
	int status;

	if (TEST_HAS_OWN_THREAD)
		SKIP("the sanitizer has a thread of its own");
	status = test_in_child(become_a_process_of_one_thread);
	if (status == 77)
		SKIP("unshare is not allowed");
	ASSERT_EQUAL(0, status);
}

static struct mio_layer *forked_layer;
static int forked_fd;

static int go_on_in_child(void)
{
	int fd = forked_fd;
	struct mio_layer *layer;

	/* The child cannot use the parent's open. */
	if (forked_layer->ops->read(forked_layer, bytes, 1, 0) != -EBADF)
		return 1;
	if (strcmp(mio_os_engine(), "sync") != 0)
		return 2;
	layer = test_own_layer(fd, O_RDWR, 0, TEST_HAS_OWN_THREAD ? "sync" : "", NULL);
	for (int i = 0; i < 3; i++) {
		submit_writes(layer);
		check_written(fd);
	}
	test_close(layer);
	mio_os_drain();
	return 0;
}

static void should_go_on_in_parent_and_child_when_forked_with_requests_on_their_way(void)
{
	for (int backend = 0; backend < TEST_BACKENDS; backend++) {
		int fd = test_file(test_build_dir(), NULL);

		if (!test_has_backend(test_backends[backend]))
			continue;
		forked_fd = fd;
		forked_layer = test_own_layer(fd, O_RDWR, 0, test_backends[backend], NULL);
		for (int i = 0; i < 5; i++) {
			submit_writes(forked_layer);
			ASSERT_EQUAL(0, test_in_child(go_on_in_child));
			check_written(fd);
		}
		test_close(forked_layer);
		close(fd);
	}
	mio_os_drain();
}

/* Submits the next part of the file from the completion of the one before. */
static void submit_next(struct mio_io *io, void *context)
{
	struct mio_layer *layer = context;

	if (io->result > 0 && io < &requests[PIECES - 1]) {
		mio_io_init(io + 1, 0, io[1].memory, PIECE, io[1].offset, submit_next, layer);
		if (layer->ops->submit(layer, io + 1) < 0)
			mio_io_complete(io + 1, -ECANCELED);
	}
}

static void should_take_requests_from_completions(void)
{
	for (int backend = 0; backend < TEST_BACKENDS; backend++) {
		int fd = test_file(test_build_dir(), NULL);
		struct mio_layer *layer;

		if (!test_has_backend(test_backends[backend]))
			continue;
		layer = test_own_layer(fd, O_RDWR, 0, test_backends[backend], NULL);
		submit_writes(layer);
		check_written(fd);
		memset(bytes, 0, sizeof(bytes));
		for (int i = 0; i < PIECES; i++)
			mio_io_init(&requests[i], 0, bytes + i * PIECE, PIECE, (int64_t)i * PIECE, submit_next, layer);
		ASSERT_EQUAL(0, layer->ops->submit(layer, &requests[0]));
		for (int i = 0; i < PIECES; i++) {
			mio_io_wait(&requests[i]);
			ASSERT_EQUAL(PIECE, requests[i].result);
			ASSERT_EQUAL(i + 1, bytes[i * PIECE]);
			ASSERT_EQUAL(i + 1, bytes[i * PIECE + PIECE - 1]);
		}
		test_close(layer);
		close(fd);
	}
	mio_os_drain();
}

static void should_choose_what_it_is_restricted_to(void)
{
	int fd = test_file(test_build_dir(), NULL);
	struct mio_os_wish wish = {.asynchronous = 0};
	struct mio_os_own *own;
	struct mio_layer *layer;

	ASSERT_EQUAL(-EINVAL, mio_os_backend_restrict("thread"));
	layer = test_own_layer(fd, O_RDWR, 0, "threads", &own);
	ASSERT(own->backend == &mio_os_backend_threads);
	test_close(layer);
	layer = test_own_layer(fd, O_RDWR, 0, "sync", &own);
	ASSERT(own->backend == &mio_os_backend_sync);
	test_close(layer);
	layer = test_own_layer(fd, O_RDWR, 0, "uring", &own);
	if (rings_serve_here()) {
		ASSERT(own->backend == &mio_os_backend_uring);
		ASSERT_EQUAL(0, strcmp("io_uring", mio_os_engine()));
	} else {
		ASSERT(own->backend == &mio_os_backend_threads);
	}
	test_close(layer);
	/* The wish asks for nothing asynchronous. */
	ASSERT_EQUAL(0, mio_os_backend_restrict(""));
	ASSERT_EQUAL(0, mio_os_own_open(fd, O_RDWR, "test", &wish, NULL, NULL, &own));
	ASSERT(own->backend == &mio_os_backend_sync);
	mio_os_own_close(own);
	close(fd);
}

static void should_block_all_signals_in_its_threads(void)
{
	for (int backend = 0; backend < 2; backend++) {
		char line[256];
		int fd = test_file(test_build_dir(), NULL);
		struct mio_layer *layer;
		struct dirent *task;
		DIR *all;
		int found = 0;

		if (!test_has_backend(test_backends[backend]))
			continue;
		mio_os_drain();
		layer = test_own_layer(fd, O_RDWR, 0, test_backends[backend], NULL);
		submit_writes(layer);
		check_written(fd);
		all = opendir("/proc/self/task");
		ASSERT(all);
		while ((task = readdir(all)) != NULL) {
			unsigned long long blocked = 0;
			int is_own = 0;
			FILE *status;

			snprintf(line, sizeof(line), "/proc/self/task/%.16s/status", task->d_name);
			status = fopen(line, "r");
			while (status && fgets(line, sizeof(line), status)) {
				is_own |= strcmp(line, "Name:\tmio-io\n") == 0;
				if (strncmp(line, "SigBlk:", 7) == 0)
					blocked = strtoull(line + 7, NULL, 16);
			}
			if (status)
				fclose(status);
			if (is_own) {
				found++;
				/* All signals but the two that the C library keeps for itself (32, 33), and KILL and STOP. */
				ASSERT_EQUAL(0, ~blocked & ~(0x3ULL << 31) & ~(1ULL << (SIGKILL - 1)) &
						       ~(1ULL << (SIGSTOP - 1)));
			}
		}
		closedir(all);
		ASSERT(found > 0);
		test_close(layer);
		close(fd);
	}
	mio_os_drain();
}

static void run_in_children(void)
{
	RUN(should_leave_a_process_of_one_thread_behind);
	RUN(should_go_on_in_parent_and_child_when_forked_with_requests_on_their_way);
}

static void run_all(void)
{
	if (TEST_MAY_FORK)
		run_in_children();
	else
		printf("skipped: what forks: not under this sanitizer\n");
	RUN(should_choose_what_it_is_restricted_to);
	RUN(should_do_all_before_a_drain_returns_and_start_again);
	RUN(should_lose_nothing_to_drains_by_other_threads);
	RUN(should_take_requests_from_completions);
	RUN(should_block_all_signals_in_its_threads);
}

/* A submit that has not noticed mio_os_stop may come when the threads have ended already. */
static void should_do_without_threads_for_as_long_as_none_may_begin(void)
{
	for (int backend = 0; backend < TEST_BACKENDS; backend++) {
		int fd = test_file(test_build_dir(), NULL);
		struct mio_layer *layer;

		if (!test_has_backend(test_backends[backend]))
			continue;
		layer = test_own_layer(fd, O_RDWR, 0, test_backends[backend], NULL);
		mio_os_thread_kernel_stop();
		mio_os_drain();
		submit_writes(layer);
		check_written(fd);
		ASSERT_EQUAL(1, threads());
		ASSERT_EQUAL(0, mio_os_backend_uring.failure());
		mio_os_thread_kernel_go_on();
		submit_writes(layer);
		check_written(fd);
		ASSERT(threads() > 1 || strcmp(test_backends[backend], "sync") == 0);
		test_close(layer);
		close(fd);
		mio_os_drain();
	}
}

int main(void)
{
	run_all();
	if (!TEST_HAS_OWN_THREAD) {
		/* The same again with threads that the C library does not know. The thread sanitizer must know every thread. */
		mio_os_thread_kernel_allow();
		run_all();
		if (mio_os_thread_kernel_is_allowed())
			RUN(should_do_without_threads_for_as_long_as_none_may_begin);
	}
	return TEST_RESULT();
}

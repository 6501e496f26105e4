/*
 * What every backend returns when there is nothing to read or write: a closed file, one not open for it, one too large, no file.
 * Twin of BackendFileTest.
 */
#include "os_cases.h"

#include <signal.h>
#include <sys/resource.h>

static void should_refuse_late_calls(void)
{
	FOR_EACH(each) {
		int fd = test_file(each->dir, NULL);
		struct mio_layer *layer = test_own_layer(fd, O_RDWR, each->direct, each->backend, NULL);
		struct iovec part = {.iov_base = seen, .iov_len = 10};
		struct mio_io io;
		struct mio_io *list[] = {&io};

		ASSERT_EQUAL(0, layer->ops->close(layer));
		ASSERT_EQUAL(-EBADF, layer->ops->read(layer, seen, 10, 0));
		ASSERT_EQUAL(-EBADF, layer->ops->write(layer, seen, 10, 0));
		ASSERT_EQUAL(-EBADF, layer->ops->readv(layer, &part, 1, 0));
		ASSERT_EQUAL(-EBADF, layer->ops->writev(layer, &part, 1, 0));
		ASSERT_EQUAL(-EBADF, layer->ops->writev(layer, &part, 1, MIO_LAYER_APPEND));
		ASSERT_EQUAL(-EBADF, layer->ops->size(layer));
		ASSERT_EQUAL(-EBADF, layer->ops->flush(layer, 1));
		ASSERT_EQUAL(-EBADF, layer->ops->truncate(layer, 0));
		ASSERT_EQUAL(-EBADF, layer->ops->reserve(layer, 0, 1));
		mio_io_init(&io, 0, seen, 10, 0, NULL, NULL);
		ASSERT_EQUAL(-EBADF, layer->ops->submit(layer, &io));
		ASSERT(!mio_io_is_done(&io));
		layer->ops->submit_all(layer, list, 1);
		ASSERT(mio_io_is_done(&io));
		ASSERT_EQUAL(-EBADF, io.result);
		layer->ops->release(layer);
		close(fd);
	}
}

static void should_hold_its_descriptors_until_the_last_open_is_closed(void)
{
	FOR_EACH(each) {
		int fd = test_file(each->dir, NULL);
		struct mio_os_own *own;
		struct mio_layer *first = test_own_layer(fd, O_RDWR, each->direct, each->backend, &own);
		int one = mio_os_own_is_direct(own) ? 2 : 1;
		struct mio_layer *second = test_own_layer(fd, O_RDWR, each->direct, each->backend, NULL);
		struct mio_layer *reader;
		int before;

		ASSERT_EQUAL(1 + one, test_descriptors(fd));
		reader = test_own_layer(fd, O_RDONLY, each->direct, each->backend, NULL);
		ASSERT_EQUAL(1 + 2 * one, test_descriptors(fd));
		test_close(first);
		test_close(reader);
		ASSERT_EQUAL(1 + 2 * one, test_descriptors(fd));
		ASSERT_EQUAL(1, transfer(second, 1, 1, expected, 1, 0));
		test_close(second);
		ASSERT_EQUAL(1, test_descriptors(fd));
		before = test_descriptors(-1);
		for (int i = 0; i < 20; i++)
			test_close(test_own_layer(fd, O_RDWR, each->direct, each->backend, NULL));
		ASSERT_EQUAL(before, test_descriptors(-1));
		close(fd);
	}
}

static void should_not_write_to_a_file_open_for_reading(void)
{
	FOR_EACH(each) {
		char path[4096];
		int fd = test_file(each->dir, path);
		int reads = open(path, O_RDONLY);
		struct mio_layer *layer = test_own_layer(reads, O_RDONLY, each->direct, each->backend, NULL);
		struct iovec part = {.iov_base = expected, .iov_len = 5};

		unlink(path);
		ASSERT_EQUAL(10, write(fd, "0123456789", 10));
		ASSERT_EQUAL(-EBADF, transfer(layer, 0, 1, expected, 5, 0));
		ASSERT_EQUAL(-EBADF, transfer(layer, 1, 1, expected, 5, 0));
		ASSERT_EQUAL(-EBADF, layer->ops->writev(layer, &part, 1, MIO_LAYER_APPEND));
		ASSERT_EQUAL(-EINVAL, transfer(layer, 0, 0, seen, 5, -7));
		ASSERT_EQUAL(-EINVAL, transfer(layer, 1, 0, seen, 5, -7));
		ASSERT_EQUAL(-EINVAL, layer->ops->truncate(layer, 3));
		ASSERT_EQUAL(10, transfer(layer, 0, 0, seen, 20, 0));
		ASSERT_EQUAL(0, memcmp(seen, "0123456789", 10));
		test_close(layer);
		close(reads);
		close(fd);
	}
}

static void should_say_that_a_file_would_be_too_large(void)
{
	FOR_EACH(each) {
		int fd;
		struct mio_layer *layer;

		fd = test_file(each->dir, NULL);
		/* In memory, on XFS and on btrfs a file may be as large as numbers go. */
		if (pwrite(fd, expected, 4096, INT64_MAX - 8191) == 4096) {
			close(fd);
			continue;
		}
		layer = test_own_layer(fd, O_RDWR, each->direct, each->backend, NULL);
		for (int submits = 0; submits < 2; submits++) {
			int64_t rc = transfer(layer, submits, 1, expected, 4096, INT64_MAX - 8191);

			ASSERT(rc == -EFBIG || rc == -EINVAL);
		}
		ASSERT_EQUAL(0, layer->ops->size(layer));
		test_close(layer);
		close(fd);
	}
}

static void should_reserve_without_changing_the_size(void)
{
	FOR_EACH(each) {
		int fd = test_file(each->dir, NULL);
		struct mio_layer *layer = test_own_layer(fd, O_RDWR, each->direct, each->backend, NULL);
		int rc = layer->ops->reserve(layer, 0, 1 << 20);

		ASSERT(rc == 1 || rc == 0);
		ASSERT_EQUAL(1, layer->ops->reserve(layer, 0, 0));
		/* If the file system reserves nothing, the kernel may report this error or not. */
		if (rc == 1)
			ASSERT_EQUAL(-EFBIG, layer->ops->reserve(layer, INT64_MAX - 10, 100));
		ASSERT_EQUAL(0, layer->ops->size(layer));
		test_close(layer);
		close(fd);
	}
}

static int read_what_can_only_be_written(void)
{
	char path[4096];
	int fd = test_file("/dev/shm", path);
	struct mio_os_own *own;
	struct mio_layer *layer;
	int writes;

	if (fchmod(fd, 0200) < 0 || fchown(fd, 65534, 65534) < 0 || setresuid(65534, 65534, 65534) < 0)
		return 1;
	writes = open(path, O_WRONLY);
	if (writes < 0)
		return 2;
	layer = test_own_layer(writes, O_WRONLY, 0, "sync", &own);
	if (own->readable || !own->writable)
		return 3;
	if (transfer(layer, 1, 1, expected, 10, 0) != 10 || transfer(layer, 1, 0, seen, 10, 0) != -EBADF)
		return 4;
	test_close(layer);
	/* Now the file cannot be opened for writing either: a copy of the program's descriptor serves. */
	if (fchmod(fd, 0) < 0)
		return 5;
	layer = test_own_layer(writes, O_WRONLY, 0, "sync", &own);
	if (transfer(layer, 1, 1, expected, 10, 10) != 10 || layer->ops->size(layer) != 20)
		return 6;
	test_close(layer);
	return 0;
}

static void should_write_what_can_only_be_written(void)
{
	char path[4096];
	int fd;
	int writes;
	struct mio_os_own *own;
	struct mio_layer *layer;

	fd = test_file(test_build_dir(), path);
	writes = open(path, O_WRONLY);
	unlink(path);
	layer = test_own_layer(writes, O_WRONLY, 0, "threads", &own);
	/* The file's mode allows MIO to read it. */
	ASSERT(own->readable);
	ASSERT_EQUAL(5, transfer(layer, 1, 1, expected, 5, 0));
	ASSERT_EQUAL(5, transfer(layer, 1, 0, seen, 10, 0));
	test_close(layer);
	close(writes);
	close(fd);
	if (geteuid() != 0 || access("/dev/shm", W_OK) != 0)
		SKIP("not root, or no /dev/shm to write to");
	ASSERT_EQUAL(0, test_in_child(read_what_can_only_be_written));
	/* The child, as the file's owner, could not remove it because the directory is sticky. */
	ASSERT_EQUAL(0, system("rm -f /dev/shm/os_test.??????"));
}

static void should_serve_a_file_whose_name_is_gone_and_nothing_that_is_no_file(void)
{
	struct mio_os_wish wish = {.asynchronous = 1};
	struct mio_os_own *own = NULL;
	int ends[2];

	ASSERT_EQUAL(0, pipe(ends));
	ASSERT_EQUAL(1, mio_os_own_open(ends[0], O_RDONLY, "pipe", &wish, test_say, NULL, &own));
	ASSERT(!own);
	close(ends[0]);
	close(ends[1]);
	ASSERT_EQUAL(-EBADF, mio_os_own_open(ends[0], O_RDONLY, "gone", &wish, NULL, NULL, &own));
	mio_os_own_close(NULL);
}

/* With a limit of 10000 bytes: what fits is written and reported, then the error follows. */
static int write_over_the_limit(void)
{
	struct rlimit limit = {10000, 10000};

	signal(SIGXFSZ, SIG_IGN);
	if (setrlimit(RLIMIT_FSIZE, &limit) < 0)
		return 1;
	FOR_EACH(each) {
		int fd = test_file(each->dir, NULL);
		const char *backend = TEST_HAS_OWN_THREAD ? "sync" : each->backend;
		struct mio_layer *layer = test_own_layer(fd, O_RDWR, each->direct, backend, NULL);
		int64_t rc = layer->ops->write(layer, expected, 8192, 4096);

		if (rc != 10000 - 4096)
			return 2;
		if (layer->ops->write(layer, expected, 10, 10000) != -EFBIG)
			return 3;
		if (transfer(layer, 1, 1, expected, 4096, 12288) != -EFBIG)
			return 4;
		if (layer->ops->reserve(layer, 8192, 4096) != -EFBIG)
			return 5;
		if (layer->ops->size(layer) != 10000)
			return 6;
		test_close(layer);
		close(fd);
	}
	mio_os_drain();
	return 0;
}

static void should_tell_what_was_written_before_the_limit(void)
{
	ASSERT_EQUAL(0, test_in_child(write_over_the_limit));
}

int main(void)
{
	find_cases();
	RUN(should_refuse_late_calls);
	RUN(should_hold_its_descriptors_until_the_last_open_is_closed);
	RUN(should_not_write_to_a_file_open_for_reading);
	RUN(should_say_that_a_file_would_be_too_large);
	RUN(should_reserve_without_changing_the_size);
	RUN(should_write_what_can_only_be_written);
	RUN(should_serve_a_file_whose_name_is_gone_and_nothing_that_is_no_file);
	mio_os_drain();
	RUN(should_tell_what_was_written_before_the_limit);
	return TEST_RESULT();
}

/* What every backend does, direct and buffered, on disk and in memory. Twin of BackendFileTest. */
#include "os_files.h"

#include "../src/os/os_own.h"

#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <time.h>

enum { SIZE = 300001, ROOM = SIZE + 1000000 };

struct test_case {
	const char *backend;
	int direct;
	const char *dir;
};

static struct test_case cases[TEST_BACKENDS * 4];
static int case_count;

static unsigned char expected[ROOM];
static unsigned char seen[ROOM + 16384];

static void find_cases(void)
{
	const char *const dirs[] = {test_build_dir(), "/dev/shm"};

	for (int backend = 0; backend < TEST_BACKENDS; backend++)
		for (int dir = 0; dir < 2; dir++)
			for (int direct = 0; direct < 2; direct++)
				if (test_has_backend(test_backends[backend]) && access(dirs[dir], W_OK) == 0)
					cases[case_count++] =
						(struct test_case){test_backends[backend], direct, dirs[dir]};
}

static int in_memory(const struct test_case *each)
{
	return strcmp(each->dir, "/dev/shm") == 0;
}

#define FOR_EACH(each) for (const struct test_case *each = cases; each < cases + case_count; each++)

static void fill(unsigned char *bytes, size_t count, uint64_t seed)
{
	for (size_t i = 0; i < count; i++)
		bytes[i] = (unsigned char)test_random(&seed);
}

static unsigned char *frame(size_t bytes)
{
	void *memory = NULL;

	ASSERT_EQUAL(0, posix_memalign(&memory, 4096, bytes));
	return memory;
}

static int64_t transfer(struct mio_layer *layer, int submits, int write, void *memory, size_t length, int64_t offset)
{
	struct mio_io io;

	if (!submits)
		return write ? layer->ops->write(layer, memory, length, offset)
			     : layer->ops->read(layer, memory, length, offset);
	mio_io_init(&io, write, memory, length, offset, NULL, NULL);
	ASSERT_EQUAL(0, layer->ops->submit(layer, &io));
	layer->ops->await(layer, &io, 1);
	ASSERT(mio_io_is_done(&io));
	return io.result;
}

static size_t random_length(uint64_t *random)
{
	switch (test_random(random) % 3) {
	case 0:
		return test_random(random) % 3000;
	case 1:
		return 512 * (test_random(random) % 100);
	default:
		return 4096 * (test_random(random) % 40);
	}
}

/* seen, misaligned or not; what was asked must be what a plain file has. */
static void exercise(const struct test_case *each, uint64_t random)
{
	int fd = test_file(each->dir, NULL);
	struct mio_layer *layer;
	unsigned char *memory = frame(sizeof(seen));
	size_t size = SIZE;

	memset(expected, 0, sizeof(expected));
	fill(expected, SIZE, random);
	ASSERT_EQUAL(SIZE, write(fd, expected, SIZE));
	layer = test_own_layer(fd, O_RDWR, each->direct, each->backend, NULL);
	for (int i = 0; i < 600; i++) {
		size_t length = random_length(&random);
		size_t offset = test_random(&random) % 2 ? test_random(&random) % (SIZE + 5000)
							 : 512 * (test_random(&random) % 700);
		size_t skip = test_random(&random) % 2 ? test_random(&random) % 700 : 0;
		int submits = test_random(&random) % 2 != 0;

		memory[skip + length] = 0x5a;
		if (test_random(&random) % 2) {
			size_t there = offset < size ? size - offset : 0;

			if (there > length)
				there = length;
			ASSERT_EQUAL(there, transfer(layer, submits, 0, memory + skip, length, (int64_t)offset));
			ASSERT_EQUAL(0, memcmp(memory + skip, expected + offset, there));
		} else {
			fill(memory + skip, length, random);
			memcpy(expected + offset, memory + skip, length);
			ASSERT_EQUAL(length, transfer(layer, submits, 1, memory + skip, length, (int64_t)offset));
			if (length > 0 && offset + length > size)
				size = offset + length;
		}
		ASSERT_EQUAL(0x5a, memory[skip + length]);
	}
	ASSERT_EQUAL(size, layer->ops->size(layer));
	ASSERT_EQUAL(size, pread(fd, seen, sizeof(seen), 0));
	ASSERT_EQUAL(0, memcmp(seen, expected, size));
	test_close(layer);
	close(fd);
	free(memory);
}

static void should_read_and_write_any_bytes_anywhere(void)
{
	struct timespec now;
	uint64_t seed;

	clock_gettime(CLOCK_REALTIME, &now);
	seed = (uint64_t)now.tv_nsec;
	printf("seed %llu\n", (unsigned long long)seed);
	FOR_EACH(each)
		exercise(each, seed++);
}

static void should_keep_the_size_exact_at_an_odd_end(void)
{
	FOR_EACH(each) {
		int fd = test_file(each->dir, NULL);
		struct mio_layer *layer = test_own_layer(fd, O_RDWR, each->direct, each->backend, NULL);
		unsigned char *memory = frame(200000);

		fill(memory, 70001, 3);
		memcpy(expected, memory, 70001);
		ASSERT_EQUAL(70001, transfer(layer, 1, 1, memory, 70001, 0));
		ASSERT_EQUAL(70001, pread(fd, seen, sizeof(seen), 0));
		ASSERT_EQUAL(0, memcmp(seen, expected, 70001));
		for (int submits = 0; submits < 2; submits++) {
			ASSERT_EQUAL(70001, transfer(layer, submits, 0, memory, 200000, 0));
			ASSERT_EQUAL(0, transfer(layer, submits, 0, memory, 200000, 70001));
			ASSERT_EQUAL(0, transfer(layer, submits, 0, memory, 200000, (int64_t)1 << 40));
			ASSERT_EQUAL(0, transfer(layer, submits, 0, memory, 0, 0));
		}
		ASSERT_EQUAL(0, layer->ops->truncate(layer, 69000));
		ASSERT_EQUAL(69000, layer->ops->size(layer));
		ASSERT_EQUAL(0, layer->ops->truncate(layer, 80000));
		ASSERT_EQUAL(80000, layer->ops->size(layer));
		ASSERT_EQUAL(11000, transfer(layer, 0, 0, memory, 20000, 69000));
		for (int i = 0; i < 11000; i++)
			ASSERT_EQUAL(0, memory[i]);
		ASSERT_EQUAL(0, layer->ops->flush(layer, 1));
		ASSERT_EQUAL(0, layer->ops->flush(layer, 0));
		test_close(layer);
		ASSERT_EQUAL(80000, lseek(fd, 0, SEEK_END));
		close(fd);
		free(memory);
	}
}

static void should_read_zeros_from_a_hole(void)
{
	FOR_EACH(each) {
		int fd = test_file(each->dir, NULL);
		struct mio_layer *layer = test_own_layer(fd, O_RDWR, each->direct, each->backend, NULL);

		memset(expected, 0, sizeof(expected));
		expected[0] = 1;
		expected[1000000] = 2;
		ASSERT_EQUAL(1, transfer(layer, 0, 1, expected, 1, 0));
		ASSERT_EQUAL(1, transfer(layer, 1, 1, expected + 1000000, 1, 1000000));
		memset(seen, 3, sizeof(seen));
		ASSERT_EQUAL(1000001, transfer(layer, 0, 0, seen, 1100000, 0));
		ASSERT_EQUAL(0, memcmp(seen, expected, 1000001));
		/* A direct read brings whole sectors where the memory takes them. */
		if (!each->direct)
			ASSERT_EQUAL(3, seen[1000001]);
		test_close(layer);
		close(fd);
	}
}

static void should_complete_what_is_on_its_way_when_it_is_closed(void)
{
	enum { COUNT = 200, PIECE = 65536 };
	static struct mio_io requests[COUNT];
	static struct mio_io *list[COUNT];
	unsigned char *memory = frame(COUNT * PIECE);

	fill(expected, 1 << 20, 4);
	FOR_EACH(each) {
		int fd = test_file(each->dir, NULL);
		struct mio_layer *layer;
		int before;

		ASSERT_EQUAL(1 << 20, write(fd, expected, 1 << 20));
		layer = test_own_layer(fd, O_RDWR, each->direct, each->backend, NULL);
		before = 0;
		for (int i = 0; i < COUNT; i++) {
			mio_io_init(&requests[i], 0, memory + i * PIECE, PIECE, i % 16 * PIECE, NULL, NULL);
			list[i] = &requests[i];
			if (i % 3 == 0 && i > before) {
				layer->ops->submit_all(layer, list + before, i - before);
				ASSERT_EQUAL(0, layer->ops->submit(layer, list[i]));
				before = i + 1;
			}
		}
		layer->ops->submit_all(layer, list + before, COUNT - before);
		ASSERT_EQUAL(0, layer->ops->close(layer));
		/* Closed means that all have left; their completions may still be on the way. */
		ASSERT_EQUAL(1, test_descriptors(fd));
		for (int i = 0; i < COUNT; i++) {
			mio_io_wait(&requests[i]);
			ASSERT_EQUAL(PIECE, requests[i].result);
			ASSERT_EQUAL(0, memcmp(memory + i * PIECE, expected + i % 16 * PIECE, PIECE));
		}
		layer->ops->release(layer);
		close(fd);
	}
	free(memory);
}

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
		/* In memory, on XFS and btrfs it may be as large as numbers go. */
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

static void should_use_direct_requests_where_the_file_system_takes_them(void)
{
	FOR_EACH(each) {
		int fd = test_file(each->dir, NULL);
		struct mio_os_own *own;
		struct mio_layer *layer = test_own_layer(fd, O_RDWR, each->direct, each->backend, &own);

		ASSERT(mio_os_own_alignment_bytes(own) >= 512);
		if (each->direct && in_memory(each))
			ASSERT_EQUAL(0, strcmp("direct: the file system is in memory; buffered instead\n", test_said));
		else if (test_said[0])
			printf("%s\n", test_said);
		else
			ASSERT_EQUAL(each->direct, mio_os_own_is_direct(own));
		ASSERT_EQUAL(0, layer->ops->bypass_begin(layer, MIO_BYPASS_LOCK, 0, 10));
		layer->ops->bypass_end(layer, MIO_BYPASS_LOCK, 0, 10, 1);
		ASSERT_EQUAL(each->direct && !test_said[0], mio_os_own_is_direct(own));
		ASSERT_EQUAL(0, layer->ops->bypass_begin(layer, MIO_BYPASS_MAP_READ, 0, 10));
		layer->ops->bypass_end(layer, MIO_BYPASS_MAP_READ, 0, 10, 1);
		ASSERT_EQUAL(0, mio_os_own_is_direct(own));
		ASSERT_EQUAL(SIZE, transfer(layer, 0, 1, expected, SIZE, 0));
		ASSERT_EQUAL(SIZE, transfer(layer, 1, 0, seen, SIZE, 0));
		ASSERT_EQUAL(0, memcmp(seen, expected, SIZE));
		test_close(layer);
		close(fd);
	}
}

struct worker {
	struct mio_layer *layer;
	int own;
};

static void *write_and_read(void *data)
{
	enum { PART = 64 << 10 };
	const struct worker *worker = data;
	unsigned char *memory = frame(PART);
	unsigned char *written = frame(PART + 1);

	for (int i = 0; i < 10; i++) {
		int64_t offset = (int64_t)(i * 8 + worker->own) * PART;

		fill(written, PART, (uint64_t)offset);
		memcpy(memory, written, PART);
		ASSERT_EQUAL(PART, transfer(worker->layer, i & 1, 1, memory, PART, offset));
		memset(memory, 0, PART);
		ASSERT_EQUAL(PART, transfer(worker->layer, i & 2, 0, memory, PART, offset));
		ASSERT_EQUAL(0, memcmp(memory, written, PART));
	}
	free(memory);
	free(written);
	return NULL;
}

static void should_serve_many_threads_at_once(void)
{
	FOR_EACH(each) {
		int fd = test_file(each->dir, NULL);
		struct mio_layer *layer = test_own_layer(fd, O_RDWR, each->direct, each->backend, NULL);
		struct worker workers[8];
		pthread_t threads[8];

		for (int i = 0; i < 8; i++) {
			workers[i] = (struct worker){layer, i};
			ASSERT_EQUAL(0, pthread_create(&threads[i], NULL, write_and_read, &workers[i]));
		}
		for (int i = 0; i < 8; i++)
			pthread_join(threads[i], NULL);
		ASSERT_EQUAL(8 * 10 * (64 << 10), layer->ops->size(layer));
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
		/* Where nothing is reserved the kernel may tell this one all the same. */
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
	/* Neither may it be opened for writing any more: a copy of the program's descriptor serves. */
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
	/* Its mode lets it be read. */
	ASSERT(own->readable);
	ASSERT_EQUAL(5, transfer(layer, 1, 1, expected, 5, 0));
	ASSERT_EQUAL(5, transfer(layer, 1, 0, seen, 10, 0));
	test_close(layer);
	close(writes);
	close(fd);
	if (geteuid() != 0 || access("/dev/shm", W_OK) != 0)
		SKIP("not root, or no /dev/shm to write to");
	ASSERT_EQUAL(0, test_in_child(read_what_can_only_be_written));
	/* Its owner could not remove it in the child: the directory is sticky. */
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

static void should_append_where_the_end_is(void)
{
	FOR_EACH(each) {
		int fd = test_file(each->dir, NULL);
		struct mio_layer *layer = test_own_layer(fd, O_RDWR | O_APPEND, each->direct, each->backend, NULL);
		struct iovec parts[] = {{.iov_base = (void *)(uintptr_t)"cd", .iov_len = 2},
					{.iov_base = (void *)(uintptr_t)"efg", .iov_len = 3}};

		ASSERT_EQUAL(2, layer->ops->write(layer, "ab", 2, MIO_LAYER_APPEND));
		ASSERT_EQUAL(5, layer->ops->writev(layer, parts, 2, MIO_LAYER_APPEND));
		/* Others write there, too. */
		ASSERT_EQUAL(1, pwrite(fd, "h", 1, 7));
		ASSERT_EQUAL(1, layer->ops->write(layer, "i", 1, MIO_LAYER_APPEND));
		/* Append mode is the program's descriptor's. */
		ASSERT_EQUAL(1, transfer(layer, 1, 1, (void *)(uintptr_t)"X", 1, 0));
		ASSERT_EQUAL(9, pread(fd, seen, 20, 0));
		ASSERT_EQUAL(0, memcmp(seen, "Xbcdefghi", 9));
		test_close(layer);
		close(fd);
	}
}

static void should_move_several_pieces_until_one_is_not_whole(void)
{
	FOR_EACH(each) {
		int fd = test_file(each->dir, NULL);
		struct mio_layer *layer = test_own_layer(fd, O_RDWR, each->direct, each->backend, NULL);
		struct iovec parts[3] = {{.iov_base = expected, .iov_len = 5000},
					 {.iov_base = NULL, .iov_len = 0},
					 {.iov_base = expected + 5000, .iov_len = 3000}};

		fill(expected, 8000, 9);
		ASSERT_EQUAL(8000, layer->ops->writev(layer, parts, 3, 100));
		memset(seen, 0, sizeof(seen));
		parts[0].iov_base = seen;
		parts[2].iov_base = seen + 5000;
		parts[2].iov_len = 4000;
		ASSERT_EQUAL(8000, layer->ops->readv(layer, parts, 3, 100));
		ASSERT_EQUAL(0, memcmp(seen, expected, 8000));
		ASSERT_EQUAL(0, layer->ops->readv(layer, parts, 3, 8100));
		test_close(layer);
		close(fd);
	}
}

/* With a limit of 10000 bytes: what fits is written and told, then comes the reason. */
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

static void should_have_synced_writes_with_the_device_when_they_return(void)
{
	FOR_EACH(each) {
		int fd = test_file(each->dir, NULL);
		struct mio_os_own *own;
		struct mio_layer *layer = test_own_layer(fd, O_RDWR | O_SYNC, each->direct, each->backend, &own);

		ASSERT(own->synced && own->synced_metadata);
		/* A ring would complete them before. */
		ASSERT(own->backend != &mio_os_backend_uring);
		ASSERT_EQUAL(5000, transfer(layer, 0, 1, expected, 5000, 0));
		ASSERT_EQUAL(5000, transfer(layer, 1, 1, expected, 5000, 5000));
		ASSERT_EQUAL(2, layer->ops->write(layer, "ab", 2, MIO_LAYER_APPEND));
		ASSERT_EQUAL(10002, layer->ops->size(layer));
		test_close(layer);
		close(fd);
	}
}

int main(void)
{
	find_cases();
	RUN(should_read_and_write_any_bytes_anywhere);
	RUN(should_keep_the_size_exact_at_an_odd_end);
	RUN(should_read_zeros_from_a_hole);
	RUN(should_complete_what_is_on_its_way_when_it_is_closed);
	RUN(should_refuse_late_calls);
	RUN(should_hold_its_descriptors_until_the_last_open_is_closed);
	RUN(should_not_write_to_a_file_open_for_reading);
	RUN(should_say_that_a_file_would_be_too_large);
	RUN(should_use_direct_requests_where_the_file_system_takes_them);
	RUN(should_serve_many_threads_at_once);
	RUN(should_reserve_without_changing_the_size);
	RUN(should_write_what_can_only_be_written);
	RUN(should_serve_a_file_whose_name_is_gone_and_nothing_that_is_no_file);
	RUN(should_append_where_the_end_is);
	RUN(should_move_several_pieces_until_one_is_not_whole);
	RUN(should_have_synced_writes_with_the_device_when_they_return);
	mio_os_drain();
	RUN(should_tell_what_was_written_before_the_limit);
	return TEST_RESULT();
}

/* What every backend reads and writes, direct and buffered, on disk and in memory. Twin of BackendFileTest. */
#include "os_cases.h"

#include <pthread.h>
#include <time.h>

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

/* Random transfers, with the memory misaligned or not. The bytes must be those of a plain file. */
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
		/* A direct read transfers whole sectors if the memory has room for them. */
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
		/* After close all requests have left the descriptor, but their completions may still be under way. */
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

static void should_append_where_the_end_is(void)
{
	FOR_EACH(each) {
		int fd = test_file(each->dir, NULL);
		struct mio_layer *layer = test_own_layer(fd, O_RDWR | O_APPEND, each->direct, each->backend, NULL);
		struct iovec parts[] = {{.iov_base = (void *)(uintptr_t)"cd", .iov_len = 2},
					{.iov_base = (void *)(uintptr_t)"efg", .iov_len = 3}};

		ASSERT_EQUAL(2, layer->ops->write(layer, "ab", 2, MIO_LAYER_APPEND));
		ASSERT_EQUAL(5, layer->ops->writev(layer, parts, 2, MIO_LAYER_APPEND));
		/* Others write to the file, too. */
		ASSERT_EQUAL(1, pwrite(fd, "h", 1, 7));
		ASSERT_EQUAL(1, layer->ops->write(layer, "i", 1, MIO_LAYER_APPEND));
		/* Append mode belongs to the program's descriptor. */
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

static void should_have_synced_writes_with_the_device_when_they_return(void)
{
	FOR_EACH(each) {
		int fd = test_file(each->dir, NULL);
		struct mio_os_own *own;
		struct mio_layer *layer = test_own_layer(fd, O_RDWR | O_SYNC, each->direct, each->backend, &own);

		ASSERT(own->synced && own->synced_metadata);
		/* A ring would complete the writes earlier. */
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
	RUN(should_use_direct_requests_where_the_file_system_takes_them);
	RUN(should_serve_many_threads_at_once);
	RUN(should_append_where_the_end_is);
	RUN(should_move_several_pieces_until_one_is_not_whole);
	RUN(should_have_synced_writes_with_the_device_when_they_return);
	return TEST_RESULT();
}

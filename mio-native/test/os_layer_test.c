/* The last layer on the program's own descriptor: each request is one system call. Twin of OsLayerTest. */
#include "os_files.h"

static char seen[100];

static struct mio_layer *make(int fd, int truncates)
{
	struct mio_open_request request = {.name = "test", .oflags = O_RDWR, .fd = fd};
	struct mio_layer *layer;

	layer = mio_os_layer_make(test_spec(truncates), &request, NULL);
	ASSERT(layer);
	return layer;
}

#define ASSERT_FILE(fd, content) \
	do { \
		memset(seen, 0, sizeof(seen)); \
		ASSERT_EQUAL(strlen(content), pread(fd, seen, sizeof(seen), 0)); \
		ASSERT_EQUAL(0, memcmp(seen, content, strlen(content))); \
	} while (0)

static void should_read_and_write_at_offsets(void)
{
	int fd = test_file(test_build_dir(), NULL);
	struct mio_layer *layer = make(fd, 1);
	struct iovec parts[] = {{.iov_base = (void *)(uintptr_t)"cd", .iov_len = 2},
				{.iov_base = (void *)(uintptr_t)"efg", .iov_len = 3}};

	ASSERT_EQUAL(0, strcmp("aix", layer->name));
	ASSERT(!layer->next);
	errno = ERANGE;
	ASSERT_EQUAL(2, layer->ops->write(layer, "ab", 2, 0));
	ASSERT_EQUAL(5, layer->ops->writev(layer, parts, 2, 2));
	ASSERT_EQUAL(7, layer->ops->size(layer));
	ASSERT_EQUAL(4, layer->ops->read(layer, seen, 10, 3));
	ASSERT_EQUAL(0, memcmp(seen, "defg", 4));
	ASSERT_EQUAL(0, layer->ops->read(layer, seen, 10, 7));
	parts[0].iov_base = seen;
	parts[1].iov_base = seen + 10;
	ASSERT_EQUAL(4, layer->ops->readv(layer, parts, 2, 3));
	ASSERT_EQUAL(0, memcmp(seen, "de", 2));
	ASSERT_EQUAL(0, memcmp(seen + 10, "fg", 2));
	ASSERT_EQUAL(-EINVAL, layer->ops->read(layer, seen, 10, -5));
	ASSERT_EQUAL(-EFAULT, layer->ops->read(layer, (void *)8, 4, 0));
	layer->ops->seek(layer, 3);
	ASSERT_EQUAL(0, layer->ops->publish(layer));
	ASSERT_EQUAL(0, layer->ops->flush(layer, 0));
	ASSERT_EQUAL(0, layer->ops->flush(layer, 1));
	ASSERT_EQUAL(0, layer->ops->bypass_begin(layer, MIO_BYPASS_MAP_WRITE, 0, 5));
	layer->ops->bypass_end(layer, MIO_BYPASS_MAP_WRITE, 0, 5, 1);
	ASSERT_EQUAL(ERANGE, errno);
	/* Requests do not move the program's position. */
	ASSERT_EQUAL(0, lseek(fd, 0, SEEK_CUR));
	test_close(layer);
	ASSERT_FILE(fd, "abcdefg");
	close(fd);
}

static void should_use_the_descriptor_and_position_of_the_programs_call(void)
{
	char path[4096];
	int fd = test_file(test_build_dir(), path);
	int other = open(path, O_RDWR);
	struct mio_layer *layer = make(fd, 1);
	struct iovec part = {.iov_base = (void *)(uintptr_t)"cd", .iov_len = 2};

	unlink(path);
	mio_open_call.fd = other;
	mio_open_call.at_position = 1;
	ASSERT_EQUAL(2, layer->ops->write(layer, "ab", 2, 77));
	ASSERT_EQUAL(2, layer->ops->writev(layer, &part, 1, 78));
	ASSERT_EQUAL(4, lseek(other, 0, SEEK_CUR));
	ASSERT_EQUAL(0, lseek(fd, 0, SEEK_CUR));
	ASSERT_EQUAL(1, lseek(other, 1, SEEK_SET));
	ASSERT_EQUAL(2, layer->ops->read(layer, seen, 2, 99));
	part.iov_base = seen + 2;
	ASSERT_EQUAL(1, layer->ops->readv(layer, &part, 1, 99));
	ASSERT_EQUAL(0, memcmp(seen, "bcd", 3));
	mio_open_call.at_position = 0;
	mio_open_call.fd = -1;
	close(other);
	ASSERT_EQUAL(4, layer->ops->read(layer, seen, 9, 0));
	test_close(layer);
	close(fd);
}

static void should_append_through_append_mode(void)
{
	char path[4096];
	int fd = test_file(test_build_dir(), path);
	int appends = open(path, O_WRONLY | O_APPEND);
	struct mio_layer *layer = make(appends, 1);
	struct iovec part = {.iov_base = (void *)(uintptr_t)"cd", .iov_len = 2};

	unlink(path);
	mio_open_call.fd = appends;
	mio_open_call.at_position = 1;
	ASSERT_EQUAL(2, write(fd, "ab", 2));
	ASSERT_EQUAL(2, layer->ops->writev(layer, &part, 1, MIO_LAYER_APPEND));
	ASSERT_EQUAL(2, layer->ops->write(layer, "ef", 2, MIO_LAYER_APPEND));
	ASSERT_EQUAL(6, lseek(appends, 0, SEEK_CUR));
	ASSERT_EQUAL(-EBADF, layer->ops->read(layer, seen, 1, 0));
	mio_open_call.fd = -1;
	mio_open_call.at_position = 0;
	ASSERT_FILE(fd, "abcdef");
	test_close(layer);
	close(appends);
	close(fd);
}

static void should_append_where_the_program_is_in_no_call(void)
{
	int fd = test_file(test_build_dir(), NULL);
	struct mio_layer *layer = make(fd, 1);
	struct iovec part = {.iov_base = (void *)(uintptr_t)"cd", .iov_len = 2};

	ASSERT_EQUAL(2, pwrite(fd, "ab", 2, 0));
	ASSERT_EQUAL(2, layer->ops->writev(layer, &part, 1, MIO_LAYER_APPEND));
	ASSERT_EQUAL(2, layer->ops->write(layer, "ef", 2, MIO_LAYER_APPEND));
	ASSERT_EQUAL(0, lseek(fd, 0, SEEK_CUR));
	ASSERT_FILE(fd, "abcdef");
	test_close(layer);
	close(fd);
}

static void should_cut_and_lengthen_unless_told_not_to(void)
{
	int fd = test_file(test_build_dir(), NULL);
	struct mio_layer *layer = make(fd, 1);

	ASSERT_EQUAL(0, layer->ops->truncate(layer, 1000));
	ASSERT_EQUAL(1000, layer->ops->size(layer));
	ASSERT_EQUAL(0, layer->ops->truncate(layer, 10));
	ASSERT_EQUAL(10, layer->ops->size(layer));
	ASSERT_EQUAL(-EINVAL, layer->ops->truncate(layer, -1));
	test_close(layer);
	layer = make(fd, 0);
	ASSERT_EQUAL(MIO_LAYER_LEFT_OUT, layer->ops->truncate(layer, 5));
	ASSERT_EQUAL(10, layer->ops->size(layer));
	test_close(layer);
	close(fd);
}

static void should_not_cut_over_own_descriptors_when_told_not_to(void)
{
	int fd = test_file(test_build_dir(), NULL);
	struct mio_os_wish wish = {.asynchronous = 1};
	struct mio_open_request request = {.name = "test", .oflags = O_RDWR, .fd = fd};
	struct mio_os_own *own;
	struct mio_layer *layer;

	ASSERT_EQUAL(10, write(fd, "0123456789", 10));
	ASSERT_EQUAL(0, mio_os_own_open(fd, O_RDWR, "test", &wish, NULL, NULL, &own));
	layer = mio_os_layer_make(test_spec(0), &request, own);
	ASSERT_EQUAL(MIO_LAYER_LEFT_OUT, layer->ops->truncate(layer, 5));
	test_close(layer);
	ASSERT_FILE(fd, "0123456789");
	close(fd);
}

/* Direct I/O would change memory past the result: it reads whole sectors, with zeros past the end of the file. */
static void should_change_no_memory_behind_the_result_without_a_cache(void)
{
	int fd = test_file(test_build_dir(), NULL);
	struct mio_os_wish wish = {.direct = 1, .unpaged = 1};
	struct mio_open_request request = {.name = "test", .oflags = O_RDWR, .fd = fd};
	enum { BYTES = 5000, ROOM = 16384 };
	char *memory = NULL;
	struct mio_os_own *own;
	struct mio_layer *layer;

	ASSERT_EQUAL(0, posix_memalign((void **)&memory, 4096, ROOM));
	memset(memory, 'f', ROOM);
	ASSERT_EQUAL(BYTES, pwrite(fd, memory, BYTES, 0));
	ASSERT_EQUAL(0, mio_os_own_open(fd, O_RDWR, "test", &wish, NULL, NULL, &own));
	layer = mio_os_layer_make(test_spec(0), &request, own);
	for (int vector = 0; vector < 2; vector++) {
		struct iovec parts[] = {{memory, 4096}, {memory + 4096, ROOM - 4096}};

		memset(memory, 'K', ROOM);
		ASSERT_EQUAL(BYTES, vector ? layer->ops->readv(layer, parts, 2, 0)
					   : layer->ops->read(layer, memory, ROOM, 0));
		for (int i = 0; i < ROOM; i++)
			ASSERT_EQUAL(i < BYTES ? 'f' : 'K', memory[i]);
	}
	/* The length is larger than the memory. */
	ASSERT_EQUAL(BYTES, layer->ops->read(layer, memory, (size_t)1 << 30, 0));
	ASSERT_EQUAL(0, layer->ops->read(layer, memory, ROOM, BYTES));
	test_close(layer);
	free(memory);
	close(fd);
}

static void should_do_submitted_requests_at_once_and_not_at_the_position(void)
{
	int fd = test_file(test_build_dir(), NULL);
	struct mio_layer *layer = make(fd, 1);
	struct mio_io first;
	struct mio_io second;
	struct mio_io *list[] = {&first, &second};

	mio_open_call.fd = fd;
	mio_open_call.at_position = 1;
	mio_io_init(&first, 1, (void *)(uintptr_t)"abc", 3, 0, NULL, NULL);
	mio_io_init(&second, 1, (void *)(uintptr_t)"de", 2, 3, NULL, NULL);
	layer->ops->submit_all(layer, list, 2);
	ASSERT(mio_io_is_done(&first) && mio_io_is_done(&second));
	ASSERT_EQUAL(3, first.result);
	ASSERT_EQUAL(2, second.result);
	mio_io_init(&first, 0, seen, 10, 1, NULL, NULL);
	ASSERT_EQUAL(0, layer->ops->submit(layer, &first));
	layer->ops->await(layer, &first, 1);
	layer->ops->await(layer, &first, 0);
	ASSERT_EQUAL(4, first.result);
	ASSERT_EQUAL(0, memcmp(seen, "bcde", 4));
	mio_io_init(&first, 0, seen, 10, -1, NULL, NULL);
	ASSERT_EQUAL(0, layer->ops->submit(layer, &first));
	ASSERT_EQUAL(-EINVAL, first.result);
	mio_open_call.fd = -1;
	mio_open_call.at_position = 0;
	ASSERT_EQUAL(0, lseek(fd, 0, SEEK_CUR));
	test_close(layer);
	close(fd);
}

static void should_reserve_where_the_file_system_can(void)
{
	int fd = test_file(test_build_dir(), NULL);
	struct mio_layer *layer = make(fd, 1);
	struct stat found;
	int rc = layer->ops->reserve(layer, 0, 1 << 20);

	if (rc == 1) {
		ASSERT_EQUAL(0, fstat(fd, &found));
		ASSERT_EQUAL(0, found.st_size);
		ASSERT(found.st_blocks * 512 >= 1 << 20);
		ASSERT_EQUAL(-EFBIG, layer->ops->reserve(layer, INT64_MAX, 1));
	} else {
		ASSERT_EQUAL(0, rc);
	}
	ASSERT_EQUAL(1, layer->ops->reserve(layer, 0, 0));
	test_close(layer);
	close(fd);
}

/* A flush goes to the program's descriptor if that is on the file, otherwise to MIO's own. A wrong descriptor must not be flushed. */
static void should_flush_the_right_file(void)
{
	int fd = test_file(test_build_dir(), NULL);
	struct mio_layer *layer = test_own_layer(fd, O_RDWR, 0, "sync", NULL);
	int ends[2];

	ASSERT_EQUAL(0, pipe(ends));
	mio_open_call.fd = fd;
	ASSERT_EQUAL(0, layer->ops->flush(layer, 1));
	/* A pipe would return EINVAL. */
	mio_open_call.fd = ends[0];
	ASSERT_EQUAL(0, layer->ops->flush(layer, 1));
	mio_open_call.fd = 1000000;
	ASSERT_EQUAL(0, layer->ops->flush(layer, 1));
	mio_open_call.fd = -1;
	test_close(layer);
	close(ends[0]);
	close(ends[1]);
	close(fd);
}

int main(void)
{
	RUN(should_read_and_write_at_offsets);
	RUN(should_use_the_descriptor_and_position_of_the_programs_call);
	RUN(should_append_through_append_mode);
	RUN(should_append_where_the_program_is_in_no_call);
	RUN(should_cut_and_lengthen_unless_told_not_to);
	RUN(should_not_cut_over_own_descriptors_when_told_not_to);
	RUN(should_change_no_memory_behind_the_result_without_a_cache);
	RUN(should_do_submitted_requests_at_once_and_not_at_the_position);
	RUN(should_reserve_where_the_file_system_can);
	RUN(should_flush_the_right_file);
	return TEST_RESULT();
}

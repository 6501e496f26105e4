#ifndef MIO_TEST_OS_CASES_H
#define MIO_TEST_OS_CASES_H

/* Every backend, direct and buffered, on disk and in memory. */

#include "os_files.h"

#include "../src/os/os_own.h"

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

static inline void find_cases(void)
{
	const char *const dirs[] = {test_build_dir(), "/dev/shm"};

	for (int backend = 0; backend < TEST_BACKENDS; backend++)
		for (int dir = 0; dir < 2; dir++)
			for (int direct = 0; direct < 2; direct++)
				if (test_has_backend(test_backends[backend]) && access(dirs[dir], W_OK) == 0)
					cases[case_count++] =
						(struct test_case){test_backends[backend], direct, dirs[dir]};
}

static inline int in_memory(const struct test_case *each)
{
	return strcmp(each->dir, "/dev/shm") == 0;
}

#define FOR_EACH(each) for (const struct test_case *each = cases; each < cases + case_count; each++)

static inline void fill(unsigned char *bytes, size_t count, uint64_t seed)
{
	for (size_t i = 0; i < count; i++)
		bytes[i] = (unsigned char)test_random(&seed);
}

static inline unsigned char *frame(size_t bytes)
{
	void *memory = NULL;

	ASSERT_EQUAL(0, posix_memalign(&memory, 4096, bytes));
	return memory;
}

static inline int64_t transfer(struct mio_layer *layer, int submits, int write, void *memory, size_t length, int64_t offset)
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

#endif

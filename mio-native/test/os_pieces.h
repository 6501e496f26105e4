#ifndef MIO_TEST_OS_PIECES_H
#define MIO_TEST_OS_PIECES_H

/* Writes a file in pieces with the backend in use, half of them submitted by one call, and counts the threads that remain. */

#include "os_files.h"

enum { PIECE = 65536, PIECES = 64 };

static unsigned char bytes[PIECES * PIECE];
static struct mio_io requests[PIECES];
static _Atomic int completed;

static inline void count(struct mio_io *io, void *context)
{
	(void)io;
	(void)context;
	completed++;
}

static inline void submit_writes(struct mio_layer *layer)
{
	struct mio_io *list[PIECES];

	completed = 0;
	for (int i = 0; i < PIECES; i++) {
		memset(bytes + i * PIECE, i + 1, PIECE);
		mio_io_init(&requests[i], 1, bytes + i * PIECE, PIECE, (int64_t)i * PIECE, count, NULL);
		list[i] = &requests[i];
	}
	layer->ops->submit_all(layer, list, PIECES / 2);
	for (int i = PIECES / 2; i < PIECES; i++)
		ASSERT_EQUAL(0, layer->ops->submit(layer, list[i]));
}

static inline void check_written(int fd)
{
	unsigned char seen[PIECE];

	for (int i = 0; i < PIECES; i++) {
		mio_io_wait(&requests[i]);
		ASSERT_EQUAL(PIECE, requests[i].result);
		ASSERT_EQUAL(PIECE, pread(fd, seen, PIECE, (off_t)i * PIECE));
		ASSERT_EQUAL(0, memcmp(seen, bytes + i * PIECE, PIECE));
	}
}

static inline int threads(void)
{
	DIR *all = opendir("/proc/self/task");
	int found = -2;

	ASSERT(all);
	while (readdir(all))
		found++;
	closedir(all);
	return found - TEST_HAS_OWN_THREAD;
}

static inline int rings_serve_here(void)
{
	int fd = test_file(test_build_dir(), NULL);
	int serve = test_rings_serve(fd);

	close(fd);
	return serve;
}

#endif

#ifndef MIO_TEST_FAILING_FILE_H
#define MIO_TEST_FAILING_FILE_H

/* A last layer over a file. Its calls fail as planned and are recorded. Twin of FailingFile. */

#include "../src/layer/layer.h"
#include "assert.h"

#include <errno.h>
#include <pthread.h>
#include <sys/uio.h>
#include <unistd.h>

struct failing_file {
	struct mio_layer layer;
	pthread_mutex_t lock;
	int fd;
	int append;
	const int *plan;	/* the fate of the next calls: 0 no interference, above 0 at most that many bytes, below 0 the -errno they fail with */
	int planned;
	char calls[4096];	/* the calls so far, each ended by a line feed, for example "write 10 at 0" */
};

static inline struct failing_file *failing_of(struct mio_layer *layer)
{
	return (struct failing_file *)layer;
}

/* Records the call. Returns how many bytes it may move, or -errno. */
static inline int64_t failing_called(struct failing_file *file, const char *call, int64_t wanted, int64_t offset)
{
	size_t length;
	int64_t step = 0;

	pthread_mutex_lock(&file->lock);
	length = strlen(file->calls);
	snprintf(file->calls + length, sizeof(file->calls) - length, "%s %ld at %ld\n", call, (long)wanted,
		 (long)offset);
	if (file->planned > 0) {
		step = *file->plan++;
		file->planned--;
	}
	pthread_mutex_unlock(&file->lock);
	return step < 0 ? step : step > 0 && step < wanted ? step : wanted;
}

static inline int64_t failing_moved(int64_t result)
{
	return result < 0 ? -errno : result;
}

static inline int64_t failing_read(struct mio_layer *layer, void *memory, size_t length, int64_t offset)
{
	int64_t allowed = failing_called(failing_of(layer), "read", (int64_t)length, offset);

	return allowed < 0 ? allowed : failing_moved(pread(failing_of(layer)->fd, memory, (size_t)allowed, offset));
}

static inline int64_t failing_write(struct mio_layer *layer, const void *memory, size_t length, int64_t offset)
{
	struct failing_file *file = failing_of(layer);
	int64_t allowed = failing_called(file, "write", (int64_t)length, offset);

	if (allowed < 0)
		return allowed;
	ASSERT_EQUAL(file->append, offset == MIO_LAYER_APPEND);
	return failing_moved(file->append ? write(file->fd, memory, (size_t)allowed)
					  : pwrite(file->fd, memory, (size_t)allowed, offset));
}

static inline int64_t failing_readv(struct mio_layer *layer, const struct iovec *vector, int count, int64_t offset)
{
	int64_t allowed = failing_called(failing_of(layer), "readv", count, offset);

	return allowed < 0 ? allowed : failing_moved(preadv(failing_of(layer)->fd, vector, count, offset));
}

/* Writes one buffer after the other until one is not written whole. If a buffer fails after others have been written, returns their bytes. */
static inline int64_t failing_writev(struct mio_layer *layer, const struct iovec *vector, int count, int64_t offset)
{
	int64_t total = 0;

	for (int i = 0; i < count; i++) {
		int64_t at = offset == MIO_LAYER_APPEND ? offset : offset + total;
		int64_t moved = failing_write(layer, vector[i].iov_base, vector[i].iov_len, at);

		if (moved < 0)
			return total > 0 ? total : moved;
		total += moved;
		if (moved < (int64_t)vector[i].iov_len)
			break;
	}
	return total;
}

static inline int64_t failing_size(struct mio_layer *layer)
{
	return lseek(failing_of(layer)->fd, 0, SEEK_END);
}

static inline int failing_flush(struct mio_layer *layer, int metadata)
{
	int64_t allowed = failing_called(failing_of(layer), "flush", 0, metadata);

	return (int)allowed;
}

static inline int failing_reserve(struct mio_layer *layer, int64_t offset, int64_t bytes)
{
	int64_t allowed = failing_called(failing_of(layer), "reserve", bytes, offset);

	return allowed < 0 ? (int)allowed : 0;
}

static inline int failing_submit(struct mio_layer *layer, struct mio_io *io)
{
	mio_io_complete(io, io->write ? failing_write(layer, io->memory, io->requested, io->offset)
				      : failing_read(layer, io->memory, io->requested, io->offset));
	return 0;
}

static inline void failing_submit_all(struct mio_layer *layer, struct mio_io **list, int count)
{
	for (int i = 0; i < count; i++)
		failing_submit(layer, list[i]);
}

static inline void failing_await(struct mio_layer *layer, struct mio_io *io, int wait)
{
	(void)layer;
	(void)wait;
	mio_io_wait(io);
}

static inline int failing_close(struct mio_layer *layer)
{
	return close(failing_of(layer)->fd) < 0 ? -errno : 0;
}

static const struct mio_layer_ops failing_ops = {
	.read = failing_read,
	.readv = failing_readv,
	.write = failing_write,
	.writev = failing_writev,
	.size = failing_size,
	.flush = failing_flush,
	.submit = failing_submit,
	.submit_all = failing_submit_all,
	.reserve = failing_reserve,
	.await = failing_await,
	.close = failing_close,
};

static inline void failing_init(struct failing_file *file, int fd, int append, const int *plan, int planned)
{
	memset(file, 0, sizeof(*file));
	file->layer.ops = &failing_ops;
	file->layer.name = "os";
	pthread_mutex_init(&file->lock, NULL);
	ASSERT(fd >= 0);
	file->fd = fd;
	file->append = append;
	file->plan = plan;
	file->planned = planned;
}

#endif

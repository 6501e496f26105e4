/*
 * Tries failed accesses again (reference 3.4, design section 4).
 *
 * A write that finds no space, or only for a part, goes on from where it stopped, after the command has run. Reads and writes
 * that failed in the device or on the way to a server are repeated. A flush never is: a device does not give back what it has
 * lost, and the second call would claim success. Truncations are not repeated either, nor transfers inside the kernel, whose
 * source may be consumed.
 *
 * Synchronous calls wait in the program's own thread. Asynchronous requests are in recov_io.c.
 */
#include "recov_open.h"

#include <sys/resource.h>

#include "../common/memory.h"
#include "../os/os_call.h"

static int64_t recov_read(struct mio_layer *layer, void *memory, size_t length, int64_t offset)
{
	return mio_recov_read_again(mio_recov_open_of(layer), memory, length, offset, 0);
}

int64_t mio_recov_read_again(struct mio_recov_open *open, void *memory, size_t length, int64_t offset, int64_t failure)
{
	struct mio_recov_attempts attempts = {.file = &open->file, .call = MIO_RECOV_READ};
	struct mio_layer *next = open->layer.next;
	int64_t moved = failure;

	for (;;) {
		if (moved < 0 && !mio_recov_attempts_again(&attempts, moved, 0))
			return moved;
		moved = next->ops->read(next, memory, length, offset);
		if (moved >= 0)
			break;
	}
	mio_recov_attempts_succeeded(&attempts);
	return moved;
}

static int64_t recov_readv(struct mio_layer *layer, const struct iovec *vector, int count, int64_t offset)
{
	struct mio_recov_attempts attempts = {.file = &mio_recov_open_of(layer)->file, .call = MIO_RECOV_READ};
	int64_t moved;

	do {
		moved = layer->next->ops->readv(layer->next, vector, count, offset);
		if (moved >= 0)
			mio_recov_attempts_succeeded(&attempts);
	} while (moved < 0 && mio_recov_attempts_again(&attempts, moved, 0));
	return moved;
}

static int64_t at(int64_t offset, int64_t done)
{
	return offset == MIO_LAYER_APPEND ? offset : offset + done;
}

/*
 * 1 if the process's limit on the size of files has cut a write that ended there. The rest would bring the program a signal (SIGXFSZ), which a
 * write that was cut does not.
 */
static int is_at_limit(const struct mio_recov_open *open, int64_t end)
{
	uint64_t limit = mio_os_call_limit(RLIMIT_FSIZE);
	struct mio_layer *next = open->layer.next;

	if (limit > INT64_MAX)
		return 0;
	return (end == MIO_LAYER_APPEND ? next->ops->size(next) : end) >= (int64_t)limit;
}

int mio_recov_is_over(const struct mio_recov_open *open, int64_t moved, int64_t rest, int64_t end)
{
	return rest <= 0 || moved <= 0 || !open->file.full_write || is_at_limit(open, end);
}

int64_t mio_recov_write_again(struct mio_recov_open *open, const void *memory, size_t length, int64_t offset,
			      int64_t before, int64_t failure)
{
	struct mio_recov_attempts attempts = {.file = &open->file, .call = MIO_RECOV_WRITE};
	struct mio_layer *next = open->layer.next;
	int64_t done = before;
	int64_t moved = failure;

	for (;;) {
		/* The program gets the bytes that were written; its next write will meet the failure again. */
		if (moved < 0 && !mio_recov_attempts_again(&attempts, moved, done))
			return done > 0 ? done : moved;
		moved = next->ops->write(next, (const char *)memory + done, length - (size_t)done, at(offset, done));
		if (moved < 0)
			continue;
		done += moved;
		if (mio_recov_is_over(open, moved, (int64_t)length - done, at(offset, done)))
			break;
	}
	mio_recov_attempts_succeeded(&attempts);
	return done;
}

static int64_t recov_write(struct mio_layer *layer, const void *memory, size_t length, int64_t offset)
{
	return mio_recov_write_again(mio_recov_open_of(layer), memory, length, offset, 0, 0);
}

/* Sets rest, which has room for count buffers, to the buffers after the first done bytes. Returns their number. */
static int rest_of(const struct iovec *vector, int count, int64_t done, struct iovec *rest)
{
	int used = 0;

	for (int i = 0; i < count; i++) {
		size_t skip = (int64_t)vector[i].iov_len < done ? vector[i].iov_len : (size_t)done;

		done -= (int64_t)skip;
		if (skip == vector[i].iov_len)
			continue;
		rest[used].iov_base = (char *)vector[i].iov_base + skip;
		rest[used].iov_len = vector[i].iov_len - skip;
		used++;
	}
	return used;
}

static int64_t length_of(const struct iovec *vector, int count)
{
	int64_t sum = 0;

	for (int i = 0; i < count; i++)
		sum += (int64_t)vector[i].iov_len;
	return sum;
}

static int64_t recov_writev(struct mio_layer *layer, const struct iovec *vector, int count, int64_t offset)
{
	struct mio_recov_open *open = mio_recov_open_of(layer);
	struct mio_recov_attempts attempts = {.file = &open->file, .call = MIO_RECOV_WRITE};
	size_t bytes = (size_t)(count > 0 ? count : 0) * sizeof(struct iovec);
	int64_t wanted = length_of(vector, count);
	struct iovec *rest = NULL;
	int64_t done = 0;
	int over;

	for (;;) {
		int left = rest ? rest_of(vector, count, done, rest) : count;
		int64_t moved =
			layer->next->ops->writev(layer->next, rest ? rest : vector, left, at(offset, done));

		if (moved < 0) {
			if (mio_recov_attempts_again(&attempts, moved, done))
				continue;
			if (done == 0)
				done = moved;
			break;
		}
		done += moved;
		over = mio_recov_is_over(open, moved, wanted - done, at(offset, done));
		if (!rest && !over)
			rest = mio_memory_take(bytes);
		/* Without memory for rest the write ends here, and the program gets the part. */
		if (!rest || over) {
			mio_recov_attempts_succeeded(&attempts);
			break;
		}
	}
	mio_memory_give(rest, bytes);
	return done;
}

static int recov_reserve(struct mio_layer *layer, int64_t offset, int64_t bytes)
{
	struct mio_recov_attempts attempts = {.file = &mio_recov_open_of(layer)->file, .call = MIO_RECOV_ALLOCATE};
	int rc;

	do {
		rc = layer->next->ops->reserve(layer->next, offset, bytes);
		if (rc >= 0)
			mio_recov_attempts_succeeded(&attempts);
	} while (rc < 0 && mio_recov_attempts_again(&attempts, rc, 0));
	return rc;
}

/* Kills commands that run. The calls that wait for them then fail as they would have without the commands. */
static int recov_close(struct mio_layer *layer)
{
	mio_recov_commands_stop(&mio_recov_open_of(layer)->file.commands);
	return mio_forward_close(layer);
}

static void recov_release(struct mio_layer *layer)
{
	mio_recov_open_let_go(mio_recov_open_of(layer));
}

static const struct mio_layer_ops recov_ops = {
	.read = recov_read,
	.readv = recov_readv,
	.write = recov_write,
	.writev = recov_writev,
	.seek = mio_forward_seek,
	.size = mio_forward_size,
	.truncate = mio_forward_truncate,
	.flush = mio_forward_flush,
	.publish = mio_forward_publish,
	.bypass_begin = mio_forward_bypass_begin,
	.bypass_end = mio_forward_bypass_end,
	.submit = mio_recov_submit,
	.submit_all = mio_recov_submit_all,
	.reserve = recov_reserve,
	.await = mio_forward_await,
	.close = recov_close,
	.release = recov_release,
};

struct mio_layer *mio_recov_layer_make(const struct mio_layer_spec *spec, struct mio_layer *next,
				       const struct mio_open_request *request, struct mio_stats_output *output)
{
	struct mio_recov_open *open = mio_memory_take(sizeof(*open));

	if (!open)
		return NULL;
	open->layer.ops = &recov_ops;
	open->layer.next = next;
	open->layer.name = spec->typed_name;
	atomic_store_explicit(&open->holders, 1, memory_order_relaxed);
	mio_recov_file_init(&open->file, spec, request->name, output);
	return &open->layer;
}

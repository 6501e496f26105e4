/*
 * The cache layer of one open: reads come from pages and writes go into pages. Pages are read from and written to the next layer in large requests, ahead of
 * the program and behind it (design section 6). The pages belong to the file, which all its opens share. The door holds the file's gate around requests; it
 * does not hold it for brackets of calls on the file itself, nor when the layer is made. Twin of PfLayer.
 */
#include "pf_layer.h"

#include <errno.h>

#include "pf_bypass.h"
#include "pf_cache.h"
#include "pf_file.h"
#include "pf_open.h"
#include "pf_past.h"
#include "pf_writeout.h"

/* Requests beyond this offset go to the kernel: a page there might end beyond the largest offset. */
#define FARTHEST (INT64_MAX - ((int64_t)1 << 33))

/* The most bytes that one request of a program moves, as in the kernel. */
#define REQUEST_BYTES_MAX ((size_t)0x7ffff000)

static struct mio_pf_open *of(struct mio_layer *layer)
{
	return (struct mio_pf_open *)layer;
}

static int is_closed(const struct mio_pf_open *open)
{
	return atomic_load_explicit(&open->closed, memory_order_relaxed) != 0;
}

static int64_t end_of(int64_t offset, int64_t length)
{
	return offset > INT64_MAX - length ? INT64_MAX : offset + length;
}

/* ---- the part of a file that is not cached: it is widened to whole sectors, so that no page ever writes into it */

static int64_t uncached_from(const struct mio_pf_open *open)
{
	const struct mio_pf_options *options = &open->options;

	if (options->uncached_to <= options->uncached_from)
		return INT64_MAX;
	return options->uncached_from / open->sector_bytes * open->sector_bytes;
}

static int64_t uncached_to(const struct mio_pf_open *open)
{
	int64_t to = open->options.uncached_to;

	if (to <= open->options.uncached_from || to > INT64_MAX - open->sector_bytes)
		return to;
	return mio_pf_round_up(to, open->sector_bytes);
}

/* 1 if a request bypasses the pages: it is in the part that is not cached, or large (option discovered_direct). */
static int is_past(const struct mio_pf_open *open, int64_t offset, int64_t length)
{
	const struct mio_pf_options *options = &open->options;

	return (options->past_bytes > 0 && length >= options->past_bytes) ||
	       (offset >= uncached_from(open) && end_of(offset, length) <= uncached_to(open));
}

/* The end of the stretch from offset on that is either cached throughout or not cached at all. */
static int64_t stretch_end(const struct mio_pf_open *open, int64_t offset, int64_t end)
{
	if (offset < uncached_from(open))
		return mio_pf_min(end, uncached_from(open));
	return offset < uncached_to(open) ? mio_pf_min(end, uncached_to(open)) : end;
}

/* ---- reads */

static int64_t read_past(struct mio_pf_open *open, void *memory, int64_t length, int64_t offset)
{
	struct mio_pf_cache *cache = mio_pf_file_cache(open->file);
	int64_t bytes = mio_pf_past_read(open->file, cache, open->layer.next, memory, length, offset);

	if (bytes < 0)
		return bytes;
	mio_lock_acquire(&cache->lock);
	mio_pf_counters_read_past(open->file->counters, bytes);
	mio_pf_counters_read_past(cache->counters, bytes);
	mio_lock_release(&cache->lock);
	return bytes;
}

static int64_t read_parts(struct mio_pf_open *open, unsigned char *memory, int64_t length, int64_t offset)
{
	int64_t done = 0;

	while (done < length) {
		int64_t at = offset + done;
		int64_t part = stretch_end(open, at, offset + length) - at;
		int64_t bytes = is_past(open, at, part)
					? read_past(open, memory + done, part, at)
					: mio_pf_reader_read(&open->reader, memory + done, at, part);

		if (bytes < 0)
			return done > 0 ? done : bytes;
		done += bytes;
		if (bytes < part)
			break;
	}
	return done;
}

static int64_t read_pages(struct mio_pf_open *open, void *memory, int64_t wanted, int64_t offset)
{
	struct mio_pf_file *file = open->file;
	int64_t size = mio_pf_file_size_now(file);
	int64_t length;

	if (wanted > size - offset) {
		size = mio_pf_file_refresh(file, mio_pf_file_cache(file), open->layer.next);
		if (size < 0 || offset >= size)
			return size < 0 ? size : 0;
	}
	length = mio_pf_min(wanted, size - offset);
	if (offset < uncached_to(open) && offset + length > uncached_from(open))
		return read_parts(open, memory, length, offset);
	return mio_pf_reader_read(&open->reader, memory, offset, length);
}

static int64_t pf_read(struct mio_layer *layer, void *memory, size_t length, int64_t offset)
{
	struct mio_pf_open *open = of(layer);
	struct mio_pf_file *file = open->file;
	int64_t wanted = (int64_t)(length < REQUEST_BYTES_MAX ? length : REQUEST_BYTES_MAX);
	int64_t bytes;

	if (wanted == 0)
		return 0;
	if (offset <= mio_pf_file_size_now(file) - wanted &&
	    mio_pf_reader_recent(&open->reader, memory, offset, wanted)) {
		mio_pf_counters_program_read(file->counters, wanted);
		return wanted;
	}
	if (is_closed(open))
		return -EBADF;
	if (mio_pf_file_is_past(file) || is_past(open, offset, wanted) || offset > FARTHEST)
		bytes = read_past(open, memory, wanted, offset);
	else
		bytes = read_pages(open, memory, wanted, offset);
	if (bytes >= 0)
		mio_pf_counters_program_read(file->counters, bytes);
	return bytes;
}

static int64_t pf_readv(struct mio_layer *layer, const struct iovec *vector, int count, int64_t offset)
{
	int64_t total = 0;

	for (int i = 0; i < count; i++) {
		int64_t bytes = pf_read(layer, vector[i].iov_base, vector[i].iov_len, end_of(offset, total));

		if (bytes < 0)
			return total > 0 ? total : bytes;
		total += bytes;
		if (bytes < (int64_t)vector[i].iov_len)
			break;
	}
	return total;
}

/* ---- writes */

static int64_t write_past(struct mio_pf_open *open, const struct iovec *vector, int count, int64_t offset)
{
	struct mio_pf_cache *cache = mio_pf_file_cache(open->file);
	int64_t bytes = mio_pf_past_write(open->file, cache, open->layer.next, vector, count, offset);

	if (bytes <= 0)
		return bytes;
	mio_lock_acquire(&cache->lock);
	mio_pf_counters_page_written(open->file->counters, bytes);
	mio_pf_counters_page_written(cache->counters, bytes);
	mio_lock_release(&cache->lock);
	return bytes;
}

static int64_t write_part(struct mio_pf_open *open, unsigned char *memory, int64_t length, int64_t offset)
{
	int64_t part = stretch_end(open, offset, end_of(offset, length)) - offset;
	int past = is_past(open, offset, part) || mio_pf_file_is_through(open->file) || offset > FARTHEST;
	int64_t bytes = past ? 0 : mio_pf_writer_write(&open->writer, memory, part, offset);
	struct iovec one = {memory, (size_t)part};

	return bytes != 0 ? bytes : write_past(open, &one, 1, offset);
}

static int64_t write_pages(struct mio_pf_open *open, unsigned char *memory, int64_t length, int64_t offset)
{
	int64_t done = 0;

	/* If it fails in the middle, the program gets the number of bytes taken, and the error with its next write. */
	while (done < length) {
		int64_t bytes = write_part(open, memory + done, length - done, offset + done);

		if (bytes < 0)
			return done > 0 ? done : bytes;
		done += bytes;
		if (bytes == 0)
			break;
	}
	return done;
}

static int writes_through(const struct mio_pf_open *open, int64_t offset)
{
	return offset == MIO_LAYER_APPEND || open->through_always || mio_pf_file_is_through(open->file);
}

static int64_t wrote(struct mio_pf_open *open, int64_t bytes)
{
	if (bytes < 0)
		/* If pages that were to be written first could not be, the program is told by this error. */
		mio_pf_open_told(open);
	else
		mio_pf_counters_program_wrote(open->file->counters, bytes);
	return bytes;
}

static int64_t write_one(struct mio_pf_open *open, const void *memory, size_t length, int64_t offset)
{
	/* A vector has no const; nothing below a write changes it. */
	struct iovec one = {(void *)(uintptr_t)memory, length < REQUEST_BYTES_MAX ? length : REQUEST_BYTES_MAX};

	if (writes_through(open, offset))
		return write_past(open, &one, 1, offset);
	return write_pages(open, one.iov_base, (int64_t)one.iov_len, offset);
}

static int64_t pf_write(struct mio_layer *layer, const void *memory, size_t length, int64_t offset)
{
	struct mio_pf_open *open = of(layer);
	int rc = is_closed(open) ? -EBADF : mio_pf_open_tell_errors(open);

	if (rc < 0 || length == 0)
		return rc;
	return wrote(open, write_one(open, memory, length, offset));
}

/* A vector that goes to the next layer at once does so in one piece, as an append must. */
static int64_t pf_writev(struct mio_layer *layer, const struct iovec *vector, int count, int64_t offset)
{
	struct mio_pf_open *open = of(layer);
	int rc = is_closed(open) ? -EBADF : mio_pf_open_tell_errors(open);
	int64_t total = 0;

	if (rc < 0 || count <= 0)
		return rc;
	if (writes_through(open, offset))
		return wrote(open, write_past(open, vector, count, offset));
	for (int i = 0; i < count; i++) {
		int64_t bytes = write_one(open, vector[i].iov_base, vector[i].iov_len, end_of(offset, total));

		/* The program gets the number of bytes taken, and the error with its next write. */
		if (bytes < 0 && total > 0)
			break;
		if (wrote(open, bytes) < 0)
			return bytes;
		total += bytes;
		if (bytes < (int64_t)vector[i].iov_len)
			break;
	}
	return total;
}

/* ---- the rest */

/* The position of the program ends here: page requests tell the layers below their own offsets. */
static void pf_seek(struct mio_layer *layer, int64_t offset)
{
	(void)layer;
	(void)offset;
}

static int64_t pf_size(struct mio_layer *layer)
{
	struct mio_pf_open *open = of(layer);

	if (is_closed(open))
		return -EBADF;
	return mio_pf_file_refresh(open->file, mio_pf_file_cache(open->file), layer->next);
}

static int pf_truncate(struct mio_layer *layer, int64_t size)
{
	struct mio_pf_open *open = of(layer);
	int rc = is_closed(open) ? -EBADF : mio_pf_open_tell_errors(open);

	if (rc < 0)
		return rc;
	rc = mio_pf_file_resize(open->file, mio_pf_file_cache(open->file), size, layer->next);
	/* If pages that were to be written first could not be, the program is told by this error. */
	if (rc < 0)
		mio_pf_open_told(open);
	return rc;
}

static int pf_flush(struct mio_layer *layer, int metadata)
{
	struct mio_pf_open *open = of(layer);
	int rc = is_closed(open) ? -EBADF : mio_pf_open_write_all(open);

	if (rc == 0)
		rc = mio_pf_open_tell_errors(open);
	return rc < 0 ? rc : layer->next->ops->flush(layer->next, metadata);
}

static int pf_publish(struct mio_layer *layer)
{
	struct mio_pf_open *open = of(layer);
	int rc = is_closed(open) ? -EBADF : mio_pf_writeout_all(open->file, mio_pf_file_cache(open->file));
	int below = layer->next->ops->publish(layer->next);

	return rc < 0 ? rc : below;
}

static int pf_bypass_begin(struct mio_layer *layer, enum mio_bypass kind, int64_t offset, int64_t length)
{
	return mio_pf_bypass_begin(of(layer)->file, layer->next, kind, offset, length);
}

static void pf_bypass_end(struct mio_layer *layer, enum mio_bypass kind, int64_t offset, int64_t length, int done)
{
	mio_pf_bypass_end(of(layer)->file, layer->next, kind, offset, length, done);
}

/* The request is done in this thread, which may wait: the door has seen to that. */
static int pf_submit(struct mio_layer *layer, struct mio_io *io)
{
	int64_t bytes = io->write ? pf_write(layer, io->memory, io->requested, io->offset)
				  : pf_read(layer, io->memory, io->requested, io->offset);

	mio_io_complete(io, bytes);
	return 0;
}

static void pf_submit_all(struct mio_layer *layer, struct mio_io **list, int count)
{
	for (int i = 0; i < count; i++)
		pf_submit(layer, list[i]);
}

static void pf_await(struct mio_layer *layer, struct mio_io *io, int wait)
{
	(void)layer;
	if (wait)
		mio_io_wait(io);
}

int mio_pf_layer_is_past(const struct mio_layer *layer)
{
	return mio_pf_file_is_past(((const struct mio_pf_open *)layer)->file);
}

void mio_pf_layer_forget(struct mio_layer *layer)
{
	mio_pf_file_forget(((struct mio_pf_open *)(void *)layer)->file);
}

int64_t mio_pf_layer_ahead_bytes(const struct mio_layer *layer)
{
	return mio_pf_file_ahead_bytes(((const struct mio_pf_open *)layer)->file);
}

int mio_pf_layer_writeout(struct mio_layer *layer)
{
	return mio_pf_writeout_file(((struct mio_pf_open *)(void *)layer)->file);
}

const struct mio_layer_ops mio_pf_open_ops = {
	.read = pf_read,
	.readv = pf_readv,
	.write = pf_write,
	.writev = pf_writev,
	.seek = pf_seek,
	.size = pf_size,
	.truncate = pf_truncate,
	.flush = pf_flush,
	.publish = pf_publish,
	.bypass_begin = pf_bypass_begin,
	.bypass_end = pf_bypass_end,
	.submit = pf_submit,
	.submit_all = pf_submit_all,
	.reserve = mio_forward_reserve,
	.await = pf_await,
	.close = mio_pf_open_close,
	.release = mio_pf_open_release,
};

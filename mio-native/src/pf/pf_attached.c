/*
 * The layer of an open without a cache, on a file that may have pages by another open. It passes requests on, and keeps the file and the pages in agreement
 * while there are any. If the file gets its pages during a change by this open, they may hold what was there before; so they are forgotten when the change
 * ends. The program is told by this open, as by any other open of the file, of a page that could not be written. Twin of AttachedLayer.
 *
 * If pages of this open itself are put over this layer later (pf/auto), it only serves these: it passes their requests on to a layer that works on descriptors
 * of MIO's own, and the pages above keep the agreement.
 */
#include <stdatomic.h>

#include "../common/hot.h"
#include "../common/memory.h"
#include "pf_bypass.h"
#include "pf_cache.h"
#include "pf_file.h"
#include "pf_layer.h"
#include "pf_past.h"
#include "pf_told.h"
#include "pf_writeout.h"

struct attached {
	struct mio_layer layer;
	struct mio_pf_file *file;
	struct mio_pf_told told;
	_Atomic(struct mio_layer *) own;	/* the layer to which requests go now; NULL: the next one */
	struct mio_layer *kept;			/* the layer of MIO's own descriptors, to be closed and released with this one; or NULL */
};

static struct mio_pf_file *file_of(struct mio_layer *layer)
{
	return ((struct attached *)layer)->file;
}

static struct mio_layer *own_of(struct mio_layer *layer)
{
	return atomic_load_explicit(&((struct attached *)layer)->own, memory_order_acquire);
}

struct mio_pf_told *mio_pf_attached_told(struct mio_layer *layer)
{
	return &((struct attached *)layer)->told;
}

static int is_due(struct mio_layer *layer)
{
	return mio_pf_told_is_due(mio_pf_attached_told(layer), file_of(layer));
}

/* Returns the error of a failed write-behind, once: the program is told at its next call, as by opens with a cache. 0 or -errno. */
static int tell(struct mio_layer *layer)
{
	return mio_pf_told_tell(mio_pf_attached_told(layer), file_of(layer));
}

/* Requests on a file with pages, or of pages above this layer, have functions of their own: the common path only passes requests on, and stays short. */

static __attribute__((noinline)) int64_t read_agreed(struct mio_layer *layer, void *memory, size_t length,
						     int64_t offset)
{
	struct mio_layer *own = own_of(layer);
	int rc;

	if (own)
		return own->ops->read(own, memory, length, offset);
	rc = mio_pf_writeout_file(file_of(layer));
	return rc < 0 ? rc : mio_forward_read(layer, memory, length, offset);
}

static MIO_HOT int64_t attached_read(struct mio_layer *layer, void *memory, size_t length, int64_t offset)
{
	if (__builtin_expect(own_of(layer) || mio_pf_file_is_cached(file_of(layer)), 0))
		return read_agreed(layer, memory, length, offset);
	return layer->next->ops->read(layer->next, memory, length, offset);
}

static int64_t attached_readv(struct mio_layer *layer, const struct iovec *vector, int count, int64_t offset)
{
	struct mio_layer *own = own_of(layer);
	int rc;

	if (own)
		return own->ops->readv(own, vector, count, offset);
	rc = mio_pf_writeout_file(file_of(layer));
	return rc < 0 ? rc : mio_forward_readv(layer, vector, count, offset);
}

static int64_t attached_writev(struct mio_layer *layer, const struct iovec *vector, int count, int64_t offset)
{
	struct mio_pf_file *file = file_of(layer);
	struct mio_layer *own = own_of(layer);
	struct mio_pf_cache *cache;
	int64_t bytes;

	if (own)
		return own->ops->writev(own, vector, count, offset);
	bytes = tell(layer);
	if (bytes < 0)
		return bytes;
	cache = mio_pf_file_hold(file);
	if (cache) {
		bytes = mio_pf_past_write(file, cache, layer->next, vector, count, offset);
		/* If pages that were to be written first could not be, the program is told by this error. */
		if (bytes < 0)
			mio_pf_told_all(mio_pf_attached_told(layer), file);
		mio_pf_file_let_go(file);
		return bytes;
	}
	if (count == 1)
		bytes = mio_forward_write(layer, vector->iov_base, vector->iov_len, offset);
	else
		bytes = mio_forward_writev(layer, vector, count, offset);
	mio_pf_bypass_forget(file);
	return bytes;
}

static __attribute__((noinline)) int64_t write_agreed(struct mio_layer *layer, const void *memory, size_t length,
						      int64_t offset)
{
	/* A vector has no const; nothing below a write changes it. */
	struct iovec one = {(void *)(uintptr_t)memory, length};
	struct mio_layer *own = own_of(layer);

	if (own)
		return own->ops->write(own, memory, length, offset);
	return attached_writev(layer, &one, 1, offset);
}

static MIO_HOT int64_t attached_write(struct mio_layer *layer, const void *memory, size_t length, int64_t offset)
{
	struct mio_pf_file *file = file_of(layer);
	int64_t bytes;

	if (__builtin_expect(own_of(layer) || mio_pf_file_is_cached(file) || is_due(layer), 0))
		return write_agreed(layer, memory, length, offset);
	bytes = layer->next->ops->write(layer->next, memory, length, offset);
	if (__builtin_expect(mio_pf_file_is_cached(file) || atomic_load(&file->retained_in), 0))
		mio_pf_bypass_forget(file);
	return bytes;
}

static int64_t attached_size(struct mio_layer *layer)
{
	struct mio_pf_file *file = file_of(layer);
	struct mio_layer *own = own_of(layer);

	if (own)
		return own->ops->size(own);
	return mio_pf_file_is_dirty(file) ? mio_pf_file_size(file) : mio_forward_size(layer);
}

static int attached_truncate(struct mio_layer *layer, int64_t size)
{
	struct mio_pf_file *file = file_of(layer);
	struct mio_layer *own = own_of(layer);
	struct mio_pf_cache *cache;
	int rc;

	if (own)
		return own->ops->truncate(own, size);
	rc = tell(layer);
	if (rc < 0)
		return rc;
	cache = mio_pf_file_hold(file);
	if (cache) {
		rc = mio_pf_file_resize(file, cache, size, layer->next);
		/* If pages that were to be written first could not be, the program is told by this error. */
		if (rc < 0)
			mio_pf_told_all(mio_pf_attached_told(layer), file);
		mio_pf_file_let_go(file);
		return rc;
	}
	rc = mio_forward_truncate(layer, size);
	mio_pf_bypass_forget(file);
	return rc;
}

static int attached_flush(struct mio_layer *layer, int metadata)
{
	struct mio_layer *own = own_of(layer);
	int rc;

	if (own)
		return own->ops->flush(own, metadata);
	rc = mio_pf_writeout_file(file_of(layer));
	if (rc < 0)
		mio_pf_told_all(mio_pf_attached_told(layer), file_of(layer));
	else
		rc = tell(layer);
	return rc < 0 ? rc : mio_forward_flush(layer, metadata);
}

static int attached_publish(struct mio_layer *layer)
{
	struct mio_layer *own = own_of(layer);
	int rc, below;

	if (own)
		return own->ops->publish(own);
	rc = mio_pf_writeout_file(file_of(layer));
	below = mio_forward_publish(layer);
	return rc < 0 ? rc : below;
}

static int attached_bypass_begin(struct mio_layer *layer, enum mio_bypass kind, int64_t offset, int64_t length)
{
	struct mio_layer *own = own_of(layer);

	if (own)
		return own->ops->bypass_begin(own, kind, offset, length);
	return mio_pf_bypass_begin(file_of(layer), layer->next, kind, offset, length);
}

static void attached_bypass_end(struct mio_layer *layer, enum mio_bypass kind, int64_t offset, int64_t length, int done)
{
	struct mio_layer *own = own_of(layer);

	if (own)
		own->ops->bypass_end(own, kind, offset, length, done);
	else
		mio_pf_bypass_end(file_of(layer), layer->next, kind, offset, length, done);
}

static void written(struct mio_io *io, void *context)
{
	(void)io;
	mio_pf_bypass_forget(context);
}

/* Does the request in this thread while the file has pages, or if there is an error to tell; else submits it. */
static int attached_submit(struct mio_layer *layer, struct mio_io *io)
{
	struct mio_pf_file *file = file_of(layer);
	struct mio_layer *own = own_of(layer);
	int rc;

	if (own)
		return own->ops->submit(own, io);
	if (mio_pf_file_is_cached(file) || (io->write && is_due(layer))) {
		mio_io_complete(io, io->write ? attached_write(layer, io->memory, io->requested, io->offset)
					      : attached_read(layer, io->memory, io->requested, io->offset));
		return 0;
	}
	if (io->write)
		mio_io_before(io, written, file);
	rc = mio_forward_submit(layer, io);
	if (rc < 0 && io->write)
		mio_io_forget(io, written, file);
	return rc;
}

static void attached_submit_all(struct mio_layer *layer, struct mio_io **list, int count)
{
	struct mio_layer *own = own_of(layer);

	if (own) {
		own->ops->submit_all(own, list, count);
		return;
	}
	for (int i = 0; i < count; i++) {
		int rc = attached_submit(layer, list[i]);

		if (rc < 0)
			mio_io_complete(list[i], rc);
	}
}

static int attached_reserve(struct mio_layer *layer, int64_t offset, int64_t bytes)
{
	struct mio_layer *own = own_of(layer);

	return own ? own->ops->reserve(own, offset, bytes) : mio_forward_reserve(layer, offset, bytes);
}

static void attached_await(struct mio_layer *layer, struct mio_io *io, int wait)
{
	struct mio_layer *own = own_of(layer);

	if (own)
		own->ops->await(own, io, wait);
	else
		mio_forward_await(layer, io, wait);
}

static int attached_close(struct mio_layer *layer)
{
	struct mio_layer *kept = ((struct attached *)layer)->kept;
	int told = tell(layer);
	int rc = kept ? kept->ops->close(kept) : 0;
	int below = mio_forward_close(layer);

	if (told < 0)
		return told;
	return rc < 0 ? rc : below;
}

static void attached_release(struct mio_layer *layer)
{
	struct mio_layer *kept = ((struct attached *)layer)->kept;

	if (kept)
		kept->ops->release(kept);
	mio_memory_give(layer, sizeof(struct attached));
}

static const struct mio_layer_ops ops = {
	.read = attached_read,
	.readv = attached_readv,
	.write = attached_write,
	.writev = attached_writev,
	.seek = mio_forward_seek,
	.size = attached_size,
	.truncate = attached_truncate,
	.flush = attached_flush,
	.publish = attached_publish,
	.bypass_begin = attached_bypass_begin,
	.bypass_end = attached_bypass_end,
	.submit = attached_submit,
	.submit_all = attached_submit_all,
	.reserve = attached_reserve,
	.await = attached_await,
	.close = attached_close,
	.release = attached_release,
};

struct mio_layer *mio_pf_attached_make(struct mio_layer *next, struct mio_pf_file *file)
{
	struct attached *attached = mio_memory_take(sizeof(*attached));

	if (!attached)
		return NULL;
	attached->layer = (struct mio_layer){.ops = &ops, .next = next, .name = next->name};
	attached->file = file;
	mio_pf_told_all(&attached->told, file);
	return &attached->layer;
}

void mio_pf_attached_keep(struct mio_layer *layer, struct mio_layer *own)
{
	((struct attached *)layer)->kept = own;
}

void mio_pf_attached_use(struct mio_layer *layer, int use)
{
	struct attached *attached = (struct attached *)layer;

	atomic_store_explicit(&attached->own, use ? attached->kept : NULL, memory_order_release);
}

/*
 * The calls of the layer pf/auto. A request of the program is looked at and then goes to the kernel unchanged. If the layer has pages, the request goes to
 * these instead, and the layer looks at the page requests, which pass through it below the pages.
 */
#include "pf_auto.h"

#include <errno.h>
#include <fcntl.h>

#include "../common/hot.h"
#include "../common/memory.h"
#include "../os/os_file.h"
#include "../os/os_kernel_cache.h"
#include "../os/os_layer.h"
#include "pf_auto_layer.h"
#include "pf_layer.h"

/* The kernel reads this much with the first requests anyway, so hints are of no use for files of this size or smaller. */
#define SMALL_FILE_BYTES (256 << 10)

static struct mio_pf_auto *of(struct mio_layer *layer)
{
	return (struct mio_pf_auto *)(void *)layer;
}

/* Looks at a read of the program that goes to the kernel. 1 if mio_pf_auto_prove is to follow it. */
static inline int look_at_read(struct mio_pf_auto *automatic, int64_t offset, size_t length, int waits)
{
	if (!mio_pf_auto_has_chosen(automatic) && offset >= 0 && offset <= MIO_PF_AUTO_FARTHEST && length <= MIO_PF_AUTO_FARTHEST)
		mio_pf_auto_choose(automatic, 0, offset, (int64_t)length, waits);
	return mio_pf_auto_look(automatic, offset, length, waits);
}

static void look_at_write(struct mio_pf_auto *automatic)
{
	if (!mio_pf_auto_has_chosen(automatic))
		mio_pf_auto_choose(automatic, 1, 0, 0, 0);
}

/* The layer to which calls of the program go: the pages, or the next one. */
static struct mio_layer *way_of(struct mio_layer *layer)
{
	struct mio_layer *pages = mio_pf_auto_pages(of(layer));

	return pages ? pages : layer->next;
}

/* ---- calls of the program */

/*
 * 1 if the read goes into pages. 0 if it goes to the kernel, which then has what other opens of the file have written into the same pages; -errno if those could
 * not be written.
 */
static int came_by(struct mio_pf_auto *automatic, struct mio_layer *pages, size_t length)
{
	int past = mio_pf_auto_is_past(automatic);
	int64_t reads;

	if (!mio_pf_auto_agree(automatic, pages))
		return mio_pf_layer_writeout(pages);
	reads = mio_pf_auto_count(&automatic->reads, past ? (int64_t)length : 1);
	if (__builtin_expect(past ? mio_pf_layer_is_past(pages) : reads >= MIO_PF_AUTO_READS, 0))
		mio_pf_auto_look_at_pages(automatic);
	return 1;
}

static MIO_HOT int64_t auto_read(struct mio_layer *layer, void *memory, size_t length, int64_t offset)
{
	struct mio_layer *pages = mio_pf_auto_pages(of(layer));
	int came = pages ? came_by(of(layer), pages, length) : 0;
	int64_t bytes;
	int proves;

	if (came)
		return came < 0 ? came : pages->ops->read(pages, memory, length, offset);
	proves = look_at_read(of(layer), offset, length, 1);
	bytes = mio_forward_read(layer, memory, length, offset);
	if (__builtin_expect(proves, 0))
		mio_pf_auto_prove(of(layer), offset, bytes);
	return bytes;
}

static int64_t auto_readv(struct mio_layer *layer, const struct iovec *vector, int count, int64_t offset)
{
	struct mio_layer *pages = mio_pf_auto_pages(of(layer));
	int came = pages ? came_by(of(layer), pages, mio_pf_auto_length(vector, count)) : 0;
	int64_t bytes;
	int proves;

	if (came)
		return came < 0 ? came : pages->ops->readv(pages, vector, count, offset);
	proves = look_at_read(of(layer), offset, mio_pf_auto_length(vector, count), 1);
	bytes = mio_forward_readv(layer, vector, count, offset);
	if (__builtin_expect(proves, 0))
		mio_pf_auto_prove(of(layer), offset, bytes);
	return bytes;
}

static int64_t auto_write(struct mio_layer *layer, const void *memory, size_t length, int64_t offset)
{
	struct mio_layer *pages = mio_pf_auto_pages(of(layer));
	int64_t bytes;

	mio_pf_auto_writes(of(layer), pages);
	if (pages) {
		bytes = pages->ops->write(pages, memory, length, offset);
	} else {
		look_at_write(of(layer));
		bytes = mio_forward_write(layer, memory, length, offset);
	}
	mio_pf_auto_wrote(of(layer), pages);
	return bytes;
}

static int64_t auto_writev(struct mio_layer *layer, const struct iovec *vector, int count, int64_t offset)
{
	struct mio_layer *pages = mio_pf_auto_pages(of(layer));
	int64_t bytes;

	mio_pf_auto_writes(of(layer), pages);
	if (pages) {
		bytes = pages->ops->writev(pages, vector, count, offset);
	} else {
		look_at_write(of(layer));
		bytes = mio_forward_writev(layer, vector, count, offset);
	}
	mio_pf_auto_wrote(of(layer), pages);
	return bytes;
}

static MIO_HOT void auto_seek(struct mio_layer *layer, int64_t offset)
{
	struct mio_layer *way = way_of(layer);

	way->ops->seek(way, offset);
}

static int64_t auto_size(struct mio_layer *layer)
{
	struct mio_layer *way = way_of(layer);

	return way->ops->size(way);
}

static int auto_truncate(struct mio_layer *layer, int64_t size)
{
	struct mio_layer *pages = mio_pf_auto_pages(of(layer));
	int rc;

	mio_pf_auto_writes(of(layer), pages);
	rc = pages ? pages->ops->truncate(pages, size) : mio_forward_truncate(layer, size);
	mio_pf_auto_wrote(of(layer), pages);
	return rc;
}

/* May be called without the gate. Pages that are closed meanwhile had nothing to write. */
static int auto_flush(struct mio_layer *layer, int metadata)
{
	struct mio_layer *way = way_of(layer);
	int rc = way->ops->flush(way, metadata);

	return way != layer->next && rc == -EBADF && way_of(layer) != way ? mio_forward_flush(layer, metadata) : rc;
}

/* Called without the gate. Pages that are closed meanwhile had nothing to publish. */
static int auto_publish(struct mio_layer *layer)
{
	struct mio_layer *way = way_of(layer);
	int rc = way->ops->publish(way);

	return way != layer->next && rc == -EBADF && way_of(layer) != way ? mio_forward_publish(layer) : rc;
}

static int auto_bypass_begin(struct mio_layer *layer, enum mio_bypass kind, int64_t offset, int64_t length)
{
	struct mio_layer *way = way_of(layer);

	return way->ops->bypass_begin(way, kind, offset, length);
}

static void auto_bypass_end(struct mio_layer *layer, enum mio_bypass kind, int64_t offset, int64_t length, int done)
{
	struct mio_layer *way = way_of(layer);

	way->ops->bypass_end(way, kind, offset, length, done);
}

/* Looks at an asynchronous request that goes to the layer `way`. */
static void look_at_submitted(struct mio_layer *layer, struct mio_layer *way, const struct mio_io *io)
{
	if (io->write)
		look_at_write(of(layer));
	else if (way == layer->next)
		look_at_read(of(layer), io->offset, io->requested, 0);
}

/* Does a read that the pages cannot serve now, at once and by the next layer. 1 if it is done. */
static int is_served(struct mio_layer *layer, struct mio_layer *way, struct mio_io *io)
{
	int rc;

	if (io->write || way == layer->next || mio_pf_auto_agree(of(layer), way))
		return 0;
	rc = mio_pf_layer_writeout(way);
	mio_io_complete(io, rc < 0 ? rc : mio_forward_read(layer, io->memory, io->requested, io->offset));
	return 1;
}

static int auto_submit(struct mio_layer *layer, struct mio_io *io)
{
	struct mio_layer *way = way_of(layer);
	struct mio_layer *pages = way == layer->next ? NULL : way;
	int write = io->write;
	int rc;

	look_at_submitted(layer, way, io);
	if (is_served(layer, way, io))
		return 0;
	if (write)
		mio_pf_auto_writes(of(layer), pages);
	/* The request may be complete, and its memory gone, when submit returns. */
	rc = way->ops->submit(way, io);
	if (write)
		mio_pf_auto_wrote(of(layer), pages);
	return rc;
}

static void auto_submit_all(struct mio_layer *layer, struct mio_io **list, int count)
{
	int writes = 0;

	if (mio_pf_auto_pages(of(layer))) {
		for (int i = 0; i < count; i++) {
			int rc = auto_submit(layer, list[i]);

			if (rc < 0)
				mio_io_complete(list[i], rc);
		}
		return;
	}
	for (int i = 0; i < count; i++) {
		look_at_submitted(layer, layer->next, list[i]);
		writes |= list[i]->write;
	}
	layer->next->ops->submit_all(layer->next, list, count);
	if (writes)
		mio_pf_auto_wrote(of(layer), NULL);
}

static int auto_reserve(struct mio_layer *layer, int64_t offset, int64_t bytes)
{
	struct mio_layer *way = way_of(layer);

	return way->ops->reserve(way, offset, bytes);
}

static void auto_await(struct mio_layer *layer, struct mio_io *io, int wait)
{
	struct mio_layer *way = way_of(layer);

	way->ops->await(way, io, wait);
}

/* Closes the pages first, then the layers below. */
static int auto_close(struct mio_layer *layer)
{
	int rc = mio_pf_auto_give(layer, NULL);
	int below = mio_forward_close(layer);

	mio_pf_auto_end_folios(of(layer));
	return rc < 0 ? rc : below;
}

static void auto_release(struct mio_layer *layer)
{
	struct mio_pf_auto *automatic = of(layer);
	struct mio_layer *made = atomic_load(&automatic->made);

	if (made)
		made->ops->release(made);
	mio_os_own_give(automatic->folios);
	mio_pf_hints_end(&automatic->hints);
	mio_pf_auto_log_end(&automatic->log);
	mio_memory_give(automatic, sizeof(*automatic));
}

static const struct mio_layer_ops auto_ops = {
	.read = auto_read,
	.readv = auto_readv,
	.write = auto_write,
	.writev = auto_writev,
	.seek = auto_seek,
	.size = auto_size,
	.truncate = auto_truncate,
	.flush = auto_flush,
	.publish = auto_publish,
	.bypass_begin = auto_bypass_begin,
	.bypass_end = auto_bypass_end,
	.submit = auto_submit,
	.submit_all = auto_submit_all,
	.reserve = auto_reserve,
	.await = auto_await,
	.close = auto_close,
	.release = auto_release,
};

int mio_pf_auto_may_gain(int oflags, int64_t size_bytes)
{
	int access = oflags & O_ACCMODE;

	return !(oflags & O_DIRECT) && access != O_WRONLY && (access != O_RDONLY || size_bytes > SMALL_FILE_BYTES);
}

static int has_nothing_to_gain(const struct mio_open_request *request)
{
	return request->is_device || !mio_pf_auto_may_gain(request->oflags, request->size_bytes) ||
	       mio_os_file_place(request->fd) != MIO_OS_PLACE_DISK;
}

void mio_pf_auto_show(struct mio_layer *layer, void *trace)
{
	mio_pf_auto_log_show(&of(layer)->log, trace);
}

void mio_pf_auto_watch(struct mio_layer *layer, void (*decided)(void *context, const char *what, const char *reason), void *context)
{
	struct mio_pf_auto *automatic = of(layer);

	automatic->log.tell = decided;
	automatic->log.context = context;
}

struct mio_layer *mio_pf_auto_make(const struct mio_layer_spec *spec, struct mio_layer *next,
				   const struct mio_open_request *request)
{
	struct mio_pf_auto *automatic;

	if (has_nothing_to_gain(request))
		return next;
	automatic = mio_memory_take(sizeof(*automatic));
	if (!automatic)
		return NULL;
	if (mio_pf_hints_begin(&automatic->hints, (int)spec->values[MIO_PF_OPTION_STREAMS].number,
			       mio_os_kernel_cache_reach(request->device), request->size_bytes) < 0) {
		mio_memory_give(automatic, sizeof(*automatic));
		return NULL;
	}
	automatic->layer.ops = &auto_ops;
	automatic->layer.next = next;
	automatic->layer.name = spec->typed_name;
	automatic->below = (struct mio_layer){.ops = &mio_pf_auto_below_ops, .next = next, .name = next->name};
	automatic->fd = request->fd;
	automatic->oflags = request->oflags;
	automatic->device = request->device;
	automatic->room = -1;
	atomic_flag_clear(&automatic->busy);
	atomic_flag_clear(&automatic->choosing);
	mio_pf_choice_begin(&automatic->choice, (request->oflags & O_ACCMODE) != O_RDONLY);
	mio_pf_auto_log_begin(&automatic->log, spec, request);
	return &automatic->layer;
}

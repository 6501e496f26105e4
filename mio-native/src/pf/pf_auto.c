#include "pf_auto.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>

#include "../common/clock.h"
#include "../common/memory.h"
#include "../os/os_file.h"
#include "../os/os_kernel_cache.h"
#include "pf_hints.h"

/* What the kernel reads with the first requests anyway; a file not larger has nothing to be told of. */
#define SMALL_FILE_BYTES (256 << 10)

/* Where the kernel's cache cannot be looked into: what is there already takes less time to tell, nanoseconds for all and for each KiB. */
#define THERE_NS 2000
#define THERE_NS_EACH_KIB 30

/* Behind this offset, and for longer requests, nothing is told, bytes. */
#define FARTHEST (INT64_MAX / 4)

struct automatic {
	struct mio_layer layer;
	struct mio_pf_hints hints;
	atomic_flag busy;	/* a thread looks; others need not */
	int blind;		/* the kernel's cache cannot be looked into */
	int deaf;		/* nor told */
	int fd;			/* of the open */
};

static struct automatic *of(struct mio_layer *layer)
{
	return (struct automatic *)(void *)layer;
}

/* The program's descriptor for this call. */
static int fd_of(const struct automatic *automatic)
{
	return mio_open_call.fd >= 0 ? mio_open_call.fd : automatic->fd;
}

/* 1 if what is to be told of first is there. */
static int is_there(struct automatic *automatic, int fd, const struct mio_pf_hint *hint)
{
	int rc = automatic->blind ? -ENOSYS : mio_os_kernel_cache_has(fd, hint->from, hint->bytes);

	automatic->blind = rc < 0;
	return rc > 0;
}

static void tell(struct automatic *automatic, const struct mio_pf_hint *hint)
{
	int fd = fd_of(automatic);
	int64_t began, ns;
	int rc = 0;

	if (is_there(automatic, fd, hint)) {
		mio_pf_hints_cached(&automatic->hints, hint);
		return;
	}
	began = automatic->blind ? mio_clock_ns() : 0;
	for (int i = 0; i < hint->count && rc == 0; i++)
		rc = mio_os_kernel_cache_read_ahead(fd, hint->from + i * hint->step, hint->bytes);
	automatic->deaf = rc < 0;
	if (!automatic->blind)
		return;
	ns = mio_clock_ns() - began;
	if (ns < hint->count * (THERE_NS + hint->bytes / 1024 * THERE_NS_EACH_KIB))
		mio_pf_hints_cached(&automatic->hints, hint);
}

/* Looks at a request about to be made. */
static void look(struct automatic *automatic, int64_t offset, size_t length)
{
	struct mio_pf_hints *hints = &automatic->hints;
	struct mio_pf_hint hint;

	if (length == 0 || offset < 0 || length > FARTHEST || offset > FARTHEST)
		return;
	if (mio_pf_hints_is_quiet(hints, offset, (int64_t)length)) {
		if (mio_open_call.may_rest)
			mio_open_call.rests = mio_pf_hints_rest(hints, (int64_t)length);
		return;
	}
	if (automatic->deaf || atomic_flag_test_and_set_explicit(&automatic->busy, memory_order_acquire))
		return;
	hint = mio_pf_hints_seen(hints, offset, (int64_t)length, mio_pf_hints_is_timing(hints) ? mio_clock_ns() : 0);
	if (hint.count > 0)
		tell(automatic, &hint);
	atomic_flag_clear_explicit(&automatic->busy, memory_order_release);
}

static int64_t auto_read(struct mio_layer *layer, void *memory, size_t length, int64_t offset)
{
	look(of(layer), offset, length);
	return mio_forward_read(layer, memory, length, offset);
}

static int64_t auto_readv(struct mio_layer *layer, const struct iovec *vector, int count, int64_t offset)
{
	size_t length = 0;

	for (int i = 0; i < count; i++)
		length += vector[i].iov_len;
	look(of(layer), offset, length);
	return mio_forward_readv(layer, vector, count, offset);
}

static int auto_submit(struct mio_layer *layer, struct mio_io *io)
{
	if (!io->write)
		look(of(layer), io->offset, io->requested);
	return mio_forward_submit(layer, io);
}

static void auto_submit_all(struct mio_layer *layer, struct mio_io **list, int count)
{
	for (int i = 0; i < count; i++) {
		if (!list[i]->write)
			look(of(layer), list[i]->offset, list[i]->requested);
	}
	layer->next->ops->submit_all(layer->next, list, count);
}

static void auto_release(struct mio_layer *layer)
{
	struct automatic *automatic = of(layer);

	mio_pf_hints_end(&automatic->hints);
	mio_memory_give(automatic, sizeof(*automatic));
}

static const struct mio_layer_ops auto_ops = {
	.read = auto_read,
	.readv = auto_readv,
	.write = mio_forward_write,
	.writev = mio_forward_writev,
	.seek = mio_forward_seek,
	.size = mio_forward_size,
	.truncate = mio_forward_truncate,
	.flush = mio_forward_flush,
	.publish = mio_forward_publish,
	.bypass_begin = mio_forward_bypass_begin,
	.bypass_end = mio_forward_bypass_end,
	.submit = auto_submit,
	.submit_all = auto_submit_all,
	.reserve = mio_forward_reserve,
	.await = mio_forward_await,
	.close = mio_forward_close,
	.release = auto_release,
};

static int has_nothing_to_gain(const struct mio_open_request *request)
{
	int access = request->oflags & O_ACCMODE;

	return (request->oflags & O_DIRECT) || access == O_WRONLY ||
	       (access == O_RDONLY && request->size_bytes <= SMALL_FILE_BYTES) ||
	       mio_os_file_place(request->fd) != MIO_OS_PLACE_DISK;
}

struct mio_layer *mio_pf_auto_make(const struct mio_layer_spec *spec, struct mio_layer *next,
				   const struct mio_open_request *request)
{
	struct automatic *automatic;

	if (has_nothing_to_gain(request))
		return next;
	automatic = mio_memory_take(sizeof(*automatic));
	if (!automatic)
		return NULL;
	if (mio_pf_hints_begin(&automatic->hints, (int)spec->values[MIO_PF_OPTION_STREAMS].number,
			       mio_os_kernel_cache_reach(request->device)) < 0) {
		mio_memory_give(automatic, sizeof(*automatic));
		return NULL;
	}
	automatic->layer.ops = &auto_ops;
	automatic->layer.next = next;
	automatic->layer.name = spec->typed_name;
	automatic->fd = request->fd;
	atomic_flag_clear(&automatic->busy);
	return &automatic->layer;
}

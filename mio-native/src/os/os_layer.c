/*
 * The last layer. Two kinds:
 *
 *   on the program's descriptor: each request is one call of the kernel, at the kernel's own position where the program's call is;
 *   on descriptors of MIO's own: below a cache, or for direct I/O without one; requests of any size and place, as os_transfer.h does them.
 *
 * Twin of ChannelLayer and BackendLayer.
 */
#include <string.h>

#include "../common/hot.h"
#include "../common/memory.h"
#include "os_call.h"
#include "os_file.h"
#include "os_own.h"

#ifndef RWF_APPEND
#define RWF_APPEND 0x10
#endif

struct os_layer {
	struct mio_layer layer;
	struct mio_os_own *own;	/* NULL: works on the program's descriptor */
	int fd;			/* the descriptor of the open */
	int truncates;
};

static struct os_layer *of(struct mio_layer *layer)
{
	return (struct os_layer *)(void *)layer;
}

/* The program's descriptor for the current call. */
static int fd_of(struct mio_layer *layer)
{
	return mio_open_call.fd >= 0 ? mio_open_call.fd : of(layer)->fd;
}

static MIO_HOT int64_t program_read(struct mio_layer *layer, void *memory, size_t length, int64_t offset)
{
	int fd = fd_of(layer);

	return mio_open_call.at_position ? mio_os_call_read(fd, memory, length)
					 : mio_os_call_pread(fd, memory, length, offset);
}

static int64_t program_readv(struct mio_layer *layer, const struct iovec *vector, int count, int64_t offset)
{
	int fd = fd_of(layer);

	return mio_open_call.at_position ? mio_os_call_readv(fd, vector, count)
					 : mio_os_call_preadv(fd, vector, count, offset);
}

/* A write to the end that is not a call of the program on a descriptor in append mode. */
static int64_t program_append(int fd, const struct iovec *vector, int count)
{
	int64_t bytes = mio_os_call_pwritev2(fd, vector, count, 0, RWF_APPEND);
	int64_t size;

	if (bytes != -EOPNOTSUPP && bytes != -ENOSYS)
		return bytes;
	size = mio_os_file_size(fd);
	return size < 0 ? size : mio_os_call_pwritev(fd, vector, count, size);
}

static int64_t program_writev(struct mio_layer *layer, const struct iovec *vector, int count, int64_t offset)
{
	int fd = fd_of(layer);

	if (mio_open_call.at_position)
		return mio_os_call_writev(fd, vector, count);
	if (offset == MIO_LAYER_APPEND)
		return program_append(fd, vector, count);
	return mio_os_call_pwritev(fd, vector, count, offset);
}

static __attribute__((noinline)) int64_t program_append_one(int fd, const void *memory, size_t length)
{
	struct iovec part = {.iov_base = (void *)(uintptr_t)memory, .iov_len = length};

	return program_append(fd, &part, 1);
}

static MIO_HOT int64_t program_write(struct mio_layer *layer, const void *memory, size_t length, int64_t offset)
{
	int fd = fd_of(layer);

	if (mio_open_call.at_position)
		return mio_os_call_write(fd, memory, length);
	if (offset == MIO_LAYER_APPEND)
		return program_append_one(fd, memory, length);
	return mio_os_call_pwrite(fd, memory, length, offset);
}

static int64_t program_size(struct mio_layer *layer)
{
	return mio_os_file_size(fd_of(layer));
}

static int program_truncate(struct mio_layer *layer, int64_t size)
{
	return of(layer)->truncates ? mio_os_file_truncate(fd_of(layer), size) : MIO_LAYER_LEFT_OUT;
}

static int program_flush(struct mio_layer *layer, int metadata)
{
	return mio_os_file_sync(fd_of(layer), metadata);
}

/* Rare, as nothing that submits works on the program's descriptor. So it is done in this thread, and not at the kernel's position. */
static int program_submit(struct mio_layer *layer, struct mio_io *io)
{
	int fd = fd_of(layer);

	mio_io_complete(io, io->write ? mio_os_call_pwrite(fd, io->memory, io->requested, io->offset)
				      : mio_os_call_pread(fd, io->memory, io->requested, io->offset));
	return 0;
}

static void program_submit_all(struct mio_layer *layer, struct mio_io **list, int count)
{
	for (int i = 0; i < count; i++)
		program_submit(layer, list[i]);
}

static int program_reserve(struct mio_layer *layer, int64_t offset, int64_t bytes)
{
	int rc = bytes > 0 ? mio_os_file_reserve(fd_of(layer), offset, bytes) : 0;

	return rc == 0 ? 1 : rc == -EOPNOTSUPP ? 0 : rc;
}

static int program_close(struct mio_layer *layer)
{
	(void)layer;
	return 0;
}

/*
 * How many bytes of a read to ask for; without a cache, those up to the end of the file. Direct I/O would write zeros to memory for the rest of
 * the last sector, and fail where there is no memory.
 */
static int64_t own_readable(struct mio_os_own *own, int64_t length, int64_t offset)
{
	int64_t size;

	if (!own->unpaged || !mio_os_own_direct(own))
		return length;
	size = mio_os_own_size(own);
	if (size < 0)
		return size;
	return offset < size && length > size - offset ? size - offset : length;
}

static int64_t own_read(struct mio_layer *layer, void *memory, size_t length, int64_t offset)
{
	int64_t bytes = own_readable(of(layer)->own, (int64_t)length, offset);

	return bytes < 0 ? bytes : mio_os_transfer_now(of(layer)->own, 0, memory, (size_t)bytes, offset);
}

static int64_t own_write(struct mio_layer *layer, const void *memory, size_t length, int64_t offset)
{
	struct iovec part = {.iov_base = (void *)(uintptr_t)memory, .iov_len = length};

	if (offset == MIO_LAYER_APPEND)
		return mio_os_own_append(of(layer)->own, &part, 1);
	return mio_os_transfer_now(of(layer)->own, 1, part.iov_base, length, offset);
}

/* Moves one piece of memory after the other, until one is not moved whole. */
static int64_t own_vector(struct mio_layer *layer, int write, const struct iovec *vector, int count, int64_t offset)
{
	struct mio_os_own *own = of(layer)->own;
	int64_t total = 0;

	for (int i = 0; i < count; i++) {
		int64_t bytes = write ? mio_os_transfer_now(own, 1, vector[i].iov_base, vector[i].iov_len, offset + total)
				      : own_read(layer, vector[i].iov_base, vector[i].iov_len, offset + total);

		if (bytes < 0)
			return total > 0 ? total : bytes;
		total += bytes;
		if ((size_t)bytes < vector[i].iov_len)
			break;
	}
	return total;
}

static int64_t own_readv(struct mio_layer *layer, const struct iovec *vector, int count, int64_t offset)
{
	return own_vector(layer, 0, vector, count, offset);
}

static int64_t own_writev(struct mio_layer *layer, const struct iovec *vector, int count, int64_t offset)
{
	if (offset == MIO_LAYER_APPEND)
		return mio_os_own_append(of(layer)->own, vector, count);
	return own_vector(layer, 1, vector, count, offset);
}

static int64_t own_size(struct mio_layer *layer)
{
	return mio_os_own_size(of(layer)->own);
}

static int own_truncate(struct mio_layer *layer, int64_t size)
{
	return of(layer)->truncates ? mio_os_own_truncate(of(layer)->own, size) : MIO_LAYER_LEFT_OUT;
}

static int own_flush(struct mio_layer *layer, int metadata)
{
	return mio_os_own_sync(of(layer)->own, metadata, mio_open_call.fd);
}

static int own_bypass_begin(struct mio_layer *layer, enum mio_bypass kind, int64_t offset, int64_t length)
{
	(void)offset;
	(void)length;
	if (kind == MIO_BYPASS_MAP_READ || kind == MIO_BYPASS_MAP_WRITE)
		mio_os_own_stop_direct(of(layer)->own);
	return 0;
}

static int own_submit(struct mio_layer *layer, struct mio_io *io)
{
	struct mio_os_own *own = of(layer)->own;
	struct mio_os_transfer *transfer;
	int rc = mio_os_own_enter(own);

	if (rc < 0)
		return rc;
	transfer = mio_os_transfer_make(own, io);
	if (transfer)
		mio_os_backend_submit(own->backend, transfer);
	else
		mio_os_transfer_io(own, io);
	return 0;
}

static void own_submit_all(struct mio_layer *layer, struct mio_io **list, int count)
{
	struct mio_os_own *own = of(layer)->own;
	struct mio_os_transfer *first = NULL;
	struct mio_os_transfer **link = &first;

	for (int i = 0; i < count; i++) {
		int rc = mio_os_own_enter(own);

		if (rc < 0) {
			mio_io_complete(list[i], rc);
			continue;
		}
		*link = mio_os_transfer_make(own, list[i]);
		if (*link)
			link = &(*link)->next;
		else
			mio_os_transfer_io(own, list[i]);
	}
	if (first)
		mio_os_backend_submit(own->backend, first);
}

static int own_reserve(struct mio_layer *layer, int64_t offset, int64_t bytes)
{
	return mio_os_own_reserve(of(layer)->own, offset, bytes);
}

static int own_close(struct mio_layer *layer)
{
	mio_os_own_end(of(layer)->own);
	return 0;
}

static void seek(struct mio_layer *layer, int64_t offset)
{
	(void)layer;
	(void)offset;
}

static int publish(struct mio_layer *layer)
{
	(void)layer;
	return 0;
}

static int bypass_begin(struct mio_layer *layer, enum mio_bypass kind, int64_t offset, int64_t length)
{
	(void)layer;
	(void)kind;
	(void)offset;
	(void)length;
	return 0;
}

static void bypass_end(struct mio_layer *layer, enum mio_bypass kind, int64_t offset, int64_t length, int done)
{
	(void)layer;
	(void)kind;
	(void)offset;
	(void)length;
	(void)done;
}

static void await(struct mio_layer *layer, struct mio_io *io, int wait)
{
	(void)layer;
	if (wait)
		mio_io_wait(io);
}

static void release(struct mio_layer *layer)
{
	struct os_layer *os = of(layer);

	mio_os_own_give(os->own);
	mio_memory_give(os, sizeof(*os));
}

static const struct mio_layer_ops program_ops = {
	.read = program_read,
	.readv = program_readv,
	.write = program_write,
	.writev = program_writev,
	.seek = seek,
	.size = program_size,
	.truncate = program_truncate,
	.flush = program_flush,
	.publish = publish,
	.bypass_begin = bypass_begin,
	.bypass_end = bypass_end,
	.submit = program_submit,
	.submit_all = program_submit_all,
	.reserve = program_reserve,
	.await = await,
	.close = program_close,
	.release = release,
};

static const struct mio_layer_ops own_ops = {
	.read = own_read,
	.readv = own_readv,
	.write = own_write,
	.writev = own_writev,
	.seek = seek,
	.size = own_size,
	.truncate = own_truncate,
	.flush = own_flush,
	.publish = publish,
	.bypass_begin = own_bypass_begin,
	.bypass_end = bypass_end,
	.submit = own_submit,
	.submit_all = own_submit_all,
	.reserve = own_reserve,
	.await = await,
	.close = own_close,
	.release = release,
};

struct mio_layer *mio_os_layer_make(const struct mio_layer_spec *spec, const struct mio_open_request *request,
				    struct mio_os_own *own)
{
	struct os_layer *os = mio_memory_take(sizeof(*os));

	if (!os)
		return NULL;
	os->layer.ops = own ? &own_ops : &program_ops;
	os->layer.name = spec->typed_name;
	os->own = own;
	os->fd = request->fd;
	os->truncates = mio_spec_is_on(spec, MIO_OS_OPTION_TRUNC);
	return &os->layer;
}

void mio_os_layer_unpaged(struct mio_layer *layer)
{
	if (of(layer)->own)
		of(layer)->own->unpaged = 1;
}

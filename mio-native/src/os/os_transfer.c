/* See os_transfer.h. */
#include "os_transfer.h"

#include <errno.h>
#include <string.h>

#include "../common/memory.h"
#include "../layer/layer_copy.h"
#include "os_file.h"
#include "os_own.h"
#include "os_staging.h"

/* A ring counts in 32 bits, and a step of a gigabyte is long enough. A multiple of every alignment. */
#define STEP_BYTES_MAX ((size_t)1 << 30)

static void begin(struct mio_os_transfer *transfer, struct mio_os_own *own, int write, void *memory, size_t length,
		  int64_t offset)
{
	memset(transfer, 0, sizeof(*transfer));
	transfer->own = own;
	transfer->write = write;
	transfer->memory = memory;
	transfer->length = length;
	transfer->offset = offset;
	if (offset < 0)
		transfer->error = -EINVAL;
}

static int is_aligned(const struct mio_os_transfer *transfer)
{
	return (uintptr_t)(transfer->memory + transfer->done) % transfer->own->memory_align_bytes == 0;
}

static void step_buffered(struct mio_os_transfer *transfer)
{
	struct mio_os_own *own = transfer->own;

	transfer->descriptor = own->buffered;
	transfer->step_align_bytes = 1;
	transfer->step_direct = 0;
	transfer->step_flags = atomic_load_explicit(&own->uncached, memory_order_relaxed) ? MIO_OS_DONTCACHE : 0;
}

/* Finds the next step; 0 if there is none. */
static int next(struct mio_os_transfer *transfer)
{
	struct mio_os_own *own = transfer->own;
	size_t rest = transfer->length - transfer->done;
	struct mio_os_descriptor *direct;
	size_t in_sector;

	if (rest == 0 || transfer->ended || transfer->error)
		return 0;
	if (transfer->write ? !own->writable : !own->readable) {
		transfer->error = -EBADF;
		return 0;
	}
	if (rest > STEP_BYTES_MAX)
		rest = STEP_BYTES_MAX;
	transfer->step_bytes = rest;
	step_buffered(transfer);
	direct = transfer->buffered_rest || (transfer->write && own->buffered_writes) ? NULL : mio_os_own_direct(own);
	if (!direct)
		return 1;
	in_sector = (size_t)((uint64_t)(transfer->offset + (int64_t)transfer->done) % own->align_bytes);
	if (in_sector != 0) {
		size_t to_sector = own->align_bytes - in_sector;

		transfer->step_bytes = rest < to_sector ? rest : to_sector;
	} else if (rest >= own->align_bytes) {
		transfer->step_bytes = rest - rest % own->align_bytes;
		transfer->step_align_bytes = own->align_bytes;
		transfer->step_direct = 1;
		transfer->step_flags = 0;
		transfer->descriptor = direct;
	}
	return 1;
}

int mio_os_transfer_next(struct mio_os_transfer *transfer)
{
	if (!next(transfer))
		return 0;
	if (transfer->step_direct && !is_aligned(transfer))
		step_buffered(transfer);
	return 1;
}

static void failed(struct mio_os_transfer *transfer, int error)
{
	if (error == -EOPNOTSUPP && transfer->step_flags != 0) {
		/* Kernel or file system do not know the flag: none is used from now on. */
		atomic_store_explicit(&transfer->own->uncached, 0, memory_order_relaxed);
	} else if (error == -EINVAL && transfer->step_direct) {
		transfer->buffered_rest = 1;
		transfer->refused = 1;
	} else if (error != -EINTR && error != -EAGAIN && error != -ECANCELED) {
		transfer->error = error;
	}
}

int64_t mio_os_transfer_of_ring(int64_t result)
{
	return result == -ENOSPC || result == -EDQUOT || result == -ENOMEM ? -EAGAIN : result;
}

void mio_os_transfer_advance(struct mio_os_transfer *transfer, int64_t result)
{
	if (result < 0) {
		failed(transfer, (int)result);
	} else if (result == 0) {
		transfer->ended = 1;
		if (transfer->write)
			transfer->error = -EIO;
	} else {
		if (transfer->step_direct && (size_t)result % transfer->step_align_bytes != 0)
			transfer->buffered_rest = 1;
		if (transfer->refused && !transfer->step_direct) {
			/* A direct request that obeyed the limits was refused, and a buffered one was not. */
			transfer->refused = 0;
			atomic_store_explicit(&transfer->own->shared->buffered_only, 1, memory_order_relaxed);
		}
		transfer->done += (size_t)result;
	}
}

static void step(struct mio_os_transfer *transfer, char *memory, size_t bytes)
{
	int64_t at = transfer->offset + (int64_t)transfer->done;
	int fd = mio_os_descriptor_hold(transfer->descriptor, &transfer->place);
	int64_t result = (transfer->write ? mio_os_file_write(fd, memory, bytes, at, transfer->step_align_bytes,
							      transfer->step_flags)
					  : mio_os_file_read(fd, memory, bytes, at, transfer->step_align_bytes,
							     transfer->step_flags));

	mio_os_descriptor_let_go(transfer->descriptor, transfer->place);
	/* A ring may not have waited, but this call has: so the error is the file system's answer, and may be for ever. */
	if (result == -EAGAIN || result == -ECANCELED)
		transfer->error = (int)result;
	else
		mio_os_transfer_advance(transfer, result);
}

/* Where the copy meets memory that may not be used, the door has the kernel make the call (door_ways.c). */
static void staged_step(struct mio_os_transfer *transfer)
{
	char *memory = transfer->memory + transfer->done;
	size_t bytes = transfer->step_bytes;
	size_t before = transfer->done;
	char *stage = mio_os_staging_take();

	if (!stage) {
		step_buffered(transfer);
		step(transfer, memory, bytes);
		return;
	}
	if (bytes > MIO_OS_STAGING_BYTES)
		bytes = MIO_OS_STAGING_BYTES - MIO_OS_STAGING_BYTES % transfer->step_align_bytes;
	if (transfer->write && mio_layer_try_copy(stage, memory, bytes)) {
		transfer->error = -EFAULT;
	} else {
		step(transfer, stage, bytes);
		if (!transfer->write && mio_layer_try_copy(memory, stage, transfer->done - before)) {
			transfer->done = before;
			transfer->error = -EFAULT;
		}
	}
	mio_os_staging_give(stage);
}

/* Does what O_SYNC or O_DSYNC of the program's open demands. */
static int sync_it(struct mio_os_own *own)
{
	uint32_t place;
	int fd = mio_os_descriptor_hold(own->buffered, &place);
	int rc = mio_os_file_sync(fd, own->synced_metadata);

	mio_os_descriptor_let_go(own->buffered, place);
	return rc;
}

static void run(struct mio_os_transfer *transfer)
{
	struct mio_os_own *own = transfer->own;

	while (next(transfer)) {
		if (!transfer->step_direct || is_aligned(transfer))
			step(transfer, transfer->memory + transfer->done, transfer->step_bytes);
		else
			staged_step(transfer);
	}
	if (transfer->write && transfer->done > 0 && own->synced) {
		int rc = sync_it(own);

		if (rc < 0) {
			/* Bytes that are not on the device do not count as written. */
			transfer->error = rc;
			transfer->done = 0;
		}
	}
}

int64_t mio_os_transfer_now(struct mio_os_own *own, int write, void *memory, size_t length, int64_t offset)
{
	struct mio_os_transfer transfer;
	int rc = mio_os_own_enter(own);

	if (rc < 0)
		return rc;
	begin(&transfer, own, write, memory, length, offset);
	run(&transfer);
	mio_os_own_leave(own);
	return transfer.done > 0 ? (int64_t)transfer.done : transfer.error;
}

struct mio_os_transfer *mio_os_transfer_make(struct mio_os_own *own, struct mio_io *io)
{
	struct mio_os_transfer *transfer = mio_memory_take(sizeof(*transfer));

	if (transfer) {
		begin(transfer, own, io->write, io->memory, io->requested, io->offset);
		transfer->io = io;
	}
	return transfer;
}

static int64_t result_of(const struct mio_os_transfer *transfer)
{
	return transfer->error ? transfer->error : (int64_t)transfer->done;
}

void mio_os_transfer_io(struct mio_os_own *own, struct mio_io *io)
{
	struct mio_os_transfer transfer;

	begin(&transfer, own, io->write, io->memory, io->requested, io->offset);
	run(&transfer);
	mio_os_own_leave(own);
	mio_io_complete(io, result_of(&transfer));
}

void mio_os_transfer_complete(struct mio_os_transfer *transfer)
{
	struct mio_io *io = transfer->io;
	int64_t result = result_of(transfer);

	mio_os_own_leave(transfer->own);
	mio_memory_give(transfer, sizeof(*transfer));
	mio_io_complete(io, result);
}

void mio_os_transfer_finish(struct mio_os_transfer *transfer)
{
	run(transfer);
	mio_os_transfer_complete(transfer);
}

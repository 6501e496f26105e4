/*
 * Reads and writes by the way of their file: see door.h.
 *
 *   A: at the position. The file is locked, as the kernel locks an open for it.
 *   B: at an offset. They run side by side; the gate of the stack keeps reads and writes of one range apart.
 */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "../common/raw.h"
#include "../pf/pf_layer.h"
#include "door_request.h"

static int64_t run(struct mio_stack *stack, const struct mio_door_request *request, int64_t offset)
{
	if (request->count > 0)
		return request->write ? mio_stack_writev(stack, request->vector, request->count, offset)
				      : mio_stack_readv(stack, request->vector, request->count, offset);
	return request->write ? mio_stack_write(stack, request->memory, request->length, offset)
			      : mio_stack_read(stack, request->memory, request->length, offset);
}

int64_t mio_door_run_plain(int fd, const struct mio_door_request *request)
{
	if (request->count > 0)
		return mio_raw3(request->write ? SYS_writev : SYS_readv, fd, request->vector, request->count);
	return mio_raw3(request->write ? SYS_write : SYS_read, fd, request->memory, request->length);
}

int64_t mio_door_run_plain_at(int fd, const struct mio_door_request *request, int64_t offset)
{
	if (request->count > 0)
		return mio_raw5(request->write ? SYS_pwritev : SYS_preadv, fd, request->vector, request->count, offset,
				0);
	return mio_raw4(request->write ? SYS_pwrite64 : SYS_pread64, fd, request->memory, request->length, offset);
}

/*
 * 1 if the request names memory that no process has: the kernel answers then, as a copy of MIO's would end the program. Other invalid memory is
 * not looked for.
 */
static int has_no_memory(const struct mio_door_request *request)
{
	if (request->count == 0)
		return mio_door_is_no_place(request->memory, request->length);
	for (int i = 0; i < request->count; i++)
		if (mio_door_is_no_place(request->vector[i].iov_base, request->vector[i].iov_len))
			return 1;
	return 0;
}

/* A write over a cache, which may make more than one call of the kernel, or make them later. */
static int64_t run_limited(struct mio_stack *stack, const struct mio_door_request *request, int64_t offset)
{
	struct mio_door_limit limit;
	int64_t result;

	mio_door_limit_enter(&limit);
	result = run(stack, request, offset);
	return mio_door_limit_leave(&limit, result);
}

/* The offset at which a call moved so many bytes; -1: not known. */
static int64_t place_of(const struct mio_file *file, int fd, const struct mio_door_request *request, int64_t offset, int64_t moved)
{
	int64_t now;

	if (offset >= 0)
		return request->write && (file->oflags & O_APPEND) ? -1 : offset;
	now = mio_raw3(SYS_lseek, fd, 0, SEEK_CUR);
	return now >= moved ? now - moved : -1;
}

void mio_door_transferred(struct mio_file *file, int write, int64_t place, int64_t result)
{
	enum mio_bypass kind = write ? MIO_BYPASS_TRANSFER_IN : MIO_BYPASS_TRANSFER_OUT;
	int appends = write && (file->oflags & O_APPEND);

	if (result <= 0)
		mio_stack_bypass_end(file->stack, kind, 0, INT64_MAX, (int)result);
	else if (appends)
		mio_stack_bypass_end(file->stack, kind, MIO_LAYER_APPEND, result, 1);
	else
		mio_stack_bypass_end(file->stack, kind, place < 0 ? 0 : place, place < 0 ? INT64_MAX : result, 1);
}

/*
 * Has the kernel make the request, with the pages of the file in agreement before and after; offset -1: at the kernel's position. A write has the
 * file alone, as a write through the layers does: no other write of the program may be in a page meanwhile, whose block would reach the kernel
 * without this one.
 */
static int64_t past_layers(struct mio_file *file, int fd, const struct mio_door_request *request, int64_t offset)
{
	enum mio_bypass kind = request->write ? MIO_BYPASS_TRANSFER_IN : MIO_BYPASS_TRANSFER_OUT;
	int64_t place = request->write ? -1 : place_of(file, fd, request, offset, 0);
	int64_t result;

	if (request->write)
		mio_pf_file_alone(mio_stack_file(file->stack));
	result = mio_stack_bypass_begin(file->stack, kind, place < 0 ? 0 : place,
					place < 0 ? INT64_MAX : (int64_t)request->length);
	if (result == 0) {
		result = offset < 0 ? mio_door_run_plain(fd, request) : mio_door_run_plain_at(fd, request, offset);
		mio_door_transferred(file, request->write, result > 0 ? place_of(file, fd, request, offset, result) : -1, result);
	}
	if (request->write)
		mio_pf_file_unalone(mio_stack_file(file->stack));
	return result;
}

/* Runs a read whose layers may let the next reads rest. */
static int64_t run_read(struct mio_file *file, const struct mio_door_request *request, int64_t offset)
{
	int64_t result;

	if (!mio_stack_may_rest(file->stack))
		return run(file->stack, request, offset);
	mio_open_call.may_rest = 1;
	result = run(file->stack, request, offset);
	mio_open_call.may_rest = 0;
	if (mio_open_call.rests > 0) {
		atomic_store_explicit(&file->rested, 1, memory_order_relaxed);
		atomic_store_explicit(&file->rests, mio_open_call.rests, memory_order_relaxed);
		mio_open_call.rests = 0;
	}
	return result;
}

/*
 * 1 if a copy of MIO's, or direct I/O, met memory of the program that may not be used. The kernel then makes the whole call anew: it knows
 * whether that is so, and how much moves before. What MIO has moved is the beginning of that.
 */
static int met_bad_memory(const struct mio_door_request *request, int64_t result)
{
	if (__builtin_expect(result != -EFAULT && !mio_open_call.faulted, 1))
		return 0;
	/* A copy that faulted may have succeeded in another way. */
	mio_open_call.faulted = 0;
	return result < (int64_t)request->length;
}

static int64_t kernel_way(struct mio_file *file, int fd, const struct mio_door_request *request)
{
	int appends = request->write && (file->oflags & O_APPEND);
	int rested = atomic_load_explicit(&file->rested, memory_order_relaxed);
	int64_t result;

	/* The position is needed for pages of another open; others who share this open may have moved it. */
	if ((rested || mio_pf_file_is_cached(mio_stack_file(file->stack))) && !appends) {
		/* From here on the position is known, until the next rest begins. */
		atomic_store_explicit(&file->rests, 0, memory_order_relaxed);
		atomic_store_explicit(&file->rested, 0, memory_order_relaxed);
		file->position = mio_raw3(SYS_lseek, fd, 0, SEEK_CUR);
	}
	mio_open_call.at_position = 1;
	if (request->write)
		result = run(file->stack, request, appends ? MIO_LAYER_APPEND : file->position);
	else
		result = run_read(file, request, file->position);
	mio_open_call.at_position = 0;
	if (result > 0)
		file->position += result;
	if (appends && (file->oflags & O_ACCMODE) == O_RDWR)
		file->position = mio_raw3(SYS_lseek, fd, 0, SEEK_CUR);
	return result;
}

static int64_t our_way(struct mio_file *file, int fd, const struct mio_door_request *request)
{
	int64_t result = mio_door_refused(file, request->write);

	if (result < 0 || request->length == 0)
		return result;
	/* No file can be that long. */
	if (file->position > INT64_MAX - (int64_t)request->length)
		return mio_door_run_plain_at(fd, request, file->position);
	result = request->write ? run_limited(file->stack, request, file->position)
				: run(file->stack, request, file->position);
	if (met_bad_memory(request, result))
		result = past_layers(file, fd, request, file->position);
	if (result > 0)
		file->position += result;
	return result;
}

/*
 * Takes its part of the file by moving the shared position in one step, then reads that part, and moves the position back by what lay behind the
 * end of the file. Until then the position may be behind the end, and others who read there find the end.
 */
static int64_t shared_read(struct mio_file *file, int fd, const struct mio_door_request *request)
{
	int64_t wanted = (int64_t)request->length;
	int64_t result = mio_door_refused(file, request->write);
	int64_t end;

	if (result < 0 || wanted == 0)
		return result;
	end = mio_raw3(SYS_lseek, fd, wanted, SEEK_CUR);
	/* The position cannot move so far, as at the end of the longest file that the file system allows. */
	if (end < 0)
		return past_layers(file, fd, request, -1);
	result = run(file->stack, request, end - wanted);
	if (met_bad_memory(request, result))
		result = past_layers(file, fd, request, end - wanted);
	if (result < wanted)
		mio_raw3(SYS_lseek, fd, (result > 0 ? result : 0) - wanted, SEEK_CUR);
	return result;
}

static int has_wish(const struct mio_file *file)
{
	return atomic_load_explicit(mio_stack_wish(file->stack), memory_order_relaxed) != 0;
}

int64_t mio_door_run_at_position(struct mio_file *file, int fd, const struct mio_door_request *request)
{
	int64_t result;
	int way;

	if (!request->write && __builtin_expect(has_wish(file), 0))
		mio_door_fulfil(file, fd);
	way = atomic_load_explicit(&file->way, memory_order_relaxed);
	if (__builtin_expect(way != MIO_WAY_KERNEL && has_no_memory(request), 0)) {
		result = past_layers(file, fd, request, way == MIO_WAY_OURS ? file->position : -1);
		if (result > 0)
			file->position += result;
		mio_door_unlock_now(file);
		return result;
	}
	switch (way) {
	case MIO_WAY_KERNEL:
		result = kernel_way(file, fd, request);
		break;
	case MIO_WAY_OURS:
		result = our_way(file, fd, request);
		break;
	case MIO_WAY_SHARED:
		result = request->write ? past_layers(file, fd, request, -1) : shared_read(file, fd, request);
		break;
	default:
		result = past_layers(file, fd, request, -1);
		break;
	}
	mio_door_unlock_now(file);
	return result;
}

/* 1 if the request goes into pages, or may do so by the time it gets there, as another thread may take them. */
static int meets_pages(const struct mio_file *file, int way)
{
	return way != MIO_WAY_KERNEL || mio_stack_may_have_pages(file->stack);
}

int64_t mio_door_run_at_offset(struct mio_file *file, int fd, const struct mio_door_request *request, int64_t offset)
{
	int64_t result = 0;

	/* Only try the lock: its holder may be waiting for this call. */
	if (!request->write && __builtin_expect(has_wish(file), 0) && mio_lock_try(&file->lock)) {
		mio_door_fulfil(file, fd);
		mio_lock_release(&file->lock);
	}
	if (mio_door_refused(file, request->write) < 0 || offset < 0 || offset > INT64_MAX - (int64_t)request->length ||
	    (request->length == 0 && has_no_memory(request))) {
		/* Nothing moves, and the kernel knows which of several errors comes first. */
		result = mio_door_run_plain_at(fd, request, offset);
	} else if (request->length > 0) {
		int way = atomic_load_explicit(&file->way, memory_order_relaxed);
		/* Such a write goes to the end of the file, whatever offset it names (pwrite(2), bugs). */
		int appends = request->write && (file->oflags & O_APPEND);

		if (appends)
			mio_stack_seek(file->stack, offset);
		if (way == MIO_WAY_PASSED || appends || (meets_pages(file, way) && has_no_memory(request))) {
			result = past_layers(file, fd, request, offset);
		} else {
			mio_stack_seek(file->stack, offset);
			if (!request->write)
				result = run_read(file, request, offset);
			else
				result = meets_pages(file, way) ? run_limited(file->stack, request, offset)
								: run(file->stack, request, offset);
			if (met_bad_memory(request, result))
				result = past_layers(file, fd, request, offset);
		}
	}
	mio_door_unuse_now(file);
	return result;
}

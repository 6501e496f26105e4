/*
 * Reads, writes and changes of the position, as the program calls them. door_ways.c knows what they mean for a file.
 *
 * Most calls move one piece of memory on a file that has no cache, through layers that only observe. Such calls go straight to the first layer,
 * and build no struct mio_door_request on their way.
 */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "../common/hot.h"
#include "../common/raw.h"
#include "../pf/pf_layer.h"
#include "door_request.h"

/* The most bytes that the kernel moves in one call. */
#define CALL_BYTES_MAX ((size_t)0x7ffff000)
#define VECTORS_MAX 1024
/* A position above this, in bytes, is checked by a call of the kernel: the file system knows the largest one allowed. Lower ones cost no call. */
#define ASKED_FROM ((int64_t)1 << 40)

/* 1 if this is a signal handler that interrupted its thread inside, and the kernel's position is not the file's. */
static int interrupts(int fd)
{
	struct mio_file *file = mio_door_file(fd);

	return mio_door_thread.inside && file && atomic_load(&file->way) == MIO_WAY_OURS;
}

/*
 * 1 if the length is cut, and the memory, taken with the whole length, cannot be a program's: a length of -1 from an earlier call, for example.
 * The kernel checks memory before it cuts the length, so it has to answer.
 */
static inline int is_beyond(const void *memory, size_t length)
{
	return __builtin_expect(length > CALL_BYTES_MAX, 0) && mio_door_is_no_place(memory, length);
}

static inline size_t capped(size_t length)
{
	return length < CALL_BYTES_MAX ? length : CALL_BYTES_MAX;
}

/* The layer to which a read or a write of that file can go straight, or NULL. */
static inline struct mio_layer *straight(const struct mio_file *file, int write)
{
	if (__builtin_expect(atomic_load_explicit(&file->way, memory_order_relaxed) != MIO_WAY_KERNEL, 0))
		return NULL;
	return mio_stack_straight(file->stack, write);
}

/* The same for a call that names its offset. */
static inline struct mio_layer *straight_at(const struct mio_file *file, int write, size_t length, int64_t offset)
{
	if (length == 0 || (uint64_t)offset > (uint64_t)INT64_MAX - length || mio_door_refused(file, write) < 0)
		return NULL;
	return straight(file, write);
}

/* For calls that cannot go straight. by_way: at the position, with the file locked; by_way_at: at an offset, with the file in use. */

static __attribute__((noinline)) int64_t by_way(struct mio_file *file, int fd, int write, void *memory, size_t length)
{
	struct mio_door_request request = {.write = write, .memory = memory, .length = length};

	return mio_door_run_at_position(file, fd, &request);
}

static __attribute__((noinline)) int64_t by_way_at(struct mio_file *file, int fd, int write, void *memory, size_t length,
						   int64_t offset)
{
	struct mio_door_request request = {.write = write, .memory = memory, .length = length};

	return mio_door_run_at_offset(file, fd, &request, offset);
}

/* For a write that did not get the file: a signal handler's is put off, any other is the kernel's. */
static int64_t put_off_or_pass(int fd, const void *memory, size_t length, int64_t offset)
{
	struct iovec vector = {(void *)(uintptr_t)memory, capped(length)};

	return interrupts(fd) ? mio_door_put_off_write(fd, &vector, 1, offset) : MIO_DOOR_PASS;
}

/*
 * Has the kernel make the whole call, at its own position or at offset: for more bytes than one call may move, and for memory that does not
 * exist.
 */
static int64_t by_kernel(int fd, const struct mio_door_request *request, int64_t offset)
{
	struct mio_file *file = mio_door_lock(fd);
	enum mio_bypass kind = request->write ? MIO_BYPASS_TRANSFER_IN : MIO_BYPASS_TRANSFER_OUT;
	int64_t result;
	int64_t now;

	if (!file)
		return MIO_DOOR_PASS;
	if (request->write)
		mio_pf_file_alone(mio_stack_file(file->stack));
	result = mio_stack_bypass_begin(file->stack, kind, 0, INT64_MAX);
	if (result == 0) {
		if (atomic_load(&file->way) == MIO_WAY_OURS && offset < 0)
			mio_raw3(SYS_lseek, fd, file->position, SEEK_SET);
		result = offset < 0 ? mio_door_run_plain(fd, request) : mio_door_run_plain_at(fd, request, offset);
		now = offset < 0 && result > 0 ? mio_raw3(SYS_lseek, fd, 0, SEEK_CUR) : -1;
		if (now >= 0)
			file->position = now;
		mio_door_transferred(file, request->write, offset >= 0 ? offset : now >= 0 ? now - result : -1, result);
	}
	if (request->write)
		mio_pf_file_unalone(mio_stack_file(file->stack));
	mio_door_unlock(file);
	return result;
}

static __attribute__((noinline)) int64_t beyond(int fd, int write, const void *memory, size_t length, int64_t offset)
{
	struct mio_door_request request = {.write = write, .memory = (void *)(uintptr_t)memory, .length = length};

	return by_kernel(fd, &request, offset);
}

MIO_HOT int64_t mio_door_read(int fd, void *memory, size_t length)
{
	struct mio_file *file;
	struct mio_layer *layer;
	int64_t result;

	if (is_beyond(memory, length))
		return beyond(fd, 0, memory, length, -1);
	file = mio_door_lock_now(mio_door_file(fd), fd);
	if (!file)
		return MIO_DOOR_PASS;
	layer = straight(file, 0);
	if (!layer)
		return by_way(file, fd, 0, memory, capped(length));
	mio_open_call.at_position = 1;
	result = layer->ops->read(layer, memory, capped(length), file->position);
	mio_open_call.at_position = 0;
	if (result > 0)
		file->position += result;
	mio_door_unlock_now(file);
	return result;
}

MIO_HOT int64_t mio_door_write(int fd, const void *memory, size_t length)
{
	struct mio_file *file;
	struct mio_layer *layer;
	int64_t result;

	if (is_beyond(memory, length))
		return beyond(fd, 1, memory, length, -1);
	file = mio_door_lock_now(mio_door_file(fd), fd);
	if (!file)
		return put_off_or_pass(fd, memory, length, -1);
	layer = file->oflags & O_APPEND ? NULL : straight(file, 1);
	if (!layer)
		return by_way(file, fd, 1, (void *)(uintptr_t)memory, capped(length));
	mio_open_call.at_position = 1;
	result = layer->ops->write(layer, memory, capped(length), file->position);
	mio_open_call.at_position = 0;
	if (result > 0)
		file->position += result;
	mio_door_unlock_now(file);
	return result;
}

MIO_HOT int64_t mio_door_pread(int fd, void *memory, size_t length, int64_t offset)
{
	size_t bytes = capped(length);
	struct mio_file *file;
	struct mio_layer *layer;
	int64_t result;

	if (is_beyond(memory, length))
		return offset < 0 ? MIO_DOOR_PASS : beyond(fd, 0, memory, length, offset);
	file = mio_door_use_now(mio_door_file(fd), fd);
	if (!file)
		return MIO_DOOR_PASS;
	layer = straight_at(file, 0, bytes, offset);
	if (!layer)
		return by_way_at(file, fd, 0, memory, bytes, offset);
	layer->ops->seek(layer, offset);
	result = layer->ops->read(layer, memory, bytes, offset);
	mio_door_unuse_now(file);
	return result;
}

MIO_HOT int64_t mio_door_pwrite(int fd, const void *memory, size_t length, int64_t offset)
{
	size_t bytes = capped(length);
	struct mio_file *file;
	struct mio_layer *layer;
	int64_t result;

	if (is_beyond(memory, length))
		return offset < 0 ? MIO_DOOR_PASS : beyond(fd, 1, memory, length, offset);
	file = mio_door_use_now(mio_door_file(fd), fd);
	if (!file)
		return offset < 0 ? MIO_DOOR_PASS : put_off_or_pass(fd, memory, length, offset);
	layer = file->oflags & O_APPEND ? NULL : straight_at(file, 1, bytes, offset);
	if (!layer)
		return by_way_at(file, fd, 1, (void *)(uintptr_t)memory, bytes, offset);
	layer->ops->seek(layer, offset);
	result = layer->ops->write(layer, memory, bytes, offset);
	mio_door_unuse_now(file);
	return result;
}

/* The vector forms of the calls above. */

static int64_t at_position(int fd, const struct mio_door_request *request)
{
	struct mio_file *file = mio_door_lock_now(mio_door_file(fd), fd);
	struct mio_layer *layer;
	int64_t result;

	if (!file)
		return MIO_DOOR_PASS;
	layer = request->write && (file->oflags & O_APPEND) ? NULL : straight(file, request->write);
	if (!layer)
		return mio_door_run_at_position(file, fd, request);
	mio_open_call.at_position = 1;
	result = request->write ? layer->ops->writev(layer, request->vector, request->count, file->position)
				: layer->ops->readv(layer, request->vector, request->count, file->position);
	mio_open_call.at_position = 0;
	if (result > 0)
		file->position += result;
	mio_door_unlock_now(file);
	return result;
}

static int64_t at_offset(int fd, const struct mio_door_request *request, int64_t offset)
{
	struct mio_file *file = mio_door_use_now(mio_door_file(fd), fd);
	struct mio_layer *layer;
	int64_t result;

	if (!file)
		return MIO_DOOR_PASS;
	layer = request->write && (file->oflags & O_APPEND) ? NULL : straight_at(file, request->write, request->length, offset);
	if (!layer)
		return mio_door_run_at_offset(file, fd, request, offset);
	layer->ops->seek(layer, offset);
	result = request->write ? layer->ops->writev(layer, request->vector, request->count, offset)
				: layer->ops->readv(layer, request->vector, request->count, offset);
	mio_door_unuse_now(file);
	return result;
}

/* Sets up the request and sums the lengths. 0 if the kernel has to judge: this is no valid vector, or too long. */
static int measure(struct mio_door_request *request, const struct iovec *vector, int count)
{
	if (count <= 0 || count > VECTORS_MAX || mio_door_is_no_place(vector, sizeof(*vector) * (size_t)count))
		return 0;
	request->vector = vector;
	request->count = count;
	request->length = 0;
	for (int i = 0; i < count; i++) {
		if (vector[i].iov_len > CALL_BYTES_MAX - request->length)
			return 0;
		request->length += vector[i].iov_len;
	}
	return 1;
}

/* For a vector that is invalid, or longer than one call may move. Without elements nothing moves, and the plain call says what is wrong. */
static int64_t odd_vector(int fd, int write, const struct iovec *vector, int count, int64_t offset)
{
	struct mio_door_request odd = {.write = write, .vector = vector, .count = count};

	return count <= 0 ? MIO_DOOR_PASS : by_kernel(fd, &odd, offset);
}

int64_t mio_door_readv(int fd, const struct iovec *vector, int count)
{
	struct mio_door_request request = {.write = 0};

	return measure(&request, vector, count) ? at_position(fd, &request) : odd_vector(fd, 0, vector, count, -1);
}

int64_t mio_door_writev(int fd, const struct iovec *vector, int count)
{
	struct mio_door_request request = {.write = 1};

	if (!measure(&request, vector, count))
		return odd_vector(fd, 1, vector, count, -1);
	if (__builtin_expect(interrupts(fd), 0))
		return mio_door_put_off_write(fd, vector, count, -1);
	return at_position(fd, &request);
}

int64_t mio_door_preadv(int fd, const struct iovec *vector, int count, int64_t offset)
{
	struct mio_door_request request = {.write = 0};

	return measure(&request, vector, count) || offset < 0 ? at_offset(fd, &request, offset)
							      : odd_vector(fd, 0, vector, count, offset);
}

int64_t mio_door_pwritev(int fd, const struct iovec *vector, int count, int64_t offset)
{
	struct mio_door_request request = {.write = 1};

	if (!measure(&request, vector, count) && offset >= 0)
		return odd_vector(fd, 1, vector, count, offset);
	if (__builtin_expect(interrupts(fd) && offset >= 0, 0))
		return mio_door_put_off_write(fd, vector, count, offset);
	return at_offset(fd, &request, offset);
}

/* The new position for a seek, or -errno. */
static int64_t target(struct mio_file *file, int fd, int64_t offset, int whence)
{
	int64_t from = 0;

	if (whence == SEEK_DATA || whence == SEEK_HOLE) {
		int rc = mio_stack_publish(file->stack);

		return rc < 0 ? rc : mio_raw3(SYS_lseek, fd, offset, whence);
	}
	if (whence == SEEK_CUR)
		from = file->position;
	else if (whence == SEEK_END)
		from = mio_stack_size(file->stack);
	else if (whence != SEEK_SET)
		return -EINVAL;
	if (from < 0)
		return from;
	if (offset > 0 && from > INT64_MAX - offset)
		return -EINVAL;
	if (from + offset > ASKED_FROM)
		return mio_raw3(SYS_lseek, fd, from + offset, SEEK_SET);
	return from + offset < 0 ? -EINVAL : from + offset;
}

MIO_HOT int64_t mio_door_seek(int fd, int64_t offset, int whence)
{
	struct mio_file *file = mio_door_lock_now(mio_door_file(fd), fd);
	int64_t result;
	int way;

	if (!file)
		return MIO_DOOR_PASS;
	way = atomic_load_explicit(&file->way, memory_order_relaxed);
	if (way == MIO_WAY_OURS) {
		result = target(file, fd, offset, whence);
	} else {
		if (whence > SEEK_CUR && mio_pf_file_is_cached(mio_stack_file(file->stack)))
			mio_stack_publish(file->stack);
		result = mio_raw3(SYS_lseek, fd, offset, whence);
		/* No read rests any more, and the position is known again. */
		if (result >= 0 && way == MIO_WAY_KERNEL && atomic_load_explicit(&file->rests, memory_order_relaxed) <= 0)
			atomic_store_explicit(&file->rested, 0, memory_order_relaxed);
	}
	if (result >= 0) {
		file->position = result;
		if (way <= MIO_WAY_OURS && !(whence == SEEK_CUR && offset == 0))
			mio_stack_seek(file->stack, result);
	}
	mio_door_unlock_now(file);
	return result;
}

#ifndef MIO_TEST_PF_MEMORY_FILE_H
#define MIO_TEST_PF_MEMORY_FILE_H

/*
 * A last layer over memory, for tests of the layers above. Asynchronous requests run at once, on threads of a pool, or when someone
 * waits for them, and can fail. Notices when the bytes of a write change while it is under way. Twin of MemoryFile.
 */

#include "../src/layer/layer.h"
#include "assert.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>

enum { POOL_THREADS_MAX = 4, CALLS_BYTES = 1 << 16, HELD_MAX = 256 };

/* Threads that run and complete requests. */
struct pool {
	pthread_mutex_t lock;
	pthread_cond_t more, settled;
	pthread_t threads[POOL_THREADS_MAX];
	int count, ending;
	int unsettled;		/* requests not yet complete */
	struct pool_work {
		struct mio_io *io;
		struct memory_file *file;
		unsigned char *before;
		struct pool_work *next;
	} *work, *work_last;
};

struct memory_file {
	struct mio_layer layer;
	pthread_mutex_t lock;
	unsigned char *bytes;
	int64_t size, room;
	struct pool *pool;	/* NULL: requests run at once */
	int holds;		/* nonzero: a request runs only when someone waits for it; 2: but reads get their bytes at once */
	struct mio_io *held[HELD_MAX];
	int64_t held_bytes[HELD_MAX];
	int held_count;
	int logs;
	char calls[CALLS_BYTES];
	size_t calls_length;
	int unstable, reserves, reserve_error;
	int64_t reserved;	/* the highest end of the space that was asked for */
	int reserve_calls;
	int64_t reserve_max;	/* with reserve_error set, reserve fails past this offset; 0: everywhere */
	int refuses;		/* submit fails with this errno; 0: it does not */
	/* Decides about the next request: 0 lets it pass, above 0 moves at most so many bytes, -errno fails it. */
	int64_t (*fault)(struct memory_file *file, int write, int64_t offset, int64_t length);
	void *context;
	int fail_writes, fail_reads;	/* the errno of all writes and reads; 0: none */
	int64_t counted_writes, counted_reads;
	void (*during_write)(struct memory_file *file);
	void (*during_truncate)(struct memory_file *file);
};

__attribute__((format(printf, 2, 3)))
static inline void memory_file_log(struct memory_file *file, const char *format, ...)
{
	va_list arguments;

	if (!file->logs)
		return;
	pthread_mutex_lock(&file->lock);
	va_start(arguments, format);
	if (file->calls_length > 0)
		file->calls_length += (size_t)snprintf(file->calls + file->calls_length,
						       CALLS_BYTES - file->calls_length, ", ");
	file->calls_length += (size_t)vsnprintf(file->calls + file->calls_length, CALLS_BYTES - file->calls_length, format,
						arguments);
	va_end(arguments);
	ASSERT(file->calls_length < CALLS_BYTES);
	pthread_mutex_unlock(&file->lock);
}

static inline struct memory_file *memory_file_of(struct mio_layer *layer)
{
	return (struct memory_file *)layer;
}

static inline int64_t memory_file_allowed(struct memory_file *file, int write, int64_t offset, int64_t length)
{
	int64_t rc = file->fault ? file->fault(file, write, offset, length) : 0;

	if (rc == 0 && write && file->fail_writes)
		rc = -file->fail_writes;
	if (rc == 0 && !write && file->fail_reads)
		rc = -file->fail_reads;
	return rc == 0 || rc > length ? length : rc;
}

static inline int64_t memory_file_do_read(struct memory_file *file, void *memory, int64_t length, int64_t offset)
{
	int64_t bytes;

	pthread_mutex_lock(&file->lock);
	bytes = memory_file_allowed(file, 0, offset, length);
	if (bytes > 0) {
		bytes = offset >= file->size ? 0 : bytes < file->size - offset ? bytes : file->size - offset;
		if (bytes > 0)
			memcpy(memory, file->bytes + offset, (size_t)bytes);
	}
	file->counted_reads++;
	pthread_mutex_unlock(&file->lock);
	return bytes;
}

static inline void memory_file_grow(struct memory_file *file, int64_t to)
{
	if (to > file->room) {
		int64_t room = to > 2 * file->room ? to : 2 * file->room;

		file->bytes = realloc(file->bytes, (size_t)room);
		ASSERT(file->bytes);
		memset(file->bytes + file->room, 0, (size_t)(room - file->room));
		file->room = room;
	}
}

static inline int64_t memory_file_do_write(struct memory_file *file, const void *memory, int64_t length, int64_t offset)
{
	int64_t bytes;

	pthread_mutex_lock(&file->lock);
	if (offset == MIO_LAYER_APPEND)
		offset = file->size;
	bytes = memory_file_allowed(file, 1, offset, length);
	if (bytes > 0) {
		memory_file_grow(file, offset + bytes);
		memcpy(file->bytes + offset, memory, (size_t)bytes);
		file->size = offset + bytes > file->size ? offset + bytes : file->size;
	}
	file->counted_writes++;
	pthread_mutex_unlock(&file->lock);
	return bytes;
}

static inline int64_t memory_file_read(struct mio_layer *layer, void *memory, size_t length, int64_t offset)
{
	memory_file_log(memory_file_of(layer), "read %lld+%zu", (long long)offset, length);
	return memory_file_do_read(memory_file_of(layer), memory, (int64_t)length, offset);
}

static inline int64_t memory_file_write(struct mio_layer *layer, const void *memory, size_t length, int64_t offset)
{
	struct memory_file *file = memory_file_of(layer);

	if (offset == MIO_LAYER_APPEND)
		memory_file_log(file, "append %zu", length);
	else
		memory_file_log(file, "write %lld+%zu", (long long)offset, length);
	if (file->during_write)
		file->during_write(file);
	return memory_file_do_write(file, memory, (int64_t)length, offset);
}

static inline int64_t memory_file_readv(struct mio_layer *layer, const struct iovec *vector, int count, int64_t offset)
{
	int64_t total = 0;

	for (int i = 0; i < count; i++) {
		int64_t bytes = memory_file_read(layer, vector[i].iov_base, vector[i].iov_len, offset + total);

		if (bytes < 0)
			return total > 0 ? total : bytes;
		total += bytes;
		if (bytes < (int64_t)vector[i].iov_len)
			break;
	}
	return total;
}

static inline int64_t memory_file_writev(struct mio_layer *layer, const struct iovec *vector, int count, int64_t offset)
{
	struct memory_file *file = memory_file_of(layer);
	int64_t total = 0;

	memory_file_log(file, "writev %lld of %d", (long long)offset, count);
	for (int i = 0; i < count; i++) {
		int64_t at = offset == MIO_LAYER_APPEND ? offset : offset + total;
		int64_t bytes = memory_file_do_write(file, vector[i].iov_base, (int64_t)vector[i].iov_len, at);

		if (bytes < 0)
			return total > 0 ? total : bytes;
		total += bytes;
		if (bytes < (int64_t)vector[i].iov_len)
			break;
	}
	return total;
}

static inline void memory_file_seek(struct mio_layer *layer, int64_t offset)
{
	(void)layer;
	(void)offset;
}

static inline int64_t memory_file_size(struct mio_layer *layer)
{
	struct memory_file *file = memory_file_of(layer);
	int64_t size;

	pthread_mutex_lock(&file->lock);
	size = file->size;
	pthread_mutex_unlock(&file->lock);
	return size;
}

static inline void memory_file_cut(struct memory_file *file, int64_t size)
{
	pthread_mutex_lock(&file->lock);
	memory_file_grow(file, size);
	if (size < file->size)
		memset(file->bytes + size, 0, (size_t)(file->size - size));
	file->size = size;
	pthread_mutex_unlock(&file->lock);
}

static inline int memory_file_truncate(struct mio_layer *layer, int64_t size)
{
	struct memory_file *file = memory_file_of(layer);

	memory_file_log(file, "truncate %lld", (long long)size);
	memory_file_cut(file, size);
	if (file->during_truncate)
		file->during_truncate(file);
	return 0;
}

static inline int memory_file_flush(struct mio_layer *layer, int metadata)
{
	(void)metadata;
	memory_file_log(memory_file_of(layer), "flush");
	return 0;
}

static inline int memory_file_publish(struct mio_layer *layer)
{
	(void)layer;
	return 0;
}

static inline int memory_file_bypass_begin(struct mio_layer *layer, enum mio_bypass kind, int64_t offset, int64_t length)
{
	(void)layer, (void)kind, (void)offset, (void)length;
	return 0;
}

static inline void memory_file_bypass_end(struct mio_layer *layer, enum mio_bypass kind, int64_t offset, int64_t length,
					  int done)
{
	(void)layer, (void)kind, (void)offset, (void)length, (void)done;
}

static inline void memory_file_run(struct memory_file *file, struct mio_io *io, unsigned char *before)
{
	int64_t bytes;

	if (io->write && before) {
		if (memcmp(before, io->memory, io->requested) != 0) {
			pthread_mutex_lock(&file->lock);
			file->unstable = 1;
			pthread_mutex_unlock(&file->lock);
		}
	}
	free(before);
	if (io->write)
		bytes = memory_file_do_write(file, io->memory, (int64_t)io->requested, io->offset);
	else
		bytes = memory_file_do_read(file, io->memory, (int64_t)io->requested, io->offset);
	mio_io_complete(io, bytes);
}

static inline unsigned char *memory_file_copy(struct mio_io *io)
{
	unsigned char *before = io->write ? malloc(io->requested) : NULL;

	if (before)
		memcpy(before, io->memory, io->requested);
	return before;
}

static inline void pool_add(struct pool *pool, struct memory_file *file, struct mio_io *io)
{
	struct pool_work *work = malloc(sizeof(*work));

	ASSERT(work);
	*work = (struct pool_work){io, file, memory_file_copy(io), NULL};
	pthread_mutex_lock(&pool->lock);
	if (pool->work_last)
		pool->work_last->next = work;
	else
		pool->work = work;
	pool->work_last = work;
	pool->unsettled++;
	pthread_cond_signal(&pool->more);
	pthread_mutex_unlock(&pool->lock);
}

static inline void *pool_run(void *context)
{
	struct pool *pool = context;

	for (;;) {
		struct pool_work *work;

		pthread_mutex_lock(&pool->lock);
		while (!pool->work && !pool->ending)
			pthread_cond_wait(&pool->more, &pool->lock);
		work = pool->work;
		if (work) {
			pool->work = work->next;
			if (!pool->work)
				pool->work_last = NULL;
		}
		pthread_mutex_unlock(&pool->lock);
		if (!work)
			return NULL;
		memory_file_run(work->file, work->io, work->before);
		free(work);
		pthread_mutex_lock(&pool->lock);
		if (--pool->unsettled == 0)
			pthread_cond_broadcast(&pool->settled);
		pthread_mutex_unlock(&pool->lock);
	}
}

static inline void pool_begin(struct pool *pool, int threads)
{
	memset(pool, 0, sizeof(*pool));
	pthread_mutex_init(&pool->lock, NULL);
	pthread_cond_init(&pool->more, NULL);
	pthread_cond_init(&pool->settled, NULL);
	pool->count = threads;
	for (int i = 0; i < threads; i++)
		ASSERT_EQUAL(0, pthread_create(&pool->threads[i], NULL, pool_run, pool));
}

/* Waits until every request so far is complete. */
static inline void pool_settle(struct pool *pool)
{
	pthread_mutex_lock(&pool->lock);
	while (pool->unsettled > 0)
		pthread_cond_wait(&pool->settled, &pool->lock);
	pthread_mutex_unlock(&pool->lock);
}

static inline void pool_end(struct pool *pool)
{
	pthread_mutex_lock(&pool->lock);
	pool->ending = 1;
	pthread_cond_broadcast(&pool->more);
	pthread_mutex_unlock(&pool->lock);
	for (int i = 0; i < pool->count; i++)
		pthread_join(pool->threads[i], NULL);
}

static inline int memory_file_submit(struct mio_layer *layer, struct mio_io *io)
{
	struct memory_file *file = memory_file_of(layer);

	memory_file_log(file, "%s %lld+%zu", io->write ? "awrite" : "aread", (long long)io->offset, io->requested);
	if (file->refuses)
		return -file->refuses;
	if (file->during_write && io->write)
		file->during_write(file);
	if (file->holds) {
		ASSERT(file->held_count < HELD_MAX);
		file->held_bytes[file->held_count] = -1;
		if (file->holds == 2 && !io->write)
			file->held_bytes[file->held_count] =
				memory_file_do_read(file, io->memory, (int64_t)io->requested, io->offset);
		file->held[file->held_count++] = io;
	} else if (file->pool) {
		pool_add(file->pool, file, io);
	} else {
		memory_file_run(file, io, memory_file_copy(io));
	}
	return 0;
}

static inline void memory_file_submit_all(struct mio_layer *layer, struct mio_io **list, int count)
{
	memory_file_log(memory_file_of(layer), "list of %d", count);
	for (int i = 0; i < count; i++) {
		int rc = memory_file_submit(layer, list[i]);

		if (rc < 0)
			mio_io_complete(list[i], rc);
	}
}

static inline int memory_file_reserve(struct mio_layer *layer, int64_t offset, int64_t bytes)
{
	struct memory_file *file = memory_file_of(layer);

	if (file->reserve_error && offset + bytes > file->reserve_max)
		return -file->reserve_error;
	file->reserve_calls++;
	if (offset + bytes > file->reserved)
		file->reserved = offset + bytes;
	return file->reserves;
}

static inline void memory_file_run_held(struct memory_file *file, int at)
{
	struct mio_io *io = file->held[at];
	int64_t bytes = file->held_bytes[at];

	file->held[at] = file->held[--file->held_count];
	file->held_bytes[at] = file->held_bytes[file->held_count];
	if (bytes >= 0)
		mio_io_complete(io, bytes);
	else
		memory_file_run(file, io, NULL);
}

static inline void memory_file_await(struct mio_layer *layer, struct mio_io *io, int wait)
{
	struct memory_file *file = memory_file_of(layer);

	for (int i = 0; wait && i < file->held_count; i++) {
		if (file->held[i] == io)
			memory_file_run_held(file, i);
	}
	if (wait)
		mio_io_wait(io);
}

static inline int memory_file_close(struct mio_layer *layer)
{
	memory_file_log(memory_file_of(layer), "close");
	return 0;
}

static inline void memory_file_release(struct mio_layer *layer)
{
	(void)layer;
}

static const struct mio_layer_ops memory_file_ops = {
	memory_file_read,	  memory_file_readv,	  memory_file_write,	   memory_file_writev,
	memory_file_seek,	  memory_file_size,	  memory_file_truncate,	   memory_file_flush,
	memory_file_publish,	  memory_file_bypass_begin, memory_file_bypass_end, memory_file_submit,
	memory_file_submit_all,	  memory_file_reserve,	  memory_file_await,	   memory_file_close,
	memory_file_release,
};

/* Makes a file of so many bytes of this value. Without a pool (NULL) its requests run at once. */
static inline struct memory_file *memory_file_make(struct pool *pool, int value, int64_t bytes)
{
	struct memory_file *file = calloc(1, sizeof(*file));

	ASSERT(file);
	pthread_mutex_init(&file->lock, NULL);
	file->layer = (struct mio_layer){&memory_file_ops, NULL, "os"};
	file->pool = pool;
	file->reserves = 1;
	file->logs = pool == NULL;
	memory_file_grow(file, bytes);
	if (bytes > 0)
		memset(file->bytes, value, (size_t)bytes);
	file->size = bytes;
	return file;
}

static inline void memory_file_free(struct memory_file *file)
{
	ASSERT(!file->unstable);
	free(file->bytes);
	free(file);
}

/* Returns the calls so far, for example "aread 0+4096", and forgets them. */
static inline const char *memory_file_calls(struct memory_file *file)
{
	static char seen[CALLS_BYTES];

	memcpy(seen, file->calls, file->calls_length + 1);
	seen[file->calls_length] = 0;
	file->calls_length = 0;
	return seen;
}

#endif

#ifndef MIO_TEST_NULL_OS_H
#define MIO_TEST_NULL_OS_H

/* A last layer without a file: it moves no bytes but counts them, and fails when told to. Twin of NullOs. */

#include "../src/layer/layer.h"
#include "../src/layer/layer_open.h"
#include "assert.h"

#include <stdatomic.h>

struct null_os {
	struct mio_layer layer;
	_Atomic int64_t size;
	int failure;			/* 0, or the -errno that calls return */
	struct mio_io *held;		/* the last request that was submitted while holds was set */
	int holds;
	int awaits, waits;
	enum mio_bypass last_bypass;
};

static inline struct null_os *null_of(struct mio_layer *layer)
{
	return (struct null_os *)layer;
}

static inline int64_t null_read(struct mio_layer *layer, void *memory, size_t length, int64_t offset)
{
	struct null_os *os = null_of(layer);
	int64_t rest = os->size - offset;

	(void)memory;
	if (os->failure)
		return os->failure;
	return rest <= 0 ? 0 : rest < (int64_t)length ? rest : (int64_t)length;
}

static inline int64_t null_write(struct mio_layer *layer, const void *memory, size_t length, int64_t offset)
{
	struct null_os *os = null_of(layer);
	int64_t size = os->size;

	(void)memory;
	if (os->failure)
		return os->failure;
	if (offset == MIO_LAYER_APPEND)
		os->size += (int64_t)length;
	else
		while (offset + (int64_t)length > size &&
		       !atomic_compare_exchange_weak(&os->size, &size, offset + (int64_t)length))
			;
	return (int64_t)length;
}

static inline int64_t null_readv(struct mio_layer *layer, const struct iovec *vector, int count, int64_t offset)
{
	int64_t sum = 0;

	for (int i = 0; i < count; i++) {
		int64_t moved = null_read(layer, vector[i].iov_base, vector[i].iov_len, offset + sum);

		if (moved < 0)
			return moved;
		sum += moved;
	}
	return sum;
}

static inline int64_t null_writev(struct mio_layer *layer, const struct iovec *vector, int count, int64_t offset)
{
	int64_t sum = 0;

	for (int i = 0; i < count; i++) {
		int64_t at = offset == MIO_LAYER_APPEND ? offset : offset + sum;
		int64_t moved = null_write(layer, vector[i].iov_base, vector[i].iov_len, at);

		if (moved < 0)
			return moved;
		sum += moved;
	}
	return sum;
}

static inline void null_seek(struct mio_layer *layer, int64_t offset)
{
	(void)layer;
	(void)offset;
}

static inline int64_t null_size(struct mio_layer *layer)
{
	return null_of(layer)->failure ? null_of(layer)->failure : null_of(layer)->size;
}

static inline int null_truncate(struct mio_layer *layer, int64_t size)
{
	null_of(layer)->size = size;
	return null_of(layer)->failure;
}

static inline int null_flush(struct mio_layer *layer, int metadata)
{
	(void)metadata;
	return null_of(layer)->failure;
}

static inline int null_publish(struct mio_layer *layer)
{
	return null_of(layer)->failure;
}

static inline int null_bypass_begin(struct mio_layer *layer, enum mio_bypass kind, int64_t offset, int64_t length)
{
	(void)offset;
	(void)length;
	null_of(layer)->last_bypass = kind;
	return null_of(layer)->failure;
}

static inline void null_bypass_end(struct mio_layer *layer, enum mio_bypass kind, int64_t offset, int64_t length,
				   int done)
{
	(void)offset;
	(void)length;
	(void)done;
	ASSERT_EQUAL(kind, null_of(layer)->last_bypass);
}

static inline void null_complete(struct mio_layer *layer, struct mio_io *io)
{
	mio_io_complete(io, io->write ? null_write(layer, io->memory, io->requested, io->offset)
				      : null_read(layer, io->memory, io->requested, io->offset));
}

static inline int null_submit(struct mio_layer *layer, struct mio_io *io)
{
	if (null_of(layer)->failure && !null_of(layer)->holds)
		return null_of(layer)->failure;
	if (null_of(layer)->holds)
		null_of(layer)->held = io;
	else
		null_complete(layer, io);
	return 0;
}

static inline void null_submit_all(struct mio_layer *layer, struct mio_io **list, int count)
{
	for (int i = 0; i < count; i++)
		null_complete(layer, list[i]);
}

static inline int null_reserve(struct mio_layer *layer, int64_t offset, int64_t bytes)
{
	(void)offset;
	(void)bytes;
	return null_of(layer)->failure;
}

static inline void null_await(struct mio_layer *layer, struct mio_io *io, int wait)
{
	null_of(layer)->awaits++;
	null_of(layer)->waits += wait;
	mio_io_wait(io);
}

static inline int null_close(struct mio_layer *layer)
{
	return null_of(layer)->failure;
}

static inline void null_release(struct mio_layer *layer)
{
	(void)layer;
}

static const struct mio_layer_ops null_ops = {
	.read = null_read,
	.readv = null_readv,
	.write = null_write,
	.writev = null_writev,
	.seek = null_seek,
	.size = null_size,
	.truncate = null_truncate,
	.flush = null_flush,
	.publish = null_publish,
	.bypass_begin = null_bypass_begin,
	.bypass_end = null_bypass_end,
	.submit = null_submit,
	.submit_all = null_submit_all,
	.reserve = null_reserve,
	.await = null_await,
	.close = null_close,
	.release = null_release,
};

static inline void null_init(struct null_os *os)
{
	memset(os, 0, sizeof(*os));
	os->layer.ops = &null_ops;
	os->layer.name = "os";
}

#endif

#include "layer.h"

int64_t mio_forward_read(struct mio_layer *layer, void *memory, size_t length, int64_t offset)
{
	return layer->next->ops->read(layer->next, memory, length, offset);
}

int64_t mio_forward_readv(struct mio_layer *layer, const struct iovec *vector, int count, int64_t offset)
{
	return layer->next->ops->readv(layer->next, vector, count, offset);
}

int64_t mio_forward_write(struct mio_layer *layer, const void *memory, size_t length, int64_t offset)
{
	return layer->next->ops->write(layer->next, memory, length, offset);
}

int64_t mio_forward_writev(struct mio_layer *layer, const struct iovec *vector, int count, int64_t offset)
{
	return layer->next->ops->writev(layer->next, vector, count, offset);
}

void mio_forward_seek(struct mio_layer *layer, int64_t offset)
{
	layer->next->ops->seek(layer->next, offset);
}

int64_t mio_forward_size(struct mio_layer *layer)
{
	return layer->next->ops->size(layer->next);
}

int mio_forward_truncate(struct mio_layer *layer, int64_t size)
{
	return layer->next->ops->truncate(layer->next, size);
}

int mio_forward_flush(struct mio_layer *layer, int metadata)
{
	return layer->next->ops->flush(layer->next, metadata);
}

int mio_forward_publish(struct mio_layer *layer)
{
	return layer->next->ops->publish(layer->next);
}

int mio_forward_bypass_begin(struct mio_layer *layer, enum mio_bypass kind, int64_t offset, int64_t length)
{
	return layer->next->ops->bypass_begin(layer->next, kind, offset, length);
}

void mio_forward_bypass_end(struct mio_layer *layer, enum mio_bypass kind, int64_t offset, int64_t length, int done)
{
	layer->next->ops->bypass_end(layer->next, kind, offset, length, done);
}

int mio_forward_submit(struct mio_layer *layer, struct mio_io *io)
{
	return layer->next->ops->submit(layer->next, io);
}

int mio_forward_reserve(struct mio_layer *layer, int64_t offset, int64_t bytes)
{
	return layer->next->ops->reserve(layer->next, offset, bytes);
}

void mio_forward_await(struct mio_layer *layer, struct mio_io *io, int wait)
{
	layer->next->ops->await(layer->next, io, wait);
}

int mio_forward_close(struct mio_layer *layer)
{
	return layer->next->ops->close(layer->next);
}

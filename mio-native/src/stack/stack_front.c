/* The front layer: the gate around the program's requests. See stack.h. */
#include "stack_open.h"

#include "../common/memory.h"
#include "../pf/pf_auto.h"
#include "../pf/pf_layer.h"
#include "../stats/stats.h"
#include "../stats/stats_process.h"
#include "stack_process.h"

enum held { NOT_HELD, SHARED, ALONE };

/* An open that may take pages later must have no request outside the gate then. So all its requests take the gate, from the first one on. */
static int is_gated(const struct mio_stack *stack)
{
	return stack->gated || mio_stack_may_have_pages(stack) || mio_pf_file_is_cached(stack->file);
}

static enum held share(struct mio_stack *stack)
{
	if (!is_gated(stack))
		return NOT_HELD;
	mio_pf_file_share(stack->file);
	return SHARED;
}

static enum held alone(struct mio_stack *stack)
{
	if (!is_gated(stack))
		return NOT_HELD;
	mio_pf_file_alone(stack->file);
	return ALONE;
}

static void leave(struct mio_stack *stack, enum held held)
{
	if (held == SHARED)
		mio_pf_file_unshare(stack->file);
	else if (held == ALONE)
		mio_pf_file_unalone(stack->file);
}

/*
 * At most the logical size, in bytes: what other processes have appended may be missing, and then a write takes the gate alone. Asks past the
 * layers between, which would count the call.
 */
static int64_t size_bytes(struct mio_stack *stack)
{
	return mio_pf_file_is_cached(stack->file) ? mio_pf_file_size(stack->file) : stack->os->ops->size(stack->os);
}

static enum held enter_write(struct mio_stack *stack, int64_t bytes, int64_t offset)
{
	int64_t step = stack->alignment_bytes;

	if (!stack->cio || offset == MIO_LAYER_APPEND || offset % step != 0 || bytes % step != 0)
		return alone(stack);
	mio_pf_file_share(stack->file);
	/* Asked while the gate is held, so nobody can truncate the file meanwhile. */
	if (offset + bytes <= size_bytes(stack))
		return SHARED;
	mio_pf_file_unshare(stack->file);
	return alone(stack);
}

int64_t mio_stack_read(struct mio_stack *stack, void *memory, size_t length, int64_t offset)
{
	enum held held = share(stack);
	int64_t bytes = stack->top->ops->read(stack->top, memory, length, offset);

	leave(stack, held);
	return bytes;
}

int64_t mio_stack_readv(struct mio_stack *stack, const struct iovec *vector, int count, int64_t offset)
{
	enum held held = share(stack);
	int64_t bytes = stack->top->ops->readv(stack->top, vector, count, offset);

	leave(stack, held);
	return bytes;
}

int64_t mio_stack_write(struct mio_stack *stack, const void *memory, size_t length, int64_t offset)
{
	enum held held = enter_write(stack, (int64_t)length, offset);
	int64_t bytes = stack->top->ops->write(stack->top, memory, length, offset);

	leave(stack, held);
	return bytes;
}

int64_t mio_stack_writev(struct mio_stack *stack, const struct iovec *vector, int count, int64_t offset)
{
	int64_t sum = 0;
	int64_t bytes;
	enum held held;

	for (int i = 0; i < count; i++)
		sum += (int64_t)vector[i].iov_len;
	held = enter_write(stack, sum, offset);
	bytes = stack->top->ops->writev(stack->top, vector, count, offset);
	leave(stack, held);
	return bytes;
}

void mio_stack_seek(struct mio_stack *stack, int64_t offset)
{
	stack->top->ops->seek(stack->top, offset);
}

int64_t mio_stack_size(struct mio_stack *stack)
{
	return stack->top->ops->size(stack->top);
}

int mio_stack_truncate(struct mio_stack *stack, int64_t size)
{
	enum held held = alone(stack);
	int rc = stack->top->ops->truncate(stack->top, size);

	leave(stack, held);
	return rc < 0 ? rc : 0;
}

int mio_stack_flush(struct mio_stack *stack, int metadata)
{
	/* A flush takes long. Without pages there is nothing from which the gate would have to keep other requests away meanwhile. */
	enum held held = stack->gated || mio_pf_file_is_cached(stack->file) ? share(stack) : NOT_HELD;
	int rc = stack->top->ops->flush(stack->top, metadata);

	leave(stack, held);
	return rc;
}

int mio_stack_publish(struct mio_stack *stack)
{
	return stack->top->ops->publish(stack->top);
}

int mio_stack_bypass_begin(struct mio_stack *stack, enum mio_bypass kind, int64_t offset, int64_t length)
{
	return stack->top->ops->bypass_begin(stack->top, kind, offset, length);
}

void mio_stack_bypass_end(struct mio_stack *stack, enum mio_bypass kind, int64_t offset, int64_t length, int done)
{
	stack->top->ops->bypass_end(stack->top, kind, offset, length, done);
}

int mio_stack_may_rest(const struct mio_stack *stack)
{
	return stack->may_rest;
}

int mio_stack_has_cache(const struct mio_stack *stack)
{
	return stack->has_cache;
}

int mio_stack_is_own(const struct mio_stack *stack)
{
	return stack->is_own;
}

struct mio_pf_file *mio_stack_file(const struct mio_stack *stack)
{
	return stack->file;
}

static int close_all(struct mio_stack *stack, int is_told)
{
	enum held held = alone(stack);
	int rc = stack->top->ops->close(stack->top);
	struct mio_layer *layer = stack->top;

	leave(stack, held);
	if (rc < 0 && !is_told)
		mio_stats_say_lost(stack->name, -rc, "it may be lost");
	mio_stack_leave_place(stack);
	if (stack->debugs)
		mio_stack_debug_os_close(stack->debugs, stack->name);
	if (stack->writes_ungated)
		mio_pf_file_ungated_writer(stack->file, -1);
	if (stack->report)
		mio_file_report_close(stack->report);
	while (layer) {
		struct mio_layer *next = layer->next;

		layer->ops->release(layer);
		layer = next;
	}
	mio_pf_file_leave(stack->file);
	mio_memory_give(stack->name, stack->name_bytes);
	mio_memory_give(stack, sizeof(*stack));
	return rc;
}

int mio_stack_close(struct mio_stack *stack)
{
	return close_all(stack, 1);
}

void mio_stack_close_untold(struct mio_stack *stack)
{
	close_all(stack, 0);
}

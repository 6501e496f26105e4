#ifndef MIO_LAYER_LAYER_H
#define MIO_LAYER_LAYER_H

/*
 * One layer of an open file: requests go down, completions and counters come up. Twin of the
 * interface Layer in Java.
 *
 * A layer sees memory and offsets only. The position, append mode and closing are handled once, at the
 * door. Layers are composed at open, bottom up, and then fixed; the last one is os. All
 * functions may be called by several threads. Results are counts or 0, else -errno; errno itself is nobody's
 * business below the door. No function is a cancellation point.
 */

#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include "layer_io.h"

/* Offset of a write that goes to the end of the file, wherever that is when it happens. */
#define MIO_LAYER_APPEND ((int64_t)-1)

/* Result of a truncation that the last layer leaves out. */
#define MIO_LAYER_LEFT_OUT 1

/* Calls that go past the layers, on the file itself, see bypass_begin. */
enum mio_bypass {
	MIO_BYPASS_LOCK,	/* a lock is taken: of the whole file from 0 to INT64_MAX, or of a part */
	MIO_BYPASS_UNLOCK,	/* a lock is given back */
	MIO_BYPASS_MAP_READ,	/* a mapping that cannot change the file */
	MIO_BYPASS_MAP_WRITE,	/* a mapping that can change the file at any later time */
	MIO_BYPASS_TRANSFER_OUT, /* bytes of this file go elsewhere inside the kernel */
	MIO_BYPASS_TRANSFER_IN,	/* bytes come into this file inside the kernel */
	MIO_BYPASS_ALLOCATE	/* the call makes or frees room in the file: its bytes and size may change, and none are moved */
};

struct mio_layer;

struct mio_layer_ops {
	/* Returns bytes delivered, 0 at the end of the file, or -errno. offset: bytes, 0-based. */
	int64_t (*read)(struct mio_layer *layer, void *memory, size_t length, int64_t offset);
	int64_t (*readv)(struct mio_layer *layer, const struct iovec *vector, int count, int64_t offset);
	/* Returns bytes taken, or -errno. offset: bytes, or MIO_LAYER_APPEND. */
	int64_t (*write)(struct mio_layer *layer, const void *memory, size_t length, int64_t offset);
	int64_t (*writev)(struct mio_layer *layer, const struct iovec *vector, int count, int64_t offset);
	/* Tells that the next request is at offset because the caller asked for that place. Counted, no I/O (reference 4.4 f, h). */
	void (*seek)(struct mio_layer *layer, int64_t offset);
	/* Logical size, bytes; or -errno. */
	int64_t (*size)(struct mio_layer *layer);
	/* Makes the file so long, shorter or longer. 0, MIO_LAYER_LEFT_OUT where the file stays as it is (os/notrunc, reference 3.5), or -errno. */
	int (*truncate)(struct mio_layer *layer, int64_t size);
	/* Hands every byte to the device; attributes too if metadata. 0 or -errno. */
	int (*flush)(struct mio_layer *layer, int metadata);
	/* Hands every byte to the kernel, so that others see the file as it is. 0 or -errno. */
	int (*publish)(struct mio_layer *layer);
	/*
	 * Brackets of a call that works on the file itself. Layers that hold bytes bring the file up to date at
	 * begin and forget at end what the call may have changed. begin: 0 or -errno, and then the call is not made (but an
	 * unlock is, all the same) and there is no end. done: 1 if the call did (or may have done) something, 0 where it moved nothing, or
	 * failed and nobody knows why, or -errno.
	 */
	int (*bypass_begin)(struct mio_layer *layer, enum mio_bypass kind, int64_t offset, int64_t length);
	/* offset of a transfer that went to the end: MIO_LAYER_APPEND. */
	void (*bypass_end)(struct mio_layer *layer, enum mio_bypass kind, int64_t offset, int64_t length, int done);
	/* Starts an asynchronous request; its completion comes by mio_io_complete. On -errno it was not started and completes never. */
	int (*submit)(struct mio_layer *layer, struct mio_io *io);
	/* Starts several as one list. One that cannot be started completes with its error. */
	void (*submit_all)(struct mio_layer *layer, struct mio_io **list, int count);
	/* Sets space aside for a later write, without changing the size. 1 done, 0 cannot be done there, or -errno (-ENOSPC, -EFBIG...). */
	int (*reserve)(struct mio_layer *layer, int64_t offset, int64_t bytes);
	/* Waits for a submitted request and counts the time lost (reference 4.4 e); wait 0: the caller did not have to. */
	void (*await)(struct mio_layer *layer, struct mio_io *io, int wait);
	/* Closes the layers below, then this one; called once. The first error, or 0. Memory stays until release. */
	int (*close)(struct mio_layer *layer);
	/* Gives back the memory of this layer alone; after close and the last report. */
	void (*release)(struct mio_layer *layer);
};

/* First member of every layer. */
struct mio_layer {
	const struct mio_layer_ops *ops;
	struct mio_layer *next;		/* NULL for os */
	const char *name;		/* as typed, for example aix; lives as long as the configuration */
};

/* Functions that pass everything on: what a layer does not change, it takes from here (layer_forward.c). */
int64_t mio_forward_read(struct mio_layer *layer, void *memory, size_t length, int64_t offset);
int64_t mio_forward_readv(struct mio_layer *layer, const struct iovec *vector, int count, int64_t offset);
int64_t mio_forward_write(struct mio_layer *layer, const void *memory, size_t length, int64_t offset);
int64_t mio_forward_writev(struct mio_layer *layer, const struct iovec *vector, int count, int64_t offset);
void mio_forward_seek(struct mio_layer *layer, int64_t offset);
int64_t mio_forward_size(struct mio_layer *layer);
int mio_forward_truncate(struct mio_layer *layer, int64_t size);
int mio_forward_flush(struct mio_layer *layer, int metadata);
int mio_forward_publish(struct mio_layer *layer);
int mio_forward_bypass_begin(struct mio_layer *layer, enum mio_bypass kind, int64_t offset, int64_t length);
void mio_forward_bypass_end(struct mio_layer *layer, enum mio_bypass kind, int64_t offset, int64_t length, int done);
int mio_forward_submit(struct mio_layer *layer, struct mio_io *io);
int mio_forward_reserve(struct mio_layer *layer, int64_t offset, int64_t bytes);
void mio_forward_await(struct mio_layer *layer, struct mio_io *io, int wait);
int mio_forward_close(struct mio_layer *layer);

#endif

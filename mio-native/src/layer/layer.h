#ifndef MIO_LAYER_LAYER_H
#define MIO_LAYER_LAYER_H

/*
 * One layer of an open file: requests go down, completions and counters come up. Twin of the
 * interface Layer in Java.
 *
 * A layer sees memory and offsets only. The door alone handles the position, append mode and closing. Layers
 * are composed bottom up when the file is opened, and stay as they are; the last one is os. Several threads may
 * call any function at the same time. A function returns a count or 0, else -errno; errno itself means nothing
 * below the door. No function is a cancellation point.
 */

#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include "layer_io.h"

/* Offset of a write that goes to the end of the file, wherever the end is when the bytes are written. */
#define MIO_LAYER_APPEND ((int64_t)-1)

/* Result of a truncation that the last layer does not make (os/notrunc). */
#define MIO_LAYER_LEFT_OUT 1

/* Calls that work on the file itself, past the layers: see bypass_begin. */
enum mio_bypass {
	MIO_BYPASS_LOCK,	/* a lock is taken: of the whole file from 0 to INT64_MAX, or of a part */
	MIO_BYPASS_UNLOCK,	/* a lock is given back */
	MIO_BYPASS_MAP_READ,	/* a mapping that cannot change the file */
	MIO_BYPASS_MAP_WRITE,	/* a mapping that can change the file at any later time */
	MIO_BYPASS_TRANSFER_OUT, /* inside the kernel, bytes of this file go elsewhere */
	MIO_BYPASS_TRANSFER_IN,	/* inside the kernel, bytes from elsewhere come into this file */
	MIO_BYPASS_ALLOCATE	/* the call makes or frees room in the file: bytes and size of the file may change, but no bytes are transferred */
};

struct mio_layer;

struct mio_layer_ops {
	/* Returns bytes delivered, 0 at the end of the file, or -errno. offset: bytes, 0-based. */
	int64_t (*read)(struct mio_layer *layer, void *memory, size_t length, int64_t offset);
	int64_t (*readv)(struct mio_layer *layer, const struct iovec *vector, int count, int64_t offset);
	/* Returns bytes taken, or -errno. offset: bytes, or MIO_LAYER_APPEND. */
	int64_t (*write)(struct mio_layer *layer, const void *memory, size_t length, int64_t offset);
	int64_t (*writev)(struct mio_layer *layer, const struct iovec *vector, int count, int64_t offset);
	/* Tells the layer that the next request is at offset because the caller asked for that offset. Counted; no I/O (reference 4.4 f, h). */
	void (*seek)(struct mio_layer *layer, int64_t offset);
	/* Returns the logical size of the file, bytes; or -errno. */
	int64_t (*size)(struct mio_layer *layer);
	/* Makes the file size bytes long, shorter or longer. 0, MIO_LAYER_LEFT_OUT if the file stays as it is (os/notrunc, reference 3.5), or -errno. */
	int (*truncate)(struct mio_layer *layer, int64_t size);
	/* Hands every written byte to the device; if metadata is not 0, attributes of the file too. 0 or -errno. */
	int (*flush)(struct mio_layer *layer, int metadata);
	/* Hands every written byte to the kernel, so that other readers of the file see it. 0 or -errno. */
	int (*publish)(struct mio_layer *layer);
	/*
	 * Brackets around a call that works on the file itself. A layer that holds bytes of the file writes them out in bypass_begin,
	 * and forgets in bypass_end what the call may have changed. bypass_begin returns 0 or -errno. After -errno the caller does not
	 * make the call (except for an unlock, which it makes all the same) and does not call bypass_end. done: 1 if the call did
	 * something, or may have; 0 if it moved nothing, or failed for an unknown reason; else -errno.
	 */
	int (*bypass_begin)(struct mio_layer *layer, enum mio_bypass kind, int64_t offset, int64_t length);
	/* offset: MIO_LAYER_APPEND for a transfer that went to the end of the file. */
	void (*bypass_end)(struct mio_layer *layer, enum mio_bypass kind, int64_t offset, int64_t length, int done);
	/* Starts an asynchronous request, which later completes by mio_io_complete. After -errno it was not started and never completes. */
	int (*submit)(struct mio_layer *layer, struct mio_io *io);
	/* Starts several requests as one list. A request that cannot be started completes with its error. */
	void (*submit_all)(struct mio_layer *layer, struct mio_io **list, int count);
	/* Sets space aside for a later write, without changing the size. 1 done, 0 the file system cannot do it, or -errno (-ENOSPC, -EFBIG...). */
	int (*reserve)(struct mio_layer *layer, int64_t offset, int64_t bytes);
	/* Waits for a submitted request and counts the time lost (reference 4.4 e). wait 0: the caller does not have to wait. */
	void (*await)(struct mio_layer *layer, struct mio_io *io, int wait);
	/* Closes the layers below, then this one; called once. Returns the first error, or 0. The memory stays until release. */
	int (*close)(struct mio_layer *layer);
	/* Frees the memory of this layer alone; called after close and after the last report. */
	void (*release)(struct mio_layer *layer);
};

/* First member of every layer. */
struct mio_layer {
	const struct mio_layer_ops *ops;
	struct mio_layer *next;		/* NULL for os */
	const char *name;		/* the layer's name as typed, for example aix; lives as long as the configuration */
};

/* Functions that pass a call on to the next layer (layer_forward.c). A layer uses them for every operation that it does not change. */
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

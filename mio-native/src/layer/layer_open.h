#ifndef MIO_LAYER_OPEN_H
#define MIO_LAYER_OPEN_H

#include <stdatomic.h>
#include <stdint.h>

/* What a layer may know of the file it is opened for. Twin of OpenRequest. Strings live as long as the layers do. */
struct mio_open_request {
	const char *name;	/* as the program gave it, for reports and messages */
	int oflags;		/* as the kernel numbers them */
	int mode;		/* permission bits, -1 where unknown */
	int64_t size_bytes;	/* just after the open */
	int64_t opened_ns;	/* mio_clock_ns before the open */
	int64_t open_ns;	/* time the open took */
	uint64_t device;	/* with inode: what the file is known by */
	uint64_t inode;
	int cacheable;		/* the last layer takes page requests: without, the file has no cache */
	int blind_pages;	/* page requests cannot read: all writes go down at once */
	int direct_pages;	/* aligned page requests are direct I/O, however the program opened it */
	int64_t sector_bytes;	/* smallest direct transfer as reports show it, or 0: mio_open_sector_bytes finds out */
	int is_device;		/* a block device: no cache, and no hints */
	int fd;			/* the program's, at the time of the open only */
};

/*
 * The call of the program that this thread is in. The last layer of a file without pages works on the program's own
 * descriptor, and by the kernel's own position where the program does: what others do with a shared position, append mode and
 * inheritance stays with the kernel.
 */
struct mio_open_call {
	int fd;			/* the descriptor of the call; -1: none, use the one of the open */
	_Atomic int copies;	/* not 0: see layer_copy.h */
	int at_position;	/* 1: read(2) and write(2) at the kernel's position instead of pread(2) and pwrite(2) */
	int may_rest;		/* 1: a layer may say in rests that it has nothing to do with so many of the next reads on the descriptor */
	int rests;
	void *copies_into;	/* the page that it is about to write to by that, or NULL */
	int faulted;		/* 1: memory of the program's may not be used, and such a copy came back; who asked the layers for it forgets it */
};

extern _Thread_local struct mio_open_call mio_open_call __attribute__((tls_model("initial-exec")));

#endif

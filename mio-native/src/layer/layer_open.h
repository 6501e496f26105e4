#ifndef MIO_LAYER_OPEN_H
#define MIO_LAYER_OPEN_H

#include <stdatomic.h>
#include <stdint.h>

/* What a layer may know of the file it is opened for. Twin of OpenRequest. Strings live as long as the layers. */
struct mio_open_request {
	const char *name;	/* name of the file as the program gave it, for reports and messages */
	int oflags;		/* open flags as the kernel numbers them */
	int mode;		/* permission bits; -1 if unknown */
	int64_t size_bytes;	/* size of the file just after the open */
	int64_t opened_ns;	/* mio_clock_ns before the open */
	int64_t open_ns;	/* how long the open took */
	uint64_t device;	/* device and inode identify the file */
	uint64_t inode;
	int cacheable;		/* 1: the last layer takes page requests; 0: the file has no cache */
	int blind_pages;	/* 1: page requests cannot read, so all writes go down at once */
	int direct_pages;	/* 1: aligned page requests are direct I/O, however the program opened the file */
	int64_t sector_bytes;	/* smallest direct transfer as reports show it; 0: mio_open_sector_bytes finds it out */
	int is_device;		/* 1: a block device, which gets no cache and no hints */
	int fd;			/* the program's descriptor; valid only during the open */
};

/*
 * The call of the program that this thread is in. The last layer of a file without pages works on the program's own
 * descriptor, and at the kernel's own position where the program does. So a position shared with others, append mode and
 * inheritance stay with the kernel.
 */
struct mio_open_call {
	int fd;			/* the descriptor of the call; -1: none, use that of the open */
	_Atomic int copies;	/* state of a copy from or to the program's memory: one of the values in layer_copy.h, or 0 */
	int at_position;	/* 1: read(2) and write(2) at the kernel's position instead of pread(2) and pwrite(2) */
	int may_rest;		/* 1: a layer may set rests */
	int rests;		/* number of the next reads on the descriptor that the layers need not see */
	void *copies_into;	/* the page (struct mio_pf_page) that a mio_layer_copy is about to write to, or NULL */
	int faulted;		/* 1: a copy ended because memory of the program may not be used; the caller of the layers resets it */
};

extern _Thread_local struct mio_open_call mio_open_call __attribute__((tls_model("initial-exec")));

#endif

#ifndef MIO_OS_OWN_H
#define MIO_OS_OWN_H

/* The inside of an open over MIO's own descriptors, for the files of this directory. Its purpose: os_layer.h. */

#include "os_backend.h"
#include "os_layer.h"
#include "os_shared.h"

/* No request is cut finer than MIO_OS_ALIGN_LEAST, whatever a file system allows. Every block size in use divides MIO_OS_ALIGN_MOST. */
enum { MIO_OS_ALIGN_LEAST = 512, MIO_OS_ALIGN_MOST = 4096 };

struct mio_os_own {
	struct mio_os_shared *shared;
	struct mio_os_descriptor *buffered;
	struct mio_os_descriptor *direct;	/* NULL: all requests are buffered */
	struct mio_os_descriptor *other;	/* second of the two for reading ahead in large folios, the first is buffered; NULL: could not be opened */
	const struct mio_os_backend *backend;
	size_t align_bytes, memory_align_bytes;
	int readable, writable;
	int writes;		/* 1: the program may write by its open, so it counts among the file's writers */
	int buffered_writes;	/* writes go through the kernel's page cache, also where reads bypass it */
	int unpaged;		/* reads go to the program's memory, where nothing after the result may change */
	int remote;		/* on another machine, shared with others, or served by a program: whoever has the bytes may keep them per open */
	int synced, synced_metadata;	/* every write reaches the device before it counts as done; synced_metadata: attributes, too */
	_Atomic int uncached;
	_Atomic uint32_t uses;		/* users; the highest bit (CLOSED) is set once it is closed */
	uint32_t process;		/* mio_os_own_process() when it was opened: its descriptors do not exist in a forked child */
};

/* The value of own->process for opens of this process. */
uint32_t mio_os_own_process(void);

/* Every use of own's descriptors lies between these two. 0, or -EBADF: own is closed. */
int mio_os_own_enter(struct mio_os_own *own);
void mio_os_own_leave(struct mio_os_own *own);

/* The direct descriptor, or NULL if all requests are buffered from now on. */
struct mio_os_descriptor *mio_os_own_direct(struct mio_os_own *own);
void mio_os_own_stop_direct(struct mio_os_own *own);

/* Calls on the file that are no transfers, in the caller's thread. Results as in os_file.h, or -EBADF. */
int64_t mio_os_own_size(struct mio_os_own *own);
int mio_os_own_truncate(struct mio_os_own *own, int64_t size);
/* fd: the program's descriptor that is to learn of an error, if it is on this file; or -1. */
int mio_os_own_sync(struct mio_os_own *own, int metadata, int fd);
int mio_os_own_reserve(struct mio_os_own *own, int64_t offset, int64_t bytes);
/* Writes at the end of the file, wherever that is. Bytes, or -errno. */
int64_t mio_os_own_append(struct mio_os_own *own, const struct iovec *vector, int count);

/* The file's descriptor in append mode, opened through fd at the first call. 0, or -errno. */
int mio_os_own_appending(struct mio_os_own *own, int fd, struct mio_os_descriptor **descriptor);

/* The system's words for the errors that opening and backends meet; for others "error <n>", written to text. */
enum { MIO_OS_WORDS_BYTES = 24 };
const char *mio_os_words(int error, char text[MIO_OS_WORDS_BYTES]);


#endif

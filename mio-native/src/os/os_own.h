#ifndef MIO_OS_OWN_H
#define MIO_OS_OWN_H

/* The inside of an open over MIO's own descriptors, for the files of this room. What it is for: os_layer.h. */

#include "os_backend.h"
#include "os_layer.h"
#include "os_shared.h"

/* No request is cut finer than this, whatever a file system allows; what every block size in use divides. */
enum { MIO_OS_ALIGN_LEAST = 512, MIO_OS_ALIGN_MOST = 4096 };

struct mio_os_own {
	struct mio_os_shared *shared;
	struct mio_os_descriptor *buffered;
	struct mio_os_descriptor *direct;	/* NULL: everything is buffered */
	struct mio_os_descriptor *other;	/* of two that large folios are read ahead by; buffered is the one. NULL: could not be opened */
	const struct mio_os_backend *backend;
	size_t align_bytes, memory_align_bytes;
	int readable, writable;
	int writes;		/* the program may by its open: it is one of the file's writers */
	int buffered_writes;	/* through the kernel's cache, also where reads go past it */
	int unpaged;		/* reads go to the program's memory, of which nothing behind the result may change */
	int remote;		/* on another machine, shared with others, or a program's: who has the bytes may keep them for each open */
	int synced, synced_metadata;	/* every write reaches the device before it is done, and attributes too */
	_Atomic int uncached;
	_Atomic uint32_t uses;		/* with CLOSED in the highest bit */
	uint32_t process;		/* of fork: its descriptors are not there in a child */
};

/* What own->process is in this process. */
uint32_t mio_os_own_process(void);

/* Every use of its descriptors lies between these. 0, or -EBADF: it is closed. */
int mio_os_own_enter(struct mio_os_own *own);
void mio_os_own_leave(struct mio_os_own *own);

/* The direct descriptor, or NULL if all requests are buffered from now on. */
struct mio_os_descriptor *mio_os_own_direct(struct mio_os_own *own);
void mio_os_own_stop_direct(struct mio_os_own *own);

/* Calls on the file that are no transfers, in the caller's thread: as in os_file.h, or -EBADF. */
int64_t mio_os_own_size(struct mio_os_own *own);
int mio_os_own_truncate(struct mio_os_own *own, int64_t size);
/* fd: descriptor of the program's that an error is to be told to, if it is on this file; or -1. */
int mio_os_own_sync(struct mio_os_own *own, int metadata, int fd);
int mio_os_own_reserve(struct mio_os_own *own, int64_t offset, int64_t bytes);
/* Writes at the end of the file, wherever it is. Bytes, or -errno. */
int64_t mio_os_own_append(struct mio_os_own *own, const struct iovec *vector, int count);

/* The file's descriptor in append mode, opened through fd at the first call. 0, or -errno. */
int mio_os_own_appending(struct mio_os_own *own, int fd, struct mio_os_descriptor **descriptor);

/* The system's words for the errors that opening and backends meet; "error <n>" in text for others. */
enum { MIO_OS_WORDS_BYTES = 24 };
const char *mio_os_words(int error, char text[MIO_OS_WORDS_BYTES]);


#endif

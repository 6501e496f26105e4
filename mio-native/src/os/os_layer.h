#ifndef MIO_OS_LAYER_H
#define MIO_OS_LAYER_H

/* The last layer and what page requests need. Twin of io.mio.os (OsLayer, BackendLayer, OwnFile, Backends). */

#include "../config/config.h"
#include "../layer/layer.h"
#include "../layer/layer_open.h"

/* How page requests of a file are to be done. */
struct mio_os_wish {
	int direct, uncached, asynchronous;
	int buffered_writes;	/* direct is for reads alone */
	int unpaged;		/* no cache: requests are the program's, and so is the memory */
	int folios;		/* for mio_os_own_read_ahead, and nothing else */
};

/* One open of a file over descriptors of MIO's own, shared per inode, and the backend that works on them. */
struct mio_os_own;

/*
 * Open what page requests of the file behind fd need. say(context, line): one debug line per fallback, without the file's name; not called
 * after the return. oflags: of the program's open.
 * Returns 0; 1: not a regular file or block device, it has no cache; or -errno: do without a cache. -EMFILE: the program needs the numbers left.
 * Descriptors are close-on-exec and out of the way of the program's numbers (as high as the limit allows).
 */
int mio_os_own_open(int fd, int oflags, const char *name, const struct mio_os_wish *wish,
		    void (*say)(void *context, const char *line), void *context, struct mio_os_own **own);
int mio_os_own_is_direct(const struct mio_os_own *own);
/* 0 where the program only writes, and MIO may open the file for nothing else either. */
int mio_os_own_is_readable(const struct mio_os_own *own);
/* Offsets and lengths of direct requests are multiples of this, bytes; at least 512. */
int mio_os_own_alignment_bytes(const struct mio_os_own *own);
/* As mio_os_folios_read_ahead. -EBADF: it is closed, or another process's; -EBUSY: another thread is at it, or the system gave no second open. */
int mio_os_own_read_ahead(struct mio_os_own *own, int64_t offset, int64_t length, int64_t reach, int64_t longest);
/*
 * Waits for what is on its way. The last open of a file closes MIO's descriptors of it, which drops the process's POSIX locks on it: only
 * where the program closes one of its own. NULL is nothing.
 */
void mio_os_own_close(struct mio_os_own *own);
/* The same in two steps: requests may still come, and are refused, until its memory is given back; NULL has none. */
void mio_os_own_end(struct mio_os_own *own);
void mio_os_own_give(struct mio_os_own *own);

/*
 * The program sees the numbers of descriptors: MIO's own are to be high ones. Takes least while the process has one thread: the kernel's table of
 * descriptors grows. Without it they stay where they land.
 */
void mio_os_numbers_begin(void);

/* 1 if fd is one of MIO's own: the program may neither use nor close it. One load. */
int mio_os_is_own_descriptor(int fd);
/* The lowest of MIO's own from this number on, or -1: what close_range and closefrom have to leave out. */
int mio_os_own_descriptor_from(int fd);

/*
 * The program is about to put something else on this number (dup2, dup3): if it is MIO's own, MIO goes to another and it is free when
 * this returns. Waits for requests that use it. 0; -EBUSY: the program has a POSIX lock on the file behind it, which
 * giving up the number would drop; or another -errno. Not from a signal handler that came upon a call in the library.
 */
int mio_os_own_descriptor_moved(int fd);

/* Closes what MIO keeps open for itself, with no file of the program's behind it. */
void mio_os_kept_give_up(void);

/*
 * The program is about to take a POSIX lock (F_SETLK, F_SETLKW, lockf) on any file. From then on nothing is closed that
 * is open on a file the program may have locked, but when the program closes it. One load after the first time.
 */
void mio_os_posix_lock_coming(void);

/*
 * Around exec, without fork before: POSIX locks outlive it, unless a descriptor of their file is closed by it. So what MIO has open on
 * locked files is left to the next program. No cost in a process without such locks. failed: exec has returned.
 */
void mio_os_exec_coming(void);
void mio_os_exec_failed(void);

/*
 * The last layer. own NULL: it works on the program's descriptor, see mio_open_call; else on own, and closes it.
 * It never closes the program's descriptor. NULL without memory.
 */
struct mio_layer *mio_os_layer_make(const struct mio_layer_spec *spec, const struct mio_open_request *request,
				    struct mio_os_own *own);

/* There will be no cache over a layer of descriptors of MIO's own: requests are the program's, and so is the memory. Before the first one. */
void mio_os_layer_unpaged(struct mio_layer *layer);

/* How page requests are done in this process: io_uring, threads or sync. */
const char *mio_os_engine(void);

/*
 * Wait until no request is on its way, and end the library's threads; they start again when needed. Before exec.
 * Meanwhile requests are done in the threads that submit them. Not by a completion.
 */
void mio_os_drain(void);

/*
 * The same, and no thread begins until mio_os_go_on: requests are done in the threads that submit them. Around setuid, unshare. Threads of
 * recov's are waited for, too, but not for ever: one that is still at work keeps the rights it has.
 */
void mio_os_stop(void);
void mio_os_go_on(void);
/* For good, except for threads that end by themselves: before the main thread ends without the process. */
void mio_os_stop_for_good(void);

/* In a forked child: close the parent's own descriptors, or only forget them if they are shared; forget its ring, threads and arena. */
void mio_os_forked(int shares_descriptors);

#endif

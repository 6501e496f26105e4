#ifndef MIO_OS_LAYER_H
#define MIO_OS_LAYER_H

/* The last layer, and what page requests need. Twin of io.mio.os (OsLayer, BackendLayer, OwnFile, Backends). */

#include "../config/config.h"
#include "../layer/layer.h"
#include "../layer/layer_open.h"

/* How page requests of a file are to be made. */
struct mio_os_wish {
	int direct, uncached, asynchronous;
	int buffered_writes;	/* direct I/O is for reads alone */
	int unpaged;		/* no cache: the requests and their memory are the program's */
	int folios;		/* for mio_os_own_read_ahead, and nothing else */
};

/* One open of a file over descriptors of MIO's own, which the opens of an inode share, and the backend that works on them. */
struct mio_os_own;

/*
 * Opens what page requests of the file behind fd need. say(context, line): called for one debug line per fallback, without the file's name; not
 * after the return. oflags: of the program's open. Returns 0; 1: not a regular file or block device, which has no cache; or -errno: do without a
 * cache. -EMFILE: the program needs the remaining numbers. The descriptors are close-on-exec and out of the way of the program's numbers (as high
 * as the limit allows).
 */
int mio_os_own_open(int fd, int oflags, const char *name, const struct mio_os_wish *wish,
		    void (*say)(void *context, const char *line), void *context, struct mio_os_own **own);
int mio_os_own_is_direct(const struct mio_os_own *own);
/* 0 where the program only writes, and MIO may open the file for nothing else either. */
int mio_os_own_is_readable(const struct mio_os_own *own);
/* Offsets and lengths of direct requests are multiples of this many bytes; at least 512. */
int mio_os_own_alignment_bytes(const struct mio_os_own *own);
/*
 * As mio_os_folios_read_ahead. -EBADF: own is closed, or another process's; -EBUSY: another thread is reading ahead, or there is no second open.
 */
int mio_os_own_read_ahead(struct mio_os_own *own, int64_t offset, int64_t length, int64_t reach, int64_t longest);
/*
 * Waits for requests in flight. The last open of a file closes MIO's descriptors of it, which drops the process's POSIX locks on it: so call this
 * only where the program closes one of its own. NULL does nothing.
 */
void mio_os_own_close(struct mio_os_own *own);
/* The same in two steps: after end, requests may still come and are refused, until give frees the memory. give takes NULL. */
void mio_os_own_end(struct mio_os_own *own);
void mio_os_own_give(struct mio_os_own *own);

/*
 * The program sees the numbers of descriptors, so MIO's own are to be high ones. The kernel's table of descriptors grows for that, which takes
 * least while the process has one thread. Without this call MIO's descriptors stay where they land.
 */
void mio_os_numbers_begin(void);

/* 1 if fd is one of MIO's own: the program may neither use nor close it. One load. */
int mio_os_is_own_descriptor(int fd);
/* The lowest of MIO's own from this number on, or -1: what close_range and closefrom have to leave out. */
int mio_os_own_descriptor_from(int fd);

/*
 * The program is about to put something else on this number (dup2, dup3). If it is MIO's own, MIO moves to another and the number is free when
 * this returns. Waits for requests that use it. 0; -EBUSY: the program has a POSIX lock on the file behind it, which closing the number would
 * drop; or another -errno. Not from a signal handler that interrupted a call of the library.
 */
int mio_os_own_descriptor_moved(int fd);

/* Closes what MIO keeps open for itself, with no file of the program behind it. */
void mio_os_kept_give_up(void);

/*
 * The program is about to take a POSIX lock (F_SETLK, F_SETLKW, lockf) on any file. From then on MIO closes no descriptor of a file that the
 * program may have locked, except when the program closes one. One load after the first time.
 */
void mio_os_posix_lock_coming(void);

/*
 * Brackets of an exec without a fork before it. POSIX locks outlive exec unless it closes a descriptor of their file, so what MIO has open on
 * locked files is left to the next program. No cost in a process without such locks. failed: exec has returned.
 */
void mio_os_exec_coming(void);
void mio_os_exec_failed(void);

/*
 * Makes the last layer. own NULL: it works on the program's descriptor, see mio_open_call; else on own, which it closes. It never closes the
 * program's descriptor. NULL without memory.
 */
struct mio_layer *mio_os_layer_make(const struct mio_layer_spec *spec, const struct mio_open_request *request,
				    struct mio_os_own *own);

/*
 * There will be no cache over a layer with descriptors of MIO's own: the requests and their memory are the program's. To be called before the
 * first request.
 */
void mio_os_layer_unpaged(struct mio_layer *layer);

/* How page requests are made in this process: io_uring, threads or sync. */
const char *mio_os_engine(void);

/*
 * Waits until no request is in flight, and ends the library's threads; they start again when needed. Before exec. Meanwhile requests are done in
 * the threads that submit them. Not from a completion.
 */
void mio_os_drain(void);

/*
 * The same, and no thread begins until mio_os_go_on: requests are done in the threads that submit them. Around setuid, unshare. Threads of recov
 * are waited for, too, but not for ever: one that is still at work keeps the rights it has.
 */
void mio_os_stop(void);
void mio_os_go_on(void);
/* The same for good, except for threads that end by themselves: before the main thread ends without the process. */
void mio_os_stop_for_good(void);

/* In a forked child: closes the parent's own descriptors, or only forgets them if they are shared; forgets its ring, threads and arena. */
void mio_os_forked(int shares_descriptors);

#endif

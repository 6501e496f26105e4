#ifndef MIO_DOOR_DOOR_H
#define MIO_DOOR_DOOR_H

/*
 * What both native doors, the preload library and the C API, do with descriptors: which descriptors have layers, where each open stands, and what
 * happens to them when the process forks, executes another program or ends.
 *
 * The program keeps the kernel's own descriptors. A table maps each number to a struct mio_file, or to nothing. A mio_file is one open of a file; dup
 * makes several descriptors of one open. Looking up a number without a file costs one load.
 *
 * Ways of a file:
 *   KERNEL  MIO has no descriptors of its own for it, and so no cache: calls go down the layers and end as the very calls the program made, at the
 *           kernel's position. Whatever others do with the open (inherit it, append) stays right by itself.
 *   OURS    a cache, or direct I/O without one (mio/direct): requests go through descriptors of MIO's own, whose position
 *           nobody moves. MIO keeps the position, and sets the kernel's when somebody else could see it.
 *   SHARED  the same, read only, where another process may have the open too, or reads may have bypassed the layers (door_waiting.c): reads move
 *           the kernel's position first and are then served from pages.
 *   PASSED  nothing but the kernel's calls, with the pages of other opens kept in agreement.
 * An open file goes from KERNEL to OURS and back where pf/auto takes pages and gives them up: door_pages.c.
 *
 * Functions return a result or -errno, or MIO_DOOR_PASS: the file has no layers, the caller makes the plain call. errno is kept. A signal handler may
 * interrupt a thread that is inside (mio_door_enter marks that): see door_signal.c.
 */

#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/uio.h>

#include "../common/lock.h"
#include "../pf/pf_layer.h"
#include "../stack/stack.h"

#define MIO_DOOR_PASS INT64_MIN

enum mio_way { MIO_WAY_KERNEL, MIO_WAY_OURS, MIO_WAY_SHARED, MIO_WAY_PASSED };

/* One open of a file with layers. Its memory is never used for anything else, so a thread with an outdated pointer may still read it. */
struct mio_file {
	struct mio_lock lock;		/* guards position and way; held through calls that use the position, as the kernel does */
	_Atomic uint32_t users;		/* calls that name their offset and are running */
	_Atomic uint32_t descriptors;	/* numbers that lead to this file */
	_Atomic int way;
	int oflags;			/* flags of the open: O_ACCMODE, O_APPEND... */
	int64_t position;
	_Atomic int rests;		/* how many of the next reads need not go through the layers, but to the kernel as if there were none */
	_Atomic int rested;		/* 1: reads may have gone past the layers, so position is not known */
	uint64_t shares;		/* mio_door_shares() before the open */
	_Atomic uint64_t number;	/* of the open: no two have the same */
	struct mio_stack *stack;
	struct mio_file *next;		/* in the list of free files */
};

extern _Atomic(struct mio_file *) *mio_door_table __attribute__((visibility("hidden")));
extern uint32_t mio_door_table_size __attribute__((visibility("hidden")));	/* 0 until the door is open */

/*
 * The lowest and highest addresses where programs have memory; lower ones are null pointers. A copy of MIO's to or from memory beyond would end the
 * program, so the kernel makes such a call, with pages brought into agreement before and after. It refuses the call; or there is memory after all (larger
 * page tables, and a program that asked mmap for it), and all that is lost is the help of pages.
 */
#define MIO_DOOR_LOWEST_ADDRESS ((uintptr_t)4096)
#if defined(__x86_64__)
#define MIO_DOOR_HIGHEST_ADDRESS (((uintptr_t)1 << 47) - 4096)
#elif defined(__aarch64__)
#define MIO_DOOR_HIGHEST_ADDRESS ((uintptr_t)1 << 48)
#else
#define MIO_DOOR_HIGHEST_ADDRESS (UINTPTR_MAX / 2)
#endif

/* 1 if no process is likely to have memory there. */
static inline int mio_door_is_no_place(const void *memory, size_t length)
{
	uintptr_t first = (uintptr_t)memory;

	return first > MIO_DOOR_HIGHEST_ADDRESS || length > MIO_DOOR_HIGHEST_ADDRESS - first ||
	       (length > 0 && first < MIO_DOOR_LOWEST_ADDRESS);
}

/* What the table leads to while it is undecided whether an open gets layers: door_waiting.c. */
extern struct mio_file mio_door_waiting __attribute__((visibility("hidden")));

/*
 * The file behind a descriptor, mio_door_waiting, or NULL. One load. The result may be outdated at once: to use the file, see mio_door_use and
 * mio_door_lock.
 */
static inline struct mio_file *mio_door_file(int fd)
{
	return (uint32_t)fd < mio_door_table_size ? atomic_load_explicit(&mio_door_table[fd], memory_order_acquire) : NULL;
}

/* The same, but NULL for an open that waits (mio_door_waiting). */
static inline struct mio_file *mio_door_layered(int fd)
{
	struct mio_file *file = mio_door_file(fd);

	return file != &mio_door_waiting ? file : NULL;
}

/* 1 if reads of this file may bypass its layers, and so may calls that move its position. None may while any file of the process has pages. */
static inline int mio_door_is_resting(struct mio_file *file)
{
	return __builtin_expect(atomic_load_explicit(&file->rests, memory_order_relaxed) > 0, 0) && !mio_pf_file_any();
}

/* The same for one read, which is counted down. Check and count are one step, as an outdated pointer may be another open by now, whose reads do not rest. */
static inline int mio_door_rests(struct mio_file *file)
{
	int rests;

	do {
		if (!mio_door_is_resting(file))
			return 0;
		rests = atomic_load_explicit(&file->rests, memory_order_relaxed);
	} while (rests <= 0 || !atomic_compare_exchange_weak_explicit(&file->rests, &rests, rests - 1, memory_order_relaxed,
								      memory_order_relaxed));
	return 1;
}

/*
 * 1 if a read by fd goes to the door (mio_door_read and the like); 0: the caller makes the plain call. To be asked once for each read, as it counts those that
 * rest.
 */
static inline int mio_door_sees_read(int fd)
{
	struct mio_file *file = mio_door_file(fd);

	return file && !mio_door_rests(file);
}

/* The same for a change of the position (mio_door_seek), which counts nothing. */
static inline int mio_door_sees_seek(int fd)
{
	struct mio_file *file = mio_door_file(fd);

	return file && !mio_door_is_resting(file);
}

/* Which calls of MIO's this thread is in. */
struct mio_door_thread {
	int inside;
	_Atomic int pending;		/* something was put off until the thread leaves */
	int brackets;			/* calls between whose begin and end the thread is: it stays inside, but may begin another call */
	int child_shares;		/* the child that it is making shares its descriptors instead of copying them (CLONE_FILES) */
};

extern _Thread_local struct mio_door_thread mio_door_thread __attribute__((tls_model("initial-exec")));

/* Called, if set, when a thread leaves that had put something off. */
extern void (*mio_door_when_leaving)(void);

/* Between enter and leave the thread is inside MIO; what a signal handler asks for is put off. enter returns what leave takes. */
static inline int mio_door_enter(void)
{
	int before = mio_door_thread.inside;

	mio_door_thread.inside = 1;
	return before;
}

void mio_door_run_put_off(void);

static inline void mio_door_leave(int before)
{
	mio_door_thread.inside = before;
	if (__builtin_expect(!before && atomic_load_explicit(&mio_door_thread.pending, memory_order_relaxed) != 0, 0))
		mio_door_run_put_off();
}

/* ---- door_process.c */

/* Opens the door: reads the configuration. Arguments and results as of mio_stacks_begin. After a result of 0, opens are served. */
int mio_door_begin(char *const *environment, int without_rules, struct mio_text *error);
/* 1 once opens are served. */
int mio_door_is_open(void);
/* 1 once an open has used descriptors of MIO's own: MIO may copy between the program's memory and its own, also without a cache. */
int mio_door_keeps_positions(void);
/* From now on no file gets layers any more. */
void mio_door_shut(void);
/* Who else gets the open files. */
enum mio_heirs { MIO_HEIRS_ALL, MIO_HEIRS_INHERITED };	/* by fork: all; by exec in a child: those without close-on-exec */
/* Before fork and spawn: brings bytes and positions to the kernel, and makes files that the child gets too shared from now on. */
void mio_door_share(enum mio_heirs heirs);
/* How often a fork, spawn or exec was about to happen. If it has changed since an open, another process may have that open, too. */
uint64_t mio_door_shares(void);
/* Before exec of this process: brings bytes and positions to the kernel. */
void mio_door_publish_all(void);
/* The same; from then on every write goes to the kernel at once, as other threads run until the kernel stops them. failed: exec has returned. */
void mio_door_exec_coming(void);
void mio_door_exec_failed(void);
/* The process is about to change its rights or its root: keeps open where its reports and events go. */
void mio_door_rights_coming(void);
/*
 * Before a real fork; after it in the parent; after it in the child. The child also has what another thread opened between prepare and the fork, so
 * the parent counts a share once more; mio_door_fork_parent is called after anything that gives a child descriptors.
 */
void mio_door_fork_prepare(void);
void mio_door_fork_parent(void);
void mio_door_fork_child(void);
/* Called, if set, in a forked child, whoever noticed the fork: locks of the library in front of the door have no holder there. */
extern void (*mio_door_when_forked)(void);
/* Points to 1 in this process, and to 0 in a copy made without telling MIO: the kernel wipes it there (MADV_WIPEONFORK). */
extern uint32_t *mio_door_alive __attribute__((visibility("hidden")));
/* 1 if this process is a copy of the one that opened the door and nobody told MIO; the state of the door is put right first. */
static inline int mio_door_check_fork(void)
{
	if (__builtin_expect(*mio_door_alive, 1))
		return 0;
	mio_door_fork_child();
	return 1;
}
/* The process ends: brings bytes to the kernel, writes reports, and lets everything go to the kernel at once from now on. */
void mio_door_exit(void);
/* After mio_door_exit, unless a signal ended the process: one line that says where the reports are, if that was promised to somebody (MIO_HINT). */
void mio_door_hint(void);
/* As mio_os_drain and mio_os_stop_for_good. A signal handler of the program waits until they are done, as it may want the same. */
void mio_door_drain(void);
void mio_door_end_threads(void);
/*
 * Gives all files back to the kernel: bytes, positions, reports. From then on the program, and every child, runs without MIO, which makes no system
 * call any more. To be called before system calls are filtered.
 */
void mio_door_leave_all(void);
/* The program has set limits of its own. */
void mio_door_limits_changed(void);
/* The program does I/O that MIO cannot see (io_uring, kernel AIO): nothing is kept in pages from now on. */
void mio_door_foreign(void);
int mio_door_is_foreign(void);
/* Of the C library, where it has this variable; MIO's own threads do not count in it. */
extern char __libc_single_threaded __attribute__((weak));
/* 1 unless it is known that the program has only one thread. */
static inline int mio_door_has_threads(void)
{
	return !&__libc_single_threaded || !__libc_single_threaded;
}
/* A thread is about to get a table of descriptors of its own: from then on MIO cannot tell which number leads where. */
void mio_door_tables_part(void);

/* ---- door_open.c */

/* An open that the program is about to make. */
struct mio_door_opening {
	const char *name;
	const struct mio_stack_spec *spec;	/* NULL: no rule */
	struct mio_pf_file *cut;		/* a file with pages that the open truncates, or NULL */
	int oflags;
	int mode;
	int64_t began_ns;
	uint64_t shares;			/* mio_door_shares() before the open */
	int cuts;				/* 1: the open truncated the file, and its pages were not told */
	int may_wait;				/* it may be decided later whether the open gets layers, */
	int waits;				/* and the caller wants that */
	int is_late;				/* this is that later decision; the position may be anywhere */
	struct mio_stack_tries tries;		/* attempts that the recov layers have made for it */
};

/* 1 if an open of that name may get layers. */
int mio_door_concerns(const char *name);
/*
 * 1 if the open may concern MIO: the caller then takes oflags and mode from opening, and calls mio_door_opened or mio_door_open_failed afterwards. If
 * the open truncates a file with pages, the thread is inside until then and must not be cancelled. 0: a plain open; if it succeeds,
 * mio_door_opened_beside follows.
 */
int mio_door_opening(struct mio_door_opening *opening, int directory, const char *name, int oflags, int mode);
/* The same with layers that the caller has chosen; spec NULL: none. */
int mio_door_opening_with(struct mio_door_opening *opening, const struct mio_stack_spec *spec, int directory,
			  const char *name, int oflags, int mode);
/* The open failed with error (above 0). Returns 1 to try it again. */
int mio_door_open_failed(struct mio_door_opening *opening, int error);
/* The open succeeded. */
void mio_door_opened(struct mio_door_opening *opening, int fd);
/* An open for which mio_door_opening returned 0 succeeded: its file may have got pages meanwhile. */
void mio_door_opened_beside(const char *name, int oflags, int fd);
/* Of an open that waits. begin: not 0 if a read of this length may pass by the layers; it is the kernel's, and end follows with that value and its result. */
uint64_t mio_door_waited_read_begin(int fd, size_t length);
void mio_door_waited_read_end(int fd, uint64_t life, int64_t result);
/* Ends the waiting of an open: decides whether it gets layers. Returns the file behind fd, or NULL. */
struct mio_file *mio_door_decide(int fd);
/* The same, if fd waits, by attributes that the program has asked for. life: mio_door_waiting_life before it asked; the number's next open has another. */
uint64_t mio_door_waiting_life(int fd);
void mio_door_told(int fd, uint64_t life, const struct stat *found);
/* Called, if set, when a file has got layers after waiting, or has taken pages while it was open. */
extern void (*mio_door_when_decided)(void);
/* A descriptor has come into being: what the table knows of its number is outdated, and goes. */
void mio_door_new_descriptor(int fd);

/* ---- door_table.c: coming and going of descriptors */

/* Takes fd out of the table, and closes its file if fd was its last number. To be called before the kernel's close, which frees fd. 0, or the error. */
int mio_door_close(int fd);
/* The same where no call returns the error to the program: a line on standard error tells it. */
void mio_door_close_untold(int fd);
/*
 * fd is standard input, output or error now, which the C library uses as the kernel has it. Reads of the program are still served from pages, writes
 * go to the kernel.
 */
void mio_door_standard(int fd);
#define MIO_DOOR_STANDARD_MAX 2
/* The same for all numbers of a range. Returns the first error, or 0. */
int mio_door_close_range(uint32_t first, uint32_t last);
void mio_door_close_range_untold(uint32_t first, uint32_t last);
/* Calls see(file, fd, context) for each descriptor with layers. */
void mio_door_each(void (*see)(struct mio_file *file, int fd, void *context), void *context);
/* Marks the file as used by this call until mio_door_unuse. NULL: no layers. For calls that name their offset, and calls about the file. */
struct mio_file *mio_door_use(int fd);
void mio_door_unuse(struct mio_file *file);
/* Locks the file, for calls that use the position. NULL: no layers. */
struct mio_file *mio_door_lock(int fd);
void mio_door_unlock(struct mio_file *file);

/* ---- door_copies.c: copies of descriptors */

/* State between the two brackets of a copy. */
struct mio_door_copying {
	struct mio_file *file;	/* the file of fd, locked, with copy counted among its numbers; NULL: fd has no layers, or the thread is inside */
	int fd, copy;
	int shows;		/* the kernel has the position meanwhile */
	int gave_way;		/* copy had layers, which were closed */
};

/*
 * Brackets of a call that copies fd. copy: -1, or the number that the copy is to get (dup2), which other threads may be using: what it led to is
 * closed before. A thread that uses the number before the table knows the copy meets the kernel, at the right position, and what it did there is
 * found afterwards. begin: 0, or -errno, and then the call is not made. end: with the result of the call; below 0: the kernel refused, and what copy
 * led to goes on without layers. No cancellation in between.
 */
int mio_door_copying_begin(struct mio_door_copying *copying, int fd, int copy);
void mio_door_copying_end(struct mio_door_copying *copying, int rc);

/* ---- door_rw.c. The caller has asked mio_door_sees_read or mio_door_sees_seek where that is due. */

int64_t mio_door_read(int fd, void *memory, size_t length);
int64_t mio_door_write(int fd, const void *memory, size_t length);
int64_t mio_door_readv(int fd, const struct iovec *vector, int count);
int64_t mio_door_writev(int fd, const struct iovec *vector, int count);
int64_t mio_door_pread(int fd, void *memory, size_t length, int64_t offset);
int64_t mio_door_pwrite(int fd, const void *memory, size_t length, int64_t offset);
int64_t mio_door_preadv(int fd, const struct iovec *vector, int count, int64_t offset);
int64_t mio_door_pwritev(int fd, const struct iovec *vector, int count, int64_t offset);
int64_t mio_door_seek(int fd, int64_t offset, int whence);

/* ---- door_file.c: calls about the file */

int64_t mio_door_truncate(int fd, int64_t size);
int64_t mio_door_sync(int fd, int metadata);
/* Brings everything written so far to the kernel, and takes over the size that others have given the file. 0, -errno or MIO_DOOR_PASS. */
int64_t mio_door_publish(int fd);
/* The same for any file. 0: it has no pages. 1 or -errno: it has, and what was asked about it before may be outdated: its last write may have ended since. */
int mio_door_publish_inode(uint64_t device, uint64_t inode);
/* The same for the file at a name, links followed or not; with an empty name, or NULL: that of the descriptor directory. 0 or -errno. */
int mio_door_publish_name(int directory, const char *name, int follow);
void mio_door_publish_everything(void);
/* As mio_door_publish_everything. -errno if some file on the device of this descriptor could not be written, else 0. */
int mio_door_publish_beside(int fd);
/* Brackets of a call that changes the size of the file at a name; pages: the result of the first. errno is kept. */
struct mio_pf_file *mio_door_resizing(const char *name);
void mio_door_resized(const char *name, struct mio_pf_file *pages);
/*
 * Brackets of a call on the file itself. begin: 0: make the call, and pass *file to end (NULL: no layers). -errno: do not make it, *file is NULL; an
 * unlock is made all the same. how, any of these bits:
 *   AT_POSITION  the call uses and moves the kernel's position.
 *   ALONE        it writes and does not wait for others. Meanwhile no write of the program is in a page, whose block would reach the kernel without
 *                the bytes of this call.
 *   WAITS        it waits for others, for as long as these like; signal handlers run meanwhile.
 */
enum { MIO_DOOR_AT_POSITION = 1, MIO_DOOR_ALONE = 2, MIO_DOOR_WAITS = 4 };
int mio_door_bypass_begin(int fd, enum mio_bypass kind, int64_t offset, int64_t length, int how, struct mio_file **file);
void mio_door_bypass_end(struct mio_file *file, int fd, enum mio_bypass kind, int64_t offset, int64_t length, int how, int done);
/*
 * Between the brackets with how 0, for a call that may wait for ever: the file is not held meanwhile, and may be closed. let_go returns the number of
 * the open (of NULL: 0). hold_again returns the file if fd still leads to that open; else NULL, and then there is no end.
 */
uint64_t mio_door_let_go(struct mio_file *file);
struct mio_file *mio_door_hold_again(int fd, uint64_t number);
/*
 * Before a call on two files: brings bytes, and the position if it is used, to the kernel. After it: takes over the kernel's position, if fd still
 * leads to the open of that number.
 */
int mio_door_publish_position(int fd, int at_position);
void mio_door_take_position(int fd, uint64_t number);
/* F_SETFL has changed the flags of the open. */
void mio_door_flags_changed(int fd);
/* From now on the file is changed where MIO does not see it, for good: nothing of it is kept in pages. */
void mio_door_go_past(int fd);
/* The program changed the descriptor so that layers cannot serve it any more (append, direct). */
void mio_door_pass(int fd);
/*
 * The file is read or written where MIO does not see it (a mapping, a stream on a descriptor with layers): it has no cache in this process any more,
 * by any open.
 */
void mio_door_unseen(uint64_t device, uint64_t inode);
/* The same by a mapping for writing, which other processes may have, too. */
void mio_door_mapped(uint64_t device, uint64_t inode);
void mio_door_unseen_descriptor(int fd);
/*
 * fd has no layers, and did not come by mio_door_opened: from here on the pages that its file has now agree with it. A cache that begins later finds
 * fd while it is open (mio_door_strangers), and no trace of it once it is closed.
 */
void mio_door_beside(int fd);
int mio_door_is_unseen(uint64_t device, uint64_t inode);

/* ---- door_fcntl.c: calls made through the caller's own fcntl or the like, with the result and errno of that */

typedef int mio_door_call(int fd, int command, const void *argument);
/* fcntl, except for copies of the descriptor. */
int mio_door_fcntl(int fd, int command, const void *argument, mio_door_call *call);
/* A lock is taken, or given back (l_type F_UNLCK), by call(fd, command, lock). */
int mio_door_locking(int fd, int command, const struct flock *lock, mio_door_call *call);
/* 0: the call may be made without mio_door_fcntl and mio_door_locking. */
int mio_door_sees_locks(int fd);

#endif

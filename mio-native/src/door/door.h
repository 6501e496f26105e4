#ifndef MIO_DOOR_DOOR_H
#define MIO_DOOR_DOOR_H

/*
 * What both native doors, the preload library and the C API, do with descriptors: which of them have layers, where
 * each open is, and what happens to them when the process forks, executes or ends.
 *
 * The program keeps the kernel's own descriptors. A table tells for each number whether it leads to a struct
 * mio_file: one open of a file, as dup makes several descriptors of one. A number that is not in the table costs one load.
 *
 * Ways of a file:
 *   KERNEL  no descriptors of MIO's own, and so no cache of its own: calls go down the layers and end as the very calls the program made, at the
 *           kernel's position. Whatever others do with the open (inherit it, append) stays right by itself.
 *   OURS    a cache, or direct I/O without one (mio/direct): requests go through descriptors of MIO's own, whose position
 *           nobody moves. The position is ours, the kernel's is set when somebody else could see it.
 *   SHARED  the same, read only, and another process has the open too: reads move the kernel's position first and
 *           are then served from pages.
 *   PASSED  nothing but the kernel's calls, with the pages of other opens kept in agreement.
 * A file goes from KERNEL to OURS, and back, while it is open, where pf/auto takes pages and gives them up: door_pages.c.
 *
 * Functions return a result or -errno, or MIO_DOOR_PASS: not ours, make the plain call. errno is kept.
 * A signal handler may come in while its thread is inside (mio_door_enter tells): see door_signal.c.
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

/* One open of a file with layers. Its memory is never used for anything else, so that a late look does no harm. */
struct mio_file {
	struct mio_lock lock;		/* position and way; held through calls that use the position, as the kernel does */
	_Atomic uint32_t users;		/* calls that name their offset and are running */
	_Atomic uint32_t descriptors;	/* numbers that lead here */
	_Atomic int way;
	int oflags;			/* O_ACCMODE, O_APPEND... of the open */
	int64_t position;
	_Atomic int rests;		/* reads that need not come to the layers, and go to the kernel as if there were none */
	_Atomic int rested;		/* the position is not known: some did */
	uint64_t shares;		/* mio_door_shares before the open */
	_Atomic uint64_t number;	/* of the open: no two have the same */
	struct mio_stack *stack;
	struct mio_file *next;		/* among the free */
};

extern _Atomic(struct mio_file *) *mio_door_table __attribute__((visibility("hidden")));
extern uint32_t mio_door_table_size __attribute__((visibility("hidden")));	/* 0 until the door is open */

/*
 * Null pointers, and where the memory of programs ends. Beyond, a copy would end the program: the kernel makes the call, with pages in agreement before
 * and after. It refuses; or there is memory after all (larger page tables, and a program that asked mmap for it), which costs no more than the pages' help.
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

/* What the table leads to while it is not decided whether an open gets layers: door_waiting.c. */
extern struct mio_file mio_door_waiting __attribute__((visibility("hidden")));

/* The file behind a descriptor, mio_door_waiting, or NULL. One load; good for asking, not for using: see mio_door_... */
static inline struct mio_file *mio_door_file(int fd)
{
	return (uint32_t)fd < mio_door_table_size ? atomic_load_explicit(&mio_door_table[fd], memory_order_acquire) : NULL;
}

/* The same without those that wait. */
static inline struct mio_file *mio_door_layered(int fd)
{
	struct mio_file *file = mio_door_file(fd);

	return file != &mio_door_waiting ? file : NULL;
}

/* 1 if reads of this file may go by its layers, and moves of its position with them. While a file has pages none may. */
static inline int mio_door_is_resting(struct mio_file *file)
{
	return __builtin_expect(atomic_load_explicit(&file->rests, memory_order_relaxed) > 0, 0) && !mio_pf_file_any();
}

/* The same for one read, which is counted. In one step: of a late look the file may be another open by now, whose reads do not rest. */
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

/* Of this thread: calls of MIO's it is in. */
struct mio_door_thread {
	int inside;
	_Atomic int pending;		/* something was put off until it leaves */
	int brackets;			/* calls between whose begin and end it is: it stays inside, but may begin another */
	int child_shares;		/* the child that it is making has the same descriptors, not copies of them (CLONE_FILES) */
};

extern _Thread_local struct mio_door_thread mio_door_thread __attribute__((tls_model("initial-exec")));

/* Called, if set, when a thread leaves that has put something off. */
extern void (*mio_door_when_leaving)(void);

/* What the caller holds between them is MIO's: no signal handler may come in. enter returns what leave wants. */
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

/* Open the door: reads the configuration. As mio_stacks_begin. After it, if 0, opens are served. */
int mio_door_begin(char *const *environment, int without_rules, struct mio_text *error);
/* 1 once opens are served. */
int mio_door_is_open(void);
/* From now on no file gets layers any more. */
void mio_door_shut(void);
/* Who else gets the open files: */
enum mio_heirs { MIO_HEIRS_ALL, MIO_HEIRS_INHERITED };	/* fork; exec by a child: those without close-on-exec */
/* Before fork, spawn: bytes and positions are with the kernel, and what the child has too is shared from now on. */
void mio_door_share(enum mio_heirs heirs);
/* How often that, or an exec, was about to happen: an open from before may be another process's, too. */
uint64_t mio_door_shares(void);
/* Before exec of this process: bytes and positions are with the kernel. */
void mio_door_publish_all(void);
/* The same, and from then on everything goes at once, as other threads run on until the kernel stops them. It has returned. */
void mio_door_exec_coming(void);
void mio_door_exec_failed(void);
/* The process is about to change its rights or its root: where its reports and its events go is kept. */
void mio_door_rights_coming(void);
/*
 * Before fork proper, in the parent after, in the child after. What a thread opened between the first and the fork the child has, too: counted again in the parent, after
 * whatever gives a child descriptors.
 */
void mio_door_fork_prepare(void);
void mio_door_fork_parent(void);
void mio_door_fork_child(void);
/* Called, if set, in a forked child, whoever noticed it: locks of the library in front of the door are nobody's there. */
extern void (*mio_door_when_forked)(void);
/* 1 in this process, 0 in a copy made without telling anybody: the kernel wipes it (MADV_WIPEONFORK). */
extern uint32_t *mio_door_alive __attribute__((visibility("hidden")));
/* 1 if this process is not the one that opened the door and nobody told us; then that is put right here. */
static inline int mio_door_check_fork(void)
{
	if (__builtin_expect(*mio_door_alive, 1))
		return 0;
	mio_door_fork_child();
	return 1;
}
/* The process ends: bytes to the kernel, reports, and from now on everything goes at once. */
void mio_door_exit(void);
/* After that, where it was not a signal that ended it: a line on where the reports are, for who was promised one (MIO_HINT). */
void mio_door_hint(void);
/* As mio_os_drain and mio_os_stop_for_good; a handler of the program's waits until they are done, as it may want the same. */
void mio_door_drain(void);
void mio_door_end_threads(void);
/*
 * Give all files back to the kernel: bytes, positions, reports; from then on the program, and every child, runs without MIO, which makes no
 * system call any more. Before system calls are filtered.
 */
void mio_door_leave_all(void);
/* The program has set limits of its own. */
void mio_door_limits_changed(void);
/* The program does I/O that we cannot see (io_uring, kernel AIO): nothing is kept in pages from now on. */
void mio_door_foreign(void);
int mio_door_is_foreign(void);
/* 1 unless it is known that the program has one thread. */
int mio_door_has_threads(void);
/* A thread is about to take a table of descriptors of its own: which number is whose nobody can tell from here on. */
void mio_door_tables_part(void);

/* ---- door_open.c */

/* What an open of the program is about to do. */
struct mio_door_opening {
	const char *name;
	const struct mio_stack_spec *spec;	/* NULL: no rule */
	struct mio_pf_file *cut;		/* a file with pages that the open cuts */
	int oflags;
	int mode;
	int64_t began_ns;
	uint64_t shares;			/* mio_door_shares */
	int cuts;				/* the open has cut the file, and its pages were not told */
	int may_wait;				/* it may be decided later whether it gets layers, */
	int waits;				/* and the caller wants that */
	int is_late;				/* that is now; the position may be anywhere */
	struct mio_stack_tries tries;		/* what recov layers have done for it */
};

/* 1 if an open of that name may get layers. */
int mio_door_concerns(const char *name);
/*
 * 1 if the open may concern us: then oflags and mode of opening are to be used for it, and mio_door_opened or _failed follow. With a cut, the thread is inside until
 * then, and must not be cancelled. 0: mio_door_opened_beside follows.
 */
int mio_door_opening(struct mio_door_opening *opening, int directory, const char *name, int oflags, int mode);
/* The same with layers that the caller has chosen; NULL: none. */
int mio_door_opening_with(struct mio_door_opening *opening, const struct mio_stack_spec *spec, int directory,
			  const char *name, int oflags, int mode);
/* It failed with error (above 0): 1 to try again. */
int mio_door_open_failed(struct mio_door_opening *opening, int error);
/* It succeeded. */
void mio_door_opened(struct mio_door_opening *opening, int fd);
/* One that mio_door_opening said 0 of succeeded: its file may have got pages meanwhile. */
void mio_door_opened_beside(const char *name, int oflags, int fd);
/* Not 0 if a read of so many bytes goes by an open that waits; then it is the kernel's, and end follows with that and with what came of it. */
uint64_t mio_door_waited_read_begin(int fd, size_t length);
void mio_door_waited_read_end(int fd, uint64_t life, int64_t result);
/* It waits no longer. The file behind fd, or NULL. */
struct mio_file *mio_door_decide(int fd);
/* The same if fd is one that waits, by attributes that the program has asked for; life: what it was before it asked, the next open by this number has another. */
uint64_t mio_door_waiting_life(int fd);
void mio_door_told(int fd, uint64_t life, const struct stat *found);
/* Called, if set, when a file has got layers that way, or pages while it was open. */
extern void (*mio_door_when_decided)(void);
/* A descriptor has come into being by another way than open: nothing may be known of its number. */
void mio_door_new_descriptor(int fd);

/* ---- door_table.c: coming and going of descriptors */

/* Closes what fd leads to, if it is its last descriptor: to be called before the kernel's close, whose number it frees. The error, or 0. */
int mio_door_close(int fd);
/* The same where nobody is told the error: a line on standard error does. */
void mio_door_close_untold(int fd);
/*
 * fd is standard input, output or error now: the C library uses it as the kernel has it. Reads of the program are served from pages still,
 * writes are the kernel's.
 */
void mio_door_standard(int fd);
#define MIO_DOOR_STANDARD_MAX 2
/* All of a range. The first error, or 0. */
int mio_door_close_range(uint32_t first, uint32_t last);
void mio_door_close_range_untold(uint32_t first, uint32_t last);
/* Calls see(file, fd) for each descriptor with layers. */
void mio_door_each(void (*see)(struct mio_file *file, int fd, void *context), void *context);
/* In use by this call until mio_door_leave: or NULL, not ours. For calls that name their offset, and those about the file. */
struct mio_file *mio_door_use(int fd);
void mio_door_unuse(struct mio_file *file);
/* Locked: for calls that use the position. NULL: not ours. */
struct mio_file *mio_door_lock(int fd);
void mio_door_unlock(struct mio_file *file);

/* ---- door_copies.c: descriptors that are copied */

/* Between the brackets of a copy: */
struct mio_door_copying {
	struct mio_file *file;	/* locked, and copy counts among its numbers; NULL: fd has no layers, or the thread is inside */
	int fd, copy;
	int shows;		/* the kernel has the position meanwhile */
	int gave_way;		/* copy had layers, and has none any more */
};

/*
 * Brackets of a call that copies fd. copy: -1, or the number the copy is to have, which other threads may be using (dup2): what it led to is closed
 * before; who comes before the table knows meets the kernel, at the right position, and what it did there is found after. begin: 0, or -errno, and
 * then no call. end: with what came of it; below 0: the kernel refused, and what copy led to goes on without layers. No cancellation between.
 */
int mio_door_copying_begin(struct mio_door_copying *copying, int fd, int copy);
void mio_door_copying_end(struct mio_door_copying *copying, int rc);

/* ---- door_rw.c */

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
/* Everything written so far is with the kernel, and the size that others have given the file is known. 0, -errno or PASS. */
int64_t mio_door_publish(int fd);
/* The same for any file; 1 or -errno if it has pages, so that what was asked about it before may be old: its last write may have ended meanwhile. */
int mio_door_publish_inode(uint64_t device, uint64_t inode);
/* The file at a name, links followed or not; at none: that of the descriptor. 0 or -errno. */
int mio_door_publish_name(int directory, const char *name, int follow);
void mio_door_publish_everything(void);
/* The same. -errno if something could not be written of a file on the device of this descriptor's, or 0. */
int mio_door_publish_beside(int fd);
/* Brackets of a call that changes the size of the file at a name; pages: what the first said. errno is kept. */
struct mio_pf_file *mio_door_resizing(const char *name);
void mio_door_resized(const char *name, struct mio_pf_file *pages);
/*
 * Brackets of a call on the file itself. how: at position, it uses and moves the kernel's position. 0: go on, *file is what end wants (NULL: not ours).
 * -errno: do not, *file is NULL; but an unlock is made all the same.
 * Alone: it writes and does not wait for others; no write of the program's is in a page meanwhile, whose block would come
 * to the kernel without what the call has written.
 * Waits: for others, for as long as these like; handlers come in meanwhile.
 */
enum { MIO_DOOR_AT_POSITION = 1, MIO_DOOR_ALONE = 2, MIO_DOOR_WAITS = 4 };
int mio_door_bypass_begin(int fd, enum mio_bypass kind, int64_t offset, int64_t length, int how, struct mio_file **file);
void mio_door_bypass_end(struct mio_file *file, int fd, enum mio_bypass kind, int64_t offset, int64_t length, int how, int done);
/*
 * In between (how: 0), for a call that may wait for ever: the file is not held, and may be closed. let_go gives the number of the open (of NULL: 0);
 * hold_again the file if fd leads to that open still, else NULL, and then there is no end.
 */
uint64_t mio_door_let_go(struct mio_file *file);
struct mio_file *mio_door_hold_again(int fd, uint64_t number);
/*
 * Before a call on two files: bytes, and the position if it is used, are with the kernel. After it: the position is the kernel's, if fd leads to the
 * open of that number still.
 */
int mio_door_publish_position(int fd, int at_position);
void mio_door_take_position(int fd, uint64_t number);
/* F_SETFL has changed the flags of the open. */
void mio_door_flags_changed(int fd);
/* The file is changed behind our back from now on, for good: nothing of it is kept. */
void mio_door_go_past(int fd);
/* The program changed the descriptor so that layers cannot serve it any more (append, direct). */
void mio_door_pass(int fd);
/* The file is read or written where nobody sees it (a mapping, a stream on a descriptor with layers): it has no cache in this process any more, by any open. */
void mio_door_unseen(uint64_t device, uint64_t inode);
/* The same by a mapping for writing, which other processes may have, too. */
void mio_door_mapped(uint64_t device, uint64_t inode);
void mio_door_unseen_descriptor(int fd);
/*
 * fd has no layers, and was not opened beside pages as by mio_door_opened: the pages that its file has now agree with it from here on. A cache that begins
 * while it is open finds it (mio_door_strangers), and nothing is left of it when it is closed.
 */
void mio_door_beside(int fd);
int mio_door_is_unseen(uint64_t device, uint64_t inode);

/* ---- door_fcntl.c: by the caller's own fcntl or the like, whose result and errno it is */

typedef int mio_door_call(int fd, int command, const void *argument);
/* fcntl, but for copies of the descriptor. */
int mio_door_fcntl(int fd, int command, const void *argument, mio_door_call *call);
/* A lock is taken or given back (l_type F_UNLCK) by call(fd, command, lock). */
int mio_door_locking(int fd, int command, const struct flock *lock, mio_door_call *call);
/* 0: the call may be made without these. */
int mio_door_sees_locks(int fd);

#endif

#ifndef MIO_DOOR_TABLE_H
#define MIO_DOOR_TABLE_H

/* Between the parts of the door. */

#include "../os/os_descriptors.h"
#include "door.h"

int mio_door_table_make(void);
void mio_door_table_serve(void);
void mio_door_table_forked(void);

/* A file object that is nobody's, or NULL without memory; and back. */
struct mio_file *mio_door_file_make(void);
void mio_door_file_give(struct mio_file *file);
/* fd leads to file from now on; 0 if the number is too high for the table. */
int mio_door_table_add(int fd, struct mio_file *file);
/* The same where fd leads to mio_door_waiting now; 0 if it does not any more. */
int mio_door_table_replace(int fd, struct mio_file *file);
/* One more number of the file: 0 if it has none any more, as it is being closed; and back, fd: any of its numbers. */
int mio_door_count_number(struct mio_file *file);
void mio_door_uncount_number(struct mio_file *file, int fd);
/* fd leads to file, which is counted already, or is mio_door_waiting. */
void mio_door_table_lead(int fd, struct mio_file *file);
/* Take a number out; the file if it was the last one, which then has to be finished. */
struct mio_file *mio_door_detach(int fd);
void mio_door_finish(struct mio_file *file, int fd);

/* door_open.c: opens of append, direct and the like, whose bytes nobody may hold back, or that have to reach the device as the program made them. */
#define MIO_DOOR_NO_CACHE_FLAGS (O_APPEND | O_DIRECT | O_SYNC | O_DSYNC)
/*
 * Descriptors of the file that have no layers (inherited, received, opened under a name without a rule): they read and write the kernel's
 * copy. 0 or -errno.
 */
int mio_door_strangers(uint64_t device, uint64_t inode, struct mio_os_descriptors *found);
void mio_door_open_forked(void);
/* Layers for fd, if it is to have any. found: its attributes, or NULL. The thread is inside. */
void mio_door_look(struct mio_door_opening *opening, int fd, const struct stat *found);

/* door_waiting.c: 1 if an open of that kind may wait; 1 if it waits now; and if fd was one that did, which is closed. */
int mio_door_may_wait(const struct mio_stack_spec *spec, int oflags);
/* 1 if fd is an open now that only reads. */
int mio_door_only_reads(int fd);
int mio_door_wait(const struct mio_door_opening *opening, int fd);
int mio_door_waiting_ends(int fd);
/* While fd is decided: 1 if a read that went by is running still, though it was waited for. */
int mio_door_waited_is_read(int fd);
void mio_door_waiting_forked(void);

/* door_process.c: from now on positions may be MIO's, which children and heirs want to find with the kernel. */
void mio_door_has_positions(void);

/* door_pages.c: pf/auto wishes to take pages, or to give them up. With the lock of the file, and outside of its layers. */
void mio_door_fulfil(struct mio_file *file, int fd);

/* door_signal.c: what a signal handler wants while its thread is inside, done when that leaves. */
void mio_door_put_off_close(int fd);
int64_t mio_door_put_off_write(int fd, const struct iovec *vector, int count, int64_t offset);

/*
 * door_limit.c: the limit on the size of files (RLIMIT_FSIZE). The kernel sends SIGXFSZ for each of its calls that is
 * over it; the program gets one for each of its own.
 */
struct mio_door_limit {
	uint64_t mask;	/* before */
	int holds;	/* the signal is held back, and there was none */
};

void mio_door_limit_begin(void);
/* Around a call of the layers that writes or cuts. */
void mio_door_limit_enter(struct mio_door_limit *limit);
int64_t mio_door_limit_leave(struct mio_door_limit *limit, int64_t result);

static inline void mio_door_left(void)
{
	atomic_signal_fence(memory_order_seq_cst);
	if (mio_door_thread.brackets)
		return;
	mio_door_thread.inside = 0;
	if (__builtin_expect(atomic_load_explicit(&mio_door_thread.pending, memory_order_relaxed) != 0, 0))
		mio_door_run_put_off();
}

/* 1 if this thread may go in, and it is in then; for fd, to a file. */
static inline int mio_door_goes_in(void)
{
	if (__builtin_expect(mio_door_thread.inside && !mio_door_thread.brackets, 0) || mio_door_check_fork())
		return 0;
	mio_door_thread.inside = 1;
	atomic_signal_fence(memory_order_seq_cst);
	return 1;
}

/* mio_door_lock, mio_door_unlock, mio_door_use and mio_door_unuse, inline for reads and writes. file: what mio_door_file says, or NULL. */

static inline void mio_door_unlock_now(struct mio_file *file)
{
	mio_open_call.fd = -1;
	atomic_store_explicit(&mio_open_call.copies, 0, memory_order_relaxed);
	mio_lock_release(&file->lock);
	mio_door_left();
}

static inline struct mio_file *mio_door_lock_now(struct mio_file *file, int fd)
{
	while (file && (file != &mio_door_waiting || (file = mio_door_decide(fd)) != NULL) && mio_door_goes_in()) {
		mio_lock_acquire(&file->lock);
		if (__builtin_expect(atomic_load(&mio_door_table[fd]) == file, 1)) {
			mio_open_call.fd = fd;
			return file;
		}
		mio_door_unlock_now(file);
		file = mio_door_file(fd);
	}
	return NULL;
}

static inline void mio_door_unuse_now(struct mio_file *file)
{
	mio_open_call.fd = -1;
	atomic_store_explicit(&mio_open_call.copies, 0, memory_order_relaxed);
	/* Nobody waits for users but who has taken all numbers out. */
	if (atomic_fetch_sub(&file->users, 1) == 1 &&
	    __builtin_expect(atomic_load(&file->descriptors) == 0, 0))
		mio_futex_wake_all(&file->users);
	mio_door_left();
}

static inline struct mio_file *mio_door_use_now(struct mio_file *file, int fd)
{
	while (file && (file != &mio_door_waiting || (file = mio_door_decide(fd)) != NULL) && mio_door_goes_in()) {
		atomic_fetch_add(&file->users, 1);
		if (__builtin_expect(atomic_load(&mio_door_table[fd]) == file, 1)) {
			mio_open_call.fd = fd;
			return file;
		}
		mio_door_unuse_now(file);
		file = mio_door_file(fd);
	}
	return NULL;
}

#endif

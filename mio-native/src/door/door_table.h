#ifndef MIO_DOOR_TABLE_H
#define MIO_DOOR_TABLE_H

/* Shared between the files of the door. */

#include "../os/os_descriptors.h"
#include "door.h"

int mio_door_table_make(void);
void mio_door_table_serve(void);
void mio_door_table_forked(void);

/* make: a file object that belongs to nobody yet, or NULL without memory. give: back to the free ones. */
struct mio_file *mio_door_file_make(void);
void mio_door_file_give(struct mio_file *file);
/* From now on fd leads to file. 0 if the number is too high for the table. */
int mio_door_table_add(int fd, struct mio_file *file);
/* The same where fd leads to mio_door_waiting now. 0 if it does not any more. */
int mio_door_table_replace(int fd, struct mio_file *file);
/* Counts one more number of the file; 0 if it has none left, as it is being closed. uncount: the reverse; fd: any of its numbers. */
int mio_door_count_number(struct mio_file *file);
void mio_door_uncount_number(struct mio_file *file, int fd);
/* fd leads to file, which has been counted already, or is mio_door_waiting. */
void mio_door_table_lead(int fd, struct mio_file *file);
/* Takes a number out of the table. Returns the file if that was its last number; mio_door_finish then has to follow. */
struct mio_file *mio_door_detach(int fd);
void mio_door_finish(struct mio_file *file, int fd);

/* door_open.c. Opens with these flags have no cache: their bytes may not be held back, or have to reach the device as the program made them. */
#define MIO_DOOR_NO_CACHE_FLAGS (O_APPEND | O_DIRECT | O_SYNC | O_DSYNC)
/* The reason in words why an open under pf/auto has no pages, of such flags and the like. */
#define MIO_DOOR_NOT_FOLLOWED "it is used in a way that pages cannot follow"
/*
 * Counts the descriptors of the file that have no layers (inherited, received, opened under a name without a rule): they read and write
 * the kernel's copy. 0 or -errno.
 */
int mio_door_strangers(uint64_t device, uint64_t inode, struct mio_os_descriptors *found);
void mio_door_open_forked(void);
/* Gives fd layers, if it is to have any. found: its attributes, or NULL. The thread is inside. */
void mio_door_look(struct mio_door_opening *opening, int fd, const struct stat *found);

/*
 * door_waiting.c. may_wait: 1 if an open of that kind may wait. wait: 1 if it waits from now on. waiting_ends: 1 if fd was an open that
 * waited and is being closed.
 */
int mio_door_may_wait(const struct mio_stack_spec *spec, int oflags);
/* 1 if fd is, now, an open that only reads. */
int mio_door_only_reads(int fd);
int mio_door_wait(const struct mio_door_opening *opening, int fd);
int mio_door_waiting_ends(int fd);
/* While fd is being decided: 1 if a read that passed by the layers is still running, though this function waited for it. */
int mio_door_waited_is_read(int fd);
void mio_door_waiting_forked(void);

/* door_process.c. From now on MIO may keep positions of files, which children and inheriting programs expect to find with the kernel. */
void mio_door_has_positions(void);

/*
 * door_pages.c. Fulfils the wish of pf/auto to take pages or to give them up. The caller holds the lock of the file, and is outside of
 * its layers.
 */
void mio_door_fulfil(struct mio_file *file, int fd);

/* door_signal.c. What a signal handler asks for while its thread is inside; it is done when the thread leaves. */
void mio_door_put_off_close(int fd);
int64_t mio_door_put_off_write(int fd, const struct iovec *vector, int count, int64_t offset);

/*
 * door_limit.c. The limit on the size of files (RLIMIT_FSIZE). The kernel sends SIGXFSZ for each call of MIO's that is over the limit;
 * the program is to get one for each call of its own.
 */
struct mio_door_limit {
	uint64_t mask;	/* signal mask before */
	int holds;	/* 1: the signal is held back, and none was pending */
};

void mio_door_limit_begin(void);
/* Brackets of a call of the layers that writes or truncates. */
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

/*
 * 1 if this thread may enter, and then it is inside. 0: it is inside already and not between brackets, or the process is a copy that
 * nobody told of.
 */
static inline int mio_door_goes_in(void)
{
	if (__builtin_expect(mio_door_thread.inside && !mio_door_thread.brackets, 0) || mio_door_check_fork())
		return 0;
	mio_door_thread.inside = 1;
	atomic_signal_fence(memory_order_seq_cst);
	return 1;
}

/*
 * Inline forms of mio_door_lock, mio_door_unlock, mio_door_use and mio_door_unuse, for reads and writes. file: the result of
 * mio_door_file, or NULL.
 */

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
	/* Only a thread that has taken all numbers out waits for users. */
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

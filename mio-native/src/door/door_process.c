/*
 * The process as a whole: its beginning, its copies, its end.
 *
 * fork: files that the child gets too are shared from then on (door.h, SHARED), and their bytes and positions are brought to the kernel before.
 * The child starts with nothing: its descriptors are plain ones, whose files are as the parent left them; what the child opens itself gets layers
 * anew. It takes no lock of the parent's and gives nothing back.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>

#include "../common/clock.h"
#include "../common/memory.h"
#include "../common/raw.h"
#include "../live/live.h"
#include "../os/os_backend.h"
#include "../os/os_layer.h"
#include "../pf/pf_layer.h"
#include "door_table.h"

#define PAGE_BYTES 4096

#ifndef MADV_WIPEONFORK
#define MADV_WIPEONFORK 18
#endif

uint32_t *mio_door_alive;

static _Atomic int open_for_files;
static _Atomic int foreign;
static _Atomic uint64_t shares;
/* 1: MIO may keep positions also of files without a cache. */
static _Atomic int positions;
/* RUNS, then ENDS while a thread writes everything out, then ENDED. */
enum { RUNS, ENDS, ENDED };
static _Atomic uint32_t exiting;

int mio_door_begin(char *const *environment, int without_rules, struct mio_text *error)
{
	long memory;
	int rc = mio_stacks_begin(environment, without_rules, error);

	if (rc != 0)
		return rc;
	memory = mio_raw6(SYS_mmap, 0, PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if ((memory < 0 && memory > -4096) || mio_door_table_make() < 0)
		return -ENOMEM;
	mio_door_alive = (void *)memory;
	*mio_door_alive = 1;
	/* Kernels before 4.14 do not know this advice: copies made by clone alone then go unnoticed. */
	mio_raw3(SYS_madvise, mio_door_alive, PAGE_BYTES, MADV_WIPEONFORK);
	mio_clock_begin_ns();
	mio_door_limit_begin();
	mio_os_numbers_begin();
	mio_door_table_serve();
	atomic_store(&open_for_files, 1);
	return 0;
}

int mio_door_is_open(void)
{
	return atomic_load_explicit(&open_for_files, memory_order_relaxed);
}

void mio_door_shut(void)
{
	atomic_store(&open_for_files, 0);
}

int mio_door_is_foreign(void)
{
	return atomic_load_explicit(&foreign, memory_order_relaxed);
}

void mio_door_has_positions(void)
{
	if (!atomic_load_explicit(&positions, memory_order_relaxed))
		atomic_store(&positions, 1);
}

int mio_door_keeps_positions(void)
{
	return atomic_load_explicit(&positions, memory_order_relaxed);
}

uint64_t mio_door_shares(void)
{
	return atomic_load(&shares);
}

/*
 * Counts that another process is about to get open files, before it is checked whether any file has pages. A file that gets pages has them before
 * it looks at this count (door_pages.c), so that one of the two sees the other.
 */
static void count_share(void)
{
	atomic_fetch_add(&shares, 1);
	atomic_thread_fence(memory_order_seq_cst);
}

static void set_position(struct mio_file *file, int fd, void *context)
{
	(void)context;
	if (atomic_load(&file->way) == MIO_WAY_OURS)
		mio_raw3(SYS_lseek, fd, file->position, SEEK_SET);
}

static const char others_have_it[] = "another process may have the file too";

/* why: the reason for which pf/auto leaves the file to the kernel from now on. */
static void share(struct mio_file *file, int fd, const char *why)
{
	mio_stack_stay(file->stack, why);
	if (atomic_load(&file->way) != MIO_WAY_OURS)
		return;
	mio_stack_publish(file->stack);
	mio_raw3(SYS_lseek, fd, file->position, SEEK_SET);
	if ((file->oflags & O_ACCMODE) == O_RDONLY) {
		atomic_store(&file->way, MIO_WAY_SHARED);
	} else {
		/* A read that moves the position first must not meet a write of the other process there. */
		mio_stack_give_pages(file->stack, why);
		atomic_store(&file->way, MIO_WAY_PASSED);
	}
}

/* The other process may write without telling MIO; pages of other opens would be outdated. */
static void keep_no_pages(struct mio_file *file)
{
	if ((file->oflags & O_ACCMODE) != O_RDONLY)
		mio_pf_file_go_past(mio_stack_file(file->stack));
}

struct sharing {
	enum mio_heirs heirs;
	int any;	/* 1: a file had pages, before opens gave theirs up. Otherwise none is prevented from getting some later */
};

static void share_with(struct mio_file *file, int fd, void *context)
{
	const struct sharing *sharing = context;

	if (sharing->heirs == MIO_HEIRS_INHERITED && (mio_raw3(SYS_fcntl, fd, F_GETFD, 0) & FD_CLOEXEC))
		return;
	share(file, fd, others_have_it);
	if (sharing->any)
		keep_no_pages(file);
}

void mio_door_standard(int fd)
{
	struct mio_file *file = mio_door_lock(fd);

	if (!file)
		return;
	share(file, fd, others_have_it);
	keep_no_pages(file);
	/* The C library's streams do not look into pages. */
	mio_pf_file_go_through(mio_stack_file(file->stack));
	mio_door_unlock(file);
}

void mio_door_share(enum mio_heirs heirs)
{
	struct sharing sharing = {heirs, mio_pf_file_any()};

	if (!mio_door_table_size)
		return;
	count_share();
	if (mio_door_thread.inside)
		return;
	if (sharing.any || atomic_load(&positions))
		mio_door_each(share_with, &sharing);
	mio_door_publish_everything();
}

void mio_door_publish_all(void)
{
	if (!mio_door_table_size)
		return;
	count_share();
	if (mio_door_thread.inside)
		return;
	if (mio_pf_file_any() || atomic_load(&positions))
		mio_door_each(set_position, NULL);
	mio_door_publish_everything();
	mio_door_drain();
}

void mio_door_drain(void)
{
	int before = mio_door_enter();

	mio_os_drain();
	mio_door_leave(before);
}

void mio_door_end_threads(void)
{
	int before = mio_door_enter();

	mio_os_stop_for_good();
	mio_door_leave(before);
}

void mio_door_exec_coming(void)
{
	mio_door_publish_all();
	if (!mio_door_is_open() || mio_door_thread.inside || mio_door_check_fork())
		return;
	mio_door_thread.inside = 1;
	mio_pf_exec_coming();
	mio_stacks_exec_coming();
	mio_door_left();
}

void mio_door_rights_coming(void)
{
	if (!mio_door_is_open() || mio_door_thread.inside || mio_door_check_fork())
		return;
	mio_door_thread.inside = 1;
	mio_stacks_rights_coming();
	mio_door_left();
}

void mio_door_exec_failed(void)
{
	if (mio_door_is_open())
		mio_pf_exec_failed();
}

void mio_door_fork_prepare(void)
{
	mio_door_share(MIO_HEIRS_ALL);
}

void mio_door_fork_parent(void)
{
	if (mio_door_table_size)
		count_share();
}

void (*mio_door_when_forked)(void);

void mio_door_fork_child(void)
{
	if (!mio_door_table_size)
		return;
	*mio_door_alive = 1;
	mio_memory_forked();
	mio_os_forked(mio_door_thread.child_shares);
	mio_door_thread.child_shares = 0;
	mio_pf_forked();
	mio_stacks_forked();
	mio_door_table_forked();
	mio_door_open_forked();
	if (mio_door_when_forked)
		mio_door_when_forked();
	atomic_store(&exiting, RUNS);
}

void mio_door_exit(void)
{
	uint32_t before = RUNS;
	int was_inside = mio_door_thread.inside;

	if (!mio_door_table_size || mio_door_check_fork() || (was_inside && !mio_pf_copy_given_up()))
		return;
	if (!atomic_compare_exchange_strong(&exiting, &before, ENDS)) {
		/* The thread that came first writes everything out; a later one must not end the process before that is done. */
		while (atomic_load(&exiting) == ENDS)
			mio_futex_wait(&exiting, ENDS, -1);
		return;
	}
	mio_door_thread.inside = 1;
	mio_pf_exit();
	mio_stacks_exit();
	mio_live_end();
	atomic_store(&exiting, ENDED);
	mio_futex_wake_all(&exiting);
	/* A thread that has given up a copy holds its file for ever, so it stays inside. */
	if (!was_inside)
		mio_door_left();
}

void mio_door_hint(void)
{
	if (mio_door_table_size && !mio_door_thread.inside)
		mio_stacks_hint();
}

void mio_door_leave_all(void)
{
	int before;

	if (!mio_door_table_size || mio_door_thread.inside)
		return;
	mio_door_shut();
	/* From here on other threads use the kernel's position. */
	mio_door_share(MIO_HEIRS_ALL);
	mio_door_close_range_untold(0, UINT32_MAX);
	before = mio_door_enter();
	mio_live_end();
	mio_door_leave(before);
	mio_os_backend_restrict("sync");
	mio_door_drain();
	mio_door_exit();
	before = mio_door_enter();
	mio_os_kept_give_up();
	mio_door_leave(before);
	/* Nothing asks the door any more, not even in children: it would make system calls to begin anew. */
	mio_door_table_size = 0;
}

/* context: whether a file had pages, before opens gave theirs up. */
static void go_past(struct mio_file *file, int fd, void *context)
{
	share(file, fd, "the program may do I/O that is not seen (io_uring, kernel AIO)");
	if (*(int *)context)
		mio_pf_file_go_past(mio_stack_file(file->stack));
}

void mio_door_foreign(void)
{
	int any = mio_pf_file_any();

	if (!mio_door_table_size || atomic_exchange(&foreign, 1))
		return;
	if (!mio_door_thread.inside)
		mio_door_each(go_past, &any);
}

void mio_door_tables_part(void)
{
	if (!mio_door_has_threads())
		return;
	mio_door_share(MIO_HEIRS_ALL);
	mio_door_foreign();
}

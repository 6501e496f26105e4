/*
 * The table from descriptors to files.
 *
 * A call that uses the position locks the file and then checks that the number still leads to it; a call that names its offset increments users
 * and then checks. A close takes the number out of the table first, and then waits for both kinds. It waits for those that use the position also
 * where other numbers lead to the file: otherwise the freed number could become a pipe's before such a call reaches the kernel, and the call
 * would wait for the pipe with the file locked. So no call works on layers that are gone, and the common way in costs one atomic operation.
 * Changes of the table take no lock: a file counts its numbers, and one that has none left gets none any more.
 */
#include "door_table.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../common/memory.h"
#include "../common/raw.h"
#include "../os/os_layer.h"
#include "../pf/pf_layer.h"

/* Numbers from here on never get layers; programs with more descriptors than this use them for sockets. */
#define TABLE_SIZE ((uint32_t)1 << 20)

_Atomic(struct mio_file *) *mio_door_table;
uint32_t mio_door_table_size;
_Thread_local struct mio_door_thread mio_door_thread __attribute__((tls_model("initial-exec")));

/* Guards free_files. */
static struct mio_lock free_lock;
static struct mio_file *free_files;
static _Atomic uint32_t numbers_end;	/* above the highest number that ever led to a file */

int mio_door_table_make(void)
{
	size_t bytes = TABLE_SIZE * sizeof(*mio_door_table);
	long memory = mio_raw6(SYS_mmap, 0, (long)bytes, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (memory < 0 && memory > -4096)
		return -ENOMEM;
	mio_door_table = (void *)memory;
	return 0;
}

void mio_door_table_serve(void)
{
	mio_door_table_size = TABLE_SIZE;
}

void mio_door_table_forked(void)
{
	uint32_t end = atomic_load(&numbers_end);

	for (uint32_t fd = 0; fd < end; fd++)
		atomic_store_explicit(&mio_door_table[fd], NULL, memory_order_relaxed);
	atomic_store(&numbers_end, 0);
	atomic_store(&free_lock.state, 0);
	free_files = NULL;
	mio_door_thread.inside = 0;
	mio_door_thread.brackets = 0;
	atomic_store(&mio_door_thread.pending, 0);
	mio_door_waiting_forked();
}

struct mio_file *mio_door_file_make(void)
{
	static uint64_t numbers;
	struct mio_file *file;
	uint64_t number;

	mio_lock_acquire(&free_lock);
	number = ++numbers;
	file = free_files;
	if (file)
		free_files = file->next;
	mio_lock_release(&free_lock);
	if (!file)
		file = mio_memory_take(sizeof(*file));
	if (file)
		atomic_store_explicit(&file->number, number, memory_order_relaxed);
	return file;
}

void mio_door_file_give(struct mio_file *file)
{
	mio_lock_acquire(&free_lock);
	file->next = free_files;
	free_files = file;
	mio_lock_release(&free_lock);
}

static void has_number(int fd)
{
	uint32_t end = atomic_load(&numbers_end);

	while (end < (uint32_t)fd + 1 && !atomic_compare_exchange_weak(&numbers_end, &end, (uint32_t)fd + 1))
		;
}

void mio_door_table_lead(int fd, struct mio_file *file)
{
	has_number(fd);
	atomic_store(&mio_door_table[fd], file);
}

int mio_door_table_add(int fd, struct mio_file *file)
{
	if ((uint32_t)fd >= mio_door_table_size)
		return 0;
	atomic_fetch_add(&file->descriptors, 1);
	mio_door_table_lead(fd, file);
	return 1;
}

int mio_door_table_replace(int fd, struct mio_file *file)
{
	struct mio_file *waiting = &mio_door_waiting;

	atomic_fetch_add(&file->descriptors, 1);
	return atomic_compare_exchange_strong(&mio_door_table[fd], &waiting, file);
}

/* Takes the number out of the table. Returns the file if that was its last number, else NULL. *left: the file if it has other numbers. */
static struct mio_file *take_out(int fd, struct mio_file **left)
{
	struct mio_file *file = atomic_exchange(&mio_door_table[fd], NULL);
	int is_last = file && atomic_fetch_sub(&file->descriptors, 1) == 1;

	*left = is_last ? NULL : file;
	return is_last ? file : NULL;
}

int mio_door_count_number(struct mio_file *file)
{
	uint32_t numbers = atomic_load(&file->descriptors);

	while (numbers != 0 && !atomic_compare_exchange_weak(&file->descriptors, &numbers, numbers + 1))
		;
	return numbers != 0;
}

/* Whether the program is told the error of a close. */
enum told { TOLD, UNTOLD };

/* For a file that no number leads to any more: waits for calls that are still in it, and closes its layers. */
static int finish(struct mio_file *file, int fd, enum told told)
{
	uint32_t users;
	int rc = 0;

	mio_lock_acquire(&file->lock);
	for (users = atomic_load(&file->users); users != 0; users = atomic_load(&file->users))
		mio_futex_wait(&file->users, users, -1);
	mio_open_call.fd = fd;
	if (told == TOLD)
		rc = mio_stack_close(file->stack);
	else
		mio_stack_close_untold(file->stack);
	mio_open_call.fd = -1;
	file->stack = NULL;
	mio_lock_release(&file->lock);
	mio_door_file_give(file);
	return rc;
}

static int close_number(int fd, enum told told)
{
	struct mio_file *file;
	struct mio_file *left;
	int rc;

	if (!mio_door_file(fd) || mio_door_check_fork() || mio_door_waiting_ends(fd))
		return 0;
	if (mio_door_thread.inside) {
		mio_door_put_off_close(fd);
		return 0;
	}
	mio_door_thread.inside = 1;
	file = take_out(fd, &left);
	rc = file ? finish(file, fd, told) : 0;
	if (left) {
		/* Calls that came in by this number end before the kernel frees it. */
		mio_lock_acquire(&left->lock);
		mio_lock_release(&left->lock);
	}
	mio_door_left();
	return rc;
}

int mio_door_close(int fd)
{
	return close_number(fd, TOLD);
}

void mio_door_close_untold(int fd)
{
	close_number(fd, UNTOLD);
}

struct mio_file *mio_door_detach(int fd)
{
	struct mio_file *left;

	return mio_door_waiting_ends(fd) ? NULL : take_out(fd, &left);
}

void mio_door_uncount_number(struct mio_file *file, int fd)
{
	int before = mio_door_enter();

	if (atomic_fetch_sub(&file->descriptors, 1) == 1)
		finish(file, fd, UNTOLD);
	mio_door_leave(before);
}

void mio_door_finish(struct mio_file *file, int fd)
{
	finish(file, fd, UNTOLD);
}

int mio_door_close_range(uint32_t first, uint32_t last)
{
	uint32_t end = atomic_load(&numbers_end);
	int error = 0;

	for (uint32_t fd = first; fd < end && fd <= last; fd++) {
		int rc = mio_door_close((int)fd);

		error = error ? error : rc;
	}
	return error;
}

void mio_door_close_range_untold(uint32_t first, uint32_t last)
{
	uint32_t end = atomic_load(&numbers_end);

	for (uint32_t fd = first; fd < end && fd <= last; fd++)
		mio_door_close_untold((int)fd);
}

void mio_door_new_descriptor(int fd)
{
	/* The number was closed where MIO could not see it: it must not lead to the layers of another file. */
	if (mio_door_file(fd))
		mio_door_close_untold(fd);
}

void mio_door_each(void (*see)(struct mio_file *file, int fd, void *context), void *context)
{
	uint32_t end = atomic_load(&numbers_end);

	for (uint32_t fd = 0; fd < end; fd++) {
		struct mio_file *file = mio_door_layered((int)fd) ? mio_door_lock((int)fd) : NULL;

		if (file) {
			see(file, (int)fd, context);
			mio_door_unlock(file);
		}
	}
}

struct mio_file *mio_door_use(int fd)
{
	return mio_door_use_now(mio_door_file(fd), fd);
}

void mio_door_unuse(struct mio_file *file)
{
	mio_door_unuse_now(file);
}

struct mio_file *mio_door_lock(int fd)
{
	return mio_door_lock_now(mio_door_file(fd), fd);
}

void mio_door_unlock(struct mio_file *file)
{
	mio_door_unlock_now(file);
}

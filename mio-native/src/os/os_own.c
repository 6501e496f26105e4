/*
 * One open of a file, over descriptors of MIO's own. Every request enters and leaves: after the end none enters any more, and the descriptors are
 * given back when the last one has left, so that no call ever meets a number that belongs to another file. Twin of OwnFile. os_own_open.c opens
 * it.
 */
#include "os_own.h"

#include <errno.h>
#include <linux/fs.h>
#include <string.h>

#include "../common/memory.h"
#include "os_arena.h"
#include "os_call.h"
#include "os_file.h"
#include "os_folios.h"
#include "os_kept.h"
#include "os_number.h"
#include "os_staging.h"
#include "os_thread_kernel.h"

#define CLOSED (UINT32_C(1) << 31)

#ifndef RWF_APPEND
#define RWF_APPEND 0x10
#endif

static uint32_t process;

uint32_t mio_os_own_process(void)
{
	return process;
}

int mio_os_own_enter(struct mio_os_own *own)
{
	uint32_t now = atomic_load_explicit(&own->uses, memory_order_relaxed);

	do {
		if (now & CLOSED || own->process != process)
			return -EBADF;
	} while (!atomic_compare_exchange_weak(&own->uses, &now, now + 1));
	return 0;
}

void mio_os_own_leave(struct mio_os_own *own)
{
	/* own may be freed by now; waking its address then wakes nobody. */
	if (atomic_fetch_sub(&own->uses, 1) == (CLOSED | 1))
		mio_futex_wake_all(&own->uses);
}

/* Ends when all that have entered have left. To be called once. */
void mio_os_own_end(struct mio_os_own *own)
{
	uint32_t now = atomic_fetch_or(&own->uses, CLOSED) | CLOSED;

	if (own->process != process)
		return;
	for (; now != CLOSED; now = atomic_load(&own->uses))
		mio_futex_wait(&own->uses, now, -1);
	mio_os_shared_leave(own->shared, own->writes);
}

void mio_os_own_close(struct mio_os_own *own)
{
	if (!own)
		return;
	mio_os_own_end(own);
	mio_os_own_give(own);
}

void mio_os_own_give(struct mio_os_own *own)
{
	mio_memory_give(own, sizeof(*own));
}

struct mio_os_descriptor *mio_os_own_direct(struct mio_os_own *own)
{
	return atomic_load_explicit(&own->shared->buffered_only, memory_order_relaxed) ? NULL : own->direct;
}

void mio_os_own_stop_direct(struct mio_os_own *own)
{
	if (mio_os_own_enter(own) < 0)
		return;
	atomic_store_explicit(&own->shared->buffered_only, 1, memory_order_relaxed);
	mio_os_own_leave(own);
}

int mio_os_own_is_readable(const struct mio_os_own *own)
{
	return own->readable;
}

int mio_os_own_is_direct(const struct mio_os_own *own)
{
	return own->direct && !atomic_load_explicit(&own->shared->buffered_only, memory_order_relaxed);
}

int mio_os_own_alignment_bytes(const struct mio_os_own *own)
{
	return (int)own->align_bytes;
}

/* Enters and holds the buffered descriptor, for a call that is no transfer. Its number, or -EBADF. */
static int enter(struct mio_os_own *own, uint32_t *place)
{
	int rc = mio_os_own_enter(own);

	return rc < 0 ? rc : mio_os_descriptor_hold(own->buffered, place);
}

static void leave(struct mio_os_own *own, uint32_t place)
{
	mio_os_descriptor_let_go(own->buffered, place);
	mio_os_own_leave(own);
}

int64_t mio_os_own_size(struct mio_os_own *own)
{
	uint32_t place;
	int fd = enter(own, &place);
	int64_t size;

	if (fd < 0)
		return fd;
	size = mio_os_file_size(fd);
	leave(own, place);
	return size;
}

int mio_os_own_read_ahead(struct mio_os_own *own, int64_t offset, int64_t length, int64_t reach, int64_t longest)
{
	uint32_t place, other_place;
	int one = enter(own, &place);
	int other, rc = -EBUSY;

	if (one < 0)
		return one;
	if (own->other && mio_lock_try(&own->shared->folios)) {
		other = mio_os_descriptor_hold(own->other, &other_place);
		rc = mio_os_folios_read_ahead(one, other, offset, length, reach, longest);
		mio_os_descriptor_let_go(own->other, other_place);
		mio_lock_release(&own->shared->folios);
	}
	leave(own, place);
	return rc;
}

int mio_os_own_truncate(struct mio_os_own *own, int64_t size)
{
	uint32_t place;
	int fd = enter(own, &place);
	int rc;

	if (fd < 0)
		return fd;
	rc = mio_os_file_truncate(fd, size);
	leave(own, place);
	return rc;
}

static int is_on(int fd, const struct mio_os_shared *shared)
{
	struct stat found;

	return mio_os_call_stat(fd, &found) == 0 && (uint64_t)found.st_dev == shared->device &&
	       (uint64_t)found.st_ino == shared->inode;
}

int mio_os_own_sync(struct mio_os_own *own, int metadata, int fd)
{
	uint32_t place;
	int own_fd = enter(own, &place);
	int is_programs;
	int rc = 0;

	if (own_fd < 0)
		return own_fd;
	/*
	 * The kernel reports a failed write once to each open, and MIO's descriptor serves many opens of the program. So the program's own one is
	 * synced.
	 */
	is_programs = fd >= 0 && is_on(fd, own->shared);
	if (is_programs && own->remote && own->writable)
		rc = mio_os_file_sync(own_fd, metadata);
	if (rc == 0)
		rc = mio_os_file_sync(is_programs ? fd : own_fd, metadata);
	leave(own, place);
	return rc;
}

int mio_os_own_reserve(struct mio_os_own *own, int64_t offset, int64_t bytes)
{
	uint32_t place;
	int fd = enter(own, &place);
	int rc = 0;

	if (fd < 0)
		return fd;
	if (bytes > 0)
		rc = mio_os_file_reserve(fd, offset, bytes);
	leave(own, place);
	return rc == 0 ? 1 : rc == -EOPNOTSUPP ? 0 : rc;
}

/*
 * For kernels that cannot append by a descriptor without append mode (before 4.16, gVisor). A descriptor that has it writes at the end, whatever
 * the offset.
 */
static int64_t append_by_mode(struct mio_os_own *own, int fd, const struct iovec *vector, int count)
{
	struct mio_os_descriptor *appending;
	uint32_t place;
	int64_t bytes;

	if (mio_os_own_appending(own, fd, &appending) < 0) {
		/* This does not see what other processes append in between. */
		int64_t size = mio_os_file_size(fd);

		return size < 0 ? size : mio_os_call_pwritev(fd, vector, count, size);
	}
	bytes = mio_os_call_pwritev(mio_os_descriptor_hold(appending, &place), vector, count, 0);
	mio_os_descriptor_let_go(appending, place);
	return bytes;
}

static int64_t append_once(struct mio_os_own *own, int fd, const struct iovec *vector, int count)
{
	int64_t bytes;

	do {
		bytes = mio_os_call_pwritev2(fd, vector, count, 0, RWF_APPEND);
		if (bytes == -EOPNOTSUPP || bytes == -ENOSYS || bytes == -EPERM)
			bytes = append_by_mode(own, fd, vector, count);
	} while (bytes == -EINTR);
	return bytes;
}

int64_t mio_os_own_append(struct mio_os_own *own, const struct iovec *vector, int count)
{
	uint32_t place;
	int fd = enter(own, &place);
	int64_t bytes;
	int rc = 0;

	if (fd < 0)
		return fd;
	bytes = own->writable ? append_once(own, fd, vector, count) : -EBADF;
	if (bytes > 0 && own->synced)
		rc = mio_os_file_sync(fd, own->synced_metadata);
	leave(own, place);
	return rc < 0 ? rc : bytes;
}

const char *mio_os_words(int error, char text[MIO_OS_WORDS_BYTES])
{
	static const char prefix[] = "error ";
	unsigned int number = (unsigned int)(error < 0 ? -error : error);
	char digits[10];
	size_t count = 0;
	size_t at = sizeof(prefix) - 1;

	switch (number) {
	case EPERM:
		return "Operation not permitted";
	case ENOENT:
		return "No such file or directory";
	case EAGAIN:
		return "Resource temporarily unavailable";
	case ENOMEM:
		return "Cannot allocate memory";
	case EACCES:
		return "Permission denied";
	case EINVAL:
		return "Invalid argument";
	case ENFILE:
		return "Too many open files in system";
	case EMFILE:
		return "Too many open files";
	case EROFS:
		return "Read-only file system";
	case ENOSYS:
		return "Function not implemented";
	case ESTALE:
		return "Stale file handle";
	default:
		break;
	}
	memcpy(text, prefix, at);
	do {
		digits[count++] = (char)('0' + number % 10);
		number /= 10;
	} while (number);
	while (count)
		text[at++] = digits[--count];
	text[at] = 0;
	return text;
}

int mio_os_own_descriptor_moved(int fd)
{
	int rc;

	if (!mio_os_is_own_descriptor(fd) || mio_os_backend_gives_up(fd) || mio_os_kept_move(fd) ||
	    mio_os_number_standard_moved(fd))
		return 0;
	rc = mio_os_shared_move(fd);
	return rc == 1 ? 0 : rc;
}

void mio_os_exec_coming(void)
{
	if (mio_os_number_may_be_locked())
		mio_os_shared_inherit(1);
}

void mio_os_exec_failed(void)
{
	if (mio_os_number_may_be_locked())
		mio_os_shared_inherit(0);
}

void mio_os_forked(int shares_descriptors)
{
	process++;
	mio_os_backend_forked();
	mio_os_thread_kernel_forked();
	mio_os_staging_forked();
	mio_os_shared_forked();
	mio_os_arena_forked();
	mio_os_kept_forking(shares_descriptors);
	mio_os_number_forked(shares_descriptors);
	mio_os_kept_forked(shares_descriptors);
}

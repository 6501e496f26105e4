/*
 * syscall(): numbers of calls that have a wrapper go to it, so that a program that makes them by number sees the same file. Results and
 * errno are those of the wrapper. Where these differ from the kernel's own, the kernel makes the call, with the same steps before and
 * after.
 */
#include "preload.h"

#include <fcntl.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stdarg.h>
#include <sys/prctl.h>

#include "../os/os_layer.h"
#include "preload_syscall.h"
#include "preload_wrappers.h"

typedef long syscall_function(long number, ...);

long mio_preload_plain(long number, const long *w)
{
	syscall_function *real = MIO_REAL(syscall, syscall_function *);

	return real ? real(number, w[0], w[1], w[2], w[3], w[4], w[5])
		    : mio_preload_result(mio_raw6(number, w[0], w[1], w[2], w[3], w[4], w[5]));
}

/* openat2. Its struct open_how has the words flags, mode, resolve. */
static long open2(const long *w)
{
	const uint64_t *how = (const uint64_t *)w[2];
	struct mio_door_opening opening;
	int state = PTHREAD_CANCEL_ENABLE;
	int cuts;
	int fd;

	if (mio_door_is_no_place(how, 2 * sizeof(*how)) || !mio_door_opening(&opening, (int)w[0], (const char *)w[1], (int)how[0], (int)how[1])) {
		fd = (int)mio_preload_plain(SYS_openat2, w);
		if (fd >= 0)
			mio_door_opened_beside((const char *)w[1], (int)how[0], fd);
		return fd;
	}
	cuts = opening.cut != NULL;
	if (cuts)
		pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
	for (;;) {
		int error;

		fd = (int)mio_preload_plain(SYS_openat2, w);
		if (fd >= 0)
			break;
		error = errno;
		if (!mio_door_open_failed(&opening, error)) {
			errno = error;
			break;
		}
	}
	if (fd >= 0) {
		/* The open was made with the program's own flags, whatever the rule says. */
		opening.oflags = (int)how[0];
		mio_door_opened(&opening, fd);
		if (mio_door_file(fd))
			mio_preload_guard_signals();
	}
	if (cuts)
		pthread_setcancelstate(state, &state);
	return fd;
}

#ifdef SYS_setrlimit
/* The kernel's own call: the C library's setrlimit takes a NULL limit for a question. */
static long set_limit(long number, const long *w)
{
	long rc = mio_preload_plain(number, w);

	mio_door_limits_changed();
	return rc;
}
#endif

static long dispatch_position(long number, const long *w)
{
	switch (number) {
	case SYS_read:
		return mio_pre_read((int)w[0], (void *)w[1], (size_t)w[2]);
	case SYS_write:
		return mio_pre_write((int)w[0], (const void *)w[1], (size_t)w[2]);
	case SYS_pread64:
		return mio_pre_pread((int)w[0], (void *)w[1], (size_t)w[2], w[3]);
	case SYS_pwrite64:
		return mio_pre_pwrite((int)w[0], (const void *)w[1], (size_t)w[2], w[3]);
	case SYS_readv:
		return mio_pre_readv((int)w[0], (const struct iovec *)w[1], (int)w[2]);
	case SYS_writev:
		return mio_pre_writev((int)w[0], (const struct iovec *)w[1], (int)w[2]);
	case SYS_preadv:
		return mio_pre_preadv((int)w[0], (const struct iovec *)w[1], (int)w[2], w[3]);
	case SYS_pwritev:
		return mio_pre_pwritev((int)w[0], (const struct iovec *)w[1], (int)w[2], w[3]);
	case SYS_preadv2:
		if (!mio_door_file((int)w[0]))
			return mio_preload_plain(number, w);
		return mio_pre_preadv2((int)w[0], (const struct iovec *)w[1], (int)w[2], w[3], (int)w[5]);
	case SYS_pwritev2:
		if (!mio_door_file((int)w[0]))
			return mio_preload_plain(number, w);
		return mio_pre_pwritev2((int)w[0], (const struct iovec *)w[1], (int)w[2], w[3], (int)w[5]);
	case SYS_lseek:
		return mio_pre_lseek((int)w[0], w[1], (int)w[2]);
	case SYS_copy_file_range:
		return mio_pre_copy_file_range((int)w[0], (off_t *)w[1], (int)w[2], (off_t *)w[3], (size_t)w[4],
					       (unsigned int)w[5]);
	case SYS_sendfile:
		return mio_pre_sendfile((int)w[0], (int)w[1], (off_t *)w[2], (size_t)w[3]);
	case SYS_splice:
		return mio_pre_splice((int)w[0], (off_t *)w[1], (int)w[2], (off_t *)w[3], (size_t)w[4],
				      (unsigned int)w[5]);
	default:
		return mio_preload_plain(number, w);
	}
}

/* Makes a descriptor that is no file: its number may have been closed where MIO did not see it. */
static long make_one(long number, const long *w)
{
	long fd = mio_preload_plain(number, w);

	if (fd >= 0)
		mio_door_new_descriptor((int)fd);
	return fd;
}

static long make_two(long number, const long *w)
{
	const int *ends = (const int *)w[0];
	long rc = mio_preload_plain(number, w);

	if (rc == 0) {
		mio_door_new_descriptor(ends[0]);
		mio_door_new_descriptor(ends[1]);
	}
	return rc;
}

/* Calls that make descriptors, and those that newer machines do not have. */
static long dispatch_rest(long number, const long *w)
{
	switch (number) {
	case SYS_socket:
	case SYS_accept:
	case SYS_accept4:
	case SYS_epoll_create1:
	case SYS_open_by_handle_at:
	case SYS_memfd_create:
		return make_one(number, w);
#ifdef SYS_pipe
	case SYS_pipe:
#endif
	case SYS_pipe2:
		return make_two(number, w);
#ifdef SYS_creat
	case SYS_creat:
		return mio_pre_creat((const char *)w[0], (mode_t)w[1]);
#endif
	default:
		return dispatch_position(number, w);
	}
}

static long dispatch_file(long number, const long *w)
{
	switch (number) {
	case SYS_fstat:
		return mio_pre_fstat((int)w[0], (struct stat *)w[1]);
	case SYS_truncate:
		return mio_pre_truncate((const char *)w[0], w[1]);
	case SYS_ftruncate:
		return mio_pre_ftruncate((int)w[0], w[1]);
	case SYS_fallocate:
		return mio_pre_fallocate((int)w[0], (int)w[1], w[2], w[3]);
	case SYS_fsync:
		return mio_pre_fsync((int)w[0]);
	case SYS_fdatasync:
		return mio_pre_fdatasync((int)w[0]);
	case SYS_sync:
		mio_pre_sync();
		return 0;
	case SYS_syncfs:
		return mio_pre_syncfs((int)w[0]);
	case SYS_sync_file_range:
		return mio_pre_sync_file_range((int)w[0], w[1], w[2], (unsigned int)w[3]);
	case SYS_mmap:
		return (long)mio_pre_mmap((void *)w[0], (size_t)w[1], (int)w[2], (int)w[3], (int)w[4], w[5]);
	case SYS_ioctl:
		return mio_pre_ioctl((int)w[0], (unsigned int)w[1], w[2]);
	case SYS_flock:
		return mio_pre_flock((int)w[0], (int)w[1]);
	case SYS_sendmsg:
		return mio_pre_sendmsg((int)w[0], (const struct msghdr *)w[1], (int)w[2]);
	case SYS_sendmmsg:
		return mio_pre_sendmmsg((int)w[0], (struct mmsghdr *)w[1], (unsigned int)w[2], (int)w[3]);
	case SYS_fadvise64:
		if ((int)w[3] == POSIX_FADV_DONTNEED && mio_door_file((int)w[0]))
			mio_door_publish((int)w[0]);
		return mio_preload_plain(number, w);
	default:
		return dispatch_rest(number, w);
	}
}

static long dispatch(long number, const long *w)
{
	long result;

	if (mio_preload_by_name(number, w, &result) || mio_preload_by_process(number, w, &result))
		return result;
	switch (number) {
#ifdef SYS_open
	case SYS_open:
		return mio_pre_open((const char *)w[0], (int)w[1], (mode_t)w[2]);
#endif
	case SYS_openat:
		return mio_pre_openat((int)w[0], (const char *)w[1], (int)w[2], (mode_t)w[3]);
	case SYS_openat2:
		return open2(w);
	case SYS_close:
		return mio_pre_close((int)w[0]);
	case SYS_close_range:
		return mio_pre_close_range((unsigned int)w[0], (unsigned int)w[1], (int)w[2]);
	case SYS_dup:
		return mio_pre_dup((int)w[0]);
#ifdef SYS_dup2
	case SYS_dup2:
		return mio_pre_dup2((int)w[0], (int)w[1]);
#endif
	case SYS_dup3:
		return mio_pre_dup3((int)w[0], (int)w[1], (int)w[2]);
	case SYS_fcntl:
		/* The C library asks in another way, which has no error for the number of a group. */
		if ((int)w[1] == F_GETOWN && !mio_os_is_own_descriptor((int)w[0]))
			return mio_preload_plain(number, w);
		return mio_pre_fcntl((int)w[0], (int)w[1], w[2]);
	case SYS_execve:
		return mio_pre_execve((const char *)w[0], (char *const *)w[1], (char *const *)w[2]);
	case SYS_execveat:
		return mio_pre_execveat((int)w[0], (const char *)w[1], (char *const *)w[2], (char *const *)w[3], (int)w[4]);
	case SYS_exit_group:
		mio_pre__exit((int)w[0]);
	case SYS_prlimit64:
		return mio_pre_prlimit((pid_t)w[0], (int)w[1], (const struct rlimit *)w[2], (struct rlimit *)w[3]);
#ifdef SYS_setrlimit
	case SYS_setrlimit:
		return set_limit(number, w);
#endif
	case SYS_seccomp:
		/* Other operations ask what filters can do. */
		if (w[0] == SECCOMP_SET_MODE_STRICT || w[0] == SECCOMP_SET_MODE_FILTER)
			mio_preload_leave();
		return mio_preload_plain(number, w);
	case SYS_prctl:
		if (w[0] == PR_SET_SECCOMP)
			mio_preload_leave();
		return mio_preload_plain(number, w);
	case SYS_io_setup:
	case SYS_io_uring_setup:
		/* Requests that MIO will not see. */
		mio_door_foreign();
		return mio_preload_plain(number, w);
	default:
		return dispatch_file(number, w);
	}
}

MIO_WRAPPER long mio_pre_syscall(long number, ...)
{
	va_list arguments;
	long result;
	long w[6];

	va_start(arguments, number);
	for (int i = 0; i < 6; i++)
		w[i] = va_arg(arguments, long);
	va_end(arguments);
	/*
	 * If a wrapper and the function behind it both end in tail calls, the caller seems to be the program. It is recognised at the
	 * second time, as what follows here is no tail call.
	 */
	if (mio_preload_is_from_behind(__builtin_return_address(0)))
		return mio_preload_plain(number, w);
	if (mio_door_is_open())
		return dispatch(number, w);
	return mio_preload_by_copy(number, w, &result) ? result : mio_preload_plain(number, w);
}
MIO_EXPORT(syscall, mio_pre_syscall);

/* The process: its beginning, its children, its end. door_process.c decides what has to be with the kernel by then. */
#include "preload.h"

#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "../door/door_begin.h"
#include "../os/os_layer.h"
#include "../os/os_thread.h"
#include "../stack/stack.h"

extern char **environ;

#define REAL_OR(name, type, arguments, raw) \
	(MIO_REAL(name, type *) ? MIO_REAL(name, type *) arguments : (int)mio_preload_result(raw))

/* ---- beginning */

static void before_fork(void)
{
	mio_door_fork_prepare();
}

static _Atomic long own_number;

long mio_preload_process(void)
{
	mio_door_check_fork();
	return atomic_load(&own_number);
}

static void forked(void)
{
	atomic_store(&own_number, mio_raw0(SYS_getpid));
	mio_preload_streams_forked();
	mio_preload_wide_forked();
	mio_preload_signals_forked();
}

static void in_child(void)
{
	mio_door_fork_child();
}

static void copied(pid_t child)
{
	if (child == 0)
		in_child();
	else
		mio_door_fork_parent();
}

__attribute__((constructor)) static void begin(void)
{
	int errno_before = errno;

	mio_preload_find_all();
	mio_os_thread_kernel_allow();
	if (mio_door_begin_and_tell(environ, "mio", 0)) {
		/* Before the program runs, when nobody else reads the environment yet. */
		setenv("MIO_STATS_OWNER", mio_stacks_stats_token(), 0);
		atomic_store(&own_number, mio_raw0(SYS_getpid));
		mio_door_when_forked = forked;
		mio_door_when_decided = mio_preload_guard_signals;
		pthread_atfork(before_fork, mio_door_fork_parent, in_child);
	}
	errno = errno_before;
}

/* For libmio.so in the same process, which then leaves all files to this library. */

extern const char mio_preload_version[];
__attribute__((visibility("default"))) const char mio_preload_version[] = MIO_VERSION;

__attribute__((visibility("default"))) void mio_preload_flush(void)
{
	mio_door_publish_all();
}

/* ---- end */

void mio_preload_end(void)
{
	int errno_before = errno;

	mio_preload_flush_streams();
	mio_door_exit();
	mio_door_hint();
	errno = errno_before;
}

/* Streams of the C library are flushed after this; their bytes then go to the kernel at once. */
__attribute__((destructor)) static void end(void)
{
	mio_preload_end();
}

MIO_WRAPPER __attribute__((noreturn)) void mio_pre__exit(int status)
{
	mio_door_exit();
	mio_door_hint();
	for (;;)
		mio_raw1(SYS_exit_group, status);
}
MIO_EXPORT(_exit, mio_pre__exit);
MIO_EXPORT(_Exit, mio_pre__exit);

MIO_WRAPPER __attribute__((noreturn)) void mio_pre_quick_exit(int status)
{
	typedef void function(int);

	/* The handlers of quick_exit run inside it and may still write; those bytes go to the kernel at once. */
	mio_door_exit();
	mio_door_hint();
	MIO_REAL_NOW(quick_exit, function *)(status);
	__builtin_trap();
}
MIO_EXPORT(quick_exit, mio_pre_quick_exit);

MIO_WRAPPER __attribute__((noreturn)) void mio_pre_abort(void)
{
	typedef void function(void);

	mio_door_exit();
	MIO_REAL_NOW(abort, function *)();
	__builtin_trap();
}
MIO_EXPORT(abort, mio_pre_abort);

/* After the main thread has ended this way, the process lives until its last thread ends. So MIO's own threads must end first. */
MIO_WRAPPER __attribute__((noreturn)) void mio_pre_pthread_exit(void *result)
{
	typedef void function(void *);

	if (mio_door_is_open() && mio_raw0(SYS_gettid) == mio_raw0(SYS_getpid))
		mio_door_end_threads();
	MIO_REAL_NOW(pthread_exit, function *)(result);
	__builtin_trap();
}
MIO_EXPORT(pthread_exit, mio_pre_pthread_exit);

/* ---- copies of the process. fork itself is noticed by pthread_atfork. */

MIO_WRAPPER pid_t mio_pre__Fork(void)
{
	typedef pid_t function(void);
	pid_t child;

	mio_door_fork_prepare();
	child = MIO_REAL_NOW(_Fork, function *)();
	copied(child);
	return child;
}
MIO_EXPORT(_Fork, mio_pre__Fork);

/*
 * A function that returns twice on one stack cannot be wrapped in C, so vfork is fork here. The child is going to execute another program or end;
 * before that it may put any descriptor of the parent's on another number.
 */
MIO_WRAPPER pid_t mio_pre_vfork(void)
{
	typedef pid_t function(void);
	pid_t child;

	mio_door_share(MIO_HEIRS_ALL);
	/*
	 * The C library's fork would run handlers that others have registered, which vfork does not; _Fork does not either, and exists since
	 * glibc 2.34.
	 */
	child = MIO_REAL_NOW(_Fork, function *) ? MIO_REAL_NOW(_Fork, function *)() : MIO_REAL_NOW(fork, function *)();
	copied(child);
	return child;
}
MIO_EXPORT(vfork, mio_pre_vfork);
MIO_EXPORT(__vfork, mio_pre_vfork);

/* The child itself finds out that it is a copy (mio_door_check_fork). One that shares memory is a thread, or as good as one. */
MIO_WRAPPER int mio_pre_clone(int (*run)(void *), void *stack, int flags, void *argument, ...)
{
	typedef int function(int (*)(void *), void *, int, void *, ...);
	va_list arguments;
	void *words[3];
	int rc;

	va_start(arguments, argument);
	for (int i = 0; i < 3; i++)
		words[i] = va_arg(arguments, void *);
	va_end(arguments);
	/* Such a child's calls would change the parent's state of its descriptors, so it gets a copy of the memory, as with vfork. */
	if ((flags & CLONE_VM) && (flags & CLONE_VFORK) && !(flags & CLONE_THREAD) && mio_door_is_open())
		flags &= ~(CLONE_VM | CLONE_SIGHAND);
	if (!(flags & CLONE_VM)) {
		mio_door_fork_prepare();
		mio_door_thread.child_shares = (flags & CLONE_FILES) != 0;
	} else if (!(flags & CLONE_THREAD)) {
		mio_door_share(MIO_HEIRS_ALL);
	}
	rc = MIO_REAL_NOW(clone, function *)(run, stack, flags, argument, words[0], words[1], words[2]);
	mio_door_thread.child_shares = 0;
	if (!(flags & CLONE_THREAD))
		mio_door_fork_parent();
	return rc;
}
MIO_EXPORT(clone, mio_pre_clone);
MIO_EXPORT(__clone, mio_pre_clone);

void mio_preload_before_spawn(void)
{
	mio_door_share(MIO_HEIRS_INHERITED);
}

/* File actions, which run in the child, may put a descriptor on another number, where it stays open. */
static void before_spawn_with(const posix_spawn_file_actions_t *actions)
{
	mio_door_share(actions && actions->__used > 0 ? MIO_HEIRS_ALL : MIO_HEIRS_INHERITED);
}

MIO_WRAPPER int mio_pre_posix_spawn(pid_t *child, const char *name, const posix_spawn_file_actions_t *actions,
				    const posix_spawnattr_t *attributes, char *const *arguments, char *const *environment)
{
	typedef int function(pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *,
			     char *const *, char *const *);
	int rc;

	before_spawn_with(actions);
	rc = MIO_REAL_NOW(posix_spawn, function *)(child, name, actions, attributes, arguments, environment);
	mio_door_fork_parent();
	return rc;
}
MIO_EXPORT(posix_spawn, mio_pre_posix_spawn);

MIO_WRAPPER int mio_pre_posix_spawnp(pid_t *child, const char *name, const posix_spawn_file_actions_t *actions,
				     const posix_spawnattr_t *attributes, char *const *arguments,
				     char *const *environment)
{
	typedef int function(pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *,
			     char *const *, char *const *);
	int rc;

	before_spawn_with(actions);
	rc = MIO_REAL_NOW(posix_spawnp, function *)(child, name, actions, attributes, arguments, environment);
	mio_door_fork_parent();
	return rc;
}
MIO_EXPORT(posix_spawnp, mio_pre_posix_spawnp);

/* Since glibc 2.39: the same, with a descriptor in place of the child's number. ENOSYS where the C library does not have it. */
typedef int pidfd_spawn_function(int *child, const char *name, const posix_spawn_file_actions_t *actions,
				 const posix_spawnattr_t *attributes, char *const *arguments, char *const *environment);

static int pidfd_spawn_by(pidfd_spawn_function *real, int *child, const char *name, const posix_spawn_file_actions_t *actions,
			  const posix_spawnattr_t *attributes, char *const *arguments, char *const *environment)
{
	int rc;

	if (!real)
		return ENOSYS;
	before_spawn_with(actions);
	rc = real(child, name, actions, attributes, arguments, environment);
	mio_door_fork_parent();
	if (rc == 0)
		mio_door_new_descriptor(*child);
	return rc;
}

MIO_WRAPPER int mio_pre_pidfd_spawn(int *child, const char *name, const posix_spawn_file_actions_t *actions,
				    const posix_spawnattr_t *attributes, char *const *arguments, char *const *environment)
{
	return pidfd_spawn_by(MIO_REAL_NOW(pidfd_spawn, pidfd_spawn_function *), child, name, actions, attributes, arguments,
			      environment);
}
MIO_EXPORT(pidfd_spawn, mio_pre_pidfd_spawn);

MIO_WRAPPER int mio_pre_pidfd_spawnp(int *child, const char *name, const posix_spawn_file_actions_t *actions,
				     const posix_spawnattr_t *attributes, char *const *arguments, char *const *environment)
{
	return pidfd_spawn_by(MIO_REAL_NOW(pidfd_spawnp, pidfd_spawn_function *), child, name, actions, attributes, arguments,
			      environment);
}
MIO_EXPORT(pidfd_spawnp, mio_pre_pidfd_spawnp);

MIO_WRAPPER int mio_pre_system(const char *command)
{
	typedef int function(const char *);
	int rc;

	mio_preload_before_spawn();
	rc = MIO_REAL_NOW(system, function *)(command);
	mio_door_fork_parent();
	return rc;
}
MIO_EXPORT(system, mio_pre_system);

MIO_WRAPPER FILE *mio_pre_popen(const char *command, const char *mode)
{
	typedef FILE *function(const char *, const char *);
	FILE *stream;

	mio_preload_before_spawn();
	stream = MIO_REAL_NOW(popen, function *)(command, mode);
	mio_door_fork_parent();
	return stream;
}
MIO_EXPORT(popen, mio_pre_popen);

/* ---- limits */

struct rlimit;

MIO_WRAPPER int mio_pre_setrlimit(int which, const struct rlimit *limit)
{
	int rc = (int)mio_preload_result(mio_raw4(SYS_prlimit64, 0, which, limit, NULL));

	if (mio_door_table_size)
		mio_door_limits_changed();
	return rc;
}
MIO_EXPORT(setrlimit, mio_pre_setrlimit);
MIO_EXPORT(setrlimit64, mio_pre_setrlimit);

MIO_WRAPPER int mio_pre_prlimit(pid_t process, int which, const struct rlimit *limit, struct rlimit *old)
{
	int rc = (int)mio_preload_result(mio_raw4(SYS_prlimit64, process, which, limit, old));

	if (limit && mio_door_table_size)
		mio_door_limits_changed();
	return rc;
}
MIO_EXPORT(prlimit, mio_pre_prlimit);
MIO_EXPORT(prlimit64, mio_pre_prlimit);

/* ---- a descriptor that is sent to another process shares its position with it */

static void before_passing(const struct msghdr *message)
{
	if (!mio_door_is_open() || mio_door_is_no_place(message, sizeof(*message)) || message->msg_controllen == 0 ||
	    mio_door_is_no_place(message->msg_control, message->msg_controllen))
		return;
	for (struct cmsghdr *one = CMSG_FIRSTHDR(message); one; one = CMSG_NXTHDR((struct msghdr *)(uintptr_t)message, one)) {
		const unsigned char *data = CMSG_DATA(one);
		size_t room = message->msg_controllen - (size_t)((const unsigned char *)one - (const unsigned char *)message->msg_control);
		/* The kernel refuses a length beyond the rest. */
		size_t length = one->cmsg_len < room ? one->cmsg_len : room;
		size_t count = length > CMSG_LEN(0) ? (length - CMSG_LEN(0)) / sizeof(int) : 0;

		if (one->cmsg_level != SOL_SOCKET || one->cmsg_type != SCM_RIGHTS)
			continue;
		for (size_t i = 0; i < count; i++) {
			int fd;

			memcpy(&fd, data + i * sizeof(int), sizeof(int));
			mio_door_pass(fd);
			/* The receiver may write without telling MIO. */
			if ((mio_raw3(SYS_fcntl, fd, F_GETFL, 0) & O_ACCMODE) != O_RDONLY)
				mio_door_go_past(fd);
		}
	}
}

MIO_WRAPPER ssize_t mio_pre_sendmsg(int fd, const struct msghdr *message, int flags)
{
	typedef ssize_t function(int, const struct msghdr *, int);
	function *real = MIO_REAL(sendmsg, function *);

	before_passing(message);
	return real ? real(fd, message, flags) : mio_preload_result(mio_raw3(SYS_sendmsg, fd, message, flags));
}
MIO_EXPORT(sendmsg, mio_pre_sendmsg);

MIO_WRAPPER int mio_pre_sendmmsg(int fd, struct mmsghdr *messages, unsigned int count, int flags)
{
	typedef int function(int, struct mmsghdr *, unsigned int, int);

	/* The kernel takes no more messages than this. */
	for (unsigned int i = 0; i < count && i < IOV_MAX && !mio_door_is_no_place(&messages[i], sizeof(*messages)); i++)
		before_passing(&messages[i].msg_hdr);
	return REAL_OR(sendmmsg, function, (fd, messages, count, flags), mio_raw4(SYS_sendmmsg, fd, messages, count, flags));
}
MIO_EXPORT(sendmmsg, mio_pre_sendmmsg);

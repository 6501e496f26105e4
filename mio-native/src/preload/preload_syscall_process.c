/*
 * syscall(): numbers of calls on the process: copies of it, other rights, the end of its first thread, signals.
 *
 * The C library's setuid and its like change all threads, the kernel's only the calling one. So the kernel makes the call, with the
 * same steps before and after.
 */
#include "preload.h"

#include <sched.h>
#include <signal.h>
#include <string.h>

#include "preload_syscall.h"
#include "preload_wrappers.h"

/* ---- copies */

/*
 * A child or thread that shares memory and has a stack of its own never returns here. On the parent's stack it would return, into
 * frames that the parent goes on using: such a child gets a copy of the memory, as with vfork.
 */
static long copy(long number, const long *w, uint64_t flags)
{
	int is_copy = !(flags & CLONE_VM);
	long child;

	mio_door_fork_prepare();
	mio_door_thread.child_shares = is_copy && (flags & CLONE_FILES);
	child = mio_preload_plain(number, w);
	if (child == 0 && is_copy) {
		mio_door_fork_child();
		return child;
	}
	mio_door_thread.child_shares = 0;
	mio_door_fork_parent();
	return child;
}

#ifdef SYS_vfork
static long borrow(void)
{
	const long w[6] = {CLONE_VFORK | SIGCHLD};

	return copy(SYS_clone, w, CLONE_VFORK);
}
#endif

/* 1 if the child is to have memory of its own, whatever the flags ask for. */
static int is_borrowed(uint64_t flags, uint64_t stack)
{
	return (flags & CLONE_VM) && (flags & CLONE_VFORK) && !(flags & CLONE_THREAD) && stack == 0;
}

static long clone_by_words(const long *w)
{
	uint64_t flags = (uint64_t)w[0];
	long instead[6];

	if (flags & CLONE_THREAD)
		return mio_preload_plain(SYS_clone, w);
	memcpy(instead, w, sizeof(instead));
	if (is_borrowed(flags, (uint64_t)w[1])) {
		flags &= ~(uint64_t)(CLONE_VM | CLONE_SIGHAND);
		instead[0] = (long)flags;
	}
	return copy(SYS_clone, instead, flags);
}

/* struct clone_args: flags, four words, the stack, and more in newer kernels. */
static long clone_by_structure(const long *w)
{
	enum { FLAGS = 0, STACK = 5, WORDS = 32 };
	uint64_t instead[WORDS];
	long words[6];
	const uint64_t *asked = (const uint64_t *)w[0];
	size_t length = (size_t)w[1];

	/* The kernel refuses these. */
	if (length <= STACK * sizeof(*asked) || mio_door_is_no_place(asked, length))
		return mio_preload_plain(SYS_clone3, w);
	if (asked[FLAGS] & CLONE_THREAD)
		return mio_preload_plain(SYS_clone3, w);
	if (length > sizeof(instead) || !is_borrowed(asked[FLAGS], asked[STACK]))
		return copy(SYS_clone3, w, asked[FLAGS]);
	memcpy(words, w, sizeof(words));
	memcpy(instead, asked, length);
	instead[FLAGS] &= ~(uint64_t)(CLONE_VM | CLONE_SIGHAND);
	words[0] = (long)instead;
	return copy(SYS_clone3, words, instead[FLAGS]);
}

/* ---- end */

/*
 * Ends the calling thread. The C library does not know that the thread has ended, and does not end a process whose last thread it was.
 * Nor would MIO's own threads let it end. The process ends with the program's last thread, which MIO may not see; so MIO finishes when
 * the first thread ends.
 */
static long end_thread(const long *w)
{
	if (mio_raw0(SYS_gettid) == mio_preload_process()) {
		mio_door_exit();
		mio_door_hint();
		mio_door_end_threads();
	}
	return mio_preload_plain(SYS_exit, w);
}

/* ---- rights */

static long change_identity(long number, const long *w, int user)
{
	long rc;

	mio_preload_identity_coming(user);
	rc = mio_preload_plain(number, w);
	mio_preload_identity_settled(user);
	return rc;
}

/* ---- signals */

#if defined(__x86_64__) || defined(__aarch64__)

/* struct sigaction as the kernel has it. */
struct action {
	uintptr_t handler;
	unsigned long flags;
	uintptr_t restorer;
	uint64_t mask;
};

/* On x86-64 the restorer ends up being the C library's, which does the same. */
static long set_action(const long *w)
{
	const struct action *asked = (const struct action *)w[1];
	struct action *old = (struct action *)w[2];
	int number = (int)w[0];
	struct sigaction action;
	struct sigaction before;
	int rc;

	/* The C library's internal signals are not served. */
	if (!mio_preload_may_serve_signals() || w[3] != sizeof(asked->mask) || (number >= 32 && number < SIGRTMIN) ||
	    (asked && mio_door_is_no_place(asked, sizeof(*asked))) || (old && mio_door_is_no_place(old, sizeof(*old))))
		return mio_preload_plain(SYS_rt_sigaction, w);
	if (asked) {
		memset(&action, 0, sizeof(action));
		action.sa_handler = (sighandler_t)asked->handler;
		action.sa_flags = (int)asked->flags;
		action.sa_restorer = (void (*)(void))asked->restorer;
		memcpy(&action.sa_mask, &asked->mask, sizeof(asked->mask));
	}
	rc = mio_pre_sigaction(number, asked ? &action : NULL, &before);
	if (rc == 0 && old) {
		old->handler = (uintptr_t)before.sa_handler;
		old->flags = (unsigned int)before.sa_flags;
		old->restorer = (uintptr_t)before.sa_restorer;
		memcpy(&old->mask, &before.sa_mask, sizeof(old->mask));
	}
	return rc;
}

#else

static long set_action(const long *w)
{
	return mio_preload_plain(SYS_rt_sigaction, w);
}

#endif

int mio_preload_by_copy(long number, const long *w, long *result)
{
	switch (number) {
#ifdef SYS_fork
	case SYS_fork:
		*result = copy(number, w, 0);
		return 1;
#endif
#ifdef SYS_vfork
	case SYS_vfork:
		*result = borrow();
		return 1;
#endif
	case SYS_clone:
		*result = clone_by_words(w);
		return 1;
	case SYS_clone3:
		*result = clone_by_structure(w);
		return 1;
	default:
		return 0;
	}
}

int mio_preload_by_process(long number, const long *w, long *result)
{
	switch (number) {
	case SYS_exit:
		*result = end_thread(w);
		return 1;
	case SYS_setuid:
	case SYS_setreuid:
	case SYS_setresuid:
		*result = change_identity(number, w, mio_door_has_threads() ? MIO_USER_OF_THREAD : MIO_USER_OF_ALL);
		return 1;
	case SYS_setgid:
	case SYS_setregid:
	case SYS_setresgid:
	case SYS_setgroups:
	case SYS_chroot:
	case SYS_setns:
		*result = change_identity(number, w, MIO_NO_USER);
		return 1;
	case SYS_unshare:
		if (w[0] & CLONE_FILES)
			mio_door_tables_part();
		*result = change_identity(number, w, MIO_NO_USER);
		return 1;
	case SYS_rt_sigaction:
		*result = set_action(w);
		return 1;
	default:
		return mio_preload_by_copy(number, w, result);
	}
}

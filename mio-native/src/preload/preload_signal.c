/*
 * Signals that end the process: from the first cache on, those that the program leaves to their default are taken by a handler
 * that writes out first and then lets the default happen, with the same signal and, for faults, at the same place. The
 * program does not see it: asked for the old handler, sigaction says SIG_DFL.
 *
 * A signal that comes while its thread is inside MIO waits until it leaves, but for faults, which end the process at once. SIGKILL
 * and a stack that has no room left end it without us.
 *
 * SIGUSR1 asks for reports while the program runs, where a rule says inter and the program leaves that signal alone.
 */
#include "preload.h"

#include <signal.h>
#include <string.h>

#include "../pf/pf_layer.h"
#include "preload_wrappers.h"

typedef int sigaction_function(int number, const struct sigaction *action, struct sigaction *old);

static const int ending[] = {SIGHUP, SIGINT, SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGUSR1, SIGSEGV, SIGUSR2,
			     SIGPIPE, SIGALRM, SIGTERM, SIGXCPU, SIGXFSZ, SIGVTALRM, SIGPROF, SIGIO, SIGSYS};

static _Atomic int guarding;
static _Atomic int reporting;	/* SIGUSR1 means reports */
static _Thread_local _Atomic int put_off __attribute__((tls_model("initial-exec")));

static int real_action(int number, const struct sigaction *action, struct sigaction *old)
{
	return MIO_REAL_NOW(sigaction, sigaction_function *)(number, action, old);
}

static int is_fault(int number)
{
	return number == SIGSEGV || number == SIGBUS || number == SIGFPE || number == SIGILL || number == SIGTRAP ||
	       number == SIGSYS;
}

static int is_ending(int number)
{
	for (size_t i = 0; i < sizeof(ending) / sizeof(ending[0]); i++)
		if (ending[i] == number)
			return 1;
	return 0;
}

static void let_default_happen(int number, int again)
{
	struct sigaction plain;

	memset(&plain, 0, sizeof(plain));
	plain.sa_handler = SIG_DFL;
	real_action(number, &plain, NULL);
	if (again)
		mio_raw3(SYS_tgkill, mio_raw0(SYS_getpid), mio_raw0(SYS_gettid), number);
}

static void handle(int number, siginfo_t *info, void *context)
{
	int errno_before = errno;
	/* What the kernel found, not what somebody sent. */
	int faulted = is_fault(number) && info->si_code > 0;

	(void)context;
	if (number == SIGUSR1 && atomic_load(&reporting)) {
		if (mio_door_thread.inside) {
			atomic_store(&put_off, number);
			atomic_store(&mio_door_thread.pending, 1);
		} else {
			mio_stacks_inter();
		}
	} else if (mio_door_thread.inside && !faulted) {
		atomic_store(&put_off, number);
		atomic_store(&mio_door_thread.pending, 1);
	} else {
		mio_door_exit();
		let_default_happen(number, !faulted);
	}
	errno = errno_before;
}

/* Called when a thread leaves MIO: what it put off. */
static void handle_put_off(void)
{
	int number = atomic_exchange(&put_off, 0);

	if (number == SIGUSR1 && atomic_load(&reporting)) {
		mio_stacks_inter();
	} else if (number) {
		mio_door_exit();
		let_default_happen(number, 1);
	}
}

static void ours(struct sigaction *action)
{
	memset(action, 0, sizeof(*action));
	action->sa_sigaction = handle;
	action->sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
	sigemptyset(&action->sa_mask);
}

static int is_ours(const struct sigaction *action)
{
	return (action->sa_flags & SA_SIGINFO) && action->sa_sigaction == handle;
}

static int is_default(const struct sigaction *action)
{
	return !(action->sa_flags & SA_SIGINFO) && action->sa_handler == SIG_DFL;
}

static void take(int number)
{
	struct sigaction now;
	struct sigaction action;

	ours(&action);
	if (real_action(number, NULL, &now) == 0 && is_default(&now))
		real_action(number, &action, NULL);
}

void mio_preload_guard_signals(void)
{
	mio_door_when_leaving = handle_put_off;
	if (mio_pf_file_any() && !atomic_exchange(&guarding, 1))
		for (size_t i = 0; i < sizeof(ending) / sizeof(ending[0]); i++)
			take(ending[i]);
	if (mio_stacks_has_inter() && !atomic_exchange(&reporting, 1))
		take(SIGUSR1);
}

static int is_guarded(int number)
{
	return (atomic_load(&guarding) && is_ending(number)) || (atomic_load(&reporting) && number == SIGUSR1);
}

MIO_WRAPPER int mio_pre_sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
	struct sigaction instead;
	struct sigaction before;
	int rc;

	if (!is_guarded(number))
		return real_action(number, action, old);
	if (action && is_default(action)) {
		ours(&instead);
		action = &instead;
	}
	rc = real_action(number, action, &before);
	if (rc == 0 && old) {
		*old = before;
		if (is_ours(&before)) {
			memset(old, 0, sizeof(*old));
			old->sa_handler = SIG_DFL;
		}
	}
	return rc;
}
MIO_EXPORT(sigaction, mio_pre_sigaction);
MIO_EXPORT(__sigaction, mio_pre_sigaction);

static sighandler_t set_handler(int number, sighandler_t handler, int flags)
{
	struct sigaction action;
	struct sigaction old;

	memset(&action, 0, sizeof(action));
	action.sa_handler = handler;
	action.sa_flags = flags;
	sigemptyset(&action.sa_mask);
	if (!(flags & SA_NODEFER))
		sigaddset(&action.sa_mask, number);
	return mio_pre_sigaction(number, &action, &old) < 0 ? SIG_ERR : old.sa_handler;
}

MIO_WRAPPER sighandler_t mio_pre_signal(int number, sighandler_t handler)
{
	typedef sighandler_t function(int, sighandler_t);

	/* siginterrupt may have set how: only where we have a part in it is it done here. */
	if (!is_guarded(number))
		return MIO_REAL_NOW(signal, function *)(number, handler);
	return set_handler(number, handler, SA_RESTART);
}
MIO_EXPORT(signal, mio_pre_signal);
MIO_EXPORT(bsd_signal, mio_pre_signal);
MIO_EXPORT(ssignal, mio_pre_signal);

MIO_WRAPPER sighandler_t mio_pre_sysv_signal(int number, sighandler_t handler)
{
	typedef sighandler_t function(int, sighandler_t);

	if (!is_guarded(number))
		return MIO_REAL_NOW(sysv_signal, function *)(number, handler);
	return set_handler(number, handler, (int)(SA_RESETHAND | SA_NODEFER));
}
MIO_EXPORT(sysv_signal, mio_pre_sysv_signal);
MIO_EXPORT(__sysv_signal, mio_pre_sysv_signal);

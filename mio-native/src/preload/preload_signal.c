/*
 * Signals. A call that the kernel makes on a file is not interrupted: a signal waits until the call has ended. MIO does the same for its calls.
 * From the first file with layers on, a handler of MIO's calls the program's handlers. If the signal interrupts a thread inside MIO, that handler
 * blocks it and sends it again; it is delivered when the thread leaves. So handlers may read, write, end the process or jump away as they may
 * without MIO. Faults go to the program at once.
 *
 * From the first cache on, MIO also handles signals that would end the process and that the program leaves to their default: the handler writes
 * everything out and then lets the default happen, with the same signal and, for faults, at the same place. SIGKILL, and a stack that has no room
 * left, end the process without MIO.
 *
 * The program sees none of this: sigaction returns what it has set. A one-time handler (SA_RESETHAND), as crash handlers are, stays MIO's for the
 * kernel; MIO puts the default in its place.
 *
 * SIGUSR1 asks for reports while the program runs, where a rule says inter and the program leaves that signal alone.
 */
#include "preload.h"

#include <signal.h>
#include <string.h>
#include <ucontext.h>

#include "../layer/layer_copy.h"
#include "../pf/pf_layer.h"
#include "preload_wrappers.h"

typedef int sigaction_function(int number, const struct sigaction *action, struct sigaction *old);
typedef void handler_function(int number, siginfo_t *info, void *context);

static const int ending[] = {SIGHUP, SIGINT, SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGUSR1, SIGSEGV, SIGUSR2,
			     SIGPIPE, SIGALRM, SIGTERM, SIGSTKFLT, SIGXCPU, SIGXFSZ, SIGVTALRM, SIGPROF, SIGIO, SIGPWR, SIGSYS};
/* The last signal number; those from SIGRTMIN on end the process as well. */
#define LAST_SIGNAL 64
#define MASK_BYTES sizeof(uint64_t)

static _Atomic int serving;	/* MIO's handler calls the program's */
static _Atomic int guarding;	/* MIO also handles signals whose default ends the process */
static _Atomic int copying;	/* MIO also handles the faults of its copies: without a cache, those of direct I/O */
static _Atomic int reporting;	/* SIGUSR1 asks for reports */

/* The program's handlers. All are called with three arguments; a handler of one argument ignores the others. */
static struct {
	_Atomic(handler_function *) handler;
	_Atomic int flags;
} program[LAST_SIGNAL + 1];

/* Guards changes; all signals are blocked while it is held. */
static struct mio_lock lock;
/* Signals that this thread has blocked until it leaves MIO. */
static _Thread_local _Atomic uint64_t held __attribute__((tls_model("initial-exec")));
/* How often signals have come nevertheless, since it was outside. */
static _Thread_local _Atomic int repeats __attribute__((tls_model("initial-exec")));
/* One that is sent time and again to a handler that does not block it may come a few times before MIO has blocked it. */
#define MOST_REPEATS 10

static uint64_t bit(int number)
{
	return UINT64_C(1) << (number - 1);
}

static int real_action(int number, const struct sigaction *action, struct sigaction *old)
{
	return MIO_REAL_NOW(sigaction, sigaction_function *)(number, action, old);
}

static int is_fault(int number)
{
	return number == SIGSEGV || number == SIGBUS || number == SIGFPE || number == SIGILL || number == SIGTRAP ||
	       number == SIGSYS;
}

/* 1 for a fault that the kernel found, 0 for a signal that somebody sent. */
static int has_faulted(int number, const siginfo_t *info)
{
	return is_fault(number) && info->si_code > 0;
}

static int is_ending(int number)
{
	for (size_t i = 0; i < sizeof(ending) / sizeof(ending[0]); i++)
		if (ending[i] == number)
			return 1;
	return number >= SIGRTMIN && number <= LAST_SIGNAL;
}

static int is_guarded(int number)
{
	return (atomic_load(&guarding) && is_ending(number)) || (atomic_load(&reporting) && number == SIGUSR1) ||
	       (atomic_load(&copying) && (number == SIGSEGV || number == SIGBUS));
}

/* ---- MIO's handlers */

/*
 * 1 if the fault is one of a copy of MIO's, from or to memory that the program has passed to a call. A copy by the kernel would have ended there,
 * and the program would get no signal. So MIO's copy ends, too, and the kernel then makes the call (door_ways.c).
 */
static int is_of_copy(int number, void *context)
{
	if ((number != SIGSEGV && number != SIGBUS) || !mio_layer_copy_may_land(context))
		return 0;
	if (mio_open_call.copies_into) {
		mio_layer_copy_faults();
		mio_pf_copy_given_up();
	}
	mio_layer_copy_land(context);
	return 1;
}

/*
 * 1 if the program does not get the signal now: it comes again when this thread has left MIO, or without MIO the program would not have got it.
 */
static int hold(int number, siginfo_t *info, void *context)
{
	uint64_t mask = bit(number);
	ucontext_t *interrupted = context;

	if (!mio_door_thread.inside)
		return 0;
	if (has_faulted(number, info)) {
		if (is_of_copy(number, context))
			return 1;
		mio_layer_copy_faults();
		return 0;
	}
	/* After a fault in a copy (above) the program's handler may send itself the signal, to let the default happen: that is not held back. */
	if (is_fault(number) && mio_layer_copy_has_faulted())
		return 0;
	/*
	 * valgrind does not heed the mask that the handler leaves behind, and the signal would come again for ever. So it comes in at any time, as in a
	 * program with libmio.so alone.
	 */
	if ((atomic_load(&held) & mask) && atomic_fetch_add(&repeats, 1) >= MOST_REPEATS)
		return 0;
	/* The handler may run without its signal blocked. */
	mio_raw4(SYS_rt_sigprocmask, SIG_BLOCK, &mask, NULL, MASK_BYTES);
	if (mio_raw4(SYS_rt_tgsigqueueinfo, mio_raw0(SYS_getpid), mio_raw0(SYS_gettid), number, info) < 0)
		return 0;
	sigaddset(&interrupted->uc_sigmask, number);
	atomic_fetch_or(&held, mask);
	atomic_store(&mio_door_thread.pending, 1);
	return 1;
}

/* Called when a thread leaves MIO. */
static void let_go(void)
{
	uint64_t mask = atomic_exchange(&held, 0);

	atomic_store(&repeats, 0);
	if (mask)
		mio_raw4(SYS_rt_sigprocmask, SIG_UNBLOCK, &mask, NULL, MASK_BYTES);
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

/* Handler in place of the default. */
static void handle(int number, siginfo_t *info, void *context)
{
	int errno_before = errno;

	if (hold(number, info, context))
		;
	else if (number == SIGUSR1 && atomic_load(&reporting))
		mio_stacks_inter();
	else {
		mio_door_exit();
		let_default_happen(number, !has_faulted(number, info));
	}
	errno = errno_before;
}

static void set_default(int number);

static void publish(void)
{
	int errno_before = errno;

	mio_door_publish_everything();
	errno = errno_before;
}

/* Handler in place of the program's. */
MIO_CALLS_PROGRAM static void call(int number, siginfo_t *info, void *context)
{
	int errno_before = errno;
	handler_function *handler;

	if (hold(number, info, context)) {
		errno = errno_before;
		return;
	}
	handler = atomic_load(&program[number].handler);
	if (atomic_load(&program[number].flags) & (int)SA_RESETHAND)
		set_default(number);
	errno = errno_before;
	if (!handler)
		return;
	/* The C library's abort ends the process when the handler returns, and MIO does not see that. */
	if (number == SIGABRT)
		publish();
	handler(number, info, context);
	if (number == SIGABRT)
		publish();
}

/* ---- which action the kernel has, and which the program has set */

static int is(const struct sigaction *action, handler_function *handler)
{
	return (action->sa_flags & SA_SIGINFO) && action->sa_sigaction == handler;
}

static int is_plain(const struct sigaction *action, sighandler_t handler)
{
	return !is(action, call) && !is(action, handle) && action->sa_handler == handler;
}

void mio_preload_hold_signals(struct mio_preload_signals *table)
{
	uint64_t all = ~UINT64_C(0);

	mio_raw4(SYS_rt_sigprocmask, SIG_BLOCK, &all, &table->mask, MASK_BYTES);
	mio_lock_acquire(&lock);
}

void mio_preload_release_signals(struct mio_preload_signals *table)
{
	mio_lock_release(&lock);
	mio_raw4(SYS_rt_sigprocmask, SIG_SETMASK, &table->mask, NULL, MASK_BYTES);
}

/* The action that MIO sets in place of the program's. */
static void stand_in(int number, const struct sigaction *action, struct sigaction *instead)
{
	*instead = *action;
	if (is_plain(action, SIG_DFL) && is_guarded(number)) {
		memset(instead, 0, sizeof(*instead));
		instead->sa_sigaction = handle;
		instead->sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
		sigemptyset(&instead->sa_mask);
	} else if (!is_plain(action, SIG_DFL) && !is_plain(action, SIG_IGN)) {
		instead->sa_flags = (action->sa_flags & ~(int)SA_RESETHAND) | SA_SIGINFO;
		instead->sa_sigaction = call;
	}
}

/* The caller holds the table. */
static int set(int number, const struct sigaction *action)
{
	handler_function *handler_before = atomic_load(&program[number].handler);
	int flags_before = atomic_load(&program[number].flags);
	struct sigaction instead;
	int rc;

	stand_in(number, action, &instead);
	if (is(&instead, call)) {
		atomic_store(&program[number].handler, action->sa_sigaction);
		atomic_store(&program[number].flags, action->sa_flags);
	}
	rc = real_action(number, &instead, NULL);
	if (rc < 0) {
		atomic_store(&program[number].handler, handler_before);
		atomic_store(&program[number].flags, flags_before);
	}
	return rc;
}

/* The action that the program believes is set; now: the one that is set. */
static void show(int number, const struct sigaction *now, struct sigaction *shown)
{
	int own = SA_SIGINFO | (int)SA_RESETHAND;

	*shown = *now;
	if (is(now, handle)) {
		memset(shown, 0, sizeof(*shown));
		shown->sa_handler = SIG_DFL;
	} else if (is(now, call)) {
		shown->sa_sigaction = atomic_load(&program[number].handler);
		shown->sa_flags = (now->sa_flags & ~own) | (atomic_load(&program[number].flags) & own);
	}
}

static void set_default(int number)
{
	struct sigaction plain;
	struct mio_preload_signals table;

	memset(&plain, 0, sizeof(plain));
	plain.sa_handler = SIG_DFL;
	mio_preload_hold_signals(&table);
	set(number, &plain);
	mio_preload_release_signals(&table);
}

static void take(int number)
{
	struct sigaction now;

	if (real_action(number, NULL, &now) < 0 || is(&now, handle) || is(&now, call) || is_plain(&now, SIG_IGN))
		return;
	/*
	 * Setting a default again would make the kernel drop the signal if it is pending and would be ignored; a program may be waiting for it by
	 * signalfd.
	 */
	if (is_plain(&now, SIG_DFL) && !is_guarded(number))
		return;
	set(number, &now);
}

static void take_all(void)
{
	int errno_before = errno;
	struct mio_preload_signals table;

	mio_preload_hold_signals(&table);
	for (int number = 1; number <= LAST_SIGNAL; number++)
		take(number);
	mio_preload_release_signals(&table);
	errno = errno_before;
}

void mio_preload_guard_signals(void)
{
	int more = 0;

	mio_door_when_leaving = let_go;
	if (!atomic_load(&serving))
		more |= !atomic_exchange(&serving, 1);
	if (mio_pf_file_any() && !atomic_load(&guarding))
		more |= !atomic_exchange(&guarding, 1);
	if (mio_door_keeps_positions() && !atomic_load(&copying))
		more |= !atomic_exchange(&copying, 1);
	if (mio_stacks_has_inter() && !atomic_load(&reporting))
		more |= !atomic_exchange(&reporting, 1);
	if (more)
		take_all();
}

int mio_preload_may_serve_signals(void)
{
	return mio_door_is_open() || atomic_load(&serving);
}

void mio_preload_leave_signals(void)
{
	int errno_before = errno;
	struct mio_preload_signals table;
	struct sigaction now;

	if (!atomic_load(&serving))
		return;
	mio_preload_hold_signals(&table);
	for (int number = 1; number <= LAST_SIGNAL; number++)
		if (real_action(number, NULL, &now) == 0 && (is(&now, handle) || is(&now, call))) {
			show(number, &now, &now);
			real_action(number, &now, NULL);
		}
	atomic_store(&serving, 0);
	mio_preload_release_signals(&table);
	errno = errno_before;
}

void mio_preload_signals_forked(void)
{
	atomic_store(&lock.state, 0);
}

/* ---- calls of the program */

int mio_preload_sets_signal(int number)
{
	return mio_preload_may_serve_signals() && number >= 1 && number <= LAST_SIGNAL;
}

MIO_WRAPPER int mio_pre_sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
	struct sigaction asked;
	struct sigaction before;
	struct mio_preload_signals table;
	int serves;
	int rc;

	if (!mio_preload_sets_signal(number))
		return real_action(number, action, old);
	if (action)
		asked = *action;
	mio_preload_hold_signals(&table);
	serves = atomic_load(&serving);
	rc = real_action(number, action && !serves ? &asked : NULL, &before);
	if (rc == 0 && serves) {
		show(number, &before, &before);
		if (action)
			rc = set(number, &asked);
	}
	mio_preload_release_signals(&table);
	if (rc == 0 && old)
		*old = before;
	return rc;
}
MIO_EXPORT(sigaction, mio_pre_sigaction);
MIO_EXPORT(__sigaction, mio_pre_sigaction);

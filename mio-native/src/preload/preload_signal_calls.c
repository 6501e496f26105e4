/* The other calls that set a signal's handler: each is turned into an action, which preload_signal.c sets. */
#include "preload.h"

#include <signal.h>
#include <string.h>

#include "preload_wrappers.h"

/* Bits of the signals for which the program has asked that calls be interrupted (siginterrupt). */
static _Atomic uint64_t interrupting;

static uint64_t bit(int number)
{
	return UINT64_C(1) << (number - 1);
}

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

	if (!mio_preload_sets_signal(number) || handler == SIG_ERR)
		return MIO_REAL_NOW(signal, function *)(number, handler);
	return set_handler(number, handler, atomic_load(&interrupting) & bit(number) ? 0 : SA_RESTART);
}
MIO_EXPORT(signal, mio_pre_signal);
MIO_EXPORT(bsd_signal, mio_pre_signal);
MIO_EXPORT(ssignal, mio_pre_signal);

MIO_WRAPPER sighandler_t mio_pre_sysv_signal(int number, sighandler_t handler)
{
	typedef sighandler_t function(int, sighandler_t);

	if (!mio_preload_sets_signal(number) || handler == SIG_ERR)
		return MIO_REAL_NOW(sysv_signal, function *)(number, handler);
	return set_handler(number, handler, (int)(SA_RESETHAND | SA_NODEFER));
}
MIO_EXPORT(sysv_signal, mio_pre_sysv_signal);
MIO_EXPORT(__sysv_signal, mio_pre_sysv_signal);

/* Changes the mask for one signal. 1 if the thread had it blocked before. */
static int change_mask(int number, int how)
{
	uint64_t mask = bit(number);
	uint64_t before = 0;

	mio_raw4(SYS_rt_sigprocmask, how, &mask, &before, sizeof(mask));
	return (before & mask) != 0;
}

/* The C library's sigset would see MIO's handler, and return it to the program as the previous one. */
MIO_WRAPPER sighandler_t mio_pre_sigset(int number, sighandler_t handler)
{
	typedef sighandler_t function(int, sighandler_t);
	struct sigaction action;
	struct sigaction old;

	if (!mio_preload_sets_signal(number) || handler == SIG_ERR)
		return MIO_REAL_NOW(sigset, function *)(number, handler);
	memset(&action, 0, sizeof(action));
	action.sa_handler = handler;
	sigemptyset(&action.sa_mask);
	if (mio_pre_sigaction(number, handler == SIG_HOLD ? NULL : &action, &old) < 0)
		return SIG_ERR;
	return change_mask(number, handler == SIG_HOLD ? SIG_BLOCK : SIG_UNBLOCK) ? SIG_HOLD : old.sa_handler;
}
MIO_EXPORT(sigset, mio_pre_sigset);

/* The C library changes the flags of the action that the kernel has, which may be MIO's, and remembers the setting for its own signal(). */
MIO_WRAPPER int mio_pre_siginterrupt(int number, int interrupts)
{
	typedef int function(int, int);
	int ours = mio_preload_sets_signal(number);
	struct mio_preload_signals table;
	int rc;

	if (ours)
		mio_preload_hold_signals(&table);
	rc = MIO_REAL_NOW(siginterrupt, function *)(number, interrupts);
	if (ours)
		mio_preload_release_signals(&table);
	if (rc == 0 && interrupts)
		atomic_fetch_or(&interrupting, bit(number));
	else if (rc == 0)
		atomic_fetch_and(&interrupting, ~bit(number));
	return rc;
}
MIO_EXPORT(siginterrupt, mio_pre_siginterrupt);

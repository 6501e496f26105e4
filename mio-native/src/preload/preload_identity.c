/*
 * The process gets other rights, or other name spaces. The kernel demands a process of one thread for some of these calls, and a ring
 * keeps the rights it was made with; so MIO's threads and rings end first.
 */
#include "preload.h"

#include <sched.h>
#include <stdarg.h>
#include <sys/prctl.h>

#include "../live/live.h"
#include "../os/os_layer.h"

void mio_preload_identity_coming(int user)
{
	int errno_before = errno;
	int before;

	mio_door_publish_everything();
	mio_door_rights_coming();
	/* A signal handler of the program that comes in between takes no lock of MIO's, and may itself make such calls. */
	before = mio_door_enter();
	mio_os_stop();
	/* In a signal handler the interrupted thread may hold the lock; then the live counter file stays. */
	if (user && !before)
		mio_live_user_coming();
	errno = errno_before;
	mio_door_leave(before);
}

void mio_preload_identity_settled(int user)
{
	int before = mio_door_enter();
	int errno_before = errno;

	if (user && !before)
		mio_live_user_settled(user == MIO_USER_OF_ALL);
	mio_os_go_on();
	errno = errno_before;
	mio_door_leave(before);
}

#define IDENTITY_OF(user, name, parameters, arguments) \
	MIO_WRAPPER int mio_pre_##name parameters \
	{ \
		typedef int function parameters; \
		int rc; \
		mio_preload_identity_coming(user); \
		rc = MIO_REAL_NOW(name, function *) arguments; \
		mio_preload_identity_settled(user); \
		return rc; \
	} \
	MIO_EXPORT(name, mio_pre_##name)

#define IDENTITY(name, parameters, arguments) IDENTITY_OF(MIO_NO_USER, name, parameters, arguments)
#define USER(name, parameters, arguments) IDENTITY_OF(MIO_USER_OF_ALL, name, parameters, arguments)

USER(setuid, (uid_t user), (user));
IDENTITY(setgid, (gid_t group), (group));
USER(seteuid, (uid_t user), (user));
IDENTITY(setegid, (gid_t group), (group));
USER(setreuid, (uid_t real, uid_t effective), (real, effective));
IDENTITY(setregid, (gid_t real, gid_t effective), (real, effective));
USER(setresuid, (uid_t real, uid_t effective, uid_t saved), (real, effective, saved));
IDENTITY(setresgid, (gid_t real, gid_t effective, gid_t saved), (real, effective, saved));
IDENTITY(setgroups, (size_t count, const gid_t *groups), (count, groups));
IDENTITY(chroot, (const char *name), (name));

MIO_WRAPPER int mio_pre_unshare(int flags)
{
	typedef int function(int);
	int rc;

	if (flags & CLONE_FILES)
		mio_door_tables_part();
	mio_preload_identity_coming(MIO_NO_USER);
	rc = MIO_REAL_NOW(unshare, function *)(flags);
	mio_preload_identity_settled(MIO_NO_USER);
	return rc;
}
MIO_EXPORT(unshare, mio_pre_unshare);
IDENTITY(setns, (int fd, int kind), (fd, kind));

/* A filter of system calls may end a program for calls that are not its own. */
void mio_preload_leave(void)
{
	mio_door_leave_all();
	mio_preload_leave_signals();
}

MIO_WRAPPER int mio_pre_prctl(int option, ...)
{
	typedef int function(int, ...);
	function *real = MIO_REAL(prctl, function *);
	va_list arguments;
	long w[4];

	va_start(arguments, option);
	for (int i = 0; i < 4; i++)
		w[i] = va_arg(arguments, long);
	va_end(arguments);
	if (option == PR_SET_SECCOMP)
		mio_preload_leave();
	return real ? real(option, w[0], w[1], w[2], w[3])
		    : (int)mio_preload_result(mio_raw5(SYS_prctl, option, w[0], w[1], w[2], w[3]));
}
MIO_EXPORT(prctl, mio_pre_prctl);

/*
 * Another program in this process: the kernel drops whatever is in flight, so everything is written first. Descriptors that stay open
 * are where the program left them. If the call fails, the program goes on as before.
 */
#include "preload.h"

#include <stdarg.h>
#include <unistd.h>

#include "../live/live.h"
#include "../os/os_layer.h"

extern char **environ;

static void before_exec(void)
{
	int errno_before = errno;

	mio_door_exec_coming();
	mio_os_exec_coming();
	mio_live_exec_coming();
	errno = errno_before;
}

/* The call has returned: the program goes on. */
static int failed(int rc)
{
	mio_door_exec_failed();
	mio_os_exec_failed();
	mio_live_exec_failed();
	return rc;
}

MIO_WRAPPER int mio_pre_execve(const char *name, char *const *arguments, char *const *environment)
{
	typedef int function(const char *, char *const *, char *const *);
	function *real = MIO_REAL(execve, function *);

	before_exec();
	return failed(real ? real(name, arguments, environment)
			   : (int)mio_preload_result(mio_raw3(SYS_execve, name, arguments, environment)));
}
MIO_EXPORT(execve, mio_pre_execve);

MIO_WRAPPER int mio_pre_execv(const char *name, char *const *arguments)
{
	return mio_pre_execve(name, arguments, environ);
}
MIO_EXPORT(execv, mio_pre_execv);

MIO_WRAPPER int mio_pre_execvpe(const char *name, char *const *arguments, char *const *environment)
{
	typedef int function(const char *, char *const *, char *const *);

	before_exec();
	return failed(MIO_REAL_NOW(execvpe, function *)(name, arguments, environment));
}
MIO_EXPORT(execvpe, mio_pre_execvpe);

MIO_WRAPPER int mio_pre_execvp(const char *name, char *const *arguments)
{
	return mio_pre_execvpe(name, arguments, environ);
}
MIO_EXPORT(execvp, mio_pre_execvp);

MIO_WRAPPER int mio_pre_fexecve(int fd, char *const *arguments, char *const *environment)
{
	typedef int function(int, char *const *, char *const *);

	before_exec();
	return failed(MIO_REAL_NOW(fexecve, function *)(fd, arguments, environment));
}
MIO_EXPORT(fexecve, mio_pre_fexecve);

MIO_WRAPPER int mio_pre_execveat(int directory, const char *name, char *const *arguments, char *const *environment,
				 int flags)
{
	before_exec();
	return failed((int)mio_preload_result(mio_raw5(SYS_execveat, directory, name, arguments, environment, flags)));
}
MIO_EXPORT(execveat, mio_pre_execveat);

/* The forms with a list of arguments: counts them, then gathers them in an array on the stack, where the caller's list is too. */

static size_t count_of(va_list arguments)
{
	size_t count = 1;

	while (va_arg(arguments, char *))
		count++;
	return count;
}

#define GATHER(list, first, last) \
	va_list counting_; \
	va_list taking_; \
	size_t count_; \
	va_start(counting_, last); \
	va_copy(taking_, counting_); \
	count_ = first ? count_of(counting_) : 0; \
	va_end(counting_); \
	char **list = __builtin_alloca((count_ + 1) * sizeof(char *)); \
	list[0] = (char *)(uintptr_t)(first); \
	for (size_t i_ = 1; i_ <= count_; i_++) \
		list[i_] = va_arg(taking_, char *)

MIO_WRAPPER int mio_pre_execl(const char *name, const char *first, ...)
{
	GATHER(list, first, first);
	va_end(taking_);
	return mio_pre_execve(name, list, environ);
}
MIO_EXPORT(execl, mio_pre_execl);

MIO_WRAPPER int mio_pre_execlp(const char *name, const char *first, ...)
{
	GATHER(list, first, first);
	va_end(taking_);
	return mio_pre_execvpe(name, list, environ);
}
MIO_EXPORT(execlp, mio_pre_execlp);

MIO_WRAPPER int mio_pre_execle(const char *name, const char *first, ...)
{
	char *const *environment;

	GATHER(list, first, first);
	environment = va_arg(taking_, char *const *);
	va_end(taking_);
	return mio_pre_execve(name, list, environment);
}
MIO_EXPORT(execle, mio_pre_execle);

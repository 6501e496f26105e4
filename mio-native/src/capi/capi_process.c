/*
 * Beginning, copies and end of the process. pthread_atfork tells of copies by fork; nothing tells a library of vfork, spawn and
 * exec, so the program calls MIO_flush before these. Unlike the preload library, this one takes no signal.
 */
#include "capi.h"

#include <dlfcn.h>
#include <stdlib.h>

#include "../door/door_begin.h"

extern char **environ;

/* The preload library's function, if that library is in this process; else NULL. */
static void (*preload_flush)(void);

static void before_fork(void)
{
	mio_door_fork_prepare();
}

static void in_child(void)
{
	mio_door_fork_child();
	mio_capi_extra_forked();
}

static void end(void)
{
	int errno_before = errno;

	mio_door_exit();
	errno = errno_before;
}

static void begin(void)
{
	if (dlsym(RTLD_DEFAULT, "mio_preload_version")) {
		preload_flush = (void (*)(void))(uintptr_t)dlsym(RTLD_DEFAULT, "mio_preload_flush");
		return;
	}
	if (mio_door_begin_and_tell(environ, "libmio", 1)) {
		pthread_atfork(before_fork, mio_door_fork_parent, in_child);
		/* Without room for the exit handler, files that the program does not close would not be written out at exit. */
		if (atexit(end) != 0)
			mio_door_shut();
	}
}

void mio_capi_begin(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	int errno_before = errno;

	pthread_once(&once, begin);
	errno = errno_before;
}

void MIO_flush(void)
{
	int errno_before = errno;

	if (preload_flush)
		preload_flush();
	else
		mio_door_publish_all();
	errno = errno_before;
}

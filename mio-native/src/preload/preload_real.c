#include "preload.h"

#include <dlfcn.h>
#include <pthread.h>

void *mio_reals[MIO_REALS];

static const char *const names[MIO_REALS] = {
#define MIO_REAL_NAME(name) #name,
	MIO_REAL_NAMES(MIO_REAL_NAME)
#undef MIO_REAL_NAME
};

void *mio_preload_real(enum mio_real_index index)
{
	int errno_before = errno;

	if (!mio_reals[index])
		mio_reals[index] = dlsym(RTLD_NEXT, names[index]);
	errno = errno_before;
	return mio_reals[index];
}

void mio_preload_find_all(void)
{
	for (int i = 0; i < MIO_REALS; i++)
		mio_preload_real((enum mio_real_index)i);
}

void mio_preload_test_cancel(void)
{
	pthread_testcancel();
}

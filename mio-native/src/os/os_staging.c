#include "os_staging.h"

#include <string.h>

#include "../common/lock.h"
#include "../common/memory.h"

#define BUFFERS 8

static struct mio_lock lock;
static struct mio_condition given;
static void *idle[BUFFERS];
static int idle_count;
static int made;

void *mio_os_staging_take(void)
{
	void *buffer = NULL;

	mio_lock_acquire(&lock);
	while (idle_count == 0 && made == BUFFERS)
		mio_condition_wait(&given, &lock);
	if (idle_count > 0) {
		buffer = idle[--idle_count];
	} else {
		/* A piece of this size is a mapping of its own, which begins on a page boundary. */
		buffer = mio_memory_take(MIO_OS_STAGING_BYTES);
		if (buffer)
			made++;
	}
	mio_lock_release(&lock);
	return buffer;
}

void mio_os_staging_give(void *buffer)
{
	mio_lock_acquire(&lock);
	idle[idle_count++] = buffer;
	mio_condition_wake(&given);
	mio_lock_release(&lock);
}

void mio_os_staging_forked(void)
{
	memset(&lock, 0, sizeof(lock));
	memset(&given, 0, sizeof(given));
	idle_count = 0;
	made = 0;
}

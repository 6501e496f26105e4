#ifndef MIO_CAPI_CAPI_H
#define MIO_CAPI_CAPI_H

/*
 * The C API: functions that a program calls by name. Each asks the door first, and where the door passes, calls the C library's
 * function of that name. That call is bound as any call of the program is, so that other libraries which wrap it still see it.
 * Here are only the shapes of calls; src/door decides what they mean for a file.
 */

#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/types.h>

#include "../../include/mio/mio.h"
#include "../common/raw.h"
#include "../door/door.h"
#include "../os/os_layer.h"

/* Begins MIO at the first call. Afterwards the door is open, or stays closed for good and all calls are plain. */
void mio_capi_begin(void);

/*
 * Chooses the layers of an open: those of the rule for that name, or, if no rule matches, those in extra; extra may add pffw to
 * either. Returns 0 and *spec (NULL: no layers), or -EINVAL for layers in extra that cannot be read.
 */
int mio_capi_choose(const char *name, const struct mio_extra *extra, const struct mio_stack_spec **spec);

/* In a forked child: the lock of what extra has brought is free again. */
void mio_capi_extra_forked(void);

/* Turns a result of the kernel or the door into one of the C library's form. */
static inline int64_t mio_capi_result(int64_t result)
{
	if (result < 0) {
		errno = (int)-result;
		return -1;
	}
	return result;
}

static inline int mio_capi_bad_descriptor(void)
{
	errno = EBADF;
	return -1;
}

/*
 * Returns the door's result, or that of the plain call if the door passes. For calls that are cancellation points: the test for
 * cancellation comes before the door, too.
 */
#define MIO_CAPI_ASK(fd, type, asked, plain) MIO_CAPI_ASK_IF(mio_door_file(fd), type, asked, plain)
#define MIO_CAPI_ASK_READ(fd, type, asked, plain) MIO_CAPI_ASK_IF(mio_door_sees_read(fd), type, asked, plain)

#define MIO_CAPI_ASK_IF(is_seen, type, asked, plain) \
	do { \
		if (is_seen) { \
			int64_t result_; \
			pthread_testcancel(); \
			result_ = asked; \
			if (result_ != MIO_DOOR_PASS) \
				return (type)mio_capi_result(result_); \
		} \
		return plain; \
	} while (0)

#endif

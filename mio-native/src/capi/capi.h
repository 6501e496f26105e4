#ifndef MIO_CAPI_CAPI_H
#define MIO_CAPI_CAPI_H

/*
 * The C API: functions a program calls by name. Each asks the door and else calls the function of the C library of that name, by the
 * usual way of a program, so that whoever wraps it is met. Here are only the shapes of calls; what they mean for a file is in src/door.
 */

#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/types.h>

#include "../../include/mio/mio.h"
#include "../common/raw.h"
#include "../door/door.h"
#include "../os/os_layer.h"

/* Begins MIO, the first time. Afterwards the door is open, or stays closed for ever and all calls are plain. */
void mio_capi_begin(void);

/* The layers that a program gives with an open, over those of the rule for that name. 0 and *spec (NULL: none), or -EINVAL. */
int mio_capi_choose(const char *name, const struct mio_extra *extra, const struct mio_stack_spec **spec);

/* In a forked child. */
void mio_capi_extra_forked(void);

/* Result of the kernel or the door as the C library gives it. */
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
 * Returns what the door says, else what the plain call does. For calls that are cancellation points, which they then are in the door, too.
 */
#define MIO_CAPI_ASK(fd, type, asked, plain) \
	do { \
		if (mio_door_file(fd)) { \
			int64_t result_; \
			pthread_testcancel(); \
			result_ = asked; \
			if (result_ != MIO_DOOR_PASS) \
				return (type)mio_capi_result(result_); \
		} \
		return plain; \
	} while (0)

#endif

#ifndef MIO_PF_STAMP_H
#define MIO_PF_STAMP_H

#include <stdint.h>

#include "../layer/layer_open.h"

/*
 * A number that is another one when the file was changed (its change time, ns), or -1 if not known, or if its name leads to
 * another file by now.
 */
int64_t mio_pf_stamp_of(const struct mio_open_request *request);

/*
 * Whether the next change of a file is sure to have another time than its last one, at changed, at which somebody has just looked. release: of Linux
 * (os_release.h); type: of the file system; times in ns since 1970. Pure.
 */
int mio_pf_stamp_tells(int release, const char *type, int64_t changed, int64_t now);
/* The same of a stamp of a file on this device. */
int mio_pf_stamp_is_sure(uint64_t device, int64_t stamp);

/*
 * Whether the write that gave a file this time of change is over, as far as can be told: the kernel sets the time before the bytes are there. Of a write that
 * takes long it cannot. Pure, as above.
 */
int mio_pf_stamp_over(const char *type, int64_t changed, int64_t now);
/* The same of a stamp of a file on this device, now. */
int mio_pf_stamp_is_over(uint64_t device, int64_t stamp);

/* Removes the file of this name. */
void mio_pf_stamp_remove(const struct mio_open_request *request);

#endif

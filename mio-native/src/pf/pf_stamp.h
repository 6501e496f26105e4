#ifndef MIO_PF_STAMP_H
#define MIO_PF_STAMP_H

#include <stdint.h>

#include "../layer/layer_open.h"

/*
 * The stamp of a file: the time of its last change (ctime), in ns since 1970, which differs after a change. -1 if it is not known, or if the file's name leads
 * to another file by now.
 */
int64_t mio_pf_stamp_of(const struct mio_open_request *request);

/*
 * 1 if the next change of a file is sure to have another time than its last one, which was at `changed` and has just been read. release: of Linux
 * (os_release.h); type: of the file system; times in ns since 1970. Pure.
 */
int mio_pf_stamp_tells(int release, const char *type, int64_t changed, int64_t now);
/* The same for a stamp of a file on this device, on this Linux, now. */
int mio_pf_stamp_is_sure(uint64_t device, int64_t stamp);

/*
 * 1 if the write that gave a file this time of change has ended, as far as can be told: the kernel sets the time before the bytes are there. A write that takes
 * long may still be going on. Pure; parameters as above.
 */
int mio_pf_stamp_over(const char *type, int64_t changed, int64_t now);
/* The same for a stamp of a file on this device, now. */
int mio_pf_stamp_is_over(uint64_t device, int64_t stamp);

/* Removes the file by the name that it was opened with. */
void mio_pf_stamp_remove(const struct mio_open_request *request);

#endif

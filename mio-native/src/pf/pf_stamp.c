#include "pf_stamp.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "../common/raw.h"

int64_t mio_pf_stamp_of(const struct mio_open_request *request)
{
	struct statx found;
	long rc;

	memset(&found, 0, sizeof(found));
	rc = mio_raw5(SYS_statx, AT_FDCWD, request->name, 0, STATX_INO | STATX_CTIME, &found);
	if (rc < 0 || found.stx_ino != request->inode ||
	    makedev(found.stx_dev_major, found.stx_dev_minor) != request->device)
		return -1;
	return found.stx_ctime.tv_sec * INT64_C(1000000000) + found.stx_ctime.tv_nsec;
}

void mio_pf_stamp_remove(const struct mio_open_request *request)
{
	mio_raw3(SYS_unlinkat, AT_FDCWD, request->name, 0);
}

/*
 * The time of a file's last change. Two changes have the same time if they fall into one tick of the kernel's clock, or into one or two seconds where the file
 * system keeps no finer times. Since Linux 6.13 some file systems give a change a time of its own if the time was read since the change before. Twin of
 * ChangeStamp.
 */
#include "pf_stamp.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "../common/clock.h"
#include "../common/raw.h"
#include "../layer/layer_file_system.h"
#include "../os/os_release.h"

#define SECOND_NS INT64_C(1000000000)
/* No file system keeps coarser times than this. */
#define COARSEST_NS (2 * SECOND_NS)
/* File systems that keep nanoseconds have times no coarser than a few ticks of the kernel's clock, of 10 ms at most each. */
#define TICKS_NS INT64_C(50000000)
#define FINE_SINCE MIO_OS_RELEASE(6, 13)

static int is_fine(const char *type)
{
	return strcmp(type, "btrfs") == 0 || strcmp(type, "ext4") == 0 || strcmp(type, "tmpfs") == 0 || strcmp(type, "xfs") == 0;
}

int mio_pf_stamp_tells(int release, const char *type, int64_t changed, int64_t now)
{
	if (now - changed >= COARSEST_NS)
		return 1;
	/* A time of whole seconds may be from a file system that keeps no finer times. */
	return is_fine(type) && changed % SECOND_NS != 0 && (release >= FINE_SINCE || now - changed >= TICKS_NS);
}

static int64_t now_ns(void)
{
	struct timespec now = {0, 0};

	mio_clock_read(CLOCK_REALTIME, &now);
	return now.tv_sec * SECOND_NS + now.tv_nsec;
}

int mio_pf_stamp_is_sure(uint64_t device, int64_t stamp)
{
	static _Atomic int known;
	int release = atomic_load_explicit(&known, memory_order_relaxed);

	if (!release) {
		release = mio_os_release();
		atomic_store_explicit(&known, release, memory_order_relaxed);
	}
	return mio_pf_stamp_tells(release, mio_file_system_type(device), stamp, now_ns());
}

int mio_pf_stamp_over(const char *type, int64_t changed, int64_t now)
{
	return mio_pf_stamp_tells(0, type, changed, now);
}

int mio_pf_stamp_is_over(uint64_t device, int64_t stamp)
{
	return mio_pf_stamp_over(mio_file_system_type(device), stamp, now_ns());
}

int64_t mio_pf_stamp_of(const struct mio_open_request *request)
{
	struct statx found;
	long rc;

	memset(&found, 0, sizeof(found));
	rc = mio_raw5(SYS_statx, AT_FDCWD, request->name, 0, STATX_INO | STATX_CTIME, &found);
	if (rc < 0 || found.stx_ino != request->inode ||
	    makedev(found.stx_dev_major, found.stx_dev_minor) != request->device)
		return -1;
	return found.stx_ctime.tv_sec * SECOND_NS + found.stx_ctime.tv_nsec;
}

void mio_pf_stamp_remove(const struct mio_open_request *request)
{
	mio_raw3(SYS_unlinkat, AT_FDCWD, request->name, 0);
}

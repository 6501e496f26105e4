/* Calls about a file rather than its bytes. */
#include "capi.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include "../pf/pf_layer.h"

_Static_assert(sizeof(struct stat) == sizeof(struct stat64), "stat64 is stat");

int MIO_fstat(int fd, struct stat *found)
{
	int rc = fstat(fd, found);

	/* If bytes of the file are only in pages, they are written first and the file is asked again. */
	if (rc == 0 && mio_door_is_open() && mio_pf_file_any() && S_ISREG(found->st_mode) &&
	    mio_door_publish_inode((uint64_t)found->st_dev, (uint64_t)found->st_ino))
		rc = fstat(fd, found);
	return rc;
}

int MIO_fstat64(int fd, struct stat64 *found)
{
	return MIO_fstat(fd, (struct stat *)(uintptr_t)found);
}

int MIO_fstatfs(int fd, struct statfs *found)
{
	return fstatfs(fd, found);
}

int MIO_fsync(int fd)
{
	MIO_CAPI_ASK(fd, int, mio_door_sync(fd, 1), fsync(fd));
}

int MIO_fdatasync(int fd)
{
	MIO_CAPI_ASK(fd, int, mio_door_sync(fd, 0), fdatasync(fd));
}

int MIO_ftruncate64(int fd, int64_t size)
{
	/* ftruncate is not a cancellation point, so MIO_CAPI_ASK is not used. */
	int64_t result = mio_door_file(fd) ? mio_door_truncate(fd, size) : MIO_DOOR_PASS;

	return result == MIO_DOOR_PASS ? ftruncate(fd, size) : (int)mio_capi_result(result);
}

int MIO_ftruncate(int fd, off_t size)
{
	return MIO_ftruncate64(fd, size);
}

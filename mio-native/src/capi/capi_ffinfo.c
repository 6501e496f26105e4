/* The limits of direct I/O, in the form AIX gives them (reference 7.1 and the table behind it). */
#include "capi.h"

#include <fcntl.h>

#include "../os/os_direct.h"
#include "../os/os_file.h"

/* The most bytes that one call moves. */
#define CALL_BYTES_MAX ((int64_t)0x7ffff000)

/*
 * For files whose limits nobody tells: the block size of the file system, which direct I/O accepts everywhere. 0 if there is no
 * direct I/O.
 */
static int64_t block_bytes(int fd)
{
	struct mio_os_identity identity;
	struct stat found;

	if (mio_os_file_identity(fd, &identity) < 0 || identity.place == MIO_OS_PLACE_MEMORY ||
	    mio_raw2(SYS_fstat, fd, &found) < 0)
		return 0;
	return found.st_blksize;
}

int MIO_ffinfo(int fd, int command, struct diocapbuf *buffer, int bytes)
{
	struct mio_os_direct_limits limits;
	struct stat found;
	int64_t offset;
	int64_t memory;
	int answer;

	if (mio_os_is_own_descriptor(fd) || mio_raw2(SYS_fstat, fd, &found) < 0)
		return mio_capi_bad_descriptor();
	if (command != F_DIOCAP || bytes < (int)sizeof(*buffer) || (!S_ISREG(found.st_mode) && !S_ISBLK(found.st_mode)))
		return (int)mio_capi_result(-EINVAL);
	if (!buffer)
		return (int)mio_capi_result(-EFAULT);
	answer = mio_os_direct_limits_of(fd, &limits);
	offset = answer == MIO_OS_DIRECT_TOLD ? (int64_t)limits.offset_align_bytes : block_bytes(fd);
	memory = answer == MIO_OS_DIRECT_TOLD ? (int64_t)limits.mem_align_bytes : offset;
	if (offset <= 0)
		return (int)mio_capi_result(-EINVAL);
	buffer->dio_offset = offset;
	buffer->dio_max = CALL_BYTES_MAX / offset * offset;
	buffer->dio_min = offset;
	buffer->dio_align = memory;
	return 0;
}

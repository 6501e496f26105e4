/* Reads, writes, and changes of the position. */
#include "capi.h"

#include <sys/uio.h>
#include <unistd.h>

ssize_t MIO_read(int fd, void *memory, size_t bytes)
{
	MIO_CAPI_ASK_READ(fd, ssize_t, mio_door_read(fd, memory, bytes), read(fd, memory, bytes));
}

ssize_t MIO_write(int fd, const void *memory, size_t bytes)
{
	MIO_CAPI_ASK(fd, ssize_t, mio_door_write(fd, memory, bytes), write(fd, memory, bytes));
}

ssize_t MIO_readv(int fd, const struct iovec *vector, int count)
{
	MIO_CAPI_ASK_READ(fd, ssize_t, mio_door_readv(fd, vector, count), readv(fd, vector, count));
}

ssize_t MIO_writev(int fd, const struct iovec *vector, int count)
{
	MIO_CAPI_ASK(fd, ssize_t, mio_door_writev(fd, vector, count), writev(fd, vector, count));
}

ssize_t MIO_pread64(int fd, void *memory, size_t bytes, int64_t offset)
{
	MIO_CAPI_ASK_READ(fd, ssize_t, mio_door_pread(fd, memory, bytes, offset), pread(fd, memory, bytes, offset));
}

ssize_t MIO_pread(int fd, void *memory, size_t bytes, off_t offset)
{
	return MIO_pread64(fd, memory, bytes, offset);
}

ssize_t MIO_pwrite64(int fd, const void *memory, size_t bytes, int64_t offset)
{
	MIO_CAPI_ASK(fd, ssize_t, mio_door_pwrite(fd, memory, bytes, offset), pwrite(fd, memory, bytes, offset));
}

ssize_t MIO_pwrite(int fd, const void *memory, size_t bytes, off_t offset)
{
	return MIO_pwrite64(fd, memory, bytes, offset);
}

int64_t MIO_lseek64(int fd, int64_t offset, int whence)
{
	/* lseek is not a cancellation point, so MIO_CAPI_ASK is not used. */
	int64_t result = mio_door_sees_seek(fd) ? mio_door_seek(fd, offset, whence) : MIO_DOOR_PASS;

	return result == MIO_DOOR_PASS ? lseek(fd, offset, whence) : mio_capi_result(result);
}

off_t MIO_lseek(int fd, off_t offset, int whence)
{
	return MIO_lseek64(fd, offset, whence);
}

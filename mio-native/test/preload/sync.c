/* Calls that bring bytes to the device, and advice. The process without MIO sees what has been synced. */
#include "see.h"

#include <sys/mman.h>

static char bytes[100000];
static unsigned int seed;

static void dirty(int fd)
{
	fill(bytes, sizeof(bytes), ++seed, 0);
	MUST(pwrite(fd, bytes, sizeof(bytes), 0) == (ssize_t)sizeof(bytes));
}

int main(int argc, char **argv)
{
	int fd;
	int other;

	begin(argc, argv);
	outside_begin();
	fd = open("f", O_RDWR | O_CREAT, 0644);
	MUST(fd >= 0);
	dirty(fd);
	SEE(fsync(fd));
	outside("f");
	dirty(fd);
	SEE(fdatasync(fd));
	outside("f");
	dirty(fd);
	other = open("f", O_RDONLY);
	SEE(fsync(other));
	outside("f");
	dirty(fd);
	SEE(syncfs(other));
	outside("f");
	dirty(fd);
	SEE(sync_file_range(fd, 0, sizeof(bytes),
			    SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER));
	outside("f");
	SEE(sync_file_range(fd, 0, sizeof(bytes), 0x40000000));
	dirty(fd);
	SEE(posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL));
	SEE(posix_fadvise(fd, 0, 50000, POSIX_FADV_DONTNEED));
	SEE(posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM));
	SEE(posix_fadvise(fd, 0, 0, POSIX_FADV_WILLNEED));
	SEE(posix_fadvise(fd, 0, 0, POSIX_FADV_NOREUSE));
	SEE(posix_fadvise(fd, 0, 0, POSIX_FADV_NORMAL));
	SEE(posix_fadvise(fd, 0, 0, 77));
	SEE(posix_fadvise(fd, 0, -1, POSIX_FADV_NORMAL));
	SEE(posix_fadvise(-1, 0, 0, POSIX_FADV_NORMAL));
	SEE(readahead(fd, 0, 4096));
	SEE(readahead(-1, 0, 4096));
	look("f");
	SEE(fcntl(fd, F_SETFL, O_RDWR | O_NONBLOCK));
	dirty(fd);
	SEE(close(fd));
	SEE(fsync(fd));
	outside("f");
	SEE(close(other));
	/* A sync of a descriptor that has nothing to write still goes to the kernel. */
	SEE(fd = open(".", O_RDONLY));
	SEE(fsync(fd));
	SEE(syncfs(fd));
	SEE(close(fd));
	return 0;
}

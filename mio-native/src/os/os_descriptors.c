/*
 * Finds the process's descriptors of one file, through /proc/thread-self: /proc/self has none any more when the main thread has ended. The
 * directory is read with system calls, as opendir allocates memory, and this runs at opens of the program.
 */
#include "os_descriptors.h"

#include <limits.h>
#include <stddef.h>
#include <sys/sysmacros.h>

#include "os_call.h"
#include "os_statx.h"

#define MIO_AT_EMPTY_PATH 0x1000
#define MIO_AT_STATX_DONT_SYNC 0x4000
#define MIO_STATX_INO 0x100U

/*
 * Numbers are asked about one after the other, which costs the kernel less than listing them. After this many free ones in a row, the list says
 * which number is next. Known numbers cost nothing.
 */
#define FREE_IN_A_ROW 8
/* Buffer for the list: in a larger one the kernel would produce names that are not read. */
#define ENTRIES_BYTES 64
/* Differs from every -errno. */
#define NO_MORE INT_MIN

/* The number that a name is; -1 for other names. */
static int number(const char *name)
{
	int value = 0;

	if (*name < '0' || *name > '9')
		return -1;
	for (; *name >= '0' && *name <= '9'; name++)
		value = value * 10 + (*name - '0');
	return value;
}

/* 1 if fd is on this file, 0 if not, or -EBADF: the number is free. */
static int is_on(int fd, uint64_t device, uint64_t inode)
{
	struct mio_os_statx found;
	struct stat whole;
	int rc = mio_os_statx(fd, "", MIO_AT_EMPTY_PATH | MIO_AT_STATX_DONT_SYNC, MIO_STATX_INO, &found);

	if (rc == 0)
		return found.inode == inode && makedev(found.device_major, found.device_minor) == device;
	if (rc != -EBADF)
		rc = (int)mio_os_call_stat(fd, &whole);
	return rc == 0 ? whole.st_ino == inode && whole.st_dev == device : rc == -EBADF ? rc : 0;
}

static void count(int fd, struct mio_os_descriptors *found)
{
	int flags = (int)mio_raw2(SYS_fcntl, fd, F_GETFL);

	/* O_PATH: it can neither read nor write. */
	if (flags < 0 || (flags & O_PATH))
		return;
	if ((flags & O_ACCMODE) == O_RDONLY)
		found->readers++;
	else
		found->writers++;
}

/* The first number from fd on that is not free, by the kernel's list, where number n is entry n + 2; NO_MORE, or -errno. */
static int next_taken(int dir, int fd)
{
	_Alignas(struct mio_raw_entry) char entries[ENTRIES_BYTES];
	long at = mio_raw3(SYS_lseek, dir, (long)fd + 2, SEEK_SET);
	long bytes = at < 0 ? at : mio_raw3(SYS_getdents64, dir, entries, sizeof(entries));
	int taken;

	if (bytes <= 0)
		return bytes == 0 ? NO_MORE : (int)bytes;
	taken = number(((const struct mio_raw_entry *)(const void *)entries)->name);
	return taken < fd ? -EIO : taken;
}

int mio_os_descriptors_count(uint64_t device, uint64_t inode, int (*known)(const void *of, int fd), const void *of,
			     struct mio_os_descriptors *found)
{
	int free_ones = 0;
	int fd = 0;
	int dir;

	if (!found)
		return -EFAULT;
	found->readers = 0;
	found->writers = 0;
	do {
		dir = (int)mio_os_call_open("/proc/thread-self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	} while (dir == -EINTR);
	if (dir < 0)
		return dir;
	while (fd >= 0) {
		int is = fd == dir || (known && known(of, fd)) ? 0 : is_on(fd, device, inode);

		if (is == 1)
			count(fd, found);
		free_ones = is < 0 ? free_ones + 1 : 0;
		fd = free_ones == FREE_IN_A_ROW ? next_taken(dir, fd + 1) : fd + 1;
		free_ones %= FREE_IN_A_ROW;
	}
	mio_os_call_close(dir);
	return fd == NO_MORE ? 0 : fd;
}

/*
 * The process's descriptors of one file, by /proc/thread-self: /proc/self has none any more when the main thread has ended. Lists are read
 * with the system call: opendir takes memory, and this runs at opens of the program.
 */
#include "os_descriptors.h"

#include <stddef.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "os_call.h"
#include "os_statx.h"

#define MIO_AT_EMPTY_PATH 0x1000
#define MIO_AT_STATX_DONT_SYNC 0x4000
#define MIO_STATX_INO 0x100U

/*
 * From so many descriptors on no list is asked for, which costs the kernel half a microsecond for each; all numbers its table has place for are looked
 * at, of which those that are known cost nothing.
 */
#define MANY 256

/* -1 for the names that are no numbers. */
static int number(const char *name)
{
	int value = 0;

	if (*name < '0' || *name > '9')
		return -1;
	for (; *name >= '0' && *name <= '9'; name++)
		value = value * 10 + (*name - '0');
	return value;
}

/* 0 too if it was closed meanwhile. */
static int is_on(int fd, uint64_t device, uint64_t inode)
{
	struct mio_os_statx found;
	struct stat whole;
	int rc = mio_os_statx(fd, "", MIO_AT_EMPTY_PATH | MIO_AT_STATX_DONT_SYNC, MIO_STATX_INO, &found);

	if (rc == 0)
		return found.inode == inode && makedev(found.device_major, found.device_minor) == device;
	if (rc == -EBADF)
		return 0;
	return mio_os_call_stat(fd, &whole) == 0 && whole.st_ino == inode && whole.st_dev == device;
}

static void count(int fd, struct mio_os_descriptors *found)
{
	int flags = (int)mio_raw2(SYS_fcntl, fd, F_GETFL);

	/* O_PATH: it can do neither. */
	if (flags < 0 || (flags & O_PATH))
		return;
	if ((flags & O_ACCMODE) == O_RDONLY)
		found->readers++;
	else
		found->writers++;
}

static void look(int fd, uint64_t device, uint64_t inode, int (*known)(int fd), struct mio_os_descriptors *found)
{
	if (!(known && known(fd)) && is_on(fd, device, inode))
		count(fd, found);
}

/* The kernel's table of descriptors never becomes smaller: where so many places are free for each descriptor the list is shorter. */
#define PLACES_EACH 16

/* Places of the table, of which some are free; -1 if that is not told. */
static int table_places(void)
{
	static const char key[] = "\nFDSize:";
	char status[1024];
	const char *at = NULL;
	int fd = (int)mio_os_call_open("/proc/thread-self/status", O_RDONLY | O_CLOEXEC);
	long bytes;

	if (fd < 0)
		return -1;
	bytes = mio_os_call_read(fd, status, sizeof(status) - 1);
	mio_os_call_close(fd);
	if (bytes > 0) {
		status[bytes] = 0;
		at = strstr(status, key);
	}
	if (!at)
		return -1;
	at += sizeof(key) - 1;
	return number(at + strspn(at, " \t"));
}

/* How many numbers to look at in place of a list; -1: the list is shorter, or it is not told. */
static int numbers_to_look_at(int dir)
{
	struct stat found;
	int places;

	/* The size of the directory is how many there are, since Linux 6.2; 0 before. */
	if (mio_os_call_stat(dir, &found) < 0 || found.st_size < MANY)
		return -1;
	places = table_places();
	return places / PLACES_EACH <= found.st_size ? places : -1;
}

static int look_at_listed(int dir, uint64_t device, uint64_t inode, int (*known)(int fd), struct mio_os_descriptors *found)
{
	_Alignas(struct mio_raw_entry) char entries[8192];
	long bytes;

	while ((bytes = mio_raw3(SYS_getdents64, dir, entries, sizeof(entries))) > 0) {
		for (long at = 0; at < bytes;) {
			const struct mio_raw_entry *entry = (const struct mio_raw_entry *)(const void *)(entries + at);
			int fd = number(entry->name);

			if (fd >= 0 && fd != dir)
				look(fd, device, inode, known, found);
			at += entry->length;
		}
	}
	return (int)bytes;
}

int mio_os_descriptors_count(uint64_t device, uint64_t inode, int (*known)(int fd), struct mio_os_descriptors *found)
{
	int rc = 0;
	int dir, numbers;

	if (!found)
		return -EFAULT;
	found->readers = 0;
	found->writers = 0;
	do {
		dir = (int)mio_os_call_open("/proc/thread-self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	} while (dir == -EINTR);
	if (dir < 0)
		return dir;
	numbers = numbers_to_look_at(dir);
	if (numbers < 0)
		rc = look_at_listed(dir, device, inode, known, found);
	for (int fd = 0; fd < numbers; fd++)
		if (fd != dir)
			look(fd, device, inode, known, found);
	mio_os_call_close(dir);
	return rc;
}

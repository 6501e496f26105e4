#ifndef MIO_OS_FILE_H
#define MIO_OS_FILE_H

#include <stddef.h>
#include <stdint.h>

/* Kind of file system a file lies on, as far as it matters for how it is read and written. */
enum mio_os_place {
	MIO_OS_PLACE_DISK = 0,		/* everything not named below */
	MIO_OS_PLACE_MEMORY = 1,	/* tmpfs, ramfs: direct I/O is nothing there */
	MIO_OS_PLACE_REMOTE = 2,	/* NFS, CIFS, FUSE, 9P: direct I/O and io_uring are not what they say */
	MIO_OS_PLACE_SHARED = 3		/* Lustre, GPFS, GFS2: of several machines, which agree by locks of theirs; direct I/O is what it says */
};

/* What a descriptor is open on. */
struct mio_os_identity {
	uint64_t device;	/* st_dev */
	uint64_t inode;		/* st_ino */
	int has_blocks;		/* 1 for regular files and block devices, else 0 */
	enum mio_os_place place;
};

/* Access of mio_os_file_reopen, numbered as O_RDONLY, O_WRONLY, O_RDWR are on Linux. */
enum { MIO_OS_READ = 0, MIO_OS_WRITE = 1, MIO_OS_READ_WRITE = 2 };

/* Flag of a read or write: buffered, but leaves nothing in the page cache (RWF_DONTCACHE, Linux 6.14). */
enum { MIO_OS_DONTCACHE = 0x80 };

/* All functions keep errno and return -errno (or bytes, or 0) instead; interrupted calls are made again. */

/* Look at an open descriptor. Returns 0 or -errno. */
int mio_os_file_identity(int fd, struct mio_os_identity *identity);

/* Of the file system, whatever fd is open on, O_PATH too; DISK where the system does not tell. */
enum mio_os_place mio_os_file_place(int fd);

/*
 * Open the same file anew, whatever has happened to its name: a descriptor of its own, without the
 * flags of fd, close-on-exec. Needs /proc. direct: with O_DIRECT. Closing the result drops the
 * process's POSIX locks on the file. Returns the descriptor, or -errno: -EACCES if the file's mode
 * does not allow the access any more, -EINVAL if the file system takes no O_DIRECT, -ESTALE if it is not the same file.
 */
int mio_os_file_reopen(int fd, int access, int direct);

/*
 * The same with flags of open; with O_NONBLOCK -EAGAIN where somebody has a lease on the file. O_NOATIME is left out where the process has no right to it any
 * more.
 */
int mio_os_file_reopen_with(int fd, int flags);

/* Room for the name of a descriptor. */
enum { MIO_OS_FILE_NAME_BYTES = 32 };

/* The name by which a descriptor's file can be opened or looked at, whatever has happened to its own. Needs /proc. */
void mio_os_file_name(int fd, char name[MIO_OS_FILE_NAME_BYTES]);

/* A second descriptor of the same open: same flags, same position. Close-on-exec. Or -errno. */
int mio_os_file_duplicate(int fd);

/* Close; 0 or -errno. The descriptor is gone in any case. */
int mio_os_file_close(int fd);

/*
 * Read from offset until length bytes are there, the file ends, or an error comes. Goes on after a short
 * count only at multiples of align_bytes (at least 1), so that a direct descriptor is asked for
 * nothing it refuses. Returns bytes, 0 at the end; -errno if nothing was read.
 */
int64_t mio_os_file_read(int fd, void *memory, size_t length, int64_t offset, size_t align_bytes, int flags);

/* The same for a write. The file grows as needed; a limit on its size gives -EFBIG. */
int64_t mio_os_file_write(int fd, const void *memory, size_t length, int64_t offset, size_t align_bytes, int flags);

/* Size, bytes; of a block device too. Or -errno. */
int64_t mio_os_file_size(int fd);

/* Time of the file's last change, ns since 1970; -1 if it is not known. */
int64_t mio_os_file_changed(int fd);

/* Make the file so long. 0 or -errno. */
int mio_os_file_truncate(int fd, int64_t size);

/* Hand all bytes to the device; attributes that no read needs too if metadata. 0 or -errno. */
int mio_os_file_sync(int fd, int metadata);

/*
 * Have the file system set space aside for length bytes (above 0) from offset, without changing the size.
 * Returns 0; -EOPNOTSUPP if it cannot; -ENOSPC, -EDQUOT without space; -EFBIG above what the file or
 * this process's limit (RLIMIT_FSIZE) allows; another -errno.
 */
int mio_os_file_reserve(int fd, int64_t offset, int64_t length);

#endif

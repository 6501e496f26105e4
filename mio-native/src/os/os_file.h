#ifndef MIO_OS_FILE_H
#define MIO_OS_FILE_H

#include <stddef.h>
#include <stdint.h>

/* The kind of file system a file is on, as far as it matters for how the file is read and written. */
enum mio_os_place {
	MIO_OS_PLACE_DISK = 0,		/* everything not named below */
	MIO_OS_PLACE_MEMORY = 1,	/* tmpfs, ramfs: direct I/O means nothing there */
	MIO_OS_PLACE_REMOTE = 2,	/* NFS, CIFS, FUSE, 9P: direct I/O and io_uring do not do what they promise */
	MIO_OS_PLACE_SHARED = 3		/* Lustre, GPFS, GFS2: shared by several machines, which agree by their own locks; direct I/O does what it promises */
};

/* What a descriptor is open on. */
struct mio_os_identity {
	uint64_t device;	/* st_dev */
	uint64_t inode;		/* st_ino */
	int has_blocks;		/* 1 for regular files and block devices, else 0 */
	enum mio_os_place place;
};

/* Access of mio_os_file_reopen; the numbers are those of O_RDONLY, O_WRONLY, O_RDWR on Linux. */
enum { MIO_OS_READ = 0, MIO_OS_WRITE = 1, MIO_OS_READ_WRITE = 2 };

/* Flag of a read or write: buffered, but leaves nothing in the kernel's page cache (RWF_DONTCACHE, Linux 6.14). */
enum { MIO_OS_DONTCACHE = 0x80 };

/* All functions below keep errno and return -errno (or bytes, or 0) instead; interrupted calls are made again. */

/* Looks at an open descriptor. Returns 0 or -errno. */
int mio_os_file_identity(int fd, struct mio_os_identity *identity);

/* The kind of file system of fd, whatever it is open on, O_PATH too; MIO_OS_PLACE_DISK where the system does not tell. */
enum mio_os_place mio_os_file_place(int fd);

/*
 * Opens the same file anew, whatever has happened to its name: a new open without the flags of fd, close-on-exec. Needs /proc. direct:
 * with O_DIRECT. Closing the result drops the process's POSIX locks on the file. Returns the descriptor, or -errno: -EACCES if the
 * file's mode does not allow the access any more, -EINVAL if the file system takes no O_DIRECT, -ESTALE if it is not the same file.
 */
int mio_os_file_reopen(int fd, int access, int direct);

/*
 * The same with flags of open(2). With O_NONBLOCK: -EAGAIN where somebody has a lease on the file. O_NOATIME is left out where the
 * process no longer has the right to it.
 */
int mio_os_file_reopen_with(int fd, int flags);

/* Room for the name that mio_os_file_name writes, bytes. */
enum { MIO_OS_FILE_NAME_BYTES = 32 };

/* Writes a name by which the file of a descriptor can be opened or looked at, whatever has happened to its own name. Needs /proc. */
void mio_os_file_name(int fd, char name[MIO_OS_FILE_NAME_BYTES]);

/* A second descriptor of the same open, with the same flags and position, close-on-exec; or -errno. */
int mio_os_file_duplicate(int fd);

/* Closes fd; 0 or -errno. The descriptor is gone in any case. */
int mio_os_file_close(int fd);

/*
 * Reads from offset until length bytes are there, the file ends, or an error comes. Goes on after a short count only at multiples of
 * align_bytes (at least 1), so that a direct descriptor is never asked for something it refuses. Returns bytes, 0 at the end; -errno if
 * nothing was read.
 */
int64_t mio_os_file_read(int fd, void *memory, size_t length, int64_t offset, size_t align_bytes, int flags);

/* The same for a write. The file grows as needed; a limit on its size gives -EFBIG. */
int64_t mio_os_file_write(int fd, const void *memory, size_t length, int64_t offset, size_t align_bytes, int flags);

/* The size in bytes, also of a block device; or -errno. */
int64_t mio_os_file_size(int fd);

/* Time of the file's last change, nanoseconds since 1970; -1 if it is not known. */
int64_t mio_os_file_changed(int fd);

/* Makes the file this long. 0 or -errno. */
int mio_os_file_truncate(int fd, int64_t size);

/* Hands all bytes to the device; with metadata also attributes that no read needs. 0 or -errno. */
int mio_os_file_sync(int fd, int metadata);

/*
 * Has the file system set space aside for length bytes (above 0) from offset, without changing the size. Returns 0; -EOPNOTSUPP if it
 * cannot; -ENOSPC, -EDQUOT without space; -EFBIG above what the file or this process's limit (RLIMIT_FSIZE) allows; another -errno.
 */
int mio_os_file_reserve(int fd, int64_t offset, int64_t length);

#endif

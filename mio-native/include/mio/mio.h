#ifndef MIO_MIO_H
#define MIO_MIO_H

/*
 * MIO for programs that call it by name: MIO_open instead of open, MIO_read instead of read, and so on.
 *
 * Each MIO_x takes what x takes, returns what x returns and sets errno as x does; in 64-bit programs the calls with and without
 * 64 are the same. A descriptor from MIO_open is a real one of the kernel. Where a rule of MIO_FILES matches the file's name,
 * the layers of that rule are between the MIO_ calls and the file. Any other descriptor may be given to every MIO_x, which then
 * is x. docs/CApi.md tells how to build with MIO, mio-config(5) what the variables MIO_FILES, MIO_STATS, MIO_DEFAULTS,
 * MIO_DEBUG and MIO_PRELOAD mean.
 *
 * The settings are read at the first MIO_open of the process. A mistake in them gives one line on standard error, and the
 * program runs as without MIO; with the word abort in MIO_PRELOAD the process ends with status 255 instead. With the word print
 * MIO writes to standard error that it has begun.
 *
 * Rules for a program that uses MIO:
 *   - A descriptor from MIO_open is closed by MIO_close, and calls on it are MIO_ calls. Plain calls and other programs see only
 *     what the kernel has of the file: MIO_flush brings everything there.
 *   - MIO_flush comes before the process executes another program, starts one other than by fork, or ends other than by exit or
 *     a return from main.
 *   - All calls may be made from all threads. In a signal handler they do what x may do there, as long as MIO has begun before.
 *
 * Where libmio_preload.so is in the process too, that library serves the files and MIO_x is x; struct mio_extra then has no
 * effect.
 *
 * Source of the calls: MIO of AIX (libmio.h), whose names they have. Differences are named at each call.
 */

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#if !defined(__linux__) || !defined(__LP64__)
#error "mio.h is for 64-bit Linux"
#endif

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

struct aiocb;
struct aiocb64;
struct iovec;
struct sigevent;
struct stat;
struct stat64;
struct statfs;
struct timespec;

/* Value of mio_extra.cookie. It identifies the structure in this form. */
#define MIO_EXTRA_COOKIE 0x4d494f31

/* What a program may tell MIO about one open. Unused members are 0. */
struct mio_extra {
	int cookie;	/* MIO_EXTRA_COOKIE; a structure with any other value is ignored */
	int taskid;	/* reserved, 0 */
	int64_t bufsiz;	/* above 1: pages are read before the first write into them, as with the option pffw of pf */
	/*
	 * Layers, written as between the brackets of MIO_FILES, for example "trace/stats | pf/cache=100m", or NULL. They are
	 * used if no rule of MIO_FILES matches the name (the documents of the original can be read the other way, too). If they
	 * cannot be read, MIO_open fails with EINVAL, and one line on standard error says why. Each different text stays in
	 * memory once read, some 20 KB of it, as rules do: use a few texts, not one per file.
	 */
	const char *modules;
};

/*
 * open(2). mode: permission bits of a file that is created, used if oflag has O_CREAT or O_TMPFILE. extra: NULL, or more about
 * this open. Errors: those of open(2), and EINVAL for layers in extra that cannot be read.
 */
int MIO_open(const char *path, int oflag, int mode, struct mio_extra *extra);
int MIO_open64(const char *path, int oflag, int mode, struct mio_extra *extra);
/*
 * The same in the form of open(2), so that it can replace it: mode is given only where oflag asks for one. Not in the original.
 */
int MIO_open_variadic(const char *path, int oflag, ...);

/*
 * close(2). Afterwards everything written is with the kernel, or the call fails with the error of the write (EIO, ENOSPC,
 * EDQUOT...); the descriptor is closed in any case. The reports of the file are written when its last descriptor is closed.
 */
int MIO_close(int fd);
/* dup(2), dup2(2): both descriptors share one open, with its position and layers. */
int MIO_dup(int fd);
int MIO_dup2(int fd, int copy);
/* unlink(2). */
int MIO_unlink(const char *path);

/*
 * read(2), write(2) and the other calls that move bytes. Lengths, offsets and results are in bytes. With a cache, bytes that a
 * write has accepted may still be in MIO's memory; if writing them fails later, every descriptor of the file reports the error
 * at its next write, sync or close. Memory that cannot be read or written gives EFAULT, or ends the program by SIGSEGV where a
 * cache copies.
 */
ssize_t MIO_read(int fd, void *memory, size_t bytes);
ssize_t MIO_write(int fd, const void *memory, size_t bytes);
ssize_t MIO_readv(int fd, const struct iovec *vector, int count);
ssize_t MIO_writev(int fd, const struct iovec *vector, int count);
ssize_t MIO_pread(int fd, void *memory, size_t bytes, off_t offset);
ssize_t MIO_pread64(int fd, void *memory, size_t bytes, int64_t offset);
ssize_t MIO_pwrite(int fd, const void *memory, size_t bytes, off_t offset);
ssize_t MIO_pwrite64(int fd, const void *memory, size_t bytes, int64_t offset);

/*
 * lseek(2). Returns the new position in bytes from the start. SEEK_END counts bytes that were written and are not with the
 * kernel yet.
 */
off_t MIO_lseek(int fd, off_t offset, int whence);
int64_t MIO_lseek64(int fd, int64_t offset, int whence);

/*
 * fcntl(2), with all of its commands. Locks are the kernel's: after taking one, MIO looks at the file anew; before giving one
 * back, it writes.
 */
int MIO_fcntl(int fd, int command, ...);

/* What MIO_ffinfo tells, in bytes. */
struct diocapbuf {
	int64_t dio_offset;	/* offsets and lengths of direct I/O are multiples of this */
	int64_t dio_max;	/* the longest transfer */
	int64_t dio_min;	/* the shortest transfer */
	int64_t dio_align;	/* memory addresses are multiples of this */
};

/* Commands of MIO_ffinfo; the original has both spellings. */
#define F_DIOCAP 2
#define FI_DIOCAP F_DIOCAP

/*
 * Tells what direct I/O (O_DIRECT) demands of requests on this file: what the kernel says (statx, Linux 6.1), else the block
 * size of the file system. bytes: size of *buffer. Returns 0, or -1 with errno EBADF: no descriptor; EINVAL: another command, a
 * buffer that is too small, or a file without direct I/O; EFAULT: no buffer. Linux has no such call; ffinfo is one of AIX.
 */
int MIO_ffinfo(int fd, int command, struct diocapbuf *buffer, int bytes);

/* fstat(2), with size and times as of everything that was written. fstatfs(2). */
int MIO_fstat(int fd, struct stat *found);
int MIO_fstat64(int fd, struct stat64 *found);
int MIO_fstatfs(int fd, struct statfs *found);

/* fsync(2), fdatasync(2): everything written is with the device, or the call fails with the error of the write. */
int MIO_fsync(int fd);
int MIO_fdatasync(int fd);
/* ftruncate(2). size: bytes. */
int MIO_ftruncate(int fd, off_t size);
int MIO_ftruncate64(int fd, int64_t size);

/*
 * Asynchronous I/O of POSIX, aio_read(3) and so on. AIX's own form, with a separate descriptor and other list structures, is
 * not possible: the structures of Linux's aio.h are POSIX's, which hold the descriptor. The C library makes the requests on the
 * file itself: the file has no cache from then on, by whatever descriptor.
 */
int MIO_aio_read(struct aiocb *request);
int MIO_aio_read64(struct aiocb64 *request);
int MIO_aio_write(struct aiocb *request);
int MIO_aio_write64(struct aiocb64 *request);
int MIO_aio_suspend(const struct aiocb *const list[], int count, const struct timespec *timeout);
int MIO_aio_suspend64(const struct aiocb64 *const list[], int count, const struct timespec *timeout);
int MIO_aio_cancel(int fd, struct aiocb *request);
int MIO_aio_cancel64(int fd, struct aiocb64 *request);
int MIO_aio_error(const struct aiocb *request);
int MIO_aio_error64(const struct aiocb64 *request);
ssize_t MIO_aio_return(struct aiocb *request);
ssize_t MIO_aio_return64(struct aiocb64 *request);
int MIO_lio_listio(int mode, struct aiocb *const list[], int count, struct sigevent *event);
int MIO_lio_listio64(int mode, struct aiocb64 *const list[], int count, struct sigevent *event);

/*
 * On return everything written through MIO is with the kernel, as are the positions of all descriptors, and no request is in
 * flight. To be called before exec, posix_spawn, system, popen, vfork, _exit, quick_exit and abort; and before calls without
 * MIO_ that look at a file (stat, rename, mmap, sendfile...). errno is kept; if a write fails, MIO_close, MIO_fsync or the next
 * MIO_write of its file reports it. Not in the original.
 */
void MIO_flush(void);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif

/*
 * With USE_MIO_DEFINES the calls of a source file become MIO's. Include this header last, as other headers must not be renamed.
 * Uses as function pointers are renamed too, and so are members of that name.
 */
#if defined(USE_MIO_DEFINES) && !defined(MIO_DEFINES)
#define MIO_DEFINES

#include <aio.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/uio.h>
#include <unistd.h>

/* Some are macros of the C library. */
#undef open
#undef open64
#undef close
#undef dup
#undef dup2
#undef unlink
#undef read
#undef write
#undef readv
#undef writev
#undef pread
#undef pread64
#undef pwrite
#undef pwrite64
#undef lseek
#undef lseek64
#undef fcntl
#undef fcntl64
#undef ffinfo
#undef fstat
#undef fstat64
#undef fstatfs
#undef fsync
#undef fdatasync
#undef ftruncate
#undef ftruncate64
#undef aio_read
#undef aio_read64
#undef aio_write
#undef aio_write64
#undef aio_suspend
#undef aio_suspend64
#undef aio_cancel
#undef aio_cancel64
#undef aio_error
#undef aio_error64
#undef aio_return
#undef aio_return64
#undef lio_listio
#undef lio_listio64

#define open MIO_open_variadic
#define open64 MIO_open_variadic
#define close MIO_close
#define dup MIO_dup
#define dup2 MIO_dup2
#define unlink MIO_unlink
#define read MIO_read
#define write MIO_write
#define readv MIO_readv
#define writev MIO_writev
#define pread MIO_pread
#define pread64 MIO_pread64
#define pwrite MIO_pwrite
#define pwrite64 MIO_pwrite64
#define lseek MIO_lseek
#define lseek64 MIO_lseek64
#define fcntl MIO_fcntl
#define fcntl64 MIO_fcntl
#define ffinfo MIO_ffinfo
#define fstat MIO_fstat
#define fstat64 MIO_fstat64
#define fstatfs MIO_fstatfs
#define fsync MIO_fsync
#define fdatasync MIO_fdatasync
#define ftruncate MIO_ftruncate
#define ftruncate64 MIO_ftruncate64
#define aio_read MIO_aio_read
#define aio_read64 MIO_aio_read64
#define aio_write MIO_aio_write
#define aio_write64 MIO_aio_write64
#define aio_suspend MIO_aio_suspend
#define aio_suspend64 MIO_aio_suspend64
#define aio_cancel MIO_aio_cancel
#define aio_cancel64 MIO_aio_cancel64
#define aio_error MIO_aio_error
#define aio_error64 MIO_aio_error64
#define aio_return MIO_aio_return
#define aio_return64 MIO_aio_return64
#define lio_listio MIO_lio_listio
#define lio_listio64 MIO_lio_listio64

#endif

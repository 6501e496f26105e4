#ifndef MIO_PRELOAD_WRAPPERS_H
#define MIO_PRELOAD_WRAPPERS_H

/* Wrappers that other files of the library call by name. */

#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>

int mio_pre_open(const char *name, int oflags, ...);
int mio_pre_openat(int directory, const char *name, int oflags, ...);
ssize_t mio_pre_read(int fd, void *memory, size_t length);
ssize_t mio_pre_write(int fd, const void *memory, size_t length);
ssize_t mio_pre_pread(int fd, void *memory, size_t length, off_t offset);
ssize_t mio_pre_pwrite(int fd, const void *memory, size_t length, off_t offset);
ssize_t mio_pre_readv(int fd, const struct iovec *vector, int count);
ssize_t mio_pre_writev(int fd, const struct iovec *vector, int count);
ssize_t mio_pre_preadv(int fd, const struct iovec *vector, int count, off_t offset);
ssize_t mio_pre_pwritev(int fd, const struct iovec *vector, int count, off_t offset);
ssize_t mio_pre_preadv2(int fd, const struct iovec *vector, int count, off_t offset, int flags);
ssize_t mio_pre_pwritev2(int fd, const struct iovec *vector, int count, off_t offset, int flags);
off_t mio_pre_lseek(int fd, off_t offset, int whence);
int mio_pre_close(int fd);
int mio_pre_close_range(unsigned int first, unsigned int last, int flags);
int mio_pre_dup(int fd);
int mio_pre_dup2(int fd, int copy);
int mio_pre_dup3(int fd, int copy, int flags);
int mio_pre_fcntl(int fd, int command, ...);
int mio_pre_flock(int fd, int operation);
int mio_pre_fstat(int fd, struct stat *found);
int mio_pre_truncate(const char *name, off_t size);
int mio_pre_ftruncate(int fd, off_t size);
int mio_pre_fallocate(int fd, int mode, off_t offset, off_t length);
int mio_pre_fsync(int fd);
int mio_pre_fdatasync(int fd);
void mio_pre_sync(void);
int mio_pre_syncfs(int fd);
int mio_pre_sync_file_range(int fd, off_t offset, off_t length, unsigned int flags);
void *mio_pre_mmap(void *address, size_t length, int protection, int flags, int fd, off_t offset);
ssize_t mio_pre_copy_file_range(int from, off_t *from_offset, int to, off_t *to_offset, size_t length, unsigned int flags);
ssize_t mio_pre_sendfile(int to, int from, off_t *offset, size_t length);
ssize_t mio_pre_splice(int from, off_t *from_offset, int to, off_t *to_offset, size_t length, unsigned int flags);
int mio_pre_ioctl(int fd, unsigned long request, ...);
int mio_pre_creat(const char *name, mode_t mode);
int mio_pre_execve(const char *name, char *const *arguments, char *const *environment);
int mio_pre_execveat(int directory, const char *name, char *const *arguments, char *const *environment, int flags);
void mio_pre__exit(int status) __attribute__((noreturn));
struct msghdr;
struct mmsghdr;
struct sigaction;
ssize_t mio_pre_sendmsg(int fd, const struct msghdr *message, int flags);
int mio_pre_sendmmsg(int fd, struct mmsghdr *messages, unsigned int count, int flags);
int mio_pre_sigaction(int number, const struct sigaction *action, struct sigaction *old);
struct rlimit;
int mio_pre_prlimit(pid_t process, int which, const struct rlimit *limit, struct rlimit *old);

#endif

#ifndef MIO_PRELOAD_NAMES_H
#define MIO_PRELOAD_NAMES_H

/* Functions of the C library that wrappers call. */
#define MIO_REAL_NAMES(X) \
	X(_Fork) X(__fxstat) X(__fxstatat) X(__lxstat) X(__open_2) X(__openat_2) X(__pread_chk) \
	X(__read_chk) X(__vdprintf_chk) X(__xstat) X(abort) X(accept) X(accept4) X(aio_fsync) X(aio_read) \
	X(aio_write) X(backtrace_symbols_fd) X(chmod) X(chown) X(chroot) X(clone) X(close) X(close_range) X(copy_file_range) X(dup) X(dup2) \
	X(dup3) X(epoll_create1) X(execve) X(execvpe) X(fallocate) X(fchmod) X(fchmodat) X(fchown) \
	X(fchownat) X(fclose) X(fcntl) X(fdatasync) X(fdopen) X(fdopendir) X(fexecve) X(flock) X(fopen) X(freopen) \
	X(fork) X(fsetxattr) X(fstat) X(fstatat) X(fsync) X(ftruncate) X(fts_open) X(ftw) X(futimens) X(futimes) X(futimesat) \
	X(io_setup) X(ioctl) X(lchown) X(link) X(linkat) X(lio_listio) X(lockf) X(lseek) X(lsetxattr) \
	X(lstat) X(lutimes) X(memfd_create) X(mkostemp) X(mkostemps) X(mkstemp) X(mkstemps) X(mmap) X(nftw) \
	X(open) X(open_by_handle_at) X(openat) X(pidfd_spawn) X(pidfd_spawnp) \
	X(pipe) X(pipe2) X(popen) X(prctl) X(posix_fadvise) X(posix_fallocate) X(posix_spawn) \
	X(posix_spawnp) X(pread) X(preadv) X(preadv2) X(pthread_exit) X(pwrite) X(pwritev) X(pwritev2) X(quick_exit) \
	X(read) X(readv) X(rename) X(renameat) X(renameat2) X(sendfile) X(sendmmsg) X(sendmsg) X(setegid) \
	X(seteuid) X(setgid) X(setgroups) X(setns) X(setregid) X(setresgid) X(setresuid) X(setreuid) \
	X(setuid) X(setxattr) X(sigaction) X(siginterrupt) X(signal) X(sigset) X(socket) X(splice) X(stat) X(statx) X(sync) \
	X(sync_file_range) X(syncfs) X(syscall) X(system) X(sysv_signal) X(truncate) X(unshare) X(utime) \
	X(utimensat) X(utimes) X(vdprintf) X(wordexp) X(write) X(writev)

#endif

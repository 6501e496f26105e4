/*
 * Calls by number where the C library's function of the same name refuses what the kernel accepts, or replaces what the kernel
 * refuses by another call; and calls with senseless arguments. Result and error are the kernel's, and nothing that was written is
 * late or lost.
 */
#include "see.h"

#include <linux/fs.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>

#include "see_filter.h"

static char bytes[30000];

static int dirty(const char *name)
{
	int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);

	MUST(fd >= 0);
	fill(bytes, sizeof(bytes), 1, 0);
	MUST(write(fd, bytes, sizeof(bytes)) == (ssize_t)sizeof(bytes));
	return fd;
}

static void see_times(const char *name)
{
	struct stat st;

	MUST(stat(name, &st) == 0);
	say("%s: changed %lld.%09ld", name, st.st_mtim.tv_sec < 1262304000 ? (long long)st.st_mtim.tv_sec : -1,
	    st.st_mtim.tv_sec < 1262304000 ? st.st_mtim.tv_nsec : -1);
}

/* Without a name, these calls are on the descriptor's file. */
static void without_name(void)
{
	const struct timespec times[2] = {{900000000, 1}, {900000001, 2}};
	const struct timeval rough[2] = {{900000000, 1}, {900000002, 2}};
	const char *volatile none = NULL;
	struct statx more = {0};
	struct stat st = {0};
	int fd = dirty("nameless");

	SEE(syscall(SYS_utimensat, fd, NULL, times, 0));
	see_times("nameless");
	SEE(close(fd));
	see_times("nameless");
	fd = dirty("nameless");
	SEE(syscall(SYS_utimensat, fd, "", times, AT_EMPTY_PATH));
	SEE(close(fd));
	see_times("nameless");
	fd = dirty("nameless");
	SEE(futimesat(fd, NULL, rough));
	SEE(utimensat(fd, none, times, 0));
	SEE(close(fd));
	see_times("nameless");
	fd = dirty("nameless");
	SEE(syscall(SYS_utimensat, fd, NULL, times, AT_SYMLINK_NOFOLLOW));
	SEE(syscall(SYS_utimensat, AT_FDCWD, NULL, times, 0));
	SEE(syscall(SYS_utimensat, -5, NULL, times, 0));
	SEE(syscall(SYS_utimensat, 999, NULL, NULL, 0));
	SEE(syscall(SYS_utimensat, fd, (void *)8, NULL, 0));
	SEE(syscall(SYS_newfstatat, fd, NULL, &st, AT_EMPTY_PATH));
	say("%lld", (long long)st.st_size);
	SEE(syscall(SYS_newfstatat, fd, NULL, &st, 0));
	SEE(syscall(SYS_newfstatat, AT_FDCWD, "nameless", &st, 0));
	say("%lld", (long long)st.st_size);
	MUST(pwrite(fd, "more", 4, 40000) == 4);
	SEE(syscall(SYS_statx, fd, NULL, AT_EMPTY_PATH, STATX_SIZE, &more));
	SEE(syscall(SYS_statx, fd, "", AT_EMPTY_PATH, STATX_SIZE, &more));
	say("%lld", (long long)more.stx_size);
	SEE(syscall(SYS_statx, fd, "", AT_EMPTY_PATH, STATX_SIZE, NULL));
	SEE(syscall(SYS_fstat, -100, &st));
	SEE(close(fd));
	outside("nameless");
}

/* With a name: what was written is there, and stays as it is. */
static void with_name(void)
{
	int fd = dirty("named");

	SEE(syscall(SYS_renameat2, AT_FDCWD, "named", AT_FDCWD, "renamed", 0));
	outside("renamed");
	MUST(pwrite(fd, "more", 4, 40000) == 4);
	SEE(syscall(SYS_linkat, fd, "", AT_FDCWD, "linked", AT_EMPTY_PATH));
	unlink("linked");
	SEE(syscall(SYS_linkat, AT_FDCWD, "renamed", AT_FDCWD, "linked", 0));
	outside("linked");
	SEE(syscall(SYS_renameat2, AT_FDCWD, "renamed", AT_FDCWD, "linked", RENAME_NOREPLACE));
	SEE(syscall(SYS_renameat2, AT_FDCWD, "renamed", AT_FDCWD, "linked", 99));
	SEE(syscall(SYS_renameat2, AT_FDCWD, NULL, AT_FDCWD, "linked", 0));
	SEE(close(fd));
}

static void positions(void)
{
	struct iovec vector = {bytes, 7};
	int fd = dirty("positions");

	MUST(lseek(fd, 100, SEEK_SET) == 100);
	SEE(syscall(SYS_preadv2, fd, &vector, 1, -1L, -1L, 0));
	SEE(syscall(SYS_preadv2, fd, &vector, 1, -2L, -1L, 0));
	SEE(syscall(SYS_pwritev2, fd, &vector, 1, -1L, 0, 0));
	SEE(syscall(SYS_pwritev2, fd, &vector, 1, -2L, 0, 0));
	SEE(syscall(SYS_preadv2, fd, &vector, 1, 5L, 77L, 0));
	SEE(syscall(SYS_preadv2, fd, &vector, 1, 5L, 0, 1 << 30));
	SEE(syscall(SYS_preadv, fd, &vector, 1, -5L, 0));
	SEE(syscall(SYS_pread64, fd, bytes, 7, -1L));
	SEE(syscall(SYS_pwrite64, fd, bytes, 7, -1L));
	SEE(syscall(SYS_lseek, fd, 0, 99));
	SEE(syscall(SYS_lseek, fd, -1L, SEEK_SET));
	SEE(syscall(SYS_lseek, fd, 0, SEEK_CUR));
	SEE(syscall(SYS_ftruncate, fd, -1L));
	SEE(syscall(SYS_fallocate, fd, 1 << 20, 0, 10));
	SEE(syscall(SYS_fallocate, fd, 0, -1L, 10));
	SEE(syscall(SYS_sync_file_range, fd, -1L, 10L, 0));
	SEE(syscall(SYS_sync_file_range, fd, 0, 10L, 99));
	SEE(syscall(SYS_copy_file_range, fd, NULL, fd, NULL, 10, 99));
	SEE(syscall(SYS_sendfile, fd, 999, NULL, 10));
	SEE(syscall(SYS_close_range, fd, fd - 1, 0));
	SEE(syscall(SYS_dup3, fd, fd, 0));
	SEE(syscall(SYS_dup3, 999, 999, 0));
#ifdef SYS_dup2
	SEE(syscall(SYS_dup2, fd, fd) == fd);
	SEE(syscall(SYS_dup2, 999, 999));
#endif
	SEE(syscall(SYS_fcntl, fd, 9999, 0));
	SEE(syscall(SYS_flock, fd, 99));
	SEE(syscall(SYS_ioctl, fd, FIGETBSZ, NULL));
	SEE(syscall(SYS_ioctl, fd, (long)(int)FS_IOC_GETFLAGS, NULL));
	SEE(syscall(SYS_close, fd));
	SEE(syscall(SYS_close, fd));
	outside("positions");
}

/* A process group owns the descriptor: its negative number looks like an error. In a PID namespace of its own the group is 1. */
static void owner(void)
{
	pid_t child = fork();

	if (child == 0) {
		if (unshare(geteuid() == 0 ? CLONE_NEWPID : CLONE_NEWUSER | CLONE_NEWPID) < 0) {
			say("no numbers of its own: %s", strerror(errno));
			_exit(0);
		}
		child = fork();
		if (child == 0) {
			int fd = dirty("owned");

			MUST(getpid() == 1 && setpgid(0, 0) == 0);
			SEE(fcntl(fd, F_SETOWN, -1));
			SEE(fcntl(fd, F_GETOWN));
			SEE(syscall(SYS_fcntl, fd, F_GETOWN, 0));
			MUST(fcntl(fd, F_SETOWN, 1) == 0);
			SEE(syscall(SYS_fcntl, fd, F_GETOWN, 0));
			_exit(0);
		}
		await("first of its space", child);
		_exit(0);
	}
	await("owner", child);
}

static void limit(void)
{
#ifdef SYS_setrlimit
	struct rlimit few;
	struct rlimit all;
	ssize_t first;
	ssize_t second;
	int fd;

	MUST(getrlimit(RLIMIT_FSIZE, &all) == 0);
	few = all;
	few.rlim_cur = 2000;
	SEE(syscall(SYS_setrlimit, RLIMIT_FSIZE, NULL));
	SEE(syscall(SYS_setrlimit, 999, &few));
	SEE(syscall(SYS_prlimit64, 0, RLIMIT_FSIZE, NULL, NULL));
	signal(SIGXFSZ, SIG_IGN);
	fd = open("limited", O_RDWR | O_CREAT, 0600);
	/* The program's output goes to a file, too, so nothing is said under the limit. */
	MUST(syscall(SYS_setrlimit, RLIMIT_FSIZE, &few) == 0);
	first = write(fd, bytes, 3000);
	second = write(fd, bytes, 3000);
	MUST(syscall(SYS_setrlimit, RLIMIT_FSIZE, &all) == 0);
	say("%zd, then %zd", first, second);
	SEE(write(fd, bytes, 3000));
	SEE(close(fd));
	outside("limited");
#endif
}

/* Calls that the kernel does not know. The C library would make others in their place, but calls by number must not. */
static int filtered(const char *what)
{
	struct iovec vector = {bytes, 7};
	struct statx more;
	int fd = open("/dev/zero", O_RDWR);

	MUST(fd >= 0);
	if (strcmp(what, "statx") == 0)
		SEE(syscall(SYS_statx, fd, "", AT_EMPTY_PATH, STATX_SIZE, &more));
	if (strcmp(what, "renameat2") == 0) {
		SEE(syscall(SYS_renameat2, AT_FDCWD, "linked", AT_FDCWD, "moved", RENAME_NOREPLACE));
		SEE(syscall(SYS_renameat2, AT_FDCWD, "linked", AT_FDCWD, "moved", 0));
	}
	if (strcmp(what, "preadv2") == 0) {
		SEE(syscall(SYS_preadv2, fd, &vector, 1, -1L, 0, 0));
		SEE(syscall(SYS_preadv2, fd, &vector, 1, 0L, 0, RWF_HIPRI));
	}
	return 0;
}

int main(int argc, char **argv)
{
	begin(argc, argv);
	if (argc > 2)
		return filtered(argv[2]);
	outside_begin();
	without_name();
	with_name();
	positions();
	owner();
	limit();
	with_filter("statx", SYS_statx, ENOSYS);
	with_filter("renameat2", SYS_renameat2, ENOSYS);
	with_filter("preadv2", SYS_preadv2, ENOSYS);
	return 0;
}

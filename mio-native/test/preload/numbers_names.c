/* Attributes set by system-call number: what was written before is in the file first, and does not change them afterwards. */
#include "see.h"

#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/xattr.h>
#include <utime.h>

#ifndef SYS_fchmodat2
#define SYS_fchmodat2 452
#endif

static char bytes[30000];
static int fd;

/* The file has one name only: two names, one of them a link's, would be two files. */
static void dirty(void)
{
	unlink("f");
	fd = open("f", O_RDWR | O_CREAT | O_EXCL, 0600);
	MUST(fd >= 0);
	fill(bytes, sizeof(bytes), 1, 0);
	MUST(write(fd, bytes, sizeof(bytes)) == (ssize_t)sizeof(bytes));
}

static void see_it(void)
{
	struct stat st;

	outside("f");
	MUST(close(fd) == 0);
	MUST(stat("f", &st) == 0);
	say("mode %o, owner %d %d, changed %lld.%09ld", (unsigned int)st.st_mode, (int)st.st_uid, (int)st.st_gid,
	    st.st_mtim.tv_sec < 1262304000 ? (long long)st.st_mtim.tv_sec : -1,
	    st.st_mtim.tv_sec < 1262304000 ? st.st_mtim.tv_nsec : -1);
}

#define AFTER(call) \
	do { \
		dirty(); \
		SEE(call); \
		see_it(); \
	} while (0)

static void modes(void)
{
#ifdef SYS_chmod
	AFTER(syscall(SYS_chmod, "f", 0640));
	SEE(syscall(SYS_chmod, NULL, 0640));
#endif
	AFTER(syscall(SYS_fchmod, fd, 0644));
	AFTER(syscall(SYS_fchmodat, AT_FDCWD, "f", 0604, AT_SYMLINK_NOFOLLOW));
	/* Newer kernels have this call. */
	AFTER(syscall(SYS_fchmodat2, AT_FDCWD, "f", 0606, AT_SYMLINK_NOFOLLOW));
	AFTER(syscall(SYS_fchmodat2, fd, "", 0660, AT_EMPTY_PATH));
}

/* Changes that every user may make: without root, to the owner that the file has. */
static void owners(void)
{
	int user = geteuid() == 0 ? 3 : (int)geteuid();
	int group = geteuid() == 0 ? 4 : (int)getegid();

#ifdef SYS_chown
	AFTER(syscall(SYS_chown, "f", user, group));
	AFTER(syscall(SYS_lchown, "f", user, -1));
#endif
	AFTER(syscall(SYS_fchown, fd, -1, group));
	AFTER(syscall(SYS_fchownat, AT_FDCWD, "f", user, group, 0));
	AFTER(syscall(SYS_fchownat, fd, "", user, -1, AT_EMPTY_PATH));
	AFTER(syscall(SYS_fchownat, fd, NULL, user, -1, 0));
}

static void times(void)
{
	const struct timespec exact[2] = {{900000000, 1}, {900000001, 2}};

	AFTER(syscall(SYS_utimensat, AT_FDCWD, "f", exact, 0));
	AFTER(syscall(SYS_utimensat, fd, NULL, exact, 0));
#ifdef SYS_utime
	const struct timeval rough[2] = {{900000000, 1}, {900000002, 2}};
	const struct timeval wrong[2] = {{900000000, 1}, {900000002, 2000000}};
	const struct utimbuf seconds = {900000000, 900000003};

	AFTER(syscall(SYS_utime, "f", &seconds));
	AFTER(syscall(SYS_utimes, "f", rough));
	AFTER(syscall(SYS_utimes, "f", wrong));
	AFTER(syscall(SYS_futimesat, AT_FDCWD, "f", rough));
	AFTER(syscall(SYS_futimesat, fd, NULL, rough));
#endif
}

/* Only works where the file system has extended attributes. */
static void extended(void)
{
	AFTER(syscall(SYS_setxattr, "f", "user.mio", "value", 5, 0));
	AFTER(syscall(SYS_lsetxattr, "f", "user.mio", "value", 5, 0));
	AFTER(syscall(SYS_fsetxattr, fd, "user.mio", "value", 5, XATTR_REPLACE));
}

static void advice(void)
{
	AFTER(syscall(SYS_fadvise64, fd, 0, 0, POSIX_FADV_DONTNEED));
	AFTER(syscall(SYS_fadvise64, fd, 0, -1L, POSIX_FADV_DONTNEED));
	dirty();
	SEE(syscall(SYS_fadvise64, fd, 0, 0, 99));
	SEE(syscall(SYS_fadvise64, 999, 0, 0, POSIX_FADV_DONTNEED));
	MUST(close(fd) == 0);
}

int main(int argc, char **argv)
{
	begin(argc, argv);
	outside_begin();
	modes();
	owners();
	times();
	extended();
	advice();
	return 0;
}

/* Attributes of a file while some of its bytes are only in pages: the size, the order of the times, and finally the blocks. */
#include "see.h"

#include <dlfcn.h>
#include <sys/sysmacros.h>
#include <time.h>

static void see_size(const char *what, int rc, const struct stat *st)
{
	if (rc < 0)
		say("%s: %s", what, strerror(errno));
	else
		say("%s: %lld bytes, mode %o, links %d, has blocks %d", what, (long long)st->st_size,
		    (unsigned int)st->st_mode, (int)st->st_nlink, st->st_blocks > 0);
}

static void all_stats(int fd)
{
	struct statx stx;
	struct stat64 st64;
	struct stat st;

	see_size("stat", stat("f", &st), &st);
	see_size("lstat", lstat("f", &st), &st);
	see_size("lstat of a link", lstat("l", &st), &st);
	see_size("stat of a link", stat("l", &st), &st);
	see_size("fstat", fstat(fd, &st), &st);
	see_size("fstatat", fstatat(AT_FDCWD, "f", &st, AT_SYMLINK_NOFOLLOW), &st);
	see_size("fstatat of a descriptor", fstatat(fd, "", &st, AT_EMPTY_PATH), &st);
	see_size("stat of none", stat("none", &st), &st);
	see_size("fstat of none", fstat(-1, &st), &st);
	MUST(stat64("f", &st64) == 0 && st64.st_size == lseek(fd, 0, SEEK_END));
	MUST(fstat64(fd, &st64) == 0 && st64.st_size == lseek(fd, 0, SEEK_END));
	MUST(statx(AT_FDCWD, "f", 0, STATX_BASIC_STATS, &stx) == 0);
	say("statx: %llu bytes, mode %o", (unsigned long long)stx.stx_size, stx.stx_mode);
	MUST(statx(fd, "", AT_EMPTY_PATH, STATX_SIZE, &stx) == 0);
	say("statx of a descriptor: %llu bytes", (unsigned long long)stx.stx_size);
	MUST(statx(fd, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_SIZE, &stx) == 0);
	say("statx at ease: %llu bytes", (unsigned long long)stx.stx_size);
}

/* The functions that programs call that were built for an old C library. */
static void old_names(int fd)
{
	typedef int name_function(int, const char *, struct stat *);
	typedef int descriptor_function(int, int, struct stat *);
	typedef int at_function(int, int, const char *, struct stat *, int);
	struct stat st;
	name_function *xstat = (name_function *)(uintptr_t)dlsym(RTLD_DEFAULT, "__xstat");
	name_function *lxstat = (name_function *)(uintptr_t)dlsym(RTLD_DEFAULT, "__lxstat");
	descriptor_function *fxstat = (descriptor_function *)(uintptr_t)dlsym(RTLD_DEFAULT, "__fxstat64");
	at_function *fxstatat = (at_function *)(uintptr_t)dlsym(RTLD_DEFAULT, "__fxstatat");
#ifdef __x86_64__
	int version = 1;
#else
	int version = 0;
#endif

	if (!xstat || !lxstat || !fxstat || !fxstatat)
		return;
	see_size("__xstat", xstat(version, "f", &st), &st);
	see_size("__lxstat", lxstat(version, "f", &st), &st);
	see_size("__fxstat64", fxstat(version, fd, &st), &st);
	see_size("__fxstatat", fxstatat(version, AT_FDCWD, "f", &st, 0), &st);
}

/* A stat does not stop what follows; times never go back, and change with what is written. */
static void times(int fd)
{
	struct timespec soon = {0, 20000000};
	struct stat before;
	struct stat after;
	struct stat later;

	MUST(fstat(fd, &before) == 0);
	nanosleep(&soon, NULL);
	MUST(pwrite(fd, "x", 1, 7) == 1);
	MUST(stat("f", &after) == 0);
	say("a write changes the time: %d", after.st_mtim.tv_sec > before.st_mtim.tv_sec ||
	    (after.st_mtim.tv_sec == before.st_mtim.tv_sec && after.st_mtim.tv_nsec > before.st_mtim.tv_nsec));
	nanosleep(&soon, NULL);
	MUST(fsync(fd) == 0);
	MUST(fstat(fd, &later) == 0);
	say("fsync changes the time: %d", later.st_mtim.tv_sec != after.st_mtim.tv_sec || later.st_mtim.tv_nsec != after.st_mtim.tv_nsec);
}

/* Old times that the program has set stay, whatever was written before. */
static void times_kept(const char *name, int how)
{
	struct timespec old[2] = {{1000000000, 5000}, {1000000001, 6000}};
	struct stat st;
	int fd = open(name, O_RDWR | O_CREAT, 0600);

	MUST(fd >= 0);
	MUST(write(fd, "written before", 14) == 14);
	if (how == 0)
		MUST(futimens(fd, old) == 0);
	else
		MUST(utimensat(AT_FDCWD, name, old, 0) == 0);
	MUST(fstat(fd, &st) == 0);
	say("%s: %lld.%09ld", name, (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
	if (how != 1)
		MUST(fsync(fd) == 0);
	MUST(close(fd) == 0);
	MUST(stat(name, &st) == 0);
	say("%s: %lld.%09ld", name, (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
}

/* Reads by an open with O_NOATIME do not change the time of access, as backups want it. */
static void access_kept(void)
{
	struct timespec old[2] = {{1000000000, 5000}, {1000000001, 6000}};
	char bytes[20000];
	struct stat st;
	int fd = open("read", O_RDWR | O_CREAT, 0600);

	fill(bytes, sizeof(bytes), 2, 0);
	MUST(write(fd, bytes, sizeof(bytes)) == sizeof(bytes) && futimens(fd, old) == 0 && close(fd) == 0);
	fd = open("read", O_RDONLY | O_NOATIME);
	SEE(read(fd, bytes, 10000));
	SEE(pread(fd, bytes, 10000, 7000));
	MUST(close(fd) == 0 && stat("read", &st) == 0);
	say("time of access: %lld.%09ld", (long long)st.st_atim.tv_sec, st.st_atim.tv_nsec);
	fd = open("read", O_RDWR | O_NOATIME);
	SEE(pread(fd, bytes, 10000, 7000));
	MUST(close(fd) == 0 && stat("read", &st) == 0);
	say("time of access, writable: %lld.%09ld", (long long)st.st_atim.tv_sec, st.st_atim.tv_nsec);
}

int main(int argc, char **argv)
{
	char bytes[10000];
	int fd;
	int other;

	begin(argc, argv);
	outside_begin();
	fill(bytes, sizeof(bytes), 1, 0);
	fd = open("f", O_RDWR | O_CREAT, 0644);
	MUST(fd >= 0 && symlink("f", "l") == 0);
	all_stats(fd);
	for (int i = 0; i < 3; i++) {
		SEE(write(fd, bytes, sizeof(bytes)));
		all_stats(fd);
	}
	old_names(fd);
	/* Each kind of stat finds the bytes by itself. */
	for (int i = 0; i < 12; i++) {
		struct statx stx;
		struct stat st;

		MUST(pwrite(fd, "y", 1, 40000 + i) == 1);
		if (i % 6 == 0)
			MUST(stat("f", &st) == 0);
		else if (i % 6 == 1)
			MUST(fstat(fd, &st) == 0);
		else if (i % 6 == 2)
			MUST(lstat("f", &st) == 0);
		else if (i % 6 == 3)
			MUST(fstatat(AT_FDCWD, "l", &st, 0) == 0);
		else if (i % 6 == 4)
			MUST(fstatat(fd, "", &st, AT_EMPTY_PATH) == 0);
		else
			MUST(statx(AT_FDCWD, "f", 0, STATX_SIZE, &stx) == 0);
		say("%d: %lld", i, i % 6 == 5 ? (long long)stx.stx_size : (long long)st.st_size);
	}
	other = open("f", O_RDONLY);
	SEE(lseek(other, 0, SEEK_END));
	SEE(lseek(fd, 100, SEEK_END));
	SEE(write(fd, bytes, 100));
	all_stats(other);
	times(fd);
	SEE(close(other));
	SEE(close(fd));
	outside("f");
	times_kept("kept", 0);
	times_kept("named", 1);
	times_kept("named and synced", 2);
	access_kept();
	return 0;
}

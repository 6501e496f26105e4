/* Opens of all kinds: numbers, errors, modes, flags. */
#include "see.h"

#include <sys/syscall.h>

#ifdef __has_include
#if __has_include(<linux/openat2.h>)
#include <linux/openat2.h>
#define HAS_OPENAT2 1
#endif
#endif

static void see_flags(const char *what, int fd)
{
	struct stat st;

	MUST(fstat(fd, &st) == 0);
	say("%s: flags %o, close on exec %d, mode %o, size %lld, at %lld", what, (unsigned int)fcntl(fd, F_GETFL) & ~(unsigned int)O_LARGEFILE,
	    fcntl(fd, F_GETFD), (unsigned int)st.st_mode, (long long)st.st_size, (long long)lseek(fd, 0, SEEK_CUR));
}

static void kinds(void)
{
	int directory = open(".", O_RDONLY | O_DIRECTORY);
	int fd;

	MUST(directory == 3);
	SEE(open("none", O_RDONLY));
	SEE(open("none", O_WRONLY | O_TRUNC));
	SEE(open("", O_RDONLY));
	SEE(open("none/none", O_RDWR | O_CREAT, 0600));
	SEE(fd = open("a", O_RDWR | O_CREAT, 0640));
	see_flags("open", fd);
	SEE(open("a", O_RDWR | O_CREAT | O_EXCL, 0640));
	SEE(open("a/b", O_RDONLY));
	SEE(open("a", O_RDONLY | O_DIRECTORY));
	SEE(open(".", O_RDWR));
	MUST(symlink("a", "l") == 0);
	SEE(open("l", O_RDONLY | O_NOFOLLOW));
	SEE(write(fd, "hello", 5));
	SEE(fd = openat(directory, "l", O_RDONLY | O_CLOEXEC));
	see_flags("openat", fd);
	SEE(fd = creat("c", 0777));
	see_flags("creat", fd);
	SEE(read(fd, &fd, 0));
	SEE(fd = open64("a", O_WRONLY | O_APPEND));
	see_flags("append", fd);
	SEE(write(fd, " world", 6));
	see_flags("appended", fd);
	SEE(fd = openat64(AT_FDCWD, "a", O_RDONLY | O_NOATIME));
	see_flags("no access time", fd);
	SEE(fd = open("a", O_RDWR | O_SYNC));
	see_flags("sync", fd);
	SEE(pwrite(fd, "H", 1, 0));
	SEE(fd = open("a", O_RDWR | O_DSYNC | O_NONBLOCK));
	see_flags("data sync", fd);
	SEE(pwrite(fd, "W", 1, 6));
	SEE(fd = open("a", O_PATH));
	SEE(read(fd, &fd, 1));
	SEE(fd = open("a", 3));
	SEE(openat(-5, "a", O_RDONLY));
	SEE(openat(0, "a", O_RDONLY));
	for (int i = 3; i < 20; i++)
		close(i);
	look("a");
	look("c");
}

/* Access mode 3 allows neither reads nor writes, but such an open may truncate. */
static void neither(void)
{
	char bytes[8];
	int beside = open("x", O_RDWR | O_CREAT, 0600);
	int fd;

	MUST(write(beside, "content", 7) == 7);
	SEE(fd = open("x", 3));
	see_flags("neither", fd);
	SEE(read(fd, bytes, 4));
	SEE(write(fd, bytes, 4));
	SEE(pread(fd, bytes, 4, 0));
	SEE(pwrite(fd, bytes, 4, 0));
	SEE(ftruncate(fd, 1));
	SEE(lseek(fd, 2, SEEK_SET));
	SEE(close(fd));
	SEE(pwrite(beside, "C", 1, 0));
	look("x");
	SEE(fd = open("x", 3 | O_TRUNC));
	SEE(pread(beside, bytes, 4, 0));
	SEE(pwrite(beside, "after", 5, 2));
	SEE(write(fd, bytes, 4));
	SEE(close(fd));
	SEE(close(beside));
	look("x");
}

static void by_number(void)
{
	char bytes[8] = "";
	int fd;

#ifdef SYS_open
	SEE(fd = (int)syscall(SYS_open, "n", O_RDWR | O_CREAT, 0644));
#else
	SEE(fd = (int)syscall(SYS_openat, AT_FDCWD, "n", O_RDWR | O_CREAT, 0644));
#endif
	SEE(syscall(SYS_write, fd, "number", 6));
	SEE(syscall(SYS_lseek, fd, 2, SEEK_SET));
	SEE(syscall(SYS_read, fd, bytes, 3));
	say("%s", bytes);
	SEE(lseek(fd, 0, SEEK_CUR));
	SEE(syscall(SYS_pread64, fd, bytes, 2, 4));
	SEE(syscall(SYS_pwrite64, fd, "N", 1, 0));
	SEE(syscall(SYS_ftruncate, fd, 5));
	SEE(syscall(SYS_fsync, fd));
	SEE(syscall(SYS_close, fd));
	SEE(syscall(SYS_close, fd));
	SEE(fd = (int)syscall(SYS_openat, AT_FDCWD, "n", O_RDONLY));
	SEE(read(fd, bytes, 8));
	SEE(close(fd));
#ifdef HAS_OPENAT2
	{
		struct open_how how = {.flags = O_RDWR | O_CREAT, .mode = 0600, .resolve = RESOLVE_BENEATH};

		SEE(fd = (int)syscall(SYS_openat2, AT_FDCWD, "n2", &how, sizeof(how)));
		SEE(syscall(SYS_openat2, AT_FDCWD, "../n2", &how, sizeof(how)));
		SEE(write(fd, "two", 3));
		SEE(close(fd));
	}
#endif
	look("n");
	look("n2");
}

/* Files that are not regular, and those that only look so. */
static void others(void)
{
	char bytes[64];
	int fd;
	int other;

	MUST(mkfifo("fifo", 0600) == 0);
	SEE(open("fifo", O_WRONLY | O_NONBLOCK));
	SEE(fd = open("fifo", O_RDWR));
	SEE(write(fd, "through", 7));
	SEE(read(fd, bytes, sizeof(bytes)));
	SEE(lseek(fd, 0, SEEK_SET));
	SEE(pread(fd, bytes, 1, 0));
	SEE(close(fd));
	SEE(fd = open("/dev/null", O_RDWR));
	SEE(write(fd, "gone", 4));
	SEE(read(fd, bytes, 4));
	SEE(close(fd));
	SEE(fd = open("/dev/zero", O_RDONLY));
	SEE(read(fd, bytes, 64));
	SEE(close(fd));
	SEE(fd = open("/dev/full", O_WRONLY));
	SEE(write(fd, "gone", 4));
	SEE(close(fd));
	SEE(fd = open("/proc/self/comm", O_RDWR));
	SEE(read(fd, bytes, 4));
	SEE(write(fd, "newname", 7));
	SEE(close(fd));
	SEE(fd = open("/proc/self/comm", O_RDONLY));
	SEE(read(fd, bytes, sizeof(bytes)));
	say("%.7s", bytes);
	SEE(close(fd));
	SEE(fd = open(".", O_TMPFILE | O_RDWR, 0600));
	SEE(write(fd, "temporary", 9));
	SEE(pread(fd, bytes, 4, 3));
	snprintf(bytes, sizeof(bytes), "/proc/self/fd/%d", fd);
	SEE(linkat(AT_FDCWD, bytes, AT_FDCWD, "linked", AT_SYMLINK_FOLLOW));
	SEE(close(fd));
	look("linked");
	/* A second open of an open file, by its number in /proc. */
	SEE(fd = open("a", O_RDWR));
	SEE(write(fd, "HELLO", 5));
	snprintf(bytes, sizeof(bytes), "/proc/self/fd/%d", fd);
	SEE(other = open(bytes, O_RDONLY));
	SEE(read(other, bytes, 8));
	say("%.8s", bytes);
	SEE(close(fd));
	SEE(close(other));
}

/* What permission bits forbid is forbidden. Root may do everything, so this runs as another user if possible. */
static void forbidden(void)
{
	pid_t child;
	int fd;

	SEE(fd = open("ro", O_RDWR | O_CREAT | O_EXCL, 0400));
	SEE(write(fd, "read only", 9));
	SEE(close(fd));
	chmod(".", 0777);
	child = fork();
	if (child == 0) {
		if (geteuid() == 0 && setuid(65534) != 0)
			_exit(1);
		SEE(open("ro", O_RDWR) < 0);
		SEE(fd = open("mine", O_RDWR | O_CREAT | O_EXCL, 0400));
		SEE(write(fd, "wrote", 5));
		SEE(lseek(fd, 0, SEEK_SET));
		SEE(close(fd));
		_exit(0);
	}
	await("child", child);
	look("mine");
}

int main(int argc, char **argv)
{
	begin(argc, argv);
	kinds();
	neither();
	by_number();
	others();
	forbidden();
	return 0;
}

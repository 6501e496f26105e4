/* Large holes, limits on the size of files, full devices: errors come at the same calls as without MIO. */
#include "see.h"

#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>

static char bytes[1 << 20];

static void sparse(void)
{
	int fd = open("sparse", O_RDWR | O_CREAT, 0600);
	struct stat st;

	for (int shift = 20; shift <= 40; shift += 4)
		MUST(pwrite(fd, "here", 4, ((off_t)1 << shift) + 3) == 4);
	MUST(fstat(fd, &st) == 0);
	say("%lld bytes, few blocks %d", (long long)st.st_size, st.st_blocks < 1000000);
	for (int shift = 20; shift <= 40; shift += 4) {
		memset(bytes, 'x', 100);
		MUST(pread(fd, bytes, 100, ((off_t)1 << shift) - 20) == (shift == 40 ? 27 : 100));
		say("%016llx", (unsigned long long)digest(bytes, 100));
	}
	SEE(lseek(fd, 0, SEEK_DATA) >= 0);
	SEE(lseek(fd, 0, SEEK_END));
	SEE(ftruncate(fd, 1 << 25));
	SEE(close(fd));
	outside("sparse");
}

static volatile sig_atomic_t signals;

static void on_signal(int number)
{
	(void)number;
	signals++;
}

static void file_limit(void)
{
	struct rlimit limit = {100000, 100000};
	struct sigaction action = {.sa_handler = on_signal};
	pid_t child = fork();
	int fd;

	if (child == 0) {
		sigaction(SIGXFSZ, &action, NULL);
		MUST(setrlimit(RLIMIT_FSIZE, &limit) == 0);
		fd = open("limited", O_RDWR | O_CREAT, 0600);
		SEE(write(fd, bytes, 60000));
		SEE(write(fd, bytes, 60000));
		say("signals %d", (int)signals);
		SEE(write(fd, bytes, 1));
		say("signals %d", (int)signals);
		SEE(pwrite(fd, bytes, 10, 200000));
		say("signals %d", (int)signals);
		SEE(pwrite(fd, bytes, 100, 99950));
		SEE(ftruncate(fd, 100001));
		say("signals %d", (int)signals);
		SEE(lseek(fd, 0, SEEK_CUR));
		SEE(lseek(fd, 0, SEEK_END));
		SEE(close(fd));
		_exit(0);
	}
	await("child", child);
	outside("limited");
	child = fork();
	if (child == 0) {
		struct rlimit none = {0, 0};

		setrlimit(RLIMIT_CORE, &none);
		MUST(setrlimit(RLIMIT_FSIZE, &limit) == 0);
		fd = open("killed", O_RDWR | O_CREAT, 0600);
		MUST(write(fd, bytes, 60000) == 60000);
		while (write(fd, bytes, 60000) > 0)
			;
		_exit(0);
	}
	await("child", child);
	outside("killed");
}

/* A device of one mebibyte, in name spaces of the child's own; where those are not available, both runs say so. */
static void full(void)
{
	pid_t child = fork();

	if (child == 0) {
		int64_t taken = 0;
		ssize_t got;
		int fd;

		if ((geteuid() == 0 ? unshare(CLONE_NEWNS) : unshare(CLONE_NEWUSER | CLONE_NEWNS)) < 0 || mkdir("small", 0700) < 0 ||
		    mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
		    mount("tmpfs", "small", "tmpfs", 0, "size=1m") < 0) {
			say("no small device to be had");
			rmdir("small");
			_exit(0);
		}
		fd = open("small/file", O_RDWR | O_CREAT, 0600);
		MUST(fd >= 0);
		fill(bytes, sizeof(bytes), 1, 0);
		while ((got = write(fd, bytes + taken % 50000, 50000)) > 0)
			taken += got;
		say("full: %zd %s", got, strerror(errno));
		/* Everything that was accepted is there. */
		say("size is what was taken: %d", lseek(fd, 0, SEEK_END) == taken);
		SEE(fsync(fd));
		for (int64_t at = 0; at + 50000 <= taken; at += 50000)
			MUST(pread(fd, bytes + 100000, 50000, at) == 50000 && memcmp(bytes + 100000, bytes, 50000) == 0);
		SEE(pwrite(fd, "over", 4, 10));
		SEE(ftruncate(fd, 10));
		SEE(write(fd, "", 0));
		SEE(pwrite(fd, "again", 5, 10));
		SEE(close(fd));
		look("small/file");
		umount("small");
		_exit(0);
	}
	await("child", child);
}

/* Files in memory may be as long as an offset can express. */
static void farthest(void)
{
	char name[64];
	int fd;

	snprintf(name, sizeof(name), "/dev/shm/mio-far.%d", (int)getpid());
	fd = open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
	if (fd < 0)
		return;
	unlink(name);
	memset(bytes, 'f', 9000);
	for (int back = 10000; back >= 0; back -= 1000) {
		SEE(lseek(fd, INT64_MAX - back, SEEK_SET));
		SEE(read(fd, bytes, 8000));
		SEE(write(fd, bytes, 5000));
		SEE(pwrite(fd, bytes, 700, INT64_MAX - back));
		SEE(lseek(fd, 0, SEEK_CUR) - INT64_MAX);
		SEE(lseek(fd, 0, SEEK_END) - INT64_MAX);
	}
	SEE(close(fd));
}

int main(int argc, char **argv)
{
	begin(argc, argv);
	outside_begin();
	sparse();
	farthest();
	file_limit();
	full();
	return 0;
}

/* Files that get shorter and longer: by ftruncate, by name, by O_TRUNC; what comes back in between is zeros. */
#include "see.h"

#include <sys/syscall.h>

static char bytes[300000];

/* Reads all of the file at offset 0, and says its digest. */
static void see_all(const char *what, int fd)
{
	ssize_t got;

	memset(bytes, 'x', sizeof(bytes));
	got = pread(fd, bytes, sizeof(bytes), 0);
	MUST(got >= 0);
	say("%s: %zd bytes, %016llx, end at %lld", what, got, (unsigned long long)digest(bytes, (size_t)got),
	    (long long)lseek(fd, 0, SEEK_END));
}

static void down_and_up(int fd)
{
	static const int64_t sizes[] = {99999, 100001, 4096, 4097, 70000, 1, 0, 5, 131072, 65535, 262144, 65536};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		fill(bytes, 20000, 10 + (unsigned int)i, 0);
		MUST(pwrite(fd, bytes, 20000, 50000 + (off_t)i * 1000) == 20000);
		SEE(ftruncate(fd, sizes[i]));
		see_all("after ftruncate", fd);
		if (i % 3 == 0) {
			MUST(fsync(fd) == 0);
			outside("f");
		}
	}
	SEE(ftruncate(fd, -1));
	SEE(lseek(fd, 1000, SEEK_SET));
	SEE(ftruncate(fd, 10));
	SEE(read(fd, bytes, 10));
	SEE(lseek(fd, 0, SEEK_CUR));
	SEE(write(fd, "behind", 6));
	see_all("behind the end", fd);
}

static void by_name(int fd)
{
	SEE(pwrite(fd, "more", 4, 30000));
	SEE(truncate("f", 30002));
	see_all("truncate", fd);
	SEE(truncate("f", 40000));
	SEE(pwrite(fd, "inside", 6, 35000));
	SEE(truncate("f", 35003));
	SEE(truncate("f", 36000));
	see_all("truncate", fd);
	SEE(truncate("none", 1));
	SEE(truncate(".", 1));
	SEE(truncate("f", -1));
	MUST(symlink("f", "l") == 0);
	SEE(truncate("l", 100));
	see_all("truncate of a link", fd);
}

/* Cut by another open, of this process and of another. */
static void by_open(int fd)
{
	int other;
	pid_t child;

	fill(bytes, 100000, 3, 0);
	SEE(pwrite(fd, bytes, 100000, 0));
	SEE(lseek(fd, 60000, SEEK_SET));
	SEE(other = open("f", O_WRONLY | O_TRUNC));
	see_all("O_TRUNC", fd);
	SEE(write(other, "new", 3));
	see_all("after a write", fd);
	SEE(fsync(other));
	outside("f");
	SEE(lseek(fd, 50000, SEEK_SET));
	SEE(write(fd, "old", 3));
	see_all("after a write of the first", fd);
	SEE(close(other));
	SEE(close(open("f", O_RDONLY | O_TRUNC)));
	see_all("O_RDONLY and O_TRUNC", fd);
	SEE(open("f", O_WRONLY | O_TRUNC | O_CREAT | O_EXCL, 0600));
	SEE(pwrite(fd, bytes, 10000, 0));
	SEE(open("f/x", O_WRONLY | O_TRUNC));
	SEE(close(creat("f", 0600)));
	see_all("creat", fd);
	SEE(pwrite(fd, bytes, 10000, 0));
	MUST(fsync(fd) == 0);
	child = fork();
	if (child == 0) {
		MUST(truncate("f", 5000) == 0);
		_exit(0);
	}
	await("child", child);
	see_all("cut by another process", fd);
	SEE(pwrite(fd, "again", 5, 7000));
	see_all("after a write", fd);
}

/* openat2 with another root: the name leads elsewhere than it would without. Each file keeps its own bytes. */
static void by_open_in_root(void)
{
	struct {
		uint64_t flags, mode, resolve;
	} how = {.flags = O_RDWR | O_TRUNC, .resolve = 0x10 /* RESOLVE_IN_ROOT */};
	int directory, outer, inner, other;

	MUST(mkdir("root", 0700) == 0);
	make_file("g", 100, 1);
	make_file("root/g", 100, 2);
	outer = open("g", O_RDWR);
	inner = open("root/g", O_RDWR);
	directory = open("root", O_RDONLY | O_DIRECTORY);
	MUST(outer >= 0 && inner >= 0 && directory >= 0);
	fill(bytes, 20000, 4, 0);
	MUST(write(outer, bytes, 20000) == 20000);
	MUST(write(inner, bytes, 10000) == 10000);
	other = (int)syscall(SYS_openat2, directory, "../g", &how, sizeof(how));
	/* Linux before 5.6 does not have the call. */
	if (other < 0 && errno == ENOSYS)
		MUST((other = open("root/g", O_RDWR | O_TRUNC)) >= 0);
	MUST(other >= 0);
	see_all("not in the root", outer);
	see_all("in the root", inner);
	SEE(fsync(inner));
	SEE(fsync(outer));
	outside("g");
	outside("root/g");
	SEE(close(outer));
	SEE(close(inner));
	SEE(close(other));
	SEE(close(directory));
}

int main(int argc, char **argv)
{
	int fd;

	begin(argc, argv);
	outside_begin();
	make_file("f", 150000, 1);
	fd = open("f", O_RDWR);
	MUST(fd >= 0);
	down_and_up(fd);
	by_name(fd);
	by_open(fd);
	by_open_in_root();
	SEE(close(fd));
	look("f");
	outside("f");
	return 0;
}

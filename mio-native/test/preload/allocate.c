/* fallocate in all its ways, on files with bytes that are only in pages. */
#include "see.h"

static char bytes[300000];

static void see_all(const char *what, int fd)
{
	ssize_t got;

	memset(bytes, 'x', sizeof(bytes));
	got = pread(fd, bytes, sizeof(bytes), 0);
	MUST(got >= 0);
	say("%s: %zd bytes, %016llx", what, got, (unsigned long long)digest(bytes, (size_t)got));
}

static void dirty(int fd, unsigned int seed)
{
	fill(bytes, 100000, seed, 0);
	MUST(pwrite(fd, bytes, 100000, 0) == 100000);
}

int main(int argc, char **argv)
{
	int fd;
	int other;

	begin(argc, argv);
	outside_begin();
	fd = open("f", O_RDWR | O_CREAT, 0644);
	other = open("f", O_RDONLY);
	MUST(fd >= 0 && other >= 0);
	dirty(fd, 1);
	SEE(fallocate(fd, 0, 50000, 100000));
	see_all("longer", other);
	dirty(fd, 2);
	SEE(fallocate(fd, FALLOC_FL_KEEP_SIZE, 100000, 150000));
	see_all("size kept", other);
	dirty(fd, 3);
	SEE(fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 1000, 30000));
	see_all("hole", fd);
	see_all("hole", other);
	outside("f");
	dirty(fd, 4);
	SEE(fallocate(fd, FALLOC_FL_ZERO_RANGE, 90000, 80000) == 0 || errno == EOPNOTSUPP);
	see_all("zeroes", other);
	dirty(fd, 5);
	SEE(fallocate(fd, FALLOC_FL_COLLAPSE_RANGE, 8192, 16384) == 0 || errno == EOPNOTSUPP);
	see_all("collapsed", fd);
	see_all("collapsed", other);
	dirty(fd, 6);
	SEE(fallocate(fd, FALLOC_FL_INSERT_RANGE, 4096, 8192) == 0 || errno == EOPNOTSUPP);
	see_all("inserted", other);
	see_all("inserted", fd);
	outside("f");
	SEE(fallocate(fd, 0, -1, 10));
	SEE(fallocate(fd, 0, 0, 0));
	SEE(fallocate(other, 0, 0, 10));
	SEE(fallocate(fd, 0x40000000, 0, 10));
	dirty(fd, 7);
	SEE(posix_fallocate(fd, 200000, 70000));
	see_all("posix_fallocate", other);
	SEE(posix_fallocate(fd, 0, 10));
	SEE(posix_fallocate(fd, -1, 10));
	SEE(posix_fallocate(other, 0, 10));
	SEE(posix_fallocate(-1, 0, 10));
	dirty(fd, 8);
	SEE(close(other));
	SEE(close(fd));
	look("f");
	outside("f");
	return 0;
}

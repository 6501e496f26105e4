/* Positions: every kind of seek, ends, holes, limits, wrong descriptors. */
#include "see.h"

#include <limits.h>

static char bytes[70000];

static void moves(int fd)
{
	SEE(lseek(fd, 0, SEEK_CUR));
	SEE(lseek(fd, 100, SEEK_SET));
	SEE(lseek(fd, -50, SEEK_CUR));
	SEE(lseek(fd, -51, SEEK_CUR));
	SEE(lseek(fd, 0, SEEK_CUR));
	SEE(lseek(fd, -10, SEEK_END));
	SEE(read(fd, bytes, 100));
	SEE(read(fd, bytes, 100));
	SEE(lseek(fd, 0, SEEK_CUR));
	SEE(lseek(fd, 1000, SEEK_END));
	SEE(read(fd, bytes, 100));
	SEE(lseek(fd, 0, SEEK_CUR));
	SEE(lseek(fd, -1, SEEK_SET));
	SEE(lseek(fd, LLONG_MAX, SEEK_SET));
	SEE(lseek(fd, LLONG_MAX, SEEK_CUR));
	SEE(lseek(fd, 5, 77));
	SEE(lseek(fd, 4095, SEEK_SET));
	SEE(read(fd, bytes, 2));
	SEE(read(fd, bytes, 0));
	SEE(lseek(fd, 0, SEEK_CUR));
	SEE(pread(fd, bytes, 10, -5));
	SEE(pread(fd, bytes, 10, LLONG_MAX));
	SEE(pread(fd, bytes, 0, 3));
	/* No file can be that long. */
	for (int shift = 40; shift < 63; shift++) {
		SEE(lseek(fd, (off_t)1 << shift, SEEK_SET));
		SEE(pread(fd, bytes, 10, (off_t)1 << shift));
		SEE(read(fd, bytes, 10));
		SEE(lseek(fd, (off_t)1 << shift, SEEK_CUR));
	}
	SEE(lseek(fd, 0, SEEK_CUR));
	say("%016llx", (unsigned long long)digest(bytes, 100));
}

static void writes(void)
{
	int fd = open("w", O_RDWR | O_CREAT, 0644);

	SEE(lseek(fd, 50000, SEEK_SET));
	SEE(lseek(fd, 0, SEEK_END));
	SEE(lseek(fd, 50000, SEEK_SET));
	SEE(write(fd, "end", 3));
	SEE(lseek(fd, 0, SEEK_END));
	SEE(lseek(fd, 10, SEEK_SET));
	SEE(read(fd, bytes, 60000));
	say("%016llx", (unsigned long long)digest(bytes, 49993));
	SEE(write(fd, "x", 0));
	SEE(pwrite(fd, "far", 3, 120000));
	SEE(pwrite(fd, "x", 1, -1));
	SEE(pwrite(fd, "x", 1, LLONG_MAX));
	SEE(pwrite(fd, "x", 1, (off_t)1 << 50));
	SEE(pwrite(fd, "x", 1, (off_t)1 << 62));
	SEE(ftruncate(fd, (off_t)1 << 62));
	/* Some file systems accept it. */
	SEE(ftruncate(fd, 120003));
	SEE(pwrite(fd, "x", 0, 500000));
	SEE(lseek(fd, 0, SEEK_END));
	SEE(lseek(fd, 200000, SEEK_SET));
	SEE(write(fd, "x", 0));
	SEE(lseek(fd, 0, SEEK_END));
	SEE(pread(fd, bytes, 70000, 52000));
	say("%016llx", (unsigned long long)digest(bytes, 68003));
	SEE(close(fd));
	look("w");
}

/* Where data and holes are, for whole blocks that have been written before. */
static void holes(void)
{
	int fd = open("h", O_RDWR | O_CREAT, 0644);

	fill(bytes, 65536, 3, 0);
	SEE(pwrite(fd, bytes, 65536, 0));
	SEE(pwrite(fd, bytes, 65536, 4 << 20));
	SEE(ftruncate(fd, 8 << 20));
	SEE(fsync(fd));
	SEE(lseek(fd, 0, SEEK_DATA));
	SEE(lseek(fd, 0, SEEK_HOLE));
	SEE(lseek(fd, 65536, SEEK_DATA));
	SEE(lseek(fd, (4 << 20) + 100, SEEK_HOLE));
	SEE(read(fd, bytes, 10));
	SEE(lseek(fd, (4 << 20) + 65536, SEEK_DATA));
	SEE(lseek(fd, 8 << 20, SEEK_HOLE));
	SEE(lseek(fd, 9 << 20, SEEK_DATA));
	/* The kernel does not have these bytes yet. */
	SEE(pwrite(fd, bytes, 65536, 6 << 20));
	SEE(lseek(fd, (4 << 20) + 65536, SEEK_DATA));
	SEE(lseek(fd, 6 << 20, SEEK_HOLE));
	SEE(close(fd));
	look("h");
}

static void wrong(void)
{
	int ends[2];
	int fd;

	MUST(pipe(ends) == 0);
	SEE(lseek(ends[0], 0, SEEK_CUR));
	SEE(lseek(-1, 0, SEEK_CUR));
	SEE(lseek(999, 0, SEEK_CUR));
	SEE(lseek(INT_MAX, 0, SEEK_CUR));
	SEE(lseek(INT_MIN, 0, SEEK_CUR));
	SEE(read(999, bytes, 1));
	SEE(read(-1, bytes, 1));
	SEE(write(INT_MAX, bytes, 1));
	SEE(close(-1));
	SEE(close(999));
	SEE(dup(-1));
	SEE(fsync(-1));
	SEE(fsync(ends[0]));
	SEE(ftruncate(ends[1], 0));
	SEE(pwrite(ends[1], "x", 1, 0));
	SEE(fd = open("f", O_RDONLY));
	SEE(write(fd, "x", 1));
	SEE(write(fd, "x", 0));
	SEE(pwrite(fd, "x", 1, 0));
	SEE(ftruncate(fd, 1));
	SEE(close(fd));
	SEE(read(fd, bytes, 1));
	SEE(write(fd, bytes, 1));
	SEE(pread(fd, bytes, 1, 0));
	SEE(lseek(fd, 0, SEEK_SET));
	SEE(close(fd));
	SEE(fd = open("f", O_WRONLY));
	SEE(read(fd, bytes, 1));
	SEE(read(fd, bytes, 0));
	SEE(pread(fd, bytes, 1, 0));
	SEE(close(fd));
	SEE(fd = open(".", O_RDONLY));
	SEE(read(fd, bytes, 1));
	SEE(lseek(fd, 0, SEEK_SET));
	SEE(close(fd));
	/* The number now refers to something else. */
	SEE(fd = open("f", O_RDWR));
	SEE(write(fd, "F", 1));
	SEE(close(fd));
	MUST(dup(ends[0]) == fd);
	SEE(lseek(fd, 0, SEEK_CUR));
	SEE(write(ends[1], "pipe", 4));
	SEE(read(fd, bytes, 100));
	SEE(close(fd));
}

int main(int argc, char **argv)
{
	int fd;

	begin(argc, argv);
	make_file("f", 65000, 1);
	fd = open("f", O_RDWR);
	moves(fd);
	SEE(close(fd));
	writes();
	holes();
	wrong();
	look("f");
	return 0;
}

/* readv and the like: all lengths, the flags of the second versions, and what is no vector. */
#include "see.h"

#include <limits.h>
#include <sys/uio.h>

static char bytes[8][300];
/* Volatile, so that the compiler does not know what is wrong with them. */
static volatile int below = -1;
static volatile int too_many = IOV_MAX + 1;

static int vector(struct iovec *parts, const size_t *lengths, int count)
{
	for (int i = 0; i < count; i++) {
		memset(bytes[i], 0, sizeof(bytes[i]));
		parts[i].iov_base = bytes[i];
		parts[i].iov_len = lengths[i];
	}
	return count;
}

static void see_parts(const struct iovec *parts, int count)
{
	uint64_t sum = DIGEST_BEGIN;

	for (int i = 0; i < count; i++)
		sum = digest_more(sum, parts[i].iov_base, sizeof(bytes[i]));
	say("parts %016llx", (unsigned long long)sum);
}

static void reads(void)
{
	static const size_t lengths[] = {1, 100, 0, 37, 299, 5};
	struct iovec parts[8];
	int count = vector(parts, lengths, 6);
	int fd = open("f", O_RDONLY);

	SEE(readv(fd, parts, count));
	see_parts(parts, count);
	SEE(lseek(fd, 0, SEEK_CUR));
	SEE(preadv(fd, parts, count, 9900));
	see_parts(parts, count);
	SEE(preadv(fd, parts, count, 10000));
	SEE(preadv(fd, parts, count, -1));
	SEE(preadv2(fd, parts, count, 4000, 0));
	see_parts(parts, count);
	SEE(preadv2(fd, parts, count, -1, 0));
	see_parts(parts, count);
	SEE(lseek(fd, 0, SEEK_CUR));
	SEE(preadv2(fd, parts, count, 70, RWF_HIPRI));
	see_parts(parts, count);
	SEE(preadv2(fd, parts, count, 70, 0x40000000));
	SEE(preadv2(fd, parts, count, -2, 0));
	SEE(readv(fd, parts, 0));
	SEE(readv(fd, parts, below));
	SEE(readv(fd, parts, too_many));
	SEE(writev(fd, parts, count));
	SEE(pwritev(fd, parts, count, 0));
	parts[2].iov_len = (size_t)SSIZE_MAX;
	SEE(readv(fd, parts, count));
	SEE(lseek(fd, 0, SEEK_CUR));
	SEE(close(fd));
	SEE(readv(fd, parts, count));
}

static void writes(void)
{
	static const size_t lengths[] = {3, 0, 200, 64, 1};
	struct iovec parts[8];
	int count = vector(parts, lengths, 5);
	int fd = open("g", O_RDWR | O_CREAT, 0644);

	for (int i = 0; i < count; i++)
		fill(bytes[i], sizeof(bytes[i]), 5, i * 300);
	SEE(writev(fd, parts, count));
	SEE(lseek(fd, 0, SEEK_CUR));
	SEE(pwritev(fd, parts, count, 5000));
	SEE(pwritev(fd, parts, count, -1));
	SEE(pwritev2(fd, parts, count, 6000, 0));
	SEE(pwritev2(fd, parts, count, -1, 0));
	SEE(lseek(fd, 0, SEEK_CUR));
	SEE(pwritev2(fd, parts, count, 7000, RWF_DSYNC));
	SEE(pwritev2(fd, parts, count, 100, RWF_SYNC));
	SEE(pwritev2(fd, parts, count, 0, RWF_APPEND));
	SEE(lseek(fd, 0, SEEK_END));
	SEE(pwritev2(fd, parts, count, -1, RWF_APPEND));
	SEE(lseek(fd, 0, SEEK_CUR));
	SEE(pwritev2(fd, parts, count, 0, 0x40000000));
	SEE(writev(fd, NULL, 0));
	SEE(readv(fd, parts, count));
	SEE(lseek(fd, 250, SEEK_SET));
	SEE(readv(fd, parts, count));
	see_parts(parts, count);
	SEE(close(fd));
	look("g");
	outside("g");
}

/* If more than one thing is wrong, the error is the one that the kernel checks first. */
static void wrong_twice(void)
{
	static const size_t lengths[] = {1, 200};
	struct iovec parts[8];
	int count = vector(parts, lengths, 2);
	off_t last = INT64_MAX;
	int reader = open("f", O_RDONLY);
	int writer = open("f", O_WRONLY);

	for (int i = 0; i < 2; i++) {
		int fd = i ? writer : reader;

		SEE(readv(fd, parts, below));
		SEE(writev(fd, parts, below));
		SEE(readv(fd, parts, 0));
		SEE(writev(fd, NULL, 0));
		SEE(readv(fd, parts, too_many));
		SEE(writev(fd, parts, too_many));
		SEE(preadv(fd, parts, below, 1));
		SEE(pwritev(fd, parts, below, 1));
		SEE(preadv(fd, parts, below, -1));
		SEE(pwritev(fd, parts, too_many, -1));
		SEE(preadv(fd, parts, count, -1));
		SEE(pwritev(fd, parts, count, -1));
		SEE(preadv(fd, parts, count, last - 100));
		SEE(pwritev(fd, parts, count, last - 100));
		SEE(pread(fd, bytes[0], 200, last - 100));
		SEE(pwrite(fd, bytes[0], 200, last - 100));
		SEE(pread(fd, bytes[0], 200, -1));
		SEE(pwrite(fd, bytes[0], 200, -1));
		SEE(pread(fd, bytes[0], 0, last));
		SEE(pwrite(fd, bytes[0], 0, last));
		SEE(pread(fd, bytes[0], 0, -1));
		SEE(pwrite(fd, bytes[0], 0, -1));
		SEE(lseek(fd, 0, SEEK_CUR));
		SEE(close(fd));
	}
}

/* Bytes in the kernel's page cache may be read at once or not; only what is promised is checked. */
static void no_wait(void)
{
	struct iovec part = {bytes[0], 100};
	int fd = open("f", O_RDWR);
	ssize_t got;

	MUST(pwrite(fd, "dirty", 5, 10) == 5);
	got = preadv2(fd, &part, 1, 0, RWF_NOWAIT);
	MUST(got == 100 || (got < 0 && (errno == EAGAIN || errno == EOPNOTSUPP)));
	if (got == 100)
		MUST(memcmp(bytes[0] + 10, "dirty", 5) == 0);
	MUST(pread(fd, bytes[0], 100, 0) == 100 && memcmp(bytes[0] + 10, "dirty", 5) == 0);
	SEE(close(fd));
	look("f");
}

int main(int argc, char **argv)
{
	begin(argc, argv);
	outside_begin();
	make_file("f", 10000, 2);
	reads();
	writes();
	wrong_twice();
	no_wait();
	return 0;
}

/*
 * Small requests near each other, in one process, which make MIO take pages of the file (pf/auto): reads, writes and seeks before,
 * during and after that. For other calls see dense_calls.c.
 */
#include "dense.h"

#include <sys/resource.h>
#include <sys/uio.h>

static char bytes[DENSE_BYTES];
static void *volatile nowhere = (void *)16;

/* To the end of the file, past it, and back. */
static void ways_through(void)
{
	int fd = dense_open("f", O_RDONLY);
	struct iovec parts[3] = {{bytes, 10}, {bytes + 10, 0}, {bytes + 10, 90}};

	dense_read("on to the end", fd, 10000);
	dense_read("behind the end", fd, 2);
	SEE(lseek(fd, -1234, SEEK_END));
	dense_read("the end again", fd, 100);
	SEE(lseek(fd, 1000000, SEEK_CUR));
	SEE(read(fd, bytes, 100));
	SEE(lseek(fd, -5000000, SEEK_CUR));
	SEE(lseek(fd, 3000, SEEK_SET));
	dense_pread("backward", fd, 200, 300000, -100);
	dense_pread("every twentieth", fd, 200, 0, 2000);
	SEE(readv(fd, parts, 3));
	SEE(preadv(fd, parts, 3, 399950));
	say("%016llx", (unsigned long long)digest(bytes, 50));
	SEE(pread(fd, bytes, 100, -1));
	SEE(write(fd, bytes, 1));
	SEE(pwrite(fd, bytes, 1, 0));
	SEE(ftruncate(fd, 0));
	SEE(read(fd, nowhere, 100));
	SEE(pread(fd, nowhere, 100, 5));
	SEE(read(fd, bytes, 0));
	SEE(read(fd, bytes, 200000));
	say("%016llx", (unsigned long long)digest(bytes, 200000));
	SEE(lseek(fd, 0, SEEK_CUR));
	SEE(close(fd));
	SEE(read(fd, bytes, 100));
}

/* All numbers of an open have one position, whichever of them took the pages. */
static void numbers(void)
{
	int fd = dense_begin("f", O_RDONLY);
	int before = dup(fd);
	int after, over, low;

	dense_read("first number", fd, 40);
	dense_read("second number", before, 40);
	after = fcntl(fd, F_DUPFD, 60);
	over = open("other", O_RDWR | O_CREAT, 0644);
	SEE(write(over, "other", 5));
	SEE(dup2(after, over) == over);
	dense_read("third number", after, 3);
	dense_read("over another", over, 3);
	SEE(close(fd));
	SEE(close(before));
	low = dup(after);
	dense_read("a low one", low, 3);
	SEE(lseek(over, 5, SEEK_SET));
	dense_read("all of them", after, 1);
	SEE(close(after));
	SEE(close(over));
	dense_read("the last one", low, 2);
	SEE(close(low));
	look("other");
}

/* dup2 over a number in use, before there are pages. */
static void copied_before(void)
{
	int fd = dense_begin("f", O_RDONLY);
	int over = dense_begin("other", O_RDONLY);

	dense_read("before", fd, 10);
	SEE(dup2(fd, over) == over);
	dense_read("by one", fd, DENSE_ENOUGH);
	dense_read("by the other", over, DENSE_ENOUGH);
	SEE(close(fd));
	dense_read("what is left", over, 5);
	SEE(close(over));
}

/* What this open and others write is read at once, and the kernel has it. */
static void writers(void)
{
	int fd = dense_open("w", O_RDWR);
	int other = open("w", O_RDWR);
	int appends = open("w", O_WRONLY | O_APPEND);

	SEE(write(fd, "by the one with pages", 21));
	dense_read("behind it", fd, 2);
	SEE(pwrite(other, "by the other", 12, 7050));
	dense_pread("over both", fd, 3, 7000, 100);
	SEE(pwrite(fd, "one", 3, 7052));
	dense_pread("the other sees", other, 3, 7000, 100);
	SEE(fsync(fd));
	SEE(fsync(other));
	outside("w");
	SEE(lseek(fd, 0, SEEK_END));
	SEE(write(appends, "appended", 8));
	dense_read("what was appended", fd, 2);
	SEE(write(fd, "more", 4));
	SEE(lseek(appends, 0, SEEK_CUR));
	SEE(ftruncate(other, 7060));
	dense_pread("cut", fd, 2, 7000, 100);
	SEE(lseek(fd, 0, SEEK_END));
	SEE(ftruncate(fd, 300000));
	dense_pread("a hole", fd, 300, 7000, 1000);
	SEE(truncate("w", 7020));
	dense_pread("cut by name", fd, 2, 7000, 100);
	SEE(lseek(fd, 7000, SEEK_SET));
	dense_read("to the new end", fd, 2);
	SEE(fsync(fd));
	SEE(close(open("w", O_WRONLY | O_TRUNC)));
	dense_pread("cut to nothing", fd, 2, 7000, 100);
	SEE(write(fd, "behind", 6));
	SEE(close(fd));
	SEE(close(other));
	SEE(close(appends));
	outside("w");
}

/* Records that are read and written in turns; pf/auto may choose pages or the kernel. */
static void in_turns(void)
{
	int fd = open("t", O_RDWR | O_CREAT, 0644);
	char record[64];

	for (int i = 0; i < 3000; i++) {
		fill(record, sizeof(record), 3, i * 64);
		MUST(write(fd, record, sizeof(record)) == sizeof(record));
	}
	for (int i = 0; i < 1500; i++) {
		MUST(lseek(fd, i * 128, SEEK_SET) == i * 128);
		MUST(read(fd, record, sizeof(record)) == sizeof(record));
		record[0] ^= 1;
		MUST(lseek(fd, -64, SEEK_CUR) == i * 128);
		MUST(write(fd, record, sizeof(record)) == sizeof(record));
	}
	SEE(lseek(fd, 0, SEEK_CUR));
	SEE(lseek(fd, 0, SEEK_SET));
	dense_read("all", fd, 4000);
	SEE(close(fd));
	outside("t");
}

/* Reads near each other first and anywhere later: the pages are given up, and the position does not change. */
static void at_random(void)
{
	static char large[1 << 20];
	int fd = open("large", O_RDWR | O_CREAT, 0644);
	uint64_t seed = 1, sum = DIGEST_BEGIN;

	for (int i = 0; i < 12; i++) {
		fill(large, sizeof(large), 6, (int64_t)i << 20);
		MUST(write(fd, large, sizeof(large)) == (ssize_t)sizeof(large));
	}
	MUST(close(fd) == 0);
	fd = dense_open("large", O_RDWR);
	for (int i = 0; i < 20000; i++) {
		int64_t place;

		seed = seed * 6364136223846793005U + 1442695040888963407U;
		place = (int64_t)((seed >> 33) % ((12 << 20) - 100));
		if (i >= 10000 && i % 50 == 0)
			MUST(pwrite(fd, &seed, sizeof(seed), place) == sizeof(seed));
		MUST(pread(fd, bytes, 100, place) == 100);
		sum = digest_more(sum, bytes, 100);
		if (i % 1000 == 999)
			MUST(read(fd, bytes, 100) == 100);
		if (i % 1000 == 999)
			sum = digest_more(sum, bytes, 100);
	}
	say("%016llx, at %lld", (unsigned long long)sum, (long long)lseek(fd, 0, SEEK_CUR));
	dense_read("and on", fd, 100);
	SEE(write(fd, "there", 5));
	dense_pread("what was written", fd, 3, 18900, 100);
	SEE(close(fd));
	outside("large");
}

/* Twenty files at the same time: more than may have pages. */
static void many(void)
{
	int fds[20];
	char name[16];

	for (int i = 0; i < 20; i++) {
		snprintf(name, sizeof(name), "many%d", i);
		make_file(name, 20000, 100 + (unsigned int)i);
		fds[i] = dense_open(name, O_RDWR);
	}
	for (int i = 0; i < 20; i++) {
		SEE(write(fds[i], "some bytes", 10));
		dense_read("on", fds[i], 5);
	}
	for (int i = 0; i < 20; i++)
		SEE(close(fds[i]));
	fds[0] = dense_open("many19", O_RDWR);
	SEE(close(fds[0]));
}

/* There is no number left for a descriptor of MIO's; nothing goes wrong. */
static void without_numbers(void)
{
	int fd = dense_begin("f", O_RDONLY);
	struct rlimit limit;
	struct rlimit none;

	MUST(getrlimit(RLIMIT_NOFILE, &limit) == 0);
	none = limit;
	none.rlim_cur = (rlim_t)fd + 1;
	SEE(setrlimit(RLIMIT_NOFILE, &none));
	dense_read("no number", fd, 200);
	SEE(setrlimit(RLIMIT_NOFILE, &limit));
	dense_read("numbers", fd, 200);
	SEE(close(fd));
}

int main(int argc, char **argv)
{
	begin(argc, argv);
	outside_begin();
	make_file("f", DENSE_BYTES, 10);
	make_file("w", DENSE_BYTES, 11);
	ways_through();
	numbers();
	copied_before();
	writers();
	in_turns();
	at_random();
	many();
	without_numbers();
	/* This open is left to the end of the process. */
	dense_open("f", O_RDWR);
	return 0;
}

/*
 * A program with a clock_gettime of its own, like one that is shown another time (libfaketime). Here the time stands still, and the
 * function uses a thread variable with the help of the C library. Only the program's own calls may get there: MIO uses the kernel's
 * clock, and has threads that the C library does not know.
 */
#include "see.h"

#include <stdatomic.h>

enum { BYTES = 4096, PAGES = 512 };

static atomic_long called;
static __thread char of_thread[64] __attribute__((tls_model("global-dynamic")));

int clock_gettime(clockid_t clock, struct timespec *now)
{
	(void)clock;
	called++;
	of_thread[0]++;
	*now = (struct timespec){.tv_sec = 1297000000};
	return 0;
}

int main(int argc, char **argv)
{
	static char bytes[BYTES];
	struct timespec now;
	struct stat found;
	long others;
	int fd;

	MUST(argc == 2 && chdir(argv[1]) == 0);
	fd = open("file", O_RDWR | O_CREAT, 0644);
	MUST(fd >= 0);
	for (int i = 0; i < PAGES; i++)
		MUST(write(fd, bytes, BYTES) == BYTES);
	SEE(fsync(fd));
	for (int i = PAGES - 1; i >= 0; i--)
		MUST(pread(fd, bytes, BYTES, (off_t)i * BYTES) == BYTES);
	SEE(lseek(fd, 0, SEEK_SET));
	for (int i = 0; i < PAGES * (BYTES / 64); i++)
		MUST(read(fd, bytes, 64) == 64);
	others = called;
	SEE(clock_gettime(CLOCK_MONOTONIC, &now));
	say("%ld calls by others, %ld by the program", others, called - others);
	/* Also a call that returns the kernel's times of the file. */
	SEE(fstat(fd, &found));
	SEE(close(fd));
	return 0;
}

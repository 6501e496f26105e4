/* Lengths that no process has memory for, as the result of a call that failed; and writes that come to an end too early. */
#include "see.h"

#include <sys/resource.h>

static char bytes[4096];

static void impossible(int fd)
{
	/* A variable: the compiler knows what the call of a constant would do. */
	volatile size_t none = (size_t)-1;
	volatile size_t half = SIZE_MAX / 2 + 1;

	SEE(write(fd, bytes, none));
	SEE(pwrite(fd, bytes, none, 4));
	SEE(write(fd, bytes, half));
	SEE(lseek(fd, 0, SEEK_CUR));
	SEE(lseek(fd, 0, SEEK_SET));
	SEE(read(fd, bytes, none));
	SEE(pread(fd, bytes, none, 0));
	SEE(read(fd, bytes, half));
	SEE(lseek(fd, 0, SEEK_CUR));
	SEE(write(fd, (void *)(uintptr_t)none, 4096));
	SEE(read(fd, (void *)(uintptr_t)none, 4096));
	say("%016llx", (unsigned long long)digest(bytes, sizeof(bytes)));
}

static void print(void)
{
	struct rlimit limit = {4, RLIM_INFINITY};
	int fd = open("printed", O_RDWR | O_CREAT | O_TRUNC, 0600);
	int printed;
	int error;

	MUST(fd >= 0 && signal(SIGXFSZ, SIG_IGN) != SIG_ERR);
	MUST(setrlimit(RLIMIT_FSIZE, &limit) == 0);
	/* What is said goes to a file as well. */
	errno = 0;
	printed = dprintf(fd, "%s", "0123456789");
	error = errno;
	limit.rlim_cur = RLIM_INFINITY;
	MUST(setrlimit(RLIMIT_FSIZE, &limit) == 0);
	say("%d, %s", printed, strerror(error));
	SEE(lseek(fd, 0, SEEK_CUR));
	SEE(close(fd));
	look("printed");
}

int main(int argc, char **argv)
{
	int fd;

	begin(argc, argv);
	fd = open("file", O_RDWR | O_CREAT | O_TRUNC, 0600);
	MUST(fd >= 0);
	impossible(fd);
	fill(bytes, sizeof(bytes), 1, 0);
	SEE(write(fd, bytes, sizeof(bytes)));
	impossible(fd);
	SEE(close(fd));
	look("file");
	print();
	return 0;
}

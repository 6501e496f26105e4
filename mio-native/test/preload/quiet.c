/*
 * Waits and long reads that would end early if the kernel did any work for the thread, even without a signal: right after an open,
 * after requests of MIO's threads, and after a close.
 */
#include "see.h"

#include <sys/epoll.h>
#include <sys/wait.h>

enum { BYTES = 1 << 20, MILLISECONDS = 60 };

static char bytes[BYTES];
static int waits;
static int zeros;

static void quiet(const char *after)
{
	struct epoll_event event;
	int full = 1;
	int rc = epoll_wait(waits, &event, 1, MILLISECONDS);

	say("%s: %d%s%s", after, rc, rc < 0 ? ", " : "", rc < 0 ? strerror(errno) : "");
	for (int i = 0; i < 20; i++)
		full &= read(zeros, bytes, sizeof(bytes)) == BYTES;
	say("%s: reads %s", after, full ? "in full" : "cut short");
}

static void use(const char *name)
{
	int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0644);

	MUST(fd >= 0);
	quiet("open");
	MUST(write(fd, bytes, sizeof(bytes)) == BYTES);
	MUST(pread(fd, bytes, 5000, 300000) == 5000);
	quiet("write");
	MUST(close(fd) == 0);
	quiet("close");
}

int main(int argc, char **argv)
{
	pid_t child;
	int status;

	begin(argc, argv);
	waits = epoll_create1(0);
	zeros = open("/dev/zero", O_RDONLY);
	MUST(waits >= 0 && zeros >= 0);
	use("one");
	fflush(NULL);
	child = fork();
	MUST(child >= 0);
	if (child == 0) {
		use("two");
		return 0;
	}
	MUST(waitpid(child, &status, 0) == child && status == 0);
	quiet("fork");
	return 0;
}

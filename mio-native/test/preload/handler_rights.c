/* A signal handler changes the rights of the process, or ends it, while the interrupted thread does the same. Neither may wait for a lock in vain. */
#include "see.h"

#include <sys/syscall.h>
#include <sys/time.h>

enum { BYTES = 50000, TIMES = 400 };

static char bytes[BYTES];
static volatile sig_atomic_t calls, ends;

static void change(int number)
{
	int errno_before = errno;

	(void)number;
	calls = calls + 1;
	if (ends && calls > TIMES)
		_exit(7);
	MUST(syscall(SYS_setgid, getgid()) == 0);
	errno = errno_before;
}

static void tick(int microseconds)
{
	struct itimerval timer = {{0, microseconds}, {0, microseconds}};

	MUST(setitimer(ITIMER_REAL, &timer, NULL) == 0);
}

/* Works until the handler has come often enough; each time a page is under way. */
static void work(const char *name)
{
	int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);

	MUST(fd >= 0);
	fill(bytes, BYTES, 1, 0);
	calls = 0;
	tick(300);
	for (int i = 0; ends || calls < TIMES; i++) {
		MUST(pwrite(fd, bytes, BYTES, 0) == BYTES);
		MUST(syscall(SYS_setgid, getgid()) == 0);
	}
	tick(0);
	MUST(is_fill(fd, BYTES, 1, 0));
	SEE(close(fd));
}

int main(int argc, char **argv)
{
	struct sigaction action;
	pid_t child;

	begin(argc, argv);
	memset(&action, 0, sizeof(action));
	action.sa_handler = change;
	MUST(sigaction(SIGALRM, &action, NULL) == 0);
	work("goes on");
	child = fork();
	if (child == 0) {
		ends = 1;
		work("ends");
	}
	await("ended by its handler", child);
	return 0;
}

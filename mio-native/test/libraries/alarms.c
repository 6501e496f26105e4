/* Writes into a file while signals come that it handles. Prints how many bytes the file has; fails if no signal came. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

static volatile sig_atomic_t alarms;

static void on_alarm(int number)
{
	(void)number;
	alarms++;
}

int main(void)
{
	enum { WRITES = 2000 };
	const struct itimerval often = {{0, 1000}, {0, 1000}};
	const struct itimerval never = {{0, 0}, {0, 0}};
	struct sigaction action = {.sa_handler = on_alarm};
	int fd = open("alarmed", O_RDWR | O_CREAT | O_TRUNC, 0600);
	struct stat found;
	int failed = fd < 0;

	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	for (int i = 0; i < WRITES || alarms == 0; i++)
		failed |= pwrite(fd, "0123456789", 10, (i % WRITES) * 10L) != 10;
	setitimer(ITIMER_REAL, &never, NULL);
	failed |= fstat(fd, &found) != 0 || close(fd) != 0;
	printf("%ld\n", (long)found.st_size);
	return failed;
}

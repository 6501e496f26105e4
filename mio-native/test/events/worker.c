/* An ordinary program for events_tree_test.sh: reads a file forward or backward, writes until it is killed, or forks. */
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char memory[10000];

static int pass(const char *name, int backward)
{
	int fd = open(name, O_RDONLY);

	for (int i = 0; i < 300; i++) {
		int at = backward ? 299 - i : i;

		if (pread(fd, memory, sizeof(memory), (off_t)at * (off_t)sizeof(memory)) != (ssize_t)sizeof(memory))
			return 1;
	}
	return close(fd);
}

static void *write_on(void *fd)
{
	while (write(*(int *)fd, memory, 10) == 10 && write(STDOUT_FILENO, "w\n", 2) == 2)
		;
	_exit(1);
}

/* Writes with four threads. */
static int until_killed(const char *name)
{
	int fd = open(name, O_WRONLY | O_CREAT, 0600);
	pthread_t thread;

	for (int i = 0; i < 3; i++)
		if (pthread_create(&thread, NULL, write_on, &fd) != 0)
			return 1;
	write_on(&fd);
	return 1;
}

static int reads(const char *name)
{
	int fd = open(name, O_RDONLY);

	for (int i = 0; i < 1000; i++)
		if (read(fd, memory, 100) != 100)
			return 1;
	return close(fd);
}

static int forks(const char *name)
{
	for (int i = 0; i < 2; i++) {
		pid_t child = fork();
		int status;

		if (child == 0)
			_exit(reads(name));
		if (i == 0 && reads(name) != 0)
			return 1;
		if (waitpid(child, &status, 0) != child || status != 0)
			return 1;
	}
	return 0;
}

int main(int count, char **arguments)
{
	if (count != 3)
		return 2;
	if (strcmp(arguments[1], "killed") == 0)
		return until_killed(arguments[2]);
	if (strcmp(arguments[1], "fork") == 0)
		return forks(arguments[2]);
	return pass(arguments[2], strcmp(arguments[1], "backward") == 0);
}

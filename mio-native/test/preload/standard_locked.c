/*
 * A daemon: it has a lock, closes its standard input, output and error, and opens its data. What it prints then goes nowhere, least
 * of all into a file. The locks stay.
 */
#include "see.h"

static int output;

/* Another process looks for the lock. */
static void see_lock(const char *what, int fd)
{
	pid_t child = fork();

	MUST(child >= 0);
	if (child == 0) {
		struct flock range = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

		_exit(fcntl(fd, F_GETLK, &range) < 0 ? 2 : range.l_type != F_UNLCK);
	}
	await(what, child);
}

static int lock(int fd, short type)
{
	struct flock range = {.l_type = type, .l_whence = SEEK_SET};

	return fcntl(fd, F_SETLK, &range);
}

struct result {
	long long value;
	int error;
};

/* Prints by a number that is not open. */
static struct result print(int number)
{
	struct result result = {.value = write(number, "printed", 7)};

	result.error = result.value < 0 ? errno : 0;
	return result;
}

/* Small requests near each other, for which pf/auto takes pages. */
static void use(int fd)
{
	char bytes[50];

	for (int i = 0; i < 300; i++) {
		memset(bytes, 'a' + i % 26, sizeof(bytes));
		if (pwrite(fd, bytes, sizeof(bytes), i * 50) != 50 || pread(fd, bytes, sizeof(bytes), i / 2 * 50) != 50)
			_exit(71);
	}
}

static void serve(void)
{
	static const char *const names[3] = {"zero", "one", "two"};
	struct result results[3][3];
	int numbers[3];

	for (int i = 0; i < 3; i++)
		close(i);
	for (int i = 0; i < 3; i++) {
		numbers[i] = open(names[i], O_RDWR | O_CREAT | O_TRUNC, 0600);
		if (numbers[i] < 0)
			_exit(72);
		use(numbers[i]);
		/* The numbers that are not open yet. */
		for (int number = i + 1; number < 3; number++)
			results[i][number] = print(number);
		if (lock(numbers[i], F_WRLCK) < 0)
			_exit(73);
	}
	MUST(dup2(output, 1) == 1);
	for (int i = 0; i < 3; i++) {
		say("%s is %d", names[i], numbers[i]);
		for (int number = i + 1; number < 3; number++)
			say("printing by %d: %lld, %s", number, results[i][number].value, strerror(results[i][number].error));
	}
	see_lock("the lock of zero", numbers[0]);
	see_lock("the lock of two", numbers[2]);
	look("two");
}

int main(int argc, char **argv)
{
	pid_t child;
	int fd;

	begin(argc, argv);
	output = fcntl(1, F_DUPFD_CLOEXEC, 100);
	MUST(output >= 0);
	child = fork();
	MUST(child >= 0);
	if (child == 0) {
		/* As if the program used all numbers up to this one. */
		fd = fcntl(open("lock", O_RDWR | O_CREAT, 0600), F_DUPFD, 50);
		MUST(fd >= 0 && lock(fd, F_WRLCK) == 0);
		serve();
		see_lock("the first lock", fd);
		_exit(0);
	}
	await("the daemon", child);
	look("zero");
	look("one");
	look("two");
	return 0;
}

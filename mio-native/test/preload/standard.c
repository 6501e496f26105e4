/*
 * A process closes its standard streams and opens its data there, as daemons do, while the user has asked for reports and messages
 * on these numbers. Its files must contain nothing but its data.
 */
#include "see.h"

static void write_data(void)
{
	int fd;

	close(0);
	MUST(close(1) == 0);
	fclose(stderr);
	for (int number = 0; number < 3; number++) {
		char name[] = "data 0";

		name[5] = (char)('0' + number);
		if (open(name, O_RDWR | O_CREAT | O_TRUNC, 0600) != number || write(number, name, 6) != 6)
			_exit(71);
	}
	fd = open("another", O_RDWR | O_CREAT | O_TRUNC, 0600);
	if (write(fd, "x", 1) != 1 || close(fd) < 0)
		_exit(72);
	for (int number = 0; number < 3; number++)
		if (write(number, "more", 4) != 4)
			_exit(73);
}

static void run(const char *statistics)
{
	char *const arguments[] = {see_program, (char *)(uintptr_t)".", (char *)(uintptr_t)"writer", NULL};
	pid_t child = fork();

	MUST(child >= 0);
	if (child == 0) {
		setenv("MIO_STATS", statistics, 1);
		execv(see_program, arguments);
		_exit(98);
	}
	await(statistics, child);
	look("data 0");
	look("data 1");
	look("data 2");
}

int main(int argc, char **argv)
{
	begin(argc, argv);
	if (argc > 2) {
		write_data();
		return 0;
	}
	run("stdout");
	run("stderr");
	run("none/there");
	return 0;
}

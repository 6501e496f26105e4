/*
 * The program executes itself again and again, by each of the functions for it. Open descriptors continue where they were, dirty
 * bytes are there, and those that are to be closed are closed. An exec that fails changes nothing.
 */
#include "see.h"

#include <sys/syscall.h>

extern char **environ;

enum { BYTES = 60000, STAGES = 11, VARIABLES = 10000 };

static char bytes[BYTES];

/* The environment of the program, with the stage that it is made for. */
static char *const *environment_of(int stage)
{
	static char *environment[VARIABLES], text[32];
	int count = 0;

	snprintf(text, sizeof(text), "STAGE=%d", stage);
	environment[count++] = text;
	for (int i = 0; environ[i]; i++) {
		MUST(count < VARIABLES - 1);
		if (strncmp(environ[i], "STAGE=", 6) != 0)
			environment[count++] = environ[i];
	}
	environment[count] = NULL;
	return environment;
}

static int call(int how, char *const *arguments)
{
	char *const *environment = environment_of(how);
	const char *name = see_program;
	int fd;

	switch (how) {
	case 0:
		return execv(name, arguments);
	case 1:
		return execve(name, arguments, environment);
	case 2:
		return execvp(name, arguments);
	case 3:
		return execvpe(name, arguments, environment);
	case 4:
		return execl(name, arguments[0], arguments[1], arguments[2], (char *)NULL);
	case 5:
		return execlp(name, arguments[0], arguments[1], arguments[2], (char *)NULL);
	case 6:
		return execle(name, arguments[0], arguments[1], arguments[2], (char *)NULL, environment);
	case 7:
		fd = open(name, O_RDONLY | O_CLOEXEC);
		return fexecve(fd, arguments, environment);
	case 8:
		return execveat(AT_FDCWD, name, arguments, environment, 0);
	case 9:
		fd = open(name, O_RDONLY | O_CLOEXEC);
		return execveat(fd, "", arguments, environment, AT_EMPTY_PATH);
	default:
		return (int)syscall(SYS_execve, name, arguments, environment);
	}
}

static void next(int stage, int fd)
{
	char number[16];
	char *const arguments[] = {see_program, (char *)(uintptr_t)".", number, NULL};

	snprintf(number, sizeof(number), "%d", stage);
	fill(bytes, 3000, (unsigned int)stage, 0);
	MUST(pwrite(fd, bytes, 3000, stage * 3000) == 3000);
	MUST(lseek(fd, stage * 3000 + 17, SEEK_SET) >= 0);
	/* This descriptor is not there in the next program, but its bytes are. */
	{
		int closed = open("closed", O_RDWR | O_CREAT | O_CLOEXEC, 0600);

		MUST(closed == 4 && pwrite(closed, bytes, 3000, stage * 3000) == 3000);
	}
	call(stage, arguments);
	say("exec failed: %s", strerror(errno));
	_exit(1);
}

static void failing(int fd)
{
	char *const arguments[] = {(char *)(uintptr_t)"none", NULL};

	MUST(write(fd, "before it fails", 15) == 15);
	SEE(execv("./none", arguments));
	SEE(execvp("no such program", arguments));
	SEE(execl("closed", "closed", (char *)NULL));
	SEE(execle("closed", "closed", (char *)NULL, environ));
	SEE(execveat(AT_FDCWD, "./none", arguments, environ, 0));
	SEE(fexecve(fd, arguments, environ));
	SEE(lseek(fd, 0, SEEK_CUR));
	SEE(write(fd, " and after", 10));
	SEE(lseek(fd, 0, SEEK_SET));
	SEE(read(fd, bytes, 100));
	say("%.25s", bytes);
	SEE(ftruncate(fd, 0));
	SEE(lseek(fd, 0, SEEK_SET));
}

int main(int argc, char **argv)
{
	int stage = argc > 2 ? atoi(argv[2]) : -1;
	int fd = 3;

	begin(argc, argv);
	if (stage < 0) {
		MUST(creat("closed", 0600) == 3 && close(3) == 0);
		MUST(open("f", O_RDWR | O_CREAT, 0600) == fd);
		failing(fd);
		next(0, fd);
	}
	say("stage %d of %s: at %lld, number 4 is %d", stage, getenv("STAGE") ? getenv("STAGE") : "none", (long long)lseek(fd, 0, SEEK_CUR),
	    fcntl(4, F_GETFD));
	MUST(read(fd, bytes, 100) == 100);
	say("%016llx, end at %lld", (unsigned long long)digest(bytes, 100), (long long)lseek(fd, 0, SEEK_END));
	MUST(pread(fd, bytes + 3000, 3000, stage * 3000) == 3000);
	fill(bytes, 3000, (unsigned int)stage, 0);
	MUST(memcmp(bytes, bytes + 3000, 3000) == 0);
	if (stage + 1 < STAGES)
		next(stage + 1, fd);
	SEE(close(fd));
	look("f");
	look("closed");
	return 0;
}

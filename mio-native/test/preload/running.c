/*
 * A program that is written, opened for reading, and run: the kernel does not run a file that someone has open for writing. And a
 * lock by flock, which ends with the last descriptor of its open.
 */
#include "see.h"

#include <spawn.h>
#include <sys/file.h>

extern char **environ;

static char *const arguments[] = {(char *)(uintptr_t)"a program", (char *)(uintptr_t)"runs", NULL};

/* Copies in small pieces, for which pf/auto takes pages, or in large ones, which it passes on. */
static int copy(const char *name, int flags, size_t piece)
{
	char *bytes = malloc(piece);
	int from = open(see_program, O_RDONLY);
	int to = open(name, flags | O_CREAT | O_TRUNC, 0755);
	ssize_t got;

	MUST(bytes && from >= 0 && to >= 0);
	while ((got = read(from, bytes, piece)) > 0)
		MUST(write(to, bytes, (size_t)got) == got);
	MUST(got == 0 && close(from) == 0);
	/* Anything may follow the end of a program. */
	memset(bytes, 'x', piece);
	for (int i = 0; i < 4; i++)
		MUST(write(to, bytes, piece) == (ssize_t)piece);
	free(bytes);
	return to;
}

static void run(const char *name, int reader)
{
	pid_t child = fork();

	MUST(child >= 0);
	if (child == 0) {
		execve(name, arguments, environ);
		say("%s: %s", name, strerror(errno));
		_exit(1);
	}
	await("exec", child);
	child = fork();
	MUST(child >= 0);
	if (child == 0) {
		fexecve(reader, arguments, environ);
		say("%s by its descriptor: %s", name, strerror(errno));
		_exit(1);
	}
	await("fexecve", child);
	errno = posix_spawn(&child, name, NULL, NULL, arguments, environ);
	if (errno == 0)
		await("spawn", child);
	else
		say("spawn: %s", strerror(errno));
}

static void write_and_run(const char *name, int flags, size_t piece)
{
	int to = copy(name, flags, piece);
	int reader = open(name, O_RDONLY);
	int again = open(name, flags);
	char bytes[64];

	MUST(reader >= 0 && again >= 0);
	for (int i = 0; i < 200; i++)
		MUST(pread(reader, bytes, sizeof(bytes), i * 16) == sizeof(bytes));
	MUST(memcmp(bytes, "\177ELF", 4) != 0 && pread(reader, bytes, 4, 0) == 4 && memcmp(bytes, "\177ELF", 4) == 0);
	MUST(close(to) == 0);
	/* The file still has another writer. */
	SEE(execve(name, arguments, environ));
	MUST(pwrite(again, "\177ELF", 4, 0) == 4 && close(again) == 0);
	run(name, reader);
	/* The reader goes on, and so does a new writer. */
	MUST(pread(reader, bytes, 4, 0) == 4 && memcmp(bytes, "\177ELF", 4) == 0);
	to = open(name, flags);
	MUST(to >= 0 && pwrite(to, "text", 4, 0) == 4);
	MUST(pread(reader, bytes, 4, 0) == 4 && memcmp(bytes, "text", 4) == 0);
	MUST(close(to) == 0 && close(reader) == 0);
	look(name);
	unlink(name);
}

/* Runs as a user who may not open the file for writing again. */
static void lock_and_close(void)
{
	int fd = open("everybody's/locked", O_RDWR | O_CREAT | O_EXCL, 0444);
	int reader, other;

	MUST(fd >= 0);
	SEE(flock(fd, LOCK_EX));
	SEE(write(fd, "bytes", 5));
	reader = open("everybody's/locked", O_RDONLY);
	MUST(reader >= 0);
	other = open("everybody's/locked", O_RDONLY);
	SEE(flock(other, LOCK_EX | LOCK_NB));
	SEE(close(fd));
	SEE(flock(other, LOCK_EX | LOCK_NB));
	SEE(close(reader));
	SEE(close(other));
	look("everybody's/locked");
}

int main(int argc, char **argv)
{
	pid_t child;

	if (argc > 1 && strcmp(argv[1], "runs") == 0)
		return 42;
	begin(argc, argv);
	write_and_run("small", O_RDWR, 64);
	write_and_run("only", O_WRONLY, 64);
	write_and_run("large", O_RDWR, 1 << 20);
	MUST(mkdir("everybody's", 0777) == 0 && chmod("everybody's", 0777) == 0);
	child = fork();
	MUST(child >= 0);
	if (child == 0) {
		/* Where the user cannot be changed, this one may open the file again. */
		if (geteuid() == 0 && (setresgid(65534, 65534, 65534) < 0 || setresuid(65534, 65534, 65534) < 0))
			errno = 0;
		lock_and_close();
		_exit(0);
	}
	await("locks", child);
	return 0;
}

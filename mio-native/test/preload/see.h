#ifndef MIO_TEST_PRELOAD_SEE_H
#define MIO_TEST_PRELOAD_SEE_H

/*
 * Shared by the programs of this directory. Each program is run with and without MIO, in an empty directory of its own (argv[1]).
 * It says on stdout what it sees, and exits with 1 if something is plainly wrong. Its output must be the same in every run: no
 * process number, current time, address or directory name.
 *
 * outside asks a process without MIO that was started at the beginning; none of the calls used for that tells MIO anything about
 * the file.
 */

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "old.h"

#define UNUSED __attribute__((unused))

static char *see_program;	/* the absolute name of argv[0] */

/* Writes one line to stdout without buffering, because children write lines, too. */
UNUSED __attribute__((format(printf, 1, 2))) static void say(const char *format, ...)
{
	char line[2048];
	int errno_before = errno;
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = vsnprintf(line, sizeof(line) - 1, format, arguments);
	va_end(arguments);
	if (length > (int)sizeof(line) - 2)
		length = (int)sizeof(line) - 2;
	line[length] = '\n';
	if (write(1, line, (size_t)length + 1) != length + 1)
		_exit(99);
	errno = errno_before;
}

#define MUST(condition) \
	do { \
		if (!(condition)) { \
			say("%s:%d: not true: %s (%s)", strrchr("/" __FILE__, '/') + 1, __LINE__, #condition, strerror(errno)); \
			_exit(1); \
		} \
	} while (0)

/* Says the call, its result, and errno if the call failed or changed errno although it succeeded. */
#define SEE(call) \
	do { \
		long long see_; \
		errno = 0; \
		see_ = (long long)(call); \
		if (see_ < 0) \
			say("%s = %lld, %s", #call, see_, strerror(errno)); \
		else if (errno) \
			say("%s = %lld, but errno is %s", #call, see_, strerror(errno)); \
		else \
			say("%s = %lld", #call, see_); \
	} while (0)

/* The same for calls that return a pointer: says whether it is there, and errno if it is NULL. */
#define SEE_POINTER(call) \
	do { \
		const void *see_; \
		errno = 0; \
		see_ = (const void *)(call); \
		if (see_) \
			say("%s is there", #call); \
		else \
			say("%s is not there, %s", #call, strerror(errno)); \
	} while (0)

/* Bytes that depend on the file's seed and on their offset. */
UNUSED static void fill(void *memory, size_t length, unsigned int seed, int64_t offset)
{
	unsigned char *bytes = memory;

	for (size_t i = 0; i < length; i++) {
		uint64_t x = (uint64_t)(offset + (int64_t)i) / 8 * 0x9E3779B97F4A7C15u + seed;

		x ^= x >> 29;
		x *= 0xBF58476D1CE4E5B9u;
		bytes[i] = (unsigned char)(x >> (8 * ((offset + (int64_t)i) % 8)));
	}
}

UNUSED static uint64_t digest_more(uint64_t digest, const void *memory, size_t length)
{
	const unsigned char *bytes = memory;

	for (size_t i = 0; i < length; i++)
		digest = (digest ^ bytes[i]) * 0x100000001B3u;
	return digest;
}

#define DIGEST_BEGIN 0xCBF29CE484222325u

UNUSED static uint64_t digest(const void *memory, size_t length)
{
	return digest_more(DIGEST_BEGIN, memory, length);
}

/* The length, digest and first bytes of a file, read through an open of this process. */
UNUSED static void describe(const char *name, char *text, size_t room)
{
	static char part[65536];
	uint64_t sum = DIGEST_BEGIN;
	long long length = 0;
	char first[17] = "";
	ssize_t bytes;
	int fd = open(name, O_RDONLY);

	if (fd < 0) {
		snprintf(text, room, "%s: %s", name, strerror(errno));
		return;
	}
	while ((bytes = read(fd, part, sizeof(part))) > 0) {
		if (length == 0)
			for (int i = 0; i < 16 && i < bytes; i++)
				first[i] = part[i] > 32 && part[i] < 127 ? part[i] : '.';
		sum = digest_more(sum, part, (size_t)bytes);
		length += bytes;
	}
	if (bytes < 0)
		snprintf(text, room, "%s: %s after %lld bytes", name, strerror(errno), length);
	else
		snprintf(text, room, "%s: %lld bytes, %016llx, %s", name, length, (unsigned long long)sum, first);
	close(fd);
}

UNUSED static void look(const char *name)
{
	char text[512];

	describe(name, text, sizeof(text));
	say("%s", text);
}

/* ---- the process without MIO */

static int outside_ask = -1;
static int outside_answer = -1;

/* Serves "!name seed offset length": writes the bytes of that seed to the file. */
UNUSED static void outside_fill(const char *request, char *text, size_t room)
{
	static char part[65536];
	char name[128];
	unsigned int seed;
	long long offset;
	unsigned int length;
	int fd;

	if (sscanf(request, "!%127s %u %lld %u", name, &seed, &offset, &length) != 4 || length > sizeof(part))
		_exit(97);
	fill(part, length, seed, offset);
	fd = open(name, O_WRONLY);
	if (fd < 0 || pwrite(fd, part, length, offset) != (ssize_t)length || close(fd) < 0)
		_exit(96);
	snprintf(text, room, "written");
}

UNUSED static int outside_serve(void)
{
	char name[256];
	char text[512];
	ssize_t length;

	while ((length = read(0, name, sizeof(name) - 1)) > 0) {
		name[length] = 0;
		if (name[0] == '!')
			outside_fill(name, text, sizeof(text));
		else
			describe(name, text, sizeof(text));
		if (write(1, text, strlen(text)) < 0)
			return 1;
	}
	return 0;
}

/* Starts one process for the whole program; children use the same one. */
UNUSED static void outside_begin(void)
{
	char *const arguments[] = {see_program, (char *)(uintptr_t)"--outside", NULL};
	int ask[2];
	int answer[2];
	pid_t child;

	MUST(pipe(ask) == 0 && pipe(answer) == 0);
	child = fork();
	MUST(child >= 0);
	if (child == 0) {
		dup2(ask[0], 0);
		dup2(answer[1], 1);
		for (int fd = 3; fd < 32; fd++)
			close(fd);
		unsetenv("LD_PRELOAD");
		execv(see_program, arguments);
		_exit(98);
	}
	close(ask[0]);
	close(answer[1]);
	/* Numbers from 200 on, so that the numbers that the program gets stay the same. */
	outside_ask = fcntl(ask[1], F_DUPFD_CLOEXEC, 200);
	outside_answer = fcntl(answer[0], F_DUPFD_CLOEXEC, 200);
	close(ask[1]);
	close(answer[0]);
	MUST(outside_ask >= 0 && outside_answer >= 0);
}

UNUSED static void outside_asked(const char *name, char *text, size_t room)
{
	ssize_t length;

	MUST(write(outside_ask, name, strlen(name)) == (ssize_t)strlen(name));
	length = read(outside_answer, text, room - 1);
	MUST(length > 0);
	text[length] = 0;
}

UNUSED static void outside(const char *name)
{
	char text[512];

	outside_asked(name, text, sizeof(text));
	say("outside: %s", text);
}

/* Has the other process write bytes of the seed. */
UNUSED static void outside_writes(const char *name, unsigned int seed, int64_t offset, unsigned int length)
{
	char request[256];
	char text[512];

	snprintf(request, sizeof(request), "!%s %u %lld %u", name, seed, (long long)offset, length);
	outside_asked(request, text, sizeof(text));
	MUST(strcmp(text, "written") == 0);
}

/* ---- begin, children */

/* Changes to the program's directory. */
UNUSED static void begin(int argc, char **argv)
{
	see_program = realpath(argv[0], NULL);
	if (argc > 1 && strcmp(argv[1], "--outside") == 0)
		_exit(outside_serve());
	MUST(see_program && argc > 1);
	MUST(chdir(argv[1]) == 0);
	umask(022);
}

UNUSED static void say_status(const char *what, int status)
{
	if (WIFSIGNALED(status))
		say("%s ended by signal %d", what, WTERMSIG(status));
	else
		say("%s ended with %d", what, WEXITSTATUS(status));
}

UNUSED static void await(const char *what, pid_t child)
{
	int status;
	pid_t got;

	while ((got = waitpid(child, &status, 0)) < 0 && errno == EINTR)
		;
	MUST(got == child);
	say_status(what, status);
}

/* Two processes take turns by passing one byte through a pipe. */
UNUSED static void pass_turn(int fd)
{
	MUST(write(fd, "t", 1) == 1);
}

UNUSED static void wait_turn(int fd)
{
	char turn;
	ssize_t got;

	while ((got = read(fd, &turn, 1)) < 0 && errno == EINTR)
		;
	MUST(got == 1);
}

/* Makes a new file of so many bytes of fill. */
UNUSED static void make_file(const char *name, size_t length, unsigned int seed)
{
	char *bytes = malloc(length + 1);
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0644);

	MUST(bytes && fd >= 0);
	fill(bytes, length, seed, 0);
	MUST(write(fd, bytes, length) == (ssize_t)length);
	MUST(close(fd) == 0);
	free(bytes);
}

/* Whether length bytes at offset of the open file are fill of the seed. It uses pread, so the position does not change. */
UNUSED static int is_fill(int fd, size_t length, unsigned int seed, int64_t offset)
{
	char *have = malloc(length + 1);
	char *want = malloc(length + 1);
	ssize_t got = pread(fd, have, length, offset);
	int same;

	MUST(have && want);
	fill(want, length, seed, offset);
	same = got == (ssize_t)length && memcmp(have, want, length) == 0;
	free(have);
	free(want);
	return same;
}

#endif

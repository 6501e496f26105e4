#ifndef MIO_TEST_CAPI_API_H
#define MIO_TEST_CAPI_API_H

/* For tests of the C API: MIO's calls and the plain ones behind one interface, and a runner for sentences under several rules. */

#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../include/mio/mio.h"
#include "assert.h"
#include "place.h"

struct api {
	const char *name;
	int (*open)(const char *path, int oflag, ...);
	int (*close)(int fd);
	int (*dup)(int fd);
	int (*dup2)(int fd, int copy);
	int (*unlink)(const char *path);
	ssize_t (*read)(int fd, void *memory, size_t bytes);
	ssize_t (*write)(int fd, const void *memory, size_t bytes);
	ssize_t (*readv)(int fd, const struct iovec *vector, int count);
	ssize_t (*writev)(int fd, const struct iovec *vector, int count);
	ssize_t (*pread)(int fd, void *memory, size_t bytes, off_t offset);
	ssize_t (*pwrite)(int fd, const void *memory, size_t bytes, off_t offset);
	off_t (*lseek)(int fd, off_t offset, int whence);
	int (*fcntl)(int fd, int command, ...);
	int (*fstat)(int fd, struct stat *found);
	int (*fstatfs)(int fd, struct statfs *found);
	int (*fsync)(int fd);
	int (*fdatasync)(int fd);
	int (*ftruncate)(int fd, off_t size);
	int (*aio_read)(struct aiocb *request);
	int (*aio_write)(struct aiocb *request);
	int (*aio_suspend)(const struct aiocb *const list[], int count, const struct timespec *timeout);
	int (*aio_cancel)(int fd, struct aiocb *request);
	int (*aio_error)(const struct aiocb *request);
	ssize_t (*aio_return)(struct aiocb *request);
	int (*lio_listio)(int mode, struct aiocb *const list[], int count, struct sigevent *event);
};

#define API(prefix, opening) \
	{ \
		#prefix, opening, prefix##close, prefix##dup, prefix##dup2, prefix##unlink, prefix##read, prefix##write, \
			prefix##readv, prefix##writev, prefix##pread, prefix##pwrite, prefix##lseek, prefix##fcntl, \
			prefix##fstat, prefix##fstatfs, prefix##fsync, prefix##fdatasync, prefix##ftruncate, \
			prefix##aio_read, prefix##aio_write, prefix##aio_suspend, prefix##aio_cancel, prefix##aio_error, \
			prefix##aio_return, prefix##lio_listio, \
	}

/* The rules under which every sentence is run. "" means no rule. */
static const char *const test_rules[] = {
	"",
	"* [ trace ]",
	"* [ trace/nostats | pf/cache=16k/page=4k/pref=1 | trace ]",
	"* [ pf/through/cache=64k/page=4k/pref=auto ]",
	"* [ mio/cio | pf/direct/cache=1m/page=64k/pref=4/stats ]",
	"* [ pf/synchronous/private/cache=64k/page=16k/pffw ]",
	"* [ pf/auto ]",
	"* [ mio/direct | trace/nostats ]",
};

static const char *test_directory(void)
{
	const char *directory = getenv("MIO_TEST_DIR");

	return directory && *directory ? directory : "/tmp";
}

/* Writes into room a file name in the test directory that is unique to this process. */
__attribute__((format(printf, 3, 4))) static char *test_name(char *room, size_t bytes, const char *format, ...)
{
	va_list arguments;
	int length = snprintf(room, bytes, "%s/capi.%ld.", test_directory(), (long)getpid());

	va_start(arguments, format);
	vsnprintf(room + length, bytes - (size_t)length, format, arguments);
	va_end(arguments);
	return room;
}

/* Runs sentences with these settings in a child process in which MIO has not begun yet. Returns the child's status as waitpid gives it. */
static int test_run_under(const char *files, const char *stats, void (*sentences)(void))
{
	pid_t child;
	int status = 0;

	fflush(NULL);
	child = fork();
	ASSERT(child >= 0);
	if (child == 0) {
		unsetenv("MIO_DEFAULTS");
		unsetenv("MIO_DEBUG");
		unsetenv("MIO_ENABLED");
		unsetenv("MIO_CONFIG");
		unsetenv("MIO_PRELOAD");
		setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
		setenv("MIO_FILES", files, 1);
		if (stats)
			setenv("MIO_STATS", stats, 1);
		else
			unsetenv("MIO_STATS");
		sentences();
		exit(TEST_RESULT());
	}
	ASSERT_EQUAL(child, waitpid(child, &status, 0));
	return status;
}

static inline void test_run_under_all_rules(void (*sentences)(void))
{
	for (size_t i = 0; i < sizeof(test_rules) / sizeof(test_rules[0]); i++) {
		int status = test_run_under(test_rules[i], NULL, sentences);

		if (status != 0) {
			fprintf(stderr, "under MIO_FILES=%s: status 0x%x\n", test_rules[i], (unsigned int)status);
			exit(1);
		}
	}
}

/* Reads the whole file by the plain calls. Returns the number of bytes; the caller owns the memory. */
static inline size_t test_content(const char *name, char **content)
{
	struct stat found;
	int fd = open(name, O_RDONLY | O_CLOEXEC);
	size_t bytes;

	ASSERT(fd >= 0 && fstat(fd, &found) == 0);
	bytes = (size_t)found.st_size;
	*content = calloc(1, bytes + 1);
	ASSERT(*content && read(fd, *content, bytes) == (ssize_t)bytes);
	close(fd);
	return bytes;
}

/* Redirects standard error to the file name; NULL restores it. */
static inline void test_captured(const char *name)
{
	static int before = -1;
	int fd;

	fflush(stderr);
	if (name) {
		before = fcntl(2, F_DUPFD_CLOEXEC, 10);
		fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
		ASSERT(before >= 0 && fd >= 0 && dup2(fd, 2) == 2);
		close(fd);
	} else {
		dup2(before, 2);
		close(before);
	}
}

#endif

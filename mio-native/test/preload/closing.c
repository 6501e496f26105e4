/*
 * Programs that close every descriptor they can think of, and go on; programs that close a file which a thread is copying; programs
 * with few descriptors.
 */
#include "see.h"

#include <dirent.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#ifndef CLOSE_RANGE_CLOEXEC
#define CLOSE_RANGE_CLOEXEC 4
#endif
#ifndef CLOSE_RANGE_UNSHARE
#define CLOSE_RANGE_UNSHARE 2
#endif

static char bytes[40000];

static int dirty(const char *name)
{
	int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);

	MUST(fd >= 0);
	fill(bytes, sizeof(bytes), 1, 0);
	MUST(write(fd, bytes, sizeof(bytes)) == (ssize_t)sizeof(bytes));
	return fd;
}

static int close_by(int how)
{
	int failed = 0;

	switch (how) {
	case 0:
		for (int fd = 3; fd < 1024; fd++)
			failed += close(fd) < 0;
		return failed;
	case 1:
		return (int)syscall(SYS_close_range, 3, ~0U, 0);
	case 2:
		closefrom(3);
		return 0;
	case 3:
		return (int)syscall(SYS_close_range, 3, ~0U, CLOSE_RANGE_UNSHARE);
	default:
		return close_range(3, ~0U, 0);
	}
}

static void closes_all(int how)
{
	pid_t child = fork();

	if (child == 0) {
		int a = dirty("a");
		int b = dirty("b");
		int c = open("a", O_RDONLY);
		int closed;
		int fd;

		MUST(dup2(b, 30) == 30);
		/* MIO's own descriptors must not count as descriptors to be closed. */
		closed = close_by(how);
		say("%d: %d, numbers %d %d %d", how, closed, a, b, c);
		SEE(write(a, "x", 1));
		SEE(close(30));
		outside_ask = outside_answer = -1;
		/* The program goes on. */
		fd = dirty("c");
		say("number %d", fd);
		MUST(is_fill(fd, sizeof(bytes), 1, 0));
		SEE(lseek(fd, 0, SEEK_CUR));
		c = open("a", O_RDWR);
		MUST(is_fill(c, sizeof(bytes), 1, 0));
		SEE(pwrite(c, "again", 5, 100));
		exit(0);
	}
	await("child", child);
	outside("a");
	outside("b");
	outside("c");
}

static void ranges(void)
{
	int a = dirty("a");
	int b = dirty("b");
	int c = dirty("c");

	SEE(close_range((unsigned int)b, (unsigned int)b, 0));
	SEE(lseek(a, 0, SEEK_CUR));
	SEE(lseek(b, 0, SEEK_CUR));
	SEE(lseek(c, 0, SEEK_CUR));
	outside("b");
	SEE(close_range((unsigned int)a, (unsigned int)c, CLOSE_RANGE_CLOEXEC) == 0 || errno == EINVAL);
	SEE(fcntl(a, F_GETFD) >= 0);
	SEE(lseek(c, 0, SEEK_CUR));
	SEE(close_range(5, 3, 0));
	SEE(close_range((unsigned int)a, (unsigned int)c, 0x4000));
	SEE(close(a));
	SEE(close(c));
}

/* ---- a file is closed while a thread copies between it and a pipe or a socket, for which the copy has to wait */

static int copied_fd;
static int ends[2];
static _Atomic pid_t copying;	/* the number of the thread, once it begins */
static ssize_t copied;

static void *splice_in(void *unused)
{
	(void)unused;
	copying = gettid();
	copied = splice(ends[0], NULL, copied_fd, NULL, 100, 0);
	return NULL;
}

static void *splice_out(void *unused)
{
	(void)unused;
	copying = gettid();
	copied = splice(copied_fd, NULL, ends[1], NULL, 1000, 0);
	return NULL;
}

static void *send_all(void *unused)
{
	off_t at = 0;

	(void)unused;
	copying = gettid();
	copied = sendfile(ends[1], copied_fd, &at, sizeof(bytes));
	return NULL;
}

static uint64_t drain(size_t length)
{
	uint64_t sum = DIGEST_BEGIN;
	char part[1000];

	for (size_t done = 0; done < length;) {
		ssize_t got = read(ends[0], part, length - done < sizeof(part) ? length - done : sizeof(part));

		MUST(got > 0);
		sum = digest_more(sum, part, (size_t)got);
		done += (size_t)got;
	}
	return sum;
}

/* Fills the pipe or socket. Returns how many bytes that took. */
static size_t fill_up(int fd)
{
	int flags = fcntl(fd, F_GETFL);
	static const char zeros[1000];
	size_t sum = 0;
	ssize_t put;

	MUST(fcntl(fd, F_SETFL, flags | O_NONBLOCK) == 0);
	while ((put = write(fd, zeros, sizeof(zeros))) > 0)
		sum += (size_t)put;
	MUST(fcntl(fd, F_SETFL, flags) == 0);
	return sum;
}

/* Waits until the thread waits for the other end: in its call, or in a read of the pipe. If the kernel does not tell, waits for a while. */
static void until_it_waits(void)
{
	char name[64];
	char text[256];
	long number = -1;

	while (!copying)
		usleep(1000);
	snprintf(name, sizeof(name), "/proc/self/task/%d/syscall", (int)copying);
	while (number != SYS_splice && number != SYS_sendfile && number != SYS_read) {
		int fd = open(name, O_RDONLY);
		ssize_t got = read(fd, text, sizeof(text) - 1);

		usleep(fd < 0 || got <= 0 ? 20000 : 1000);
		close(fd);
		if (fd < 0 || got <= 0)
			return;
		text[got] = 0;
		/* If the thread runs, the kernel gives a word instead. */
		if (sscanf(text, "%ld", &number) != 1)
			number = -1;
	}
}

/* Opens the file, and another one that gets its number while the thread waits. */
static void begin_copy(pthread_t *thread, void *(*run)(void *))
{
	copying = 0;
	copied_fd = dirty("copied");
	MUST(lseek(copied_fd, 0, SEEK_SET) == 0);
	MUST(pthread_create(thread, NULL, run, NULL) == 0);
	until_it_waits();
	SEE(close(copied_fd));
	MUST(dirty("next") == copied_fd);
	MUST(lseek(copied_fd, 500, SEEK_SET) == 500);
}

static void end_copy(const char *what, pthread_t thread)
{
	MUST(pthread_join(thread, NULL) == 0);
	say("%s: the next is at %lld", what, (long long)lseek(copied_fd, 0, SEEK_CUR));
	MUST(is_fill(copied_fd, sizeof(bytes), 1, 0));
	SEE(close(copied_fd));
	MUST(close(ends[0]) == 0 && close(ends[1]) == 0);
	look("next");
}

static void copied_meanwhile(void)
{
	pthread_t thread;
	size_t before;

	MUST(pipe(ends) == 0);
	begin_copy(&thread, splice_in);
	MUST(write(ends[1], "a few bytes", 11) == 11);
	end_copy("splice into a file", thread);
	MUST(pipe(ends) == 0);
	before = fill_up(ends[1]);
	begin_copy(&thread, splice_out);
	drain(before);
	say("%016llx", (unsigned long long)drain(1000));
	end_copy("splice out of a file", thread);
	say("%zd", copied);
	MUST(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
	before = fill_up(ends[1]);
	begin_copy(&thread, send_all);
	drain(before);
	say("%016llx", (unsigned long long)drain(sizeof(bytes)));
	end_copy("sendfile", thread);
	say("%zd", copied);
}

/* With a limit of 64 descriptors, 20 files work at once, and as many files can be opened as without MIO. */
static void few(int hard)
{
	struct rlimit limit;
	int fds[64];
	int count = 0;
	pid_t child = fork();

	if (child == 0) {
		MUST(getrlimit(RLIMIT_NOFILE, &limit) == 0);
		limit.rlim_cur = 64;
		if (hard)
			limit.rlim_max = 64;
		MUST(setrlimit(RLIMIT_NOFILE, &limit) == 0);
		for (int i = 0; i < 20; i++) {
			char name[16];

			snprintf(name, sizeof(name), "few%d", i);
			fds[i] = dirty(name);
		}
		for (int i = 0; i < 20; i++) {
			MUST(is_fill(fds[i], sizeof(bytes), 1, 0));
			MUST(close(fds[i]) == 0);
		}
		while (count < 64) {
			char name[16];

			snprintf(name, sizeof(name), "few%d", count % 20);
			fds[count] = open(name, O_RDWR);
			if (fds[count] < 0)
				break;
			count++;
		}
		say("opened %d, then %s", count, strerror(errno));
		for (int i = 0; i < count; i++) {
			MUST(is_fill(fds[i], 100, 1, 0));
			MUST(pwrite(fds[i], "x", 1, 200 + i) == 1);
		}
		for (int i = 0; i < count; i++)
			MUST(close(fds[i]) == 0);
		SEE(open("few0", O_RDONLY));
		MUST(getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur == 64);
		exit(0);
	}
	await("child", child);
	outside("few0");
	outside("few13");
}

/* The program takes every number up to 999 with dup2. */
static void many(void)
{
	int fd = dirty("many");
	int made = 0;

	for (int copy = 10; copy < 1000; copy++) {
		MUST(dup2(fd, copy) == copy);
		made++;
		MUST(pwrite(copy, "x", 1, copy * 50) == 1);
	}
	say("made %d", made);
	SEE(lseek(999, 0, SEEK_END));
	for (int copy = 999; copy >= 10; copy--)
		MUST(close(copy) == 0);
	SEE(close(fd));
	look("many");
	outside("many");
}

/* A file is no directory to be read, and stays as it is. */
static void no_directory(void)
{
	char text[5] = "";
	int file = open("file", O_RDWR | O_CREAT | O_TRUNC, 0600);

	MUST(write(file, "aaaabbbbcccc", 12) == 12 && lseek(file, 0, SEEK_SET) == 0 && read(file, text, 4) == 4);
	SEE_POINTER(fdopendir(file));
	SEE(read(file, text, 4));
	say("%s", text);
	SEE(close(file));
}

int main(int argc, char **argv)
{
	struct rlimit usual;

	begin(argc, argv);
	MUST(getrlimit(RLIMIT_NOFILE, &usual) == 0);
	usual.rlim_cur = 1024;
	MUST(setrlimit(RLIMIT_NOFILE, &usual) == 0);
	outside_begin();
	for (int how = 0; how < 5; how++)
		closes_all(how);
	ranges();
	copied_meanwhile();
	few(0);
	few(1);
	/* many() takes the numbers 200 and 201, too. */
	close(outside_ask);
	close(outside_answer);
	{
		pid_t child = fork();

		if (child == 0) {
			outside_begin();
			MUST((outside_ask = fcntl(outside_ask, F_DUPFD, 1005)) > 0);
			MUST((outside_answer = fcntl(outside_answer, F_DUPFD, 1005)) > 0);
			many();
			exit(0);
		}
		await("child", child);
	}
	no_directory();
	return 0;
}

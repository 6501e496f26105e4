/* Programs that close all descriptors they can think of, and go on; programs with few descriptors. */
#include "see.h"

#include <sys/resource.h>
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
		/* MIO's own are not among those that were there to be closed. */
		closed = close_by(how);
		say("%d: %d, numbers %d %d %d", how, closed, a, b, c);
		SEE(write(a, "x", 1));
		SEE(close(30));
		outside_ask = outside_answer = -1;
		/* And on. */
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

/* With a limit of 64 descriptors: 20 files at once work, and as many can be opened as can be without MIO. */
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

/* Numbers all the way up, each taken with dup2 by the program. */
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
	few(0);
	few(1);
	/* Takes 200 and 201, too. */
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
	return 0;
}

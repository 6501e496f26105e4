/* fork with dirty bytes and shared positions; children that go on writing, end in all ways, and have children. */
#include "see.h"

#include <pthread.h>
#include <sys/wait.h>

enum { BYTES = 100000 };

static char bytes[BYTES];

/* The child has what was written, from a position that both share. */
static void position(void)
{
	int turn[2];
	int back[2];
	int fd = open("shared", O_RDWR | O_CREAT, 0600);
	int untouched = open("shared", O_RDONLY);
	pid_t child;

	MUST(pipe(turn) == 0 && pipe(back) == 0);
	fill(bytes, BYTES, 1, 0);
	MUST(write(fd, bytes, BYTES) == BYTES);
	MUST(lseek(fd, 10, SEEK_SET) == 10);
	child = fork();
	if (child == 0) {
		MUST(is_fill(fd, BYTES, 1, 0));
		SEE(lseek(fd, 0, SEEK_CUR));
		SEE(read(fd, bytes, 20));
		pass_turn(back[1]);
		wait_turn(turn[0]);
		SEE(lseek(fd, 0, SEEK_CUR));
		SEE(write(fd, "by the child", 12));
		pass_turn(back[1]);
		wait_turn(turn[0]);
		SEE(pread(fd, bytes, 13, 4000));
		say("%.13s", bytes);
		SEE(read(untouched, bytes, 100));
		_exit(0);
	}
	wait_turn(back[0]);
	SEE(lseek(fd, 0, SEEK_CUR));
	SEE(read(fd, bytes, 30));
	say("%016llx", (unsigned long long)digest(bytes, 30));
	pass_turn(turn[1]);
	wait_turn(back[0]);
	SEE(lseek(fd, 0, SEEK_CUR));
	SEE(pread(fd, bytes, 12, 60));
	say("%.12s", bytes);
	SEE(pwrite(fd, "by the parent", 13, 4000));
	SEE(read(untouched, bytes, 50));
	pass_turn(turn[1]);
	await("child", child);
	SEE(lseek(untouched, 0, SEEK_CUR));
	SEE(read(untouched, bytes, 1000));
	say("%016llx", (unsigned long long)digest(bytes, 1000));
	SEE(close(fd));
	SEE(close(untouched));
	outside("shared");
	close(turn[0]);
	close(turn[1]);
	close(back[0]);
	close(back[1]);
}

/* Both write to one open; nothing is lost and nothing is written twice. */
static void both_write(void)
{
	pid_t children[3];
	int counts[4] = {0};
	int fd = open("both", O_RDWR | O_CREAT, 0600);

	MUST(write(fd, "start", 5) == 5);
	for (int i = 0; i < 3; i++) {
		children[i] = fork();
		if (children[i] == 0) {
			for (int n = 0; n < 50; n++)
				MUST(write(fd, i == 0 ? "aaaaaaa" : i == 1 ? "bbbbbbb" : "ccccccc", 7) == 7);
			exit(0);
		}
	}
	for (int n = 0; n < 50; n++)
		MUST(write(fd, "ddddddd", 7) == 7);
	for (int i = 0; i < 3; i++)
		await("child", children[i]);
	SEE(lseek(fd, 0, SEEK_CUR));
	MUST(pread(fd, bytes, BYTES, 0) == 5 + 4 * 350);
	for (int at = 5; at < 5 + 4 * 350; at++)
		counts[bytes[at] - 'a']++;
	say("%d %d %d %d", counts[0], counts[1], counts[2], counts[3]);
	/* The order of the writes differs from run to run. */
	SEE(ftruncate(fd, 5));
	SEE(close(fd));
}

/* A child closes, opens, truncates and ends; the parent goes on. */
static void independent(void)
{
	int fd = open("parent", O_RDWR | O_CREAT, 0600);
	pid_t child;

	MUST(write(fd, "dirty in the parent", 19) == 19);
	child = fork();
	if (child == 0) {
		int mine = open("child", O_RDWR | O_CREAT, 0600);
		pid_t grandchild;

		MUST(close(fd) == 0);
		MUST(write(mine, "dirty in the child", 18) == 18);
		grandchild = fork();
		if (grandchild == 0) {
			MUST(pread(mine, bytes, 18, 0) == 18);
			say("%.18s", bytes);
			MUST(write(mine, ", grown", 7) == 7);
			exit(3);
		}
		await("grandchild", grandchild);
		SEE(lseek(mine, 0, SEEK_CUR));
		look("parent");
		mine = open("parent", O_RDWR);
		MUST(pwrite(mine, "DIRTY", 5, 0) == 5);
		exit(0);
	}
	await("child", child);
	SEE(pread(fd, bytes, 19, 0));
	say("%.19s", bytes);
	SEE(write(fd, " again", 6));
	SEE(close(fd));
	outside("parent");
	outside("child");
}

/* What the parent wrote before and after stays whole while children come and go; they write none of it again. */
static void nothing_twice(void)
{
	int fd = open("twice", O_RDWR | O_CREAT, 0600);

	for (int round = 0; round < 5; round++) {
		pid_t child;

		fill(bytes, BYTES, 50 + (unsigned int)round, 0);
		MUST(pwrite(fd, bytes, BYTES, 0) == BYTES);
		child = fork();
		if (child == 0) {
			MUST(is_fill(fd, BYTES, 50 + (unsigned int)round, 0));
			if (round == 1)
				abort();
			if (round == 2)
				_exit(7);
			if (round == 3)
				raise(SIGKILL);
			exit(5);
		}
		if (round == 1)
			MUST(waitpid(child, NULL, 0) == child);
		else
			await("child", child);
		MUST(is_fill(fd, BYTES, 50 + (unsigned int)round, 0));
	}
	SEE(close(fd));
	outside("twice");
}

/* The parent of a daemon ends inside the C library. */
static void background(void)
{
	int ends[2];
	char byte = 0;
	pid_t child;

	MUST(pipe(ends) == 0);
	child = fork();
	if (child == 0) {
		int fd = open("daemon", O_RDWR | O_CREAT, 0600);

		MUST(write(fd, "before", 6) == 6);
		MUST(daemon(1, 1) == 0);
		MUST(write(fd, ", and after", 11) == 11);
		MUST(lseek(fd, 0, SEEK_CUR) == 17);
		fd = open("daemon2", O_RDWR | O_CREAT, 0600);
		MUST(write(fd, "by the daemon", 13) == 13);
		MUST(close(fd) == 0);
		pass_turn(ends[1]);
		exit(0);
	}
	await("parent of the daemon", child);
	MUST(read(ends[0], &byte, 1) == 1);
	close(ends[0]);
	close(ends[1]);
	outside("daemon");
	outside("daemon2");
}

static volatile int going;

static void *keep_writing(void *unused)
{
	int fd = open("thread", O_RDWR | O_CREAT, 0600);
	char mine[3000];

	(void)unused;
	MUST(fd >= 0);
	/* At least once: this thread may begin only when the forks are over. */
	for (int i = 0; i == 0 || going || i % 40 != 0; i++) {
		fill(mine, sizeof(mine), 9, (i % 40) * 3000);
		MUST(pwrite(fd, mine, sizeof(mine), (i % 40) * 3000) == 3000);
		if (i % 40 == 39)
			MUST(is_fill(fd, 120000, 9, 0));
	}
	MUST(close(fd) == 0);
	return NULL;
}

/* Another thread is in the middle of a write when the process forks. */
static void with_threads(void)
{
	pthread_t thread;

	going = 1;
	MUST(pthread_create(&thread, NULL, keep_writing, NULL) == 0);
	for (int i = 0; i < 15; i++) {
		int status;
		pid_t child = fork();

		if (child == 0) {
			char name[16];
			int fd;

			snprintf(name, sizeof(name), "of%d", i);
			fd = open(name, O_RDWR | O_CREAT, 0600);
			MUST(fd >= 0 && write(fd, "in the child", 12) == 12);
			MUST(close(fd) == 0 && unlink(name) == 0);
			exit(0);
		}
		MUST(waitpid(child, &status, 0) == child && status == 0);
	}
	going = 0;
	MUST(pthread_join(thread, NULL) == 0);
	outside("thread");
}

int main(int argc, char **argv)
{
	begin(argc, argv);
	outside_begin();
	position();
	both_write();
	independent();
	nothing_twice();
	background();
	with_threads();
	return 0;
}

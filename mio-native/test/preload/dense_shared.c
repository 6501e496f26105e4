/* Small requests near each other by processes that share an open, before MIO takes pages of it (pf/auto) and after. */
#include "dense.h"

#include <spawn.h>
#include <sys/socket.h>

extern char **environ;

enum { PASSED = 40 };

/* What a program does that has inherited an open by its number. */
static int inheritor(int fd)
{
	dense_read("in another program", fd, DENSE_ENOUGH);
	return 0;
}

/* A child and its parent read and write in turns, at one position that they share. */
static void share(const char *name, int access, int before)
{
	int turn[2], back[2];
	int fd = dense_begin(name, access);
	pid_t child;

	MUST(fd >= 0 && pipe(turn) == 0 && pipe(back) == 0);
	dense_read("before", fd, before);
	child = fork();
	MUST(child >= 0);
	if (child == 0) {
		dense_read("child", fd, DENSE_ENOUGH);
		pass_turn(back[1]);
		wait_turn(turn[0]);
		dense_read("child", fd, 3);
		if (access == O_RDWR)
			SEE(write(fd, "by the child", 12));
		SEE(lseek(fd, 20, SEEK_CUR));
		pass_turn(back[1]);
		wait_turn(turn[0]);
		dense_pread("child", fd, DENSE_ENOUGH, 0, 100);
		_exit(0);
	}
	wait_turn(back[0]);
	dense_read("parent", fd, DENSE_ENOUGH);
	pass_turn(turn[1]);
	wait_turn(back[0]);
	dense_read("parent", fd, DENSE_ENOUGH);
	if (access == O_RDWR)
		SEE(pwrite(fd, "by the parent", 13, 50));
	dense_pread("parent", fd, 300, 0, 100);
	pass_turn(turn[1]);
	await("child", child);
	SEE(lseek(fd, 0, SEEK_CUR));
	SEE(close(fd));
	for (int i = 0; i < 2; i++) {
		close(turn[i]);
		close(back[i]);
	}
	outside(name);
}

/* Another program continues where this one was. */
static void spawn(int before)
{
	char *const arguments[] = {see_program, (char *)(uintptr_t)"--inherit", NULL};
	posix_spawn_file_actions_t actions;
	int fd = dense_begin("f", O_RDONLY | O_CLOEXEC);
	pid_t child;

	dense_read("before", fd, before);
	MUST(posix_spawn_file_actions_init(&actions) == 0);
	MUST(posix_spawn_file_actions_adddup2(&actions, fd, PASSED) == 0);
	MUST(posix_spawn(&child, see_program, &actions, NULL, arguments, environ) == 0);
	await("program", child);
	MUST(posix_spawn_file_actions_destroy(&actions) == 0);
	dense_read("after", fd, DENSE_ENOUGH);
	SEE(close(fd));
}

/* The same with a child that executes, by fork or by vfork. */
static void executed(pid_t (*copy)(void))
{
	int fd = dense_open("f", O_RDONLY);
	pid_t child;

	MUST(dup2(fd, PASSED) == PASSED);
	child = copy();
	MUST(child >= 0);
	if (child == 0) {
		execl(see_program, see_program, "--inherit", (char *)NULL);
		_exit(9);
	}
	await("program", child);
	dense_read("after", fd, DENSE_ENOUGH);
	SEE(close(PASSED));
	SEE(close(fd));
}

/* Another program replaces this one and uses a number that stays open. */
static void replaced(void)
{
	pid_t child = fork();

	MUST(child >= 0);
	if (child == 0) {
		int fd = dense_open("w", O_RDWR);

		SEE(write(fd, "before exec", 11));
		MUST(dup2(fd, PASSED) == PASSED);
		MUST(execl("/nonexistent", "nothing", (char *)NULL) == -1);
		dense_read("it has failed", fd, DENSE_ENOUGH);
		execl(see_program, see_program, "--inherit", (char *)NULL);
		_exit(9);
	}
	await("program", child);
	outside("w");
}

/* Passes the open through a socket. */
static void passed(int before, int access)
{
	char room[CMSG_SPACE(sizeof(int))] = {0};
	struct iovec part = {(void *)(uintptr_t) "x", 1};
	struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof(room)};
	struct cmsghdr *header = CMSG_FIRSTHDR(&message);
	int ends[2];
	int fd;
	pid_t child;

	MUST(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
	child = fork();
	MUST(child >= 0);
	if (child == 0) {
		MUST(recvmsg(ends[1], &message, 0) == 1);
		memcpy(&fd, CMSG_DATA(header), sizeof(fd));
		dense_read("receiver", fd, DENSE_ENOUGH);
		if (access == O_RDWR)
			SEE(write(fd, "by the receiver", 15));
		_exit(0);
	}
	fd = dense_begin("p", access);
	dense_read("before", fd, before);
	header->cmsg_level = SOL_SOCKET;
	header->cmsg_type = SCM_RIGHTS;
	header->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(header), &fd, sizeof(fd));
	MUST(sendmsg(ends[0], &message, 0) == 1);
	await("receiver", child);
	dense_read("sender", fd, DENSE_ENOUGH);
	dense_pread("sender", fd, 300, 0, 100);
	SEE(close(fd));
	close(ends[0]);
	close(ends[1]);
	outside("p");
}

/* The next program that the shell starts gets the standard input. */
static void standard(void)
{
	int saved = dup(0);
	int fd = dense_begin("f", O_RDONLY);

	dense_read("before", fd, 10);
	MUST(dup2(fd, 0) == 0);
	dense_read("input", 0, DENSE_ENOUGH);
	MUST(fflush(stdout) == 0);
	SEE(system("head -c 10 | od -An -c; exit 3"));
	SEE(close(fd));
	MUST(dup2(saved, 0) == 0 && close(saved) == 0);
}

int main(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "--inherit") == 0)
		return inheritor(PASSED);
	begin(argc, argv);
	outside_begin();
	make_file("f", DENSE_BYTES, 1);
	make_file("w", DENSE_BYTES, 2);
	make_file("p", DENSE_BYTES, 3);
	share("f", O_RDONLY, 10);
	share("f", O_RDONLY, DENSE_ENOUGH);
	share("w", O_RDWR, 10);
	share("w", O_RDWR, DENSE_ENOUGH);
	spawn(10);
	spawn(DENSE_ENOUGH);
	executed(fork);
	executed(vfork);
	replaced();
	passed(10, O_RDONLY);
	passed(DENSE_ENOUGH, O_RDONLY);
	passed(10, O_RDWR);
	passed(DENSE_ENOUGH, O_RDWR);
	standard();
	return 0;
}

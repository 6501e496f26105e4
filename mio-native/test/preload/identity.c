/* Another user, another name space and another root, with files open and dirty. */
#include "see.h"

#include <grp.h>
#include <sched.h>

static char bytes[50000];

static int dirty(const char *name)
{
	int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);

	MUST(fd >= 0);
	fill(bytes, sizeof(bytes), 1, 0);
	MUST(write(fd, bytes, sizeof(bytes)) == (ssize_t)sizeof(bytes));
	/* Gives threads that read ahead or write behind something to do. */
	MUST(lseek(fd, 0, SEEK_SET) == 0);
	for (int i = 0; i < 10; i++)
		MUST(read(fd, bytes, 5000) == 5000);
	return fd;
}

static void go_on(int fd)
{
	MUST(is_fill(fd, sizeof(bytes), 1, 0));
	SEE(pwrite(fd, "after", 5, 60000));
	SEE(lseek(fd, 0, SEEK_CUR));
	SEE(fsync(fd));
	SEE(close(fd));
	exit(0);
}

static void user(void)
{
	pid_t child = fork();

	if (child == 0) {
		int fd = dirty("user");

		if (geteuid() == 0) {
			SEE(setgroups(0, NULL));
			SEE(setgid(65534));
			SEE(setuid(65534));
			SEE(open("user", O_RDONLY));
			SEE(setuid(0));
		}
		go_on(fd);
	}
	await("user", child);
	outside("user");
	child = fork();
	if (child == 0) {
		int fd = dirty("effective");

		if (geteuid() == 0) {
			SEE(seteuid(65534));
			SEE(open("effective", O_RDONLY));
			SEE(write(fd, "allowed", 7));
			SEE(seteuid(0));
			SEE(setresuid(0, 65534, 0));
			SEE(setreuid(0, 0));
		}
		go_on(fd);
	}
	await("effective", child);
	outside("effective");
}

static void name_space(void)
{
	pid_t child = fork();

	if (child == 0) {
		int fd = dirty("space");

		/* The kernel requires a process with one thread for this, and may refuse it to everyone. */
		SEE(unshare(CLONE_NEWUSER));
		SEE(unshare(CLONE_FILES | CLONE_FS));
		go_on(fd);
	}
	await("name space", child);
	outside("space");
}

static void root(void)
{
	pid_t child = fork();

	if (child == 0) {
		int fd = dirty("root");

		SEE(chroot("."));
		SEE(chdir("/"));
		SEE(open("/root", O_RDONLY));
		go_on(fd);
	}
	await("root", child);
	outside("root");
}

int main(int argc, char **argv)
{
	begin(argc, argv);
	outside_begin();
	user();
	name_space();
	root();
	return 0;
}

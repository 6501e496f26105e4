/* Forks that the C library does not report: _Fork, clone, the system calls by number, vfork. */
#include "see.h"

#include <sched.h>
#include <sys/syscall.h>

enum { BYTES = 50000 };

static char bytes[BYTES];
static int fd;
static char stack[1 << 18] __attribute__((aligned(64)));

static int in_child(void *unused)
{
	int mine;

	(void)unused;
	say("in the child: %d, at %lld", is_fill(fd, BYTES, 1, 0), (long long)lseek(fd, 0, SEEK_CUR));
	MUST(pwrite(fd, "child", 5, 60000) == 5);
	MUST(write(fd, "PLACE", 5) == 5);
	mine = open("mine", O_RDWR | O_CREAT | O_TRUNC, 0600);
	MUST(mine >= 0 && write(mine, "of the child", 12) == 12);
	MUST(lseek(mine, 3, SEEK_SET) == 3 && read(mine, bytes, 5) == 5);
	MUST(close(mine) == 0);
	_exit(4);
}

static void copy(const char *what, pid_t (*how)(void))
{
	pid_t child;

	fd = open("f", O_RDWR | O_CREAT | O_TRUNC, 0600);
	fill(bytes, BYTES, 1, 0);
	MUST(write(fd, bytes, BYTES) == BYTES);
	MUST(lseek(fd, 55000, SEEK_SET) == 55000);
	child = how();
	MUST(child >= 0);
	if (child == 0)
		in_child(NULL);
	await(what, child);
	SEE(lseek(fd, 0, SEEK_CUR));
	SEE(pread(fd, bytes, 5, 60000));
	say("%.5s", bytes);
	SEE(write(fd, "parent", 6));
	SEE(pread(fd, bytes, 11, 55000));
	say("%.11s", bytes);
	SEE(close(fd));
	outside("f");
	outside("mine");
}

#ifdef __GLIBC_PREREQ
#if __GLIBC_PREREQ(2, 34)
#define HAS__FORK 1
#endif
#endif

static pid_t by_number(void)
{
#ifdef SYS_fork
	return (pid_t)syscall(SYS_fork);
#else
	return (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
#endif
}

static pid_t by_clone_number(void)
{
	return (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
}

static pid_t by_clone(void)
{
	return clone(in_child, stack + sizeof(stack), SIGCHLD, NULL);
}

static pid_t by_clone_of_memory(void)
{
	return clone(in_child, stack + sizeof(stack), CLONE_FILES | SIGCHLD, NULL);
}

static pid_t by_clone_number_of_memory(void)
{
	return (pid_t)syscall(SYS_clone, CLONE_FILES | SIGCHLD, 0, 0, 0, 0);
}

/* The child shares the parent's descriptors instead of copies, and leaves them as they are. */
static void copy_of_memory(const char *what, pid_t (*how)(void))
{
	int reads;

	make_file("read", BYTES, 3);
	reads = open("read", O_RDONLY);
	MUST(is_fill(reads, 5000, 3, 0));
	copy(what, how);
	MUST(is_fill(reads, BYTES, 3, 0));
	MUST(lseek(reads, 45000, SEEK_SET) == 45000);
	SEE(read(reads, bytes, BYTES));
	SEE(close(reads));
}

/* A child that only executes or ends; what it does to its descriptors does not affect the parent. */
static void borrowed(void)
{
	pid_t child;

	fd = open("f", O_RDWR | O_CREAT | O_TRUNC, 0600);
	fill(bytes, BYTES, 2, 0);
	MUST(write(fd, bytes, BYTES) == BYTES);
	MUST(lseek(fd, 100, SEEK_SET) == 100);
	child = vfork();
	if (child == 0) {
		dup2(fd, 0);
		close(fd);
		execlp("cat", "cat", (char *)NULL);
		_exit(9);
	}
	MUST(child > 0);
	{
		int status;

		MUST(waitpid(child, &status, 0) == child && status == 0);
	}
	/* cat has read everything. */
	SEE(lseek(fd, 0, SEEK_CUR));
	MUST(is_fill(fd, BYTES, 2, 0));
	SEE(write(fd, "tail", 4));
	child = vfork();
	if (child == 0)
		_exit(3);
	await("vfork", child);
	SEE(lseek(fd, 0, SEEK_END));
	SEE(close(fd));
	outside("f");
	/* The child redirects its output. */
	fd = open("out", O_RDWR | O_CREAT | O_TRUNC, 0600);
	MUST(write(fd, "before ", 7) == 7);
	child = vfork();
	if (child == 0) {
		dup2(fd, 1);
		execlp("echo", "echo", "from the child", (char *)NULL);
		_exit(9);
	}
	await("vfork", child);
	SEE(write(fd, "after ", 6));
	MUST(fcntl(fd, F_SETFD, FD_CLOEXEC) == 0);
	child = vfork();
	if (child == 0) {
		dup2(fd, 1);
		execlp("echo", "echo", "from another child", (char *)NULL);
		_exit(9);
	}
	await("vfork", child);
	SEE(write(fd, "after", 5));
	SEE(close(fd));
	look("out");
	outside("out");
	child = vfork();
	if (child == 0) {
		execl("./none", "none", (char *)NULL);
		_exit(8);
	}
	await("vfork", child);
}

static int puts_it_on_0(void *unused)
{
	(void)unused;
	MUST(dup2(fd, 0) == 0);
	_exit(5);
}

/* A child with a stack of its own, whose parent waits for it. */
static void borrowed_by_clone(void)
{
	char text[16];
	int null = open("/dev/null", O_RDONLY);

	MUST(null > 0 && dup2(null, 0) == 0 && close(null) == 0);
	make_file("read", BYTES, 3);
	fd = open("read", O_RDONLY);
	MUST(read(fd, text, 10) == 10);
	await("clone that is waited for", clone(puts_it_on_0, stack + sizeof(stack), CLONE_VM | CLONE_VFORK | SIGCHLD, NULL));
	SEE(read(0, text, 10));
	SEE(read(fd, text, 10));
	SEE(lseek(fd, 0, SEEK_CUR));
	SEE(close(fd));
}

int main(int argc, char **argv)
{
	begin(argc, argv);
	outside_begin();
#ifdef HAS__FORK
	copy("_Fork", _Fork);
#endif
	copy("fork by number", by_number);
	copy("clone by number", by_clone_number);
	copy("clone", by_clone);
	copy_of_memory("clone of memory", by_clone_of_memory);
	copy_of_memory("clone of memory by number", by_clone_number_of_memory);
	borrowed();
	borrowed_by_clone();
	return 0;
}

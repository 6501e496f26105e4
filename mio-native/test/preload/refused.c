/* Calls that would take a number from a file and that the kernel refuses: the number still leads to the file. */
#include "see.h"

#include <sys/resource.h>
#include <sys/syscall.h>

#include "see_filter.h"

#ifndef CLOSE_RANGE_CLOEXEC
#define CLOSE_RANGE_CLOEXEC 4
#endif
#ifndef CLOSE_RANGE_UNSHARE
#define CLOSE_RANGE_UNSHARE 2
#endif

static int x;		/* x and y: two opens of one file */
static int y;
static int other;

static void open_all(void)
{
	/* A new file each time, so that nothing that happened to an earlier one matters. */
	unlink("file");
	x = open("file", O_RDWR | O_CREAT | O_EXCL, 0600);
	y = open("file", O_RDWR);
	other = open("/dev/null", O_RDWR);
	MUST(x >= 0 && y >= 0 && other >= 0);
	MUST(write(x, "AAAAAAAAAAAA", 12) == 12);
	MUST(lseek(y, 2, SEEK_SET) == 2);
}

/* Each open reads what the other one writes. */
static void see_both(void)
{
	char bytes[16] = "";

	MUST(pwrite(x, "BBBB", 4, 0) == 4);
	SEE(read(y, bytes, 12));
	say("y reads %s, is at %lld", bytes, (long long)lseek(y, 0, SEEK_CUR));
	MUST(pwrite(y, "CCCC", 4, 4) == 4);
	MUST(pread(x, bytes, 12, 0) == 12);
	say("x reads %s", bytes);
	MUST(pwrite(x, "DD", 2, 5) == 2);
	SEE(close(x));
	SEE(close(y));
	SEE(close(other));
	look("file");
}

#define REFUSED(call) \
	do { \
		open_all(); \
		SEE(call); \
		see_both(); \
	} while (0)

static void flags(void)
{
	REFUSED(dup3(other, y, O_NONBLOCK));
	REFUSED(dup3(other, y, O_CLOEXEC | 1));
	REFUSED(syscall(SYS_dup3, other, y, O_APPEND));
	REFUSED(dup3(y, y, 0));
	REFUSED(dup3(999, y, 0));
	REFUSED(close_range((unsigned int)y, (unsigned int)y, 8));
	REFUSED(close_range((unsigned int)y, ~0U, CLOSE_RANGE_UNSHARE | 8));
	REFUSED(close_range((unsigned int)y, (unsigned int)y, CLOSE_RANGE_CLOEXEC | 8));
	REFUSED(close_range((unsigned int)y, (unsigned int)x, 0));
	REFUSED(syscall(SYS_close_range, y, y, 8));
}

/* The open number is above the limit that the program has set itself by now. */
static void limit(void)
{
	pid_t child = fork();

	if (child == 0) {
		struct rlimit few;

		open_all();
		MUST(dup2(y, 300) == 300 && close(y) == 0);
		y = 300;
		MUST(getrlimit(RLIMIT_NOFILE, &few) == 0);
		few.rlim_cur = 100;
		MUST(setrlimit(RLIMIT_NOFILE, &few) == 0);
		SEE(dup2(other, y));
		see_both();
		_exit(0);
	}
	await("limit", child);
}

/* ---- calls that a filter refuses, which was installed before this program began */

static void all_closed(void)
{
	open_all();
	closefrom(x);
	SEE(write(x, "x", 1));
	SEE(write(y, "x", 1));
	look("file");
}

static int filtered(const char *what)
{
	if (strcmp(what, "close_range") == 0) {
		REFUSED(close_range((unsigned int)y, (unsigned int)y, 0));
		REFUSED(close_range((unsigned int)x, ~0U, 0));
		REFUSED(close_range((unsigned int)y, (unsigned int)y, CLOSE_RANGE_UNSHARE));
		REFUSED(syscall(SYS_close_range, y, ~0U, 0));
		all_closed();
		return 0;
	}
	if (strcmp(what, "dup3") == 0) {
		REFUSED(dup3(other, y, 0));
		REFUSED(syscall(SYS_dup3, other, y, O_CLOEXEC));
	}
	return 0;
}

int main(int argc, char **argv)
{
	begin(argc, argv);
	if (argc > 2)
		return filtered(argv[2]);
	flags();
	limit();
	with_filter("dup3", SYS_dup3, EPERM);
	with_filter("close_range", SYS_close_range, ENOSYS);
	with_filter("close_range", SYS_close_range, EPERM);
	return 0;
}

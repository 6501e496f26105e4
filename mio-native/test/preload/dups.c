/* Several numbers of one open: they share the position and the flags, and the last one closes the open. */
#include "see.h"

#include <sys/stat.h>

static char bytes[50000];

static void copies(void)
{
	int fd;
	int a;
	int b;
	int c;
	int d;

	SEE(fd = open("f", O_RDWR));
	SEE(a = dup(fd));
	SEE(b = dup2(fd, 50));
	SEE(c = dup3(fd, 51, O_CLOEXEC));
	SEE(d = fcntl(fd, F_DUPFD, 40));
	SEE(fcntl(fd, F_DUPFD_CLOEXEC, 40));
	say("close on exec %d %d %d", fcntl(b, F_GETFD), fcntl(c, F_GETFD), fcntl(41, F_GETFD));
	SEE(read(fd, bytes, 100));
	SEE(lseek(a, 0, SEEK_CUR));
	SEE(read(a, bytes, 100));
	SEE(lseek(b, 0, SEEK_CUR));
	SEE(write(c, "through c", 9));
	SEE(lseek(d, 0, SEEK_CUR));
	SEE(lseek(d, 5, SEEK_SET));
	SEE(lseek(41, 0, SEEK_CUR));
	SEE(close(fd));
	SEE(write(a, "after close", 11));
	SEE(lseek(b, 0, SEEK_CUR));
	SEE(close(a));
	SEE(close(b));
	SEE(close(c));
	SEE(read(d, bytes, 10));
	SEE(close(d));
	SEE(pread(41, bytes, 30, 0));
	say("%016llx", (unsigned long long)digest(bytes, 30));
	SEE(close(41));
	SEE(close(41));
	SEE(dup2(41, 42));
	SEE(dup2(0, -1));
	SEE(dup3(0, 0, 0));
	SEE(dup3(0, 5, 77));
	look("f");
	outside("f");
}

/* dup2 over a file with dirty bytes closes the file and keeps its bytes. */
static void over(void)
{
	int fd = open("over", O_RDWR | O_CREAT, 0600);
	int other = open("f", O_RDWR);

	fill(bytes, sizeof(bytes), 7, 0);
	MUST(write(fd, bytes, sizeof(bytes)) == (ssize_t)sizeof(bytes));
	SEE(dup2(fd, fd));
	SEE(dup2(999, fd));
	SEE(lseek(fd, 0, SEEK_CUR));
	SEE(dup2(other, fd));
	outside("over");
	SEE(lseek(fd, 33, SEEK_SET));
	SEE(lseek(other, 0, SEEK_CUR));
	SEE(dup2(0, fd));
	SEE(dup2(0, other));
	SEE(lseek(other, 0, SEEK_CUR) >= -1);
	SEE(close(fd));
	SEE(close(other));
}

/* Redirects standard output to a file and back, as shells do. */
static void redirected(void)
{
	int saved = dup(1);
	int fd = open("out", O_WRONLY | O_CREAT | O_TRUNC, 0600);

	MUST(saved >= 0 && fd >= 0);
	MUST(dup2(fd, 1) == 1 && close(fd) == 0);
	printf("by printf\n");
	MUST(write(1, "by write\n", 9) == 9);
	fflush(stdout);
	MUST(write(1, "by write again\n", 15) == 15);
	MUST(dup2(saved, 1) == 1);
	MUST(close(saved) == 0);
	look("out");
	outside("out");
}

/* Flags of the open that change while it is in use. */
static void flags(void)
{
	int fd = open("flags", O_RDWR | O_CREAT, 0600);
	int copy = dup(fd);

	MUST(write(fd, "0123456789", 10) == 10);
	MUST(lseek(fd, 3, SEEK_SET) == 3);
	SEE(fcntl(copy, F_SETFL, O_APPEND));
	say("flags %o", (unsigned int)fcntl(fd, F_GETFL) & ~(unsigned int)O_LARGEFILE);
	SEE(write(fd, "appended", 8));
	SEE(lseek(copy, 0, SEEK_CUR));
	SEE(pwrite(fd, "placed", 6, 0));
	SEE(fcntl(fd, F_SETFL, 0));
	SEE(lseek(fd, 1, SEEK_SET));
	SEE(write(copy, "plain", 5));
	SEE(pread(fd, bytes, 30, 0));
	say("%.24s", bytes);
	SEE(fcntl(fd, F_SETFD, FD_CLOEXEC));
	SEE(fcntl(copy, F_GETFD));
	SEE(fcntl(fd, F_GETFD));
	SEE(fcntl(fd, 7777, 0));
	SEE(close(fd));
	SEE(close(copy));
	look("flags");
	outside("flags");
}

int main(int argc, char **argv)
{
	begin(argc, argv);
	outside_begin();
	make_file("f", 30000, 1);
	copies();
	over();
	redirected();
	flags();
	return 0;
}

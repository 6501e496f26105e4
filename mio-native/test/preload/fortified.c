/* Built with -D_FORTIFY_SOURCE=2: the checked names of the C library, and how it ends a program that fails a check. */
#undef _FORTIFY_SOURCE
#define _FORTIFY_SOURCE 2
#include "see.h"

#include <sys/resource.h>

/* Values that the compiler cannot know, so that it calls the checked functions. */
static volatile size_t room = 16;
static volatile int no_mode = O_RDWR;

static __attribute__((format(printf, 2, 0))) int to_descriptor(int fd, const char *format, ...)
{
	va_list arguments;
	int rc;

	va_start(arguments, format);
	rc = vdprintf(fd, format, arguments);
	va_end(arguments);
	return rc;
}

static void too_bold(const char *what, int which)
{
	pid_t child = fork();

	if (child == 0) {
		struct rlimit none = {0, 0};
		char bytes[16];
		int fd = open("f", no_mode);

		setrlimit(RLIMIT_CORE, &none);
		/* The message with which the C library ends the program is not compared. */
		close(2);
		open("/dev/null", O_WRONLY);
		MUST(pwrite(fd, "dirty when aborted", 18, 0) == 18);
		if (which == 0)
			MUST(read(fd, bytes, room + 1) >= 0);
		else if (which == 1)
			MUST(pread(fd, bytes, room + 1, 0) >= 0);
		else if (which == 2)
			open("g", no_mode | O_CREAT);
		else
			openat(AT_FDCWD, "g", no_mode | O_CREAT);
		_exit(0);
	}
	await(what, child);
}

int main(int argc, char **argv)
{
	char bytes[16] = "";
	int directory;
	int fd;

	begin(argc, argv);
	make_file("f", 100, 1);
	SEE(directory = open(".", no_mode & 0));
	SEE(fd = open("f", no_mode));
	SEE(read(fd, bytes, room));
	SEE(pread(fd, bytes, room, 92));
	SEE(close(fd));
	SEE(fd = openat(directory, "f", no_mode));
	SEE(dprintf(fd, "%s %d\n", "number", (int)room));
	SEE(to_descriptor(fd, "%s %zu\n", "more", room));
	SEE(lseek(fd, 0, SEEK_CUR));
	SEE(close(fd));
	look("f");
	too_bold("read", 0);
	too_bold("pread", 1);
	too_bold("open", 2);
	too_bold("openat", 3);
	look("f");
	/* Where the compiler does not check, the file has been made with an arbitrary mode. */
	unlink("g");
	return 0;
}

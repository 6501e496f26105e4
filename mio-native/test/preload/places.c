/* Names, vectors and structures at addresses where no program has memory: the kernel reports it. */
#include "see.h"

#include <sys/syscall.h>
#include <sys/uio.h>

static void names(const char *name)
{
	SEE(open(name, O_RDONLY));
	SEE(open(name, O_RDWR | O_CREAT | O_TRUNC, 0600));
	SEE(creat(name, 0600));
	SEE(openat(AT_FDCWD, name, O_RDONLY));
	SEE(syscall(SYS_openat, AT_FDCWD, name, O_RDONLY));
	SEE(fopen(name, "r") != NULL);
	SEE(truncate(name, 1));
	SEE(unlink(name));
	SEE(rename(name, "x"));
	SEE(rename("file", name));
	SEE(link(name, "x"));
	SEE(access(name, R_OK));
}

static void structures(int fd, void *place)
{
	const struct iovec *vector = place;

	SEE(syscall(SYS_openat2, AT_FDCWD, "file", place, 24));
	SEE(fcntl(fd, F_SETLK, place));
	SEE(fcntl(fd, F_SETLKW, place));
	SEE(fcntl(fd, F_GETLK, place));
	SEE(syscall(SYS_fcntl, fd, F_SETLK, place));
	SEE(readv(fd, vector, 2));
	SEE(writev(fd, vector, 2));
	SEE(preadv(fd, vector, 2, 0));
	SEE(pwritev(fd, vector, 2, 0));
	SEE(syscall(SYS_clone3, place, 64));
}

int main(int count, char **arguments)
{
	static void *const places[] = {NULL, (void *)-1, (void *)INT64_MIN};
	char bytes[8] = "";
	int fd;

	MUST(count == 2 && chdir(arguments[1]) == 0);
	fd = open("file", O_RDWR | O_CREAT, 0600);
	MUST(fd >= 0 && write(fd, "hello", 5) == 5);
	for (unsigned int i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		names(places[i]);
		structures(fd, places[i]);
	}
	/* Neither the position nor the bytes have changed. */
	SEE(lseek(fd, 0, SEEK_CUR));
	SEE(pread(fd, bytes, 8, 0));
	say("%s", bytes);
	return close(fd);
}

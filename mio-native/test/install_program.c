/* A program written without MIO: install_test.sh compiles it with USE_MIO_DEFINES, as C and as C++, against the installed files. */
#include <stdio.h>
#include <string.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>
#include <sys/stat.h>

#include <mio/mio.h>

/* Writes a file, reads it back backward, and prints what it finds. */
int main(int argc, char **argv)
{
	ssize_t (*reading)(int, void *, size_t) = read;
	struct stat found;
	char line[32];
	int fd = argc == 2 ? open(argv[1], O_RDWR | O_CREAT | O_TRUNC, 0640) : -1;
	int i;

	if (fd < 0) {
		perror("install_program");
		return 1;
	}
	for (i = 0; i < 1000; i++) {
		sprintf(line, "line %09d\n", i);
		if (write(fd, line, 15) != 15)
			return 1;
	}
	if (fstat(fd, &found) != 0 || found.st_size != 15000)
		return 1;
	for (i = 999; i >= 0; i--) {
		char expected[32];

		sprintf(expected, "line %09d\n", i);
		if (lseek(fd, i * 15, SEEK_SET) != i * 15 || reading(fd, line, 15) != 15 || memcmp(line, expected, 15) != 0)
			return 1;
	}
	if (ftruncate(fd, 150) != 0 || fsync(fd) != 0 || close(fd) != 0)
		return 1;
	printf("%d lines\n", 1000);
	return read(fd, line, 1) == -1 && errno == EBADF ? 0 : 1;
}

/*
 * Copies an existing file with calls that move bytes inside the kernel and with calls that take flags. Arguments: from, to. The
 * first copy is of whole blocks: where files can share blocks, the kernel does not move less than one.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/sendfile.h>
#include <sys/uio.h>
#include <unistd.h>

static char bytes[5000];

static int is(const char *what, ssize_t expected, ssize_t was)
{
	if (expected == was)
		return 1;
	fprintf(stderr, "%s: %zd for %zd, errno %d\n", what, was, expected, errno);
	return 0;
}

int main(int count, char **arguments)
{
	struct iovec vector = {bytes, sizeof(bytes)};
	off_t at = 1000;
	int through[2];
	int from, to;

	if (count != 3 || pipe(through) < 0)
		return 2;
	from = open(arguments[1], O_RDONLY);
	to = open(arguments[2], O_RDWR | O_CREAT | O_TRUNC, 0600);
	if (from < 0 || to < 0)
		return 2;
	if (!is("copy_file_range", 40960, copy_file_range(from, NULL, to, NULL, 40960, 0)) ||
	    !is("sendfile", 30000, sendfile(to, from, &at, 30000)) ||
	    !is("splice from", 10000, splice(from, &at, through[1], NULL, 10000, 0)) ||
	    !is("splice to", 10000, splice(through[0], NULL, to, NULL, 10000, 0)) ||
	    !is("preadv2", 5000, preadv2(from, &vector, 1, 50, RWF_HIPRI)) ||
	    !is("pwritev2", 5000, pwritev2(to, &vector, 1, -1, RWF_DSYNC)) ||
	    !is("seek", 100000, lseek(from, 0, SEEK_END)) ||
	    !is("the end", 0, copy_file_range(from, NULL, to, NULL, 1000, 0)))
		return 1;
	return 0;
}

/*
 * streams STREAM-MODE: for streams_test.sh. Makes a file, opens and closes a stream on it that has no layers, and then reads the
 * file through an open that has layers, by its other name, in requests that suit a cache. Another file has pages before that and
 * meanwhile.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../old.h"

enum { BYTES = 100000, RECORD = 100 };

static int fail(const char *what)
{
	perror(what);
	return 1;
}

int main(int argc, char **argv)
{
	static char bytes[BYTES];
	int held = open("held.cached", O_RDWR | O_CREAT, 0600);
	int fd = open("plain", O_RDWR | O_CREAT | O_TRUNC, 0600);
	FILE *stream;

	if (argc != 2 || held < 0 || write(held, bytes, BYTES) != BYTES)
		return fail("held.cached");
	if (fd < 0 || write(fd, bytes, BYTES) != BYTES || close(fd) < 0 || link("plain", "file.cached") < 0)
		return fail("plain");
	if (strcmp(argv[1], "again") == 0)
		stream = freopen("plain", "r", fopen("/dev/null", "r"));
	else
		stream = fopen("plain", argv[1]);
	if (!stream || fclose(stream) == EOF)
		return fail("stream");
	until_old("file.cached");
	fd = open("file.cached", O_RDWR);
	for (int at = 0; at < BYTES; at += RECORD)
		if (pread(fd, bytes, RECORD, at) != RECORD)
			return fail("file.cached");
	return close(fd) < 0 || close(held) < 0 ? fail("close") : 0;
}

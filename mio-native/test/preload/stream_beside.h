#ifndef MIO_TEST_PRELOAD_STREAM_BESIDE_H
#define MIO_TEST_PRELOAD_STREAM_BESIDE_H

/* Streams on files that have a cache through another open. Whichever was opened first, they see the same bytes. */
#include "see.h"

enum { BYTES = 30000, RECORD = 100 };

static int fd;
static FILE *stream;
static char name[16];	/* a new name each time: a file that has lost its cache gets none again */
static char bytes[BYTES];

static void read_stream(const char *what)
{
	uint64_t sum = DIGEST_BEGIN;
	size_t got;
	size_t length = 0;

	/* Makes a stream that is at its end, or has bytes in its buffer, read the file again. */
	rewind(stream);
	fflush(stream);
	while ((got = fread(bytes, 1, 3000, stream)) > 0) {
		sum = digest_more(sum, bytes, got);
		length += got;
	}
	say("%s: the stream reads %zu bytes, %016llx", what, length, (unsigned long long)sum);
}

static void read_file(const char *what)
{
	uint64_t sum = DIGEST_BEGIN;
	ssize_t got;
	off_t at = 0;

	/* The requests are small, so that pf/auto takes pages. */
	while ((got = pread(fd, bytes, RECORD, at)) > 0) {
		sum = digest_more(sum, bytes, (size_t)got);
		at += got;
	}
	say("%s: the open reads %lld bytes, %016llx", what, (long long)at, (unsigned long long)sum);
}

static void write_file(unsigned int seed, off_t at)
{
	for (off_t end = at + 50 * RECORD; at < end; at += RECORD) {
		fill(bytes, RECORD, seed, at);
		MUST(pwrite(fd, bytes, RECORD, at) == RECORD);
	}
}

static void write_stream(unsigned int seed, long at)
{
	fill(bytes, 5000, seed, at);
	MUST(fseek(stream, at, SEEK_SET) == 0);
	MUST(fwrite(bytes, 1, 5000, stream) == 5000 && fflush(stream) == 0);
}

static FILE *open_stream(const char *mode, int again)
{
	FILE *opened = fopen(again ? "nothing" : name, mode);

	if (again)
		opened = freopen(name, mode, opened);
	MUST(opened != NULL);
	return opened;
}

static void reader(int stream_first, int again)
{
	make_file(name, BYTES, 1);
	stream = stream_first ? open_stream("r", again) : NULL;
	fd = open(name, O_RDWR);
	MUST(fd >= 0);
	read_file("reader");
	write_file(2, 5000);
	if (!stream_first)
		stream = open_stream("r", again);
	read_stream("reader");
	for (unsigned int i = 0; i < 5; i++) {
		write_file(3 + i, (off_t)(i * 4000));
		read_stream("reader");
		MUST(pwrite(fd, "behind", 6, BYTES + i * 10) == 6);
		read_stream("reader");
	}
	MUST(ftruncate(fd, 20000) == 0);
	read_stream("reader");
	read_file("reader");
	SEE(fclose(stream));
	write_file(9, 12000);
	SEE(close(fd));
	look(name);
	outside(name);
}

static void writer(int stream_first, int again)
{
	make_file(name, BYTES, 1);
	stream = stream_first ? open_stream("r+", again) : NULL;
	fd = open(name, O_RDWR);
	MUST(fd >= 0);
	read_file("writer");
	write_file(2, 5000);
	if (!stream_first)
		stream = open_stream("r+", again);
	for (unsigned int i = 0; i < 5; i++) {
		write_stream(3 + i, i * 6000 + 50);
		read_file("writer");
		write_file(10 + i, (off_t)(i * 5000));
		read_stream("writer");
	}
	SEE(fclose(stream));
	write_file(20, 12000);
	read_file("writer");
	SEE(close(fd));
	look(name);
	outside(name);
}

static void streams_beside(void)
{
	make_file("nothing", 10, 1);
	for (int way = 0; way < 4; way++) {
		snprintf(name, sizeof(name), "read%d", way);
		reader(way & 1, way & 2);
		snprintf(name, sizeof(name), "written%d", way);
		writer(way & 1, way & 2);
	}
}

#endif

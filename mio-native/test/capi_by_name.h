#ifndef MIO_TEST_CAPI_BY_NAME_H
#define MIO_TEST_CAPI_BY_NAME_H

/* The operations by name of the C API exerciser, done in two directories: in the one by the plain calls, in the other by MIO. */

#include "capi_threads.h"

static char directory[2][512];

static char *path(char *room, int side, const char *name)
{
	ASSERT(snprintf(room, 600, "%s/%s", directory[side], name) < 600);
	return room;
}

static int64_t size_of(const struct api *a, int fd)
{
	struct stat found;

	return a->fstat(fd, &found) < 0 ? -1 : found.st_size;
}

/* Returns 1 if both sides could open the file, 0 if neither could. */
static int open_both(struct twin *twin, const char *name, int oflag)
{
	char room[600];

	*twin = (struct twin){{-1, -1}, oflag};
	BOTH(twin, "open", (twin->fd[side] = a->open(path(room, side, name), oflag, 0600)) >= 0 ? 0 : -1);
	return both_result == 0;
}

static void close_both(struct twin *twin)
{
	BOTH(twin, "close", a->close(fd));
}

static void unlink_both(const char *name)
{
	const struct twin none = {{-1, -1}, 0};
	char room[600];

	BOTH(&none, "unlink", a->unlink(path(room, side, name)));
}

/* Writes the bytes in two parts, as a stream does. */
static void write_file(const char *name, int oflag, const unsigned char *bytes, int length)
{
	size_t half = (size_t)length / 2;
	struct twin twin;

	ASSERT(open_both(&twin, name, O_WRONLY | O_CREAT | oflag));
	BOTH(&twin, "write", a->write(fd, bytes, half));
	BOTH(&twin, "write", a->write(fd, bytes + half, (size_t)length - half));
	BOTH(&twin, "size", size_of(a, fd));
	close_both(&twin);
}

/* Reads the file to its end and copies it to the other file, unless to is NULL. */
static void read_file(struct twin *from, struct twin *to)
{
	int64_t count;

	do {
		BOTH(from, "read of all", a->read(fd, bytes_in[side], LENGTH_MAX));
		same_bytes("read of all");
		count = both_result;
		if (to)
			BOTH(to, "write of all", a->write(fd, bytes_in[side], (size_t)count));
	} while (count > 0);
}

static void read_all(const char *name)
{
	struct twin twin;

	if (!open_both(&twin, name, O_RDONLY))
		return;
	BOTH(&twin, "size", size_of(a, fd));
	read_file(&twin, NULL);
	close_both(&twin);
}

static void size_of_name(const char *name)
{
	struct twin twin;

	if (!open_both(&twin, name, O_RDONLY))
		return;
	BOTH(&twin, "size", size_of(a, fd));
	close_both(&twin);
}

static void skip(const char *name, int skipped)
{
	struct twin twin;

	if (!open_both(&twin, name, O_RDONLY))
		return;
	BOTH(&twin, "lseek", a->lseek(fd, skipped, SEEK_CUR));
	BOTH(&twin, "read of one", a->read(fd, bytes_in[side], 1));
	same_bytes("read of one");
	BOTH(&twin, "read", a->read(fd, bytes_in[side], 5000));
	same_bytes("read");
	close_both(&twin);
}

/* Copies to a new file; an existing one is unlinked first. */
static void copy_file(const char *name, const char *to)
{
	struct twin source_file;
	struct twin copy;

	if (!open_both(&source_file, name, O_RDONLY))
		return;
	unlink_both(to);
	ASSERT(open_both(&copy, to, O_WRONLY | O_CREAT | O_EXCL));
	read_file(&source_file, &copy);
	BOTH(&copy, "size", size_of(a, fd));
	close_both(&copy);
	close_both(&source_file);
}

static void rename_both(const char *name, const char *to)
{
	char room[2][600];

	for (int side = 0; side < 2; side++)
		ASSERT_EQUAL(0, rename(path(room[0], side, name), path(room[1], side, to)));
}

static void replace(const struct plan_operation *operation)
{
	struct twin twin;

	ASSERT(open_both(&twin, "fresh.dat", O_WRONLY | O_CREAT));
	BOTH(&twin, "write", a->write(fd, operation->bytes, (size_t)operation->length));
	rename_both("fresh.dat", operation->name);
	size_of_name(operation->name);
	close_both(&twin);
}

static void link_both(void)
{
	char room[2][600];

	for (int side = 0; side < 2; side++) {
		unlink(path(room[0], side, "one.hard"));
		ASSERT_EQUAL(0, link(path(room[1], side, "one.dat"), room[0]));
		unlink(path(room[0], side, "one.link"));
		ASSERT_EQUAL(0, symlink("one.dat", room[0]));
	}
}

static void compare(const char *name, int forced)
{
	char room[600];
	char *content[2];
	size_t bytes[2];

	if (access(path(room, 0, name), F_OK) != 0) {
		ASSERT(access(path(room, 1, name), F_OK) != 0);
		return;
	}
	/* Compares what MIO reads and, if forced, what the kernel reads after a flush. */
	read_all(name);
	if (!forced)
		return;
	MIO_flush();
	for (int side = 0; side < 2; side++)
		bytes[side] = test_content(path(room, side, name), &content[side]);
	if (bytes[0] != bytes[1] || memcmp(content[0], content[1], bytes[0]) != 0)
		differ("content with the kernel", (int64_t)bytes[0], (int64_t)bytes[1], 0);
	free(content[0]);
	free(content[1]);
}

static void threads(const struct plan_operation *operation)
{
	char room[2][600];

	write_file(operation->name, O_TRUNC, operation->bytes, operation->length);
	in_threads(path(room[0], 0, operation->name), path(room[1], 1, operation->name), operation->length, operation->seeds);
}

#endif

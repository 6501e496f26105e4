#include "config_file.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "../common/memory.h"
#include "../common/raw.h"

#define PIECE_BYTES 4096
/* Most bytes of a settings file: a device that never ends must not use up the program's memory. */
#define FILE_BYTES_MAX ((size_t)4 << 20)

/* The type of the file with this name: its bits of S_IFMT, or 0 if there is none. */
static mode_t type_of(const char *name)
{
	struct stat found;
#ifdef SYS_newfstatat
	long rc = mio_raw4(SYS_newfstatat, AT_FDCWD, name, &found, 0);
#else
	long rc = mio_raw4(SYS_fstatat64, AT_FDCWD, name, &found, 0);
#endif

	return rc == 0 ? found.st_mode & S_IFMT : 0;
}

int mio_config_file_is_regular(const char *name)
{
	return type_of(name) == S_IFREG;
}

/* A pipe below /dev or /proc is already open, as the <(...) of a shell is; other files there do not wait. */
int mio_config_file_may_wait(const char *name)
{
	mode_t type = type_of(name);

	return type != 0 && type != S_IFREG && type != S_IFDIR && strncmp(name, "/dev/", 5) != 0 && strncmp(name, "/proc/", 6) != 0;
}

static long open_file(const char *name)
{
	long fd;

	do
		fd = mio_raw4(SYS_openat, AT_FDCWD, name, O_RDONLY | O_CLOEXEC, 0);
	while (fd == -EINTR);
	return fd;
}

/* piece: PIECE_BYTES of memory to read into. */
static long read_all(long fd, char *piece, struct mio_text *text)
{
	size_t begin = text->length;
	long count;

	for (;;) {
		count = mio_raw3(SYS_read, fd, piece, PIECE_BYTES);
		if (count == -EINTR)
			continue;
		if (count <= 0)
			return count;
		if (text->length - begin > FILE_BYTES_MAX - (size_t)count)
			return -EFBIG;
		mio_text_add_bytes(text, piece, (size_t)count);
		if (text->failed)
			return -ENOMEM;
	}
}

int mio_config_file_read(const char *name, struct mio_text *text)
{
	long fd = open_file(name);
	char *piece;
	long rc;

	if (fd < 0)
		return (int)fd;
	piece = mio_memory_take(PIECE_BYTES);
	rc = piece ? read_all(fd, piece, text) : -ENOMEM;
	mio_memory_give(piece, PIECE_BYTES);
	mio_raw1(SYS_close, fd);
	return (int)rc;
}

const char *mio_config_error_text(int error)
{
	static const struct {
		int error;
		const char *text;
	} known[] = {
		{EPERM, "Operation not permitted"},
		{ENOENT, "No such file or directory"},
		{EIO, "Input/output error"},
		{ENXIO, "No such device or address"},
		{ENOMEM, "Cannot allocate memory"},
		{EACCES, "Permission denied"},
		{ENODEV, "No such device"},
		{ENOTDIR, "Not a directory"},
		{EISDIR, "Is a directory"},
		{EINVAL, "Invalid argument"},
		{ENFILE, "Too many open files in system"},
		{EMFILE, "Too many open files"},
		{EFBIG, "File too large"},
		{ESPIPE, "a pipe, socket or device"},
		{ENAMETOOLONG, "File name too long"},
		{ELOOP, "Too many levels of symbolic links"},
		{EOVERFLOW, "Value too large for defined data type"},
		{ESTALE, "Stale file handle"},
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (known[i].error == error)
			return known[i].text;
	return NULL;
}

/* Streams of cookies: what a stream over a descriptor with layers does, and a list of these streams. */
#include "preload_cookie.h"

#include <fcntl.h>
#include <gnu/libc-version.h>
#include <stdlib.h>
#include <string.h>

#include "../common/memory.h"
#include "preload.h"
#include "preload_wrappers.h"

/* The buffer size the C library uses for files, as their blocks have this size nearly everywhere. */
#define BUFFER_BYTES ((size_t)4096)

/* Bits of a stream's _flags, the same in every version of the C library (its libio.h). */
#define NO_READS 0x0004
#define NO_WRITES 0x0008
#define APPENDING 0x1000

struct mio_preload_cookie {
	int fd;
	FILE *stream;
	struct mio_preload_cookie *next;	/* the stream opened before this one; at the end they are flushed in this order, as the C library does */
	struct mio_preload_cookie *before;
	struct mio_preload_cookie *beside;	/* in the same place of places */
	char buffer[BUFFER_BYTES];
};

/* A hash table by the address of the stream: a program may have thousands, and each fclose looks whether its stream is one of these. */
enum { PLACE_BITS = 8 };

static struct mio_lock lock;
static struct mio_preload_cookie *streams;
static struct mio_preload_cookie *places[1 << PLACE_BITS];

static struct mio_preload_cookie **place_of(const FILE *stream)
{
	return &places[(uint64_t)(uintptr_t)stream * 0x9e3779b97f4a7c15u >> (64 - PLACE_BITS)];
}

/* Enters MIO, as a signal handler that interrupts this must not wait for the lock. */
static int hold_streams(void)
{
	int before = mio_door_enter();

	mio_lock_acquire(&lock);
	return before;
}

static void release_streams(int before)
{
	mio_lock_release(&lock);
	mio_door_leave(before);
}

static ssize_t read_cookie(void *context, char *memory, size_t length)
{
	return mio_pre_read(((struct mio_preload_cookie *)context)->fd, memory, length);
}

/* Unlike write(2), an error is reported by 0. */
static ssize_t write_cookie(void *context, const char *memory, size_t length)
{
	size_t done = 0;

	while (done < length) {
		ssize_t bytes = mio_pre_write(((struct mio_preload_cookie *)context)->fd, memory + done, length - done);

		if (bytes <= 0)
			break;
		done += (size_t)bytes;
	}
	return (ssize_t)done;
}

static int seek_cookie(void *context, off64_t *offset, int whence)
{
	off_t result = mio_pre_lseek(((struct mio_preload_cookie *)context)->fd, *offset, whence);

	if (result < 0)
		return -1;
	*offset = result;
	return 0;
}

static void forget(struct mio_preload_cookie *cookie)
{
	struct mio_preload_cookie **place = place_of(cookie->stream);
	int before = hold_streams();

	while (*place && *place != cookie)
		place = &(*place)->beside;
	if (*place)
		*place = cookie->beside;
	if (cookie->before)
		cookie->before->next = cookie->next;
	else if (streams == cookie)
		streams = cookie->next;
	if (cookie->next)
		cookie->next->before = cookie->before;
	release_streams(before);
}

static int close_cookie(void *context)
{
	struct mio_preload_cookie *cookie = context;
	int rc;

	forget(cookie);
	rc = mio_pre_close(cookie->fd);
	mio_preload_give(cookie, sizeof(*cookie));
	return rc;
}

static const cookie_io_functions_t functions = {read_cookie, write_cookie, seek_cookie, close_cookie};

/* The mode for fopencookie, without letters that it does not know. */
static const char *mode_of(int flags)
{
	int both = (flags & O_ACCMODE) == O_RDWR;

	if (flags & O_APPEND)
		return both ? "a+" : "a";
	if ((flags & O_ACCMODE) == O_RDONLY)
		return "r";
	return both ? "r+" : "w";
}

FILE *mio_preload_stream_on(int fd, int flags)
{
	struct mio_preload_cookie *cookie = mio_preload_take(sizeof(*cookie));
	struct mio_preload_cookie **place;
	FILE *stream;
	int before;

	if (!cookie)
		return NULL;
	cookie->fd = fd;
	stream = fopencookie(cookie, mode_of(flags), functions);
	if (!stream) {
		mio_preload_give(cookie, sizeof(*cookie));
		return NULL;
	}
	/* fileno returns this number; nothing else of a stream of cookies uses it. */
	stream->_fileno = fd;
	setvbuf(stream, cookie->buffer, _IOFBF, BUFFER_BYTES);
	cookie->stream = stream;
	place = place_of(stream);
	before = hold_streams();
	cookie->beside = *place;
	*place = cookie;
	cookie->next = streams;
	if (streams)
		streams->before = cookie;
	streams = cookie;
	release_streams(before);
	return stream;
}

/* The C library looks at so many letters of a mode, and skips those that it does not know. */
enum { MODE_LETTERS = 7 };

int mio_preload_mode_flags(const char *mode)
{
	int flags;

	if (strstr(mode, ",ccs="))
		return -1;
	switch (mode[0]) {
	case 'r':
		flags = O_RDONLY;
		break;
	case 'w':
		flags = O_WRONLY | O_CREAT | O_TRUNC;
		break;
	case 'a':
		flags = O_WRONLY | O_CREAT | O_APPEND;
		break;
	default:
		return -1;
	}
	for (int i = 1; i < MODE_LETTERS && mode[i]; i++) {
		switch (mode[i]) {
		case '+':
			flags = (flags & ~O_ACCMODE) | O_RDWR;
			break;
		case 'x':
			flags |= O_EXCL;
			break;
		case 'e':
			flags |= O_CLOEXEC;
			break;
		default:
			break;
		}
	}
	return flags;
}

struct mio_preload_cookie *mio_preload_cookie_of(FILE *stream)
{
	struct mio_preload_cookie *found;
	int before;

	if (!atomic_load(&lock.state) && !streams)
		return NULL;
	before = hold_streams();
	for (found = *place_of(stream); found && found->stream != stream; found = found->beside)
		;
	release_streams(before);
	return found;
}

/* Before glibc 2.41 a stream kept the flag for good; since then freopen with a mode without `e` clears it. */
static int keeps_close_on_exec(void)
{
	char *after;
	long version = strtol(gnu_get_libc_version(), &after, 10) * 1000;

	return version + (*after == '.' ? strtol(after + 1, NULL, 10) : 0) < 2041;
}

FILE *mio_preload_cookie_reopen(struct mio_preload_cookie *cookie, const char *name, const char *mode)
{
	int flags = mio_preload_mode_flags(mode);
	char itself[64];
	int fd;

	fflush(cookie->stream);
	if (flags < 0) {
		fclose(cookie->stream);
		errno = EINVAL;
		return NULL;
	}
	if (!name) {
		/* The same file, with another mode. */
		snprintf(itself, sizeof(itself), "/proc/self/fd/%d", cookie->fd);
		name = itself;
	}
	fd = mio_preload_open(AT_FDCWD, name, flags, 0666, 0);
	if (fd < 0) {
		fclose(cookie->stream);
		return NULL;
	}
	/* Drops what the stream has buffered of the old file. */
	fseek(cookie->stream, 0, SEEK_CUR);
	if (!keeps_close_on_exec())
		cookie->stream->_flags2 &= ~MIO_PRELOAD_CLOSED_ON_EXEC;
	if (flags & O_CLOEXEC)
		cookie->stream->_flags2 |= MIO_PRELOAD_CLOSED_ON_EXEC;
	/* If the program has closed the number, the new file may have got it already. */
	if (fd != cookie->fd) {
		/* Bytes that cannot be written do not prevent the opening of another file. */
		mio_door_close_untold(cookie->fd);
		mio_pre_dup3(fd, cookie->fd, cookie->stream->_flags2 & MIO_PRELOAD_CLOSED_ON_EXEC ? O_CLOEXEC : 0);
		mio_pre_close(fd);
	}
	clearerr(cookie->stream);
	/* A buffer of the program's, or none, belonged to the stream before. */
	setvbuf(cookie->stream, cookie->buffer, _IOFBF, BUFFER_BYTES);
	rewind(cookie->stream);
	cookie->stream->_flags &= ~(NO_READS | NO_WRITES | APPENDING);
	if ((flags & O_ACCMODE) == O_RDONLY)
		cookie->stream->_flags |= NO_WRITES;
	if ((flags & O_ACCMODE) == O_WRONLY)
		cookie->stream->_flags |= NO_READS;
	if (flags & O_APPEND)
		cookie->stream->_flags |= APPENDING;
	/* As the C library does: a stream that only appends begins at the end. */
	if ((flags & O_APPEND) && (flags & O_ACCMODE) == O_WRONLY)
		fseek(cookie->stream, 0, SEEK_END);
	return cookie->stream;
}

void mio_preload_flush_streams(void)
{
	struct mio_preload_cookie *one = NULL;
	int rc;

	/* Each stream is flushed without `lock`, which its functions may take; the stream's own lock keeps it in the list meanwhile. */
	do {
		struct mio_preload_cookie *flushed = one;
		int before = hold_streams();

		/*
		 * A stream that another thread has locked, perhaps for ever, is left to the C library, which writes it at its end
		 * without taking its lock.
		 */
		for (one = flushed ? flushed->next : streams; one; one = one->next)
			if (one->stream->_IO_write_ptr > one->stream->_IO_write_base && ftrylockfile(one->stream) == 0)
				break;
		release_streams(before);
		if (flushed)
			funlockfile(flushed->stream);
		rc = one ? fflush(one->stream) : 0;
	} while (one && rc == 0);
	if (one)
		funlockfile(one->stream);
}

void mio_preload_streams_forked(void)
{
	atomic_store(&lock.state, 0);
}

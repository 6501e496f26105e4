/*
 * Streams. The C library reads and writes its streams by functions that cannot be wrapped, so a stream on a file with layers
 * is one of cookies: its bytes come and go by the functions below, on a real descriptor, which fileno gives too.
 *
 * Left to the C library: streams that nothing is wanted of, modes it alone knows (",ccs="), programs that write wide characters,
 * which streams of cookies cannot (preload_wide.c), tmpfile and popen. A file that such a stream can write has no cache while it is open.
 * Such a stream buffers as many bytes as the C library's own would, so that a trace shows the requests the program makes.
 */
#include "preload.h"

#include <fcntl.h>
#include <gnu/libc-version.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../common/memory.h"
#include "../stats/stats_process.h"
#include "preload_wrappers.h"

/* What the C library takes for files, whose blocks are so large nearly everywhere. */
#define BUFFER_BYTES ((size_t)4096)

/* Of _flags, as every version of the C library has them (its libio.h). */
#define NO_READS 0x0004
#define NO_WRITES 0x0008
#define APPENDING 0x1000
/* Of _flags2: it was opened with "e". */
#define CLOSED_ON_EXEC 0x40

struct cookie {
	int fd;
	FILE *stream;
	struct cookie *next;	/* that was opened before it: in this order they are flushed at the end, as the C library does it */
	struct cookie *before;
	struct cookie *beside;	/* in the same place */
	char buffer[BUFFER_BYTES];
};

/* By the address of the stream: a program may have thousands, and each fclose looks whether its stream is one of these. */
enum { PLACE_BITS = 8 };

static struct mio_lock lock;
static struct cookie *streams;
static struct cookie *places[1 << PLACE_BITS];

static struct cookie **place_of(const FILE *stream)
{
	return &places[(uint64_t)(uintptr_t)stream * 0x9e3779b97f4a7c15u >> (64 - PLACE_BITS)];
}

/* A handler that comes upon it must not wait for it. */
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
	return mio_pre_read(((struct cookie *)context)->fd, memory, length);
}

/* Unlike write(2), an error is told by 0. */
static ssize_t write_cookie(void *context, const char *memory, size_t length)
{
	size_t done = 0;

	while (done < length) {
		ssize_t bytes = mio_pre_write(((struct cookie *)context)->fd, memory + done, length - done);

		if (bytes <= 0)
			break;
		done += (size_t)bytes;
	}
	return (ssize_t)done;
}

static int seek_cookie(void *context, off64_t *offset, int whence)
{
	off_t result = mio_pre_lseek(((struct cookie *)context)->fd, *offset, whence);

	if (result < 0)
		return -1;
	*offset = result;
	return 0;
}

static void forget(struct cookie *cookie)
{
	struct cookie **place = place_of(cookie->stream);
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
	struct cookie *cookie = context;
	int rc;

	forget(cookie);
	rc = mio_pre_close(cookie->fd);
	mio_preload_give(cookie, sizeof(*cookie));
	return rc;
}

static const cookie_io_functions_t functions = {read_cookie, write_cookie, seek_cookie, close_cookie};

/* A stream over fd; NULL: make one of the C library's instead, nothing has changed. */
static FILE *stream_on(int fd, const char *mode)
{
	struct cookie *cookie = mio_preload_take(sizeof(*cookie));
	struct cookie **place;
	FILE *stream;
	int before;

	if (!cookie)
		return NULL;
	cookie->fd = fd;
	stream = fopencookie(cookie, mode, functions);
	if (!stream) {
		mio_preload_give(cookie, sizeof(*cookie));
		return NULL;
	}
	/* The number is what fileno tells; nothing else of a stream of cookies looks at it. */
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

/* The C library looks at so many letters of a mode, and passes over those that it does not know. */
enum { MODE_LETTERS = 7 };

/* Open flags of a mode, or -1: not one of ours to understand. */
static int flags_of(const char *mode)
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

/* The mode of a stream of cookies: without what it does not know. */
static const char *cookie_mode(int flags)
{
	int both = (flags & O_ACCMODE) == O_RDWR;

	if (flags & O_APPEND)
		return both ? "a+" : "a";
	if ((flags & O_ACCMODE) == O_RDONLY)
		return "r";
	return both ? "r+" : "w";
}

typedef FILE *open_stream_function(const char *name, const char *mode);
typedef FILE *reopen_stream_function(const char *name, const char *mode, FILE *stream);
typedef FILE *descriptor_stream_function(int fd, const char *mode);

/* A stream of the C library's, on a descriptor with layers: nobody sees what it reads and writes. */
static FILE *unseen(FILE *stream)
{
	if (stream)
		mio_door_unseen_descriptor(fileno(stream));
	return stream;
}

/* One on a descriptor without layers, which the C library may have opened by itself. */
static FILE *beside(FILE *stream)
{
	if (stream) {
		mio_door_new_descriptor(fileno(stream));
		mio_door_beside(fileno(stream));
	}
	return stream;
}

MIO_WRAPPER FILE *mio_pre_fopen(const char *name, const char *mode)
{
	open_stream_function *real = MIO_REAL_NOW(fopen, open_stream_function *);
	FILE *stream;
	int flags;
	int fd;

	if (!name || !mode || !mio_door_concerns(name))
		return real(name, mode);
	flags = flags_of(mode);
	if (flags < 0 || mio_preload_is_wide()) {
		mio_door_publish_name(AT_FDCWD, name, 1);
		return beside(real(name, mode));
	}
	fd = mio_preload_open(AT_FDCWD, name, flags, 0666, 0);
	if (fd < 0)
		return NULL;
	stream = mio_door_file(fd) ? stream_on(fd, cookie_mode(flags)) : NULL;
	/* As the C library does: a stream that only appends tells the end as its first position. */
	if (stream && (flags & O_APPEND) && (flags & O_ACCMODE) == O_WRONLY)
		mio_pre_lseek(fd, 0, SEEK_END);
	if (!stream) {
		descriptor_stream_function *real_on = MIO_REAL_NOW(fdopen, descriptor_stream_function *);

		mio_door_pass(fd);
		stream = mio_door_file(fd) ? unseen(real_on(fd, mode)) : beside(real_on(fd, mode));
	}
	if (!stream) {
		int error = errno;

		mio_pre_close(fd);
		errno = error;
	} else if (flags & O_CLOEXEC) {
		stream->_flags2 |= CLOSED_ON_EXEC;
	}
	return stream;
}
MIO_EXPORT(fopen, mio_pre_fopen);
MIO_EXPORT(fopen64, mio_pre_fopen);

MIO_WRAPPER FILE *mio_pre_fdopen(int fd, const char *mode)
{
	descriptor_stream_function *real = MIO_REAL_NOW(fdopen, descriptor_stream_function *);
	int flags = mio_door_decide(fd) && mode ? flags_of(mode) : -1;
	long have = flags < 0 ? -1 : mio_raw2(SYS_fcntl, fd, F_GETFL);
	FILE *stream;

	/* What does not fit the descriptor is for the C library to refuse; what we do not know, to read and write by itself. */
	if (mio_door_file(fd) && (flags < 0 || mio_preload_is_wide())) {
		mio_door_pass(fd);
		return unseen(real(fd, mode));
	}
	if (have < 0 || ((have & O_ACCMODE) != O_RDWR && (have & O_ACCMODE) != (flags & O_ACCMODE)))
		return real(fd, mode);
	if ((flags & O_APPEND) && !(have & O_APPEND)) {
		mio_pre_fcntl(fd, F_SETFL, have | O_APPEND);
		/* As the C library does: a stream that only appends begins at the end. */
		if ((flags & O_ACCMODE) == O_WRONLY)
			mio_pre_lseek(fd, 0, SEEK_END);
	}
	stream = stream_on(fd, cookie_mode(flags));
	if (!stream)
		mio_door_pass(fd);
	return stream ? stream : unseen(real(fd, mode));
}
MIO_EXPORT(fdopen, mio_pre_fdopen);

static struct cookie *cookie_of(FILE *stream)
{
	struct cookie *found;
	int before;

	if (!atomic_load(&lock.state) && !streams)
		return NULL;
	before = hold_streams();
	for (found = *place_of(stream); found && found->stream != stream; found = found->beside)
		;
	release_streams(before);
	return found;
}

/* The flag was the stream's for good until glibc 2.41; since then a mode without `e` takes it away. */
static int keeps_close_on_exec(void)
{
	char *after;
	long version = strtol(gnu_get_libc_version(), &after, 10) * 1000;

	return version + (*after == '.' ? strtol(after + 1, NULL, 10) : 0) < 2041;
}

/*
 * The C library's own crashes on a stream of cookies. The stream stays, its descriptor changes: the new file takes the number
 * of the old one, as programs expect of freopen.
 */
static FILE *reopen(struct cookie *cookie, const char *name, const char *mode)
{
	int flags = flags_of(mode);
	char itself[64];
	int fd;

	fflush(cookie->stream);
	if (flags < 0) {
		fclose(cookie->stream);
		if (name && strstr(mode, ",ccs="))
			return mio_pre_fopen(name, mode);
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
	/* Forget what was read ahead. */
	fseek(cookie->stream, 0, SEEK_CUR);
	if (!keeps_close_on_exec())
		cookie->stream->_flags2 &= ~CLOSED_ON_EXEC;
	if (flags & O_CLOEXEC)
		cookie->stream->_flags2 |= CLOSED_ON_EXEC;
	/* Where the program has closed the number, the new file may have it already. */
	if (fd != cookie->fd) {
		/* What cannot be written keeps nobody from opening another file. */
		mio_door_close_untold(cookie->fd);
		mio_pre_dup3(fd, cookie->fd, cookie->stream->_flags2 & CLOSED_ON_EXEC ? O_CLOEXEC : 0);
		mio_pre_close(fd);
	}
	clearerr(cookie->stream);
	/* A buffer of the program's, or none, was of the stream as it was. */
	setvbuf(cookie->stream, cookie->buffer, _IOFBF, BUFFER_BYTES);
	rewind(cookie->stream);
	cookie->stream->_flags &= ~(NO_READS | NO_WRITES | APPENDING);
	if ((flags & O_ACCMODE) == O_RDONLY)
		cookie->stream->_flags |= NO_WRITES;
	if ((flags & O_ACCMODE) == O_WRONLY)
		cookie->stream->_flags |= NO_READS;
	if (flags & O_APPEND)
		cookie->stream->_flags |= APPENDING;
	/* As the C library does: one that only appends begins at the end. */
	if ((flags & O_APPEND) && (flags & O_ACCMODE) == O_WRONLY)
		fseek(cookie->stream, 0, SEEK_END);
	return cookie->stream;
}

MIO_WRAPPER FILE *mio_pre_freopen(const char *name, const char *mode, FILE *stream)
{
	reopen_stream_function *real = MIO_REAL_NOW(freopen, reopen_stream_function *);
	struct cookie *cookie = cookie_of(stream);
	int fd;

	if (cookie)
		return reopen(cookie, name, mode);
	if (!mio_door_is_open() || !stream)
		return real(name, mode, stream);
	/* It closes the number where nobody sees it. */
	fd = fileno(stream);
	if (fd >= 0 && mio_door_file(fd)) {
		fflush(stream);
		mio_door_close_untold(fd);
	}
	if (!name || !mio_door_concerns(name))
		return real(name, mode, stream);
	mio_door_publish_name(AT_FDCWD, name, 1);
	return beside(real(name, mode, stream));
}
MIO_EXPORT(freopen, mio_pre_freopen);
MIO_EXPORT(freopen64, mio_pre_freopen);

static void tell_of_close(FILE *stream)
{
	int errno_before = errno;
	int fd = fileno(stream);

	if (fd >= 0)
		mio_stats_standard_closed((unsigned int)fd, (unsigned int)fd);
	errno = errno_before;
}

/* A stream of the C library's on a descriptor with layers: it closes the number where nobody sees it. */
MIO_WRAPPER int mio_pre_fclose(FILE *stream)
{
	typedef int function(FILE *);
	int fd = mio_door_is_open() && !cookie_of(stream) ? fileno(stream) : -1;
	int error = 0;
	int rc;

	tell_of_close(stream);
	if (fd >= 0 && mio_door_file(fd)) {
		fflush(stream);
		error = mio_door_close(fd);
	}
	rc = MIO_REAL_NOW(fclose, function *)(stream);
	return rc == 0 && error < 0 ? (int)mio_preload_result(error) : rc;
}
MIO_EXPORT(fclose, mio_pre_fclose);

void mio_preload_flush_streams(void)
{
	struct cookie *one = NULL;
	int rc;

	/* Each is written without the lock, which its functions may want; its own keeps it in the list meanwhile. */
	do {
		struct cookie *flushed = one;
		int before = hold_streams();

		/* One that another thread has locked, perhaps for ever, the C library writes at its end without asking. */
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

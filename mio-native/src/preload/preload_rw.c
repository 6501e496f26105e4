/* Reads, writes, and changes of the position. */
#include "preload.h"

#include <stdarg.h>
#include <stdio.h>
#include <sys/uio.h>

#include "../common/hot.h"
#include "../common/memory.h"

typedef ssize_t read_function(int fd, void *memory, size_t length);
typedef ssize_t write_function(int fd, const void *memory, size_t length);
typedef ssize_t pread_function(int fd, void *memory, size_t length, off_t offset);
typedef ssize_t pwrite_function(int fd, const void *memory, size_t length, off_t offset);
typedef ssize_t vector_function(int fd, const struct iovec *vector, int count);
typedef ssize_t vector_at_function(int fd, const struct iovec *vector, int count, off_t offset);
typedef ssize_t vector_flags_function(int fd, const struct iovec *vector, int count, off_t offset, int flags);
typedef off_t seek_function(int fd, off_t offset, int whence);
typedef int print_function(int fd, const char *format, va_list arguments);
typedef int print_checked_function(int fd, int flag, const char *format, va_list arguments);

/*
 * Returns the result of the real function, unless the call goes to the door; ASK follows. So that such a call, as those of most programs, costs little, a
 * wrapper that is called often has ASK in a function of its own.
 */
#define PLAIN_UNLESS(is_seen, name, type, arguments) \
	do { \
		type *real_ = MIO_REAL(name, type *); \
		if (!(is_seen) && real_) \
			return real_ arguments; \
	} while (0)

/* Returns the door's result; or that of the real function, or of the system call if the real function has not been found yet. */
#define ASK(asked, name, type, arguments, raw) \
	do { \
		int64_t result_; \
		mio_preload_test_cancel(); \
		result_ = asked; \
		if (result_ != MIO_DOOR_PASS) \
			return mio_preload_result(result_); \
		{ \
			type *real_ = MIO_REAL(name, type *); \
			return real_ ? real_ arguments : mio_preload_result(raw); \
		} \
	} while (0)

#define ASKED static __attribute__((noinline)) MIO_HOT

ASKED ssize_t read_asked(int fd, void *memory, size_t length)
{
	ASK(mio_door_read(fd, memory, length), read, read_function, (fd, memory, length),
	    mio_raw3(SYS_read, fd, memory, length));
}

/* A read by an open that waits, with the real function if it may pass by the layers. */
ASKED ssize_t read_waiting(int fd, void *memory, size_t length)
{
	read_function *real = MIO_REAL(read, read_function *);
	uint64_t life = mio_door_waited_read_begin(fd, length);
	ssize_t got;

	if (life == 0)
		return read_asked(fd, memory, length);
	got = real ? real(fd, memory, length) : mio_preload_result(mio_raw3(SYS_read, fd, memory, length));
	mio_door_waited_read_end(fd, life, got);
	return got;
}

MIO_WRAPPER MIO_HOT ssize_t mio_pre_read(int fd, void *memory, size_t length)
{
	PLAIN_UNLESS(mio_door_sees_read(fd), read, read_function, (fd, memory, length));
	return mio_door_file(fd) == &mio_door_waiting ? read_waiting(fd, memory, length) : read_asked(fd, memory, length);
}
MIO_EXPORT(read, mio_pre_read);
MIO_EXPORT(__read, mio_pre_read);

ASKED ssize_t write_asked(int fd, const void *memory, size_t length)
{
	ASK(mio_door_write(fd, memory, length), write, write_function, (fd, memory, length),
	    mio_raw3(SYS_write, fd, memory, length));
}

MIO_WRAPPER MIO_HOT ssize_t mio_pre_write(int fd, const void *memory, size_t length)
{
	PLAIN_UNLESS(mio_door_file(fd), write, write_function, (fd, memory, length));
	return write_asked(fd, memory, length);
}
MIO_EXPORT(write, mio_pre_write);
MIO_EXPORT(__write, mio_pre_write);

ASKED ssize_t pread_asked(int fd, void *memory, size_t length, off_t offset)
{
	ASK(mio_door_pread(fd, memory, length, offset), pread, pread_function, (fd, memory, length, offset),
	    mio_raw4(SYS_pread64, fd, memory, length, offset));
}

MIO_WRAPPER MIO_HOT ssize_t mio_pre_pread(int fd, void *memory, size_t length, off_t offset)
{
	PLAIN_UNLESS(mio_door_sees_read(fd), pread, pread_function, (fd, memory, length, offset));
	return pread_asked(fd, memory, length, offset);
}
MIO_EXPORT(pread, mio_pre_pread);
MIO_EXPORT(pread64, mio_pre_pread);
MIO_EXPORT(__pread64, mio_pre_pread);

ASKED ssize_t pwrite_asked(int fd, const void *memory, size_t length, off_t offset)
{
	ASK(mio_door_pwrite(fd, memory, length, offset), pwrite, pwrite_function, (fd, memory, length, offset),
	    mio_raw4(SYS_pwrite64, fd, memory, length, offset));
}

MIO_WRAPPER MIO_HOT ssize_t mio_pre_pwrite(int fd, const void *memory, size_t length, off_t offset)
{
	PLAIN_UNLESS(mio_door_file(fd), pwrite, pwrite_function, (fd, memory, length, offset));
	return pwrite_asked(fd, memory, length, offset);
}
MIO_EXPORT(pwrite, mio_pre_pwrite);
MIO_EXPORT(pwrite64, mio_pre_pwrite);
MIO_EXPORT(__pwrite64, mio_pre_pwrite);

MIO_WRAPPER ssize_t mio_pre_readv(int fd, const struct iovec *vector, int count)
{
	PLAIN_UNLESS(mio_door_sees_read(fd), readv, vector_function, (fd, vector, count));
	ASK(mio_door_readv(fd, vector, count), readv, vector_function, (fd, vector, count),
	    mio_raw3(SYS_readv, fd, vector, count));
}
MIO_EXPORT(readv, mio_pre_readv);

MIO_WRAPPER ssize_t mio_pre_writev(int fd, const struct iovec *vector, int count)
{
	PLAIN_UNLESS(mio_door_file(fd), writev, vector_function, (fd, vector, count));
	ASK(mio_door_writev(fd, vector, count), writev, vector_function, (fd, vector, count),
	    mio_raw3(SYS_writev, fd, vector, count));
}
MIO_EXPORT(writev, mio_pre_writev);

MIO_WRAPPER ssize_t mio_pre_preadv(int fd, const struct iovec *vector, int count, off_t offset)
{
	PLAIN_UNLESS(mio_door_sees_read(fd), preadv, vector_at_function, (fd, vector, count, offset));
	ASK(mio_door_preadv(fd, vector, count, offset), preadv, vector_at_function, (fd, vector, count, offset),
	    mio_raw5(SYS_preadv, fd, vector, count, offset, 0));
}
MIO_EXPORT(preadv, mio_pre_preadv);
MIO_EXPORT(preadv64, mio_pre_preadv);

MIO_WRAPPER ssize_t mio_pre_pwritev(int fd, const struct iovec *vector, int count, off_t offset)
{
	PLAIN_UNLESS(mio_door_file(fd), pwritev, vector_at_function, (fd, vector, count, offset));
	ASK(mio_door_pwritev(fd, vector, count, offset), pwritev, vector_at_function, (fd, vector, count, offset),
	    mio_raw5(SYS_pwritev, fd, vector, count, offset, 0));
}
MIO_EXPORT(pwritev, mio_pre_pwritev);
MIO_EXPORT(pwritev64, mio_pre_pwritev);

/* The kernel makes calls with flags, as it knows these; the layers keep pages in agreement. Offset -1: at the position. */
static int64_t with_flags(int write, int fd, const struct iovec *vector, int count, off_t offset, int flags)
{
	enum mio_bypass kind = write ? MIO_BYPASS_TRANSFER_IN : MIO_BYPASS_TRANSFER_OUT;
	int how = (offset == -1 ? MIO_DOOR_AT_POSITION : 0) | (write ? MIO_DOOR_ALONE : 0);
	struct mio_file *file;
	int rc = mio_door_bypass_begin(fd, kind, 0, 0, how, &file);
	int64_t place = offset;
	int64_t result;

	if (rc < 0)
		return rc;
	result = mio_raw6(write ? SYS_pwritev2 : SYS_preadv2, fd, (long)vector, count, offset, 0, flags);
	if (result > 0 && offset == -1)
		place = mio_raw3(SYS_lseek, fd, 0, SEEK_CUR) - result;
	mio_door_bypass_end(file, fd, kind, place < 0 ? 0 : place, result < 0 ? 0 : result, how, result < 0 ? (int)result : 1);
	return result;
}

MIO_WRAPPER ssize_t mio_pre_preadv2(int fd, const struct iovec *vector, int count, off_t offset, int flags)
{
	/* A call on a descriptor without layers, which may wait for a pipe, stays the C library's, which is a cancellation point. */
	if (mio_door_file(fd) == &mio_door_waiting)
		mio_door_decide(fd);
	if (flags == 0 && mio_door_file(fd))
		return offset == -1 ? mio_pre_readv(fd, vector, count) : mio_pre_preadv(fd, vector, count, offset);
	PLAIN_UNLESS(mio_door_file(fd), preadv2, vector_flags_function, (fd, vector, count, offset, flags));
	ASK(with_flags(0, fd, vector, count, offset, flags), preadv2, vector_flags_function,
	    (fd, vector, count, offset, flags), mio_raw6(SYS_preadv2, fd, (long)vector, count, offset, 0, flags));
}
MIO_EXPORT(preadv2, mio_pre_preadv2);
MIO_EXPORT(preadv64v2, mio_pre_preadv2);

MIO_WRAPPER ssize_t mio_pre_pwritev2(int fd, const struct iovec *vector, int count, off_t offset, int flags)
{
	if (flags == 0 && mio_door_file(fd))
		return offset == -1 ? mio_pre_writev(fd, vector, count) : mio_pre_pwritev(fd, vector, count, offset);
	PLAIN_UNLESS(mio_door_file(fd), pwritev2, vector_flags_function, (fd, vector, count, offset, flags));
	ASK(with_flags(1, fd, vector, count, offset, flags), pwritev2, vector_flags_function,
	    (fd, vector, count, offset, flags), mio_raw6(SYS_pwritev2, fd, (long)vector, count, offset, 0, flags));
}
MIO_EXPORT(pwritev2, mio_pre_pwritev2);
MIO_EXPORT(pwritev64v2, mio_pre_pwritev2);

/* lseek is not a cancellation point, so ASK is not used. */
ASKED off_t lseek_asked(int fd, off_t offset, int whence)
{
	int64_t result = mio_door_seek(fd, offset, whence);

	if (result != MIO_DOOR_PASS)
		return mio_preload_result(result);
	return MIO_REAL(lseek, seek_function *) ? MIO_REAL(lseek, seek_function *)(fd, offset, whence)
						: mio_preload_result(mio_raw3(SYS_lseek, fd, offset, whence));
}

MIO_WRAPPER MIO_HOT off_t mio_pre_lseek(int fd, off_t offset, int whence)
{
	PLAIN_UNLESS(mio_door_sees_seek(fd), lseek, seek_function, (fd, offset, whence));
	return lseek_asked(fd, offset, whence);
}
MIO_EXPORT(lseek, mio_pre_lseek);
MIO_EXPORT(lseek64, mio_pre_lseek);
MIO_EXPORT(__lseek, mio_pre_lseek);
MIO_EXPORT(llseek, mio_pre_lseek);

/* Fortified callers, who say how large the memory is: if it is too small, the C library ends the program. */

MIO_WRAPPER ssize_t mio_pre_read_chk(int fd, void *memory, size_t length, size_t room)
{
	typedef ssize_t function(int, void *, size_t, size_t);

	if (length > room)
		return MIO_REAL_NOW(__read_chk, function *)(fd, memory, length, room);
	return mio_pre_read(fd, memory, length);
}
MIO_EXPORT(__read_chk, mio_pre_read_chk);

MIO_WRAPPER ssize_t mio_pre_pread_chk(int fd, void *memory, size_t length, off_t offset, size_t room)
{
	typedef ssize_t function(int, void *, size_t, off_t, size_t);

	if (length > room)
		return MIO_REAL_NOW(__pread_chk, function *)(fd, memory, length, offset, room);
	return mio_pre_pread(fd, memory, length, offset);
}
MIO_EXPORT(__pread_chk, mio_pre_pread_chk);
MIO_EXPORT(__pread64_chk, mio_pre_pread_chk);

/* Printing on a descriptor: the C library would write inside itself. */

/* Texts up to this length are made once: making one may take memory of the program's malloc, inside the C library. */
#define PRINT_BYTES ((size_t)32 << 10)

static int write_all(int fd, const char *text, size_t length)
{
	size_t done = 0;

	while (done < length) {
		ssize_t bytes = mio_pre_write(fd, text + done, length - done);

		if (bytes <= 0)
			return 0;
		done += (size_t)bytes;
	}
	return 1;
}

__attribute__((format(printf, 2, 0))) static int print_to_door(int fd, const char *format, va_list arguments)
{
	size_t room = PRINT_BYTES;
	char *text = mio_preload_take(room);
	va_list again;
	int length = -1;

	va_copy(again, arguments);
	if (text)
		length = vsnprintf(text, room, format, arguments);
	else
		errno = ENOMEM;
	if (length >= 0 && (size_t)length >= room) {
		mio_preload_give(text, room);
		room = (size_t)length + 1;
		text = mio_preload_take(room);
		if (text)
			vsnprintf(text, room, format, again);
		else
			errno = ENOMEM;
	}
	va_end(again);
	if (text && length >= 0 && !write_all(fd, text, (size_t)length))
		length = -1;
	if (text)
		mio_preload_give(text, room);
	return text ? length : -1;
}

MIO_WRAPPER __attribute__((format(printf, 2, 0))) int mio_pre_vdprintf(int fd, const char *format, va_list arguments)
{
	if (mio_door_file(fd))
		return print_to_door(fd, format, arguments);
	return MIO_REAL_NOW(vdprintf, print_function *)(fd, format, arguments);
}
MIO_EXPORT(vdprintf, mio_pre_vdprintf);

MIO_WRAPPER __attribute__((format(printf, 2, 3))) int mio_pre_dprintf(int fd, const char *format, ...)
{
	va_list arguments;
	int result;

	va_start(arguments, format);
	result = mio_pre_vdprintf(fd, format, arguments);
	va_end(arguments);
	return result;
}
MIO_EXPORT(dprintf, mio_pre_dprintf);

MIO_WRAPPER __attribute__((format(printf, 3, 0))) int mio_pre_vdprintf_chk(int fd, int flag, const char *format, va_list arguments)
{
	if (mio_door_file(fd))
		return print_to_door(fd, format, arguments);
	return MIO_REAL_NOW(__vdprintf_chk, print_checked_function *)(fd, flag, format, arguments);
}
MIO_EXPORT(__vdprintf_chk, mio_pre_vdprintf_chk);

MIO_WRAPPER __attribute__((format(printf, 3, 4))) int mio_pre_dprintf_chk(int fd, int flag, const char *format, ...)
{
	va_list arguments;
	int result;

	va_start(arguments, format);
	result = mio_pre_vdprintf_chk(fd, flag, format, arguments);
	va_end(arguments);
	return result;
}
MIO_EXPORT(__dprintf_chk, mio_pre_dprintf_chk);

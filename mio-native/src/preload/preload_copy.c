/*
 * Copies inside the kernel: copy_file_range, sendfile, splice. The kernel makes them, with the pages of both files in order before and
 * after.
 *
 * A call that waits for a pipe or a socket holds no file meanwhile: others may want the file, and may close it.
 */
#include "preload.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>

/* 1 for a pipe or a socket: reading or writing it waits for somebody, who may want the file. */
static int may_wait(int fd)
{
	struct stat found;

	return mio_raw2(SYS_fstat, fd, &found) < 0 || !S_ISREG(found.st_mode);
}

/* One end of a copy. */
struct end {
	int fd;
	const off_t *offset;	/* the program's, which the kernel reads and advances; NULL: at the position */
};

struct copy {
	struct end from, to;
	size_t length;
	long number;		/* of the system call */
	long words[6];		/* arguments of the system call */
};

static int64_t wanted(const struct copy *copy)
{
	return copy->length < SSIZE_MAX ? (int64_t)copy->length : SSIZE_MAX;
}

static int64_t call(const struct copy *copy)
{
	const long *words = copy->words;

	return mio_raw6(copy->number, words[0], words[1], words[2], words[3], words[4], words[5]);
}

static uint64_t number_of(const struct mio_file *file)
{
	return file ? file->number : 0;
}

/* Begins the read of the source: *source is in use then; NULL: it has no layers. how: 0, or MIO_DOOR_WAITS. */
static int begin_from(const struct copy *copy, int how, struct mio_file **source)
{
	return mio_door_bypass_begin(copy->from.fd, MIO_BYPASS_TRANSFER_OUT,
				     copy->from.offset ? 0 : mio_raw3(SYS_lseek, copy->from.fd, 0, SEEK_CUR), wanted(copy), how,
				     source);
}

/* Tells the layers the result of the copy. The kernel has moved the offset behind what it copied. */
static void end_copy(struct mio_file *file, struct end end, enum mio_bypass kind, int how, int64_t result)
{
	int64_t place = 0;

	if (!file)
		return;
	if (result > 0)
		place = (end.offset ? *end.offset : mio_raw3(SYS_lseek, end.fd, 0, SEEK_CUR)) - result;
	mio_door_bypass_end(file, end.fd, kind, place < 0 ? 0 : place, result < 0 ? 0 : result, how, result < 0 ? (int)result : 1);
}

/* Makes the call with both files in order. how: for the target. */
static int64_t copy_held(const struct copy *copy, int how)
{
	struct end from = copy->from;
	struct end to = copy->to;
	struct mio_file *source = NULL;
	struct mio_file *target = NULL;
	int waits = how & MIO_DOOR_WAITS;
	uint64_t source_number;
	uint64_t target_number;
	int64_t result;
	int rc;

	/* Both positions are set without holding the two locks together: the call uses the kernel's, which are read back afterwards. */
	rc = mio_door_file(from.fd) ? mio_door_publish_position(from.fd, !from.offset) : 0;
	if (rc == 0 && mio_door_file(to.fd))
		rc = mio_door_publish_position(to.fd, !to.offset);
	if (rc == 0 && mio_door_file(from.fd) && from.fd != to.fd)
		rc = begin_from(copy, waits, &source);
	/* The file that is held alone comes last: from then on this thread is inside. */
	if (rc == 0 && mio_door_file(to.fd))
		rc = mio_door_bypass_begin(to.fd, MIO_BYPASS_TRANSFER_IN, 0, wanted(copy), how, &target);
	if (rc < 0) {
		end_copy(source, from, MIO_BYPASS_TRANSFER_OUT, waits, rc);
		return rc;
	}
	source_number = number_of(from.fd == to.fd ? target : source);
	target_number = number_of(target);
	result = call(copy);
	end_copy(target, to, MIO_BYPASS_TRANSFER_IN, how, result);
	end_copy(source, from, MIO_BYPASS_TRANSFER_OUT, waits, result);
	if (!from.offset)
		mio_door_take_position(from.fd, source_number);
	if (!to.offset)
		mio_door_take_position(to.fd, target_number);
	return result;
}

/* The C library's splice is a cancellation point. */
static int64_t call_and_wait(const struct copy *copy)
{
	typedef ssize_t function(int, off_t *, int, off_t *, size_t, unsigned int);
	const long *words = copy->words;
	int errno_before = errno;
	int64_t result;

	if (copy->number != SYS_splice)
		return call(copy);
	result = MIO_REAL_NOW(splice, function *)((int)words[0], (off_t *)words[1], (int)words[2], (off_t *)words[3],
						  (size_t)words[4], (unsigned int)words[5]);
	if (result < 0)
		result = -errno;
	errno = errno_before;
	return result;
}

/* A copy to a pipe or a socket. At the end the layers of the source learn of it only if the file is still open. */
static int64_t copy_out(const struct copy *copy)
{
	struct end from = copy->from;
	struct mio_file *source = NULL;
	uint64_t number;
	int64_t result;
	int rc = mio_door_publish_position(from.fd, !from.offset);

	if (rc == 0)
		rc = begin_from(copy, 0, &source);
	if (rc < 0)
		return rc;
	number = mio_door_let_go(source);
	result = call_and_wait(copy);
	end_copy(mio_door_hold_again(from.fd, number), from, MIO_BYPASS_TRANSFER_OUT, 0, result);
	if (!from.offset)
		mio_door_take_position(from.fd, number);
	return result;
}

static int64_t copy_by(const struct copy *copy)
{
	if (!mio_door_file(copy->to.fd) && may_wait(copy->to.fd))
		return copy_out(copy);
	return copy_held(copy, mio_door_file(copy->to.fd) && !may_wait(copy->from.fd) ? MIO_DOOR_ALONE : 0);
}

/*
 * Waits until the pipe has something, or has no writer any more. 0, or -EINTR or -EAGAIN as a splice that waits would give. It waits by
 * a read into memory that cannot be written, which takes nothing; signals interrupt that exactly when they would interrupt a splice.
 */
static int wait_for(int pipe)
{
	static const char nowhere;
	typedef ssize_t function(int, void *, size_t);
	struct pollfd one = {.fd = pipe, .events = POLLIN};
	int errno_before = errno;
	int rc = 0;

	if (MIO_REAL_NOW(read, function *)(pipe, (void *)(uintptr_t)&nowhere, 1) < 0 && (errno == EINTR || errno == EAGAIN))
		rc = -errno;
	/* For kernels that check the memory first. */
	else if (poll(&one, 1, -1) < 0 && errno == EINTR)
		rc = -EINTR;
	errno = errno_before;
	return rc;
}

/*
 * A splice from a pipe: what the pipe has now goes into the file, which is held alone meanwhile. After a wait both numbers have to lead
 * where they did before.
 */
static int64_t splice_in(struct copy *copy)
{
	enum { TIMES = 100 };
	int waits = !(copy->words[5] & SPLICE_F_NONBLOCK);
	uint64_t number = number_of(mio_door_file(copy->to.fd));
	struct stat before = {0};
	struct stat now;
	int64_t result;

	mio_raw2(SYS_fstat, copy->from.fd, &before);
	for (int i = 0; i < TIMES; i++) {
		copy->words[5] |= SPLICE_F_NONBLOCK;
		result = copy_held(copy, MIO_DOOR_ALONE);
		if (result != -EAGAIN || !waits)
			return result;
		result = wait_for(copy->from.fd);
		if (result < 0)
			return result;
		if (number_of(mio_door_file(copy->to.fd)) != number || mio_raw2(SYS_fstat, copy->from.fd, &now) < 0 ||
		    now.st_dev != before.st_dev || now.st_ino != before.st_ino)
			return -EBADF;
	}
	/* The EAGAIN does not come from the pipe. */
	copy->words[5] &= ~(long)SPLICE_F_NONBLOCK;
	return copy_held(copy, MIO_DOOR_WAITS);
}

MIO_WRAPPER ssize_t mio_pre_copy_file_range(int from, off_t *from_offset, int to, off_t *to_offset, size_t length,
					    unsigned int flags)
{
	typedef ssize_t function(int, off_t *, int, off_t *, size_t, unsigned int);
	struct copy copy = {{from, from_offset}, {to, to_offset}, length, SYS_copy_file_range,
			    {from, (long)from_offset, to, (long)to_offset, (long)length, (long)flags}};

	if (mio_door_decide(from) || mio_door_file(to)) {
		mio_preload_test_cancel();
		return mio_preload_result(copy_by(&copy));
	}
	return MIO_REAL(copy_file_range, function *)
		       ? MIO_REAL(copy_file_range, function *)(from, from_offset, to, to_offset, length, flags)
		       : mio_preload_result(call(&copy));
}
MIO_EXPORT(copy_file_range, mio_pre_copy_file_range);

/* Not a cancellation point. */
MIO_WRAPPER ssize_t mio_pre_sendfile(int to, int from, off_t *offset, size_t length)
{
	typedef ssize_t function(int, int, off_t *, size_t);
	struct copy copy = {{from, offset}, {to, NULL}, length, SYS_sendfile, {to, from, (long)offset, (long)length, 0, 0}};

	if (mio_door_decide(from) || mio_door_file(to))
		return mio_preload_result(copy_by(&copy));
	return MIO_REAL(sendfile, function *) ? MIO_REAL(sendfile, function *)(to, from, offset, length)
					      : mio_preload_result(call(&copy));
}
MIO_EXPORT(sendfile, mio_pre_sendfile);
MIO_EXPORT(sendfile64, mio_pre_sendfile);

MIO_WRAPPER ssize_t mio_pre_splice(int from, off_t *from_offset, int to, off_t *to_offset, size_t length,
				   unsigned int flags)
{
	typedef ssize_t function(int, off_t *, int, off_t *, size_t, unsigned int);
	struct copy copy = {{from, from_offset}, {to, to_offset}, length, SYS_splice,
			    {from, (long)from_offset, to, (long)to_offset, (long)length, (long)flags}};

	if (mio_door_decide(from) || mio_door_file(to)) {
		mio_preload_test_cancel();
		return mio_preload_result(mio_door_file(to) && may_wait(from) ? splice_in(&copy) : copy_by(&copy));
	}
	return MIO_REAL_NOW(splice, function *)(from, from_offset, to, to_offset, length, flags);
}
MIO_EXPORT(splice, mio_pre_splice);

/*
 * What a signal handler asks for while its own thread is inside MIO, perhaps with locks held. Calls on files whose position is the kernel's go
 * straight to the kernel, which has all their bytes. For files with a cache:
 *
 *   writes   the bytes are copied, the handler is told that they are written, and they are written when the thread leaves
 *   close    the number is the kernel's again at once; the layers are closed when the thread leaves
 *   others   go to the kernel, which may not have the newest bytes
 *
 * Memory is mapped from the kernel directly: the handler may have interrupted MIO's allocator.
 */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "../common/raw.h"
#include "door_request.h"

struct put_off {
	struct put_off *next;
	struct mio_file *file;
	int64_t offset;		/* of a write, bytes; -1: at the position */
	size_t length;
	size_t bytes;		/* length of this mapping */
	int fd;
	int closes;
	char data[];
};

/* The list of this thread, newest first. */
static _Thread_local struct put_off *first __attribute__((tls_model("initial-exec")));

static struct put_off *add(int fd, size_t length)
{
	size_t bytes = sizeof(struct put_off) + length;
	long memory = mio_raw6(SYS_mmap, 0, (long)bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct put_off *one = (void *)memory;

	if (memory < 0 && memory > -4096)
		return NULL;
	one->bytes = bytes;
	one->length = length;
	one->fd = fd;
	return one;
}

static void enter(struct put_off *one)
{
	one->next = first;
	first = one;
	atomic_store(&mio_door_thread.pending, 1);
}

void mio_door_put_off_close(int fd)
{
	struct put_off *one = add(fd, 0);

	if (!one)
		return;
	one->closes = 1;
	one->file = mio_door_detach(fd);
	if (one->file)
		enter(one);
	else
		mio_raw2(SYS_munmap, one, one->bytes);
}

int64_t mio_door_put_off_write(int fd, const struct iovec *vector, int count, int64_t offset)
{
	struct put_off *one;
	size_t length = 0;
	size_t at = 0;

	for (int i = 0; i < count; i++) {
		if (mio_door_is_no_place(vector[i].iov_base, vector[i].iov_len))
			return MIO_DOOR_PASS;
		length += vector[i].iov_len;
	}
	if (length == 0)
		return 0;
	one = add(fd, length);
	if (!one)
		return -ENOMEM;
	for (int i = 0; i < count; i++) {
		memcpy(one->data + at, vector[i].iov_base, vector[i].iov_len);
		at += vector[i].iov_len;
	}
	one->offset = offset;
	enter(one);
	return (int64_t)length;
}

void (*mio_door_when_leaving)(void);

static void run(struct put_off *one)
{
	if (one->closes) {
		mio_door_thread.inside = 1;
		mio_door_finish(one->file, one->fd);
		mio_door_thread.inside = 0;
	} else if (one->offset >= 0) {
		mio_door_pwrite(one->fd, one->data, one->length, one->offset);
	} else {
		mio_door_write(one->fd, one->data, one->length);
	}
	mio_raw2(SYS_munmap, one, one->bytes);
}

void mio_door_run_put_off(void)
{
	/* A run may end in this function again: the outer call goes on with the list. */
	static _Thread_local int running __attribute__((tls_model("initial-exec")));
	struct put_off *list = NULL;

	if (running)
		return;
	running = 1;
	while (first) {
		struct put_off *newest = first;

		/* A handler may add an element right here: it only ever puts it at the head. */
		first = newest->next;
		newest->next = list;
		list = newest;
		if (first)
			continue;
		atomic_store(&mio_door_thread.pending, 0);
		while (list) {
			struct put_off *next = list->next;

			run(list);
			list = next;
		}
	}
	atomic_store(&mio_door_thread.pending, 0);
	running = 0;
	if (mio_door_when_leaving)
		mio_door_when_leaving();
}

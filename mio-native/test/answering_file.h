#ifndef MIO_TEST_ANSWERING_FILE_H
#define MIO_TEST_ANSWERING_FILE_H

/*
 * A FUSE file system of one file, whose reads and writes a process of the test answers. It needs root, and mounts itself in a mount
 * namespace of its own.
 */

#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum { ANSWERING_BYTES = 1 << 20 };

static inline void answering_send(int device, uint64_t unique, int error, const void *body, size_t bytes)
{
	struct fuse_out_header head = {.len = (uint32_t)(sizeof(head) + bytes), .error = error, .unique = unique};
	struct iovec parts[] = {{&head, sizeof(head)}, {(void *)(uintptr_t)body, bytes}};

	if (writev(device, parts, 2) < 0)
		_exit(1);
}

/* So many writes fail; those after them succeed. */
static int answering_writes = INT32_MAX;

/* Answers every read, and the first writes, with error. STATFS fails with ENOSYS, so that MIO cannot tell that the file is on no disk. */
static inline void answering_serve(int device, int error)
{
	static _Alignas(8) char request[FUSE_MIN_READ_BUFFER + ANSWERING_BYTES];
	const struct fuse_in_header *head = (const void *)request;
	struct fuse_init_out begin = {.major = FUSE_KERNEL_VERSION, .minor = 31, .max_write = 65536};
	struct fuse_attr_out attributes = {
		.attr = {.ino = 1, .size = ANSWERING_BYTES, .mode = S_IFREG | 0600, .nlink = 1, .blksize = 4096}};
	struct fuse_open_out opened = {.open_flags = FOPEN_DIRECT_IO};
	struct fuse_write_out written = {0};

	while (read(device, request, sizeof(request)) > 0) {
		if (head->opcode == FUSE_INIT)
			answering_send(device, head->unique, 0, &begin, sizeof(begin));
		else if (head->opcode == FUSE_GETATTR)
			answering_send(device, head->unique, 0, &attributes, sizeof(attributes));
		else if (head->opcode == FUSE_OPEN)
			answering_send(device, head->unique, 0, &opened, sizeof(opened));
		else if (head->opcode == FUSE_WRITE && answering_writes-- <= 0) {
			written.size = ((const struct fuse_write_in *)(const void *)(head + 1))->size;
			answering_send(device, head->unique, 0, &written, sizeof(written));
		} else if (head->opcode == FUSE_READ || head->opcode == FUSE_WRITE)
			answering_send(device, head->unique, error, NULL, 0);
		else if (head->opcode != FUSE_FORGET && head->opcode != FUSE_BATCH_FORGET && head->opcode != FUSE_INTERRUPT)
			answering_send(device, head->unique, -ENOSYS, NULL, 0);
	}
	_exit(0);
}

/* Opens the file for reading and writing; -1 where FUSE cannot be mounted. For a child of the test only; path is an existing empty file. */
static inline int answering_file(const char *path, int error)
{
	int device = open("/dev/fuse", O_RDWR | O_CLOEXEC);
	char options[100];
	int fd;

	snprintf(options, sizeof(options), "fd=%d,rootmode=100000,user_id=0,group_id=0", device);
	if (device < 0 || unshare(CLONE_NEWNS) < 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
	    mount("none", path, "fuse", MS_NOSUID | MS_NODEV, options) < 0)
		return -1;
	if (fork() == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		answering_serve(device, error);
	}
	/* Only the serving process keeps the device, so that nothing waits for an answer once that process has ended. */
	close(device);
	fd = open(path, O_RDWR | O_CLOEXEC);
	umount2(path, MNT_DETACH);
	return fd;
}

#endif

/*
 * ringing HOW FILE: writes a file and reads it through a ring, and the other way round, and says what it sees. ringing HOW FILE
 * LIBRARY: the same by a library, built from this source as well, that is loaded with RTLD_LOCAL.
 */
#include "uring.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { READ = 22, WRITE = 23, BYTES = 8192 };

int ringing(const char *how, const char *file);

#ifdef RINGS

static int begin(const char *how, struct io_uring *ring)
{
	static char memory[4096];
	struct io_uring_params params = {0};

	if (strcmp(how, "init") == 0)
		return io_uring_queue_init(8, ring, 0);
	if (strcmp(how, "params") == 0)
		return io_uring_queue_init_params(8, ring, &params);
	if (strcmp(how, "mem") == 0)
		return io_uring_queue_init_mem(8, ring, &params, memory, sizeof(memory));
	if (strcmp(how, "refused") == 0)
		return io_uring_queue_init(0, ring, 0);
	ring->fd = io_uring_setup(8, &params);
	return ring->fd < 0 ? ring->fd : ring_map(ring, &params);
}

static const char *which(const char *bytes)
{
	static char other[BYTES];

	memset(other, bytes[0], BYTES);
	return memcmp(bytes, other, BYTES) != 0 ? "a mixture" : bytes[0] == 'w' ? "what was written" : bytes[0] == 'r' ? "what the ring wrote" : "nothing";
}

static void see(const char *what, long result, const char *bytes)
{
	printf("%s: %ld, %s\n", what, result, which(bytes));
}

static char *cleared(char *bytes)
{
	return memset(bytes, 0, BYTES);
}

int ringing(const char *how, const char *file)
{
	static char bytes[BYTES];
	struct io_uring ring = {0};
	/* One open that gets pages before the ring exists, and one that is opened after. */
	int before = open(file, O_RDWR | O_CREAT | O_TRUNC, 0600);
	int after, rc;
	long got;

	if (before < 0 || pwrite(before, memset(bytes, 'w', BYTES), BYTES, 0) != BYTES)
		return 1;
	errno = 0;
	rc = begin(how, &ring);
	printf("%d, errno %d\n", rc, errno);
	if (rc == -EPERM || rc == -ENOSYS)
		return 77;
	if (rc < 0) {
		/* The ring was refused, so files work as if there had been no request for one. */
		after = close(before) == 0 ? open(file, O_RDWR) : -1;
		return pwrite(after, bytes, BYTES, BYTES) == BYTES && close(after) == 0 ? 0 : 4;
	}
	after = open(file, O_RDWR);
	got = ring_request(&ring, READ, before, cleared(bytes), BYTES, 0);
	see("read by the ring", got, bytes);
	if (pwrite(after, memset(bytes, 'w', BYTES), BYTES, BYTES) != BYTES)
		return 2;
	got = ring_request(&ring, READ, after, cleared(bytes), BYTES, BYTES);
	see("behind it", got, bytes);
	got = ring_request(&ring, WRITE, before, memset(bytes, 'r', BYTES), BYTES, 0);
	see("written by the ring", got, bytes);
	got = pread(before, cleared(bytes), BYTES, 0);
	see("read", got, bytes);
	got = pread(after, cleared(bytes), BYTES, 0);
	see("read by the other", got, bytes);
	if (close(before) < 0 || close(after) < 0 || (after = open(file, O_RDONLY)) < 0)
		return 3;
	got = read(after, cleared(bytes), BYTES);
	see("in the end", got, bytes);
	got = read(after, cleared(bytes), BYTES);
	see("behind it", got, bytes);
	return close(after);
}

#endif

#ifndef LOADS

int main(int count, char **words)
{
	return count == 3 ? ringing(words[1], words[2]) : 9;
}

#elif !defined(RINGS)

int main(int count, char **words)
{
	void *library = count == 4 ? dlopen(words[3], RTLD_NOW | RTLD_LOCAL) : NULL;
	int (*function)(const char *, const char *) = library ? (int (*)(const char *, const char *))(size_t)dlsym(library, "ringing") : NULL;

	return function ? function(words[1], words[2]) : 9;
}

#endif

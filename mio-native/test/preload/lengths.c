/*
 * Lengths that exceed any process's memory, as when the result of a failed call is passed on; writes that end too early; the last
 * bytes that a file can have.
 */
#include "see.h"

#include <sys/resource.h>
#include <sys/uio.h>
#include <sys/wait.h>

static char bytes[4096];

static void impossible(int fd)
{
	/* Variables, because the compiler knows what a call with a constant would do. */
	volatile size_t none = (size_t)-1;
	volatile size_t half = SIZE_MAX / 2 + 1;

	SEE(write(fd, bytes, none));
	SEE(pwrite(fd, bytes, none, 4));
	SEE(write(fd, bytes, half));
	SEE(lseek(fd, 0, SEEK_CUR));
	SEE(lseek(fd, 0, SEEK_SET));
	SEE(read(fd, bytes, none));
	SEE(pread(fd, bytes, none, 0));
	SEE(read(fd, bytes, half));
	SEE(lseek(fd, 0, SEEK_CUR));
	SEE(write(fd, (void *)(uintptr_t)none, 4096));
	SEE(read(fd, (void *)(uintptr_t)none, 4096));
	say("%016llx", (unsigned long long)digest(bytes, sizeof(bytes)));
}

/* Addresses where no process has memory: the kernel refuses them even for zero bytes and at the end of the file. */
static void nowhere(int fd)
{
#if UINTPTR_MAX > UINT32_MAX
	static const uintptr_t places[] = {
#ifdef __x86_64__
		/* The last page below the limit, and values that are no addresses. */
		((uintptr_t)1 << 47) - 4096, (uintptr_t)1 << 47, ((uintptr_t)1 << 48) - 4096, (uintptr_t)1 << 56,
#endif
		(uintptr_t)1 << 60, (uintptr_t)1 << 62, UINTPTR_MAX / 2, UINTPTR_MAX / 2 + 1, UINTPTR_MAX - 4095,
	};

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		void *volatile place = (void *)places[i];

		for (size_t length = 0; length <= 5; length += 5) {
			struct iovec parts[] = {{bytes, 5}, {place, length}};
			off_t end = lseek(fd, 0, SEEK_END);

			say("place %zu, %zu bytes", i, length);
			SEE(read(fd, place, length));
			SEE(pread(fd, place, length, end));
			SEE(pread(fd, place, length, end + 5000));
			SEE(lseek(fd, 0, SEEK_SET));
			SEE(read(fd, place, length));
			SEE(write(fd, place, length));
			SEE(pread(fd, place, length, 1));
			SEE(pwrite(fd, place, length, 1));
			SEE(pread(fd, place, length, -1));
			SEE(pread(fd, place, length, INT64_MAX));
			SEE(readv(fd, parts + 1, 1));
			SEE(writev(fd, parts + 1, 1));
			SEE(readv(fd, parts, 2));
			SEE(preadv(fd, parts + 1, 1, 1));
			SEE(pwritev(fd, parts + 1, 1, 1));
			SEE(preadv(fd, parts, 2, 1));
			SEE(preadv2(fd, parts + 1, 1, -1, 0));
			SEE(pwritev2(fd, parts + 1, 1, 1, 0));
			SEE(pwritev2(fd, parts + 1, 1, 1, RWF_DSYNC));
			SEE(lseek(fd, 0, SEEK_CUR));
		}
	}
	/* Longer than all the address space above the memory. */
	for (int shift = 48; shift < 64; shift += 5) {
		volatile size_t length = (size_t)1 << shift;

		SEE(pread(fd, bytes, length, 4000));
		SEE(read(fd, bytes, length));
		SEE(lseek(fd, 4090, SEEK_SET));
	}
#else
	(void)fd;
#endif
}

static void print(void)
{
	struct rlimit limit = {4, RLIM_INFINITY};
	int fd = open("printed", O_RDWR | O_CREAT | O_TRUNC, 0600);
	int printed;
	int error;

	MUST(fd >= 0 && signal(SIGXFSZ, SIG_IGN) != SIG_ERR);
	MUST(setrlimit(RLIMIT_FSIZE, &limit) == 0);
	/* The program's output goes to a file, too, so nothing is said under the limit. */
	errno = 0;
	printed = dprintf(fd, "%s", "0123456789");
	error = errno;
	limit.rlim_cur = RLIM_INFINITY;
	MUST(setrlimit(RLIMIT_FSIZE, &limit) == 0);
	say("%d, %s", printed, strerror(error));
	SEE(lseek(fd, 0, SEEK_CUR));
	SEE(close(fd));
	look("printed");
}

/* On a file system that allows such offsets. */
static void farthest(void)
{
	const off_t last = INT64_MAX - 1;
	char name[64];
	int fd;

	snprintf(name, sizeof(name), "/dev/shm/mio-lengths.%d", (int)getpid());
	fd = open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
	if (fd < 0)
		return;
	unlink(name);
	SEE(write(fd, "first", 5));
	SEE(pread(fd, bytes, 5, 0));
	SEE(pwrite(fd, "last", 1, last));
	SEE(pwrite(fd, "b", 1, last + 1));
	SEE(pread(fd, bytes, 1, last));
	say("%c", bytes[0]);
	SEE(pread(fd, bytes, sizeof(bytes), last - 4095));
	say("%016llx", (unsigned long long)digest(bytes, sizeof(bytes)));
	SEE(lseek(fd, -1, SEEK_END));
	SEE(read(fd, bytes, 1));
	SEE(lseek(fd, -2, SEEK_END));
	SEE(write(fd, "xy", 2));
	SEE(pread(fd, bytes, 1, last));
	say("%c", bytes[0]);
	SEE(ftruncate(fd, 5));
	SEE(pread(fd, bytes, 10, 0));
	SEE(close(fd));
}

/* At the end of the longest file that this file system allows, with a child that shares the position. */
static void longest(void)
{
	int fd = open("longest", O_RDWR | O_CREAT | O_TRUNC, 0600);
	off_t most = 0;
	int status;
	pid_t child;

	MUST(fd >= 0);
	for (off_t step = (off_t)1 << 62; step > 0; step /= 2)
		if (ftruncate(fd, most + step) == 0)
			most += step;
	SEE(close(fd));
	fd = open("longest", O_RDONLY);
	MUST(fd >= 0);
	SEE(pread(fd, bytes, sizeof(bytes), 0));
	SEE(lseek(fd, most - 3, SEEK_SET));
	child = fork();
	if (child == 0)
		_exit(0);
	MUST(child > 0 && waitpid(child, &status, 0) == child);
	SEE(read(fd, bytes, sizeof(bytes)));
	SEE(lseek(fd, 0, SEEK_CUR));
	SEE(read(fd, bytes, sizeof(bytes)));
	SEE(close(fd));
	unlink("longest");
}

int main(int argc, char **argv)
{
	int fd;

	begin(argc, argv);
	fd = open("file", O_RDWR | O_CREAT | O_TRUNC, 0600);
	MUST(fd >= 0);
	impossible(fd);
	fill(bytes, sizeof(bytes), 1, 0);
	SEE(write(fd, bytes, sizeof(bytes)));
	impossible(fd);
	nowhere(fd);
	SEE(close(fd));
	look("file");
	print();
	farthest();
	longest();
	return 0;
}

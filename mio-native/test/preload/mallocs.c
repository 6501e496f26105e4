/*
 * No call may take more of malloc than the C library's own. A process without MIO makes the same calls in a directory of its own,
 * and the two are compared, call by call. MIO's threads count, too.
 */
#include "see.h"

#include <aio.h>
#include <malloc.h>
#include <spawn.h>
#include <stdatomic.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/xattr.h>
#include <utime.h>

extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t count, size_t bytes);
extern void *__libc_realloc(void *memory, size_t bytes);
extern void *__libc_memalign(size_t alignment, size_t bytes);
extern char **environ;

static atomic_long taken;

void *malloc(size_t bytes)
{
	taken++;
	return __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes)
{
	taken++;
	return __libc_calloc(count, bytes);
}

void *realloc(void *memory, size_t bytes)
{
	taken++;
	return __libc_realloc(memory, bytes);
}

void *memalign(size_t alignment, size_t bytes)
{
	taken++;
	return __libc_memalign(alignment, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
	taken++;
	return __libc_memalign(alignment, bytes);
}

int posix_memalign(void **memory, size_t alignment, size_t bytes)
{
	taken++;
	*memory = __libc_memalign(alignment, bytes);
	return *memory ? 0 : ENOMEM;
}

enum { CALLS = 256, BYTES = 300000 };

static struct {
	const char *name;
	long count;
	long long result;
} calls[CALLS];
static int made;

static char bytes[BYTES];

/* Descriptor numbers and sizes are the same without MIO; for the other calls only success or failure is compared. */
#define COUNT(call) \
	do { \
		long before_ = taken; \
		long long result_ = (long long)(call); \
		MUST(made < CALLS); \
		calls[made].count = taken - before_; \
		calls[made].name = #call; \
		calls[made].result = result_ < 0 ? -errno : result_ > 0; \
		made++; \
	} while (0)

/* Makes so many reads of 4 KB at the position. */
static int read_on(int fd, int times)
{
	int right = 0;

	for (int i = 0; i < times; i++)
		right += read(fd, bytes, 4096) == 4096;
	return right == times;
}

static int read_back(int fd, int times)
{
	int right = 0;

	for (int i = times; i > 0; i--)
		right += pread(fd, bytes, 4096, 200000 + 4096 * i) == 4096;
	return right == times;
}

static int print_lines(FILE *stream, int lines)
{
	int right = 0;

	for (int i = 0; i < lines; i++)
		right += fprintf(stream, "line %d\n", i) > 0;
	return right == lines;
}

static void transfers(void)
{
	struct iovec parts[2] = {{bytes, 1000}, {bytes + 1000, 3000}};
	off_t from = 0;
	int fd, copy;

	fill(bytes, sizeof(bytes), 3, 0);
	COUNT(fd = open("data", O_RDWR | O_CREAT | O_TRUNC, 0644));
	COUNT(write(fd, bytes, BYTES));
	COUNT(writev(fd, parts, 2));
	COUNT(pwrite(fd, bytes, 5000, 70000));
	COUNT(pwritev(fd, parts, 2, 12345));
	COUNT(pwritev2(fd, parts, 2, 4000, RWF_SYNC));
	COUNT(lseek(fd, 0, SEEK_SET));
	COUNT(read(fd, bytes, 4096));
	COUNT(read_on(fd, 60));
	COUNT(read(fd, bytes, BYTES));
	COUNT(read(fd, bytes, 10));
	COUNT(readv(fd, parts, 2));
	COUNT(pread(fd, bytes, 9000, 100000));
	COUNT(preadv(fd, parts, 2, 200000));
	COUNT(preadv2(fd, parts, 2, 0, RWF_NOWAIT) >= -1);
	COUNT(syscall(SYS_pread64, fd, bytes, 100, 5));
	COUNT(fsync(fd));
	COUNT(close(fd));
	/* Cold, from both ends, so that pages are read ahead. */
	COUNT(fd = open("data", O_RDONLY));
	COUNT(posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED));
	COUNT(read_on(fd, 30));
	COUNT(read_back(fd, 10));
	COUNT(copy = open("copy", O_RDWR | O_CREAT | O_TRUNC, 0600));
	COUNT(copy_file_range(fd, &from, copy, NULL, 50000, 0));
	COUNT(sendfile(copy, fd, &from, 20000));
	COUNT(close(copy));
	COUNT(close(fd));
}

static void files(void)
{
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_CUR, .l_len = 10};
	struct timespec times[2] = {{1000, 0}, {2000, 0}};
	struct timeval old_times[2] = {{1000, 0}, {3000, 0}};
	struct statx more;
	struct stat status;
	char template[] = "madeXXXXXX";
	void *mapping;
	int fd;

	COUNT(fd = openat(AT_FDCWD, "file", O_RDWR | O_CREAT, 0644));
	COUNT(write(fd, bytes, 20000));
	COUNT(fstat(fd, &status));
	COUNT(write(fd, bytes, 20000));
	COUNT(stat("file", &status));
	COUNT(lstat("file", &status));
	COUNT(fstatat(AT_FDCWD, "file", &status, 0));
	COUNT(statx(fd, "", AT_EMPTY_PATH, STATX_SIZE, &more));
	COUNT(write(fd, bytes, 20000));
	COUNT(ftruncate(fd, 30000));
	COUNT(truncate("file", 35000));
	COUNT(posix_fallocate(fd, 0, 40000));
	COUNT(fcntl(fd, F_SETLK, &lock));
	COUNT(write(fd, bytes, 300));
	lock.l_type = F_UNLCK;
	COUNT(fcntl(fd, F_SETLK, &lock));
	COUNT(flock(fd, LOCK_EX));
	COUNT(write(fd, bytes, 300));
	COUNT(flock(fd, LOCK_UN));
	COUNT(lockf(fd, F_LOCK, 5));
	COUNT(write(fd, bytes, 300));
	COUNT(futimens(fd, times));
	COUNT(utimensat(AT_FDCWD, "file", times, 0));
	COUNT(utimes("file", old_times));
	COUNT(fchmod(fd, 0640));
	COUNT(chmod("file", 0644));
	COUNT(write(fd, bytes, 300));
	COUNT(rename("file", "renamed"));
	COUNT(link("renamed", "linked"));
	COUNT(unlink("linked"));
	COUNT(fdatasync(fd));
	COUNT(sync_file_range(fd, 0, 0, SYNC_FILE_RANGE_WRITE));
	COUNT((mapping = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 0)) != MAP_FAILED);
	COUNT(munmap(mapping, 4096));
	COUNT(fcntl(fd, F_SETFL, O_APPEND));
	COUNT(write(fd, bytes, 300));
	COUNT(close(fd));
	COUNT(fd = mkstemp(template));
	COUNT(write(fd, bytes, 300));
	COUNT(unlink(template));
	COUNT(close(fd));
}

static void numbers(void)
{
	int fd, copy, pipes[2], sockets[2];
	char control[CMSG_SPACE(sizeof(int))] __attribute__((aligned(8))) = {0};
	struct iovec part = {bytes, 1};
	struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof(control)};
	struct cmsghdr *passed = CMSG_FIRSTHDR(&message);
	struct rlimit limit;
	struct sigaction action = {.sa_handler = SIG_IGN};

	COUNT(fd = open("numbers", O_RDWR | O_CREAT, 0644));
	COUNT(write(fd, bytes, 10000));
	COUNT(copy = dup(fd));
	COUNT(write(copy, bytes, 10000));
	COUNT(dup2(fd, 50));
	COUNT(dup3(fd, 51, O_CLOEXEC));
	COUNT(fcntl(fd, F_DUPFD, 52));
	COUNT(write(52, bytes, 10000));
	COUNT(close(copy));
	COUNT(close_range(50, 60, 0));
	COUNT(pipe(pipes));
	COUNT(write(pipes[1], bytes, 2000));
	COUNT(splice(pipes[0], NULL, fd, NULL, 2000, 0));
	COUNT(write(fd, bytes, 10000));
	COUNT(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets));
	passed->cmsg_level = SOL_SOCKET;
	passed->cmsg_type = SCM_RIGHTS;
	passed->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(passed), &fd, sizeof(fd));
	COUNT(sendmsg(sockets[0], &message, 0));
	COUNT(sigaction(SIGUSR2, &action, NULL));
	COUNT(getrlimit(RLIMIT_FSIZE, &limit));
	COUNT(setrlimit(RLIMIT_FSIZE, &limit));
	COUNT(setuid(getuid()));
	COUNT(write(fd, bytes, 10000));
	COUNT(close(fd));
	for (int i = 0; i < 2; i++) {
		close(pipes[i]);
		close(sockets[i]);
	}
}

__attribute__((format(printf, 2, 3))) static int print_list(int fd, const char *format, ...)
{
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = vdprintf(fd, format, arguments);
	va_end(arguments);
	return length;
}

static void texts(void)
{
	static char text[100000];
	FILE *stream;
	int fd;

	memset(text, 't', sizeof(text) - 1);
	COUNT(fd = open("texts", O_RDWR | O_CREAT, 0644));
	COUNT(dprintf(fd, "%d and %s\n", 17, "a word"));
	COUNT(dprintf(fd, "%s\n", text));
	/* These need memory of their own. */
	COUNT(dprintf(fd, "%2$*1$d %3$.3000f\n", 20, 30, 1.5));
	COUNT(dprintf(fd, "%.20000f\n", 1.0 / 3));
	COUNT(print_list(fd, "%020000d %ls\n", 5, L"wide"));
	COUNT(close(fd));
	COUNT((stream = fopen("stream", "w+")) != NULL);
	COUNT(fputs("first line\n", stream));
	COUNT(print_lines(stream, 3000));
	COUNT(fflush(stream));
	COUNT(fseek(stream, 5, SEEK_SET));
	COUNT(fread(bytes, 1, 10000, stream));
	COUNT((stream = freopen("stream", "r", stream)) != NULL);
	COUNT(getc(stream));
	COUNT(fclose(stream));
	COUNT(fd = open("stream", O_RDONLY));
	COUNT((stream = fdopen(fd, "r")) != NULL);
	COUNT(fread(bytes, 1, 10000, stream));
	COUNT(fclose(stream));
}

static void processes(void)
{
	char *const arguments[] = {(char *)(uintptr_t)"true", NULL};
	pid_t child;
	int fd;

	COUNT(fd = open("processes", O_RDWR | O_CREAT, 0644));
	COUNT(write(fd, bytes, 30000));
	COUNT((child = fork()) >= 0);
	if (child == 0) {
		/* The allocations for what the child begins anew. */
		long before = taken;
		int own = open("child", O_RDWR | O_CREAT | O_TRUNC, 0644);

		MUST(write(own, bytes, 100000) == 100000 && lseek(own, 0, SEEK_SET) == 0);
		for (int i = 0; i < 20; i++)
			MUST(read(own, bytes, 5000) == 5000);
		MUST(fsync(own) == 0 && close(own) == 0);
		_exit((int)(taken - before));
	}
	await("child, which took as much of malloc,", child);
	COUNT(write(fd, bytes, 30000));
	COUNT(posix_spawn(&child, "/bin/true", NULL, NULL, arguments, environ));
	await("spawned", child);
	COUNT(write(fd, bytes, 30000));
	COUNT(execve("/nonexistent", arguments, environ));
	COUNT(write(fd, bytes, 30000));
	COUNT(system("true"));
	COUNT(prctl(PR_SET_NAME, "mallocs"));
	COUNT(close(fd));
}

static void make_all(void)
{
	transfers();
	files();
	numbers();
	texts();
	processes();
}

/* Runs without MIO and in another directory; the counts come through a pipe at its descriptor 9. */
static void without(long *counts)
{
	char *const arguments[] = {see_program, (char *)(uintptr_t)"without", NULL};
	int ends[2];
	pid_t child;

	MUST(mkdir("without", 0755) == 0 && pipe(ends) == 0);
	child = fork();
	MUST(child >= 0);
	if (child == 0) {
		unsetenv("LD_PRELOAD");
		setenv("MIO_TEST_COUNTS", "1", 1);
		dup2(ends[1], 9);
		close(ends[0]);
		close(ends[1]);
		execv(see_program, arguments);
		_exit(98);
	}
	close(ends[1]);
	for (size_t have = 0; have < sizeof(calls[0].count) * CALLS;) {
		ssize_t got = read(ends[0], (char *)counts + have, sizeof(calls[0].count) * CALLS - have);

		MUST(got > 0);
		have += (size_t)got;
	}
	close(ends[0]);
	await("without MIO", child);
}

int main(int argc, char **argv)
{
	static long counts[CALLS];

	begin(argc, argv);
	if (getenv("MIO_TEST_COUNTS")) {
		close(1);
		MUST(open("said", O_WRONLY | O_CREAT | O_TRUNC, 0644) == 1);
		make_all();
		for (int i = 0; i < made; i++)
			counts[i] = calls[i].count;
		return write(9, counts, sizeof(counts)) != sizeof(counts);
	}
	without(counts);
	make_all();
	for (int i = 0; i < made; i++) {
		if (calls[i].count > counts[i])
			say("%s takes %ld times of malloc, and %ld times without MIO", calls[i].name, calls[i].count, counts[i]);
		say("%s: %lld", calls[i].name, calls[i].result);
	}
	return 0;
}

/*
 * Opens that only read, and what a program may do with one before MIO has looked at it (door_waiting.c): read little or much, stat,
 * copy, close, fork, exec, use it in a thread or in a signal handler. Small files and one that is large enough for layers.
 */
#include "dense.h"

#include <dirent.h>
#include <pthread.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>

enum { SMALL = 5000, LARGE = 400000, LIMIT = 64 * 1024, MANY = 200 };

extern char **environ;

static const char *const names[] = {"small", "large", "empty"};
static char bytes[LARGE + 1];
static void *volatile nowhere = (void *)16;

/* Something that is done with an open whose first bytes the program has read. */
typedef void act(int fd, const char *name);

static void rest(const char *what, int fd)
{
	uint64_t sum = DIGEST_BEGIN;
	long long total = 0;
	ssize_t got;

	while ((got = read(fd, bytes, 3000)) > 0) {
		sum = digest_more(sum, bytes, (size_t)got);
		total += got;
	}
	say("%s: %lld bytes more, %016llx, then %zd, at %lld", what, total, (unsigned long long)sum, got, (long long)lseek(fd, 0, SEEK_CUR));
}

static void reads_on(int fd, const char *name)
{
	(void)name;
	dense_read("records", fd, DENSE_ENOUGH);
	dense_read("and more", fd, 2000);
}

static void reads_at_once(int fd, const char *name)
{
	(void)name;
	SEE(read(fd, bytes, LARGE + 1));
	say("%016llx", (unsigned long long)digest(bytes, LARGE));
}

static void reads_wrongly(int fd, const char *name)
{
	(void)name;
	SEE(read(fd, nowhere, 100));
	SEE(read(fd, bytes, 0));
	SEE(write(fd, "x", 1));
	SEE(ftruncate(fd, 0));
}

static void asks(int fd, const char *name)
{
	struct stat found;

	MUST(fstat(fd, &found) == 0);
	say("%s has %lld bytes", name, (long long)found.st_size);
	SEE(fstat(fd, nowhere));
	SEE(fcntl(fd, F_GETFL) & O_ACCMODE);
	SEE(posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL));
}

static void syncs(int fd, const char *name)
{
	(void)name;
	SEE(sync_file_range(fd, 0, 0, SYNC_FILE_RANGE_WRITE));
	SEE(fsync(fd));
}

static void moves(int fd, const char *name)
{
	struct iovec vector = {bytes, 77};

	(void)name;
	SEE(lseek(fd, -10, SEEK_END));
	SEE(readv(fd, &vector, 1));
	SEE(pread(fd, bytes, 100, 4000));
	SEE(lseek(fd, 300, SEEK_SET));
}

static void copies(int fd, const char *name)
{
	int copy = dup(fd);
	int other = open("small", O_RDONLY);
	int high = fcntl(fd, F_DUPFD_CLOEXEC, 90);

	(void)name;
	SEE(read(copy, bytes, 10));
	SEE(read(high, bytes, 10));
	SEE(read(fd, bytes, 10));
	SEE(dup2(fd, other) == other);
	dense_read("by the other", other, DENSE_ENOUGH);
	SEE(close(copy));
	SEE(close(high));
	SEE(close(other));
}

static void maps(int fd, const char *name)
{
	void *map = mmap(NULL, 100, PROT_READ, MAP_PRIVATE, fd, 0);

	if (map == MAP_FAILED || strcmp(name, "empty") == 0)
		say("no map");
	else
		say("%016llx", (unsigned long long)digest(map, 100));
	if (map != MAP_FAILED)
		munmap(map, 100);
}

static void streams(int fd, const char *name)
{
	FILE *stream = fdopen(dup(fd), "r");

	(void)name;
	MUST(stream);
	SEE((long long)fread(bytes, 1, 100, stream));
	SEE(fclose(stream));
	SEE(lseek(fd, 200, SEEK_SET));
}

static void forks(int fd, const char *name)
{
	pid_t child = fork();

	(void)name;
	MUST(child >= 0);
	if (child == 0) {
		dense_read("child", fd, DENSE_ENOUGH);
		_exit(0);
	}
	await("child", child);
	dense_read("parent", fd, DENSE_ENOUGH);
}

static void spawns(int fd, const char *name)
{
	char *const arguments[] = {see_program, (char *)(uintptr_t)"--inherit", NULL};
	posix_spawn_file_actions_t actions;
	pid_t child;

	(void)name;
	MUST(posix_spawn_file_actions_init(&actions) == 0);
	MUST(posix_spawn_file_actions_adddup2(&actions, fd, 40) == 0);
	MUST(posix_spawn(&child, see_program, &actions, NULL, arguments, environ) == 0);
	await("program", child);
	MUST(posix_spawn_file_actions_destroy(&actions) == 0);
}

/* Sends the open through a socket to this process itself. */
static void sends(int fd, const char *name)
{
	char room[CMSG_SPACE(sizeof(int))] = {0};
	char letter = 'x';
	struct iovec part = {&letter, 1};
	struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof(room)};
	struct cmsghdr *header = CMSG_FIRSTHDR(&message);
	int ends[2];
	int got;

	(void)name;
	MUST(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
	header->cmsg_level = SOL_SOCKET;
	header->cmsg_type = SCM_RIGHTS;
	header->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(header), &fd, sizeof(fd));
	MUST(sendmsg(ends[0], &message, 0) == 1);
	MUST(recvmsg(ends[1], &message, 0) == 1);
	memcpy(&got, CMSG_DATA(header), sizeof(got));
	dense_read("received", got, DENSE_ENOUGH);
	dense_read("sent", fd, DENSE_ENOUGH);
	SEE(close(got));
	close(ends[0]);
	close(ends[1]);
}

/* The number leads to another file the next moment. */
static void reopens(int fd, const char *name)
{
	int other;

	(void)name;
	SEE(close(fd));
	other = open("large", O_RDONLY);
	MUST(other == fd);
	dense_read("another file", fd, 1000);
	SEE(close(fd));
	other = open("small", O_RDONLY | O_CLOEXEC);
	MUST(other == fd);
	dense_read("a third one", fd, 3);
}

static void writes_beside(int fd, const char *name)
{
	int writer = open(name, O_RDWR);

	dense_read("a writer", writer, DENSE_ENOUGH);
	SEE(pwrite(writer, "written beside", 14, 150));
	SEE(pread(fd, bytes, 30, 140));
	say("%016llx", (unsigned long long)digest(bytes, 30));
	SEE(pwrite(writer, "once more", 9, 1500));
	dense_read("the reader", fd, DENSE_ENOUGH);
	SEE(close(writer));
}

static int handled_fd;

static void handler(int number)
{
	char record[100];

	(void)number;
	for (int i = 0; i < 1000; i++)
		if (read(handled_fd, record, sizeof(record)) < 0)
			_exit(7);
}

static void interrupted(int fd, const char *name)
{
	struct sigaction action = {.sa_handler = handler};

	(void)name;
	handled_fd = fd;
	MUST(sigaction(SIGUSR1, &action, NULL) == 0);
	raise(SIGUSR1);
	SEE(lseek(fd, 0, SEEK_CUR));
	action.sa_handler = SIG_DFL;
	MUST(sigaction(SIGUSR1, &action, NULL) == 0);
}

static act *const acts[] = {reads_on, reads_at_once, reads_wrongly, asks, syncs, moves, copies, maps, streams, forks, spawns, sends, reopens,
			    interrupted, writes_beside};

static void make(const char *name, size_t length)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0644);

	fill(bytes, length, 5, 0);
	MUST(fd >= 0 && write(fd, bytes, length) == (ssize_t)length);
	SEE(close(fd));
}

static void make_all(void)
{
	make("small", SMALL);
	make("large", LARGE);
	make("empty", 0);
	until_old("large");
}

static void everything(void)
{
	for (size_t i = 0; i < sizeof(acts) / sizeof(acts[0]); i++) {
		for (size_t n = 0; n < sizeof(names) / sizeof(names[0]); n++) {
			for (size_t before = 0; before <= 2; before++) {
				int fd = open(names[n], O_RDONLY | (before == 1 ? O_CLOEXEC : 0));

				say("%zu %s %zu", i, names[n], before);
				MUST(fd >= 0);
				if (before > 0)
					SEE(read(fd, bytes, before == 1 ? 100 : LIMIT));
				acts[i](fd, names[n]);
				rest(names[n], fd);
				SEE(close(fd));
				SEE(read(fd, bytes, 1));
			}
		}
	}
}

/* More of them than MIO has places for. */
static void many(void)
{
	static int fds[MANY];

	for (int i = 0; i < MANY; i++) {
		fds[i] = open(names[i % 2], O_RDONLY);
		MUST(fds[i] >= 0 && read(fds[i], bytes, 1000) == 1000);
	}
	for (int i = 0; i < MANY; i += 7)
		rest("of many", fds[i]);
	for (int i = 0; i < MANY; i++) {
		MUST(lseek(fds[i], 1000, SEEK_SET) == 1000);
		MUST(read(fds[i], bytes, 1000) == 1000);
		MUST(close(fds[i]) == 0);
	}
}

/* Threads read one open at its position, some records each: together they read the whole file, and each record once. */
enum { THREADS = 4, RECORD = 80 };

static int shared_fd;
static pthread_barrier_t line;
static _Atomic unsigned char seen[LARGE / RECORD];

static void *reader(void *context)
{
	char record[RECORD];
	int64_t number;

	(void)context;
	pthread_barrier_wait(&line);
	while (read(shared_fd, record, RECORD) == RECORD) {
		memcpy(&number, record, sizeof(number));
		MUST(number >= 0 && number < LARGE / RECORD);
		seen[number]++;
	}
	return NULL;
}

static void in_threads(void)
{
	int fd = open("records", O_RDWR | O_CREAT | O_TRUNC, 0644);

	for (int64_t i = 0; i < LARGE / RECORD; i++)
		memcpy(bytes + i * RECORD, &i, sizeof(i));
	MUST(write(fd, bytes, LARGE) == LARGE && close(fd) == 0);
	until_old("records");
	for (int round = 0; round < 30; round++) {
		pthread_t threads[THREADS];

		for (int i = 0; i < LARGE / RECORD; i++)
			seen[i] = 0;
		MUST(pthread_barrier_init(&line, NULL, THREADS) == 0);
		shared_fd = open("records", O_RDONLY);
		MUST(shared_fd >= 0);
		for (int i = 0; i < THREADS; i++)
			MUST(pthread_create(&threads[i], NULL, reader, NULL) == 0);
		for (int i = 0; i < THREADS; i++)
			MUST(pthread_join(threads[i], NULL) == 0);
		for (int i = 0; i < LARGE / RECORD; i++)
			MUST(seen[i] == 1);
		MUST(lseek(shared_fd, 0, SEEK_CUR) == LARGE && close(shared_fd) == 0);
		MUST(pthread_barrier_destroy(&line) == 0);
	}
	say("each record once");
}

/* Names of files that are not regular. */
static void others(void)
{
	int fd = open("/dev/zero", O_RDONLY);
	DIR *directory;
	int ends[2];
	char name[64];

	SEE(read(fd, bytes, 100));
	SEE(close(fd));
	fd = open("/proc/self/status", O_RDONLY);
	SEE(read(fd, bytes, 5));
	SEE(close(fd));
	MUST(mkfifo("fifo", 0600) == 0);
	ends[1] = open("fifo", O_RDWR);
	ends[0] = open("fifo", O_RDONLY);
	MUST(write(ends[1], bytes, 1000) == 1000);
	SEE(read(ends[0], bytes, 300));
	SEE(read(ends[0], bytes, LIMIT));
	SEE(lseek(ends[0], 0, SEEK_CUR));
	MUST(write(ends[1], bytes, 10) == 10);
	SEE(read(ends[0], bytes, 30));
	SEE(close(ends[0]));
	SEE(close(ends[1]));
	MUST(unlink("fifo") == 0);
	snprintf(name, sizeof(name), "/proc/self/fd/%d", (fd = open("small", O_RDONLY)));
	ends[0] = open(name, O_RDONLY);
	SEE(read(ends[0], bytes, 100));
	SEE(unlink("small"));
	rest("unlinked", fd);
	SEE(close(ends[0]));
	SEE(close(fd));
	fd = open(".", O_RDONLY);
	SEE(read(fd, bytes, 100));
	SEE(close(fd));
	fd = open(".", O_RDONLY);
	directory = fdopendir(fd);
	MUST(directory && readdir(directory));
	SEE(closedir(directory));
	SEE(read(fd, bytes, 1));
	ends[0] = open("large", O_RDONLY);
	MUST(ends[0] == fd);
	rest("by the number of a directory", fd);
	SEE(close(fd));
	SEE(open("nothing", O_RDONLY));
}

int main(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "--inherit") == 0) {
		dense_read("in another program", 40, DENSE_ENOUGH);
		return 0;
	}
	begin(argc, argv);
	make_all();
	everything();
	many();
	in_threads();
	make_all();
	others();
	return 0;
}

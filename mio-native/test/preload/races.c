/* Two calls at once, which the kernel keeps apart: each writes its own bytes, and all of them have to be there. */
#include "see.h"

#include <pthread.h>
#include <sys/uio.h>

enum { FILES = 100, RECORDS = 20000, ROUNDS = 300, PIPES = 20, LONG = 32 << 20, BLOCK = 4096, PART = 100 };

static int log_fd;
static _Atomic int stop;

static void *log_lines(void *unused)
{
	(void)unused;
	while (!stop)
		MUST(write(log_fd, "line....", 8) == 8);
	return NULL;
}

/* dup2 puts a new file under a number that another thread writes to. No write may overwrite the beginning of a file. */
static void exchanged(void)
{
	int over = 0;
	pthread_t thread;
	char first[8];

	for (int i = 0; i < FILES; i++) {
		char name[32];
		int fd;

		snprintf(name, sizeof(name), "log%d", i);
		fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
		MUST(write(fd, "heading.", 8) == 8);
		if (i == 0) {
			log_fd = fd;
			MUST(pthread_create(&thread, NULL, log_lines, NULL) == 0);
			continue;
		}
		usleep(200);
		MUST(dup2(fd, log_fd) == log_fd);
		close(fd);
	}
	stop = 1;
	pthread_join(thread, NULL);
	close(log_fd);
	for (int i = 0; i < FILES; i++) {
		char name[32];
		int fd;

		snprintf(name, sizeof(name), "log%d", i);
		fd = open(name, O_RDONLY);
		MUST(read(fd, first, 8) == 8);
		over += memcmp(first, "heading.", 8) != 0;
		close(fd);
		unlink(name);
	}
	say("%d written over", over);
}

/* A dup3 that is refused leaves everything as it was. */
static void refused(void)
{
	int fd = open("refused", O_RDWR | O_CREAT, 0600);

	MUST(write(fd, "12345", 5) == 5);
	SEE(dup3(1, fd, 0x1234));
	SEE(lseek(fd, 0, SEEK_CUR));
	SEE(write(fd, "678", 3));
	close(fd);
	outside("refused");
}

/* The parent reads at the end of an open while a child, which shares its position, writes. */
static void shared(void)
{
	int fd = open("shared", O_RDWR | O_CREAT, 0600);
	char bytes[4096];
	pid_t child;

	MUST(write(fd, "begin...", 8) == 8);
	child = fork();
	if (child == 0) {
		for (int i = 0; i < RECORDS; i++)
			MUST(write(fd, "a record", 8) == 8);
		_exit(0);
	}
	do
		for (int i = 0; i < 100; i++)
			MUST(read(fd, bytes, sizeof(bytes)) >= 0);
	while (waitpid(child, NULL, WNOHANG) == 0);
	close(fd);
	outside("shared");
}

static void *end_process(void *unused)
{
	(void)unused;
	usleep(300);
	_exit(3);
}

/* A thread ends the process while another one does the same. */
static void ended(void)
{
	size_t bytes = (size_t)8 << 20;
	char *memory = malloc(bytes);

	MUST(memory != NULL);
	fill(memory, bytes, 5, 0);
	for (int i = 0; i < 10; i++) {
		pid_t child = fork();

		if (child == 0) {
			int fd = open("ended", O_RDWR | O_CREAT | O_TRUNC, 0600);
			pthread_t thread;

			MUST(write(fd, memory, bytes) == (ssize_t)bytes);
			MUST(pthread_create(&thread, NULL, end_process, NULL) == 0);
			usleep((unsigned int)i * 60);
			_exit(3);
		}
		await("ended", child);
		outside("ended");
	}
	free(memory);
}

static FILE *stream;
static _Atomic int held;

static void *hold_stream(void *unused)
{
	(void)unused;
	flockfile(stream);
	fputs("by a thread", stream);
	held = 1;
	while (held)
		pause();
	return NULL;
}

/* Starts a child that exits while a thread keeps the lock of a stream. With held_one a signal ends it if the C library waits for the lock. */
static pid_t leave_held(FILE *held_one)
{
	pid_t child = fork();
	pthread_t thread;

	if (child != 0)
		return child;
	stream = held_one ? held_one : fopen("held", "w");
	MUST(pthread_create(&thread, NULL, hold_stream, NULL) == 0);
	while (!held)
		usleep(100);
	alarm(held_one ? 2 : 0);
	exit(4);
}

/* A stream whose lock is never released does not keep the process from ending, and is written. (glibc 2.41 does wait.) */
static void held_stream(void)
{
	FILE *other = fopen("/dev/null", "w");
	int status = 0;

	MUST(waitpid(leave_held(other), &status, 0) > 0);
	fclose(other);
	if (!WIFEXITED(status))
		return;
	await("held stream", leave_held(NULL));
	outside("held");
}

static int neighbours_fd;
static pthread_barrier_t barrier;
static int fed = -1;	/* a pipe that the other thread waits for */

static void *write_neighbours(void *unused)
{
	char part[PART];

	(void)unused;
	memset(part, 'B', PART);
	for (int i = 0; i < ROUNDS; i++) {
		pthread_barrier_wait(&barrier);
		if (fed >= 0) {
			char other[PART];

			memset(other, 'A', PART);
			usleep(50);
			MUST(write(fed, other, PART) == PART);
		}
		MUST(pwrite(neighbours_fd, part, PART, (off_t)i * BLOCK + 200) == PART);
	}
	return NULL;
}

/* Writes next to each other in one block, one of which goes past all layers. */
static void neighbours(const char *name, int how)
{
	int other;
	int source = open("source", O_RDWR | O_CREAT, 0600);
	int lost = 0;
	int ends[2];
	char part[PART];
	char both[2 * BLOCK];
	pthread_t thread;

	MUST(pipe(ends) == 0);
	memset(part, 'A', PART);
	MUST(pwrite(source, part, PART, 0) == PART);
	neighbours_fd = open("neighbours", O_RDWR | O_CREAT | O_TRUNC, 0600);
	other = open("neighbours", O_RDWR);
	MUST(ftruncate(neighbours_fd, (off_t)ROUNDS * BLOCK) == 0);
	if (how == 2) {
		fcntl(other, F_SETFL, O_APPEND);
		fcntl(other, F_SETFL, 0);
	}
	fed = how == 4 ? ends[1] : -1;
	MUST(pthread_barrier_init(&barrier, NULL, 2) == 0);
	MUST(pthread_create(&thread, NULL, write_neighbours, NULL) == 0);
	for (int i = 0; i < ROUNDS; i++) {
		off_t at = (off_t)i * BLOCK;
		off_t from = 0;
		struct iovec vector = {part, PART};

		if (how == 3)
			MUST(write(ends[1], part, PART) == PART);
		pthread_barrier_wait(&barrier);
		if (how == 0)
			MUST(copy_file_range(source, &from, neighbours_fd, &at, PART, 0) == PART);
		else if (how == 1)
			MUST(pwritev2(neighbours_fd, &vector, 1, at, RWF_DSYNC) == PART);
		else if (how >= 3)
			MUST(splice(ends[0], NULL, neighbours_fd, &at, PART, 0) == PART);
		else
			MUST(pwrite(other, part, PART, at) == PART);
	}
	pthread_join(thread, NULL);
	for (int i = 0; i < ROUNDS; i++) {
		MUST(pread(neighbours_fd, both, 300, (off_t)i * BLOCK) == 300);
		lost += both[0] != 'A' || both[PART - 1] != 'A' || both[200] != 'B' || both[299] != 'B';
	}
	say("%s: %d lost", name, lost);
	close(neighbours_fd);
	close(other);
	close(source);
	close(ends[0]);
	close(ends[1]);
}

static _Atomic int taken;	/* the number by which a thread reads */
static int copied[2];

static void *read_taken(void *unused)
{
	char byte;

	(void)unused;
	pthread_barrier_wait(&barrier);
	MUST(read(taken, &byte, 1) >= 0 || errno == EBADF);
	return NULL;
}

static void *copy_long(void *unused)
{
	off_t from = 0;
	off_t to = BLOCK;

	(void)unused;
	pthread_barrier_wait(&barrier);
	MUST(copy_file_range(copied[0], &from, copied[1], &to, LONG, 0) > 0);
	return NULL;
}

/*
 * A number is closed while another thread begins to read by it, and then becomes a pipe's. A thread that waits for the pipe must
 * hold nothing of the file, which the program uses by another number before it writes to the pipe. The read begins late, because
 * the file is being copied to.
 */
static void exchanged_for_pipe(void)
{
	int fd = open("kept", O_RDWR | O_CREAT | O_APPEND, 0600);
	char byte = 0;

	copied[0] = open("long", O_RDWR | O_CREAT | O_TRUNC, 0600);
	copied[1] = open("kept", O_RDWR);
	MUST(ftruncate(copied[0], LONG) == 0 && write(fd, "kept....", 8) == 8);
	for (int i = 0; i < PIPES; i++) {
		pthread_t threads[2];
		int ends[2];

		MUST(lseek(fd, 0, SEEK_SET) == 0);
		taken = dup(fd);
		MUST(pthread_create(&threads[0], NULL, copy_long, NULL) == 0);
		MUST(pthread_create(&threads[1], NULL, read_taken, NULL) == 0);
		pthread_barrier_wait(&barrier);
		usleep((unsigned int)(i + 1) * 100);
		close(taken);
		MUST(pipe(ends) == 0 && ends[0] == taken);
		MUST(lseek(fd, 0, SEEK_CUR) >= 0);
		MUST(write(ends[1], &byte, 1) == 1);
		close(ends[1]);
		pthread_join(threads[0], NULL);
		pthread_join(threads[1], NULL);
		close(ends[0]);
	}
	SEE(pread(fd, &byte, 1, 0));
	say("%c", byte);
	close(fd);
	close(copied[0]);
	close(copied[1]);
}

int main(int argc, char **argv)
{
	begin(argc, argv);
	outside_begin();
	exchanged();
	refused();
	shared();
	ended();
	held_stream();
	neighbours("copy", 0);
	neighbours("flags", 1);
	neighbours("passed", 2);
	neighbours("spliced", 3);
	neighbours("spliced after a wait", 4);
	MUST(pthread_barrier_init(&barrier, NULL, 3) == 0);
	exchanged_for_pipe();
	return 0;
}

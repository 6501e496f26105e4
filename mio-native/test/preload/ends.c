/* All ways for a process to end: what it wrote is there, its streams are written where they would be without MIO, and the status is right. */
#include "see.h"

#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>

static char bytes[70000];
static int fd;
static FILE *stream;

static void *other_thread(void *unused)
{
	(void)unused;
	MUST(pwrite(fd, "by a thread", 11, 90000) == 11);
	return NULL;
}

static _Atomic int written;

/* Writes on while the process ends. */
static void *writing_thread(void *unused)
{
	(void)unused;
	for (;;) {
		if (pwrite(fd, "by a thread", 11, 90000) != 11)
			_exit(54);
		written = 1;
	}
}

static void *ending_thread(void *unused)
{
	(void)unused;
	MUST(pwrite(fd, "by a thread", 11, 90000) == 11);
	exit(12);
}

static void at_end(void)
{
	MUST(pwrite(fd, "at exit", 7, 80000) == 7);
	if (stream)
		fprintf(stream, "at exit\n");
}

static void at_quick_end(void)
{
	MUST(pwrite(fd, "at quick exit", 13, 80000) == 13);
}

/* The loader runs the program's destructors before those of libraries; after all of them the C library writes the streams. */
__attribute__((destructor)) static void at_last(void)
{
	if (fd > 0 && pwrite(fd, "at last", 7, 85000) != 7)
		_exit(55);
}

static void dirty(const char *name)
{
	char other[128];

	fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
	MUST(fd >= 0);
	fill(bytes, sizeof(bytes), 1, 0);
	MUST(write(fd, bytes, sizeof(bytes)) == (ssize_t)sizeof(bytes));
	snprintf(other, sizeof(other), "%s.stream", name);
	stream = fopen(other, "w");
	MUST(stream != NULL);
	fprintf(stream, "a line in a stream's buffer\n");
}

/* Ends the process in one of the ways. */
static int end_by(int how)
{
	pthread_t thread;

	switch (how) {
	case 0:
		return 10;
	case 1:
		exit(11);
	case 2:
		_exit(12);
	case 3:
		_Exit(13);
	case 4:
		at_quick_exit(at_quick_end);
		quick_exit(14);
	case 5:
		abort();
	case 6:
		syscall(SYS_exit_group, 16);
		break;
	case 7:
		MUST(pthread_create(&thread, NULL, other_thread, NULL) == 0);
		pthread_exit(NULL);
	case 8:
		MUST(pthread_create(&thread, NULL, ending_thread, NULL) == 0);
		pthread_join(thread, NULL);
		break;
	case 9:
		raise(SIGTERM);
		break;
	default:
		MUST(pthread_create(&thread, NULL, writing_thread, NULL) == 0);
		while (!written)
			sched_yield();
		exit(19);
	}
	return 99;
}

int main(int argc, char **argv)
{
	static const char *const ways[] = {"return", "exit", "_exit", "_Exit", "quick_exit", "abort", "exit_group",
					   "pthread_exit", "exit of a thread", "signal", "exit with a thread"};
	struct rlimit none = {0, 0};

	begin(argc, argv);
	outside_begin();
	setrlimit(RLIMIT_CORE, &none);
	for (int how = 0; how < (int)(sizeof(ways) / sizeof(ways[0])); how++) {
		char name[64];
		pid_t child = fork();

		snprintf(name, sizeof(name), "%s", ways[how]);
		if (child == 0) {
			dirty(name);
			atexit(at_end);
			return end_by(how);
		}
		await(ways[how], child);
		outside(name);
		snprintf(name, sizeof(name), "%s.stream", ways[how]);
		outside(name);
	}
	return 0;
}

/*
 * A thread writes on while another one ends the process or has another program replace it. Every write that returned before that
 * must be there, and no write may be missing before one that is there.
 */
#include "see.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>

enum { RECORD = 100, ROUNDS = 25, ENOUGH = 200 };

/* The number of records written; shared with the parent. */
static _Atomic long *written;
static int fd;

static void *writes(void *unused)
{
	char record[RECORD];

	(void)unused;
	for (long i = 0;; i++) {
		memset(record, 'a' + (int)(i % 26), RECORD);
		if (write(fd, record, RECORD) != RECORD)
			_exit(70);
		atomic_store(written, i + 1);
	}
}

static void end(const char *how)
{
	pthread_t thread;

	fd = open("log", O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	MUST(fd >= 0);
	MUST(pthread_create(&thread, NULL, writes, NULL) == 0);
	while (atomic_load(written) < ENOUGH)
		;
	if (how[0] == '/')
		execl(how, how, (char *)NULL);
	else if (how[0] == '_')
		_exit(0);
	else
		exit(0);
	_exit(71);
}

/* The number of records at the start of the file that are as they were written. */
static long found(void)
{
	char record[RECORD];
	long count = 0;
	int log = open("log", O_RDONLY);

	MUST(log >= 0);
	while (read(log, record, RECORD) == RECORD && record[0] == 'a' + (int)(count % 26) &&
	       memcmp(record, record + 1, RECORD - 1) == 0)
		count++;
	MUST(close(log) == 0);
	return count;
}

static void ends(const char *how)
{
	for (int i = 0; i < ROUNDS; i++) {
		int status;
		pid_t child;

		atomic_store(written, 0);
		child = fork();
		MUST(child >= 0);
		if (child == 0)
			end(how);
		MUST(waitpid(child, &status, 0) == child);
		MUST(status == 0);
		if (found() < atomic_load(written))
			say("%s: of %ld records %ld are there", how, atomic_load(written), found());
	}
	say("%s", how);
	MUST(unlink("log") == 0);
}

int main(int argc, char **argv)
{
	begin(argc, argv);
	written = mmap(NULL, sizeof(*written), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	MUST(written != MAP_FAILED);
	ends("/bin/true");
	ends("exit");
	ends("_exit");
	return 0;
}

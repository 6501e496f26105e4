/* Cancelled threads: in a read or a splice that waits, in a loop on files, while they hold a lock of the file. The other threads go on. */
#include "see.h"

#include <pthread.h>
#include <sys/resource.h>

enum { BYTES = 60000 };

static int ends[2];
static int fd;
static _Atomic int rounds;
static _Atomic int cancelled;

static void *waits(void *unused)
{
	char byte;

	(void)unused;
	rounds = 1;
	if (read(ends[0], &byte, 1) == 1)
		return (void *)(uintptr_t)"read";
	return (void *)(uintptr_t)"failed";
}

static void cleaned(void *unused)
{
	(void)unused;
	MUST(pwrite(fd, "cleaned up", 10, BYTES) == 10);
}

/* Calls on files must be cancellation points: this thread ends in no other way. */
static void *works(void *unused)
{
	char bytes[1000];

	(void)unused;
	pthread_cleanup_push(cleaned, NULL);
	for (int i = 0;; i++) {
		off_t at = i % (BYTES / 1000) * 1000;

		fill(bytes, 1000, 1, at);
		if (pwrite(fd, bytes, 1000, at) != 1000 || pread(fd, bytes, 1000, at) != 1000)
			break;
		rounds++;
	}
	pthread_cleanup_pop(0);
	return (void *)(uintptr_t)"failed";
}

static void *opens(void *unused)
{
	(void)unused;
	for (;;) {
		int mine = open("opened", O_RDWR | O_CREAT | O_TRUNC, 0600);

		if (mine < 0)
			return (void *)(uintptr_t)"failed";
		pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
		if (write(mine, "bytes", 5) != 5 || close(mine) < 0)
			return (void *)(uintptr_t)"failed";
		rounds++;
		pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
	}
}

static void *syncs(void *unused)
{
	(void)unused;
	for (;;) {
		if (fsync(fd) < 0)
			return (void *)(uintptr_t)"failed";
		rounds++;
	}
}

/* Is cancelled while it holds a lock, which it releases by a call that might wait. */
static void *unlocks(void *unused)
{
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	struct timespec soon = {0, 1000000};
	int before;

	(void)unused;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
	if (fcntl(fd, F_SETLKW, &lock) < 0)
		return (void *)(uintptr_t)"failed";
	rounds = 1;
	while (!cancelled)
		nanosleep(&soon, NULL);
	pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &before);
	lock.l_type = F_UNLCK;
	fcntl(fd, F_SETLKW, &lock);
	pthread_testcancel();
	return (void *)(uintptr_t)"failed";
}

/* Splices from an empty pipe; splices_out splices into a full one. */
static void *splices_in(void *unused)
{
	off_t at = 0;

	(void)unused;
	rounds = 1;
	if (splice(ends[0], NULL, fd, &at, 100, 0) >= 0)
		return (void *)(uintptr_t)"spliced";
	return (void *)(uintptr_t)"failed";
}

static void *splices_out(void *unused)
{
	off_t at = 0;

	(void)unused;
	for (rounds = 1;;)
		if (splice(fd, &at, ends[1], NULL, 100, 0) <= 0)
			return (void *)(uintptr_t)"failed";
}

static void *copies(void *context)
{
	int to = *(const int *)context;

	for (;;) {
		off_t from_at = 0;
		off_t to_at = 0;

		if (copy_file_range(fd, &from_at, to, &to_at, 1000, 0) != 1000)
			return (void *)(uintptr_t)"failed";
		rounds++;
	}
}

static void cancel_with(const char *what, void *(*run)(void *), void *context, int at_round)
{
	struct timespec soon = {0, 1000000};
	pthread_t thread;
	void *result;

	rounds = 0;
	cancelled = 0;
	MUST(pthread_create(&thread, NULL, run, context) == 0);
	while (rounds < at_round)
		nanosleep(&soon, NULL);
	nanosleep(&soon, NULL);
	MUST(pthread_cancel(thread) == 0);
	cancelled = 1;
	MUST(pthread_join(thread, &result) == 0);
	say("%s: %s", what, result == PTHREAD_CANCELED ? "cancelled" : (const char *)result);
	/* The cancelled thread holds nothing any more. */
	MUST(lseek(fd, 0, SEEK_END) >= BYTES);
	MUST(pwrite(fd, "x", 1, BYTES + 100) == 1);
}

static void cancel(const char *what, void *(*run)(void *), int at_round)
{
	cancel_with(what, run, NULL, at_round);
}

static void in_copies(void)
{
	int other = open("copy", O_RDWR | O_CREAT, 0600);

	MUST(other >= 0);
	for (int i = 0; i < 5; i++) {
		cancel("splices in", splices_in, 1);
		cancel_with("copies", copies, &other, 1 + i * 5);
	}
	for (int i = 0; i < 5; i++)
		cancel("splices out", splices_out, 1);
	SEE(close(other));
	look("copy");
}

int main(int argc, char **argv)
{
	struct rlimit few = {64, 64};

	begin(argc, argv);
	outside_begin();
	MUST(pipe(ends) == 0);
	make_file("f", BYTES, 1);
	fd = open("f", O_RDWR);
	MUST(fd >= 0);
	cancel("waits", waits, 1);
	for (int i = 0; i < 10; i++)
		cancel("works", works, 1 + i * 7);
	for (int i = 0; i < 5; i++)
		cancel("opens", opens, 1 + i);
	for (int i = 0; i < 5; i++)
		cancel("syncs", syncs, 1 + i);
	cancel("unlocks", unlocks, 1);
	in_copies();
	/* No descriptor has leaked: otherwise these opens would exceed the limit. */
	MUST(setrlimit(RLIMIT_NOFILE, &few) == 0);
	for (int i = 0; i < 20; i++)
		cancel("opens", opens, 1);
	MUST(is_fill(fd, BYTES, 1, 0));
	SEE(close(fd));
	/* Its thread was cancelled before or after it wrote the bytes. */
	MUST(unlink("opened") == 0);
	look("f");
	outside("f");
	return 0;
}

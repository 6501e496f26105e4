/* Copies of descriptors that other threads are using: MIO_dup2 onto one by which another thread writes, MIO_dup of one that another thread closes. */
#include "capi_api.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>

enum { LOGS = 100 };

static int number;
static _Atomic int stop;
static _Atomic int64_t lines;

static void *write_lines(void *unused)
{
	(void)unused;
	while (!stop) {
		ASSERT_EQUAL(8, MIO_write(number, "line....", 8));
		lines++;
	}
	return NULL;
}

static char *log_name(char *name, size_t room, int log)
{
	return test_name(name, room, "log%d", log);
}

static int begin_log(int log)
{
	char name[512];
	int fd = MIO_open(log_name(name, sizeof(name), log), O_RDWR | O_CREAT | O_TRUNC, 0600, NULL);

	ASSERT(fd >= 0);
	ASSERT_EQUAL(8, MIO_write(fd, "heading.", 8));
	return fd;
}

/* Checks and removes the log. Returns the number of its lines. */
static int64_t check_log(int log)
{
	char name[512];
	char *content;
	size_t bytes = test_content(log_name(name, sizeof(name), log), &content);

	ASSERT(bytes >= 8 && memcmp(content, "heading.", 8) == 0);
	for (size_t at = 8; at < bytes; at += 8)
		ASSERT(memcmp(content + at, "line....", 8) == 0);
	free(content);
	unlink(name);
	return (int64_t)bytes / 8 - 1;
}

static void should_put_what_a_thread_writes_meanwhile_behind_what_is_there(void)
{
	pthread_t thread;
	int64_t found = 0;

	number = begin_log(0);
	ASSERT_EQUAL(0, pthread_create(&thread, NULL, write_lines, NULL));
	for (int log = 1; log < LOGS; log++) {
		int64_t before = lines;
		int fd = begin_log(log);

		/* Lines are written in between, however slow the machine is. */
		while (lines < before + 3)
			usleep(100);
		ASSERT_EQUAL(number, MIO_dup2(fd, number));
		ASSERT_EQUAL(0, MIO_close(fd));
	}
	stop = 1;
	ASSERT_EQUAL(0, pthread_join(thread, NULL));
	ASSERT_EQUAL(0, MIO_close(number));
	for (int log = 0; log < LOGS; log++)
		found += check_log(log);
	ASSERT_EQUAL(lines, found);
}

static void should_leave_a_number_as_it_was_if_the_kernel_refuses(void)
{
	char name[512];
	int fd = begin_log(0);
	char memory[20];

	ASSERT_EQUAL(-1, MIO_dup2(99, fd));
	ASSERT_EQUAL(EBADF, errno);
	ASSERT_EQUAL(-1, MIO_dup2(fd, -1));
	ASSERT_EQUAL(EBADF, errno);
	ASSERT_EQUAL(fd, MIO_dup2(fd, fd));
	ASSERT_EQUAL(8, MIO_lseek(fd, 0, SEEK_CUR));
	ASSERT_EQUAL(5, MIO_write(fd, "more.", 5));
	ASSERT_EQUAL(13, MIO_pread(fd, memory, sizeof(memory), 0));
	ASSERT(memcmp(memory, "heading.more.", 13) == 0);
	ASSERT_EQUAL(0, MIO_close(fd));
	unlink(log_name(name, sizeof(name), 0));
}

/* exchanges: another thread is to exchange the file as soon as the kernel has made a copy. is_exchanged: it has done so. */
static _Atomic int exchanges;
static pthread_t exchanger;
static _Atomic int is_exchanged;

static void *exchange(void *unused)
{
	char name[512];

	(void)unused;
	ASSERT_EQUAL(0, MIO_close(number));
	ASSERT_EQUAL(number, MIO_open(log_name(name, sizeof(name), 2), O_RDWR | O_CREAT | O_TRUNC, 0600, NULL));
	ASSERT_EQUAL(8, MIO_write(number, "heading.", 8));
	is_exchanged = 1;
	return NULL;
}

/* MIO_dup calls this instead of the C library's dup. The other thread gets some time; it may have to wait until the copy is known. */
int dup(int fd)
{
	struct timespec moment = {0, 1000000};
	int copy = (int)syscall(SYS_dup, fd);

	if (exchanges) {
		exchanges = 0;
		ASSERT_EQUAL(0, pthread_create(&exchanger, NULL, exchange, NULL));
		for (int i = 0; i < 50 && !is_exchanged; i++)
			nanosleep(&moment, NULL);
	}
	return copy;
}

static void should_copy_the_open_that_the_number_had_though_it_is_another_ones_now(void)
{
	char name[512];
	int copy;

	number = begin_log(1);
	exchanges = 1;
	is_exchanged = 0;
	copy = MIO_dup(number);
	ASSERT(copy >= 0);
	ASSERT_EQUAL(0, pthread_join(exchanger, NULL));
	ASSERT_EQUAL(8, MIO_write(copy, "line....", 8));
	ASSERT_EQUAL(8, MIO_lseek(number, 0, SEEK_CUR));
	ASSERT_EQUAL(16, MIO_lseek(copy, 0, SEEK_CUR));
	ASSERT_EQUAL(0, MIO_close(copy));
	ASSERT_EQUAL(0, MIO_close(number));
	ASSERT_EQUAL(1, check_log(1));
	ASSERT_EQUAL(0, check_log(2));
	unlink(log_name(name, sizeof(name), 2));
}

static void sentences(void)
{
	RUN(should_put_what_a_thread_writes_meanwhile_behind_what_is_there);
	RUN(should_leave_a_number_as_it_was_if_the_kernel_refuses);
	RUN(should_copy_the_open_that_the_number_had_though_it_is_another_ones_now);
}

int main(void)
{
	test_run_under_all_rules(sentences);
	return 0;
}

/* MIO_dup2 over a number that another thread is using: whatever that thread writes meanwhile lies behind what was there. */
#include "capi_api.h"

#include <pthread.h>

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

/* Returns how many lines there are. */
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

		/* Something is written in between, however slow the machine is. */
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

static void sentences(void)
{
	RUN(should_put_what_a_thread_writes_meanwhile_behind_what_is_there);
	RUN(should_leave_a_number_as_it_was_if_the_kernel_refuses);
}

int main(void)
{
	test_run_under_all_rules(sentences);
	return 0;
}

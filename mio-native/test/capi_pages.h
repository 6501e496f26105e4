#ifndef MIO_TEST_CAPI_PAGES_H
#define MIO_TEST_CAPI_PAGES_H

/* For tests of opens under pf/auto that take small pages: a file whose bytes encode their offset, and what the report says of its opens. */

#include "capi_api.h"

#include "../src/os/os_kernel_cache.h"

enum { BYTES = 600000, RECORD = 100 };

/* The time of a kernel call that MIO is made to see, whatever the machine; -1: not known. */
static int64_t call_ns = -1;

int64_t mio_os_kernel_cache_call_ns(int fd, int64_t offset)
{
	(void)fd, (void)offset;
	return call_ns;
}

static char name[512];
static char stats[512];
static char record_of_main[RECORD];

static unsigned char byte_at(int64_t offset)
{
	return (unsigned char)(offset * 31 + offset / 251);
}

static int is_right(const char *memory, int64_t offset, int64_t length)
{
	for (int64_t i = 0; i < length; i++)
		if ((unsigned char)memory[i] != byte_at(offset + i))
			return 0;
	return 1;
}

static void make_file(const char *path, int64_t bytes)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	char *all = malloc((size_t)bytes);

	ASSERT(fd >= 0 && all);
	for (int64_t i = 0; i < bytes; i++)
		all[i] = (char)byte_at(i);
	ASSERT_EQUAL(bytes, write(fd, all, (size_t)bytes));
	ASSERT_EQUAL(0, close(fd));
	free(all);
}

static int opened(int oflags)
{
	int fd = MIO_open(name, oflags, 0600, NULL);

	ASSERT(fd >= 0);
	return fd;
}

static void read_records(int fd, int count)
{
	for (int i = 0; i < count; i++) {
		int64_t at = MIO_lseek64(fd, 0, SEEK_CUR);

		ASSERT_EQUAL(RECORD, MIO_read(fd, record_of_main, RECORD));
		ASSERT(is_right(record_of_main, at, RECORD));
	}
}

/* Runs the sentence on a file of so many bytes. Returns the report of its opens, or NULL if there is none; the caller frees it. */
static char *report_under(const char *rule, int64_t bytes, void (*sentence)(void))
{
	char *text = NULL;

	make_file(test_name(name, sizeof(name), "pages"), bytes);
	test_until_old(name);
	unlink(test_name(stats, sizeof(stats), "pages.stats"));
	ASSERT_EQUAL(0, test_run_under(rule, stats, sentence));
	if (access(stats, F_OK) == 0)
		test_content(stats, &text);
	unlink(stats);
	unlink(name);
	return text;
}

static int count_of(const char *part, const char *text)
{
	int count = 0;

	while (text && (text = strstr(text, part)) != NULL) {
		count++;
		text++;
	}
	return count;
}

/* The number of the opens closed by the sentence that have had pages. */
static int pages_under(const char *rule, void (*sentence)(void))
{
	char *text = report_under(rule, BYTES, sentence);
	int count = count_of("pf close for private cache", text);

	free(text);
	return count;
}

static int pages_of(void (*sentence)(void))
{
	return pages_under("* [ pf/auto/stats ]", sentence);
}

#endif

/* What becomes of the pages of an open under pf/auto where its requests pass all pages from then on. */
#include "capi_pages.h"

#include "../src/door/door.h"

enum { ENOUGH = 70 };

static int has_pages(int fd)
{
	return mio_pf_file_is_cached(mio_stack_file(mio_door_file(fd)->stack));
}

static int with_pages(int oflags)
{
	int fd = opened(oflags);

	read_records(fd, ENOUGH);
	ASSERT(has_pages(fd));
	return fd;
}

static void have_ended(pid_t child)
{
	int status;

	ASSERT(child >= 0);
	ASSERT_EQUAL(child, waitpid(child, &status, 0));
	ASSERT_EQUAL(0, status);
}

static void have_a_child(void)
{
	pid_t child = fork();

	if (child == 0)
		_exit(0);
	have_ended(child);
}

static void forked_for_writing(void)
{
	int fd = with_pages(O_RDWR);

	have_a_child();
	ASSERT(!has_pages(fd));
	read_records(fd, 1000);
	ASSERT_EQUAL(0, MIO_close(fd));
}

/* Reads of the parent are still served from pages. */
static void forked_for_reading(void)
{
	int fd = with_pages(O_RDONLY);

	have_a_child();
	ASSERT(has_pages(fd));
	read_records(fd, 1000);
	ASSERT_EQUAL(0, MIO_close(fd));
}

static void appending_later(void)
{
	int fd = with_pages(O_RDWR);

	ASSERT_EQUAL(0, MIO_fcntl(fd, F_SETFL, O_APPEND));
	ASSERT(!has_pages(fd));
	read_records(fd, 1000);
	ASSERT_EQUAL(4, MIO_write(fd, "four", 4));
	ASSERT_EQUAL(4, MIO_pread(fd, record_of_main, RECORD, BYTES));
	ASSERT(memcmp(record_of_main, "four", 4) == 0);
	ASSERT_EQUAL(0, MIO_close(fd));
}

/* Somebody writes the file where MIO cannot see it. */
static void mapped_later(void)
{
	int fd = with_pages(O_RDWR);
	struct stat found;

	ASSERT_EQUAL(0, fstat(fd, &found));
	mio_door_unseen((uint64_t)found.st_dev, (uint64_t)found.st_ino);
	read_records(fd, 3);
	ASSERT(!has_pages(fd));
	read_records(fd, 1000);
	ASSERT_EQUAL(0, MIO_close(fd));
	mio_pf_mapped_is_new((uint64_t)found.st_dev, (uint64_t)found.st_ino);
}

/* The child may write the file, which no pages show. */
static void forked_with_two_opens(void)
{
	int fd = with_pages(O_RDWR);
	int other;

	have_a_child();
	other = opened(O_RDWR);
	read_records(other, 1000);
	ASSERT(!has_pages(other));
	ASSERT_EQUAL(0, MIO_close(other));
	ASSERT_EQUAL(0, MIO_close(fd));
}

/* The child may write another file, too: one without pages by then, which gets some by a later open unless that is prevented. */
static void forked_with_another_file(void)
{
	char second[600], alias[600];
	int fd = with_pages(O_RDWR), other, late, goes[2];
	pid_t child;
	char go;

	snprintf(second, sizeof(second), "%s.second", name);
	snprintf(alias, sizeof(alias), "%s.paged", name);
	make_file(second, BYTES);
	ASSERT_EQUAL(0, link(second, alias));
	other = MIO_open(second, O_RDWR, 0, NULL);
	ASSERT(other > fd);
	ASSERT_EQUAL(0, pipe(goes));
	child = fork();
	if (child == 0)
		_exit(read(goes[0], &go, 1) == 1 && pwrite(other, "four", 4, 0) == 4 ? 0 : 1);
	late = MIO_open(alias, O_RDONLY, 0, NULL);
	read_records(late, 1);
	ASSERT_EQUAL(1, write(goes[1], "", 1));
	have_ended(child);
	ASSERT_EQUAL(4, MIO_pread(late, record_of_main, 4, 0));
	ASSERT(memcmp(record_of_main, "four", 4) == 0);
	ASSERT_EQUAL(0, MIO_close(late));
	ASSERT_EQUAL(0, MIO_close(other));
	ASSERT_EQUAL(0, MIO_close(fd));
	unlink(alias);
	unlink(second);
}

/* Checks that the sentence's opens have pages once, and that the report says once `why` there are none, or none any more. */
static void expect(const char *why, void (*sentence)(void))
{
	char *text = report_under("* [ pf/auto/stats ]", BYTES, sentence);

	ASSERT_EQUAL(1, count_of("pf close for private cache", text));
	ASSERT_EQUAL(1, count_of(why, text));
	free(text);
}

static void should_give_pages_up_that_no_request_reaches_any_more(void)
{
	expect("  another process may have the file too\n", forked_for_writing);
	expect("  it is used in a way that pages cannot follow\n", appending_later);
	expect("  others write the file past MIO, or have it mapped\n", mapped_later);
	ASSERT_EQUAL(1, pages_of(forked_for_reading));
}

static void should_take_none_beside_a_process_that_may_write(void)
{
	expect("  others write the file past MIO, or have it mapped, though ", forked_with_two_opens);
	free(report_under("*.paged [ pf/cache=1m/page=64k ] * [ pf/auto ]", BYTES, forked_with_another_file));
}

int main(void)
{
	if (!test_auto_serves(test_directory())) {
		printf("skipped: pf/auto leaves files of this file system to the kernel\n");
		return 77;
	}
	RUN(should_give_pages_up_that_no_request_reaches_any_more);
	RUN(should_take_none_beside_a_process_that_may_write);
	return TEST_RESULT();
}

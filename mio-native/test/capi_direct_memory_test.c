/* How long the memory of pages that are read past the kernel's cache counts, by the report of opens that want some later. */
#include "capi_large.h"

/* Further names: of the same file, with an explicit pf, and of another one. */
static char alias[600], second[600];

static int opened_at(const char *path)
{
	int fd = MIO_open(path, O_RDONLY, 0600, NULL);

	ASSERT(fd >= 0);
	return fd;
}

/* Reads the other file as a file that is not in memory. */
static void read_second(void)
{
	int plain = open(second, O_RDONLY | O_CLOEXEC);
	int fd = opened_at(second);

	ASSERT_EQUAL(0, posix_fadvise(plain, 0, 0, POSIX_FADV_DONTNEED));
	close(plain);
	read_forward(fd, 0, SIZE);
	ASSERT_EQUAL(0, MIO_close(fd));
}

/* The memory is enough for the pages of one open. */
static void closed_before_another_open_of_it(void)
{
	int fd, other;

	snprintf(alias, sizeof(alias), "%s.alias", name);
	snprintf(second, sizeof(second), "%s.second", name);
	ASSERT_EQUAL(0, link(name, alias));
	make_file_at(second);
	test_until_old(second);
	fd = opened(O_RDONLY);
	read_forward(fd, 0, 110 * MIB);
	other = opened_at(alias);
	read_forward(other, 0, 10 * MIB);
	ASSERT_EQUAL(0, MIO_close(fd));
	read_second();
	ASSERT_EQUAL(0, MIO_close(other));
	read_second();
	unlink(alias);
	unlink(second);
}

static void should_count_as_long_as_any_open_has_the_pages(void)
{
	char *text = report_of("*.alias [ pf ] * [ pf/auto/stats ]", closed_before_another_open_of_it);

	ASSERT_EQUAL(1, count_of(text, "other opens of the process have the memory for them, though the file (224 MiB)"));
	ASSERT_EQUAL(2, count_of(text, "past the kernel's cache: the file (224 MiB)"));
	free(text);
}

int main(void)
{
	if (!is_served())
		return 77;
	RUN(should_count_as_long_as_any_open_has_the_pages);
	return TEST_RESULT();
}

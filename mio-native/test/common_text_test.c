#include "../src/common/text.h"
#include "assert.h"

#include <errno.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define ASSERT_TEXT(expected, text) \
	do { \
		if (strcmp(expected, mio_text_string(&(text))) != 0) { \
			fprintf(stderr, "%s:%d: expected \"%s\", was \"%s\"\n", __FILE__, __LINE__, expected, \
				mio_text_string(&(text))); \
			exit(1); \
		} \
		ASSERT_EQUAL(strlen(expected), (text).length); \
	} while (0)

static void should_begin_and_end_empty(void)
{
	struct mio_text text = {0};

	ASSERT_TEXT("", text);
	mio_text_add(&text, "");
	mio_text_cut(&text, 0);
	ASSERT_TEXT("", text);
	mio_text_add(&text, "words");
	mio_text_clear(&text);
	ASSERT_TEXT("", text);
	ASSERT(!text.bytes && !text.failed);
	mio_text_clear(&text);
}

static void should_write_numbers_to_the_last_one(void)
{
	struct mio_text text = {0};

	mio_text_add_number(&text, 0);
	mio_text_add_char(&text, ' ');
	mio_text_add_number(&text, -7);
	mio_text_add_char(&text, ' ');
	mio_text_add_number(&text, INT64_MAX);
	mio_text_add_char(&text, ' ');
	mio_text_add_number(&text, INT64_MIN);
	mio_text_add_char(&text, ' ');
	mio_text_add_unsigned(&text, UINT64_MAX);
	ASSERT_TEXT("0 -7 9223372036854775807 -9223372036854775808 18446744073709551615", text);
	mio_text_clear(&text);
	mio_text_add_octal(&text, 0644);
	mio_text_add_char(&text, ' ');
	mio_text_add_octal(&text, UINT64_MAX);
	mio_text_add_char(&text, ' ');
	mio_text_add_hex(&text, 0xdeadbeefU);
	mio_text_add_char(&text, ' ');
	mio_text_add_hex(&text, 0);
	ASSERT_TEXT("644 1777777777777777777777 deadbeef 0", text);
	mio_text_clear(&text);
}

static void should_put_text_to_the_left_and_to_the_right(void)
{
	struct mio_text text = {0};

	mio_text_add_right(&text, "ab", 4);
	mio_text_add_char(&text, '|');
	mio_text_add_left(&text, "ab", 4);
	mio_text_add_char(&text, '|');
	mio_text_add_right(&text, "abcde", 4);
	mio_text_add_left(&text, "abcde", 4);
	mio_text_add_left(&text, "", 0);
	ASSERT_TEXT("  ab|ab  |abcdeabcde", text);
	mio_text_clear(&text);
}

static void should_grow_and_be_cut(void)
{
	struct mio_text text = {0};
	char expected[20001];

	for (int i = 0; i < 20000; i++) {
		expected[i] = (char)('a' + i % 26);
		mio_text_add_char(&text, expected[i]);
	}
	expected[20000] = 0;
	ASSERT_TEXT(expected, text);
	mio_text_add_bytes(&text, "x\0y", 3);
	ASSERT_EQUAL(20003, text.length);
	ASSERT_EQUAL('y', text.bytes[20002]);
	mio_text_cut(&text, 20004);
	ASSERT_EQUAL(20003, text.length);
	mio_text_cut(&text, 3);
	ASSERT_TEXT("abc", text);
	mio_text_add(&text, "d");
	ASSERT_TEXT("abcd", text);
	mio_text_clear(&text);
}

/* Adds text until there is no memory. The exit status tells which promise was broken; 0: none. */
static int grow_without_memory(void)
{
	struct rlimit limit = {0, 0};
	struct mio_text text = {0};
	size_t length;

	mio_text_add(&text, "first ");
	if (setrlimit(RLIMIT_AS, &limit) < 0)
		return 1;
	while (!text.failed && text.length < (size_t)1 << 30)
		mio_text_add(&text, "more and more of the same words ");
	if (!text.failed)
		return 2;
	length = text.length;
	/* This character would still fit. */
	mio_text_add_char(&text, 'x');
	if (text.length != length || text.bytes[length] != 0 || strncmp(text.bytes, "first more", 10) != 0)
		return 3;
	mio_text_clear(&text);
	return text.failed ? 4 : 0;
}

static void should_stay_as_it_is_without_memory(void)
{
	int status = 0;
	pid_t child = fork();

	ASSERT(child >= 0);
	if (child == 0)
		_exit(grow_without_memory());
	ASSERT_EQUAL(child, waitpid(child, &status, 0));
	ASSERT(WIFEXITED(status));
	ASSERT_EQUAL(0, WEXITSTATUS(status));
}

static void should_refuse_more_than_there_can_be(void)
{
	struct mio_text text = {0};

	mio_text_add(&text, "words");
	mio_text_add_bytes(&text, "", SIZE_MAX - 2);
	ASSERT_EQUAL(1, text.failed);
	ASSERT_TEXT("words", text);
	mio_text_clear(&text);
}

int main(void)
{
	RUN(should_begin_and_end_empty);
	RUN(should_write_numbers_to_the_last_one);
	RUN(should_put_text_to_the_left_and_to_the_right);
	RUN(should_grow_and_be_cut);
	RUN(should_stay_as_it_is_without_memory);
	RUN(should_refuse_more_than_there_can_be);
	return TEST_RESULT();
}

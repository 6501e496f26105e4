/* Files of settings as java.util.Properties reads them. The expected texts are what Java printed for the same bytes. */
#include <errno.h>

#include "../src/config/config_properties.h"
#include "../src/common/text.h"
#include "assert_string.h"

static void add(void *context, const char *key, const char *value)
{
	struct mio_text *text = context;

	mio_text_add_char(text, '<');
	mio_text_add(text, key);
	mio_text_add_char(text, '|');
	mio_text_add(text, value);
	mio_text_add_char(text, '>');
}

static void expect(const char *read, const char *contents)
{
	struct mio_text text = {0};
	char *exact = malloc(strlen(contents) + 1);

	/* There is no byte after the contents, so that the sanitizer notices a read past their end. */
	ASSERT(exact);
	memcpy(exact, contents, strlen(contents));
	exact = realloc(exact, strlen(contents) + (*contents == 0));
	ASSERT_EQUAL(0, mio_properties_read(exact, strlen(contents), add, &text));
	ASSERT_STRING(read, mio_text_string(&text));
	mio_text_clear(&text);
	free(exact);
}

static void expect_malformed(const char *contents)
{
	struct mio_text text = {0};

	ASSERT_EQUAL(-EINVAL, mio_properties_read(contents, strlen(contents), add, &text));
	mio_text_clear(&text);
}

static void should_read_keys_and_values(void)
{
	expect("", "");
	expect("", "\n \r\n\t\f\n");
	expect("<a|b>", "a=b");
	expect("<a|b><c|d>", "a=b\nc:d\n");
	expect("<a|b c >", "  a \t b c \n");
	expect("<a|=b>", "a==b");
	expect("<a|=b>", "a : =b");
	expect("<a|>", "a");
	expect("<|b>", "=b");
	expect("<a|b><c|d>", "a=b\rc=d\r");
	expect("<a|b><a|c>", "a=b\n\n\na=c");
}

static void should_pass_over_comments(void)
{
	expect("<a|b>", "# c=d\n!e\n  # \\\na=b\n#");
	expect("<a|b#c>", "a=b#c\n");
	expect("<a|b#c>", "a=b\\\n#c\n");
	expect("<a|b>", "\\\n#c\na=b");
}

static void should_continue_a_line_behind_a_backslash(void)
{
	expect("<a|bc>", "a=b\\\n   c");
	expect("<a|bc>", "a=b\\\r\n\tc\r\n");
	expect("<ab|c>", "a\\\n b=c");
	expect("<a|b\\><c|>", "a=b\\\\\nc");
	expect("<a|b><c|d>", "a=b\\\n\nc=d");
	expect("<a|b>", "a=b\\");
	expect("<a|b>", "a=b\\\n");
	expect("<|>", "\\");
	expect("<|>", "\\\n");
	expect("", "\\\r\n");
	expect("", "\\\n ");
}

static void should_read_escapes(void)
{
	expect("<a=b|c:d>", "a\\=b=c\\:d");
	expect("<a b|\t\n\r\fq\\>", "a\\ b=\\t\\n\\r\\f\\q\\\\");
	expect("<A|\xc3\xa9>", "\\u0041=\\u00e9");
	expect("<a|\xe2\x82\xac>", "a=\\u20AC");
	expect("<a|\xf0\x9d\x84\x9e>", "a=\\uD834\\uDD1E");
	expect("<a|\\u0041>", "a=\\\\u0041");
	expect("<a| b>", "a=\\ b");
	expect("<a|b |>", "a=b |");
}

static void should_keep_what_is_not_ascii(void)
{
	expect("<\xc3\xa9|\xf0\x9d\x84\x9e\xff>", "\xc3\xa9=\xf0\x9d\x84\x9e\xff");
}

static void should_write_a_question_mark_for_half_a_pair(void)
{
	expect("<a|?x>", "a=\\ud834x");
	expect("<a|?\?>", "a=\\ud834\\ud834");
	expect("<a|?A>", "a=\\ud834\\u0041");
	expect("<a|?>", "a=\\udd1e");
}

static void should_take_a_zero_for_a_blank(void)
{
	struct mio_text text = {0};

	expect("<a|b c>", "a=b\\u0000c");
	ASSERT_EQUAL(0, mio_properties_read("a=b\0c", 5, add, &text));
	ASSERT_STRING("<a|b c>", mio_text_string(&text));
	mio_text_clear(&text);
}

static void should_refuse_what_is_malformed(void)
{
	expect_malformed("a=\\u12");
	expect_malformed("a=\\u123g");
	expect_malformed("a=\\u");
	expect_malformed("\\u12=345");
	expect_malformed("a=\\ud834\\u12");
	expect_malformed("a=b\n\\uxyzz");
}

int main(void)
{
	RUN(should_read_keys_and_values);
	RUN(should_pass_over_comments);
	RUN(should_continue_a_line_behind_a_backslash);
	RUN(should_read_escapes);
	RUN(should_keep_what_is_not_ascii);
	RUN(should_write_a_question_mark_for_half_a_pair);
	RUN(should_take_a_zero_for_a_blank);
	RUN(should_refuse_what_is_malformed);
	return TEST_RESULT();
}

/* Compares the matcher with the simplest one that can be written: NamePatternTest of Java. */
#include "../src/config/config_pattern.h"
#include "assert_string.h"
#include "random.h"

#define CASES 200000

static int matches(const char *template, const char *name)
{
	struct mio_pattern pattern;
	struct mio_pattern_name measured;

	mio_pattern_init(&pattern, template);
	mio_pattern_name_init(&measured, name);
	return mio_pattern_matches(&pattern, &measured);
}

static size_t width(const char *name)
{
	unsigned char c = (unsigned char)*name;

	return c < 0xc0 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
}

static int try_everything(const char *template, const char *name)
{
	size_t stars = strspn(template, "*");

	if (!*template)
		return !*name;
	if (stars > 0) {
		for (;; name += width(name)) {
			if (try_everything(template + stars, name))
				return 1;
			if (!*name || (stars == 1 && *name == '/'))
				return 0;
		}
	}
	if (!*name)
		return 0;
	if (*template == '?')
		return *name != '/' && try_everything(template + 1, name + width(name));
	return *template == *name && try_everything(template + 1, name + 1);
}

static void should_agree_with_trying_everything(void)
{
	const char *const of_templates[] = {"a", "b", "/", "*", "*", "?", "\xc3\xa9"};
	const char *const of_names[] = {"a", "a", "b", "/", "\xc3\xa9", "\xf0\x9d\x84\x9e"};
	struct test_random random = test_random_begin(20050526);
	int found = 0;

	for (int i = 0; i < CASES; i++) {
		char template[64], name[64];
		const char *seen, *slash;
		int expected;

		test_random_text(&random, template, of_templates, 7, 7);
		test_random_text(&random, name, of_names, 6, 9);
		if (!*template)
			continue;
		slash = strchr(template, '/') ? NULL : strrchr(name, '/');
		seen = slash ? slash + 1 : name;
		expected = try_everything(template, seen);
		if (matches(template, name) != expected) {
			fprintf(stderr, "'%s' against '%s', seed %llu: expected %d\n", template, name,
				(unsigned long long)random.seed, expected);
			exit(1);
		}
		found += expected;
	}
	ASSERT(found > CASES / 20);
}

static void should_not_take_forever_over_many_stars(void)
{
	char template[100] = "/", name[400] = "/";

	for (int i = 0; i < 12; i++)
		strcat(template, "**a*");
	strcat(template, "b");
	memset(name + 1, 'a', 300);
	ASSERT(!matches(template, name));
	strcat(name, "b");
	ASSERT(matches(template, name));
}

static void should_take_bytes_that_are_no_characters_one_by_one(void)
{
	ASSERT(matches("?", "\xff"));
	ASSERT(matches("??", "\xc3\xc3"));
	ASSERT(matches("a?b", "a\xa9" "b"));
	ASSERT(!matches("?", "\xe2\x82"));
	ASSERT(matches("*\xff", "a\xff"));
}

int main(void)
{
	RUN(should_agree_with_trying_everything);
	RUN(should_not_take_forever_over_many_stars);
	RUN(should_take_bytes_that_are_no_characters_one_by_one);
	return TEST_RESULT();
}

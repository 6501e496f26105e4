#ifndef MIO_TEST_GOLDEN_H
#define MIO_TEST_GOLDEN_H

/*
 * Reads the golden files of mio-core/src/test/resources/twin that consist of cases; their format is in
 * twin/config/README.md.
 */

#include "assert_string.h"

struct golden_line {
	char *key;
	char *value;
};

struct golden_case {
	char *title;
	struct golden_line *lines;
	int count;
};

struct golden {
	char *bytes;
	struct golden_case *cases;
	int count;
};

/* The whole text of a golden file; the caller frees it. */
static char *golden_text(const char *file)
{
	const char *directory = getenv("MIO_TEST_TWIN");
	char name[4096];
	char *text = NULL;
	size_t length = 0, count;
	FILE *in;

	snprintf(name, sizeof(name), "%s/%s", directory ? directory : "../mio-core/src/test/resources/twin", file);
	in = fopen(name, "r");
	if (!in) {
		perror(name);
		exit(1);
	}
	do {
		text = realloc(text, length + 65536);
		ASSERT(text);
		count = fread(text + length, 1, 65535, in);
		length += count;
	} while (count > 0);
	text[length] = 0;
	fclose(in);
	return text;
}

/* Replaces \n and \t by the characters they stand for, in place. */
static char *golden_unescape(char *value)
{
	char *to = value;

	for (const char *from = value; *from; from++) {
		int escape = from[0] == '\\' && (from[1] == 'n' || from[1] == 't');

		*to++ = (char)(!escape ? *from : from[1] == 'n' ? '\n' : '\t');
		from += escape;
	}
	*to = 0;
	return value;
}

static void golden_add_line(struct golden_case *test, char *line)
{
	char *colon = strchr(line, ':');
	struct golden_line *added;

	ASSERT(colon);
	test->lines = realloc(test->lines, sizeof(*test->lines) * (size_t)(test->count + 1));
	ASSERT(test->lines);
	added = &test->lines[test->count++];
	*colon = 0;
	added->key = line;
	added->value = golden_unescape(colon[1] ? colon + 2 : colon + 1);
}

static struct golden golden_read(const char *file)
{
	struct golden golden = {.bytes = golden_text(file)};
	char *rest = golden.bytes;
	char *line;

	while ((line = strsep(&rest, "\n"))) {
		if (strncmp(line, "== ", 3) == 0) {
			golden.cases = realloc(golden.cases, sizeof(*golden.cases) * (size_t)(golden.count + 1));
			ASSERT(golden.cases);
			golden.cases[golden.count++] = (struct golden_case){.title = line + 3};
		} else if (*line && *line != '#') {
			ASSERT(golden.count > 0);
			golden_add_line(&golden.cases[golden.count - 1], line);
		}
	}
	ASSERT(golden.count > 0);
	return golden;
}

/* The value of the first line with this key, or NULL. */
static const char *golden_value(const struct golden_case *test, const char *key)
{
	for (int i = 0; i < test->count; i++)
		if (strcmp(test->lines[i].key, key) == 0)
			return test->lines[i].value;
	return NULL;
}

static void golden_free(struct golden *golden)
{
	for (int i = 0; i < golden->count; i++)
		free(golden->cases[i].lines);
	free(golden->cases);
	free(golden->bytes);
}

#endif

#ifndef MIO_TEST_TWIN_CASE_H
#define MIO_TEST_TWIN_CASE_H

/*
 * The C side of a comparison with Java: reads cases from stdin and answers on stdout. A case consists of lines with a key, a tab
 * and a value, and ends with an empty line; so does the answer. In values \\ \n \r \t stand for a backslash, line feed, carriage
 * return and tab. TwinProgram is the Java side.
 */

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../src/common/text.h"

#define TWIN_VALUES_MAX 256

struct twin_case {
	char *line[TWIN_VALUES_MAX];	/* the key of each line; the same memory holds its value */
	char *value[TWIN_VALUES_MAX];
	int count;
};

static void twin_unescape(char *value)
{
	char *to = value;

	for (const char *from = value; *from; from++) {
		if (*from != '\\') {
			*to++ = *from;
			continue;
		}
		from++;
		*to++ = (char)(*from == 'n' ? '\n' : *from == 'r' ? '\r' : *from == 't' ? '\t' : *from);
	}
	*to = 0;
}

static void twin_print_escaped(const char *text)
{
	for (; *text; text++) {
		switch (*text) {
		case '\\':
			fputs("\\\\", stdout);
			break;
		case '\n':
			fputs("\\n", stdout);
			break;
		case '\r':
			fputs("\\r", stdout);
			break;
		case '\t':
			fputs("\\t", stdout);
			break;
		default:
			putchar(*text);
		}
	}
}

static void twin_print_value(const char *key, const char *value)
{
	printf("%s\t", key);
	twin_print_escaped(value);
	putchar('\n');
}

/* Prints the text and clears it. */
static inline void twin_print_text(const char *key, struct mio_text *text)
{
	twin_print_value(key, mio_text_string(text));
	mio_text_clear(text);
}

/* 1, or 0 at the end of the input. */
static int twin_read_case(struct twin_case *read)
{
	read->count = 0;
	for (;;) {
		size_t room = 0;
		char *line = NULL;
		char *tab;

		if (getline(&line, &room, stdin) <= 0) {
			free(line);
			return 0;
		}
		line[strcspn(line, "\n")] = 0;
		if (!*line) {
			free(line);
			return 1;
		}
		tab = strchr(line, '\t');
		assert(tab && read->count < TWIN_VALUES_MAX);
		*tab = 0;
		twin_unescape(tab + 1);
		read->line[read->count] = line;
		read->value[read->count++] = tab + 1;
	}
}

static void twin_free_case(struct twin_case *read)
{
	while (read->count > 0)
		free(read->line[--read->count]);
}

static void twin_answer_all(void (*answer)(const struct twin_case *read))
{
	struct twin_case read;

	while (twin_read_case(&read)) {
		answer(&read);
		putchar('\n');
		twin_free_case(&read);
	}
}

#endif

#ifndef MIO_TEST_STATS_TWIN_H
#define MIO_TEST_STATS_TWIN_H

/* Golden cases that both test suites read: parts, each begun by a line "--- name". Twin of TwinFile. MIO_TEST_TWIN names their directory. */

#include "assert.h"

#include <stdint.h>

struct twin {
	char *text;
};

/* A copy of the text that stays valid until the test ends. */
static inline char *kept(const char *text, size_t length)
{
	static struct kept_text {
		struct kept_text *next;
		char text[];
	} *all;
	struct kept_text *one = calloc(1, sizeof(*one) + length + 1);

	ASSERT(one);
	memcpy(one->text, text, length);
	one->next = __atomic_exchange_n(&all, one, __ATOMIC_RELAXED);
	return one->text;
}

static inline char *file_text(const char *name)
{
	static char text[1 << 20];
	FILE *file = fopen(name, "r");
	size_t bytes;

	if (!file) {
		fprintf(stderr, "no file %s\n", name);
		exit(1);
	}
	bytes = fread(text, 1, sizeof(text), file);
	ASSERT(bytes < sizeof(text));
	fclose(file);
	return kept(text, bytes);
}

static inline struct twin twin_read(const char *name)
{
	const char *directory = getenv("MIO_TEST_TWIN");
	char path[4096];
	struct twin twin;

	snprintf(path, sizeof(path), "%s/%s", directory ? directory : "../mio-core/src/test/resources/twin", name);
	twin.text = file_text(path);
	return twin;
}

/* The text of a part, without its "--- name" line. */
static inline char *twin_part(const struct twin *twin, const char *part)
{
	char head[64];
	const char *begin;
	const char *end;

	snprintf(head, sizeof(head), "--- %s\n", part);
	begin = strstr(twin->text, head);
	ASSERT(begin && (begin == twin->text || begin[-1] == '\n'));
	begin += strlen(head);
	end = strstr(begin, "--- ");
	while (end && end != begin && end[-1] != '\n')
		end = strstr(end + 1, "--- ");
	return kept(begin, end ? (size_t)(end - begin) : strlen(begin));
}

/* The value of a line "key: value" of a part; NULL if there is none. Only one blank after the colon is dropped. */
static inline char *twin_value(const struct twin *twin, const char *part, const char *key)
{
	char *text = twin_part(twin, part);
	size_t length = strlen(key);
	char *line;

	while ((line = strsep(&text, "\n")) != NULL)
		if (strncmp(line, key, length) == 0 && line[length] == ':')
			return line + length + (line[length + 1] == ' ' ? 2 : 1);
	return NULL;
}

static inline int64_t twin_number(const struct twin *twin, const char *part, const char *key)
{
	char *value = twin_value(twin, part, key);

	return value ? strtoll(value, NULL, 0) : 0;
}

#define ASSERT_TEXT(expected, actual) \
	do { \
		const char *t_ = (expected), *u_ = (actual); \
		if (strcmp(t_, u_) != 0) { \
			fprintf(stderr, "%s:%d: expected\n%s\nwas\n%s\n", __FILE__, __LINE__, t_, u_); \
			exit(1); \
		} \
	} while (0)

#define ASSERT_HAS(part, whole) \
	do { \
		const char *t_ = (part), *u_ = (whole); \
		if (!strstr(u_, t_)) { \
			fprintf(stderr, "%s:%d: no\n%s\nin\n%s\n", __FILE__, __LINE__, t_, u_); \
			exit(1); \
		} \
	} while (0)

#define ASSERT_HAS_NOT(part, whole) \
	do { \
		const char *t_ = (part), *u_ = (whole); \
		if (strstr(u_, t_)) { \
			fprintf(stderr, "%s:%d: there is\n%s\nin\n%s\n", __FILE__, __LINE__, t_, u_); \
			exit(1); \
		} \
	} while (0)

#endif

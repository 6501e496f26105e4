#include "config_properties.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "../common/memory.h"

/* Reads logical lines: continued lines are joined, escapes are still in them. line has room for the whole file. */
struct reader {
	const char *bytes;
	size_t at, length;
	char *line;
	size_t line_length;
};

static int is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\f';
}

static int is_end(char c)
{
	return c == '\n' || c == '\r';
}

static void skip_comment(struct reader *reader)
{
	while (reader->at < reader->length && !is_end(reader->bytes[reader->at]))
		reader->at++;
	if (reader->at < reader->length)
		reader->at++;
}

/*
 * Takes the next line that is not empty: 1, or 0 at the end. It does exactly what LineReader of java.util.Properties
 * does: blanks before a line are skipped, an empty line after a continued one ends it, and a comment may begin after a
 * continuation if nothing stands before the backslash.
 */
static int next_line(struct reader *reader)
{
	int skipping = 1, continued = 0, backslash = 0;
	size_t length = 0;

	while (reader->at < reader->length) {
		char c = reader->bytes[reader->at++];

		if (skipping) {
			if (is_blank(c) || (!continued && is_end(c)))
				continue;
			skipping = 0;
			continued = 0;
		}
		if (length == 0 && (c == '#' || c == '!')) {
			skip_comment(reader);
			skipping = 1;
			continue;
		}
		if (!is_end(c)) {
			reader->line[length++] = c;
			backslash = c == '\\' && !backslash;
			continue;
		}
		if (length == 0) {
			skipping = 1;
			continue;
		}
		if (!backslash)
			break;
		if (reader->at == reader->length)
			break;
		length--;
		backslash = 0;
		skipping = 1;
		continued = 1;
		if (c == '\r' && reader->bytes[reader->at] == '\n')
			reader->at++;
	}
	/* A backslash at the end of the file continues nothing, and is dropped. */
	reader->line_length = length - (backslash ? 1 : 0);
	return length > 0;
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* The four hexadecimal digits at text as a number, or -1. */
static int32_t unit_at(const char *text, const char *end)
{
	int32_t unit = 0;

	if (end - text < 4)
		return -1;
	for (int i = 0; i < 4; i++) {
		int digit = hex_digit(text[i]);

		if (digit < 0)
			return -1;
		unit = unit << 4 | digit;
	}
	return unit;
}

static char *add_character(char *to, uint32_t c)
{
	if (c < 0x80) {
		*to++ = (char)c;
		return to;
	}
	if (c < 0x800) {
		*to++ = (char)(0xc0 | c >> 6);
	} else {
		if (c < 0x10000) {
			*to++ = (char)(0xe0 | c >> 12);
		} else {
			*to++ = (char)(0xf0 | c >> 18);
			*to++ = (char)(0x80 | (c >> 12 & 0x3f));
		}
		*to++ = (char)(0x80 | (c >> 6 & 0x3f));
	}
	*to++ = (char)(0x80 | (c & 0x3f));
	return to;
}

/* Reads a character written as \uxxxx, or as a pair of these; *from is just after the first u. 0 or -EINVAL. */
static int read_unicode(const char **from, const char *end, char **to)
{
	int32_t first = unit_at(*from, end);
	int32_t second = -1;
	uint32_t c;

	if (first < 0)
		return -EINVAL;
	*from += 4;
	c = (uint32_t)first;
	if (first >= 0xd800 && first < 0xdc00 && end - *from >= 2 && (*from)[0] == '\\' && (*from)[1] == 'u')
		second = unit_at(*from + 2, end);
	if (second >= 0xdc00 && second < 0xe000) {
		*from += 6;
		c = 0x10000 + (((uint32_t)first - 0xd800) << 10) + ((uint32_t)second - 0xdc00);
	} else if (first >= 0xd800 && first < 0xe000) {
		c = '?';
	} else if (first == 0) {
		c = ' ';
	}
	*to = add_character(*to, c);
	return 0;
}

/* Replaces the escapes in text, which never makes it longer. Returns the new end, or NULL: malformed. */
static char *unescape(char *text, size_t length)
{
	const char *from = text, *end = text + length;
	char *to = text;

	while (from < end) {
		char c = *from++;

		if (c != '\\' || from == end) {
			*to++ = c ? c : ' ';
			continue;
		}
		c = *from++;
		if (c == 'u') {
			if (read_unicode(&from, end, &to) < 0)
				return NULL;
			continue;
		}
		*to++ = c == 't' ? '\t' : c == 'n' ? '\n' : c == 'r' ? '\r' : c == 'f' ? '\f' : c ? c : ' ';
	}
	return to;
}

/* Finds where the key ends and where the value begins. */
static void split(const char *line, size_t length, size_t *key_end, size_t *value)
{
	int backslash = 0, separated = 0;
	size_t at = 0;

	for (; at < length; at++) {
		char c = line[at];

		separated = !backslash && (c == '=' || c == ':');
		if (separated || (!backslash && is_blank(c)))
			break;
		backslash = c == '\\' && !backslash;
	}
	*key_end = at;
	if (at < length)
		at++;
	for (; at < length; at++) {
		int separator = line[at] == '=' || line[at] == ':';

		if (!is_blank(line[at]) && (separated || !separator))
			break;
		separated |= separator;
	}
	*value = at;
}

static int read_lines(struct reader *reader, char *key, void (*set)(void *context, const char *key, const char *value),
		      void *context)
{
	while (next_line(reader)) {
		size_t key_length, value;
		char *end_of_key, *end_of_value;

		split(reader->line, reader->line_length, &key_length, &value);
		memcpy(key, reader->line, key_length);
		end_of_key = unescape(key, key_length);
		end_of_value = end_of_key ? unescape(reader->line + value, reader->line_length - value) : NULL;
		if (!end_of_value)
			return -EINVAL;
		*end_of_key = 0;
		*end_of_value = 0;
		set(context, key, reader->line + value);
	}
	return 0;
}

int mio_properties_read(const char *bytes, size_t length,
			void (*set)(void *context, const char *key, const char *value), void *context)
{
	struct reader reader = {.bytes = bytes, .length = length};
	char *key = mio_memory_take(length + 1);
	int rc = -ENOMEM;

	reader.line = mio_memory_take(length + 1);
	if (key && reader.line)
		rc = read_lines(&reader, key, set, context);
	mio_memory_give(reader.line, length + 1);
	mio_memory_give(key, length + 1);
	return rc;
}

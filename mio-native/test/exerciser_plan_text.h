#ifndef MIO_TEST_EXERCISER_PLAN_TEXT_H
#define MIO_TEST_EXERCISER_PLAN_TEXT_H

/* Operations of the plan as lines of text, in the same words as in Java. */

#include <inttypes.h>
#include <stdarg.h>

#include "exerciser_plan.h"

enum { PLAN_TEXT = 200 };

/* The CRC of java.util.zip.CRC32; the first sum is 0. */
static uint32_t plan_sum(uint32_t sum, const void *memory, size_t count)
{
	const unsigned char *bytes = memory;

	sum = ~sum;
	for (size_t i = 0; i < count; i++) {
		sum ^= bytes[i];
		for (int bit = 0; bit < 8; bit++)
			sum = (sum >> 1) ^ (sum & 1 ? 0xEDB88320 : 0);
	}
	return ~sum;
}

struct plan_lines {
	void (*line)(void *context, const char *text);
	void *context;
};

__attribute__((format(printf, 2, 3))) static void plan_line(const struct plan_lines *lines, const char *format, ...)
{
	char text[PLAN_TEXT];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	lines->line(lines->context, text);
}

/* Passes the line or lines that describe the operation to lines. */
static void plan_tell(const struct plan_lines *lines, const struct plan_operation *operation)
{
	static const char *const words[] = {
		"read", "scatter", "write", "gather", "write here", "truncate", "size", "force", "map", "write mapped", "lock",
		"transfer to", "transfer from", "asynchronous read", "asynchronous write", "asynchronous truncate", "create",
		"link", "size of", "read all", "skip", "stream", "stream", "copy", "replace", "rename", "delete", "compare", "open",
		"close", "threads"};
	static const char *const modes[] = {"READ WRITE", "READ WRITE CREATE", "READ", "WRITE", "APPEND CREATE"};
	const char *word = words[operation->kind];
	char bytes[40] = "";
	char other[20] = "";

	if (operation->bytes)
		snprintf(bytes, sizeof(bytes), "%d bytes %08" PRIx32, operation->length,
			 plan_sum(0, operation->bytes, (size_t)operation->length));
	switch (operation->kind) {
	case PLAN_LATER_READ:
	case PLAN_LATER_WRITE:
	case PLAN_LATER_TRUNCATE:
		plan_line(lines, "%s: %d, %s at %d", word, operation->channel, bytes, operation->place);
		break;
	case PLAN_LINK:
		plan_line(lines, "link: one.hard one.link");
		break;
	case PLAN_SIZE_OF:
	case PLAN_READ_ALL:
	case PLAN_RENAME:
	case PLAN_DELETE:
		plan_line(lines, "%s: %s", word, operation->name);
		break;
	case PLAN_SKIP:
		plan_line(lines, "%s: %s, %d", word, operation->name, operation->length);
		break;
	case PLAN_APPEND:
	case PLAN_OVERWRITE:
		plan_line(lines, "%s: %s, CREATE %s, %s", word, operation->name,
			  operation->kind == PLAN_APPEND ? "APPEND" : "TRUNCATE_EXISTING WRITE", bytes);
		break;
	case PLAN_COPY:
		plan_line(lines, "%s: %s %s", word, operation->name, operation->to);
		break;
	case PLAN_CREATE:
	case PLAN_REPLACE:
		plan_line(lines, "%s: %s, %s", word, operation->name, bytes);
		break;
	case PLAN_COMPARE:
		plan_line(lines, "%s: %s, %s", word, operation->name, operation->forced ? "forced" : "seen");
		break;
	case PLAN_OPEN:
		plan_line(lines, "%s: %s, %s%s", word, operation->name, modes[operation->mode],
			  operation->asynchronous ? ", asynchronous" : "");
		if (operation->channel >= 0)
			plan_line(lines, "opened: %d", operation->channel);
		break;
	case PLAN_CLOSE:
		plan_line(lines, "%s: %d", word, operation->channel);
		break;
	case PLAN_THREADS_BEGIN:
		plan_line(lines, "%s: %s, %s", word, operation->name, bytes);
		for (int i = 0; i < PLAN_THREADS; i++)
			plan_line(lines, "thread: %d, seed %" PRId64, i, operation->seeds[i]);
		break;
	default:
		if (operation->kind == PLAN_TRANSFER_TO || operation->kind == PLAN_TRANSFER_FROM)
			snprintf(other, sizeof(other), ", other %d", operation->other);
		plan_line(lines, "%s: %d, %s at %d, %d parts%s%s", word, operation->channel, bytes, operation->place,
			  operation->parts, operation->direct ? ", direct" : "", other);
	}
}

#endif

#include "text.h"

#include <string.h>

#include "memory.h"

#define FIRST_BYTES ((size_t)128)

static int make_room(struct mio_text *text, size_t more)
{
	size_t wanted = text->length + more + 1;
	size_t room = text->room ? text->room : FIRST_BYTES;
	char *larger = NULL;

	/* After a piece that did not fit, later ones must not be added. */
	if (text->failed)
		return 0;
	if (more < SIZE_MAX / 4 && wanted <= text->room)
		return 1;
	if (more < SIZE_MAX / 4 && text->length < SIZE_MAX / 4) {
		while (room < wanted)
			room *= 2;
		larger = mio_memory_take(room);
	}
	if (!larger) {
		text->failed = 1;
		return 0;
	}
	if (text->length)
		memcpy(larger, text->bytes, text->length);
	mio_memory_give(text->bytes, text->room);
	text->bytes = larger;
	text->room = room;
	return 1;
}

void mio_text_add_bytes(struct mio_text *text, const char *bytes, size_t count)
{
	if (count == 0 || !make_room(text, count))
		return;
	memcpy(text->bytes + text->length, bytes, count);
	text->length += count;
	text->bytes[text->length] = 0;
}

void mio_text_add(struct mio_text *text, const char *string)
{
	mio_text_add_bytes(text, string, strlen(string));
}

void mio_text_add_char(struct mio_text *text, char c)
{
	mio_text_add_bytes(text, &c, 1);
}

static void add_digits(struct mio_text *text, uint64_t number, unsigned int base)
{
	char digits[64];
	size_t at = sizeof(digits);

	do {
		digits[--at] = "0123456789abcdef"[number % base];
		number /= base;
	} while (number);
	mio_text_add_bytes(text, digits + at, sizeof(digits) - at);
}

void mio_text_add_number(struct mio_text *text, int64_t number)
{
	if (number < 0)
		mio_text_add_char(text, '-');
	add_digits(text, number < 0 ? -(uint64_t)number : (uint64_t)number, 10);
}

void mio_text_add_unsigned(struct mio_text *text, uint64_t number)
{
	add_digits(text, number, 10);
}

void mio_text_add_octal(struct mio_text *text, uint64_t number)
{
	add_digits(text, number, 8);
}

void mio_text_add_hex(struct mio_text *text, uint64_t number)
{
	add_digits(text, number, 16);
}

static void add_blanks(struct mio_text *text, size_t count)
{
	while (count--)
		mio_text_add_char(text, ' ');
}

void mio_text_add_right(struct mio_text *text, const char *string, size_t columns)
{
	size_t length = strlen(string);

	add_blanks(text, length < columns ? columns - length : 0);
	mio_text_add(text, string);
}

void mio_text_add_left(struct mio_text *text, const char *string, size_t columns)
{
	size_t length = strlen(string);

	mio_text_add(text, string);
	add_blanks(text, length < columns ? columns - length : 0);
}

const char *mio_text_string(const struct mio_text *text)
{
	return text->bytes ? text->bytes : "";
}

void mio_text_cut(struct mio_text *text, size_t length)
{
	if (length < text->length) {
		text->length = length;
		text->bytes[length] = 0;
	}
}

void mio_text_clear(struct mio_text *text)
{
	mio_memory_give(text->bytes, text->room);
	memset(text, 0, sizeof(*text));
}

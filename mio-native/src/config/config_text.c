#include "config_text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include "config_utf8.h"

/* Most characters of the text that a message shows before and after a mistake, as Java counts them. */
#define SHOWN_BEFORE 50
#define SHOWN_AFTER 28

struct mio_slice mio_slice_trim(struct mio_slice slice)
{
	while (slice.length && mio_config_is_blank(slice.bytes[0])) {
		slice.bytes++;
		slice.length--;
	}
	while (slice.length && mio_config_is_blank(slice.bytes[slice.length - 1]))
		slice.length--;
	return slice;
}

void mio_slice_add(struct mio_text *text, struct mio_slice slice)
{
	mio_text_add_bytes(text, slice.bytes, slice.length);
}

void mio_config_text_begin(struct mio_config_text *in, const struct mio_config_source *source, struct mio_text *error)
{
	in->source = source;
	in->position = 0;
	in->length = strlen(source->text);
	in->error = error;
}

void mio_config_text_skip_blanks(struct mio_config_text *in)
{
	while (!mio_config_text_at_end(in) && mio_config_is_blank(mio_config_text_peek(in)))
		in->position++;
}

int mio_config_text_take(struct mio_config_text *in, char c)
{
	if (mio_config_text_at_end(in) || mio_config_text_peek(in) != c)
		return 0;
	in->position++;
	return 1;
}

struct mio_slice mio_config_text_word(struct mio_config_text *in, const char *stops)
{
	struct mio_slice word = {in->source->text + in->position, 0};

	while (!mio_config_text_at_end(in) && !mio_config_is_blank(mio_config_text_peek(in)) &&
	       !strchr(stops, mio_config_text_peek(in)))
		in->position++;
	word.length = (size_t)(in->source->text + in->position - word.bytes);
	return word;
}

int mio_config_text_braced(struct mio_config_text *in, struct mio_slice *inside)
{
	size_t open = in->position;
	size_t depth = 0;

	do {
		char c = mio_config_text_peek(in);

		if (mio_config_text_at_end(in))
			return mio_place_error(in->error, mio_config_text_place(in, open), "'{' has no '}'; add one",
					       NULL);
		in->position++;
		if (c == '{')
			depth++;
		else if (c == '}')
			depth--;
	} while (depth > 0);
	inside->bytes = in->source->text + open + 1;
	inside->length = in->position - open - 2;
	return 0;
}

static void add_strings(struct mio_text *error, va_list strings)
{
	const char *string;

	while ((string = va_arg(strings, const char *)))
		mio_text_add(error, string);
}

static int is_continuation(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

/* Where the text that is shown before at begins: whole characters, at most SHOWN_BEFORE units. *units: the number of units. */
static size_t begin_of_shown(const char *text, size_t at, size_t *units)
{
	size_t from = at;

	*units = 0;
	while (from > 0) {
		size_t one = from - 1;
		size_t width;

		while (one > 0 && from - one < 4 && is_continuation(text[one]))
			one--;
		width = mio_utf8_width(text + one, from - one);
		if (width != from - one)
			one = from - 1;
		width = from - one;
		if (*units + (width == 4 ? 2 : 1) > SHOWN_BEFORE)
			break;
		*units += width == 4 ? 2 : 1;
		from = one;
	}
	return from;
}

static void show(struct mio_text *error, const char *text, size_t at)
{
	size_t length = strlen(text);
	size_t before;
	size_t from = begin_of_shown(text, at, &before);
	size_t after = 0;

	mio_text_add(error, "\n  ");
	while (from < length) {
		size_t width = mio_utf8_width(text + from, length - from);

		if (from >= at)
			after += width == 4 ? 2 : 1;
		if (after > SHOWN_AFTER)
			break;
		if ((unsigned char)text[from] < ' ')
			mio_text_add_char(error, ' ');
		else
			mio_text_add_bytes(error, text + from, width);
		from += width;
	}
	mio_text_add(error, "\n  ");
	while (before--)
		mio_text_add_char(error, ' ');
	mio_text_add_char(error, '^');
}

int mio_place_error(struct mio_text *error, struct mio_place place, ...)
{
	const char *text = place.source->text;
	va_list strings;

	mio_text_add(error, place.source->origin);
	mio_text_add(error, ", column ");
	mio_text_add_unsigned(error, mio_utf8_units(text, place.at) + 1);
	mio_text_add(error, ": ");
	va_start(strings, place);
	add_strings(error, strings);
	va_end(strings);
	show(error, text, place.at);
	return -EINVAL;
}

int mio_config_error(struct mio_text *error, const char *origin, ...)
{
	va_list strings;

	mio_text_add(error, origin);
	mio_text_add(error, ": ");
	va_start(strings, origin);
	add_strings(error, strings);
	va_end(strings);
	return -EINVAL;
}

#ifndef MIO_CONFIG_TEXT_H
#define MIO_CONFIG_TEXT_H

/*
 * Reads a configuration text from left to right, and says where a mistake is. Twins of ConfigText, TextPlace
 * and ConfigException.
 */

#include <stddef.h>

#include "../common/text.h"

/* A text the user wrote. */
struct mio_config_source {
	const char *origin;	/* where it came from, for example MIO_FILES */
	const char *text;
};

/* A place in a text. at: bytes from the start of the text. */
struct mio_place {
	const struct mio_config_source *source;
	size_t at;
};

/* Part of a text, without a zero byte at its end. */
struct mio_slice {
	const char *bytes;
	size_t length;
};

struct mio_config_text {
	const struct mio_config_source *source;
	size_t position;	/* bytes */
	size_t length;		/* bytes */
	struct mio_text *error;
};

/* 1 for a character that separates parts: a blank or a control character. */
static inline int mio_config_is_blank(char c)
{
	return (unsigned char)c <= ' ';
}

static inline int mio_slice_is(struct mio_slice slice, const char *string)
{
	size_t i = 0;

	while (i < slice.length && string[i] && string[i] == slice.bytes[i])
		i++;
	return i == slice.length && !string[i];
}

/* The slice without the blanks at both ends. */
struct mio_slice mio_slice_trim(struct mio_slice slice);

void mio_slice_add(struct mio_text *text, struct mio_slice slice);

void mio_config_text_begin(struct mio_config_text *in, const struct mio_config_source *source, struct mio_text *error);

static inline int mio_config_text_at_end(const struct mio_config_text *in)
{
	return in->position == in->length;
}

/* The next byte, or 0 at the end. */
static inline char mio_config_text_peek(const struct mio_config_text *in)
{
	return in->source->text[in->position];
}

void mio_config_text_skip_blanks(struct mio_config_text *in);

/* Takes the next byte if it is c: 1, else 0. */
int mio_config_text_take(struct mio_config_text *in, char c);

/* Takes the text up to the next blank, character of stops, or the end; may be empty. */
struct mio_slice mio_config_text_word(struct mio_config_text *in, const char *stops);

/*
 * Takes a text in braces, which may hold further pairs of braces. *inside: what is inside the outer pair. 0, or -EINVAL:
 * there is no closing brace.
 */
int mio_config_text_braced(struct mio_config_text *in, struct mio_slice *inside);

static inline struct mio_place mio_config_text_place(const struct mio_config_text *in, size_t at)
{
	return (struct mio_place){in->source, at};
}

/*
 * Writes a message: origin, column (from 1, in UTF-16 units, as Java counts), the strings up to NULL, and two lines that
 * show the place. Returns -EINVAL.
 */
int mio_place_error(struct mio_text *error, struct mio_place place, ...) __attribute__((sentinel));

/* The same for a mistake without a place. */
int mio_config_error(struct mio_text *error, const char *origin, ...) __attribute__((sentinel));

#endif

#ifndef MIO_CONFIG_UTF8_H
#define MIO_CONFIG_UTF8_H

/*
 * Characters of texts. The library takes texts and names for UTF-8, whatever the locale. A byte that begins no
 * character counts as a character of its own. Columns and lengths are those of Java, which counts a character outside
 * the basic plane as two.
 */

#include <stddef.h>
#include <stdint.h>

#define MIO_UTF8_BAD ((uint32_t)0xfffd)

/*
 * Bytes of the first character of text, 1 to 4. left: bytes of text, at least 1. *code: the character, or
 * MIO_UTF8_BAD.
 */
static inline size_t mio_utf8_character(const char *text, size_t left, uint32_t *code)
{
	const unsigned char *bytes = (const unsigned char *)text;
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	uint32_t value = bytes[0];
	size_t width = value < 0x80 ? 1 : value < 0xc2 ? 0 : value < 0xe0 ? 2 : value < 0xf0 ? 3 : value < 0xf5 ? 4 : 0;

	*code = width == 1 ? value : MIO_UTF8_BAD;
	if (width < 2 || width > left)
		return 1;
	value &= 0x7fu >> width;
	for (size_t i = 1; i < width; i++) {
		if ((bytes[i] & 0xc0) != 0x80)
			return 1;
		value = value << 6 | (bytes[i] & 0x3f);
	}
	if (value < least[width] || value > 0x10ffff || (value >= 0xd800 && value < 0xe000))
		return 1;
	*code = value;
	return width;
}

/* Bytes of the first character of text, which has left bytes, at least 1. */
static inline size_t mio_utf8_width(const char *text, size_t left)
{
	uint32_t code;

	return (unsigned char)text[0] < 0x80 ? 1 : mio_utf8_character(text, left, &code);
}

/* Length of a text as Java counts it. */
static inline size_t mio_utf8_units(const char *text, size_t bytes)
{
	size_t units = 0;

	for (size_t at = 0; at < bytes;) {
		size_t width = mio_utf8_width(text + at, bytes - at);

		units += width == 4 ? 2 : 1;
		at += width;
	}
	return units;
}

#endif

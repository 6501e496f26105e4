#ifndef MIO_COMMON_TEXT_H
#define MIO_COMMON_TEXT_H

#include <stddef.h>
#include <stdint.h>

/*
 * A string that grows, in memory of the library's own. Independent of the locale. If memory runs out, the text stays as it is
 * and failed is set; callers check that once, at the end. Ready when all zero.
 */
struct mio_text {
	char *bytes;	/* ends with a zero byte that length does not count; NULL while empty */
	size_t length;
	size_t room;
	int failed;
};

void mio_text_add(struct mio_text *text, const char *string);
void mio_text_add_bytes(struct mio_text *text, const char *bytes, size_t count);
void mio_text_add_char(struct mio_text *text, char c);
void mio_text_add_number(struct mio_text *text, int64_t number);
void mio_text_add_unsigned(struct mio_text *text, uint64_t number);
void mio_text_add_octal(struct mio_text *text, uint64_t number);
void mio_text_add_hex(struct mio_text *text, uint64_t number);	/* lower case, no 0x */
/* Adds string and blanks to make at least this many columns (bytes): _right puts the blanks in front, _left behind. */
void mio_text_add_right(struct mio_text *text, const char *string, size_t columns);
void mio_text_add_left(struct mio_text *text, const char *string, size_t columns);
/* The text as a string, "" when empty. Valid until the text changes. */
const char *mio_text_string(const struct mio_text *text);
void mio_text_cut(struct mio_text *text, size_t length);
/* Gives the memory back; the text is empty and ready again. */
void mio_text_clear(struct mio_text *text);

#endif

#include "config_nearest.h"

#include <stdint.h>
#include <string.h>

#include "config_utf8.h"

#define SHORTEST 3
/* Characters of a valid word that are compared; no valid word is that long. */
#define WORD_MAX ((size_t)31)
/* A typed word of more characters is too far from every valid word: it needs more edits than a third of its letters. */
#define TYPED_MAX ((size_t)63)

static size_t min_size(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* The small letter of c, if it is one that a valid word can have. */
static uint16_t lower(uint32_t c)
{
	if (c == 0x130)		/* this letter and the next one are not ASCII, but their small letters are */
		return 'i';
	if (c == 0x212a)
		return 'k';
	return (uint16_t)(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
}

/* Writes typed as UTF-16 units in small letters. Returns their number, as Java counts; TYPED_MAX + 1 if there are more than TYPED_MAX. */
static size_t lower_units(struct mio_slice typed, uint16_t *units)
{
	size_t count = 0;

	for (size_t at = 0; at < typed.length;) {
		uint32_t c;
		size_t width = mio_utf8_character(typed.bytes + at, typed.length - at, &c);

		if (count + 2 > TYPED_MAX)
			return TYPED_MAX + 1;
		if (c >= 0x10000) {
			units[count++] = (uint16_t)(0xd800 + ((c - 0x10000) >> 10));
			c = 0xdc00 + (c & 0x3ff);
		}
		units[count++] = lower(c);
		at += width;
	}
	return count;
}

/* Number of letters to insert, drop, change or swap with their neighbour to turn a into b. */
static size_t edits(const uint16_t *a, size_t a_length, const char *b, size_t b_length)
{
	size_t rows[3][WORD_MAX + 1];
	size_t *before = rows[0], *above = rows[1], *row = rows[2];

	for (size_t j = 0; j <= b_length; j++)
		above[j] = j;
	for (size_t i = 1; i <= a_length; i++) {
		size_t *oldest = before;

		row[0] = i;
		for (size_t j = 1; j <= b_length; j++) {
			size_t change = a[i - 1] == lower((unsigned char)b[j - 1]) ? 0 : 1;

			row[j] = min_size(min_size(row[j - 1], above[j]) + 1, above[j - 1] + change);
			if (i > 1 && j > 1 && a[i - 1] == lower((unsigned char)b[j - 2]) &&
			    a[i - 2] == lower((unsigned char)b[j - 1]))
				row[j] = min_size(row[j], before[j - 2] + 1);
		}
		before = above;
		above = row;
		row = oldest;
	}
	return above[b_length];
}

const char *mio_nearest_find(struct mio_slice typed, const char *const *candidates, int count)
{
	uint16_t units[TYPED_MAX + 1];
	size_t length = lower_units(typed, units);
	size_t third = (length + 1) / 3;
	size_t best_edits = (third > 1 ? third : 1) + 1;
	const char *best = NULL;

	if (length > TYPED_MAX)
		return NULL;
	for (int i = 0; i < count; i++) {
		size_t word = min_size(strlen(candidates[i]), WORD_MAX);
		size_t needed = edits(units, length, candidates[i], word);

		/* The mistyped word may have been an abbreviation. */
		if (length >= SHORTEST && length < word)
			needed = min_size(needed, edits(units, length, candidates[i], length));
		if (needed < best_edits) {
			best = candidates[i];
			best_edits = needed;
		}
	}
	return best;
}

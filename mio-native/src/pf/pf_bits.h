#ifndef MIO_PF_BITS_H
#define MIO_PF_BITS_H

/* Bit sets of sectors: numbers from 0 to count - 1, in words of 64 bits. A range ends before `to`. */

#include <stdint.h>
#include <string.h>

static inline int mio_pf_bits_words(int count)
{
	return (count + 63) / 64;
}

static inline int mio_pf_bits_get(const uint64_t *bits, int at)
{
	return (int)(bits[at / 64] >> (at % 64) & 1);
}

/* The bits of one word that are in the range from `from` to `to`, without `to`. */
static inline uint64_t mio_pf_bits_mask(int word, int from, int to)
{
	uint64_t mask = ~(uint64_t)0;

	if (from > word * 64)
		mask &= ~(uint64_t)0 << (from - word * 64);
	if (to < word * 64 + 64)
		mask &= ~(uint64_t)0 >> (word * 64 + 64 - to);
	return mask;
}

static inline void mio_pf_bits_set(uint64_t *bits, int from, int to)
{
	for (int word = from / 64; word * 64 < to; word++)
		bits[word] |= mio_pf_bits_mask(word, from, to);
}

static inline void mio_pf_bits_clear(uint64_t *bits, int from, int to)
{
	for (int word = from / 64; word * 64 < to; word++)
		bits[word] &= ~mio_pf_bits_mask(word, from, to);
}

/* The first number in the set from `from` on, or -1. */
static inline int mio_pf_bits_next(const uint64_t *bits, int from, int count)
{
	for (int word = from / 64; word * 64 < count; word++) {
		uint64_t left = bits[word] & mio_pf_bits_mask(word, from, count);

		if (left)
			return word * 64 + __builtin_ctzll(left);
	}
	return -1;
}

/* The first number not in the set from `from` on, or count. */
static inline int mio_pf_bits_next_clear(const uint64_t *bits, int from, int count)
{
	for (int word = from / 64; word * 64 < count; word++) {
		uint64_t left = ~bits[word] & mio_pf_bits_mask(word, from, count);

		if (left)
			return word * 64 + __builtin_ctzll(left);
	}
	return count;
}

/* The last number in the set up to and including `from`, or -1. */
static inline int mio_pf_bits_previous(const uint64_t *bits, int from)
{
	for (int word = from / 64; word >= 0 && from >= 0; word--) {
		uint64_t left = bits[word] & mio_pf_bits_mask(word, 0, from + 1);

		if (left)
			return word * 64 + 63 - __builtin_clzll(left);
	}
	return -1;
}

static inline int mio_pf_bits_is_empty(const uint64_t *bits, int count)
{
	return mio_pf_bits_next(bits, 0, count) < 0;
}

#endif

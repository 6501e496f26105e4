#include "config_size.h"

static int64_t digit_of(char c)
{
	int lower = c | 0x20;

	if (c >= '0' && c <= '9')
		return c - '0';
	return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

static int shift_of(char suffix)
{
	switch (suffix | 0x20) {
	case 'k':
		return 10;
	case 'm':
		return 20;
	case 'g':
		return 30;
	case 't':
		return 40;
	default:
		return 0;
	}
}

static int64_t digits(const char *text, size_t from, size_t end, int64_t radix, int shift)
{
	int64_t limit = INT64_MAX >> shift;
	int64_t number = 0;
	int too_large = 0;

	if (from >= end)
		return MIO_SIZE_BAD;
	for (size_t i = from; i < end; i++) {
		int64_t digit = digit_of(text[i]);

		if (digit < 0 || digit >= radix)
			return MIO_SIZE_BAD;
		if (too_large || number > (limit - digit) / radix)
			too_large = 1;
		else
			number = number * radix + digit;
	}
	return too_large ? MIO_SIZE_TOO_LARGE : number << shift;
}

int64_t mio_size_parse(struct mio_slice text)
{
	size_t end = text.length;
	int shift = end ? shift_of(text.bytes[end - 1]) : 0;

	if (shift > 0)
		end--;
	if (end > 2 && text.bytes[0] == '0' && (text.bytes[1] | 0x20) == 'x')
		return digits(text.bytes, 2, end, 16, shift);
	if (end > 1 && text.bytes[0] == '0')
		return digits(text.bytes, 1, end, 8, shift);
	return digits(text.bytes, 0, end, 10, shift);
}

int64_t mio_size_parse_octal(struct mio_slice text)
{
	return digits(text.bytes, 0, text.length, 8, 0);
}

#include "stats_text.h"

#include <string.h>

#define NS_PER_CENTISECOND 10000000

static const struct mio_stats_unit units[] = {
#define X(label, shift) {label, shift},
	MIO_STATS_UNITS(X)
#undef X
};

const struct mio_stats_unit *mio_stats_unit_of(const char *label)
{
	for (size_t i = 0; label && i < sizeof(units) / sizeof(units[0]); i++)
		if (strcmp(units[i].label, label) == 0)
			return &units[i];
	return &units[0];
}

int64_t mio_stats_unit_whole(const struct mio_stats_unit *unit, int64_t bytes)
{
	return bytes >> unit->shift;
}

double mio_stats_unit_rate(const struct mio_stats_unit *unit, int64_t bytes, int64_t ns)
{
	return ns <= 0 ? 0.0 : (double)bytes / (double)((int64_t)1 << unit->shift) / ((double)ns / 1e9);
}

static void add_number(struct mio_text *text, int64_t number, size_t columns, int left)
{
	struct {
		struct mio_text text;
		char digits[24];
	} of = {.text = {.bytes = of.digits, .room = sizeof(of.digits)}};

	/* digits has room for any number, so no memory is allocated. */
	mio_text_add_number(&of.text, number);
	if (left)
		mio_text_add_left(text, of.digits, columns);
	else
		mio_text_add_right(text, of.digits, columns);
}

void mio_stats_add_right(struct mio_text *text, int64_t number, size_t columns)
{
	add_number(text, number, columns, 0);
}

void mio_stats_add_left(struct mio_text *text, int64_t number, size_t columns)
{
	add_number(text, number, columns, 1);
}

void mio_stats_add_two(struct mio_text *text, int number)
{
	if (number >= 0 && number < 10)
		mio_text_add_char(text, '0');
	mio_text_add_number(text, number);
}

static void add_hundredths(struct mio_text *text, int64_t value, size_t columns)
{
	struct {
		struct mio_text text;
		char digits[32];
	} of = {.text = {.bytes = of.digits, .room = sizeof(of.digits)}};
	uint64_t size = value < 0 ? -(uint64_t)value : (uint64_t)value;

	if (value < 0)
		mio_text_add_char(&of.text, '-');
	mio_text_add_unsigned(&of.text, size / 100);
	mio_text_add_char(&of.text, '.');
	mio_stats_add_two(&of.text, (int)(size % 100));
	mio_text_add_right(text, of.digits, columns);
}

void mio_stats_add_seconds(struct mio_text *text, int64_t ns, size_t columns)
{
	int64_t half_up = ns + NS_PER_CENTISECOND / 2;
	int64_t value = half_up / NS_PER_CENTISECOND;

	if (half_up % NS_PER_CENTISECOND < 0)
		value--;
	add_hundredths(text, value, columns);
}

/* The nearest whole number, halves up; a value outside int64_t becomes the nearest int64_t, and NaN becomes 0. */
static int64_t rounded(double value)
{
	int64_t whole;
	double rest;

	if (value >= 9223372036854775807.0)
		return INT64_MAX;
	if (!(value > -9223372036854775808.0))
		return value <= -9223372036854775808.0 ? INT64_MIN : 0;
	whole = (int64_t)value;
	rest = value - (double)whole;
	if (rest >= 0.5)
		return whole + 1;
	return rest < -0.5 ? whole - 1 : whole;
}

void mio_stats_add_rate(struct mio_text *text, double rate, size_t columns)
{
	add_hundredths(text, rounded(rate * 100), columns);
}

static int is_control(char c)
{
	return (unsigned char)c < ' ' || c == 0x7f;
}

void mio_stats_add_name(struct mio_text *text, const char *name)
{
	for (size_t plain; *name; name += plain) {
		for (plain = 0; name[plain] && !is_control(name[plain]); plain++)
			;
		mio_text_add_bytes(text, name, plain);
		if (plain == 0) {
			unsigned int c = (unsigned char)*name;
			char octal[4] = {'\\', (char)('0' + (c >> 6)), (char)('0' + (c >> 3 & 7)), (char)('0' + (c & 7))};

			mio_text_add_bytes(text, octal, sizeof(octal));
			plain = 1;
		}
	}
}

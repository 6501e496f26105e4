#include "config_value.h"

#include <errno.h>
#include <string.h>

#include "config_nearest.h"
#include "config_size.h"

/* The option whose value is read, and where messages go. error is NULL if there can be no mistake. */
struct reading {
	const struct mio_option *option;
	struct mio_place at;
	struct mio_store *store;
	struct mio_text *error;
};

void mio_value_set(struct mio_option_value *value, enum mio_setting setting, const char *text)
{
	value->setting = setting;
	value->number = -1;
	value->second = -1;
	value->text = text;
}

static void set_numbers(struct mio_option_value *value, int64_t first, int64_t second)
{
	value->number = first;
	value->second = second;
}

static void add_choices(const struct mio_option *option, const char *between, struct mio_text *text)
{
	for (int i = 0; option->choices[i]; i++) {
		mio_text_add(text, i > 0 ? between : "");
		mio_text_add(text, option->choices[i]);
	}
}

void mio_value_add_form(const struct mio_option *option, struct mio_text *text)
{
	mio_text_add(text, option->id);
	mio_text_add_char(text, '=');
	switch (option->kind) {
	case MIO_OPTION_SIZE:
		mio_text_add(text, "SIZE");
		return;
	case MIO_OPTION_INTEGER:
		mio_text_add(text, option->octal ? "OCTAL" : "NUMBER");
		return;
	case MIO_OPTION_RANGE:
		mio_text_add(text, option->automatic ? "PAGES, MIN:MAX or auto" : "{FROM:TO}");
		return;
	case MIO_OPTION_CHOICE:
		add_choices(option, "|", text);
		return;
	default:
		mio_text_add(text, "TEXT");
	}
}

/* Writes a message that ends with the form in which the option is typed. */
static int fail_with_form(const struct reading *reading, const char *id, const char *shown, const char *problem)
{
	struct mio_text form = {0};
	int rc;

	mio_value_add_form(reading->option, &form);
	rc = mio_place_error(reading->error, reading->at, id, shown, problem, mio_text_string(&form), NULL);
	mio_text_clear(&form);
	return rc;
}

static const char *string_of(const struct reading *reading, struct mio_slice slice)
{
	const char *string = mio_store_string(reading->store, slice.bytes, slice.length);

	return string ? string : "";
}

/* Adds a limit as one would type it. */
static void add_limit(const struct mio_option *option, int64_t number, struct mio_text *text)
{
	int shift = 0;

	if (option->octal) {
		mio_text_add(text, number == 0 ? "" : "0");
		mio_text_add_octal(text, (uint64_t)number);
		return;
	}
	while (shift < 4 && number != 0 && (number & 1023) == 0) {
		number >>= 10;
		shift++;
	}
	mio_text_add_number(text, number);
	if (shift > 0)
		mio_text_add_char(text, "kmgt"[shift - 1]);
}

static int fail_out_of_range(const struct reading *reading, struct mio_slice text)
{
	const struct mio_option *option = reading->option;
	struct mio_text limits = {0};
	int rc;

	add_limit(option, option->min, &limits);
	mio_text_add(&limits, " to ");
	add_limit(option, option->max, &limits);
	rc = mio_place_error(reading->error, reading->at, option->id, "=", string_of(reading, text),
			     " is out of range; it can be ", mio_text_string(&limits), NULL);
	mio_text_clear(&limits);
	return rc;
}

static int read_number(const struct reading *reading, struct mio_slice text, int64_t *number)
{
	const struct mio_option *option = reading->option;

	*number = option->octal ? mio_size_parse_octal(text) : mio_size_parse(text);
	if (*number == MIO_SIZE_BAD)
		return mio_place_error(reading->error, reading->at, "'", string_of(reading, text),
				       "' is not a number for ", option->id, "; write ",
				       option->octal ? "octal digits, for example 0640" :
						       "digits and perhaps k, m, g or t, for example 64k",
				       NULL);
	if (*number == MIO_SIZE_TOO_LARGE || *number < option->min || *number > option->max)
		return fail_out_of_range(reading, text);
	return 0;
}

static int read_range(const struct reading *reading, struct mio_slice text, struct mio_option_value *value)
{
	const char *colon = text.length ? memchr(text.bytes, ':', text.length) : NULL;
	struct mio_slice part = text;
	int64_t first, second;
	int rc;

	if (reading->option->automatic && mio_slice_is(text, "auto")) {
		set_numbers(value, 0, 0);
		return 0;
	}
	if (!colon) {
		if (!reading->option->automatic)
			return fail_with_form(reading, reading->option->id, "", " needs two numbers: write ");
		rc = read_number(reading, text, &first);
		set_numbers(value, first, first);
		return rc;
	}
	part.length = (size_t)(colon - text.bytes);
	rc = read_number(reading, mio_slice_trim(part), &first);
	if (rc < 0)
		return rc;
	part.bytes = colon + 1;
	part.length = text.length - part.length - 1;
	rc = read_number(reading, mio_slice_trim(part), &second);
	if (rc < 0)
		return rc;
	if (first > second) {
		struct mio_text shown = {0};

		mio_text_add_char(&shown, '=');
		mio_slice_add(&shown, text);
		rc = fail_with_form(reading, reading->option->id, mio_text_string(&shown),
				    " ends before it begins: write ");
		mio_text_clear(&shown);
		return rc;
	}
	set_numbers(value, first, second);
	return 0;
}

static int read_choice(const struct reading *reading, struct mio_slice text)
{
	const struct mio_option *option = reading->option;
	struct mio_text list = {0};
	const char *nearest;
	int count = 0;
	int rc;

	for (; option->choices[count]; count++)
		if (mio_slice_is(text, option->choices[count]))
			return 0;
	nearest = mio_nearest_find(text, option->choices, count);
	add_choices(option, ", ", &list);
	rc = mio_place_error(reading->error, reading->at, option->id, " cannot be '", string_of(reading, text), "'",
			     MIO_NEAREST_HINT(nearest), " (", option->id, " is one of ", mio_text_string(&list), ")",
			     NULL);
	mio_text_clear(&list);
	return rc;
}

static int read_value(const struct reading *reading, struct mio_slice text, struct mio_option_value *value)
{
	mio_value_set(value, MIO_SETTING_ON, "");
	switch (reading->option->kind) {
	case MIO_OPTION_SIZE:
	case MIO_OPTION_INTEGER:
		return read_number(reading, text, &value->number);
	case MIO_OPTION_RANGE:
		return read_range(reading, text, value);
	case MIO_OPTION_CHOICE:
		return read_choice(reading, text);
	default:
		if (text.length == 0 && !reading->option->empty_allowed)
			return fail_with_form(reading, reading->option->id, "", " needs some text: write ");
		return 0;
	}
}

int mio_value_read(const struct mio_option *option, struct mio_slice text, struct mio_place at, struct mio_store *store,
		   struct mio_text *error, struct mio_option_value *value)
{
	struct reading reading = {option, at, store, error};
	int rc = read_value(&reading, text, value);

	if (rc == 0)
		value->text = string_of(&reading, text);
	return rc;
}

void mio_value_preset(const struct mio_option *option, const char *text, struct mio_option_value *value)
{
	struct reading reading = {.option = option};
	struct mio_slice slice = {text, strlen(text)};

	read_value(&reading, slice, value);
	value->text = text;
}

void mio_value_default(const struct mio_option *option, struct mio_option_value *value)
{
	if (option->preset)
		mio_value_preset(option, option->preset, value);
	else
		mio_value_set(value, option->preset_setting, "");
}

void mio_option_default_echo(const struct mio_option *option, struct mio_text *text)
{
	struct mio_option_value value = {0};

	mio_value_default(option, &value);
	mio_value_echo(option, &value, text);
}

void mio_value_echo(const struct mio_option *option, const struct mio_option_value *value, struct mio_text *text)
{
	if (value->setting != MIO_SETTING_ON) {
		int silent = value->setting == MIO_SETTING_UNSET && option->kind == MIO_OPTION_FLAG;

		mio_text_add(text, silent || !option->off_word ? "" : option->off_word);
		return;
	}
	if (option->kind == MIO_OPTION_FLAG) {
		mio_text_add(text, option->id);
		return;
	}
	if (mio_option_takes_value(option)) {
		mio_text_add(text, option->id);
		mio_text_add_char(text, '=');
	}
	mio_text_add(text, option->braced ? "{" : "");
	mio_text_add(text, value->text);
	mio_text_add(text, option->braced ? "}" : "");
}

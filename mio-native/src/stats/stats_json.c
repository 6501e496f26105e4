#include "stats_json.h"

#include <string.h>

#include "../common/raw.h"
#include "stats_time.h"

/* Bytes of the UTF-8 character that begins here; 0 if none does (RFC 3629: no surrogates, no encoding longer than needed). */
static size_t character(const unsigned char *at)
{
	size_t bytes;
	uint32_t code;

	if (at[0] < 0x80)
		return 1;
	if (at[0] >= 0xc2 && at[0] < 0xe0) {
		bytes = 2;
		code = at[0] & 0x1fU;
	} else if (at[0] >= 0xe0 && at[0] < 0xf0) {
		bytes = 3;
		code = at[0] & 0x0fU;
	} else if (at[0] >= 0xf0 && at[0] < 0xf5) {
		bytes = 4;
		code = at[0] & 0x07U;
	} else {
		return 0;
	}
	for (size_t i = 1; i < bytes; i++) {
		if ((at[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (at[i] & 0x3fU);
	}
	if ((bytes == 3 && code < 0x800) || (bytes == 4 && code < 0x10000) || code > 0x10ffff)
		return 0;
	return code >= 0xd800 && code < 0xe000 ? 0 : bytes;
}

static void quote(struct mio_text *text, const char *value)
{
	mio_text_add_char(text, '"');
	while (*value) {
		unsigned char c = (unsigned char)*value;
		size_t bytes = character((const unsigned char *)value);

		if (c == '"' || c == '\\') {
			mio_text_add_char(text, '\\');
			mio_text_add_char(text, *value);
		} else if (c < ' ' || c == 0x7f) {
			mio_text_add(text, "\\u00");
			mio_text_add_char(text, "0123456789abcdef"[c >> 4]);
			mio_text_add_char(text, "0123456789abcdef"[c & 15]);
		} else if (bytes == 0) {
			mio_text_add(text, "\xef\xbf\xbd");
			bytes = 1;
		} else {
			mio_text_add_bytes(text, value, bytes);
		}
		value += bytes;
	}
	mio_text_add_char(text, '"');
}

static void add_key(struct mio_json *json, const char *key)
{
	if (json->begun)
		mio_text_add_char(json->text, ',');
	json->begun = 1;
	quote(json->text, key);
	mio_text_add_char(json->text, ':');
}

struct mio_json mio_json_begin(struct mio_json *outer, const char *key)
{
	struct mio_json json = {outer->text, 0};

	if (key)
		add_key(outer, key);
	mio_text_add_char(json.text, '{');
	return json;
}

void mio_json_end(struct mio_json *json)
{
	mio_text_add_char(json->text, '}');
}

void mio_json_add_text(struct mio_json *json, const char *key, const char *value)
{
	add_key(json, key);
	if (value)
		quote(json->text, value);
	else
		mio_text_add(json->text, "null");
}

void mio_json_add_number(struct mio_json *json, const char *key, int64_t value)
{
	add_key(json, key);
	mio_text_add_number(json->text, value);
}

void mio_json_add_boolean(struct mio_json *json, const char *key, int value)
{
	add_key(json, key);
	mio_text_add(json->text, value ? "true" : "false");
}

void mio_json_add_numbers(struct mio_json *json, const char *key, const int64_t *values, int count)
{
	add_key(json, key);
	while (count > 0 && values[count - 1] == 0)
		count--;
	mio_text_add_char(json->text, '[');
	for (int i = 0; i < count; i++) {
		if (i > 0)
			mio_text_add_char(json->text, ',');
		mio_text_add_number(json->text, values[i]);
	}
	mio_text_add_char(json->text, ']');
}

struct mio_json mio_json_begin_list(struct mio_json *outer, const char *key)
{
	struct mio_json list = {outer->text, 0};

	add_key(outer, key);
	mio_text_add_char(list.text, '[');
	return list;
}

struct mio_json mio_json_begin_item(struct mio_json *list)
{
	if (list->begun)
		mio_text_add_char(list->text, ',');
	list->begun = 1;
	return mio_json_begin(list, NULL);
}

void mio_json_end_list(struct mio_json *list)
{
	mio_text_add_char(list->text, ']');
}

struct mio_json mio_json_begin_line(struct mio_text *text, const char *type)
{
	struct mio_json none = {text, 0};
	struct mio_json json = mio_json_begin(&none, NULL);

	mio_json_add_text(&json, "type", type);
	mio_json_add_number(&json, "format", 1);
	add_key(&json, "time");
	mio_text_add_char(text, '"');
	mio_stats_add_stamp(text, mio_stats_now());
	mio_text_add_char(text, '"');
	mio_json_add_number(&json, "pid", mio_raw0(SYS_getpid));
	return json;
}

struct mio_json mio_json_begin_block(struct mio_text *text, const char *type, enum mio_stats_event event)
{
	struct mio_json json = mio_json_begin_line(text, type);

	mio_json_add_text(&json, "event", mio_stats_event_label(event));
	return json;
}

void mio_json_end_line(struct mio_json *json)
{
	mio_json_end(json);
	mio_text_add_char(json->text, '\n');
}

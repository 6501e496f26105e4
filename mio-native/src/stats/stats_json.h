#ifndef MIO_STATS_JSON_H
#define MIO_STATS_JSON_H

/* Writes JSON objects, with the keys in the order given. It does not read JSON. Twin of JsonText. */

#include "../common/text.h"
#include "stats.h"

struct mio_json {
	struct mio_text *text;
	int begun;	/* 1: the object has a member */
};

/* Begins an object as member key of outer; with key NULL, an object at the end of the text of outer. */
struct mio_json mio_json_begin(struct mio_json *outer, const char *key);
void mio_json_end(struct mio_json *json);
/* value NULL: adds null. Bytes that are not UTF-8 become U+FFFD. */
void mio_json_add_text(struct mio_json *json, const char *key, const char *value);
void mio_json_add_number(struct mio_json *json, const char *key, int64_t value);
void mio_json_add_boolean(struct mio_json *json, const char *key, int value);
/* Adds a list of numbers without the zeros at its end, of which most histograms have many. */
void mio_json_add_numbers(struct mio_json *json, const char *key, const int64_t *values, int count);
/* A list of objects. */
struct mio_json mio_json_begin_list(struct mio_json *outer, const char *key);
struct mio_json mio_json_begin_item(struct mio_json *list);
void mio_json_end_list(struct mio_json *list);

/* Begin an object on a line of its own, with its first members: type, format, time, pid; block also adds the event. */
struct mio_json mio_json_begin_line(struct mio_text *text, const char *type);
struct mio_json mio_json_begin_block(struct mio_text *text, const char *type, enum mio_stats_event event);
/* Ends the object and the line. */
void mio_json_end_line(struct mio_json *json);

#endif

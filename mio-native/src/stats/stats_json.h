#ifndef MIO_STATS_JSON_H
#define MIO_STATS_JSON_H

/* Writes JSON objects, keys in the order given. For what MIO writes; it reads nothing. Twin of JsonText. */

#include "../common/text.h"
#include "stats.h"

struct mio_json {
	struct mio_text *text;
	int begun;	/* 1: there is a member */
};

/* An object in an object, or with key NULL at the end of text. */
struct mio_json mio_json_begin(struct mio_json *outer, const char *key);
void mio_json_end(struct mio_json *json);
/* value NULL: null. What is no UTF-8 in it becomes U+FFFD. */
void mio_json_add_text(struct mio_json *json, const char *key, const char *value);
void mio_json_add_number(struct mio_json *json, const char *key, int64_t value);
void mio_json_add_boolean(struct mio_json *json, const char *key, int value);
/* Without the zeros at the end, which most histograms have many of. */
void mio_json_add_numbers(struct mio_json *json, const char *key, const int64_t *values, int count);
/* Objects one after another. */
struct mio_json mio_json_begin_list(struct mio_json *outer, const char *key);
struct mio_json mio_json_begin_item(struct mio_json *list);
void mio_json_end_list(struct mio_json *list);

/* The begin of every object that stands for itself: type, format, time, pid; and event where there is one. */
struct mio_json mio_json_begin_line(struct mio_text *text, const char *type);
struct mio_json mio_json_begin_block(struct mio_text *text, const char *type, enum mio_stats_event event);
/* Ends it, and the line. */
void mio_json_end_line(struct mio_json *json);

#endif

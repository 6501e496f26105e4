/* The block of pf/auto, as text and as JSON. Twin of AutoReport. */
#include "stats_auto.h"

#include "stats_json.h"
#include "stats_text.h"

/* Widths of columns. */
#define SECONDS 12
#define WHAT 8

/* Begins a line: tag, number, and what the number counts. */
static void add_line(struct mio_text *text, const struct mio_stats_auto *automatic, int64_t number, const char *what)
{
	mio_stats_add_name(text, automatic->tag);
	mio_text_add(text, "   ");
	mio_text_add_number(text, number);
	mio_text_add(text, what);
}

void mio_stats_auto_classic(const struct mio_stats_auto *automatic, struct mio_text *text)
{
	const struct mio_stats_unit *unit = mio_stats_unit_of(automatic->unit);

	mio_stats_add_name(text, automatic->tag);
	mio_text_add(text, "auto ");
	mio_text_add(text, mio_stats_event_label(automatic->event));
	mio_text_add(text, " for ");
	mio_stats_add_name(text, automatic->file);
	mio_text_add_char(text, '\n');
	add_line(text, automatic, automatic->looks, " requests looked at : now ");
	mio_text_add(text, automatic->state);
	mio_text_add_char(text, '\n');
	add_line(text, automatic, automatic->hints, " hints of ");
	mio_text_add_number(text, mio_stats_unit_whole(unit, automatic->hint_bytes));
	mio_text_add_char(text, ' ');
	mio_text_add(text, unit->label);
	mio_text_add(text, " in all : ");
	mio_text_add_number(text, automatic->cached);
	mio_text_add(text, " times in the kernel's cache already\n");
	for (int i = 0; i < automatic->count; i++) {
		mio_stats_add_name(text, automatic->tag);
		mio_stats_add_seconds(text, automatic->decisions[i].ns, SECONDS);
		mio_text_add(text, "  ");
		mio_text_add_left(text, automatic->decisions[i].what, WHAT);
		mio_text_add(text, "  ");
		mio_stats_add_name(text, automatic->decisions[i].reason);
		mio_text_add_char(text, '\n');
	}
	if (automatic->more > 0)
		add_line(text, automatic, automatic->more, " more decisions\n");
}

void mio_stats_auto_json(const struct mio_stats_auto *automatic, struct mio_text *text)
{
	struct mio_json json = mio_json_begin_block(text, "auto", automatic->event);
	struct mio_json list;

	mio_json_add_text(&json, "file", automatic->file);
	mio_json_add_text(&json, "unit", mio_stats_unit_of(automatic->unit)->label);
	mio_json_add_text(&json, "tag", automatic->tag);
	mio_json_add_number(&json, "opened_ns", automatic->opened_ns);
	mio_json_add_number(&json, "now_ns", automatic->now_ns);
	mio_json_add_text(&json, "state", automatic->state);
	mio_json_add_number(&json, "looks", automatic->looks);
	mio_json_add_number(&json, "hints", automatic->hints);
	mio_json_add_number(&json, "hint_bytes", automatic->hint_bytes);
	mio_json_add_number(&json, "cached", automatic->cached);
	list = mio_json_begin_list(&json, "decisions");
	for (int i = 0; i < automatic->count; i++) {
		struct mio_json one = mio_json_begin_item(&list);

		mio_json_add_number(&one, "ns", automatic->decisions[i].ns);
		mio_json_add_text(&one, "what", automatic->decisions[i].what);
		mio_json_add_text(&one, "reason", automatic->decisions[i].reason);
		mio_json_end(&one);
	}
	mio_json_end_list(&list);
	mio_json_add_number(&json, "more_decisions", automatic->more);
	mio_json_end_line(&json);
}

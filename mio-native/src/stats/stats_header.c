#include "stats_header.h"

#include "stats_json.h"
#include "stats_text.h"

static void add_value(struct mio_text *text, const char *name, const char *value)
{
	mio_text_add_left(text, name, 16);
	mio_text_add_char(text, '=');
	/* Rules may have several lines: add_name keeps them on one. */
	mio_stats_add_name(text, value);
	mio_text_add_char(text, '\n');
}

void mio_stats_header_classic(const struct mio_stats_header *header, struct mio_text *text)
{
	mio_text_add(text, "MIO statistics file : ");
	mio_stats_add_ctime(text, &header->date);
	mio_text_add(text, "\nhostname=");
	mio_text_add(text, header->host);
	mio_text_add(text, "  : with ");
	mio_text_add(text, header->engine);
	mio_text_add(text, "\nProgram=");
	mio_stats_add_name(text, header->program);
	mio_text_add(text, "\nMIO library ");
	mio_text_add(text, header->library);
	mio_text_add(text, "\nMIO_INSTALL_PATH=\n");
	add_value(text, "MIO_STATS", header->stats);
	add_value(text, "MIO_DEBUG", header->debug);
	add_value(text, "MIO_FILES", header->files);
	add_value(text, "MIO_DEFAULTS", header->defaults);
	mio_text_add_char(text, '\n');
	for (const char *const *keyword = header->keywords; *keyword; keyword++) {
		mio_text_add(text, "MIO_DEBUG ");
		mio_text_add(text, *keyword);
		mio_text_add(text, " =T\n");
	}
}

void mio_stats_header_json(const struct mio_stats_header *header, struct mio_text *text)
{
	struct mio_json json = mio_json_begin_line(text, "header");

	mio_json_add_text(&json, "host", header->host);
	mio_json_add_text(&json, "program", header->program);
	mio_json_add_text(&json, "library", header->library);
	mio_json_add_text(&json, "engine", header->engine);
	mio_json_add_text(&json, "MIO_STATS", header->stats);
	mio_json_add_text(&json, "MIO_DEBUG", header->debug);
	mio_json_add_text(&json, "MIO_FILES", header->files);
	mio_json_add_text(&json, "MIO_DEFAULTS", header->defaults);
	mio_json_end_line(&json);
}

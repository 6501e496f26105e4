#ifndef MIO_STATS_OUTPUT_H
#define MIO_STATS_OUTPUT_H

/* The inside of the output: what the report of a file (stats_report.c) and the messages of recov write by. */

#include "stats.h"

struct mio_stats_file;

/* What the header says of the configuration. Strings live as long as the output. */
struct mio_stats_settings {
	const char *stats, *debug, *files, *defaults;	/* texts of MIO_STATS and so on */
	const char *const *keywords;			/* of MIO_DEBUG that have a line, up to NULL */
	int timestamps;					/* a time line before each entry */
	const char *(*engine)(void);
	const char *tz;					/* value of TZ, or NULL */
	const char *tree;				/* value of MIO_STATS_OWNER, or NULL */
	const char *hint;				/* value of MIO_HINT, or NULL */
	const char *events_hint;			/* value of MIO_HINT_EVENTS, or NULL */
};

struct mio_stats_output *mio_stats_output_make_from(const struct mio_stats_settings *settings);

/* The file of a target, or NULL: what goes there is dropped. Valid until a fork. */
struct mio_stats_file *mio_stats_output_file(struct mio_stats_output *output, const char *target);
/* 0 if what goes to this target is dropped. */
int mio_stats_output_has(const struct mio_stats_output *output, const char *target);
/* What comes before each entry of a classic file; always_clock: the time with and without TIMESTAMP. */
void mio_stats_output_add_preamble(struct mio_stats_output *output, int always_clock, struct mio_text *text);
/* See mio_stats_file_write. */
void mio_stats_output_write(struct mio_stats_output *output, struct mio_stats_file *file, int opening, int later,
			    const struct mio_text *entry);

#endif

#ifndef MIO_STATS_OUTPUT_H
#define MIO_STATS_OUTPUT_H

/* The inside of the output, with which the report of a file (stats_report.c) and the messages of recov are written. */

#include "stats.h"

struct mio_stats_file;

/* What the output has to know of the configuration and the environment. The strings live as long as the output. */
struct mio_stats_settings {
	const char *stats, *debug, *files, *defaults;	/* texts of MIO_STATS, MIO_DEBUG, MIO_FILES and MIO_DEFAULTS */
	const char *const *keywords;			/* keywords of MIO_DEBUG that have a line; ends with NULL */
	int timestamps;					/* 1: a line with the time before each entry */
	const char *(*engine)(void);			/* see mio_stats_output_make */
	const char *tz;					/* value of TZ, or NULL */
	const char *tree;				/* value of MIO_STATS_OWNER, or NULL */
	const char *hint;				/* value of MIO_HINT, or NULL */
	const char *events_hint;			/* value of MIO_HINT_EVENTS, or NULL */
};

struct mio_stats_output *mio_stats_output_make_from(const struct mio_stats_settings *settings);

/* The file of a target, valid until a fork. NULL: reports for this target are dropped. */
struct mio_stats_file *mio_stats_output_file(struct mio_stats_output *output, const char *target);
/* 0 if reports for this target are dropped. */
int mio_stats_output_has(const struct mio_stats_output *output, const char *target);
/* Adds what comes before each entry of a classic file. always_clock: add the time even without MIO_DEBUG=TIMESTAMP. */
void mio_stats_output_add_preamble(struct mio_stats_output *output, int always_clock, struct mio_text *text);
/* See mio_stats_file_write. */
void mio_stats_output_write(struct mio_stats_output *output, struct mio_stats_file *file, int opening, int later,
			    const struct mio_text *entry);

#endif

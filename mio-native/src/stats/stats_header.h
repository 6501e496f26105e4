#ifndef MIO_STATS_HEADER_H
#define MIO_STATS_HEADER_H

/* The first lines of a stats file (reference 4.1). Twin of StatsHeader. */

#include "stats_time.h"

struct mio_stats_header {
	struct mio_stats_date date;	/* when the file was begun */
	const char *host;
	const char *engine;		/* how page requests are done: io_uring, threads or sync */
	const char *program;
	const char *library;		/* name, version, addressing and build date */
	const char *stats, *debug, *files, *defaults; /* the texts of MIO_STATS, MIO_DEBUG, MIO_FILES and MIO_DEFAULTS */
	const char *const *keywords;	/* debug keywords that are on and have a line; ends with NULL */
};

/* Adds the lines of the header, debug keywords included, each with its line end. */
void mio_stats_header_classic(const struct mio_stats_header *header, struct mio_text *text);
/* Adds the header as an object on one line. */
void mio_stats_header_json(const struct mio_stats_header *header, struct mio_text *text);

#endif

#ifndef MIO_STATS_HEADER_H
#define MIO_STATS_HEADER_H

/* The first lines of a stats file (reference 4.1). Twin of StatsHeader. */

#include "stats_time.h"

struct mio_stats_header {
	struct mio_stats_date date;	/* when the file was begun */
	const char *host;
	const char *engine;		/* how page requests are done */
	const char *program;
	const char *library;		/* name, version, addressing and build date */
	const char *stats, *debug, *files, *defaults; /* the texts of MIO_STATS and so on */
	const char *const *keywords;	/* debug keywords that are on and have a line, up to NULL */
};

/* Lines ended, up to the debug keywords. */
void mio_stats_header_classic(const struct mio_stats_header *header, struct mio_text *text);
/* The object on a line. */
void mio_stats_header_json(const struct mio_stats_header *header, struct mio_text *text);

#endif

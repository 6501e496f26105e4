#ifndef MIO_STATS_TEXT_H
#define MIO_STATS_TEXT_H

/* Columns, decimals and units of the classic report. Twin of ReportText, LineText and ByteUnit. */

#include "../common/text.h"

/* Units of amounts of data: the label as typed in options and printed, and its power of two (reference 3.2). */
#define MIO_STATS_UNITS(X) \
	X("bytes", 0) \
	X("kbytes", 10) \
	X("mbytes", 20) \
	X("gbytes", 30) \
	X("tbytes", 40)

struct mio_stats_unit {
	const char *label;
	int shift;
};

/* The unit of this label; bytes if there is none. */
const struct mio_stats_unit *mio_stats_unit_of(const char *label);
/* The number of whole units in bytes, truncated. */
int64_t mio_stats_unit_whole(const struct mio_stats_unit *unit, int64_t bytes);
/* Units per second; 0 if no time passed. */
double mio_stats_unit_rate(const struct mio_stats_unit *unit, int64_t bytes, int64_t ns);

/* Add a number, right-justified or left-justified in that many columns. Wider values push the rest of the line to the right. */
void mio_stats_add_right(struct mio_text *text, int64_t number, size_t columns);
void mio_stats_add_left(struct mio_text *text, int64_t number, size_t columns);
/* Adds seconds with two decimals, rounded half up from whole nanoseconds. */
void mio_stats_add_seconds(struct mio_text *text, int64_t ns, size_t columns);
/* Adds a rate with two decimals, rounded half up from the product of the rate and 100 in double arithmetic. */
void mio_stats_add_rate(struct mio_text *text, double rate, size_t columns);
/* Adds a number with at least two digits. */
void mio_stats_add_two(struct mio_text *text, int number);

/*
 * Adds a name on one line. A control character becomes a backslash and three octal digits, as in ls -b and /proc/mounts,
 * so that no name can end a line of a report and begin one of its own.
 */
void mio_stats_add_name(struct mio_text *text, const char *name);

#endif

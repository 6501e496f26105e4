#ifndef MIO_STATS_TIME_H
#define MIO_STATS_TIME_H

/*
 * The time of day, and the zone of the process. Not by localtime: it takes memory and a lock of the program's C library,
 * which a forked child may find held for ever. Knows what TZ and /etc/localtime may say; leap seconds of right/ zones are not
 * taken out.
 */

#include <stdint.h>

#include "../common/text.h"

/* A moment: milliseconds since 1970, UTC. */
int64_t mio_stats_now(void);

/* 2005-04-19T15:07:35.120Z; without the fraction where it is 0, as Java's Instant. */
void mio_stats_add_stamp(struct mio_text *text, int64_t ms);

/* A time of day as clocks and calendars there show it. */
struct mio_stats_date {
	int64_t year;
	int month, day;		/* from 1 */
	int hour, minute, second;
	int weekday;		/* 0 Sunday */
};

/* Where a zone stands all the time it is known for; the rule beyond it. Ready when all zero: UTC. */
struct mio_stats_zone {
	unsigned char *file;	/* a TZif file, or NULL */
	size_t file_bytes;
	char *rule;		/* as TZ may say, "" for none; NULL is none */
	size_t rule_bytes;
};

/* tz: value of TZ, or NULL. Not understood: UTC. */
void mio_stats_zone_read(struct mio_stats_zone *zone, const char *tz);
void mio_stats_zone_free(struct mio_stats_zone *zone);
/* Seconds to add to UTC at that moment (seconds since 1970). */
int64_t mio_stats_zone_offset(const struct mio_stats_zone *zone, int64_t seconds);
struct mio_stats_date mio_stats_zone_date(const struct mio_stats_zone *zone, int64_t seconds);

/* As C's ctime prints it: Thu May 26 17:32:22 2005. */
void mio_stats_add_ctime(struct mio_text *text, const struct mio_stats_date *date);
/* 17:32:22 */
void mio_stats_add_clock(struct mio_text *text, const struct mio_stats_date *date);
/* 2005-04-19T15:07:35Z as Apr 19 2005 15:07:35; anything else as it is. */
void mio_stats_add_built(struct mio_text *text, const char *instant);

/* Days from 1970-01-01 to this day of the Gregorian calendar. month: from 1. */
int64_t mio_stats_days(int64_t year, int month, int day);

/*
 * Seconds to add to UTC by a rule as POSIX has it (CET-1CEST,M3.5.0,M10.5.0/3). 1, or 0 if the rule is none.
 */
int mio_stats_rule_offset(const char *rule, int64_t seconds, int64_t *offset);

#endif

#ifndef MIO_STATS_TIME_H
#define MIO_STATS_TIME_H

/*
 * The time of day, and the time zone of the process. It does not use localtime, which takes memory and a lock of the program's C
 * library; a forked child may find that lock held for ever. It understands everything that TZ and /etc/localtime may say, but does
 * not correct for the leap seconds of right/ zones.
 */

#include <stdint.h>

#include "../common/text.h"

/* The present moment: milliseconds since 1970, UTC. */
int64_t mio_stats_now(void);

/* Adds a moment as 2005-04-19T15:07:35.120Z: as Java's Instant, but always with milliseconds. */
void mio_stats_add_stamp(struct mio_text *text, int64_t ms);

/* A moment as clocks and calendars of a time zone show it. */
struct mio_stats_date {
	int64_t year;
	int month, day;		/* both from 1 */
	int hour, minute, second;
	int weekday;		/* 0 is Sunday */
};

/* A time zone: a file for the time that it covers, and a rule for the time after it. All zero: UTC. */
struct mio_stats_zone {
	unsigned char *file;	/* a TZif file, or NULL */
	size_t file_bytes;
	char *rule;		/* a rule as in TZ; "" or NULL: none */
	size_t rule_bytes;
};

/* Reads the zone. tz: value of TZ, or NULL. If tz is not understood, the zone is UTC. */
void mio_stats_zone_read(struct mio_stats_zone *zone, const char *tz);
void mio_stats_zone_free(struct mio_stats_zone *zone);
/* Seconds to add to UTC at that moment (seconds since 1970). */
int64_t mio_stats_zone_offset(const struct mio_stats_zone *zone, int64_t seconds);
struct mio_stats_date mio_stats_zone_date(const struct mio_stats_zone *zone, int64_t seconds);

/* Adds a date as C's ctime prints it: Thu May 26 17:32:22 2005. */
void mio_stats_add_ctime(struct mio_text *text, const struct mio_stats_date *date);
/* Adds the time of day: 17:32:22. */
void mio_stats_add_clock(struct mio_text *text, const struct mio_stats_date *date);
/* Adds 2005-04-19T15:07:35Z as Apr 19 2005 15:07:35, and any other text as it is. */
void mio_stats_add_built(struct mio_text *text, const char *instant);

/* Days from 1970-01-01 to this day of the Gregorian calendar. month: from 1. */
int64_t mio_stats_days(int64_t year, int month, int day);

/*
 * The seconds to add to UTC by a rule as in POSIX (CET-1CEST,M3.5.0,M10.5.0/3). Returns 1, or 0 if rule is no such rule.
 */
int mio_stats_rule_offset(const char *rule, int64_t seconds, int64_t *offset);

#endif

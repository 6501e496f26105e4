/*
 * A rule for a time zone, as POSIX has it in TZ, and as files of zones have it for the time after their last change:
 * std offset [dst [offset] [,start[/time],end[/time]]]. Offsets in a rule count westward.
 */
#include "stats_time.h"

#define HOUR 3600
#define DAY 86400

static int is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static int is_letter(char c)
{
	return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/* Skips the name of a zone: three letters or more, or anything in angle brackets. 0 if there is none. */
static int skip_name(const char **at)
{
	const char *begin = *at;

	if (**at == '<') {
		while (**at && **at != '>')
			(*at)++;
		return *(*at)++ == '>';
	}
	while (is_letter(**at))
		(*at)++;
	return *at - begin >= 3;
}

static int number(const char **at, int64_t most, int64_t *value)
{
	if (!is_digit(**at))
		return 0;
	for (*value = 0; is_digit(**at) && *value <= most; (*at)++)
		*value = *value * 10 + (**at - '0');
	return *value <= most;
}

/* Reads [+-]hh[:mm[:ss]] as seconds. */
static int clock_time(const char **at, int64_t *seconds)
{
	int64_t sign = **at == '-' ? -1 : 1;
	int64_t part;

	if (**at == '-' || **at == '+')
		(*at)++;
	if (!number(at, 167, &part))
		return 0;
	*seconds = part * HOUR;
	for (int64_t unit = 60; unit > 0 && **at == ':'; unit /= 60) {
		(*at)++;
		if (!number(at, 59, &part))
			return 0;
		*seconds += part * unit;
	}
	*seconds *= sign;
	return 1;
}

static int is_leap(int64_t year)
{
	return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

/* The given day of the week in that week (5: the last one) of a month, as days since 1970. */
static int64_t day_of_week(int64_t year, int month, int64_t week, int64_t weekday)
{
	int64_t first = mio_stats_days(year, month, 1);
	int64_t next = month == 12 ? mio_stats_days(year + 1, 1, 1) : mio_stats_days(year, month + 1, 1);
	int64_t day = first + ((weekday - (first + 4)) % 7 + 7) % 7 + (week - 1) * 7;

	return day < next ? day : day - 7;
}

/* Reads ,Mm.w.d or ,Jn or ,n, with an optional /time: *local is that moment in seconds since 1970 by local clocks. */
static int change(const char **at, int64_t year, int64_t *local)
{
	int64_t january = mio_stats_days(year, 1, 1);
	int64_t time = 2 * HOUR;
	int64_t month;
	int64_t week;
	int64_t day;

	if (*(*at)++ != ',')
		return 0;
	if (**at == 'M') {
		(*at)++;
		if (!number(at, 12, &month) || month < 1 || *(*at)++ != '.' || !number(at, 5, &week) || week < 1 ||
		    *(*at)++ != '.' || !number(at, 6, &day))
			return 0;
		day = day_of_week(year, (int)month, week, day);
	} else if (**at == 'J') {
		(*at)++;
		if (!number(at, 365, &day) || day < 1)
			return 0;
		/* Jn does not count the leap day. */
		day = january + day - 1 + (day >= 60 && is_leap(year));
	} else {
		if (!number(at, 365, &day))
			return 0;
		day += january;
	}
	if (**at == '/') {
		(*at)++;
		if (!clock_time(at, &time))
			return 0;
	}
	*local = day * DAY + time;
	return 1;
}

static int64_t year_of(int64_t seconds)
{
	static const struct mio_stats_zone utc;

	return mio_stats_zone_date(&utc, seconds).year;
}

int mio_stats_rule_offset(const char *rule, int64_t seconds, int64_t *offset)
{
	const char *at = rule;
	int64_t standard;
	int64_t summer;
	int64_t start;
	int64_t end;
	int64_t year;

	if (!skip_name(&at) || !clock_time(&at, &standard))
		return 0;
	*offset = -standard;
	if (!*at)
		return 1;
	summer = standard - HOUR;
	if (!skip_name(&at) || (*at && *at != ',' && !clock_time(&at, &summer)))
		return 0;
	if (!*at)
		at = ",M3.2.0,M11.1.0";
	year = year_of(seconds - standard);
	if (!change(&at, year, &start) || !change(&at, year, &end) || *at)
		return 0;
	start += standard;
	end += summer;
	if (start < end ? seconds >= start && seconds < end : seconds >= start || seconds < end)
		*offset = -summer;
	return 1;
}

#include "stats_time.h"

#include <string.h>

#include "../common/clock.h"
#include "stats_text.h"

#define DAY 86400

static const char days[][4] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
static const char months[][4] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

int64_t mio_stats_now(void)
{
	struct timespec now;

	mio_clock_read(CLOCK_REALTIME, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static int64_t floor_div(int64_t a, int64_t b)
{
	return a / b - (a % b < 0);
}

/* Years begin in March here, so that a leap day is the last day of its year. */
int64_t mio_stats_days(int64_t year, int month, int day)
{
	int64_t from_march = month > 2 ? month - 3 : month + 9;
	int64_t y = month > 2 ? year : year - 1;
	int64_t era = floor_div(y, 400);
	int64_t of_era = y - era * 400;
	int64_t of_year = (153 * from_march + 2) / 5 + day - 1;

	return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

static struct mio_stats_date date_of(int64_t local)
{
	int64_t day = floor_div(local, DAY);
	int64_t second = local - day * DAY;
	int64_t shifted = day + 719468;
	int64_t era = floor_div(shifted, 146097);
	int64_t of_era = shifted - era * 146097;
	int64_t years = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
	int64_t of_year = of_era - (365 * years + years / 4 - years / 100);
	int64_t month = (5 * of_year + 2) / 153;
	struct mio_stats_date date;

	date.day = (int)(of_year - (153 * month + 2) / 5 + 1);
	date.month = (int)(month < 10 ? month + 3 : month - 9);
	date.year = years + era * 400 + (date.month <= 2);
	date.hour = (int)(second / 3600);
	date.minute = (int)(second / 60 % 60);
	date.second = (int)(second % 60);
	date.weekday = (int)(floor_div(day + 4, 7) * -7 + day + 4);
	return date;
}

struct mio_stats_date mio_stats_zone_date(const struct mio_stats_zone *zone, int64_t seconds)
{
	return date_of(seconds + mio_stats_zone_offset(zone, seconds));
}

void mio_stats_add_clock(struct mio_text *text, const struct mio_stats_date *date)
{
	mio_stats_add_two(text, date->hour);
	mio_text_add_char(text, ':');
	mio_stats_add_two(text, date->minute);
	mio_text_add_char(text, ':');
	mio_stats_add_two(text, date->second);
}

void mio_stats_add_ctime(struct mio_text *text, const struct mio_stats_date *date)
{
	mio_text_add(text, days[date->weekday]);
	mio_text_add_char(text, ' ');
	mio_text_add(text, months[date->month - 1]);
	mio_text_add_char(text, ' ');
	mio_stats_add_right(text, date->day, 2);
	mio_text_add_char(text, ' ');
	mio_stats_add_clock(text, date);
	mio_text_add_char(text, ' ');
	mio_text_add_number(text, date->year);
}

void mio_stats_add_stamp(struct mio_text *text, int64_t ms)
{
	int64_t seconds = floor_div(ms, 1000);
	struct mio_stats_date date = date_of(seconds);
	int fraction = (int)(ms - seconds * 1000);

	mio_text_add_number(text, date.year);
	mio_text_add_char(text, '-');
	mio_stats_add_two(text, date.month);
	mio_text_add_char(text, '-');
	mio_stats_add_two(text, date.day);
	mio_text_add_char(text, 'T');
	mio_stats_add_clock(text, &date);
	mio_text_add(text, fraction < 100 ? ".0" : ".");
	mio_stats_add_two(text, fraction);
	mio_text_add_char(text, 'Z');
}

void mio_stats_add_built(struct mio_text *text, const char *instant)
{
	static const char form[] = "dddd-dd-ddTdd:dd:ddZ";
	int month;

	for (size_t i = 0; i < sizeof(form); i++) {
		int is_digit = instant[i] >= '0' && instant[i] <= '9';

		if (form[i] == 'd' ? !is_digit : instant[i] != form[i]) {
			mio_text_add(text, instant);
			return;
		}
	}
	month = (instant[5] - '0') * 10 + instant[6] - '0';
	mio_text_add(text, months[month >= 1 && month <= 12 ? month - 1 : 0]);
	mio_text_add_char(text, ' ');
	mio_text_add_number(text, (instant[8] - '0') * 10 + instant[9] - '0');
	mio_text_add_char(text, ' ');
	mio_text_add_bytes(text, instant, 4);
	mio_text_add_char(text, ' ');
	mio_text_add_bytes(text, instant + 11, 8);
}

/* Compares times of day with those of the C library. */
#include "../src/stats/stats_time.h"
#include "stats_twin.h"

#include <time.h>
#include <unistd.h>

static uint64_t seed = 42;

static uint64_t next_random(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

static void check(const char *tz, int64_t seconds, const struct mio_stats_zone *zone)
{
	time_t time = (time_t)seconds;
	struct mio_stats_date date = mio_stats_zone_date(zone, seconds);
	struct mio_text text = {0};
	char expected[32];
	struct tm there;

	ASSERT(localtime_r(&time, &there));
	ASSERT(asctime_r(&there, expected));
	*strchr(expected, '\n') = 0;
	mio_stats_add_ctime(&text, &date);
	if (strcmp(expected, text.bytes) != 0) {
		fprintf(stderr, "%s at %ld: expected %s, was %s\n", tz, (long)seconds, expected, text.bytes);
		exit(1);
	}
	mio_text_clear(&text);
}

static void should_agree_with_the_c_library(void)
{
	static const char *const zones[] = {"UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe",
					    "Asia/Kathmandu", "Africa/Casablanca", "Pacific/Apia", "America/Sao_Paulo",
					    "Antarctica/Troll", ":Asia/Tokyo", "CET-1CEST,M3.5.0,M10.5.0/3",
					    "EST5EDT", "EST5EDT,M3.2.0,M11.1.0", "<-03>3<-02>,M3.5.0/-2,M10.5.0/-1", "NZST-12NZDT,M9.5.0,M4.1.0/3",
					    "XXX-2:30:15", "IST-2IDT,M3.4.4/26,M10.5.0", "AAA3BBB,J60/0,J300/24:30",
					    "AAA-3BBB2,59/1,300", "", "nonsense", "/nowhere/at/all"};
	const char *before = getenv("TZ");
	char *saved = before ? strdup(before) : NULL;

	for (size_t i = 0; i < sizeof(zones) / sizeof(zones[0]); i++) {
		struct mio_stats_zone zone;

		/*
		 * Without a file of this name the zone has no rule of its own. MIO then uses today's rule, the C library the one
		 * that New York had at the time.
		 */
		if (strcmp(zones[i], "EST5EDT") == 0 && access("/usr/share/zoneinfo/EST5EDT", R_OK) != 0)
			continue;
		ASSERT_EQUAL(0, setenv("TZ", zones[i], 1));
		tzset();
		mio_stats_zone_read(&zone, zones[i]);
		for (int n = 0; n < 20000; n++)
			check(zones[i], (int64_t)(next_random() % (75ULL * 366 * 86400)), &zone);
		/* Every hour of a year with its changes, and the second before it. */
		for (int64_t hour = 0; hour < 366 * 24; hour++) {
			check(zones[i], 1735689600 + hour * 3600 - 1, &zone);
			check(zones[i], 1735689600 + hour * 3600, &zone);
		}
		mio_stats_zone_free(&zone);
	}
	if (saved)
		setenv("TZ", saved, 1);
	else
		unsetenv("TZ");
	free(saved);
	tzset();
}

static void should_know_the_zone_of_the_machine(void)
{
	struct mio_stats_zone zone;
	const char *before = getenv("TZ");

	if (before)
		SKIP("TZ is set");
	mio_stats_zone_read(&zone, NULL);
	for (int n = 0; n < 1000; n++)
		check("the machine's", (int64_t)(next_random() % (75ULL * 366 * 86400)), &zone);
	mio_stats_zone_free(&zone);
}

static void should_take_a_broken_file_for_none(void)
{
	const char *dir = getenv("MIO_TEST_DIR");
	struct mio_stats_zone zone;
	char good[8192];
	char path[8192];
	char root[4096];
	size_t bytes;
	FILE *file = fopen("/usr/share/zoneinfo/Europe/Berlin", "r");

	if (!file)
		SKIP("no zones on this machine");
	bytes = fread(good, 1, sizeof(good), file);
	fclose(file);
	ASSERT(realpath(dir ? dir : ".", root));
	snprintf(path, sizeof(path), "%s/stats_time_test.%d", root, (int)getpid());
	for (int n = 0; n < 3000; n++) {
		char bad[sizeof(good)];
		size_t length = n % 3 ? bytes : next_random() % bytes;

		memcpy(bad, good, sizeof(good));
		for (int i = 0; i < 4; i++)
			bad[next_random() % (n % 2 ? 64 : bytes)] = (char)next_random();
		file = fopen(path, "w");
		ASSERT(file);
		ASSERT_EQUAL(length, fwrite(bad, 1, length, file));
		fclose(file);
		mio_stats_zone_read(&zone, path);
		mio_stats_zone_date(&zone, (int64_t)(next_random() % (75ULL * 366 * 86400)));
		mio_stats_zone_free(&zone);
	}
	unlink(path);
	mio_stats_zone_read(&zone, path);
	ASSERT_EQUAL(0, mio_stats_zone_offset(&zone, 1000000000));
}

static void check_stamp(int64_t ms, const char *expected)
{
	struct mio_text text = {0};

	mio_stats_add_stamp(&text, ms);
	ASSERT_TEXT(expected, text.bytes);
	mio_text_clear(&text);
}

static void should_stamp_as_java_does(void)
{
	check_stamp(0, "1970-01-01T00:00:00.000Z");
	check_stamp(951827696789, "2000-02-29T12:34:56.789Z");
	check_stamp(951827696780, "2000-02-29T12:34:56.780Z");
	check_stamp(951827696009, "2000-02-29T12:34:56.009Z");
	check_stamp(951827696000, "2000-02-29T12:34:56.000Z");
	check_stamp(-1, "1969-12-31T23:59:59.999Z");
}

static void check_built(const char *instant, const char *expected)
{
	struct mio_text text = {0};

	mio_stats_add_built(&text, instant);
	ASSERT_TEXT(expected, mio_text_string(&text));
	mio_text_clear(&text);
}

static void should_tell_the_date_of_the_build_as_the_original_did(void)
{
	check_built("2005-04-19T15:07:35Z", "Apr 19 2005 15:07:35");
	check_built("2026-11-02T00:00:00Z", "Nov 2 2026 00:00:00");
	check_built("unknown", "unknown");
	check_built("2005-04-19T15:07:35", "2005-04-19T15:07:35");
	check_built("", "");
}

int main(void)
{
	RUN(should_agree_with_the_c_library);
	RUN(should_know_the_zone_of_the_machine);
	RUN(should_take_a_broken_file_for_none);
	RUN(should_stamp_as_java_does);
	RUN(should_tell_the_date_of_the_build_as_the_original_did);
	return TEST_RESULT();
}

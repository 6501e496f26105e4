#ifndef MIO_TEST_STATS_PLACE_H
#define MIO_TEST_STATS_PLACE_H

/* A directory of the test's own below MIO_TEST_DIR, removed at the end, and an output that writes to it. */

#include "../src/stats/stats_output.h"
#include "stats_twin.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

static char place[4096];

static inline void place_make(void)
{
	const char *dir = getenv("MIO_TEST_DIR");
	char root[2048];

	ASSERT(realpath(dir ? dir : ".", root));
	ASSERT(snprintf(place, sizeof(place), "%s/test.XXXXXX", root) < (int)sizeof(place));
	ASSERT(mkdtemp(place));
}

static inline void place_empty(const char *directory)
{
	DIR *all = opendir(directory);
	struct dirent *one;

	ASSERT(all);
	while ((one = readdir(all)) != NULL) {
		char path[8192];

		if (strcmp(one->d_name, ".") == 0 || strcmp(one->d_name, "..") == 0)
			continue;
		ASSERT(snprintf(path, sizeof(path), "%s/%s", directory, one->d_name) < (int)sizeof(path));
		if (unlink(path) < 0) {
			place_empty(path);
			ASSERT_EQUAL(0, rmdir(path));
		}
	}
	closedir(all);
}

static inline void place_remove(void)
{
	place_empty(place);
	ASSERT_EQUAL(0, rmdir(place));
}

static inline int place_count(void)
{
	DIR *all = opendir(place);
	int count = -2;

	ASSERT(all);
	while (readdir(all))
		count++;
	closedir(all);
	return count;
}

/* The full name of a file in the test's directory. */
static inline char *in_place(const char *name)
{
	char path[8192];

	ASSERT(snprintf(path, sizeof(path), "%s/%s", place, name) < (int)sizeof(path));
	return kept(path, strlen(path));
}

static inline char *text_in_place(const char *name)
{
	return file_text(in_place(name));
}

static inline int is_in_place(const char *name)
{
	return access(in_place(name), F_OK) == 0;
}

static inline void write_in_place(const char *name, const char *text)
{
	FILE *file = fopen(in_place(name), "w");

	ASSERT(file && fputs(text, file) >= 0);
	ASSERT_EQUAL(0, fclose(file));
}

static inline int count_of(const char *part, const char *whole)
{
	int count = 0;

	for (const char *at = strstr(whole, part); at; at = strstr(at + 1, part))
		count++;
	return count;
}

static inline const char *sync_engine(void)
{
	return "sync";
}

static inline struct mio_stats_output *output_of(const char *stats, int timestamps, const char *tree)
{
	static const char *const none[] = {NULL};
	struct mio_stats_settings settings = {
		.stats = stats,
		.debug = "",
		.files = "* [ trace ]",
		.defaults = "",
		.keywords = none,
		.timestamps = timestamps,
		.engine = sync_engine,
		.tz = "UTC",
		.tree = tree,
	};
	struct mio_stats_output *output = mio_stats_output_make_from(&settings);

	ASSERT(output);
	return output;
}

/* A source that says "Trace EVENT : NAME". The context is NAME; it must outlive the source. */
static inline void say_name(void *context, enum mio_stats_event event, int json, struct mio_text *text)
{
	mio_text_add(text, json ? "{\"event\":\"" : "Trace ");
	mio_text_add(text, mio_stats_event_label(event));
	mio_text_add(text, json ? "\",\"file\":\"" : " : ");
	mio_text_add(text, context);
	mio_text_add(text, json ? "\"}\n" : "\n");
}

static inline struct mio_stats_source source_of(const char *name)
{
	struct mio_stats_source source = {.block = say_name, .context = (void *)(uintptr_t)name};

	return source;
}

/* Reports a file that is opened and closed. */
static inline void report_to(struct mio_stats_output *output, const char *target, const char *name)
{
	struct mio_file_report *report = mio_file_report_make(output);

	mio_file_report_add(report, target, 0, source_of(name));
	mio_file_report_open(report);
	mio_file_report_close(report);
}

#endif

#include "stats_hint.h"

#include <limits.h>
#include <string.h>

#include "stats_text.h"

int mio_stats_hint_process(const char *value)
{
	int64_t process = 0;

	if (!value || !*value)
		return 0;
	for (; *value; value++) {
		if (*value < '0' || *value > '9')
			return 0;
		process = process * 10 + (*value - '0');
		if (process > INT_MAX)
			return 0;
	}
	return (int)process;
}

static int is_plain(const char *path)
{
	for (; *path; path++) {
		unsigned char c = (unsigned char)*path;

		if ((c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && c < 0x80 && !strchr("/._+@%=,-", c))
			return 0;
	}
	return 1;
}

static void add_quoted(struct mio_text *text, const char *name)
{
	mio_text_add_char(text, '\'');
	for (; *name; name++) {
		if (*name == '\'')
			mio_text_add(text, "'\\''");
		else
			mio_text_add_char(text, *name);
	}
	mio_text_add_char(text, '\'');
}

void mio_stats_hint_add(struct mio_text *text, const char *path)
{
	struct mio_text shown = {0};

	mio_stats_add_name(&shown, path);
	mio_text_add(text, "report in ");
	mio_text_add(text, mio_text_string(&shown));
	mio_text_add(text, "; look at it with: mio stats ");
	if (is_plain(path))
		mio_text_add(text, path);
	else
		add_quoted(text, mio_text_string(&shown));
	mio_text_clear(&shown);
}

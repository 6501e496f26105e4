/*
 * The matcher remembers the last * and the last **, and lengthens the text that they stand for, first that of *, then that
 * of **, until the rest fits. Earlier stars need not be tried again: the shortest text for them leaves most to the rest.
 */
#include "config_pattern.h"

#include <string.h>

#include "config_utf8.h"

void mio_pattern_init(struct mio_pattern *pattern, const char *template)
{
	pattern->template = template;
	pattern->length = strlen(template);
	pattern->leaf_only = !strchr(template, '/');
}

void mio_pattern_name_init(struct mio_pattern_name *measured, const char *name)
{
	size_t length = strlen(name);
	const char *slash = memrchr(name, '/', length);

	measured->name = name;
	measured->leaf = slash ? slash + 1 : name;
	measured->end = name + length;
}

static size_t width(const char *at, const char *end)
{
	return mio_utf8_width(at, (size_t)(end - at));
}

/* Bytes at n of the name that the template's byte at t matches; 0 if it does not match. */
static size_t fits(const char *t, const char *n, const char *end)
{
	if (n == end)
		return 0;
	if (*t == '?')
		return *n == '/' ? 0 : width(n, end);
	return *t == *n;
}

static const char *past_stars(const char *t, const char *t_end)
{
	while (t < t_end && *t == '*')
		t++;
	return t;
}

int mio_pattern_matches(const struct mio_pattern *pattern, const struct mio_pattern_name *name)
{
	const char *t = pattern->template;
	const char *t_end = t + pattern->length;
	const char *n = pattern->leaf_only ? name->leaf : name->name;
	const char *end = name->end;
	const char *star = NULL, *star_name = NULL;
	const char *deep = NULL, *deep_name = NULL;

	for (;;) {
		size_t taken;

		if (t < t_end && *t == '*') {
			const char *past = past_stars(t, t_end);

			/* Stars that end the template match all that is left: no need to go there character by character. */
			if (past == t_end && (past - t > 1 || !memchr(n, '/', (size_t)(end - n))))
				return 1;
			if (past - t > 1) {
				deep = past;
				deep_name = n;
				star = NULL;
			} else {
				star = past;
				star_name = n;
			}
			t = past;
			continue;
		}
		if (t == t_end && n == end)
			return 1;
		taken = t < t_end ? fits(t, n, end) : 0;
		if (taken > 0) {
			t++;
			n += taken;
		} else if (star && star_name < end && *star_name != '/') {
			star_name += width(star_name, end);
			n = star_name;
			t = star;
		} else if (deep && deep_name < end) {
			deep_name += width(deep_name, end);
			n = deep_name;
			t = deep;
			star = NULL;
		} else {
			return 0;
		}
	}
}

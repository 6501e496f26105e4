#include "config_debug.h"

#include <errno.h>

#include "config_nearest.h"

static int upper(char c)
{
	return c >= 'a' && c <= 'z' ? c - ('a' - 'A') : c;
}

/* The keyword, or -1. */
static int find(struct mio_slice word)
{
	for (int keyword = 0; keyword < MIO_DEBUG_KEYWORDS; keyword++) {
		const char *name = mio_debug_keyword_name((enum mio_debug_keyword)keyword);
		size_t i = 0;

		while (i < word.length && name[i] && upper(word.bytes[i]) == name[i])
			i++;
		if (i == word.length && !name[i])
			return keyword;
	}
	return -1;
}

static unsigned int bit(int keyword)
{
	return 1u << keyword;
}

/* The bit of a keyword; for ALL those of the keywords it stands for. */
static unsigned int bits_of(int keyword)
{
	return keyword == MIO_DEBUG_ALL ? (bit(MIO_DEBUG_KEYWORDS) - 1) & ~bit(MIO_DEBUG_ABORT) : bit(keyword);
}

static int fail_unknown(struct mio_slice word, struct mio_place place, struct mio_store *store, struct mio_text *error)
{
	const char *names[MIO_DEBUG_KEYWORDS];
	const char *typed = mio_store_string(store, word.bytes, word.length);
	struct mio_text list = {0};
	const char *nearest;
	int rc;

	for (int i = 0; i < MIO_DEBUG_KEYWORDS; i++) {
		names[i] = mio_debug_keyword_name((enum mio_debug_keyword)i);
		mio_text_add(&list, i > 0 ? " " : "");
		mio_text_add(&list, names[i]);
	}
	nearest = mio_nearest_find(word, names, MIO_DEBUG_KEYWORDS);
	rc = mio_place_error(error, place, "there is no debug keyword '", typed ? typed : "", "'",
			     MIO_NEAREST_HINT(nearest), " (keywords: ", mio_text_string(&list), ")", NULL);
	mio_text_clear(&list);
	return rc;
}

int mio_debug_parse(const struct mio_config_source *source, struct mio_store *store, unsigned int *on,
		    struct mio_text *error)
{
	struct mio_config_text in;

	*on = 0;
	mio_config_text_begin(&in, source, error);
	mio_config_text_skip_blanks(&in);
	while (!mio_config_text_at_end(&in)) {
		struct mio_place start = mio_config_text_place(&in, in.position);
		struct mio_slice word = mio_config_text_word(&in, "");
		int keyword = find(word);

		if (keyword < 0)
			return fail_unknown(word, start, store, error);
		*on |= bits_of(keyword);
		mio_config_text_skip_blanks(&in);
	}
	return 0;
}

int mio_debug_has_abort(const char *text)
{
	struct mio_config_source source = {"", text};
	struct mio_config_text in;

	mio_config_text_begin(&in, &source, NULL);
	mio_config_text_skip_blanks(&in);
	while (!mio_config_text_at_end(&in)) {
		if (find(mio_config_text_word(&in, "")) == MIO_DEBUG_ABORT)
			return 1;
		mio_config_text_skip_blanks(&in);
	}
	return 0;
}

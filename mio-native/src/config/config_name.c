#include "config_name.h"

#include <errno.h>
#include <string.h>

#include "config_nearest.h"

/* Most words of a layer: three for each option, and more for one choice. */
#define WORDS_MAX (3 * MIO_LAYER_OPTIONS_MAX + 2 * MIO_OPTION_CHOICES_MAX)
/* Most names of layers, aliases included. */
#define LAYER_NAMES_MAX 16

/* The number of words of a layer that begin with the typed text, of the original or of ours; and the first such word. */
struct fitting {
	int count;
	struct mio_option_name first;
};

static int is_off(const struct mio_option *option, const char *word)
{
	if (strcmp(word, option->id) == 0)
		return 0;
	for (int i = 0; option->choices[i]; i++)
		if (strcmp(word, option->choices[i]) == 0)
			return 0;
	return 1;
}

static int begins_with(const char *word, struct mio_slice typed)
{
	return strnlen(word, typed.length) == typed.length && memcmp(word, typed.bytes, typed.length) == 0;
}

/* 1 if typed is a word in full; name is then that word. Else fitting gets the words that typed abbreviates. */
static int find_exact(enum mio_layer_kind kind, struct mio_slice typed, struct fitting fitting[2],
		      struct mio_option_name *name)
{
	for (int i = 0; i < mio_layer_option_count(kind); i++) {
		const struct mio_option *option = mio_layer_option(kind, i);
		struct fitting *mine = &fitting[option->extension];
		const char *word;

		for (int w = 0; (word = mio_option_word(option, w)); w++) {
			struct mio_option_name found = {i, word, is_off(option, word)};

			if (mio_slice_is(typed, word)) {
				*name = found;
				return 1;
			}
			if (begins_with(word, typed) && mine->count++ == 0)
				mine->first = found;
		}
	}
	return 0;
}

static const char *string_of(struct mio_store *store, struct mio_slice slice)
{
	const char *string = mio_store_string(store, slice.bytes, slice.length);

	return string ? string : "";
}

static void add_word(struct mio_text *list, const char *between, const char *word)
{
	mio_text_add(list, list->length > 0 ? between : "");
	mio_text_add(list, word);
}

static int fail_unknown(enum mio_layer_kind kind, struct mio_slice typed, struct mio_place place,
			struct mio_store *store, struct mio_text *error)
{
	const char *words[WORDS_MAX];
	struct mio_text list = {0};
	const char *nearest, *word;
	int count = 0;
	int rc;

	for (int i = 0; i < mio_layer_option_count(kind); i++)
		for (int w = 0; (word = mio_option_word(mio_layer_option(kind, i), w)) && count < WORDS_MAX; w++) {
			words[count++] = word;
			add_word(&list, " ", word);
		}
	nearest = mio_nearest_find(typed, words, count);
	rc = mio_place_error(error, place, mio_layer_kind_id(kind), " has no option '", string_of(store, typed), "'",
			     MIO_NEAREST_HINT(nearest), nearest ? "" : "; it has ",
			     nearest ? "" : mio_text_string(&list), " (docs/Configuration.md explains all options)",
			     NULL);
	mio_text_clear(&list);
	return rc;
}

static int fail_ambiguous(enum mio_layer_kind kind, struct mio_slice typed, unsigned int extension,
			  struct mio_place place, struct mio_store *store, struct mio_text *error)
{
	struct mio_text list = {0};
	const char *word;
	int rc;

	for (int i = 0; i < mio_layer_option_count(kind); i++) {
		const struct mio_option *option = mio_layer_option(kind, i);

		for (int w = 0; option->extension == extension && (word = mio_option_word(option, w)); w++)
			if (begins_with(word, typed))
				add_word(&list, ", ", word);
	}
	rc = mio_place_error(error, place, "'", string_of(store, typed), "' is short for several options of ",
			     mio_layer_kind_id(kind), ": ", mio_text_string(&list), "; write one of them", NULL);
	mio_text_clear(&list);
	return rc;
}

int mio_option_name_find(enum mio_layer_kind kind, struct mio_slice typed, struct mio_place place,
			 struct mio_store *store, struct mio_text *error, struct mio_option_name *name)
{
	struct fitting fitting[2] = {0};
	unsigned int extension;

	if (find_exact(kind, typed, fitting, name))
		return 0;
	extension = fitting[0].count == 0;
	if (fitting[extension].count == 0)
		return fail_unknown(kind, typed, place, store, error);
	if (fitting[extension].count > 1)
		return fail_ambiguous(kind, typed, extension, place, store, error);
	*name = fitting[extension].first;
	return 0;
}

int mio_layer_kind_find(struct mio_slice name)
{
	enum mio_layer_kind kind;
	const char *known;

	for (int i = 0; (known = mio_layer_name(i, &kind)); i++)
		if (mio_slice_is(name, known))
			return (int)kind;
	return -1;
}

int mio_layer_kind_error(struct mio_slice typed, const char *short_form, struct mio_place place,
			 struct mio_store *store, struct mio_text *error)
{
	const char *names[LAYER_NAMES_MAX];
	struct mio_text list = {0};
	const char *nearest, *known;
	enum mio_layer_kind kind;
	int count = 0;
	int rc;

	for (; (known = mio_layer_name(count, &kind)) && count < LAYER_NAMES_MAX - 1; count++) {
		names[count] = known;
		add_word(&list, ", ", known);
	}
	if (short_form) {
		names[count++] = short_form;
		add_word(&list, ", ", short_form);
	}
	nearest = mio_nearest_find(typed, names, count);
	if (typed.length == 0)
		rc = mio_place_error(error, place, "the name of a layer is missing (layers: ", mio_text_string(&list),
				     ")", NULL);
	else
		rc = mio_place_error(error, place, "there is no layer '", string_of(store, typed), "'",
				     MIO_NEAREST_HINT(nearest), " (layers: ", mio_text_string(&list), ")", NULL);
	mio_text_clear(&list);
	return rc;
}

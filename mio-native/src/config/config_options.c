/* The tables of the options, made from the lists in config_options.h, and what follows from a row. */
#include "config_options.h"

#define ROW(name, ...) {__VA_ARGS__},
static const struct mio_option mio_options[] = {MIO_MIO_OPTION_LIST(ROW)};
static const struct mio_option trace_options[] = {MIO_TRACE_OPTION_LIST(ROW)};
static const struct mio_option pf_options[] = {MIO_PF_OPTION_LIST(ROW)};
static const struct mio_option recov_options[] = {MIO_RECOV_OPTION_LIST(ROW)};
static const struct mio_option os_options[] = {MIO_OS_OPTION_LIST(ROW)};

static const struct {
	const struct mio_option *options;
	int count;
} tables[MIO_LAYER_KINDS] = {
	[MIO_LAYER_MIO] = {mio_options, MIO_MIO_OPTIONS},
	[MIO_LAYER_TRACE] = {trace_options, MIO_TRACE_OPTIONS},
	[MIO_LAYER_PF] = {pf_options, MIO_PF_OPTIONS},
	[MIO_LAYER_RECOV] = {recov_options, MIO_RECOV_OPTIONS},
	[MIO_LAYER_OS] = {os_options, MIO_OS_OPTIONS},
};

_Static_assert((int)MIO_MIO_OPTIONS <= MIO_LAYER_OPTIONS_MAX && (int)MIO_TRACE_OPTIONS <= MIO_LAYER_OPTIONS_MAX &&
		       (int)MIO_RECOV_OPTIONS <= MIO_LAYER_OPTIONS_MAX && (int)MIO_OS_OPTIONS <= MIO_LAYER_OPTIONS_MAX,
	       "pf has the most options");

#define NAMED_LAYER(name, id) {id, MIO_LAYER_##name},
#define NAMED_ALIAS(alias, name) {alias, MIO_LAYER_##name},
static const struct {
	const char *name;
	enum mio_layer_kind kind;
} layer_names[] = {MIO_LAYER_LIST(NAMED_LAYER) MIO_LAYER_ALIAS_LIST(NAMED_ALIAS)};

#define SECOND(name, word) word,
static const char *const kind_words[] = {MIO_OPTION_KIND_LIST(SECOND)};

#define NAME(name) #name,
static const char *const keyword_names[] = {MIO_DEBUG_LIST(NAME)};

const char *mio_layer_kind_id(enum mio_layer_kind kind)
{
	return layer_names[kind].name;
}

int mio_layer_option_count(enum mio_layer_kind kind)
{
	return tables[kind].count;
}

const struct mio_option *mio_layer_option(enum mio_layer_kind kind, int option)
{
	return &tables[kind].options[option];
}

const char *mio_layer_name(int index, enum mio_layer_kind *kind)
{
	if ((size_t)index >= sizeof(layer_names) / sizeof(layer_names[0]))
		return NULL;
	*kind = layer_names[index].kind;
	return layer_names[index].name;
}

const char *mio_option_kind_word(enum mio_option_kind kind)
{
	return kind_words[kind];
}

const char *mio_debug_keyword_name(enum mio_debug_keyword keyword)
{
	return keyword_names[keyword];
}

const char *mio_option_word(const struct mio_option *option, int index)
{
	const char *off[] = {option->off_word, option->off_alias};
	int count = 1;

	if (option->kind == MIO_OPTION_CHOICE && !option->keyed) {
		for (count = 0; option->choices[count]; count++)
			if (count == index)
				return option->choices[count];
	} else if (index == 0) {
		return option->id;
	}
	for (int i = 0; i < 2; i++)
		if (off[i] && count++ == index)
			return off[i];
	return NULL;
}

int mio_option_needs_value(const struct mio_option *option)
{
	return mio_option_takes_value(option) && !option->bare;
}

int mio_option_takes_value(const struct mio_option *option)
{
	return option->kind != MIO_OPTION_FLAG && (option->kind != MIO_OPTION_CHOICE || option->keyed);
}

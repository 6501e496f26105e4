#include "config_module.h"

#include <errno.h>
#include <stdbool.h>

#include "config_name.h"
#include "config_value.h"

struct mio_layer_node {
	struct mio_layer_spec spec;
	struct mio_layer_node *next;
};

int mio_parser_fail(struct mio_parser *parser, struct mio_place place, const char *problem)
{
	return mio_place_error(parser->error, place, problem, NULL);
}

int mio_parser_fail_here(struct mio_parser *parser, const char *problem)
{
	return mio_parser_fail(parser, mio_parser_place(parser), problem);
}

static const struct mio_place *keep_place(struct mio_parser *parser, size_t at)
{
	struct mio_place *place = mio_store_take(parser->store, sizeof(*place));

	if (place)
		*place = mio_config_text_place(&parser->in, at);
	return place;
}

/* Writes the message that no value follows the equals sign, or a file name that begins with '/', which ends a value. */
static int fail_without_value(struct mio_parser *parser, struct mio_place place, const struct mio_option *option)
{
	bool slash = option->kind == MIO_OPTION_STRING && mio_config_text_peek(&parser->in) == '/';
	struct mio_text form = {0};
	int rc;

	mio_value_add_form(option, &form);
	if (slash) {
		mio_text_add(&form, "; with a '/' in it, in braces: ");
		mio_text_add(&form, option->id);
		mio_text_add(&form, "={/...}");
	}
	rc = mio_place_error(parser->error, place, "the value of ", option->id, " is missing: write ",
			     mio_text_string(&form), NULL);
	mio_text_clear(&form);
	return rc;
}

/* Writes a message about an option; the message ends with the form in which the option is typed. */
static int fail_with_form(struct mio_parser *parser, struct mio_place place, const char *before, const char *word,
			  const char *problem, const struct mio_option *option)
{
	struct mio_text form = {0};
	int rc;

	mio_value_add_form(option, &form);
	rc = mio_place_error(parser->error, place, before, word, problem, mio_text_string(&form), NULL);
	mio_text_clear(&form);
	return rc;
}

/* Reads what follows the equals sign. */
static int parse_value(struct mio_parser *parser, const struct mio_option *option, struct mio_option_value *value)
{
	struct mio_config_text *in = &parser->in;
	struct mio_slice word;
	struct mio_place start;

	mio_config_text_skip_blanks(in);
	start = mio_parser_place(parser);
	if (mio_config_text_peek(in) == '{') {
		int rc = mio_config_text_braced(in, &word);

		if (rc < 0)
			return rc;
		mio_text_add_char(&parser->text, '{');
		mio_slice_add(&parser->text, word);
		mio_text_add_char(&parser->text, '}');
		start.at++;
		if (option->kind != MIO_OPTION_STRING)
			word = mio_slice_trim(word);
	} else {
		word = mio_config_text_word(in, parser->value_stops);
		if (word.length == 0)
			return fail_without_value(parser, start, option);
		mio_slice_add(&parser->text, word);
	}
	return mio_value_read(option, word, start, parser->store, parser->error, value);
}

static int parse_option(struct mio_parser *parser, struct mio_layer_spec *layer)
{
	struct mio_config_text *in = &parser->in;
	const struct mio_option *option;
	struct mio_option_name name;
	struct mio_option_value value = {0};
	struct mio_place start, equals;
	struct mio_slice typed;
	int rc;

	mio_config_text_skip_blanks(in);
	start = mio_parser_place(parser);
	typed = mio_config_text_word(in, parser->stops);
	if (typed.length == 0)
		return mio_place_error(parser->error, start, "an option of ", mio_layer_kind_id(layer->kind),
				       " is missing behind '/'", NULL);
	rc = mio_option_name_find(layer->kind, typed, start, parser->store, parser->error, &name);
	if (rc < 0)
		return rc;
	option = mio_layer_option(layer->kind, name.option);
	mio_slice_add(&parser->text, typed);
	mio_config_text_skip_blanks(in);
	equals = mio_parser_place(parser);
	if (mio_config_text_take(in, '=')) {
		if (name.off || !mio_option_takes_value(option))
			return mio_place_error(parser->error, equals, name.word,
					       " takes no value; drop the '=' and the value", NULL);
		mio_text_add_char(&parser->text, '=');
		rc = parse_value(parser, option, &value);
		if (rc < 0)
			return rc;
	} else if (name.off) {
		mio_value_set(&value, MIO_SETTING_OFF, "");
	} else if (mio_option_needs_value(option)) {
		return fail_with_form(parser, start, "", name.word, " needs a value: write ", option);
	} else if (option->bare) {
		mio_value_preset(option, option->bare, &value);
	} else {
		mio_value_set(&value, MIO_SETTING_ON, option->kind == MIO_OPTION_FLAG ? "" : name.word);
	}
	value.typed = 1;
	value.place = keep_place(parser, start.at);
	layer->values[name.option] = value;
	return 0;
}

/* Reads the options of a layer whose name has been read. */
static int parse_options(struct mio_parser *parser, struct mio_layer_spec *layer)
{
	struct mio_config_text *in = &parser->in;
	int rc;

	mio_config_text_skip_blanks(in);
	while (mio_config_text_take(in, '/')) {
		mio_text_add_char(&parser->text, '/');
		rc = parse_option(parser, layer);
		if (rc < 0)
			return rc;
		mio_config_text_skip_blanks(in);
	}
	return 0;
}

/* Sets layer to the defaults of its kind, with the name as typed. */
static void begin_layer(struct mio_parser *parser, struct mio_layer_spec *layer, enum mio_layer_kind kind,
			const char *typed_name, size_t start)
{
	*layer = parser->defaults->rows[kind];
	layer->typed_name = typed_name;
	layer->place = keep_place(parser, start);
}

int mio_parser_layer(struct mio_parser *parser, const char *short_form, struct mio_layer_spec *layer)
{
	struct mio_config_text *in = &parser->in;
	struct mio_slice name;
	size_t start;
	int kind;

	mio_config_text_skip_blanks(in);
	start = in->position;
	name = mio_config_text_word(in, parser->stops);
	kind = mio_layer_kind_find(name);
	if (kind < 0)
		return mio_layer_kind_error(name, short_form, mio_config_text_place(in, start), parser->store,
					    parser->error);
	mio_slice_add(&parser->text, name);
	begin_layer(parser, layer, (enum mio_layer_kind)kind, mio_store_string(parser->store, name.bytes, name.length),
		    start);
	return parse_options(parser, layer);
}

#define AUTO "auto"

/* Reads `auto`, which is short for `trace | pf/auto`. 1: it was there, and is read with all its options; 0: it was not there; or -errno. */
static int parse_auto(struct mio_parser *parser, struct mio_layer_spec *trace, struct mio_layer_spec *pf)
{
	struct mio_config_text *in = &parser->in;
	struct mio_option_value on = {0};
	struct mio_slice name;
	size_t start;
	int rc;

	mio_config_text_skip_blanks(in);
	start = in->position;
	name = mio_config_text_word(in, parser->stops);
	if (!mio_slice_is(name, AUTO)) {
		in->position = start;
		return 0;
	}
	mio_text_add(&parser->text, "trace|pf/auto");
	begin_layer(parser, trace, MIO_LAYER_TRACE, mio_layer_kind_id(MIO_LAYER_TRACE), start);
	begin_layer(parser, pf, MIO_LAYER_PF, mio_layer_kind_id(MIO_LAYER_PF), start);
	mio_value_set(&on, MIO_SETTING_ON, "");
	on.typed = 1;
	on.place = keep_place(parser, start);
	pf->values[MIO_PF_OPTION_AUTO] = on;
	rc = parse_options(parser, pf);
	return rc < 0 ? rc : 1;
}

/* The node at the end of the list that is being read; makes one if needed. NULL without memory. */
static struct mio_layer_node *node_at(struct mio_parser *parser, struct mio_layer_node **end)
{
	if (!*end)
		*end = mio_store_take(parser->store, sizeof(**end));
	return *end;
}

int mio_parser_layers(struct mio_parser *parser)
{
	struct mio_layer_node **end = &parser->nodes;
	struct mio_layer_node *node, *below;
	int rc;

	parser->count = 0;
	do {
		node = node_at(parser, end);
		below = node ? node_at(parser, &node->next) : NULL;
		if (!below)
			return -ENOMEM;
		if (parser->count > 0)
			mio_text_add_char(&parser->text, '|');
		rc = parse_auto(parser, &node->spec, &below->spec);
		parser->count += rc > 0 ? 2 : 1;
		end = rc > 0 ? &below->next : &node->next;
		if (rc == 0)
			rc = mio_parser_layer(parser, AUTO, &node->spec);
		if (rc < 0)
			return rc;
	} while (mio_config_text_take(&parser->in, '|'));
	return 0;
}

static int check_layer(struct mio_parser *parser, const struct mio_stack_spec *stack, int index)
{
	const struct mio_layer_spec *layer = &stack->layers[index];
	const struct mio_option_value *cache = &layer->values[MIO_PF_OPTION_CACHE_SIZE];
	const struct mio_option_value *page = &layer->values[MIO_PF_OPTION_PAGE_SIZE];

	if (layer->kind == MIO_LAYER_MIO && index > 0)
		return mio_parser_fail(parser, *layer->place, "mio can only be the first layer; move it to the front");
	if (layer->kind == MIO_LAYER_OS && index < stack->count - 1)
		return mio_place_error(parser->error, *layer->place, layer->typed_name,
				       " can only be the last layer; move it to the end", NULL);
	/* All pf layers of a file would share its pages, so the upper one would wait for itself. */
	for (int above = 0; layer->kind == MIO_LAYER_PF && above < index; above++)
		if (stack->layers[above].kind == MIO_LAYER_PF)
			return mio_parser_fail(parser, *layer->place,
					       "pf can be there only once in a rule; take one of them out");
	if (layer->kind == MIO_LAYER_PF && cache->number < page->number)
		return mio_place_error(parser->error, *layer->place, "cache_size=", cache->text,
				       " does not hold one page of page_size=", page->text,
				       "; give a larger cache_size or a smaller page_size", NULL);
	return 0;
}

int mio_parser_stack(struct mio_parser *parser, size_t open, struct mio_stack_spec *stack)
{
	const struct mio_place *implied = keep_place(parser, open);
	struct mio_layer_node *node = parser->nodes;
	int typed = parser->count;
	int at = 0;

	stack->text = mio_store_string(parser->store, mio_text_string(&parser->text), parser->text.length);
	stack->layers = mio_store_take(parser->store, sizeof(*stack->layers) * ((size_t)typed + 2));
	if (parser->store->failed)
		return -ENOMEM;
	if (node->spec.kind != MIO_LAYER_MIO) {
		stack->layers[at] = parser->defaults->rows[MIO_LAYER_MIO];
		stack->layers[at++].place = implied;
	}
	for (; typed > 0; typed--, node = node->next)
		stack->layers[at++] = node->spec;
	if (stack->layers[at - 1].kind != MIO_LAYER_OS) {
		stack->layers[at] = parser->defaults->rows[MIO_LAYER_OS];
		stack->layers[at++].place = implied;
	}
	stack->count = at;
	for (int i = 0; i < stack->count; i++) {
		int rc = check_layer(parser, stack, i);

		if (rc < 0)
			return rc;
	}
	return 0;
}

#include "config_parser.h"

#include <errno.h>
#include <string.h>

#include "../common/memory.h"
#include "config_module.h"
#include "config_value.h"

/* The characters that end a word and those that end a value. An equals sign ends only a word. */
static const char rule_stops[] = "/|]=";
static const char rule_value_stops[] = "/|]";
static const char defaults_stops[] = "/,=";
static const char defaults_value_stops[] = "/,";

void mio_layer_defaults_init(struct mio_layer_defaults *defaults)
{
	memset(defaults, 0, sizeof(*defaults));
	for (int kind = 0; kind < MIO_LAYER_KINDS; kind++) {
		struct mio_layer_spec *row = &defaults->rows[kind];

		row->kind = (enum mio_layer_kind)kind;
		row->typed_name = mio_layer_kind_id(row->kind);
		for (int i = 0; i < mio_layer_option_count(row->kind); i++)
			mio_value_default(mio_layer_option(row->kind, i), &row->values[i]);
	}
}

static void begin(struct mio_parser *parser, const struct mio_config_source *source,
		  const struct mio_layer_defaults *defaults, struct mio_store *store, struct mio_text *error)
{
	memset(parser, 0, sizeof(*parser));
	mio_config_text_begin(&parser->in, source, error);
	parser->defaults = defaults;
	parser->store = store;
	parser->error = error;
	parser->stops = rule_stops;
	parser->value_stops = rule_value_stops;
}

static int end(struct mio_parser *parser, int rc)
{
	int failed = parser->store->failed || parser->text.failed;

	mio_text_clear(&parser->text);
	return failed ? -ENOMEM : rc;
}

static int parse_name(struct mio_parser *parser, const char **template)
{
	struct mio_config_text *in = &parser->in;
	struct mio_place start = mio_parser_place(parser);
	struct mio_slice name;
	int rc;

	if (mio_config_text_peek(in) == '{') {
		rc = mio_config_text_braced(in, &name);
		if (rc < 0)
			return rc;
		if (name.length == 0)
			return mio_parser_fail(parser, start, "the name is empty; '*' means every name");
		mio_text_add_char(&parser->text, '{');
		mio_slice_add(&parser->text, name);
		mio_text_add_char(&parser->text, '}');
	} else {
		name = mio_config_text_word(in, ":[]");
		if (mio_config_text_peek(in) == ']')
			return mio_parser_fail_here(parser, "']' has no '['; put a name with brackets in braces");
		if (name.length == 0)
			return mio_parser_fail(parser, start,
					       parser->text.length == 0 ?
						       "the name list is empty; '*' means every name" :
						       "the name is empty; drop a ':' or write a name");
		mio_slice_add(&parser->text, name);
	}
	*template = mio_store_string(parser->store, name.bytes, name.length);
	return *template ? 0 : -ENOMEM;
}

static int parse_names(struct mio_parser *parser, struct mio_file_rule *rule, struct mio_file_rules *rules,
		       struct mio_rule_name ***end)
{
	struct mio_rule_name *name;
	const char *template = NULL;
	int rc;

	for (;;) {
		mio_config_text_skip_blanks(&parser->in);
		rc = parse_name(parser, &template);
		if (rc < 0)
			return rc;
		name = mio_store_take(parser->store, sizeof(*name));
		if (!name)
			return -ENOMEM;
		mio_pattern_init(&name->pattern, template);
		name->rule = rule;
		**end = name;
		*end = &name->next;
		rules->name_count++;
		mio_config_text_skip_blanks(&parser->in);
		if (!mio_config_text_take(&parser->in, ':'))
			break;
		mio_text_add_char(&parser->text, ':');
	}
	rule->names = mio_store_string(parser->store, mio_text_string(&parser->text), parser->text.length);
	mio_text_cut(&parser->text, 0);
	return 0;
}

static int parse_rule(struct mio_parser *parser, struct mio_file_rule *rule, struct mio_file_rules *rules,
		      struct mio_rule_name ***end)
{
	struct mio_config_text *in = &parser->in;
	struct mio_place open;
	int rc = parse_names(parser, rule, rules, end);

	if (rc < 0)
		return rc;
	open = mio_parser_place(parser);
	if (!mio_config_text_take(in, '['))
		return mio_parser_fail(parser, open,
				       mio_config_text_at_end(in) ?
					       "the layers are missing; write NAME [ LAYER | LAYER ]" :
					       "expected ':' and a name, or '['; put a name with blanks in braces");
	mio_config_text_skip_blanks(in);
	if (mio_config_text_peek(in) == ']')
		return mio_parser_fail_here(parser, "the module list is empty; write [ os ] for no layers at all");
	if (!mio_config_text_at_end(in)) {
		rc = mio_parser_layers(parser);
		if (rc < 0)
			return rc;
	}
	if (!mio_config_text_take(in, ']'))
		return mio_config_text_at_end(in) ?
			       mio_parser_fail(parser, open, "'[' has no ']'; add one") :
			       mio_parser_fail_here(parser,
						    "expected '/' and an option, '|' and a layer, or ']'");
	rc = mio_parser_stack(parser, open.at, &rule->stack);
	mio_text_cut(&parser->text, 0);
	return rc;
}

int mio_config_parse_files(const struct mio_config_source *source, const struct mio_layer_defaults *defaults,
			   struct mio_store *store, struct mio_file_rules *rules, struct mio_text *error)
{
	struct mio_file_rule **end_of_rules = &rules->first;
	struct mio_rule_name **end_of_names = &rules->names;
	struct mio_parser parser;
	int rc = 0;

	begin(&parser, source, defaults, store, error);
	mio_config_text_skip_blanks(&parser.in);
	while (rc == 0 && !mio_config_text_at_end(&parser.in)) {
		struct mio_file_rule *rule = mio_store_take(store, sizeof(*rule));

		if (!rule)
			break;
		*end_of_rules = rule;
		end_of_rules = &rule->next;
		rc = parse_rule(&parser, rule, rules, &end_of_names);
		mio_config_text_skip_blanks(&parser.in);
	}
	return end(&parser, rc);
}

int mio_config_parse_modules(const struct mio_config_source *source, const struct mio_layer_defaults *defaults,
			     struct mio_store *store, struct mio_stack_spec *stack, struct mio_text *error)
{
	struct mio_parser parser;
	int rc;

	begin(&parser, source, defaults, store, error);
	rc = mio_parser_layers(&parser);
	if (rc == 0 && !mio_config_text_at_end(&parser.in))
		rc = mio_parser_fail_here(&parser, "expected '/' and an option, '|' and a layer, or the end");
	if (rc == 0)
		rc = mio_parser_stack(&parser, 0, stack);
	return end(&parser, rc);
}

/* layer: memory for one layer. */
static int parse_rows(struct mio_parser *parser, struct mio_layer_defaults *defaults, struct mio_layer_spec *layer)
{
	int rc;

	do {
		rc = mio_parser_layer(parser, NULL, layer);
		if (rc < 0)
			return rc;
		layer->typed_name = mio_layer_kind_id(layer->kind);
		layer->place = NULL;
		defaults->rows[layer->kind] = *layer;
	} while (mio_config_text_take(&parser->in, ','));
	if (!mio_config_text_at_end(&parser->in))
		rc = mio_parser_fail_here(parser, "expected '/' and an option, or ',' and a layer");
	return rc;
}

int mio_config_parse_defaults(const struct mio_config_source *source, struct mio_layer_defaults *defaults,
			      struct mio_store *store, struct mio_text *error)
{
	struct mio_layer_spec *layer;
	struct mio_parser parser;
	int rc;

	begin(&parser, source, defaults, store, error);
	parser.stops = defaults_stops;
	parser.value_stops = defaults_value_stops;
	mio_config_text_skip_blanks(&parser.in);
	if (mio_config_text_at_end(&parser.in))
		return 0;
	layer = mio_memory_take(sizeof(*layer));
	rc = layer ? parse_rows(&parser, defaults, layer) : -ENOMEM;
	mio_memory_give(layer, sizeof(*layer));
	return end(&parser, rc);
}

#include "stack_debug.h"

#include <string.h>

#include "../config/config_utf8.h"
#include "../layer/layer_flags.h"
#include "../stats/stats_text.h"

#define OPTION_COLUMNS 18
#define KIND_COLUMNS 10

int mio_stack_debug_is_matching(const struct mio_config *config)
{
	return mio_config_debug_is_on(config, MIO_DEBUG_ENV);
}

int mio_stack_debug_is_opening(const struct mio_config *config)
{
	return mio_config_debug_is_on(config, MIO_DEBUG_OPEN) || mio_config_debug_is_on(config, MIO_DEBUG_MODULES) ||
	       mio_config_debug_is_on(config, MIO_DEBUG_DEF);
}

int mio_stack_debug_is_naming(const struct mio_config *config)
{
	return mio_config_debug_is_on(config, MIO_DEBUG_OPEN);
}

void mio_stack_debug_add_serving(struct mio_text *text, const char *layer, const char *name, const char *line)
{
	mio_text_add(text, layer);
	mio_text_add(text, " open : ");
	mio_stats_add_name(text, name);
	mio_text_add(text, " : ");
	mio_stats_add_name(text, line);
	mio_text_add_char(text, '\n');
}

void mio_stack_debug_add_os_open(struct mio_text *text, const char *layer, const struct mio_open_request *request, int oflags)
{
	int shown = mio_flags_shown(oflags);

	mio_text_add(text, layer);
	mio_text_add(text, " open : ");
	mio_stats_add_name(text, request->name);
	mio_text_add(text, " : oflags =0x");
	mio_text_add_hex(text, (unsigned int)shown);
	mio_text_add_char(text, '=');
	mio_flags_names(shown, text);
	mio_text_add(text, " size=");
	mio_text_add_number(text, request->size_bytes);
	mio_text_add_char(text, '\n');
}

void mio_stack_debug_add_os_close(struct mio_text *text, const char *layer, const char *name)
{
	mio_text_add(text, layer);
	mio_text_add(text, " close : ");
	mio_stats_add_name(text, name);
	mio_text_add_char(text, '\n');
}

void mio_stack_debug_add_matching(struct mio_text *text, const char *name, const struct mio_stack_spec *spec,
				  const char *pattern)
{
	mio_text_add(text, "Matching ");
	mio_stats_add_name(text, name);
	if (!spec) {
		mio_text_add(text, " : no rule\n");
		return;
	}
	mio_text_add(text, " : ");
	mio_text_add(text, pattern);
	mio_text_add(text, " [");
	mio_text_add(text, spec->text);
	mio_text_add(text, "]\n");
}

static void add_modules(struct mio_text *text, const struct mio_stack_spec *spec)
{
	mio_text_add(text, "   modules[");
	mio_text_add_unsigned(text, mio_utf8_units(spec->text, strlen(spec->text)));
	mio_text_add(text, "]=");
	mio_text_add(text, spec->text);
	mio_text_add_char(text, '\n');
	for (int i = 0; i < spec->count; i++) {
		if (spec->layers[i].kind == MIO_LAYER_MIO)
			continue;
		mio_text_add(text, "   ");
		mio_layer_spec_echo(&spec->layers[i], text);
		mio_text_add_char(text, '\n');
	}
}

void mio_stack_debug_add_opening(struct mio_text *text, const struct mio_config *config, const char *name,
				 const struct mio_stack_spec *spec)
{
	if (mio_config_debug_is_on(config, MIO_DEBUG_OPEN)) {
		mio_text_add(text, "Opening file ");
		mio_stats_add_name(text, name);
		mio_text_add_char(text, '\n');
	}
	if (mio_config_debug_is_on(config, MIO_DEBUG_MODULES))
		add_modules(text, spec);
	if (mio_config_debug_is_on(config, MIO_DEBUG_DEF))
		mio_stack_debug_add_definitions(text);
}

void mio_stack_debug_add_definitions(struct mio_text *text)
{
	for (int kind = 0; kind < MIO_LAYER_KINDS; kind++) {
		enum mio_layer_kind layer = (enum mio_layer_kind)kind;

		mio_text_add(text, "   definitions of ");
		mio_text_add(text, mio_layer_kind_id(layer));
		mio_text_add_char(text, '\n');
		for (int i = 0; i < mio_layer_option_count(layer); i++) {
			const struct mio_option *option = mio_layer_option(layer, i);

			mio_text_add(text, "      ");
			mio_text_add_left(text, option->id, OPTION_COLUMNS);
			mio_text_add_char(text, ' ');
			mio_text_add_left(text, mio_option_kind_word(option->kind), KIND_COLUMNS);
			mio_text_add_char(text, ' ');
			mio_option_default_echo(option, text);
			mio_text_add_char(text, '\n');
		}
	}
}

/* What the stacks of a process share. See stack_process.h. */
#include "stack_process.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "../common/clock.h"
#include "../common/memory.h"
#include "../common/raw.h"
#include "../layer/layer_file_system.h"
#include "../live/live.h"
#include "../os/os_backend.h"
#include "../os/os_layer.h"
#include "../recov/recov_layer.h"
#include "../stats/stats_process.h"
#include "../trace/trace_events.h"
#include "stack_debug.h"

static struct mio_config *config;
static struct mio_stats_output *output;
static const struct mio_stack_spec *unruled;
static int shows_matches;
static int shows_opens;
static int shows_lines;
static _Atomic int inter;

static void begin_live(void)
{
	enum { BYTES = 4096 };
	char *directory = mio_memory_take(BYTES);
	int is_known = directory && mio_raw2(SYS_getcwd, directory, BYTES) >= 0 && directory[0] == '/';

	mio_live_begin(mio_config_text(config, MIO_CONFIG_LIVE), is_known ? directory : "", mio_stats_program());
	mio_memory_give(directory, BYTES);
}

int mio_stacks_begin(char *const *environment, int without_rules, struct mio_text *error)
{
	int rc = mio_config_load(environment, &config, error);

	if (rc < 0)
		return rc;
	if (!mio_config_is_enabled(config) || (!without_rules && !mio_config_has_rules(config)))
		return 1;
	rc = mio_config_check_available(config, error);
	if (rc == 0)
		rc = mio_config_parse_stack(config, "os", "os", &unruled, error);
	if (rc < 0)
		return rc;
	output = mio_stats_output_make(config, mio_os_engine);
	if (!output)
		return -ENOMEM;
	begin_live();
	if (*mio_config_backend(config))
		mio_os_backend_restrict(mio_config_backend(config));
	shows_matches = mio_stack_debug_is_matching(config);
	shows_opens = mio_stack_debug_is_opening(config);
	shows_lines = mio_stack_debug_is_naming(config);
	return 0;
}

int mio_stacks_wants_abort(char *const *environment)
{
	return mio_config_wants_abort(environment);
}

/* 1 if neither the first layer (mio) nor the last one (os) changes anything. */
static int ends_are_unset(const struct mio_stack_spec *spec)
{
	const struct mio_layer_spec *front = &spec->layers[0];
	const struct mio_layer_spec *os = &spec->layers[spec->count - 1];

	return !mio_spec_is_on(front, MIO_MIO_OPTION_MODE) && !mio_spec_is_set(front, MIO_MIO_OPTION_DIRECT) &&
	       !mio_spec_is_set(front, MIO_MIO_OPTION_OSYNC) && !front->values[MIO_MIO_OPTION_CIO].typed &&
	       mio_spec_is_on(os, MIO_OS_OPTION_TRUNC) && !mio_spec_is_on(os, MIO_OS_OPTION_DEBUG);
}

/*
 * 1 for [ os ] and every rule equal to it. Such a file is left to the kernel, so that a rule can keep MIO away from files that
 * the program accesses in ways of its own.
 */
static int changes_nothing(const struct mio_stack_spec *spec)
{
	return spec->count == 2 && ends_are_unset(spec);
}

int mio_stacks_leaves_small(const struct mio_stack_spec *spec)
{
	const struct mio_layer_spec *only = &spec->layers[1];

	return spec->count == 3 && only->kind == MIO_LAYER_PF && mio_spec_is_on(only, MIO_PF_OPTION_AUTO) && ends_are_unset(spec) &&
	       !shows_opens;
}

const struct mio_stack_spec *mio_stacks_match(const char *name)
{
	const struct mio_stack_spec *spec = mio_config_match(config, name);

	return spec && !changes_nothing(spec) ? spec : NULL;
}

int mio_stacks_has_rule(const char *name)
{
	return mio_config_match(config, name) != NULL;
}

void mio_stacks_show_match(const char *name)
{
	struct mio_text text = {0};
	const char *pattern = NULL;
	const struct mio_stack_spec *spec;

	if (!shows_matches)
		return;
	spec = mio_config_match_pattern(config, name, &pattern);
	mio_stack_debug_add_matching(&text, name, spec, pattern);
	mio_stats_output_debug(output, mio_text_string(&text), 0);
	mio_text_clear(&text);
}

const struct mio_stack_spec *mio_stacks_parse(const char *text, struct mio_text *error)
{
	const struct mio_stack_spec *spec;
	int rc = mio_config_parse_stack(config, "modules", text, &spec, error);

	if (rc == 0)
		rc = mio_stack_spec_check_available(spec, error);
	return rc == 0 ? spec : NULL;
}

int mio_stacks_oflags(const struct mio_stack_spec *spec, int oflags)
{
	const struct mio_layer_spec *front = &spec->layers[0];

	if (mio_spec_is_set(front, MIO_MIO_OPTION_DIRECT) && !mio_spec_is_on(front, MIO_MIO_OPTION_DIRECT))
		oflags &= ~O_DIRECT;
	if (mio_spec_is_set(front, MIO_MIO_OPTION_OSYNC) && (oflags & O_ACCMODE) != O_RDONLY) {
		oflags &= ~(O_SYNC | O_DSYNC);
		if (mio_spec_is_on(front, MIO_MIO_OPTION_OSYNC))
			oflags |= O_SYNC;
	}
	return oflags;
}

int mio_stacks_mode(const struct mio_stack_spec *spec, int mode)
{
	const struct mio_layer_spec *front = &spec->layers[0];

	return mio_spec_is_on(front, MIO_MIO_OPTION_MODE) ? (int)front->values[MIO_MIO_OPTION_MODE].number : mode;
}

int mio_stacks_open_failed(const struct mio_stack_spec *spec, const char *name, int error, struct mio_stack_tries *tries)
{
	int *made = tries->made;

	for (int i = spec->count - 1; i > 0 && made < tries->made + MIO_STACK_RECOV_MAX; i--) {
		if (spec->layers[i].kind != MIO_LAYER_RECOV)
			continue;
		++*made;
		if (mio_recov_open_failed(&spec->layers[i], name, error, *made, output))
			return 1;
		*made++ = 0;
	}
	return 0;
}

struct mio_stats_output *mio_stack_output(void)
{
	return output;
}

const struct mio_stack_spec *mio_stack_unruled(void)
{
	return unruled;
}

void mio_stack_debug_open(const struct mio_stack_spec *spec, const char *name)
{
	struct mio_text text = {0};

	if (!shows_opens)
		return;
	mio_stack_debug_add_opening(&text, config, name, spec);
	mio_stats_output_debug(output, mio_text_string(&text), 1);
	mio_text_clear(&text);
}

/* Writes a line of debug output, and clears it. */
static void print(struct mio_text *line)
{
	mio_stats_output_debug(output, mio_text_string(line), 0);
	mio_text_clear(line);
}

void mio_stack_debug_line(const char *layer, const char *name, const char *line)
{
	struct mio_text text = {0};

	if (!shows_lines)
		return;
	mio_stack_debug_add_serving(&text, layer, name, line);
	print(&text);
}

void mio_stack_debug_os_open(const char *layer, const struct mio_open_request *request, int oflags)
{
	struct mio_text text = {0};

	mio_stack_debug_add_os_open(&text, layer, request, oflags);
	print(&text);
}

void mio_stack_debug_os_close(const char *layer, const char *name)
{
	struct mio_text text = {0};

	mio_stack_debug_add_os_close(&text, layer, name);
	print(&text);
}

void mio_stack_has_inter(void)
{
	inter = 1;
}

int mio_stacks_has_inter(void)
{
	return inter;
}

void mio_stacks_exit(void)
{
	mio_file_reports_exit();
	if (output)
		mio_stats_output_end(output);
	mio_trace_events_exit();
}

/* The option that says where the reports of the layer go; -1: the layer has none. */
static int stats_option(const struct mio_layer_spec *layer)
{
	switch (layer->kind) {
	case MIO_LAYER_TRACE:
		return MIO_TRACE_OPTION_STATS;
	case MIO_LAYER_PF:
		return MIO_PF_OPTION_STATS;
	case MIO_LAYER_RECOV:
		return MIO_RECOV_OPTION_STATS;
	default:
		return -1;
	}
}

/* Where the reports of the layer go; NULL: nowhere. */
static const char *target_of(const struct mio_layer_spec *layer)
{
	int option = stats_option(layer);

	return option >= 0 && mio_spec_is_on(layer, option) ? layer->values[option].text : NULL;
}

void mio_stacks_rights_coming(void)
{
	const struct mio_stack_spec *spec;
	const char *names;

	for (int rule = 0; output && (spec = mio_config_rule(config, rule, &names)) != NULL; rule++) {
		for (const struct mio_layer_spec *layer = spec->layers; layer < spec->layers + spec->count; layer++) {
			const char *target = target_of(layer);

			if (target)
				mio_stats_output_stay(output, target);
			if (layer->kind == MIO_LAYER_TRACE && mio_spec_is_on(layer, MIO_TRACE_OPTION_EVENTS))
				mio_trace_events_stay(output, layer);
		}
	}
}

void mio_stacks_exec_coming(void)
{
	mio_file_reports_exec();
	mio_trace_events_exit();
}

void mio_stacks_hint(void)
{
	mio_stats_output_hint(output);
}

void mio_stacks_inter(void)
{
	mio_file_reports_inter();
}

void mio_stacks_forked(void)
{
	mio_clock_forked();
	mio_stack_pages_forked();
	mio_file_system_forked();
	mio_recov_forked();
	mio_live_forked();
	mio_stats_output_forked(output);
	mio_trace_events_forked();
	mio_file_reports_forked();
}

const char *mio_stacks_stats_token(void)
{
	return mio_stats_output_token(output);
}

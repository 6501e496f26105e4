/* What a layer reads from its options, module lists without a configuration, and the tables: LayerSpecTest of Java. */
#include <errno.h>

#include "../src/config/config.h"
#include "../src/stack/stack_debug.h"
#include "assert_string.h"

static char *nothing[] = {NULL};

static const struct mio_stack_spec *stack_of(const char *text)
{
	const struct mio_stack_spec *stack = NULL;
	struct mio_text error = {0};
	int rc = mio_config_parse_stack(NULL, "a test", text, &stack, &error);

	ASSERT_STRING("", mio_text_string(&error));
	ASSERT_EQUAL(0, rc);
	return stack;
}

/* The layer whose name the text begins with. */
static const struct mio_layer_spec *layer(const char *text)
{
	const struct mio_stack_spec *stack = stack_of(text);
	size_t length = strcspn(text, "/");
	int i = 0;

	while (strlen(stack->layers[i].typed_name) != length || strncmp(stack->layers[i].typed_name, text, length) != 0)
		ASSERT(++i < stack->count);
	return &stack->layers[i];
}

static void expect_error(const char *message, const char *text)
{
	const struct mio_stack_spec *stack = NULL;
	struct mio_text error = {0};

	ASSERT_EQUAL(-EINVAL, mio_config_parse_stack(NULL, "a test", text, &stack, &error));
	ASSERT(!stack);
	ASSERT_STARTS(message, mio_text_string(&error));
	mio_text_clear(&error);
}

static void should_give_trace_its_options(void)
{
	const struct mio_layer_spec *trace = layer("trace/stats=x.stats/events/mbytes");

	ASSERT_EQUAL(MIO_LAYER_TRACE, trace->kind);
	ASSERT(mio_spec_is_on(trace, MIO_TRACE_OPTION_STATS));
	ASSERT_STRING("x.stats", trace->values[MIO_TRACE_OPTION_STATS].text);
	ASSERT(mio_spec_is_on(trace, MIO_TRACE_OPTION_EVENTS));
	ASSERT_STRING("trace.events", trace->values[MIO_TRACE_OPTION_EVENTS].text);
	ASSERT_STRING("mbytes", trace->values[MIO_TRACE_OPTION_UNIT].text);
	ASSERT(!mio_spec_is_on(trace, MIO_TRACE_OPTION_INTER));
	ASSERT(!trace->values[MIO_TRACE_OPTION_INTER].typed);
	ASSERT(mio_spec_is_set(trace, MIO_TRACE_OPTION_INTER));
}

static void should_report_unless_switched_off(void)
{
	ASSERT(mio_spec_is_on(layer("trace"), MIO_TRACE_OPTION_STATS));
	ASSERT_STRING("mioout", layer("trace")->values[MIO_TRACE_OPTION_STATS].text);
	ASSERT(!mio_spec_is_on(layer("trace/nostats"), MIO_TRACE_OPTION_STATS));
	ASSERT(mio_spec_is_on(layer("pf"), MIO_PF_OPTION_STATS));
	ASSERT(mio_spec_is_on(layer("recov"), MIO_RECOV_OPTION_STATS));
}

static void should_tell_left_alone_from_off(void)
{
	const struct mio_layer_spec *alone = layer("mio");
	const struct mio_layer_spec *off = layer("mio/noosync/nomode");
	const struct mio_layer_spec *on = layer("mio/osync/mode=0640");

	ASSERT(!mio_spec_is_set(alone, MIO_MIO_OPTION_OSYNC));
	ASSERT(!mio_spec_is_on(alone, MIO_MIO_OPTION_OSYNC));
	ASSERT(!mio_spec_is_set(alone, MIO_MIO_OPTION_MODE));
	ASSERT_EQUAL(-1, alone->values[MIO_MIO_OPTION_MODE].number);
	ASSERT_STRING("", alone->values[MIO_MIO_OPTION_MODE].text);
	ASSERT(mio_spec_is_set(off, MIO_MIO_OPTION_OSYNC));
	ASSERT(!mio_spec_is_on(off, MIO_MIO_OPTION_OSYNC));
	ASSERT(!mio_spec_is_on(off, MIO_MIO_OPTION_MODE));
	ASSERT(mio_spec_is_on(on, MIO_MIO_OPTION_OSYNC));
	ASSERT(mio_spec_is_on(on, MIO_MIO_OPTION_MODE));
	ASSERT_EQUAL(0640, on->values[MIO_MIO_OPTION_MODE].number);
}

static void should_give_numbers_in_the_unit_of_the_option(void)
{
	const struct mio_layer_spec *pf = layer("pf/cache=100m/page=0x200k/pref=2:16/passthru={4k:1m}");
	const struct mio_layer_spec *fixed = layer("pf/pref=4");
	const struct mio_layer_spec *automatic = layer("pf");

	ASSERT_EQUAL(INT64_C(100) << 20, pf->values[MIO_PF_OPTION_CACHE_SIZE].number);
	ASSERT_EQUAL(-1, pf->values[MIO_PF_OPTION_CACHE_SIZE].second);
	ASSERT_EQUAL(0x200L << 10, pf->values[MIO_PF_OPTION_PAGE_SIZE].number);
	ASSERT_EQUAL(2, pf->values[MIO_PF_OPTION_PREFETCH].number);
	ASSERT_EQUAL(16, pf->values[MIO_PF_OPTION_PREFETCH].second);
	ASSERT_EQUAL(4096, pf->values[MIO_PF_OPTION_PASSTHRU].number);
	ASSERT_EQUAL(1048576, pf->values[MIO_PF_OPTION_PASSTHRU].second);
	ASSERT_EQUAL(4, fixed->values[MIO_PF_OPTION_PREFETCH].number);
	ASSERT_EQUAL(4, fixed->values[MIO_PF_OPTION_PREFETCH].second);
	ASSERT_STRING("auto", automatic->values[MIO_PF_OPTION_PREFETCH].text);
	ASSERT_EQUAL(0, automatic->values[MIO_PF_OPTION_PREFETCH].number);
}

static void should_put_the_front_and_the_file_into_every_stack(void)
{
	const struct mio_stack_spec *stack = stack_of(" trace | posix/debug ");

	ASSERT_STRING("trace|posix/debug", stack->text);
	ASSERT_EQUAL(3, stack->count);
	ASSERT_STRING("mio", stack->layers[0].typed_name);
	ASSERT_STRING("trace", stack->layers[1].typed_name);
	ASSERT_STRING("posix", stack->layers[2].typed_name);
	ASSERT(mio_spec_is_on(&stack->layers[2], MIO_OS_OPTION_DEBUG));
	expect_error("a test, column 7: expected", "trace ] ");
	expect_error("a test, column 1: the name of a layer is missing", "");
}

static void should_read_a_module_list_once(void)
{
	const struct mio_stack_spec *first = stack_of("trace/kbytes|pf");

	ASSERT(first != stack_of("trace/kbytes|pf/nostats"));
	ASSERT(first == stack_of("trace/kbytes|pf"));
}

static void should_read_a_module_list_over_the_defaults_of_a_configuration(void)
{
	char *environment[] = {(char[]){"MIO_DEFAULTS=trace/kbytes,pf/plan=x"}, NULL};
	const struct mio_stack_spec *stack, *again;
	struct mio_config *config;
	struct mio_text error = {0};

	ASSERT_EQUAL(0, mio_config_load_from("/nowhere", environment, &config, &error));
	ASSERT_EQUAL(0, mio_config_parse_stack(config, "modules", "trace", &stack, &error));
	ASSERT_STRING("kbytes", stack->layers[1].values[MIO_TRACE_OPTION_UNIT].text);
	ASSERT_EQUAL(0, mio_stack_spec_check_available(stack, &error));
	ASSERT_EQUAL(0, mio_config_parse_stack(config, "modules", "trace", &again, &error));
	ASSERT(stack == again);
	mio_config_free(config);
	/* The stack outlives the configuration. */
	ASSERT_STRING("kbytes", stack->layers[1].values[MIO_TRACE_OPTION_UNIT].text);
	ASSERT_EQUAL(0, mio_config_parse_stack(config, "modules", "pf", &stack, &error));
	ASSERT_EQUAL(0, mio_stack_spec_check_available(stack, &error));
	ASSERT_STRING("x", stack->layers[1].values[MIO_PF_OPTION_PLAN].text);
	mio_text_clear(&error);
}

static void should_have_tables_without_contradictions(void)
{
	for (int k = 0; k < MIO_LAYER_KINDS; k++) {
		enum mio_layer_kind kind = (enum mio_layer_kind)k;
		const char *words[200];
		int count = 0;

		for (int i = 0; i < mio_layer_option_count(kind); i++) {
			const struct mio_option *option = mio_layer_option(kind, i);
			const char *word;

			ASSERT(option->min <= option->max);
			ASSERT(option->description[strlen(option->description) - 1] == '.');
			ASSERT(mio_option_word(option, 0));
			for (int w = 0; (word = mio_option_word(option, w)); w++) {
				for (int other = 0; other < count; other++)
					ASSERT(strcmp(words[other], word) != 0);
				words[count++] = word;
				/* The buffers of config_nearest.c hold words of this length. */
				ASSERT(strlen(word) <= 31);
			}
		}
	}
}

/* 1 if a word of the extension is the beginning of a word of the original's option. */
static int takes_abbreviation(const struct mio_option *extension, const struct mio_option *original)
{
	const char *ours, *theirs;

	for (int a = 0; (ours = mio_option_word(extension, a)); a++)
		for (int b = 0; (theirs = mio_option_word(original, b)); b++)
			if (strncmp(theirs, ours, strlen(ours)) == 0)
				return 1;
	return 0;
}

static void should_leave_every_abbreviation_to_the_original(void)
{
	int pairs = 0;

	for (int k = 0; k < MIO_LAYER_KINDS; k++) {
		enum mio_layer_kind kind = (enum mio_layer_kind)k;

		for (int a = 0; a < mio_layer_option_count(kind); a++)
			for (int b = 0; b < mio_layer_option_count(kind); b++) {
				const struct mio_option *extension = mio_layer_option(kind, a);
				const struct mio_option *original = mio_layer_option(kind, b);

				if (!extension->extension || original->extension)
					continue;
				pairs++;
				ASSERT(!takes_abbreviation(extension, original));
			}
	}
	ASSERT(pairs > 0);
}

static struct mio_config *config_with(const char *debug, const char *files)
{
	char *environment[] = {NULL, NULL, NULL};
	struct mio_config *config = NULL;
	struct mio_text error = {0};

	ASSERT(asprintf(&environment[0], "MIO_DEBUG=%s", debug) > 0);
	ASSERT(asprintf(&environment[1], "MIO_FILES=%s", files) > 0);
	mio_config_load_from("/nowhere", environment, &config, &error);
	ASSERT_STRING("", mio_text_string(&error));
	free(environment[0]);
	free(environment[1]);
	return config;
}

static void should_show_an_open_word_for_word_as_the_original(void)
{
	struct mio_config *config = config_with("OPEN MODULES", "* [ trace/stats/kbytes ]");
	struct mio_text text = {0};

	ASSERT(mio_stack_debug_is_opening(config));
	ASSERT(mio_stack_debug_is_naming(config));
	ASSERT(!mio_stack_debug_is_matching(config));
	mio_stack_debug_add_opening(&text, config, "a\nb\x7f", mio_config_match(config, "x"));
	ASSERT_STRING("Opening file a\\012b\\177\n"
		      "   modules[18]=trace/stats/kbytes\n"
		      "   trace/stats={mioout}/noevents/kbytes/nointer\n"
		      "   os/nodebug/trunc/sector_size=0/einprogress=60\n",
		      mio_text_string(&text));
	mio_text_clear(&text);
	mio_config_free(config);
}

static void should_show_what_a_name_matched(void)
{
	struct mio_config *config = config_with("env", "b:{a c} [ trace | os/debug ]");
	struct mio_text text = {0};
	const struct mio_stack_spec *stack;
	const char *pattern = NULL;

	ASSERT(mio_stack_debug_is_matching(config));
	ASSERT(!mio_stack_debug_is_opening(config));
	stack = mio_config_match_pattern(config, "/x/a c", &pattern);
	mio_stack_debug_add_matching(&text, "/x/a c", stack, pattern);
	mio_stack_debug_add_matching(&text, "d\te", mio_config_match_pattern(config, "d\te", &pattern), NULL);
	mio_stack_debug_add_serving(&text, "aix", "a\rb", "one\ntwo");
	ASSERT_STRING("Matching /x/a c : a c [trace|os/debug]\n"
		      "Matching d\\011e : no rule\n"
		      "aix open : a\\015b : one\\012two\n",
		      mio_text_string(&text));
	mio_text_clear(&text);
	mio_config_free(config);
}

static void should_show_every_option_of_every_layer(void)
{
	struct mio_config *config = config_with("DEF", "");
	struct mio_text text = {0};

	ASSERT(mio_stack_debug_is_opening(config));
	mio_stack_debug_add_opening(&text, config, "x", stack_of("os"));
	ASSERT_STARTS("   definitions of mio\n"
		      "      mode               integer    nomode\n"
		      "      direct             flag       \n",
		      mio_text_string(&text));
	ASSERT(strstr(mio_text_string(&text), "   definitions of os\n"
					      "      debug              flag       nodebug\n"
					      "      trunc              flag       trunc\n"
					      "      sector_size        size       sector_size=0\n"
					      "      einprogress        integer    einprogress=60\n"));
	mio_text_clear(&text);
	mio_config_free(config);
}

static void should_read_nothing_where_nothing_is(void)
{
	struct mio_config *config = NULL;
	struct mio_text error = {0};
	const char *pattern = "kept";

	ASSERT_EQUAL(0, mio_config_load_from("/nowhere", nothing, &config, &error));
	ASSERT(!mio_config_match_pattern(config, "", &pattern));
	ASSERT_STRING("kept", pattern);
	mio_config_free(config);
	mio_config_free(NULL);
}

int main(void)
{
	RUN(should_give_trace_its_options);
	RUN(should_report_unless_switched_off);
	RUN(should_tell_left_alone_from_off);
	RUN(should_give_numbers_in_the_unit_of_the_option);
	RUN(should_put_the_front_and_the_file_into_every_stack);
	RUN(should_read_a_module_list_once);
	RUN(should_read_a_module_list_over_the_defaults_of_a_configuration);
	RUN(should_have_tables_without_contradictions);
	RUN(should_leave_every_abbreviation_to_the_original);
	RUN(should_show_an_open_word_for_word_as_the_original);
	RUN(should_show_what_a_name_matched);
	RUN(should_show_every_option_of_every_layer);
	RUN(should_read_nothing_where_nothing_is);
	return TEST_RESULT();
}

/* Where settings come from, which one wins, and what a layer reads from its options: MioConfigTest and LayerSpecTest of Java. */
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../src/config/config.h"
#include "assert_string.h"

/* The directory that stands for /, and the environment of the running sentence. */
static char root[3000];
static char *environment[16];
static int variables;

static void set_variable(const char *name, const char *value)
{
	char *entry;

	ASSERT(asprintf(&entry, "%s=%s", name, value) > 0);
	for (int i = 0; i < variables; i++)
		if (strncmp(environment[i], entry, strlen(name) + 1) == 0) {
			free(environment[i]);
			environment[i] = entry;
			return;
		}
	ASSERT(variables < 15);
	environment[variables++] = entry;
}

static void set_in_root(const char *name, const char *path)
{
	char value[4000];

	snprintf(value, sizeof(value), "%s%s", root, path);
	set_variable(name, value);
}

static void remove_all(const char *path)
{
	char command[4000];

	snprintf(command, sizeof(command), "rm -rf '%s'", path);
	ASSERT_EQUAL(0, system(command));
}

static void begin(void)
{
	const char *directory = getenv("MIO_TEST_DIR");

	snprintf(root, sizeof(root), "%s/config_test.%d", directory ? directory : "/tmp", (int)getpid());
	remove_all(root);
	ASSERT_EQUAL(0, mkdir(root, 0700));
	while (variables > 0) {
		free(environment[--variables]);
		environment[variables] = NULL;
	}
}

static void end(void)
{
	remove_all(root);
	while (variables > 0) {
		free(environment[--variables]);
		environment[variables] = NULL;
	}
}

static void write_file(const char *name, const char *contents)
{
	char path[4000];
	FILE *out;

	snprintf(path, sizeof(path), "%s/%s", root, name);
	for (char *slash = path + strlen(root) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = 0;
		ASSERT(mkdir(path, 0700) == 0 || errno == EEXIST);
		*slash = '/';
	}
	out = fopen(path, "w");
	ASSERT(out);
	ASSERT(fputs(contents, out) >= 0);
	ASSERT_EQUAL(0, fclose(out));
}

static struct mio_config *load(void)
{
	struct mio_config *config = NULL;
	struct mio_text error = {0};
	int rc = mio_config_load_from(root, environment, &config, &error);

	ASSERT_STRING("", mio_text_string(&error));
	ASSERT_EQUAL(0, rc);
	return config;
}

/* The message about a configuration that is wrong, with @ in place of the root. It is valid until the next call. */
static const char *mistake(void)
{
	static char shown[8000];
	struct mio_config *config = NULL;
	struct mio_text error = {0};
	const char *from;
	char *to = shown;

	ASSERT_EQUAL(-EINVAL, mio_config_load_from(root, environment, &config, &error));
	ASSERT(!config);
	for (from = mio_text_string(&error); *from;) {
		int here = strncmp(from, root, strlen(root)) == 0;

		*to++ = here ? '@' : *from;
		from += here ? strlen(root) : 1;
	}
	*to = 0;
	mio_text_clear(&error);
	return shown;
}

static void expect_files(const char *text, const char *origin)
{
	struct mio_config *config = load();
	char typed[200];

	ASSERT_STRING(text, mio_config_text(config, MIO_CONFIG_FILES));
	ASSERT_STRING(origin, mio_config_origin(config, MIO_CONFIG_FILES));
	snprintf(typed, sizeof(typed), "* [ %s ]", mio_config_match(config, "a")->text);
	ASSERT_STRING(text, typed);
	mio_config_free(config);
}

static const char *in_root(const char *path)
{
	static char text[4000];

	snprintf(text, sizeof(text), "file %s%s key files", root, path);
	return text;
}

static void should_have_no_rules_where_nothing_is_set(void)
{
	struct mio_config *config = load();

	ASSERT(mio_config_is_enabled(config));
	ASSERT(!mio_config_has_rules(config));
	ASSERT(!mio_config_match(config, "any"));
	ASSERT_STRING("", mio_config_text(config, MIO_CONFIG_FILES));
	ASSERT_STRING("MIO_FILES", mio_config_origin(config, MIO_CONFIG_FILES));
	for (int i = 0; i < MIO_DEBUG_KEYWORDS; i++)
		ASSERT(!mio_config_debug_is_on(config, (enum mio_debug_keyword)i));
	mio_config_free(config);
}

static void should_do_without_an_environment(void)
{
	struct mio_config *config = NULL;
	struct mio_text error = {0};

	ASSERT_EQUAL(0, mio_config_load_from(root, NULL, &config, &error));
	ASSERT(!mio_config_has_rules(config));
	mio_config_free(config);
}

static void should_let_each_source_win_over_the_ones_before(void)
{
	struct mio_config *config;

	write_file("etc/mio/mio.conf", "files=* [ os/sector=1 ]\nstats=etc.stats\n");
	expect_files("* [ os/sector=1 ]", in_root("/etc/mio/mio.conf"));

	set_in_root("HOME", "/home");
	write_file("home/.config/mio/mio.conf", "files=* [ os/sector=2 ]\n");
	expect_files("* [ os/sector=2 ]", in_root("/home/.config/mio/mio.conf"));

	set_in_root("XDG_CONFIG_HOME", "/xdg");
	write_file("xdg/mio/mio.conf", "files=* [ os/sector=3 ]\n");
	expect_files("* [ os/sector=3 ]", in_root("/xdg/mio/mio.conf"));

	set_in_root("MIO_CONFIG", "/named.conf");
	write_file("named.conf", "files=* [ os/sector=4 ]\n");
	expect_files("* [ os/sector=4 ]", in_root("/named.conf"));

	set_variable("MIO_FILES", "* [ os/sector=6 ]");
	expect_files("* [ os/sector=6 ]", "MIO_FILES");

	config = load();
	ASSERT_STRING("etc.stats", mio_config_text(config, MIO_CONFIG_STATS));
	mio_config_free(config);
}

static void should_take_an_empty_variable_for_a_setting(void)
{
	struct mio_config *config;

	write_file("etc/mio/mio.conf", "files=* [ trace ]\n");
	set_variable("MIO_FILES", "");
	config = load();
	ASSERT(!mio_config_match(config, "a"));
	mio_config_free(config);
}

static void should_take_the_first_of_two_variables_of_a_name(void)
{
	struct mio_config *config;

	set_variable("MIO_STATS", "first");
	environment[variables++] = strdup("MIO_STATS=second");
	environment[variables++] = strdup("MIO_STATSX=third");
	config = load();
	ASSERT_STRING("first", mio_config_text(config, MIO_CONFIG_STATS));
	mio_config_free(config);
}

static void should_read_every_key_from_every_source(void)
{
	const struct mio_stack_spec *stack;
	struct mio_config *config;
	const char *pattern, *names;

	write_file("etc/mio/mio.conf", "stats = a b.stats\ndefaults=trace/kbytes\nenabled:yes");
	set_variable("MIO_DEBUG", " open");
	set_variable("MIO_FILES", "*.dat:x [ trace ]");
	config = load();
	ASSERT_STRING("a b.stats", mio_config_text(config, MIO_CONFIG_STATS));
	ASSERT_STRING(" open", mio_config_text(config, MIO_CONFIG_DEBUG));
	ASSERT(mio_config_debug_is_on(config, MIO_DEBUG_OPEN));
	ASSERT_STRING("trace/kbytes", mio_config_text(config, MIO_CONFIG_DEFAULTS));
	stack = mio_config_match_pattern(config, "/d/x", &pattern);
	ASSERT_STRING("x", pattern);
	ASSERT(stack == mio_config_rule(config, 0, &names));
	ASSERT_STRING("*.dat:x", names);
	ASSERT(!mio_config_rule(config, 1, &names));
	ASSERT_STRING("kbytes", stack->layers[1].values[MIO_TRACE_OPTION_UNIT].text);
	mio_config_free(config);
}

static void should_be_switched_off_even_with_a_mistake_in_a_file(void)
{
	struct mio_config *config;

	write_file("etc/mio/mio.conf", "fils=* [ trace ]\n");
	set_in_root("MIO_CONFIG", "/missing.conf");
	ASSERT_STARTS("file @/etc/mio/mio.conf key fils: there is no such setting", mistake());
	set_variable("MIO_ENABLED", "0");
	config = load();
	ASSERT(!mio_config_is_enabled(config));
	mio_config_free(config);
}

static void should_be_switched_off_as_a_whole_even_with_mistakes(void)
{
	const char *off[] = {"false", "0", "no", " no "};

	for (int i = 0; i < 4; i++) {
		struct mio_text error = {0};
		struct mio_config *config;

		set_variable("MIO_FILES", "* [ trace");
		set_variable("MIO_DEBUG", "NONSENSE");
		set_variable("MIO_ENABLED", off[i]);
		config = load();
		ASSERT(!mio_config_is_enabled(config));
		ASSERT(!mio_config_match(config, "a"));
		ASSERT_STRING("* [ trace", mio_config_text(config, MIO_CONFIG_FILES));
		ASSERT_EQUAL(0, mio_config_check_available(config, &error));
		mio_config_free(config);
	}
	set_variable("MIO_ENABLED", "maybe");
	ASSERT_STRING("MIO_ENABLED, column 1: 'maybe' is neither true nor false; write true, 1, yes or false, 0, no\n"
		      "  maybe\n  ^",
		      mistake());
	set_variable("MIO_ENABLED", "");
	ASSERT_STARTS("MIO_DEBUG, column 1: ", mistake());
}

static void should_be_switched_off_by_a_file(void)
{
	struct mio_config *config;

	write_file("etc/mio/mio.conf", "enabled=no\n");
	set_variable("MIO_FILES", "* [ trace ]");
	config = load();
	ASSERT(!mio_config_is_enabled(config));
	ASSERT(!mio_config_has_rules(config));
	mio_config_free(config);
}

static void should_name_the_file_that_cannot_be_read(void)
{
	set_in_root("MIO_CONFIG", "/missing.conf");
	ASSERT_STRING("MIO_CONFIG: cannot read @/missing.conf (No such file or directory); name a readable file",
		      mistake());
	set_in_root("MIO_CONFIG", "");
	ASSERT_STRING("MIO_CONFIG: cannot read @ (Is a directory); name a readable file", mistake());
	set_variable("MIO_CONFIG", "/dev/zero");
	ASSERT_STRING("MIO_CONFIG: cannot read /dev/zero (File too large); name a readable file", mistake());
}

static void should_not_wait_for_who_writes_to_a_pipe(void)
{
	char name[4000];

	snprintf(name, sizeof(name), "%s/pipe", root);
	ASSERT_EQUAL(0, mkfifo(name, 0600));
	set_in_root("MIO_CONFIG", "/pipe");
	ASSERT_STRING("MIO_CONFIG: cannot read @/pipe (a pipe, socket or device); name a readable file", mistake());
}

static void should_read_the_pipe_of_a_shell(void)
{
	static const char text[] = "stats = piped.stats\n";
	struct mio_config *config;
	char name[64];
	int ends[2];

	ASSERT_EQUAL(0, pipe(ends));
	ASSERT(write(ends[1], text, strlen(text)) == (ssize_t)strlen(text));
	close(ends[1]);
	snprintf(name, sizeof(name), "/dev/fd/%d", ends[0]);
	set_variable("MIO_CONFIG", name);
	config = load();
	ASSERT_STRING("piped.stats", mio_config_text(config, MIO_CONFIG_STATS));
	mio_config_free(config);
	close(ends[0]);
}

static void should_skip_a_file_nobody_asked_for_if_it_cannot_be_read(void)
{
	struct mio_config *config;
	char path[4000];

	snprintf(path, sizeof(path), "%s/xdg/mio", root);
	write_file("etc/mio/mio.conf/x", "");
	write_file("xdg/mio/x", "");
	strcat(path, "/mio.conf");
	ASSERT_EQUAL(0, mkfifo(path, 0600));
	set_in_root("XDG_CONFIG_HOME", "/xdg");
	config = load();
	ASSERT(!mio_config_match(config, "a"));
	mio_config_free(config);
}

static void should_name_the_file_that_is_malformed(void)
{
	write_file("etc/mio/mio.conf", "files=\\u12\n");
	ASSERT_STRING("file @/etc/mio/mio.conf: not in Java properties syntax: Malformed \\uxxxx encoding.; correct it",
		      mistake());
}

static void should_name_the_key_that_is_unknown(void)
{
	write_file("etc/mio/mio.conf", "zones=1\nsats=x\nstats=y\n");
	ASSERT_STRING("file @/etc/mio/mio.conf key sats: there is no such setting; did you mean 'stats'? (settings:"
		      " files, stats, debug, defaults, enabled, live, backend)",
		      mistake());
}

static void should_name_the_source_of_a_mistake(void)
{
	write_file("etc/mio/mio.conf", "files=* [ trase ]\n");
	ASSERT_STARTS("file @/etc/mio/mio.conf key files, column 5: ", mistake());
	set_variable("MIO_FILES", "* [ trase ]");
	ASSERT_STRING("MIO_FILES, column 5: there is no layer 'trase'; did you mean 'trace'? (layers: mio, trace, pf,"
		      " recov, os, aix, posix, auto)\n  * [ trase ]\n      ^",
		      mistake());
}

static void should_read_files_as_utf8(void)
{
	struct mio_config *config;

	write_file("etc/mio/mio.conf", "files={\xc3\xa9 \xc3\xbc} [ trace ]\nstats=\\u00e9\\ud834\\udd1e\n");
	config = load();
	ASSERT(mio_config_match(config, "\xc3\xa9 \xc3\xbc"));
	ASSERT_STRING("\xc3\xa9\xf0\x9d\x84\x9e", mio_config_text(config, MIO_CONFIG_STATS));
	mio_config_free(config);
}

static void should_read_a_long_setting_whole(void)
{
	size_t rules = 20000;
	struct mio_text files = {0};
	struct mio_config *config;
	const char *names;

	for (size_t i = 0; i < rules; i++) {
		mio_text_add(&files, "/some/where/file");
		mio_text_add_unsigned(&files, i);
		mio_text_add(&files, " [ os ] ");
	}
	set_variable("MIO_FILES", mio_text_string(&files));
	config = load();
	ASSERT_STRING(mio_text_string(&files), mio_config_text(config, MIO_CONFIG_FILES));
	ASSERT(mio_config_match(config, "/some/where/file19999"));
	ASSERT(!mio_config_match(config, "/some/where/file20000"));
	ASSERT(mio_config_rule(config, (int)rules - 1, &names));
	ASSERT(!mio_config_rule(config, (int)rules, &names));
	mio_config_free(config);
	mio_text_clear(&files);
}

static void should_know_abort_even_where_all_else_is_wrong(void)
{
	ASSERT(!mio_config_wants_abort(environment));
	ASSERT(!mio_config_wants_abort(NULL));
	set_variable("MIO_FILES", "[");
	set_variable("MIO_DEBUG", "NONSENSE OPEN");
	ASSERT(!mio_config_wants_abort(environment));
	set_variable("MIO_DEBUG", "NONSENSE abort OPEN");
	ASSERT(mio_config_wants_abort(environment));
	set_variable("MIO_DEBUG", "ALL");
	ASSERT(!mio_config_wants_abort(environment));
}

/* Each sentence has a directory and an environment of its own. */
#define RUN_ALONE(sentence) \
	do { \
		begin(); \
		RUN(sentence); \
		end(); \
	} while (0)

int main(void)
{
	RUN_ALONE(should_have_no_rules_where_nothing_is_set);
	RUN_ALONE(should_do_without_an_environment);
	RUN_ALONE(should_let_each_source_win_over_the_ones_before);
	RUN_ALONE(should_take_an_empty_variable_for_a_setting);
	RUN_ALONE(should_take_the_first_of_two_variables_of_a_name);
	RUN_ALONE(should_read_every_key_from_every_source);
	RUN_ALONE(should_be_switched_off_even_with_a_mistake_in_a_file);
	RUN_ALONE(should_be_switched_off_as_a_whole_even_with_mistakes);
	RUN_ALONE(should_be_switched_off_by_a_file);
	RUN_ALONE(should_name_the_file_that_cannot_be_read);
	RUN_ALONE(should_not_wait_for_who_writes_to_a_pipe);
	RUN_ALONE(should_read_the_pipe_of_a_shell);
	RUN_ALONE(should_skip_a_file_nobody_asked_for_if_it_cannot_be_read);
	RUN_ALONE(should_name_the_file_that_is_malformed);
	RUN_ALONE(should_name_the_key_that_is_unknown);
	RUN_ALONE(should_name_the_source_of_a_mistake);
	RUN_ALONE(should_read_files_as_utf8);
	RUN_ALONE(should_read_a_long_setting_whole);
	RUN_ALONE(should_know_abort_even_where_all_else_is_wrong);
	return TEST_RESULT();
}

/* struct mio_extra: layers that the program brings, and when they are used. The report shows which layers a file had. */
#include "capi_api.h"

static char stats[512];

/* Opens a file, writes and closes it. Returns the error of the open, or 0. */
static int use(const char *name, struct mio_extra *extra)
{
	int fd = MIO_open(name, O_RDWR | O_CREAT | O_TRUNC, 0600, extra);

	if (fd < 0)
		return errno;
	ASSERT_EQUAL(5, MIO_write(fd, "bytes", 5));
	ASSERT_EQUAL(0, MIO_close(fd));
	unlink(name);
	return 0;
}

static void with_modules(void)
{
	struct mio_extra extra = {.cookie = MIO_EXTRA_COOKIE, .modules = "trace/stats/kbytes"};
	char name[512];

	ASSERT_EQUAL(0, use(test_name(name, sizeof(name), "x.dat"), &extra));
}

static void with_modules_of_another_form(void)
{
	struct mio_extra extra = {.cookie = 1, .bufsiz = 2, .modules = "trace/stats"};
	char name[512];

	ASSERT_EQUAL(0, use(test_name(name, sizeof(name), "x.dat"), &extra));
}

static void with_modules_that_are_none(void)
{
	struct mio_extra extra = {.cookie = MIO_EXTRA_COOKIE, .modules = "trcae"};
	const char *begin = "libmio: modules, column 1: there is no layer 'trcae'";
	char name[512];
	char said[512];
	char *line;

	test_captured(test_name(said, sizeof(said), "said"));
	ASSERT_EQUAL(EINVAL, use(test_name(name, sizeof(name), "x.dat"), &extra));
	test_captured(NULL);
	ASSERT_EQUAL(-1, access(name, F_OK));
	test_content(said, &line);
	unlink(said);
	ASSERT(strncmp(line, begin, strlen(begin)) == 0);
	ASSERT_EQUAL(strlen(line) - 1, strcspn(line, "\n"));
	free(line);
}

static void with_names_at_no_address(void)
{
	static const uintptr_t places[] = {0, 8, (uintptr_t)1 << 48, UINTPTR_MAX};

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		ASSERT_EQUAL(-1, MIO_open((const char *)places[i], O_RDONLY, 0, NULL));
		ASSERT_EQUAL(EFAULT, errno);
	}
}

static void with_bufsiz(void)
{
	struct mio_extra extra = {.cookie = MIO_EXTRA_COOKIE, .bufsiz = 2};
	char name[512];

	setenv("MIO_DEBUG", "MODULES", 1);
	ASSERT_EQUAL(0, use(test_name(name, sizeof(name), "x.dat"), &extra));
}

static void with_bufsiz_and_without(void)
{
	char name[512];

	with_bufsiz();
	with_bufsiz();
	ASSERT_EQUAL(0, use(test_name(name, sizeof(name), "x.dat"), NULL));
}

/* The report of a run; "" if there is none. The caller owns the memory. */
static char *report(const char *files, void (*sentences)(void))
{
	char *content = NULL;

	unlink(stats);
	ASSERT_EQUAL(0, test_run_under(files, stats, sentences));
	if (access(stats, F_OK) != 0)
		return calloc(1, 1);
	test_content(stats, &content);
	unlink(stats);
	return content;
}

static int count(const char *text, const char *part)
{
	int found = 0;

	for (const char *at = strstr(text, part); at; at = strstr(at + 1, part))
		found++;
	return found;
}

#define ASSERT_REPORTS(times, part, files, sentences) \
	do { \
		char *report_ = report(files, sentences); \
		if (count(report_, part) != (times)) \
			fprintf(stderr, "%s\n", report_); \
		ASSERT_EQUAL(times, count(report_, part)); \
		free(report_); \
	} while (0)

static void should_use_the_layers_of_the_program_where_no_rule_matches(void)
{
	ASSERT_REPORTS(1, "Trace close : program <-> os", "", with_modules);
	ASSERT_REPORTS(1, "Trace close : program <-> os", "*.other [ pf/stats ]", with_modules);
}

static void should_let_a_rule_overrule_the_program(void)
{
	ASSERT_REPORTS(0, "Trace close", "*.dat [ pf/stats ]", with_modules);
	ASSERT_REPORTS(2, "pf close for ", "*.dat [ pf/stats/private ]", with_modules);
	ASSERT_REPORTS(0, "Trace close", "*.dat [ os ]", with_modules);
}

static void should_leave_a_structure_of_another_form_alone(void)
{
	ASSERT_REPORTS(0, "Trace close", "", with_modules_of_another_form);
}

static void should_refuse_layers_that_are_none(void)
{
	ASSERT_REPORTS(0, "Trace close", "", with_modules_that_are_none);
}

/* As for open(2). Without a rule MIO does not look at the name; with one it does. */
static void should_read_no_name_where_there_is_no_memory(void)
{
	ASSERT_REPORTS(0, "Trace close", "", with_names_at_no_address);
	ASSERT_REPORTS(0, "Trace close", "*.dat [ trace/stats ]", with_names_at_no_address);
}

static void should_read_pages_before_writes_if_bufsiz_says_so(void)
{
	ASSERT_REPORTS(1, "/pffw/", "*.dat [ pf/stats ]", with_bufsiz);
	ASSERT_REPORTS(0, "/nopffw/", "*.dat [ pf/stats ]", with_bufsiz);
	ASSERT_REPORTS(2, "/pffw/", "*.dat [ pf/stats ]", with_bufsiz_and_without);
	ASSERT_REPORTS(1, "/nopffw/", "*.dat [ pf/stats ]", with_bufsiz_and_without);
}

int main(void)
{
	test_name(stats, sizeof(stats), "stats");
	RUN(should_use_the_layers_of_the_program_where_no_rule_matches);
	RUN(should_let_a_rule_overrule_the_program);
	RUN(should_leave_a_structure_of_another_form_alone);
	RUN(should_refuse_layers_that_are_none);
	RUN(should_read_no_name_where_there_is_no_memory);
	RUN(should_read_pages_before_writes_if_bufsiz_says_so);
	return TEST_RESULT();
}

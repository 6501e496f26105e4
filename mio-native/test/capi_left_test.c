/* Small files that are only read, under pf/auto alone: they get no layers, and still agree with opens that have pages. */
#include "capi_api.h"

#include "../src/common/text.h"
#include "../src/door/door_table.h"
#include "../src/stack/stack.h"
#include "golden.h"

#define RULES "*.left [ pf/auto ] *.behind [ pf/cache=64k/page=4k/pref=1 ] *.traced [ auto ]"

enum { SMALL = 256 << 10 };

static char left[512], behind[512], traced[512];
static char memory[16];

static void make_files(int64_t bytes)
{
	int fd = open(test_name(left, sizeof(left), "file.left"), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	ASSERT(fd >= 0);
	ASSERT_EQUAL(0, ftruncate(fd, bytes));
	ASSERT_EQUAL(4, pwrite(fd, "kern", 4, 0));
	ASSERT_EQUAL(0, close(fd));
	unlink(test_name(behind, sizeof(behind), "file.behind"));
	unlink(test_name(traced, sizeof(traced), "file.traced"));
	ASSERT_EQUAL(0, link(left, behind));
	ASSERT_EQUAL(0, link(left, traced));
}

static void remove_files(void)
{
	unlink(left);
	unlink(behind);
	unlink(traced);
}

static int opened(const char *name, int oflags)
{
	int fd = MIO_open(name, oflags, 0600, NULL);

	ASSERT(fd >= 0);
	return fd;
}

static int has_layers(const char *name, int oflags)
{
	int fd = opened(name, oflags);
	int has = mio_door_file(fd) != NULL;

	ASSERT_EQUAL(0, MIO_close(fd));
	return has;
}

static void who_has_layers(void)
{
	ASSERT(!has_layers(left, O_RDONLY));
	ASSERT(has_layers(left, O_RDWR));
	ASSERT(has_layers(left, O_WRONLY));
	ASSERT(has_layers(traced, O_RDONLY));
	ASSERT(has_layers(behind, O_RDONLY));
	ASSERT_EQUAL(0, truncate(left, SMALL + 1));
	ASSERT(has_layers(left, O_RDONLY));
	ASSERT_EQUAL(0, truncate(left, SMALL));
	ASSERT(!has_layers(left, O_RDONLY));
}

static void reads(int fd, const char *text)
{
	ASSERT_EQUAL(4, MIO_pread(fd, memory, 4, 0));
	ASSERT(memcmp(memory, text, 4) == 0);
}

static void after_pages(void)
{
	int writer = opened(behind, O_RDWR);
	int reader;

	ASSERT_EQUAL(4, MIO_pwrite(writer, "page", 4, 0));
	reader = opened(left, O_RDONLY);
	ASSERT(mio_door_file(reader) != NULL);
	reads(reader, "page");
	ASSERT_EQUAL(4, MIO_pwrite(writer, "more", 4, 0));
	reads(reader, "more");
	ASSERT_EQUAL(0, MIO_close(reader));
	ASSERT_EQUAL(0, MIO_close(writer));
}

static void before_pages(void)
{
	int reader = opened(left, O_RDONLY);
	int writer = opened(behind, O_RDWR);

	ASSERT(mio_door_file(reader) == NULL);
	ASSERT_EQUAL(4, MIO_pwrite(writer, "page", 4, 0));
	reads(reader, "page");
	ASSERT_EQUAL(4, MIO_pwrite(writer, "more", 4, SMALL - 4));
	ASSERT_EQUAL(4, MIO_pread(reader, memory, 4, SMALL - 4));
	ASSERT(memcmp(memory, "more", 4) == 0);
	ASSERT_EQUAL(0, MIO_close(writer));
	reads(reader, "page");
	ASSERT_EQUAL(0, MIO_close(reader));
}

static void run(void (*sentence)(void))
{
	make_files(SMALL);
	ASSERT_EQUAL(0, test_run_under(RULES, NULL, sentence));
	remove_files();
}

static void should_have_no_layers_where_auto_makes_nothing_of_a_file(void)
{
	run(who_has_layers);
}

static void should_agree_with_pages_by_another_name(void)
{
	run(after_pages);
	run(before_pages);
}

/* The golden cases, which the Java side reads, too. */
static void golden_rules(void)
{
	struct golden golden = golden_read("auto/left.txt");
	const struct mio_stack_spec *spec = NULL;

	/* MIO begins with the first call. */
	ASSERT_EQUAL(0, MIO_close(opened(left, O_RDONLY)));
	for (int i = 0; i < golden.count; i++) {
		ASSERT(golden_value(&golden.cases[i], "found"));
		for (int j = 0; j < golden.cases[i].count; j++) {
			const struct golden_line *line = &golden.cases[i].lines[j];
			struct mio_text error = {0};

			if (strcmp(line->key, "rule") == 0) {
				spec = mio_stacks_parse(line->value, &error);
				continue;
			}
			ASSERT(spec);
			ASSERT_STRING(line->value, mio_stacks_leaves_small(spec) ? "yes" : "no");
		}
	}
	golden_free(&golden);
}

static void should_mean_auto_alone(void)
{
	run(golden_rules);
}

int main(void)
{
	if (!test_links_agree(test_directory())) {
		printf("skipped: two links are two files to the kernel here\n");
		return 77;
	}
	RUN(should_have_no_layers_where_auto_makes_nothing_of_a_file);
	RUN(should_agree_with_pages_by_another_name);
	RUN(should_mean_auto_alone);
	return TEST_RESULT();
}

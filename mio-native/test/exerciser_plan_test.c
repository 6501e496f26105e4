/* For the same seed, the C exercisers do the same operations as Java's. The golden case is read by the Java tests, too. */
#include "exerciser_plan_text.h"
#include "golden.h"

struct reader {
	struct plan_lines lines;
	const struct golden_case *test;
	int next;	/* the next line of the case */
	long count;
	uint32_t sum;
};

static struct plan plan;

static void tell(void *context, const struct plan_operation *operation)
{
	const struct reader *reader = context;

	plan_tell(&reader->lines, operation);
}

static void compare(void *context, const char *text)
{
	struct reader *reader = context;
	char expected[PLAN_TEXT] = "nothing more";

	if (reader->next < reader->test->count)
		snprintf(expected, sizeof(expected), "%s: %s", reader->test->lines[reader->next].key,
			 reader->test->lines[reader->next].value);
	reader->next++;
	if (strcmp(expected, text) != 0) {
		fprintf(stderr, "%s: line %ld: expected %s, was %s\n", reader->test->title, reader->count, expected, text);
		exit(1);
	}
	reader->count++;
}

static void add(void *context, const char *text)
{
	struct reader *reader = context;

	reader->sum = plan_sum(reader->sum, text, strlen(text));
	reader->sum = plan_sum(reader->sum, "\n", 1);
	reader->count++;
}

static long number(const struct golden_case *test, const char *key)
{
	const char *value = golden_value(test, key);

	ASSERT(value);
	return strtol(value, NULL, 10);
}

static void run(struct reader *reader, void (*line)(void *context, const char *text))
{
	reader->lines = (struct plan_lines){line, reader};
	plan_run(&plan, number(reader->test, "seed"), (int)number(reader->test, "calls"), tell, reader);
}

static void should_do_the_operations_of_the_golden_case(void)
{
	struct golden golden = golden_read("exerciser/operations.txt");
	int listed = 0;
	int summed = 0;

	for (int i = 0; i < golden.count; i++) {
		struct reader reader = {.test = &golden.cases[i]};
		const char *sum = golden_value(reader.test, "sum");

		if (sum) {
			run(&reader, add);
			ASSERT_EQUAL(number(reader.test, "lines"), reader.count);
			ASSERT_EQUAL(strtoul(sum, NULL, 16), reader.sum);
			summed++;
		} else {
			/* After the lines with the seed and the number of calls. */
			reader.next = 2;
			run(&reader, compare);
			ASSERT_EQUAL(reader.test->count, reader.next);
			listed++;
		}
	}
	ASSERT_EQUAL(3, listed);
	ASSERT_EQUAL(3, summed);
	golden_free(&golden);
}

/* Values from a JDK: bounds that are a power of two, any other bounds, and one that often draws again. */
static void should_draw_what_java_draws(void)
{
	struct java_random random = java_random_begin(42);
	unsigned char bytes[6];

	ASSERT_EQUAL(0, java_random_below(&random, 10));
	ASSERT_EQUAL(63, java_random_below(&random, 100));
	random = java_random_begin(-1);
	ASSERT_EQUAL(17, java_random_below(&random, 64));
	ASSERT_EQUAL(943952225, java_random_below(&random, (1 << 30) + 1));
	ASSERT_EQUAL(26349579, java_random_below(&random, (1 << 30) + 1));
	ASSERT_EQUAL(894294477, java_random_below(&random, (1 << 30) + 1));
	ASSERT_EQUAL(857465478, java_random_below(&random, (1 << 30) + 1));
	ASSERT_EQUAL(1, java_random_boolean(&random));
	ASSERT_EQUAL(0, java_random_boolean(&random));
	ASSERT_EQUAL(-3577981259754968255, java_random_long(&random));
	ASSERT_EQUAL(1047579610836041353, java_random_long(&random));
	java_random_bytes(&random, bytes, sizeof(bytes));
	ASSERT(memcmp(bytes, (const unsigned char[]){204, 67, 22, 21, 53, 52}, sizeof(bytes)) == 0);
	ASSERT_EQUAL(69, java_random_below(&random, 1000));
}

int main(void)
{
	RUN(should_draw_what_java_draws);
	RUN(should_do_the_operations_of_the_golden_case);
	return TEST_RESULT();
}

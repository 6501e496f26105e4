/* The cases of twin/auto/blocks.txt, which the Java side reads as well. */
#include "../src/pf/pf_blocks.h"
#include "assert.h"
#include "twin_open.h"

enum { LINE = 512 };

static const char *state_of(const struct mio_pf_blocks *blocks)
{
	if (blocks->left == 0)
		return "over";
	if (!blocks->telling)
		return "looking";
	return mio_pf_blocks_is_telling(blocks) ? "telling" : "idle";
}

static void state(const struct mio_pf_blocks *blocks, char *found)
{
	snprintf(found, LINE, "%s left %d spent %lld saved %lld piece %d", state_of(blocks), blocks->left,
		 (long long)blocks->spent, (long long)blocks->saved, blocks->piece);
	ASSERT_EQUAL(blocks->left > 0 && strcmp(state_of(blocks), "idle") != 0, mio_pf_blocks_is_awake(blocks));
}

/* each_ns: the time that each request takes; 0: times are not known. */
static int64_t each_ns, now_ns;

static int seen(struct mio_pf_blocks *blocks, int64_t offset, int64_t length, int64_t step)
{
	now_ns += each_ns;
	mio_pf_blocks_next(blocks, each_ns ? now_ns : 0);
	return mio_pf_blocks_seen(blocks, offset, length, step);
}

static void request(struct mio_pf_blocks *blocks, const char *text, char *found)
{
	long long offset, length, step;

	ASSERT_EQUAL(3, sscanf(text, "%lld %lld %lld", &offset, &length, &step));
	if (seen(blocks, offset, length, step))
		snprintf(found, LINE, "%lld %lld", (long long)mio_pf_blocks_from(blocks), (long long)mio_pf_blocks_bytes(blocks));
	else
		snprintf(found, LINE, "none");
}

/* The hints that many requests gave, and their bytes. */
struct told {
	long hints;
	long long bytes;
};

static void see(struct mio_pf_blocks *blocks, struct told *told, int64_t offset, int64_t length, int64_t step)
{
	if (!seen(blocks, offset, length, step))
		return;
	told->hints++;
	told->bytes += mio_pf_blocks_bytes(blocks);
}

static void many(const struct mio_pf_blocks *blocks, const struct told *told, char *found)
{
	char now[LINE];

	state(blocks, now);
	snprintf(found, LINE, "told %ld bytes %lld: %.400s", told->hints, told->bytes, now);
}

static void pass(struct mio_pf_blocks *blocks, const char *text, char *found)
{
	struct told told = {0};
	long long from, bytes, gap, count, step;

	ASSERT_EQUAL(5, sscanf(text, "from=%lld bytes=%lld step=%lld count=%lld %lld", &from, &bytes, &gap, &count, &step));
	for (long long i = 0; i < count; i++)
		see(blocks, &told, from + i * gap, bytes, step);
	many(blocks, &told, found);
}

static uint64_t next(uint64_t seed)
{
	return seed * 6364136223846793005U + 1442695040888963407U;
}

/* Reads at places that look random, the same as on the Java side. */
static void scattered(struct mio_pf_blocks *blocks, const char *text, char *found)
{
	struct told told = {0};
	uint64_t seed = 1;
	long long bytes, places, count;

	ASSERT_EQUAL(3, sscanf(text, "bytes=%lld places=%lld count=%lld", &bytes, &places, &count));
	for (long long i = 0; i < count; i++) {
		seed = next(seed);
		see(blocks, &told, (int64_t)((seed >> 33) % (uint64_t)places) * bytes, bytes, 0);
	}
	many(blocks, &told, found);
}

/* Random reads of popular places: each power of two of their ranks is as likely as the next. */
static void popular(struct mio_pf_blocks *blocks, const char *text, char *found)
{
	struct told told = {0};
	uint64_t seed = 1;
	long long bytes, places, count;

	ASSERT_EQUAL(3, sscanf(text, "bytes=%lld places=%lld count=%lld", &bytes, &places, &count));
	for (long long i = 0; i < count; i++) {
		uint64_t power, rank;

		seed = next(seed);
		power = (uint64_t)1 << (seed >> 33) % (uint64_t)__builtin_ctzll((unsigned long long)places);
		seed = next(seed);
		rank = power + (seed >> 33 & (power - 1));
		see(blocks, &told, (int64_t)(rank * 40503 & (uint64_t)(places - 1)) * bytes, bytes, 0);
	}
	many(blocks, &told, found);
}

static void step(struct mio_pf_blocks **blocks, const char *line, char *found)
{
	if (strncmp(line, "file: ", 6) == 0) {
		mio_pf_blocks_free(*blocks);
		*blocks = mio_pf_blocks_make(atoll(line + 6));
		snprintf(found, LINE, "%s", *blocks ? "some" : "none");
	} else if (strncmp(line, "request: ", 9) == 0) {
		request(*blocks, line + 9, found);
	} else if (strncmp(line, "pass: ", 6) == 0) {
		pass(*blocks, line + 6, found);
	} else if (strncmp(line, "scattered: ", 11) == 0) {
		scattered(*blocks, line + 11, found);
	} else if (strncmp(line, "popular: ", 9) == 0) {
		popular(*blocks, line + 9, found);
	} else if (strncmp(line, "ns: ", 4) == 0) {
		each_ns = atoll(line + 4);
	} else if (strcmp(line, "there: yes") == 0) {
		mio_pf_blocks_there(*blocks);
	} else {
		ASSERT(strcmp(line, "state: yes") == 0);
		state(*blocks, found);
	}
}

static void should_tell_of_the_blocks_that_the_golden_cases_say(void)
{
	FILE *file = open_twin("auto/blocks.txt");
	char line[LINE], title[LINE] = "", found[LINE] = "";
	int update = getenv("MIO_GOLDEN_SHOW") != NULL;
	struct mio_pf_blocks *blocks = NULL;
	int cases = 0, lines = 0;

	ASSERT(file);
	while (fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = 0;
		lines++;
		if (strncmp(line, "== ", 3) == 0) {
			snprintf(title, sizeof(title), "%s", line);
			each_ns = 0;
			cases++;
		} else if (strncmp(line, "found: ", 7) == 0) {
			twin_answer(line, sizeof(line), found, title, lines);
		} else if (line[0] && line[0] != '#') {
			step(&blocks, line, found);
		}
		if (update)
			puts(line);
	}
	fclose(file);
	mio_pf_blocks_free(blocks);
	ASSERT(cases >= 15);
}

int main(void)
{
	RUN(should_tell_of_the_blocks_that_the_golden_cases_say);
	return TEST_RESULT();
}

/* The cases of twin/auto/choice.txt, which the Java side reads as well. */
#include "../src/pf/pf_choice.h"
#include "assert.h"
#include "twin_open.h"

enum { LINE = 512 };

static void look(const struct mio_pf_choice *choice, char *found)
{
	static const char *const states[] = {"looking", "pages", "kernel"};

	snprintf(found, LINE, "%s %d small %d near %d largest %lld looks %d", states[choice->state], choice->requests,
		 choice->small, choice->near, (long long)choice->largest, choice->looks);
}

static void reads(struct mio_pf_choice *choice, const char *text)
{
	long long offset, length, step;
	int count;

	ASSERT_EQUAL(4, sscanf(text, "%lld %lld %lld x%d", &offset, &length, &step, &count));
	for (int i = 0; i < count; i++)
		mio_pf_choice_seen(choice, offset + i * step, length);
}

static void writes(struct mio_pf_choice *choice, const char *text)
{
	int count;

	ASSERT_EQUAL(1, sscanf(text, "x%d", &count));
	for (int i = 0; i < count; i++)
		mio_pf_choice_wrote(choice);
}

/* Reads at places that look random, the same as on the Java side. */
static void scattered(struct mio_pf_choice *choice, const char *text)
{
	uint64_t seed = 1;
	long length, count;
	long long places;

	ASSERT_EQUAL(3, sscanf(text, "bytes=%ld places=%lld count=%ld", &length, &places, &count));
	for (long i = 0; i < count; i++) {
		seed = seed * 6364136223846793005U + 1442695040888963407U;
		mio_pf_choice_seen(choice, (long long)((seed >> 33) % (uint64_t)places) * length, length);
	}
}

static void turns(struct mio_pf_choice *choice, const char *text)
{
	long long places, bytes, apart, count;

	ASSERT_EQUAL(4, sscanf(text, "places=%lld bytes=%lld apart=%lld count=%lld", &places, &bytes, &apart, &count));
	for (long long i = 0; i < count; i++)
		mio_pf_choice_seen(choice, i % places * apart + i / places * bytes, bytes);
}

static void worth(const char *text, char *found)
{
	long long requests, page_reads;

	ASSERT_EQUAL(2, sscanf(text, "requests=%lld reads=%lld", &requests, &page_reads));
	snprintf(found, LINE, "%s", mio_pf_choice_is_worth(requests, page_reads) ? "yes" : "no");
}

static int step(struct mio_pf_choice *choice, const char *line, char *found)
{
	if (strncmp(line, "worth: ", 7) == 0) {
		worth(line + 7, found);
		return 1;
	}
	if (strcmp(line, "why: yes") == 0) {
		struct mio_text reason = {0};

		mio_pf_choice_reason(choice, &reason);
		snprintf(found, LINE, "%s", mio_text_string(&reason));
		mio_text_clear(&reason);
		return 1;
	}
	if (strcmp(line, "smaller: yes") == 0)
		mio_pf_choice_smaller(choice);
	else if (strncmp(line, "read: ", 6) == 0)
		reads(choice, line + 6);
	else if (strncmp(line, "write: ", 7) == 0)
		writes(choice, line + 7);
	else if (strncmp(line, "scattered: ", 11) == 0)
		scattered(choice, line + 11);
	else if (strncmp(line, "turns: ", 7) == 0)
		turns(choice, line + 7);
	else if (strncmp(line, "call: ", 6) == 0)
		mio_pf_choice_costs(choice, atoll(line + 6));
	else
		return 0;
	look(choice, found);
	return 1;
}

static void should_choose_what_the_golden_cases_say(void)
{
	FILE *file = open_twin("auto/choice.txt");
	char line[LINE], title[LINE] = "", found[LINE] = "";
	int update = getenv("MIO_GOLDEN_SHOW") != NULL;
	struct mio_pf_choice choice;
	int cases = 0, lines = 0;

	ASSERT(file);
	mio_pf_choice_begin(&choice, 0);
	while (fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = 0;
		lines++;
		if (strncmp(line, "== ", 3) == 0) {
			snprintf(title, sizeof(title), "%s", line);
			mio_pf_choice_begin(&choice, 0);
			cases++;
		} else if (strncmp(line, "found: ", 7) == 0) {
			twin_answer(line, sizeof(line), found, title, lines);
		} else if (line[0] && line[0] != '#') {
			ASSERT(step(&choice, line, found));
		}
		if (update)
			puts(line);
	}
	fclose(file);
	ASSERT(cases >= 15);
}

int main(void)
{
	RUN(should_choose_what_the_golden_cases_say);
	return TEST_RESULT();
}

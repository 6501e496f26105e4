/* The cases of twin/auto/direct.txt, which the Java side reads as well. */
#include "../src/pf/pf_direct_choice.h"
#include "assert.h"
#include "twin_open.h"

enum { LINE = 512 };

static const char *truth(int is)
{
	return is ? "true" : "false";
}

/* Executes the part of a line before the arrow and writes its result to found. Returns 0 if the line is not a step. */
static int step(struct mio_pf_direct_choice *choice, const char *line, char *found)
{
	static const char *const states[] = {"looking", "direct", "over"};
	struct mio_text reason = {0};
	enum mio_pf_direct_state state;
	long long a, b, c;
	int there;

	if (sscanf(line, "seen %lld %lld", &a, &b) == 2) {
		snprintf(found, LINE, "%lld", (long long)mio_pf_direct_seen(choice, a, b));
	} else if (sscanf(line, "answer %lld %lld %d", &a, &b, &there) == 3) {
		state = mio_pf_direct_answer(choice, a, b, there);
		ASSERT_EQUAL(state, choice->state);
		snprintf(found, LINE, "%s %d", states[state], choice->cold);
	} else if (sscanf(line, "beyond %lld %lld", &a, &b) == 2) {
		snprintf(found, LINE, "%s", truth(mio_pf_direct_is_beyond(a, b)));
	} else if (sscanf(line, "cache %lld %lld", &a, &b) == 2) {
		snprintf(found, LINE, "%lld", (long long)mio_pf_direct_cache_bytes(a, b));
	} else if (sscanf(line, "worth %lld %lld", &a, &b) == 2) {
		snprintf(found, LINE, "%s", truth(mio_pf_direct_is_worth(a, b)));
	} else if (sscanf(line, "keep %lld %lld %lld", &a, &b, &c) == 3) {
		snprintf(found, LINE, "%s", truth(mio_pf_direct_may_keep(a, b, c)));
	} else if (sscanf(line, "fits %lld %lld", &a, &b) == 2) {
		snprintf(found, LINE, "%s", truth(mio_pf_direct_fits(a, b)));
	} else if (strncmp(line, "decides ", 8) == 0) {
		snprintf(found, LINE, "%s", truth(mio_pf_direct_may_decide(choice)));
	} else if (strncmp(line, "reason ", 7) == 0) {
		mio_pf_direct_reason(choice, &reason);
		snprintf(found, LINE, "%s", mio_text_string(&reason));
		mio_text_clear(&reason);
	} else {
		return 0;
	}
	return 1;
}

static void should_choose_what_the_golden_cases_say(void)
{
	FILE *file = open_twin("auto/direct.txt");
	char line[LINE], title[LINE] = "", found[LINE];
	struct mio_pf_direct_choice choice = {0};
	int cases = 0, lines = 0;

	ASSERT(file);
	while (fgets(line, sizeof(line), file)) {
		char *expected = strstr(line, " -> ");

		line[strcspn(line, "\n")] = 0;
		lines++;
		if (line[0] == 0 || line[0] == '#')
			continue;
		if (strncmp(line, "case ", 5) == 0) {
			snprintf(title, sizeof(title), "%s", line);
			memset(&choice, 0, sizeof(choice));
			cases++;
			continue;
		}
		ASSERT(expected && step(&choice, line, found));
		if (strcmp(expected + 4, found) != 0) {
			fprintf(stderr, "%s\nline %d: expected %s, was %s\n", title, lines, expected + 4, found);
			exit(1);
		}
	}
	fclose(file);
	ASSERT(cases >= 9);
}

int main(void)
{
	RUN(should_choose_what_the_golden_cases_say);
	return TEST_RESULT();
}

/* The cases of twin/auto/growth.txt, which the Java side reads as well. */
#include "../src/pf/pf_growth.h"
#include "assert.h"
#include "twin_open.h"

enum { LINE = 512 };

static void look(struct mio_pf_growth *growth, const char *text, char *answer)
{
	long long requests, reads, back, frames, working;

	ASSERT_EQUAL(5, sscanf(text, "requests=%lld reads=%lld back=%lld frames=%lld working=%lld", &requests, &reads, &back, &frames,
			       &working));
	snprintf(answer, LINE, "%lld", (long long)mio_pf_growth_wanted(growth, requests, reads, back, frames, working));
}

static void grow(const char *text, char *answer)
{
	long long bytes, grown, room;

	ASSERT_EQUAL(3, sscanf(text, "bytes=%lld grown=%lld room=%lld", &bytes, &grown, &room));
	snprintf(answer, LINE, "%s", mio_pf_growth_may(bytes, grown, room) ? "yes" : "no");
}

static void should_want_what_the_golden_cases_say(void)
{
	FILE *file = open_twin("auto/growth.txt");
	struct mio_pf_growth growth = {0};
	char line[LINE], answer[LINE] = "";
	int results = 0;

	ASSERT(file);
	while (fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = 0;
		if (strncmp(line, "== ", 3) == 0)
			growth = (struct mio_pf_growth){0};
		else if (strncmp(line, "look: ", 6) == 0)
			look(&growth, line + 6, answer);
		else if (strncmp(line, "grow: ", 6) == 0)
			grow(line + 6, answer);
		else if (strcmp(line, "over: yes") == 0)
			growth.over = 1;
		else if (strncmp(line, "found: ", 7) == 0) {
			ASSERT(strcmp(line + 7, answer) == 0);
			results++;
		} else
			ASSERT(line[0] == 0 || line[0] == '#');
	}
	fclose(file);
	ASSERT(results >= 17);
}

int main(void)
{
	RUN(should_want_what_the_golden_cases_say);
	return TEST_RESULT();
}

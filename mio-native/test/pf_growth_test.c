/* The cases of twin/auto/growth.txt, which the Java side reads as well. */
#include "../src/pf/pf_growth.h"
#include "assert.h"

enum { LINE = 512 };

static FILE *open_twin(const char *name)
{
	const char *directory = getenv("MIO_TEST_TWIN");
	char path[LINE];

	snprintf(path, sizeof(path), "%s/%s", directory ? directory : "../mio-core/src/test/resources/twin", name);
	return fopen(path, "r");
}

static int64_t look(struct mio_pf_growth *growth, const char *text)
{
	long long requests, reads, back, frames, working;

	ASSERT_EQUAL(5, sscanf(text, "requests=%lld reads=%lld back=%lld frames=%lld working=%lld", &requests, &reads, &back, &frames,
			       &working));
	mio_pf_growth_seen(growth, requests, reads);
	return mio_pf_growth_wanted(growth, back, frames, working);
}

static void should_want_what_the_golden_cases_say(void)
{
	FILE *file = open_twin("auto/growth.txt");
	struct mio_pf_growth growth = {0};
	char line[LINE];
	int64_t wanted = -1;
	int results = 0;

	ASSERT(file);
	while (fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = 0;
		if (strncmp(line, "== ", 3) == 0)
			growth = (struct mio_pf_growth){0};
		else if (strncmp(line, "look: ", 6) == 0)
			wanted = look(&growth, line + 6);
		else if (strcmp(line, "over: yes") == 0)
			growth.over = 1;
		else if (strncmp(line, "found: ", 7) == 0) {
			ASSERT_EQUAL(atoll(line + 7), wanted);
			results++;
		} else
			ASSERT(line[0] == 0 || line[0] == '#');
	}
	fclose(file);
	ASSERT(results >= 10);
}

int main(void)
{
	RUN(should_want_what_the_golden_cases_say);
	return TEST_RESULT();
}

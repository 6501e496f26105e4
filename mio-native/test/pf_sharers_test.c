/* The cases of twin/stride/sharers.txt, which the Java side reads as well. */
#include "../src/pf/pf_sharers.h"
#include "assert.h"
#include "twin_open.h"

enum { LINE = 256, MANY = 64 };

struct run {
	struct mio_pf_sharers sharers;
	struct mio_pf_share named[128];
	struct mio_pf_share others[MANY];
};

static void use(struct run *run, const char *text, const char *title)
{
	char name;
	int active, times, expected, streams = 0;

	ASSERT_EQUAL(4, sscanf(text, "%c %d %d = %d", &name, &active, &times, &expected));
	for (int i = 0; i < times; i++)
		streams = mio_pf_sharers_used(&run->sharers, &run->named[(int)name], active);
	if (streams != expected) {
		fprintf(stderr, "%s: %s: was %d\n", title, text, streams);
		exit(1);
	}
}

static void should_share_among_the_files_of_the_golden_cases(void)
{
	FILE *file = open_twin("stride/sharers.txt");
	char line[LINE], title[LINE] = "";
	struct run run = {0};
	int cases = 0, uses = 0;

	ASSERT(file);
	while (fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = 0;
		if (strncmp(line, "== ", 3) == 0) {
			snprintf(title, sizeof(title), "%s", line);
			memset(&run, 0, sizeof(run));
			cases++;
		} else if (strncmp(line, "used: ", 6) == 0) {
			use(&run, line + 6, title);
			uses++;
		} else if (strncmp(line, "many: ", 6) == 0) {
			ASSERT(atoi(line + 6) <= MANY);
			for (int i = 0; i < atoi(line + 6); i++)
				mio_pf_sharers_used(&run.sharers, &run.others[i], 1);
		} else if (strncmp(line, "left: ", 6) == 0) {
			mio_pf_sharers_left(&run.sharers, &run.named[(int)line[6]]);
		}
	}
	fclose(file);
	ASSERT(cases > 5 && uses > 15);
}

int main(void)
{
	RUN(should_share_among_the_files_of_the_golden_cases);
	return TEST_RESULT();
}

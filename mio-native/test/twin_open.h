#ifndef MIO_TEST_TWIN_OPEN_H
#define MIO_TEST_TWIN_OPEN_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * A file of the golden cases that both test suites read; NULL: it is not there. MIO_TEST_TWIN: the directory. Where MIO_GOLDEN_SHOW
 * is set the test prints the cases with what it found: for PolicyTwinTest, and for whoever adds a case.
 */
static inline FILE *open_twin(const char *name)
{
	const char *directory = getenv("MIO_TEST_TWIN");
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s", directory ? directory : "../mio-core/src/test/resources/twin", name);
	return fopen(path, "r");
}

/*
 * A line with an answer, "key: ...", against what was found: another one ends the test. Where the test shows what it finds, that
 * stands in the line then.
 */
static inline void twin_answer(char *line, size_t size, const char *found, const char *title, int number)
{
	char *answer = strchr(line, ' ') + 1;

	if (getenv("MIO_GOLDEN_SHOW")) {
		snprintf(answer, size - (size_t)(answer - line), "%s", found);
	} else if (strcmp(answer, found) != 0) {
		fprintf(stderr, "%s\n%d: expected %s, was %s\n", title, number, answer, found);
		exit(1);
	}
}

#endif

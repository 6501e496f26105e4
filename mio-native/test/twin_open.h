#ifndef MIO_TEST_TWIN_OPEN_H
#define MIO_TEST_TWIN_OPEN_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Opens a file of golden cases that both test suites read; NULL if it does not exist. MIO_TEST_TWIN names the directory. If
 * MIO_GOLDEN_SHOW is set, the test prints the cases with what it found: for PolicyTwinTest, and for whoever adds a case.
 */
static inline FILE *open_twin(const char *name)
{
	const char *directory = getenv("MIO_TEST_TWIN");
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s", directory ? directory : "../mio-core/src/test/resources/twin", name);
	return fopen(path, "r");
}

/* Compares a line "key: answer" with what was found; a different answer ends the test. With MIO_GOLDEN_SHOW the line gets what was found instead. */
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

#ifndef MIO_TEST_TWIN_OPEN_H
#define MIO_TEST_TWIN_OPEN_H

#include <stdio.h>
#include <stdlib.h>

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

#endif

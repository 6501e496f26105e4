#ifndef MIO_TEST_ASSERT_STRING_H
#define MIO_TEST_ASSERT_STRING_H

#include "assert.h"

#define ASSERT_STRING(expected, actual) \
	do { \
		const char *e_ = (expected), *a_ = (actual); \
		if (strcmp(e_, a_) != 0) { \
			fprintf(stderr, "%s:%d: %s: expected\n%s\nwas\n%s\n", __FILE__, __LINE__, #actual, e_, a_); \
			exit(1); \
		} \
	} while (0)

#define ASSERT_STARTS(expected, actual) \
	do { \
		const char *s_ = (actual); \
		if (strncmp(expected, s_, strlen(expected)) != 0) { \
			fprintf(stderr, "%s:%d: %s: expected to start with\n%s\nwas\n%s\n", __FILE__, __LINE__, \
				#actual, expected, s_); \
			exit(1); \
		} \
	} while (0)

#endif

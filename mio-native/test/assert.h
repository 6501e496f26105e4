#ifndef MIO_TEST_ASSERT_H
#define MIO_TEST_ASSERT_H

/* The minimum that a C test needs: running test functions ("sentences"), reporting what differed and where, and skipping with a reason. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int test_skips;
static int test_runs;

#define ASSERT(condition) \
	do { \
		if (!(condition)) { \
			fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition); \
			exit(1); \
		} \
	} while (0)

#define ASSERT_EQUAL(expected, actual) \
	do { \
		long long e_ = (long long)(expected), a_ = (long long)(actual); \
		if (e_ != a_) { \
			fprintf(stderr, "%s:%d: %s: expected %lld, was %lld\n", __FILE__, __LINE__, \
				#actual, e_, a_); \
			exit(1); \
		} \
	} while (0)

/* Skips the current sentence: reports the reason and returns from the function. */
#define SKIP(reason) \
	do { \
		printf("skipped: %s: %s\n", __func__, reason); \
		test_skips++; \
		return; \
	} while (0)

#define RUN(sentence) \
	do { \
		test_runs++; \
		sentence(); \
	} while (0)

/* The exit status of the test: 77 when every sentence that ran was skipped, otherwise 0. */
#define TEST_RESULT() (test_runs > 0 && test_skips == test_runs ? 77 : 0)

#endif

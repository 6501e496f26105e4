#ifndef MIO_TEST_CAPI_TWIN_H
#define MIO_TEST_CAPI_TWIN_H

/* For random use of the C API: the same calls on two twin files, by the plain calls and by MIO, with the results compared. */

#include "capi_api.h"
#include "exerciser_plan_text.h"
#include "random.h"

#define LENGTH_MAX 40000

static const struct api plain = API(, open);
static const struct api mio = API(MIO_, MIO_open_variadic);
static const struct api *const apis[2] = {&plain, &mio};

/* The descriptors of two twin files: [0] by the plain calls, [1] by MIO. */
struct twin {
	int fd[2];
	int oflag;
};

/* Random numbers for choices that the plan does not make; seeded with the plan's seed. */
static struct test_random source;
static long step;
static const struct plan_operation *current;
static unsigned char bytes_in[2][LENGTH_MAX + 1];

static void say_line(void *context, const char *text)
{
	fprintf(stderr, "in step %ld: %s\n", *(const long *)context, text);
}

__attribute__((noreturn)) static void differ(const char *what, int64_t expected, int64_t actual, int error)
{
	const struct plan_lines lines = {say_line, &step};

	plan_tell(&lines, current);
	fprintf(stderr, "step %ld: %s: expected %lld, was %lld (%s); replay with MIO_TEST_SEED=%llu\n", step, what,
		(long long)expected, (long long)actual, strerror(error), (unsigned long long)source.seed);
	exit(1);
}

/* Runs the expression call, which uses a and fd, for both sides. Both must give the same result, and the same errno if they fail. */
#define BOTH(twin, what, call) \
	do { \
		int64_t results_[2]; \
		int errors_[2]; \
		for (int side = 0; side < 2; side++) { \
			const struct api *a = apis[side]; \
			int fd = (twin)->fd[side]; \
			(void)a; \
			(void)fd; \
			errno = 0; \
			results_[side] = (int64_t)(call); \
			errors_[side] = results_[side] < 0 ? errno : 0; \
		} \
		if (results_[0] != results_[1] || errors_[0] != errors_[1]) { \
			fprintf(stderr, "by the plain call: %s\n", strerror(errors_[0])); \
			differ(what, results_[0], results_[1], errors_[1]); \
		} \
		both_result = results_[0]; \
	} while (0)

static int64_t both_result;

static void same_bytes(const char *what)
{
	size_t count = both_result > 0 ? (size_t)both_result : 0;

	for (size_t i = 0; i < count; i++)
		if (bytes_in[0][i] != bytes_in[1][i]) {
			fprintf(stderr, "byte %zu of %zu\n", i, count);
			differ(what, bytes_in[0][i], bytes_in[1][i], 0);
		}
}

#endif

#ifndef MIO_TEST_CAPI_TWIN_H
#define MIO_TEST_CAPI_TWIN_H

/* For random use of the C API: calls on twin files, by the plain calls and by MIO, compared; places and lengths. */

#include "capi_api.h"
#include "random.h"

#define PLACE_MAX 150000
#define LENGTH_MAX 40000

static const struct api plain = API(, open);
static const struct api mio = API(MIO_, MIO_open_variadic);
static const struct api *const apis[2] = {&plain, &mio};

/* Descriptors of twin files: by the plain calls, by MIO. */
struct twin {
	int fd[2];
	int oflag;
	int ruled;
	int second;	/* the second file */
};

static struct test_random source;
static long step;
static int64_t cursor;
static unsigned char bytes_out[LENGTH_MAX + 1];
static unsigned char bytes_in[2][LENGTH_MAX + 1];

static size_t below(size_t bound)
{
	return test_random_below(&source, bound);
}

__attribute__((noreturn)) static void differ(const char *what, int64_t expected, int64_t actual, int error)
{
	fprintf(stderr, "step %ld: %s: expected %lld, was %lld (%s); replay with MIO_TEST_SEED=%llu\n", step, what,
		(long long)expected, (long long)actual, strerror(error), (unsigned long long)source.seed);
	exit(1);
}

/* Runs call, which names a and fd, by both; same result, same errno where it fails. */
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

static size_t length(void)
{
	switch (below(5)) {
	case 0:
		return below(200);
	case 1:
		return 512 * (1 + below(16));
	case 2:
	case 3:
		return below(3000);
	default:
		return below(LENGTH_MAX);
	}
}

/* Streams both ways, strides, and leaps. */
static int64_t place(size_t bytes)
{
	int64_t offset;

	switch (below(8)) {
	case 0:
	case 1:
	case 2:
		break;
	case 3:
	case 4:
		cursor -= 2 * (int64_t)bytes;
		break;
	case 5:
		cursor += 3 * (int64_t)bytes;
		break;
	default:
		cursor = (int64_t)below(PLACE_MAX);
	}
	cursor = cursor < 0 ? 0 : cursor > PLACE_MAX ? PLACE_MAX : cursor;
	offset = cursor;
	cursor += (int64_t)bytes;
	return offset;
}

static void fill(unsigned char *memory, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		memory[i] = (unsigned char)test_random_next(&source);
}

#endif

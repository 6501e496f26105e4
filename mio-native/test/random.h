#ifndef MIO_TEST_RANDOM_H
#define MIO_TEST_RANDOM_H

/* Random numbers that are the same for the same seed: MIO_TEST_SEED, or the test's own. The messages of a failure name the seed. */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct test_random {
	uint64_t seed;
	uint64_t state;
};

static struct test_random test_random_begin(uint64_t seed)
{
	const char *given = getenv("MIO_TEST_SEED");
	struct test_random random;

	random.seed = given ? strtoull(given, NULL, 0) : seed;
	random.state = random.seed;
	return random;
}

/* splitmix64 */
static uint64_t test_random_next(struct test_random *random)
{
	uint64_t z = random->state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

/* From 0 up to but not including bound. */
static size_t test_random_below(struct test_random *random, size_t bound)
{
	return (size_t)(test_random_next(random) % bound);
}

/* Joins up to most random parts. */
static inline void test_random_text(struct test_random *random, char *text, const char *const *parts, size_t count,
				    size_t most)
{
	size_t length = test_random_below(random, most + 1);

	*text = 0;
	while (length-- > 0)
		strcat(text, parts[test_random_below(random, count)]);
}

#endif

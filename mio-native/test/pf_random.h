#ifndef MIO_TEST_PF_RANDOM_H
#define MIO_TEST_PF_RANDOM_H

/* Numbers that are the same for the same seed. MIO_TEST_SEED replays a run and MIO_TEST_CALLS lengthens it; a failing test prints its seed. */

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct random {
	uint64_t state;
};

static const char *random_what = "";
static uint64_t random_seed;
static int random_passed;

static inline uint32_t random_next(struct random *random)
{
	random->state ^= random->state << 13;
	random->state ^= random->state >> 7;
	random->state ^= random->state << 17;
	return (uint32_t)(random->state >> 24);
}

/* From 0 up to but not including most. */
static inline int64_t random_below(struct random *random, int64_t most)
{
	return (int64_t)(random_next(random) % (uint64_t)most);
}

static inline struct random random_of(uint64_t seed)
{
	struct random random = {seed * UINT64_C(0x9E3779B97F4A7C15) + 1};

	random.state += random.state == 0;
	for (int i = 0; i < 10; i++)
		random_next(&random);
	return random;
}

static inline void random_tell(void)
{
	if (!random_passed)
		fprintf(stderr, "MIO_TEST_SEED=%" PRIu64 " with %s\n", random_seed, random_what);
}

static inline void random_begin(void)
{
	const char *seed = getenv("MIO_TEST_SEED");
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	random_seed = seed ? strtoull(seed, NULL, 10) : (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
	atexit(random_tell);
}

static inline int64_t random_calls(int64_t usual)
{
	const char *calls = getenv("MIO_TEST_CALLS");

	return calls ? strtoll(calls, NULL, 10) : usual;
}

#endif

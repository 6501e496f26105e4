#ifndef MIO_TEST_JAVA_RANDOM_H
#define MIO_TEST_JAVA_RANDOM_H

/* The numbers of java.util.Random, as the JDK documents them. The same seed gives the Java and the C tests the same numbers. */

#include <stddef.h>
#include <stdint.h>

struct java_random {
	uint64_t state;	/* 48 bits */
};

#define JAVA_RANDOM_UNUSED __attribute__((unused))
#define JAVA_RANDOM_MULTIPLIER UINT64_C(0x5DEECE66D)
#define JAVA_RANDOM_MASK ((UINT64_C(1) << 48) - 1)

JAVA_RANDOM_UNUSED static struct java_random java_random_begin(int64_t seed)
{
	return (struct java_random){((uint64_t)seed ^ JAVA_RANDOM_MULTIPLIER) & JAVA_RANDOM_MASK};
}

/* The upper bits (at most 32) of the next state. */
static uint32_t java_random_bits(struct java_random *random, int bits)
{
	random->state = (random->state * JAVA_RANDOM_MULTIPLIER + 0xB) & JAVA_RANDOM_MASK;
	return (uint32_t)(random->state >> (48 - bits));
}

/* As nextInt(bound): from 0 up to but not including bound, which must be positive. */
JAVA_RANDOM_UNUSED static int32_t java_random_below(struct java_random *random, int32_t bound)
{
	int64_t drawn = java_random_bits(random, 31);
	int64_t result;

	if ((bound & (bound - 1)) == 0)
		return (int32_t)((bound * drawn) >> 31);
	/* The last numbers are too few to cover every result, so they are drawn again. Java detects this by the overflow of int. */
	while (drawn - (result = drawn % bound) + (bound - 1) > INT32_MAX)
		drawn = java_random_bits(random, 31);
	return (int32_t)result;
}

JAVA_RANDOM_UNUSED static int java_random_boolean(struct java_random *random)
{
	return (int)java_random_bits(random, 1);
}

JAVA_RANDOM_UNUSED static int64_t java_random_long(struct java_random *random)
{
	uint64_t upper = java_random_bits(random, 32);
	int64_t lower = (int32_t)java_random_bits(random, 32);

	return (int64_t)((upper << 32) + (uint64_t)lower);
}

JAVA_RANDOM_UNUSED static void java_random_bytes(struct java_random *random, unsigned char *bytes, size_t count)
{
	uint32_t four = 0;

	for (size_t i = 0; i < count; i++, four >>= 8) {
		if (i % 4 == 0)
			four = java_random_bits(random, 32);
		bytes[i] = (unsigned char)four;
	}
}

#endif

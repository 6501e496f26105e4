/* Threads count the reads that rest, and may do so late: by then the memory may belong to another open, or its rest may be over. */
#include "../src/door/door.h"
#include "assert.h"

#include <pthread.h>

enum { ROUNDS = 3000, MANY = 1 << 30 };

static struct mio_file file;
static _Atomic int begun, over;

static void *read_on(void *context)
{
	(void)context;
	while (!atomic_load(&over))
		if (mio_door_rests(&file))
			atomic_store(&begun, 1);
	return NULL;
}

static void should_not_rest_again_once_the_rest_was_ended(void)
{
	pthread_t thread;

	for (int round = 0; round < ROUNDS; round++) {
		atomic_store(&begun, 0);
		atomic_store(&over, 0);
		atomic_store(&file.rests, MANY);
		ASSERT_EQUAL(0, pthread_create(&thread, NULL, read_on, NULL));
		while (!atomic_load(&begun))
			;
		atomic_store(&file.rests, 0);
		atomic_store(&over, 1);
		ASSERT_EQUAL(0, pthread_join(thread, NULL));
		ASSERT_EQUAL(0, atomic_load(&file.rests));
	}
}

static void should_count_what_rests(void)
{
	atomic_store(&file.rests, 2);
	ASSERT_EQUAL(1, mio_door_rests(&file));
	ASSERT_EQUAL(1, mio_door_rests(&file));
	ASSERT_EQUAL(0, mio_door_rests(&file));
	ASSERT_EQUAL(0, atomic_load(&file.rests));
}

int main(void)
{
	RUN(should_count_what_rests);
	RUN(should_not_rest_again_once_the_rest_was_ended);
	return TEST_RESULT();
}

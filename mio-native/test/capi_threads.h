#ifndef MIO_TEST_CAPI_THREADS_H
#define MIO_TEST_CAPI_THREADS_H

/*
 * Twin of ExerciserThreads: several threads use one file. Each thread owns every PLAN_THREADS-th block, and must read from its
 * blocks what it wrote, whatever the other threads do beside it. Each thread has a descriptor of its own; where a Java thread uses
 * an asynchronous channel of its own, here it sends a request by one descriptor that all threads share.
 */

#include <pthread.h>

#include "capi_twin.h"

enum { BLOCK_BYTES = 1537, BLOCKS = 40 };

struct worker {
	pthread_t thread;
	int number;
	int64_t seed;
	int known;	/* the end of the file, as far as this thread knows */
	const char *name[2];
	int own[2];
	int all;
};

/* Submits one request and waits for it. Returns its result; on failure errno is the error of the request. */
static int64_t request(const struct api *a, int fd, void *memory, size_t bytes, int64_t offset, int writes)
{
	struct aiocb block = {.aio_fildes = fd, .aio_buf = memory, .aio_nbytes = bytes, .aio_offset = offset};
	const struct aiocb *list[1] = {&block};
	int error;

	block.aio_sigevent.sigev_notify = SIGEV_NONE;
	if ((writes ? a->aio_write(&block) : a->aio_read(&block)) < 0)
		return -1;
	while ((error = a->aio_error(&block)) == EINPROGRESS)
		a->aio_suspend(list, 1, NULL);
	errno = error;
	return a->aio_return(&block);
}

static void worker_write(const struct worker *worker, unsigned char *bytes, int length, int place, int asynchronous)
{
	int64_t count = asynchronous ? request(&mio, worker->all, bytes, (size_t)length, place, 1)
				     : mio.pwrite(worker->own[1], bytes, (size_t)length, place);

	if (count != length)
		differ("write in a thread", length, count, errno);
	ASSERT_EQUAL(length, plain.pwrite(worker->own[0], bytes, (size_t)length, place));
}

static void worker_read(const struct worker *worker, int length, int place, int asynchronous)
{
	unsigned char got[BLOCK_BYTES];
	unsigned char expected[BLOCK_BYTES];
	int64_t count = asynchronous ? request(&mio, worker->all, got, (size_t)length, place, 0)
				     : mio.pread(worker->own[1], got, (size_t)length, place);

	if (count != length)
		differ("read in a thread", length, count, errno);
	ASSERT_EQUAL(length, plain.pread(worker->own[0], expected, (size_t)length, place));
	if (memcmp(got, expected, (size_t)length) != 0)
		differ("bytes read in a thread", 0, place, 0);
}

static int64_t size_by_name(const char *name)
{
	struct stat found;
	int fd = mio.open(name, O_RDONLY);

	ASSERT(fd >= 0 && mio.fstat(fd, &found) == 0 && mio.close(fd) == 0);
	return found.st_size;
}

static void *work(void *context)
{
	struct worker *worker = context;
	struct java_random random = java_random_begin(worker->seed);
	unsigned char bytes[8000];
	struct stat found;

	for (int side = 0; side < 2; side++) {
		worker->own[side] = apis[side]->open(worker->name[side], O_RDWR);
		ASSERT(worker->own[side] >= 0);
	}
	for (int i = 0; i < PLAN_THREAD_CALLS; i++) {
		int block = worker->number + PLAN_THREADS * java_random_below(&random, BLOCKS / PLAN_THREADS);
		int from = java_random_below(&random, BLOCK_BYTES);
		int length = 1 + java_random_below(&random, BLOCK_BYTES - from);
		int place = block * BLOCK_BYTES + from;
		int asynchronous = java_random_below(&random, 4) == 0;
		int what = java_random_below(&random, 100);

		if (what < 50) {
			java_random_bytes(&random, bytes, (size_t)length);
			worker_write(worker, bytes, length, place, asynchronous);
			worker->known = worker->known > place + length ? worker->known : place + length;
		} else if (what < 90) {
			int wanted = length < worker->known - place ? length : worker->known - place;

			if (wanted > 0)
				worker_read(worker, wanted, place, asynchronous);
		} else if (what < 92) {
			ASSERT_EQUAL(0, mio.fdatasync(worker->own[1]));
		} else if (what < 94) {
			ASSERT(size_by_name(worker->name[1]) >= worker->known);
		} else {
			ASSERT(mio.fstat(worker->own[1], &found) == 0 && found.st_size >= worker->known);
			/* These bytes may be in blocks that others are changing, so any content is right. */
			ASSERT(mio.pread(worker->own[1], bytes, sizeof(bytes), java_random_below(&random, worker->known)) >= 0);
		}
	}
	for (int side = 0; side < 2; side++)
		ASSERT_EQUAL(0, apis[side]->close(worker->own[side]));
	return NULL;
}

/* Runs the threads on the two files, which have this length and which nothing has open. */
static void in_threads(const char *plain_name, const char *mio_name, int length, const int64_t *seeds)
{
	struct worker workers[PLAN_THREADS];
	int all = mio.open(mio_name, O_RDWR);

	ASSERT(all >= 0);
	for (int i = 0; i < PLAN_THREADS; i++) {
		workers[i] = (struct worker){.number = i, .seed = seeds[i], .known = length, .name = {plain_name, mio_name}, .all = all};
		ASSERT_EQUAL(0, pthread_create(&workers[i].thread, NULL, work, &workers[i]));
	}
	for (int i = 0; i < PLAN_THREADS; i++)
		ASSERT_EQUAL(0, pthread_join(workers[i].thread, NULL));
	ASSERT_EQUAL(0, mio.close(all));
}

#endif

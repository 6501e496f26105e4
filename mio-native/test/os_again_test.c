/* Errors that usually pass but here do not: a file system may return them for ever. */
#include "os_files.h"

#include "answering_file.h"

enum { PIECE = 4096 };

static unsigned char bytes[PIECE];
static const char *backend;
static int answer;

static void nothing(struct mio_io *io, void *context)
{
	(void)io;
	(void)context;
}

static int submitted(struct mio_layer *layer, int write)
{
	struct mio_io request;
	int rc;

	mio_io_init(&request, write, bytes, PIECE, 0, nothing, NULL);
	rc = layer->ops->submit(layer, &request);
	if (rc < 0)
		return rc;
	mio_io_wait(&request);
	return (int)request.result;
}

/* A layer over a file that answers; NULL where there can be none. */
static struct mio_layer *answering(void)
{
	char path[4096];
	int fd;

	close(test_file(test_build_dir(), path));
	fd = answering_file(path, answer);
	unlink(path);
	/* A backend that repeats the request would do so for ever. */
	alarm(60);
	return fd < 0 ? NULL : test_own_layer(fd, O_RDWR, 0, backend, NULL);
}

static int read_and_write(void)
{
	struct mio_layer *layer = answering();

	if (!layer)
		return 77;
	if (layer->ops->read(layer, bytes, PIECE, 0) != answer)
		return 1;
	if (layer->ops->write(layer, bytes, PIECE, 0) != answer)
		return 2;
	if (submitted(layer, 0) != answer)
		return 3;
	return submitted(layer, 1) == answer ? 0 : 4;
}

static void in_each_backend(int (*run)(void), int error)
{
	answer = error;
	for (int i = 0; i < TEST_BACKENDS; i++) {
		int status;

		backend = test_backends[i];
		if (!test_has_backend(backend))
			continue;
		status = test_in_child(run);
		if (status == 77)
			SKIP("no file systems of one's own here");
		ASSERT_EQUAL(0, status);
	}
}

static void hand_on(int error)
{
	in_each_backend(read_and_write, error);
}

static void should_hand_on_that_a_file_system_wants_it_tried_again(void)
{
	hand_on(-EAGAIN);
}

static void should_hand_on_that_a_file_system_has_cancelled_it(void)
{
	hand_on(-ECANCELED);
}

static void should_hand_on_that_there_is_no_room(void)
{
	hand_on(-ENOSPC);
	hand_on(-EDQUOT);
	hand_on(-ENOMEM);
}

/* Only a call that waits knows. The second call of all finds room here: only a ring makes one. */
static int write_once_refused(void)
{
	struct mio_layer *layer;

	answering_writes = 1;
	layer = answering();
	if (!layer)
		return 77;
	return submitted(layer, 1) == (strcmp(backend, "uring") == 0 ? PIECE : answer) ? 0 : 1;
}

static void should_ask_again_where_a_ring_finds_no_room(void)
{
	in_each_backend(write_once_refused, -ENOSPC);
	in_each_backend(write_once_refused, -EDQUOT);
	in_each_backend(write_once_refused, -ENOMEM);
}

int main(void)
{
	if (TEST_HAS_OWN_THREAD) {
		printf("skipped: the sanitizer starts no threads in a forked child\n");
		return 77;
	}
	RUN(should_hand_on_that_a_file_system_wants_it_tried_again);
	RUN(should_hand_on_that_a_file_system_has_cancelled_it);
	RUN(should_hand_on_that_there_is_no_room);
	RUN(should_ask_again_where_a_ring_finds_no_room);
	return TEST_RESULT();
}

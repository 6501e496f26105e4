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

static int read_and_write(void)
{
	char path[4096];
	struct mio_layer *layer;
	int fd;

	close(test_file(test_build_dir(), path));
	fd = answering_file(path, answer);
	unlink(path);
	if (fd < 0)
		return 77;
	/* A backend that repeats the request would do so for ever. */
	alarm(60);
	layer = test_own_layer(fd, O_RDWR, 0, backend, NULL);
	if (layer->ops->read(layer, bytes, PIECE, 0) != answer)
		return 1;
	if (layer->ops->write(layer, bytes, PIECE, 0) != answer)
		return 2;
	if (submitted(layer, 0) != answer)
		return 3;
	return submitted(layer, 1) == answer ? 0 : 4;
}

static void hand_on(int error)
{
	answer = error;
	for (int i = 0; i < TEST_BACKENDS; i++) {
		int status;

		backend = test_backends[i];
		if (!test_has_backend(backend))
			continue;
		status = test_in_child(read_and_write);
		if (status == 77)
			SKIP("no file systems of one's own here");
		ASSERT_EQUAL(0, status);
	}
}

static void should_hand_on_that_a_file_system_wants_it_tried_again(void)
{
	hand_on(-EAGAIN);
}

static void should_hand_on_that_a_file_system_has_cancelled_it(void)
{
	hand_on(-ECANCELED);
}

int main(void)
{
	if (TEST_HAS_OWN_THREAD) {
		printf("skipped: the sanitizer starts no threads in a forked child\n");
		return 77;
	}
	RUN(should_hand_on_that_a_file_system_wants_it_tried_again);
	RUN(should_hand_on_that_a_file_system_has_cancelled_it);
	return TEST_RESULT();
}

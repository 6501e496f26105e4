/* The setting of the backend with which a process begins. */
#include "../src/common/text.h"
#include "../src/os/os_layer.h"
#include "../src/stack/stack.h"
#include "assert_string.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static char path[4096];
static int fd;

static int begin(char *backend, struct mio_text *error)
{
	char files[] = "MIO_FILES=* [ pf/cache=64k/page=16k ]", stats[] = "MIO_STATS=/dev/null", live[] = "MIO_LIVE=off";
	char *environment[] = {files, stats, live, backend, NULL};

	return mio_stacks_begin(environment, 0, error);
}

/* The engine that reports name once a file has been read through pages. */
static const char *engine(void)
{
	struct mio_open_request request = {.name = path, .oflags = O_RDWR, .mode = 0600, .cacheable = 1, .fd = fd};
	struct mio_stack *stack = NULL;
	struct stat found;
	char bytes[4];

	ASSERT_EQUAL(0, fstat(fd, &found));
	request.size_bytes = found.st_size;
	request.device = (uint64_t)found.st_dev;
	request.inode = (uint64_t)found.st_ino;
	ASSERT_EQUAL(0, mio_stack_open(mio_stacks_match(path), &request, &stack));
	ASSERT_EQUAL(4, mio_stack_read(stack, bytes, 4, 0));
	ASSERT_EQUAL(0, mio_stack_close(stack));
	return mio_os_engine();
}

/* The engine shown is the best one used so far. */
static void should_leave_out_what_comes_before_the_backend_of_the_settings(void)
{
	char sync[] = "MIO_BACKEND= sync ", threads[] = "MIO_BACKEND=threads";
	struct mio_text error = {0};

	ASSERT_EQUAL(0, begin(sync, &error));
	ASSERT_STRING("sync", engine());
	ASSERT_EQUAL(0, begin(threads, &error));
	ASSERT_STRING("threads", engine());
}

static void should_not_begin_with_one_that_there_is_not(void)
{
	char wrong[] = "MIO_BACKEND=io_uring";
	struct mio_text error = {0};

	ASSERT_EQUAL(-EINVAL, begin(wrong, &error));
	ASSERT(strncmp("MIO_BACKEND, column 1: there is no backend 'io_uring'", mio_text_string(&error), 53) == 0);
	mio_text_clear(&error);
}

int main(void)
{
	const char *directory = getenv("MIO_TEST_DIR");

	snprintf(path, sizeof(path), "%s/backend.XXXXXX", directory ? directory : "/tmp");
	fd = mkstemp(path);
	ASSERT(fd >= 0);
	ASSERT_EQUAL(4, write(fd, "page", 4));
	RUN(should_leave_out_what_comes_before_the_backend_of_the_settings);
	RUN(should_not_begin_with_one_that_there_is_not);
	close(fd);
	unlink(path);
	return TEST_RESULT();
}

#ifndef MIO_TEST_STACK_FIXTURE_H
#define MIO_TEST_STACK_FIXTURE_H

/* Stacks over one file, composed as the door composes them. */
#include "../src/common/text.h"
#include "../src/stack/stack.h"
#include "assert.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static char path[4096];
static int fd;

/* Begins MIO's stacks and makes an empty file whose name begins with what. */
static void begin(const char *what)
{
	char files[] = "MIO_FILES=* [ trace ]", stats[] = "MIO_STATS=/dev/null", live[] = "MIO_LIVE=off";
	char *environment[] = {files, stats, live, NULL};
	const char *directory = getenv("MIO_TEST_DIR");
	struct mio_text error = {0};

	ASSERT_EQUAL(0, mio_stacks_begin(environment, 0, &error));
	snprintf(path, sizeof(path), "%s/%s.XXXXXX", directory ? directory : "/tmp", what);
	fd = mkstemp(path);
	ASSERT(fd >= 0);
}

/* Removes the file. Returns the test's exit status. */
static int end(void)
{
	close(fd);
	unlink(path);
	return TEST_RESULT();
}

static struct mio_stack *open_with(const char *rule, int cacheable, int oflags)
{
	struct mio_text error = {0};
	const struct mio_stack_spec *spec = mio_stacks_parse(rule, &error);
	struct mio_open_request request = {.name = path, .oflags = oflags, .mode = 0600, .cacheable = cacheable, .fd = fd};
	struct mio_stack *stack = NULL;
	struct stat found;

	ASSERT(spec);
	ASSERT_EQUAL(0, fstat(fd, &found));
	request.size_bytes = found.st_size;
	request.device = (uint64_t)found.st_dev;
	request.inode = (uint64_t)found.st_ino;
	ASSERT_EQUAL(0, mio_stack_open(spec, &request, &stack));
	return stack;
}

static struct mio_stack *open_by(const char *rule, int cacheable)
{
	return open_with(rule, cacheable, O_RDWR);
}

#endif

#ifndef MIO_TEST_LIVE_ALONE_H
#define MIO_TEST_LIVE_ALONE_H

/* Tests a live counter file in a process of its own, because a process has only one such file. */

#include "../src/live/live.h"

#include <fcntl.h>
#include <sys/wait.h>

#include "../src/common/clock.h"
#include "stats_place.h"

static char directory[8192];

/* Runs the sentence in a process of its own, because a process has only one live counter file. */
static inline void alone(void (*sentence)(void))
{
	int status = -1;
	pid_t child;

	place_make();
	ASSERT(snprintf(directory, sizeof(directory), "%s/live", place) < (int)sizeof(directory));
	child = fork();
	if (child == 0) {
		sentence();
		_exit(0);
	}
	ASSERT_EQUAL(child, waitpid(child, &status, 0));
	place_remove();
	ASSERT_EQUAL(0, status);
}

static inline void begin(void)
{
	mio_clock_begin_ns();
	mio_live_begin(directory, "", "a program");
	mio_live_reserve("sync");
}

static inline int is_record(const void *body)
{
	return ((uintptr_t)body & 4095) == MIO_LIVE_BODY;
}

static inline struct mio_live_head *head_of(void *body)
{
	return (struct mio_live_head *)body - 1;
}

/* Reads a record as other processes see it. */
static inline void look(int64_t record, void *bytes)
{
	int fd = open(mio_live_path(), O_RDONLY);

	ASSERT(fd >= 0);
	ASSERT_EQUAL(4096, pread(fd, bytes, 4096, record * 4096));
	close(fd);
}

static union {
	char bytes[4096];
	struct mio_live_header header;
	struct {
		struct mio_live_head head;
		struct mio_live_trace trace;
	} record;
	struct {
		struct mio_live_head head;
		struct mio_live_decisions decisions;
	} decided;
} seen;

static inline void expect_memory(void)
{
	void *body;

	begin();
	body = mio_live_take(MIO_LIVE_TRACE, NULL);
	ASSERT(body && !is_record(body));
	mio_live_show(body);
	mio_live_give(body);
	mio_live_end();
}

#endif

/*
 * The descriptor by which the events file is made longer has a high number, so that no thread of MIO's ever takes a number that the
 * program may count on.
 */
#include "events_see.h"

#include "../src/common/memory.h"
#include "../src/os/os_layer.h"
#include "../src/os/os_number.h"
#include "../src/trace/trace_state.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>

enum {
	/* More than are ever claimed at once. */
	MANY = 40 * MIO_TRACE_BLOCK_RECORDS,
};

static int highest_from(void)
{
	struct rlimit limit;

	ASSERT_EQUAL(0, getrlimit(RLIMIT_NOFILE, &limit));
	return limit.rlim_cur < 934 ? (int)(limit.rlim_cur - limit.rlim_cur / 4) : 700;
}

static void put_many(struct mio_trace_writer *writer)
{
	for (int i = 0; i < MANY; i++)
		put_read(writer, 1, i);
}

static int number_of(const struct mio_trace_writer *writer)
{
	return writer->place.kept.number;
}

static long dropped(struct mio_trace_writer *writer)
{
	return (long)writer->header->dropped;
}

static struct mio_trace_writer *begin(const char *name)
{
	struct mio_trace_facts facts = facts_of(in_place(name));
	struct mio_trace_writer *writer = writer_of(&facts);

	ASSERT_EQUAL(1, define_file(writer, "x"));
	return writer;
}

/* Takes every number up to the limit of the process, and returns the first one. */
static int take_all_numbers(void)
{
	int first = dup(0);

	ASSERT(first >= 0);
	while (dup(0) >= 0)
		;
	ASSERT_EQUAL(EMFILE, errno);
	return first;
}

static void give_back(int first)
{
	for (int fd = first; fd < 2000; fd++)
		if (!mio_os_is_own_descriptor(fd))
			close(fd);
}

static int in_child(int (*run)(struct mio_trace_writer *writer), struct mio_trace_writer *writer)
{
	pid_t child = fork();
	int status = 0;

	ASSERT(child >= 0);
	if (child == 0) {
		mio_memory_forked();
		mio_os_forked(0);
		mio_trace_writer_forked(writer);
		_exit(run(writer));
	}
	ASSERT_EQUAL(child, waitpid(child, &status, 0));
	ASSERT(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void should_go_on_where_the_program_has_taken_every_number(void)
{
	struct mio_trace_writer *writer = begin("numbers.events");
	int first = take_all_numbers();
	struct seen seen;

	put_many(writer);
	give_back(first);
	ASSERT_EQUAL(0, dropped(writer));
	seen = see(in_place("numbers.events"));
	ASSERT_EQUAL(MANY, count_events(&seen, MIO_TRACE_RECORD_CALL, -1));
	see_no_more(&seen);
}

/* In this process MIO has not been told to mind the numbers, so that a descriptor that stays would be in the program's way. */
static void should_not_stay_where_it_lands(void)
{
	int lowest = dup(0);
	struct mio_trace_writer *writer;

	close(lowest);
	writer = begin("low.events");
	ASSERT_EQUAL(0, number_of(writer));
	ASSERT_EQUAL(0, mio_os_is_own_descriptor(lowest));
	put_many(writer);
	ASSERT_EQUAL(0, dropped(writer));
	ASSERT_EQUAL(lowest, dup(0));
	close(lowest);
}

static void should_stand_on_one_high_number(void)
{
	int lowest = dup(0);
	int again, number;

	close(lowest);
	number = number_of(begin("high.events"));
	again = dup(0);
	ASSERT_EQUAL(lowest, again);
	close(again);
	ASSERT(number >= highest_from());
	ASSERT_EQUAL(1, mio_os_is_own_descriptor(number));
	ASSERT_EQUAL(FD_CLOEXEC, fcntl(number, F_GETFD));
}

static int put_with_every_number_taken(struct mio_trace_writer *writer)
{
	long before = dropped(writer);

	/* The child has a descriptor of its own, and none of its parent's. */
	if (number_of(writer) < highest_from() || mio_os_own_descriptor_from(0) != number_of(writer))
		return 1;
	take_all_numbers();
	put_many(writer);
	return dropped(writer) == before ? 0 : 2;
}

static void should_be_had_by_a_forked_child_as_well(void)
{
	struct mio_trace_writer *writer = begin("forked.events");
	struct seen seen;

	ASSERT_EQUAL(0, in_child(put_with_every_number_taken, writer));
	seen = see(in_place("forked.events"));
	ASSERT_EQUAL(MANY, count_events(&seen, MIO_TRACE_RECORD_CALL, -1));
	see_no_more(&seen);
}

/* Does what dup2 does; then the number is the program's. */
static void should_leave_its_number_to_a_program_that_wants_it(void)
{
	struct mio_trace_writer *writer = begin("wanted.events");
	int number = number_of(writer), pipes[2];
	int moved_to;

	ASSERT(number > 0);
	ASSERT_EQUAL(0, mio_os_own_descriptor_moved(number));
	moved_to = number_of(writer);
	ASSERT_EQUAL(0, mio_os_is_own_descriptor(number));
	ASSERT_EQUAL(-1, fcntl(number, F_GETFD));
	ASSERT_EQUAL(0, pipe(pipes));
	ASSERT_EQUAL(number, dup2(pipes[0], number));
	put_many(writer);
	ASSERT_EQUAL(0, dropped(writer));
	/* The writer has had another number all the time. */
	ASSERT(moved_to > 0 && moved_to != number && number_of(writer) == moved_to);
	close(pipes[0]);
	close(pipes[1]);
	close(number);
}

/* A system call of the program's, which MIO does not see, puts another file on the number. */
static void should_not_write_to_what_is_on_its_number_by_then(void)
{
	struct mio_trace_writer *writer = begin("closed.events");
	struct stat found;
	int number = number_of(writer);
	int fd = open(in_place("programs"), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	ASSERT(number > 0 && fd >= 0);
	ASSERT_EQUAL(number, dup2(fd, number));
	put_many(writer);
	ASSERT_EQUAL(0, dropped(writer));
	ASSERT_EQUAL(0, fstat(fd, &found));
	ASSERT_EQUAL(0, found.st_size);
	ASSERT_EQUAL(0, fstat(number, &found));
	ASSERT_EQUAL(0, mio_os_is_own_descriptor(number));
	close(number);
	close(fd);
}

/* Under a small limit the file is opened by its name each time, because a program with so few numbers may need every one. */
static int put_under_a_small_limit(struct mio_trace_writer *writer)
{
	struct rlimit limit = {.rlim_cur = 64, .rlim_max = 64};
	struct mio_trace_facts facts = facts_of(in_place("small.events"));

	if (setrlimit(RLIMIT_NOFILE, &limit) < 0)
		return 1;
	/* Descriptors from before are gone. */
	mio_os_forked(0);
	writer = writer_of(&facts);
	put_many(writer);
	if (number_of(writer) != 0 || mio_os_own_descriptor_from(0) >= 0)
		return 2;
	return dropped(writer) == 0 ? 0 : 3;
}

static void should_have_none_under_a_small_limit(void)
{
	ASSERT_EQUAL(0, in_child(put_under_a_small_limit, begin("before.events")));
}

int main(void)
{
	struct rlimit limit;

	ASSERT_EQUAL(0, getrlimit(RLIMIT_NOFILE, &limit));
	if (limit.rlim_max < 1024) {
		printf("skipped: fewer than 1024 descriptors may be opened\n");
		return 77;
	}
	limit = (struct rlimit){.rlim_cur = 1024, .rlim_max = 1024};
	ASSERT_EQUAL(0, setrlimit(RLIMIT_NOFILE, &limit));
	place_make();
	RUN(should_not_stay_where_it_lands);
	mio_os_numbers_begin();
	RUN(should_go_on_where_the_program_has_taken_every_number);
	RUN(should_stand_on_one_high_number);
	RUN(should_be_had_by_a_forked_child_as_well);
	RUN(should_leave_its_number_to_a_program_that_wants_it);
	RUN(should_not_write_to_what_is_on_its_number_by_then);
	RUN(should_have_none_under_a_small_limit);
	place_remove();
	return TEST_RESULT();
}

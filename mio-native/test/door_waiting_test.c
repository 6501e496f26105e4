/*
 * Opens that wait before MIO looks at them: which ones do, until when, and what becomes of them. test/preload/waiting.c tests what
 * programs see of it.
 */
#include "capi_api.h"

#include "../src/common/text.h"
#include "../src/door/door_table.h"
#include "../src/stack/stack.h"
#include "assert.h"

#include <sys/syscall.h>
#include <unistd.h>

#define RULES "*.auto [ pf/auto ] *.traced [ auto ] *.behind [ pf/cache=64k/page=4k/pref=1 ]"

enum { SMALL = 256 << 10, LIMIT = 64 << 10, READ_MAX = 256 << 10, PLACES = 64 };

static char name[512], traced[512], behind[512];

static void make_file(int64_t bytes)
{
	int fd = open(test_name(name, sizeof(name), "waiting.auto"), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	ASSERT(fd >= 0);
	ASSERT_EQUAL(0, ftruncate(fd, bytes));
	ASSERT_EQUAL(0, close(fd));
	unlink(test_name(traced, sizeof(traced), "waiting.traced"));
	unlink(test_name(behind, sizeof(behind), "waiting.behind"));
	ASSERT_EQUAL(0, link(name, traced));
	ASSERT_EQUAL(0, link(name, behind));
}

static void remove_files(void)
{
	unlink(name);
	unlink(traced);
	unlink(behind);
}

/* Opens the file as the preload library does. */
static int opened(const char *file, int oflags)
{
	struct mio_door_opening opening;
	int fd;

	ASSERT_EQUAL(1, mio_door_opening(&opening, AT_FDCWD, file, oflags, 0600));
	opening.waits = opening.may_wait;
	fd = open(file, oflags, 0600);
	ASSERT(fd > MIO_DOOR_STANDARD_MAX);
	mio_door_opened(&opening, fd);
	return fd;
}

static void closed(int fd)
{
	ASSERT_EQUAL(0, mio_door_close(fd));
	ASSERT(mio_door_file(fd) == NULL);
	ASSERT_EQUAL(0, close(fd));
}

static int waits(int fd)
{
	return mio_door_file(fd) == &mio_door_waiting;
}

static int open_waits(const char *file, int oflags)
{
	int fd = opened(file, oflags);
	int found = waits(fd);

	closed(fd);
	return found;
}

static void begin(void)
{
	ASSERT_EQUAL(0, MIO_close(MIO_open(name, O_RDONLY, 0, NULL)));
}

static void which(void)
{
	int pages;
	int fd;

	begin();
	ASSERT(open_waits(name, O_RDONLY));
	ASSERT(open_waits(name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
	ASSERT(!open_waits(name, O_RDWR));
	ASSERT(!open_waits(name, O_WRONLY));
	ASSERT(!open_waits(name, O_RDONLY | O_CREAT));
	ASSERT(!open_waits(name, O_RDONLY | O_DIRECT));
	ASSERT(!open_waits(traced, O_RDONLY));
	ASSERT(!open_waits(behind, O_RDONLY));
	/* While a file has pages, MIO must know its other opens. */
	pages = MIO_open(behind, O_RDWR, 0, NULL);
	ASSERT(!open_waits(name, O_RDONLY));
	fd = opened(name, O_RDONLY);
	ASSERT(mio_door_file(fd) != NULL);
	closed(fd);
	ASSERT_EQUAL(0, MIO_close(pages));
	ASSERT(open_waits(name, O_RDONLY));
}

static void read_by(int fd, size_t length, int64_t result)
{
	uint64_t life = mio_door_waited_read_begin(fd, length);

	ASSERT(life != 0);
	mio_door_waited_read_end(fd, life, result);
}

static void until_when(void)
{
	int fd;

	begin();
	fd = opened(name, O_RDONLY);
	read_by(fd, LIMIT, LIMIT - 1);
	read_by(fd, 1, 0);
	read_by(fd, 1, -1);
	ASSERT_EQUAL(0, mio_door_waited_read_begin(fd, READ_MAX + 1));
	read_by(fd, READ_MAX, 1);
	ASSERT_EQUAL(0, mio_door_waited_read_begin(fd, 1));
	ASSERT(waits(fd));
	closed(fd);
	/* The next open by this number begins anew. */
	fd = opened(name, O_RDONLY);
	read_by(fd, 1, 1);
	closed(fd);
}

/* The waiting ends by a call, and by attributes that the program asks for. */
static void what_comes_of_it(int has_layers)
{
	struct stat found;
	int fd;

	begin();
	fd = opened(name, O_RDONLY);
	ASSERT(waits(fd));
	ASSERT((mio_door_decide(fd) != NULL) == has_layers);
	ASSERT(!waits(fd));
	ASSERT_EQUAL(0, mio_door_waited_read_begin(fd, 1));
	closed(fd);
	fd = opened(name, O_RDONLY);
	ASSERT_EQUAL(0, fstat(fd, &found));
	mio_door_told(fd, mio_door_waiting_life(fd), &found);
	ASSERT(!waits(fd));
	ASSERT((mio_door_file(fd) != NULL) == has_layers);
	closed(fd);
}

static void small(void)
{
	what_comes_of_it(0);
}

static void large(void)
{
	what_comes_of_it(1);
}

/* A read that never ends does not keep the open waiting for ever. */
static void with_a_read_under_way(void)
{
	int fd;

	begin();
	fd = opened(name, O_RDONLY);
	ASSERT(mio_door_waited_read_begin(fd, 100) != 0);
	ASSERT(mio_door_decide(fd) != NULL);
	closed(fd);
}

/* A read that ends after its open was closed does not count for the next open with the same number; nor do attributes. */
static void with_what_is_of_an_earlier_open(void)
{
	struct stat small_one = {.st_mode = S_IFREG | 0600, .st_size = 10};
	uint64_t early, life;
	int fd, next;

	begin();
	fd = opened(name, O_RDONLY);
	life = mio_door_waiting_life(fd);
	early = mio_door_waited_read_begin(fd, 100);
	ASSERT(early != 0);
	closed(fd);
	next = opened(name, O_RDONLY);
	ASSERT_EQUAL(fd, next);
	mio_door_waited_read_end(next, early, LIMIT);
	read_by(next, LIMIT, LIMIT - 1);
	read_by(next, 1, 1);
	ASSERT_EQUAL(0, mio_door_waited_read_begin(next, 1));
	mio_door_told(next, life, &small_one);
	ASSERT(!waits(next));
	ASSERT(mio_door_file(next) != NULL);
	closed(next);
}

/* The number now belongs to another open, which writes and which MIO has not seen. */
static void with_a_number_that_leads_elsewhere(void)
{
	int writer = open(name, O_RDWR);
	int fd;

	begin();
	fd = opened(name, O_RDONLY);
	ASSERT_EQUAL(fd, (int)syscall(SYS_dup3, writer, fd, 0));
	ASSERT(mio_door_decide(fd) == NULL);
	ASSERT(!waits(fd));
	closed(fd);
	ASSERT_EQUAL(0, close(writer));
}

/* The layers learn the position of the program. */
static void position(void)
{
	char memory[1000];
	struct mio_file *file;
	int fd;

	begin();
	fd = opened(name, O_RDONLY);
	ASSERT_EQUAL(700, read(fd, memory, 700));
	ASSERT_EQUAL(1000, mio_door_read(fd, memory, sizeof(memory)));
	file = mio_door_file(fd);
	ASSERT(file && file != &mio_door_waiting);
	ASSERT_EQUAL(1700, file->position);
	ASSERT_EQUAL(1700, lseek(fd, 0, SEEK_CUR));
	closed(fd);
}

/* A waiting open gives its place back however its waiting ends. */
static void again_and_again(void)
{
	begin();
	for (int i = 0; i < 3 * PLACES; i++) {
		int fd = opened(name, O_RDONLY);

		ASSERT(waits(fd));
		if (i % 3 == 1)
			mio_door_decide(fd);
		else if (i % 3 == 2)
			ASSERT_EQUAL(1, mio_door_waiting_ends(fd));
		closed(fd);
	}
}

/* Two numbers share each place: the second of two opens is looked at as soon as it is opened. */
static void more_than_places(void)
{
	int fds[PLACES + 10];
	int waiting = 0;

	begin();
	for (int i = 0; i < PLACES + 10; i++) {
		fds[i] = opened(name, O_RDONLY);
		waiting += waits(fds[i]);
	}
	ASSERT_EQUAL(PLACES, waiting);
	for (int i = 0; i < PLACES + 10; i++)
		closed(fds[i]);
}

static void run(int64_t bytes, void (*sentence)(void))
{
	make_file(bytes);
	ASSERT_EQUAL(0, test_run_under(RULES, NULL, sentence));
	remove_files();
}

static void should_wait_where_the_size_tells_whether_it_gets_layers(void)
{
	run(SMALL, which);
}

static void should_wait_for_so_many_bytes(void)
{
	run(SMALL, until_when);
}

static void should_decide_by_the_size(void)
{
	run(SMALL, small);
	run(SMALL + 1, large);
}

static void should_decide_with_a_read_under_way(void)
{
	run(SMALL + 1, with_a_read_under_way);
}

static void should_forget_an_open_that_is_over(void)
{
	run(SMALL + 1, with_what_is_of_an_earlier_open);
	run(SMALL + 1, with_a_number_that_leads_elsewhere);
	run(SMALL, again_and_again);
}

static void should_go_on_at_the_position(void)
{
	run(SMALL + 1, position);
}

static void should_look_at_once_where_no_place_is_free(void)
{
	run(SMALL, more_than_places);
}

int main(void)
{
	RUN(should_wait_where_the_size_tells_whether_it_gets_layers);
	RUN(should_wait_for_so_many_bytes);
	RUN(should_decide_by_the_size);
	RUN(should_decide_with_a_read_under_way);
	RUN(should_forget_an_open_that_is_over);
	RUN(should_go_on_at_the_position);
	RUN(should_look_at_once_where_no_place_is_free);
	return TEST_RESULT();
}

/* When the door may bypass the front layer. */
#include "stack_fixture.h"

#include "../src/layer/layer_open.h"
#include "../src/os/os_file.h"
#include "assert_string.h"

/* 1 if neither reads nor writes may bypass it, 0 if both may. */
static int has_front(const struct mio_stack *stack)
{
	ASSERT_EQUAL(!mio_stack_straight(stack, 0), !mio_stack_straight(stack, 1));
	return !mio_stack_straight(stack, 0);
}

static int is_straight(const char *rule)
{
	struct mio_stack *stack = open_by(rule, 1);
	int is = !has_front(stack);

	ASSERT_EQUAL(0, mio_stack_close(stack));
	return is;
}

static void should_go_straight_where_the_front_has_nothing_to_do(void)
{
	ASSERT(is_straight("trace"));
	ASSERT(is_straight("trace | trace"));
	ASSERT(is_straight("trace | recov"));
}

static void should_not_go_straight_where_the_rule_has_a_gate_or_pages(void)
{
	ASSERT(!is_straight("trace | pf/cache=64k/page=16k"));
	ASSERT(!is_straight("mio/cio | trace"));
	ASSERT(!is_straight("mio/direct | trace"));
}

static void should_go_straight_over_auto_once_it_takes_no_pages(void)
{
	struct mio_stack *stack;

	if (mio_os_file_place(fd) != MIO_OS_PLACE_DISK)
		SKIP("pf/auto leaves files of this file system to the kernel");
	ASSERT(ftruncate(fd, 64 << 20) == 0);
	stack = open_by("trace | pf/auto", 1);
	ASSERT(has_front(stack));
	mio_stack_stay(stack, "this is a test");
	ASSERT(!has_front(stack));
	ASSERT_EQUAL(0, mio_stack_close(stack));
	ASSERT(ftruncate(fd, 0) == 0);
}

static void should_not_read_straight_over_auto_alone_which_lets_reads_rest(void)
{
	struct mio_stack *stack;

	if (mio_os_file_place(fd) != MIO_OS_PLACE_DISK)
		SKIP("pf/auto leaves files of this file system to the kernel");
	ASSERT(ftruncate(fd, 64 << 20) == 0);
	stack = open_by("pf/auto", 1);
	ASSERT(has_front(stack));
	mio_stack_stay(stack, "this is a test");
	ASSERT(mio_stack_straight(stack, 0) == NULL);
	ASSERT(mio_stack_straight(stack, 1) != NULL);
	ASSERT_EQUAL(0, mio_stack_close(stack));
	ASSERT(ftruncate(fd, 0) == 0);
}

/* What pf/auto has nothing to gain from gets no layer of it. */
static void should_go_straight_where_auto_is_left_out(void)
{
	struct mio_stack *stack;

	ASSERT(ftruncate(fd, 4096) == 0);
	stack = open_with("pf/auto", 1, O_RDONLY);
	ASSERT(!has_front(stack));
	ASSERT_EQUAL(0, mio_stack_close(stack));
	ASSERT(ftruncate(fd, 0) == 0);
}

static void should_not_go_straight_while_another_open_has_pages(void)
{
	struct mio_stack *traced = open_by("trace", 1);
	struct mio_stack *cached;

	ASSERT(!has_front(traced));
	cached = open_by("pf/cache=64k/page=16k", 1);
	ASSERT(has_front(traced));
	ASSERT_EQUAL(0, mio_stack_close(cached));
	ASSERT(!has_front(traced));
	ASSERT_EQUAL(0, mio_stack_close(traced));
}

static void should_meet_the_pages_of_another_open_by_either_way(void)
{
	struct mio_stack *traced = open_by("trace", 1);
	struct mio_stack *cached = open_by("pf/cache=64k/page=16k", 1);
	struct mio_layer *layer;
	char read[4] = "";

	/* The bytes are held in a page. The front layer of the other open has them written before it reads. */
	ASSERT_EQUAL(4, mio_stack_write(cached, "page", 4, 0));
	ASSERT_EQUAL(4, mio_stack_read(traced, read, 4, 0));
	ASSERT(memcmp(read, "page", 4) == 0);
	ASSERT_EQUAL(0, mio_stack_close(cached));
	layer = mio_stack_straight(traced, 1);
	ASSERT_EQUAL(4, layer->ops->write(layer, "line", 4, 0));
	cached = open_by("pf/cache=64k/page=16k", 1);
	ASSERT_EQUAL(4, mio_stack_read(cached, read, 4, 0));
	ASSERT(memcmp(read, "line", 4) == 0);
	ASSERT_EQUAL(0, mio_stack_close(cached));
	ASSERT_EQUAL(0, mio_stack_close(traced));
}

/* The file gets pages when a write at the position is on its way already, and the door knew no position for it. */
static void tell_pages_where_a_write_at_the_position_went(const char *rule)
{
	struct mio_stack *other = open_by(rule, 1);
	struct mio_stack *cached;
	struct mio_layer *layer;
	char read[13] = "";

	mio_stack_stay(other, "this is a test");
	layer = mio_stack_straight(other, 1);
	ASSERT_EQUAL(12, pwrite(fd, "aaaabbbbcccc", 12, 0));
	cached = open_by("pf/cache=64k/page=16k", 1);
	ASSERT_EQUAL(12, mio_stack_read(cached, read, 12, 0));
	ASSERT_EQUAL(8, lseek(fd, 8, SEEK_SET));
	mio_open_call.fd = fd;
	mio_open_call.at_position = 1;
	ASSERT_EQUAL(4, layer->ops->write(layer, "line", 4, 4));
	mio_open_call.at_position = 0;
	mio_open_call.fd = -1;
	ASSERT_EQUAL(12, mio_stack_read(cached, read, 12, 0));
	ASSERT_STRING("aaaabbbbline", read);
	ASSERT_EQUAL(0, mio_stack_close(cached));
	ASSERT_EQUAL(0, mio_stack_close(other));
}

static void should_tell_pages_where_a_write_at_the_position_went(void)
{
	tell_pages_where_a_write_at_the_position_went("trace");
	tell_pages_where_a_write_at_the_position_went("pf/auto");
}

/* Another process that has the open may set it to append, or move its position at any moment. */
static void should_keep_no_byte_of_a_write_that_went_elsewhere_than_the_position(void)
{
	struct mio_stack *other = open_by("trace", 1);
	struct mio_stack *cached = open_by("pf/cache=64k/page=16k", 1);
	char read[17] = "";

	ASSERT_EQUAL(12, pwrite(fd, "aaaabbbbcccc", 12, 0));
	ASSERT_EQUAL(12, mio_stack_read(cached, read, 12, 0));
	ASSERT_EQUAL(0, fcntl(fd, F_SETFL, O_APPEND));
	ASSERT_EQUAL(4, lseek(fd, 4, SEEK_SET));
	mio_open_call.fd = fd;
	mio_open_call.at_position = 1;
	ASSERT_EQUAL(4, mio_stack_write(other, "line", 4, 4));
	mio_open_call.at_position = 0;
	mio_open_call.fd = -1;
	ASSERT_EQUAL(0, fcntl(fd, F_SETFL, 0));
	ASSERT_EQUAL(12, mio_stack_read(cached, read, 12, 0));
	ASSERT_STRING("aaaabbbbcccc", read);
	ASSERT_EQUAL(4, mio_stack_read(cached, read, 4, 12));
	ASSERT_STRING("linebbbbcccc", read);
	ASSERT_EQUAL(0, mio_stack_close(cached));
	ASSERT_EQUAL(0, mio_stack_close(other));
}

/* Opens a file under pf/auto and has it take pages; `may` is called when these exist. 1 if it took them. */
static int takes_pages(const char *(*may)(void *stack))
{
	struct mio_stack *stack = open_by("pf/auto", 1);
	int takes = mio_stack_take_pages(stack, fd, O_RDWR, may, stack);

	ASSERT_EQUAL(takes, mio_pf_file_is_cached(mio_stack_file(stack)));
	ASSERT_EQUAL(!takes, mio_stack_straight(stack, 1) != NULL);
	ASSERT_EQUAL(0, mio_stack_close(stack));
	return takes;
}

static const char *agree(void *stack)
{
	(void)stack;
	return NULL;
}

/* As a request of another thread does that finds the file changing all the time, or small by now. */
static const char *agree_and_settle(void *stack)
{
	mio_stack_stay(stack, "this is a test");
	return NULL;
}

static void should_take_no_pages_if_it_settles_while_they_are_made(void)
{
	if (mio_os_file_place(fd) != MIO_OS_PLACE_DISK)
		SKIP("pf/auto leaves files of this file system to the kernel");
	ASSERT(takes_pages(agree));
	ASSERT(!takes_pages(agree_and_settle));
}

int main(void)
{
	begin("straight");
	RUN(should_go_straight_where_the_front_has_nothing_to_do);
	RUN(should_not_go_straight_where_the_rule_has_a_gate_or_pages);
	RUN(should_go_straight_over_auto_once_it_takes_no_pages);
	RUN(should_not_read_straight_over_auto_alone_which_lets_reads_rest);
	RUN(should_go_straight_where_auto_is_left_out);
	RUN(should_not_go_straight_while_another_open_has_pages);
	RUN(should_meet_the_pages_of_another_open_by_either_way);
	RUN(should_tell_pages_where_a_write_at_the_position_went);
	RUN(should_keep_no_byte_of_a_write_that_went_elsewhere_than_the_position);
	RUN(should_take_no_pages_if_it_settles_while_they_are_made);
	return end();
}

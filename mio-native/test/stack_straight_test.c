/* When the door may bypass the front layer. */
#include "stack_fixture.h"

#include "../src/os/os_file.h"

static int is_straight(const char *rule)
{
	struct mio_stack *stack = open_by(rule, 1);
	int is = mio_stack_straight(stack) != NULL;

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

/* The layer may take pages, and lets reads go by. */
static void should_not_go_straight_over_auto(void)
{
	if (mio_os_file_place(fd) != MIO_OS_PLACE_DISK)
		SKIP("pf/auto leaves files of this file system to the kernel");
	ASSERT(ftruncate(fd, 64 << 20) == 0);
	ASSERT(!is_straight("trace | pf/auto"));
	ASSERT(!is_straight("pf/auto"));
	ASSERT(ftruncate(fd, 0) == 0);
}

static void should_not_go_straight_while_another_open_has_pages(void)
{
	struct mio_stack *traced = open_by("trace", 1);
	struct mio_stack *cached;

	ASSERT(mio_stack_straight(traced) != NULL);
	cached = open_by("pf/cache=64k/page=16k", 1);
	ASSERT(mio_stack_straight(traced) == NULL);
	ASSERT_EQUAL(0, mio_stack_close(cached));
	ASSERT(mio_stack_straight(traced) != NULL);
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
	layer = mio_stack_straight(traced);
	ASSERT_EQUAL(4, layer->ops->write(layer, "line", 4, 0));
	cached = open_by("pf/cache=64k/page=16k", 1);
	ASSERT_EQUAL(4, mio_stack_read(cached, read, 4, 0));
	ASSERT(memcmp(read, "line", 4) == 0);
	ASSERT_EQUAL(0, mio_stack_close(cached));
	ASSERT_EQUAL(0, mio_stack_close(traced));
}

int main(void)
{
	begin("straight");
	RUN(should_go_straight_where_the_front_has_nothing_to_do);
	RUN(should_not_go_straight_where_the_rule_has_a_gate_or_pages);
	RUN(should_not_go_straight_over_auto);
	RUN(should_not_go_straight_while_another_open_has_pages);
	RUN(should_meet_the_pages_of_another_open_by_either_way);
	return end();
}

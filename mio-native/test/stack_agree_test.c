/* Opens of one file by different rules, composed as the door does it, and the file below their pages. */
#include "stack_fixture.h"

#define PF "pf/cache=64k/page=16k/synchronous"

enum { SECTOR = 4096 };

static void fill(const char *bytes)
{
	ASSERT_EQUAL(0, ftruncate(fd, 0));
	ASSERT_EQUAL((long)strlen(bytes), pwrite(fd, bytes, strlen(bytes), 0));
}

static void holds(const char *bytes)
{
	char found[64] = "";

	ASSERT_EQUAL((long)strlen(bytes), pread(fd, found, sizeof(found) - 1, 0));
	ASSERT_EQUAL(0, strcmp(bytes, found));
}

/* The other open may have a write under way that began before the file had pages; pages written later would overwrite it. */
static void should_keep_no_write_in_pages_while_another_open_may_write_past_them(void)
{
	struct mio_stack *plain, *paged;

	fill("oooooooo");
	plain = open_by("trace", 0);
	paged = open_by(PF, 1);
	ASSERT_EQUAL(2, mio_stack_write(paged, "nn", 2, 3));
	holds("ooonnooo");
	ASSERT_EQUAL(0, mio_stack_close(plain));

	/* The other open is gone, and what is written stays in the file's pages. */
	ASSERT_EQUAL(2, mio_stack_write(paged, "mm", 2, 3));
	holds("ooonnooo");
	ASSERT_EQUAL(0, mio_stack_close(paged));
	holds("ooommooo");
}

/* An open that comes when the file has pages takes the gate. */
static void should_keep_writes_in_pages_if_the_other_open_came_later(void)
{
	struct mio_stack *plain, *paged;

	fill("oooooooo");
	paged = open_by(PF, 1);
	plain = open_by("trace", 0);
	ASSERT_EQUAL(2, mio_stack_write(paged, "nn", 2, 3));
	holds("oooooooo");
	ASSERT_EQUAL(1, mio_stack_write(plain, "p", 1, 5));
	holds("ooonnpoo");
	ASSERT_EQUAL(0, mio_stack_close(plain));
	ASSERT_EQUAL(0, mio_stack_close(paged));
}

static void should_keep_what_a_truncation_left_out_does_not_cut(void)
{
	struct mio_stack *stack;

	fill("");
	stack = open_by(PF " | os/notrunc", 1);
	ASSERT_EQUAL(4, mio_stack_write(stack, "abcd", 4, 0));
	ASSERT_EQUAL(0, mio_stack_truncate(stack, 0));
	ASSERT_EQUAL(4, mio_stack_size(stack));
	ASSERT_EQUAL(0, mio_stack_close(stack));
	holds("abcd");

	stack = open_by(PF " | os/notrunc", 1);
	ASSERT_EQUAL(0, mio_stack_truncate(stack, 1));
	ASSERT_EQUAL(1, mio_stack_write(stack, "z", 1, 3));
	ASSERT_EQUAL(0, mio_stack_truncate(stack, 10));
	ASSERT_EQUAL(4, mio_stack_size(stack));
	ASSERT_EQUAL(0, mio_stack_close(stack));
	holds("abcz");
}

/* With mio/cio, other bytes may be written just now, because their writes go on while a page is written. */
static void should_write_no_byte_that_the_open_did_not_where_writes_may_meet(void)
{
	char sectors[3 * SECTOR], expected[3 * SECTOR];
	struct mio_stack *paged;

	memset(sectors, 'o', sizeof(sectors));
	ASSERT_EQUAL((long)sizeof(sectors), pwrite(fd, sectors, sizeof(sectors), 0));
	paged = open_by("mio/cio | " PF, 1);
	ASSERT_EQUAL((long)sizeof(sectors), mio_stack_read(paged, sectors, sizeof(sectors), 0));
	memset(sectors, 'n', SECTOR);
	ASSERT_EQUAL(SECTOR, mio_stack_write(paged, sectors, SECTOR, 0));
	ASSERT_EQUAL(SECTOR, mio_stack_write(paged, sectors, SECTOR, 2 * SECTOR));
	ASSERT_EQUAL(1, pwrite(fd, "p", 1, SECTOR));
	ASSERT_EQUAL(0, mio_stack_close(paged));

	memset(expected, 'n', sizeof(expected));
	memset(expected + SECTOR, 'o', SECTOR);
	expected[SECTOR] = 'p';
	ASSERT_EQUAL((long)sizeof(sectors), pread(fd, sectors, sizeof(sectors), 0));
	ASSERT(memcmp(sectors, expected, sizeof(expected)) == 0);
}

int main(void)
{
	begin("agree");
	RUN(should_keep_no_write_in_pages_while_another_open_may_write_past_them);
	RUN(should_keep_writes_in_pages_if_the_other_open_came_later);
	RUN(should_keep_what_a_truncation_left_out_does_not_cut);
	RUN(should_write_no_byte_that_the_open_did_not_where_writes_may_meet);
	return end();
}

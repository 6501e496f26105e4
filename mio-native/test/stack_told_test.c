/* Opens that get no cache by their rule, composed as the door does it, when a write-behind of another open has failed. */
#include "../src/pf/pf_file.h"
#include "stack_fixture.h"

#include <errno.h>

/* As if a page could not be written behind the program's back, with an error after which recov tries again. */
static void fails_behind(struct mio_stack *writer)
{
	struct mio_pf_file *file = mio_stack_file(writer);
	struct mio_pf_cache *cache = mio_pf_file_cache(file);

	mio_lock_acquire(&cache->lock);
	mio_pf_file_failed(file, cache, -ENOSPC);
	mio_lock_release(&cache->lock);
}

static void tells_once(const char *rule)
{
	struct mio_stack *writer = open_by("pf/cache=64k/page=16k/synchronous", 1);
	struct mio_stack *plain = open_by(rule, 0);
	struct mio_stack *closing = open_by(rule, 0);

	fails_behind(writer);
	ASSERT_EQUAL(-ENOSPC, mio_stack_write(plain, "line", 4, 0));
	ASSERT_EQUAL(4, mio_stack_write(plain, "line", 4, 0));
	ASSERT_EQUAL(0, mio_stack_close(plain));
	ASSERT_EQUAL(-ENOSPC, mio_stack_close(closing));
	ASSERT_EQUAL(-ENOSPC, mio_stack_close(writer));
}

static void should_tell_an_open_without_a_cache_whatever_its_rule(void)
{
	tells_once("trace");
	tells_once("trace | pf/cache=64k/page=16k | trace");
	tells_once("pf/auto");
}

/* A retry would succeed, and no one would be told of the failure. */
static void should_not_let_recov_take_it_for_a_failed_write_of_its_own(void)
{
	tells_once("trace | recov/retry=3");
	tells_once("trace | pf/cache=64k/page=16k | recov/retry=3 | trace");
	tells_once("recov/retry=1 | trace | recov/retry=1");
}

int main(void)
{
	begin("told");
	RUN(should_tell_an_open_without_a_cache_whatever_its_rule);
	RUN(should_not_let_recov_take_it_for_a_failed_write_of_its_own);
	return end();
}

/* Sectors for which space is reserved: what is known is true, but of many sectors only some are known. */
#include "../src/pf/pf_reserved.h"
#include "assert.h"

static struct mio_pf_reserved reserved;

static int has(int64_t first, int64_t end)
{
	return mio_pf_reserved_has(&reserved, first, end);
}

static void should_have_what_was_added_and_no_more(void)
{
	ASSERT(!has(0, 1));
	mio_pf_reserved_add(&reserved, 60, 130);
	mio_pf_reserved_add(&reserved, 5, 5);
	ASSERT(has(60, 130));
	ASSERT(has(64, 128));
	ASSERT(!has(59, 61));
	ASSERT(!has(129, 131));
	ASSERT(!has(5, 6));
	mio_pf_reserved_add(&reserved, 130, 192);
	ASSERT(has(60, 192));
	ASSERT(!has(60, 193));
	mio_pf_reserved_clear(&reserved);
	ASSERT(!has(60, 61));
}

static void should_forget_what_is_behind_a_cut(void)
{
	mio_pf_reserved_add(&reserved, 0, 300);
	mio_pf_reserved_cut(&reserved, 70);
	ASSERT(has(0, 70));
	ASSERT(!has(70, 71));
	ASSERT(!has(128, 129));
	mio_pf_reserved_cut(&reserved, 64);
	ASSERT(has(0, 64));
	ASSERT(!has(64, 65));
	mio_pf_reserved_cut(&reserved, 0);
	ASSERT(!has(0, 1));
	mio_pf_reserved_clear(&reserved);
}

static void should_keep_of_many_those_that_were_added_last(void)
{
	int64_t stretch = 64LL << 15;
	int64_t far = INT64_MAX / 512 / 64 * 64;

	mio_pf_reserved_add(&reserved, 0, 1);
	mio_pf_reserved_add(&reserved, far, far + 64);
	ASSERT(has(0, 1));
	ASSERT(has(far, far + 64));
	mio_pf_reserved_add(&reserved, 0, 3 * stretch);
	ASSERT(has(2 * stretch, 3 * stretch));
	ASSERT(!has(0, 1));
	ASSERT(!has(far, far + 1));
	mio_pf_reserved_add(&reserved, 65, 66);
	ASSERT(has(65, 66));
	ASSERT(!has(64, 65));
	ASSERT(!has(2 * stretch + 65, 2 * stretch + 66));
	ASSERT(has(2 * stretch + 128, 3 * stretch));
	mio_pf_reserved_clear(&reserved);
}

int main(void)
{
	RUN(should_have_what_was_added_and_no_more);
	RUN(should_forget_what_is_behind_a_cut);
	RUN(should_keep_of_many_those_that_were_added_last);
	return TEST_RESULT();
}

/* The cases of twin/retain/stamps.txt, which the Java side reads as well. */
#include "../src/os/os_release.h"
#include "../src/pf/pf_stamp.h"
#include "assert.h"
#include "assert_string.h"
#include "golden.h"

static int release_of(const char *text)
{
	int major = 0, minor = 0;

	ASSERT_EQUAL(2, sscanf(text, "%d.%d", &major, &minor));
	return MIO_OS_RELEASE(major, minor);
}

static void should_be_sure_of_a_time_that_no_later_change_can_have(void)
{
	struct golden golden = golden_read("retain/stamps.txt");

	ASSERT(golden.count > 0);
	for (int i = 0; i < golden.count; i++) {
		struct golden_case *test = &golden.cases[i];
		int sure = mio_pf_stamp_tells(release_of(golden_value(test, "release")), golden_value(test, "type"),
					      strtoll(golden_value(test, "changed"), NULL, 10),
					      strtoll(golden_value(test, "closed"), NULL, 10));

		int over = mio_pf_stamp_over(golden_value(test, "type"), strtoll(golden_value(test, "changed"), NULL, 10),
					     strtoll(golden_value(test, "closed"), NULL, 10));

		ASSERT_STRING(golden_value(test, "sure"), sure ? "yes" : "no");
		ASSERT_STRING(golden_value(test, "over"), over ? "yes" : "no");
	}
	golden_free(&golden);
}

int main(void)
{
	RUN(should_be_sure_of_a_time_that_no_later_change_can_have);
	return TEST_RESULT();
}

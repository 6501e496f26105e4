#include "../src/common/raw.h"
#include "assert.h"

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

static void should_return_errors_as_the_kernel_does_and_keep_errno(void)
{
	errno = ERANGE;
	ASSERT_EQUAL(-EBADF, mio_raw1(SYS_close, -1));
	ASSERT_EQUAL(-EBADF, mio_raw3(SYS_read, -1, NULL, 0));
	ASSERT_EQUAL(-ENOSYS, mio_raw0(100000));
	ASSERT_EQUAL(getpid(), mio_raw0(SYS_getpid));
	ASSERT_EQUAL(ERANGE, errno);
}

static void should_pass_six_arguments(void)
{
	long page = sysconf(_SC_PAGESIZE);
	int fd = memfd_create("common_raw_test", 0);
	long memory;

	ASSERT(fd >= 0);
	ASSERT_EQUAL(5, pwrite(fd, "bytes", 5, page));
	memory = mio_raw6(SYS_mmap, 0, page, PROT_READ, MAP_PRIVATE, fd, page);
	ASSERT(memory > 0);
	ASSERT_EQUAL(0, memcmp((void *)memory, "bytes", 6));
	ASSERT_EQUAL(0, mio_raw2(SYS_munmap, memory, page));
	close(fd);
}

int main(void)
{
	RUN(should_return_errors_as_the_kernel_does_and_keep_errno);
	RUN(should_pass_six_arguments);
	return TEST_RESULT();
}

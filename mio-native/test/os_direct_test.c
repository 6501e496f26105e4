/* The files are made in MIO_TEST_DIR, on the file system of the build. */
#include "../src/jvm/jvm_info.h"
#include "../src/os/os_direct.h"
#include "assert.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

static char file[4096];

static void make_file(const char *dir)
{
	int fd;

	ASSERT(snprintf(file, sizeof(file), "%s/os_direct_test.XXXXXX", dir) < (int)sizeof(file));
	fd = mkstemp(file);
	ASSERT(fd >= 0);
	ASSERT_EQUAL(5, write(fd, "bytes", 5));
	ASSERT_EQUAL(0, close(fd));
}

static const char *build_dir(void)
{
	const char *dir = getenv("MIO_TEST_DIR");

	return dir ? dir : ".";
}

static int power_of_two(uint32_t value)
{
	return value && !(value & (value - 1));
}

static void should_tell_limits_that_a_direct_read_accepts(void)
{
	struct mio_os_direct_limits limits = {7, 7};
	void *buffer = NULL;
	int fd;
	int rc;

	make_file(build_dir());
	rc = mio_os_direct_limits_read(file, &limits);
	if (rc == MIO_OS_DIRECT_UNTOLD || !limits.offset_align_bytes) {
		ASSERT_EQUAL(0, limits.mem_align_bytes);
		ASSERT_EQUAL(0, limits.offset_align_bytes);
		unlink(file);
		SKIP("the build directory's file system tells no direct I/O limits");
	}
	ASSERT_EQUAL(MIO_OS_DIRECT_TOLD, rc);
	ASSERT(power_of_two(limits.mem_align_bytes));
	ASSERT(power_of_two(limits.offset_align_bytes));

	fd = open(file, O_RDONLY | O_DIRECT);
	ASSERT(fd >= 0);
	ASSERT_EQUAL(0, posix_memalign(&buffer, limits.mem_align_bytes < sizeof(void *) ?
				       sizeof(void *) : limits.mem_align_bytes, limits.offset_align_bytes));
	ASSERT_EQUAL(5, pread(fd, buffer, limits.offset_align_bytes, 0));
	ASSERT_EQUAL(0, memcmp(buffer, "bytes", 5));
	free(buffer);
	close(fd);
	unlink(file);
}

static void should_say_when_the_file_system_does_not_tell(void)
{
	struct mio_os_direct_limits limits = {7, 7};
	int rc;

	if (access("/dev/shm", W_OK) != 0)
		SKIP("no /dev/shm to write to");
	make_file("/dev/shm");
	rc = mio_os_direct_limits_read(file, &limits);
	unlink(file);
	ASSERT(rc == MIO_OS_DIRECT_UNTOLD || rc == MIO_OS_DIRECT_TOLD);
	if (rc == MIO_OS_DIRECT_TOLD)
		SKIP("this kernel tells limits for /dev/shm, too");
	ASSERT_EQUAL(0, limits.mem_align_bytes);
	ASSERT_EQUAL(0, limits.offset_align_bytes);
}

static void should_return_the_error_of_a_missing_file_and_keep_errno(void)
{
	struct mio_os_direct_limits limits = {7, 7};

	errno = ERANGE;
	ASSERT_EQUAL(-ENOENT, mio_os_direct_limits_read("/no/such/file", &limits));
	ASSERT_EQUAL(ERANGE, errno);
	ASSERT_EQUAL(0, limits.mem_align_bytes);
	ASSERT_EQUAL(-ENOTDIR, mio_os_direct_limits_read("/dev/null/file", &limits));
	ASSERT_EQUAL(-EFAULT, mio_os_direct_limits_read(NULL, &limits));
	ASSERT_EQUAL(-EFAULT, mio_os_direct_limits_read("/dev/null", NULL));
}

static void should_give_java_the_same_answer(void)
{
	struct mio_os_direct_limits limits;
	int32_t numbers[2] = {7, 7};
	int rc;

	make_file(build_dir());
	rc = mio_os_direct_limits_read(file, &limits);
	ASSERT_EQUAL(rc, mio_jvm_direct_limits(file, numbers));
	unlink(file);
	ASSERT_EQUAL(limits.mem_align_bytes, numbers[0]);
	ASSERT_EQUAL(limits.offset_align_bytes, numbers[1]);
	ASSERT_EQUAL(-ENOENT, mio_jvm_direct_limits("/no/such/file", numbers));
	ASSERT_EQUAL(-EFAULT, mio_jvm_direct_limits("/dev/null", NULL));
}

static void should_know_its_version(void)
{
	ASSERT_EQUAL(0, strcmp(MIO_VERSION, mio_jvm_version()));
}

static void should_cut_the_words_of_an_error_to_the_buffer(void)
{
	char text[8] = "xxxxxxx";

	mio_jvm_error_text(ENOENT, text, (int)sizeof(text));
	ASSERT_EQUAL(7, strlen(text));
	ASSERT_EQUAL(0, strncmp(text, strerror(ENOENT), 7));
	mio_jvm_error_text(ENOENT, text, 0);
	ASSERT_EQUAL(7, strlen(text));
}

int main(void)
{
	RUN(should_tell_limits_that_a_direct_read_accepts);
	RUN(should_say_when_the_file_system_does_not_tell);
	RUN(should_return_the_error_of_a_missing_file_and_keep_errno);
	RUN(should_give_java_the_same_answer);
	RUN(should_know_its_version);
	RUN(should_cut_the_words_of_an_error_to_the_buffer);
	return TEST_RESULT();
}
